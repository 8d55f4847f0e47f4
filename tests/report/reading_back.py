"""A report read back: a page as a browser would see it, a PDF as a reader does."""

import io
from html.parser import HTMLParser

import pypdf

from statera.output.report import pdf


class Page(HTMLParser):
    """What a browser would see: elements with their attributes, and the text outside scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.raw, self._open = [], [], {}, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag in {"script", "style"}:
            self._open.append(tag)

    def handle_endtag(self, tag):
        if self._open and self._open[-1] == tag:
            self._open.pop()

    def handle_data(self, data):
        (self.raw.setdefault(self._open[-1], []) if self._open else self.texts).append(data)

    def all(self, tag):
        return [attrs for name, attrs in self.elements if name == tag]

    @property
    def text(self):
        return "".join(self.texts)


def read(document):
    """Set a document as PDF; give it, and the text of each page."""
    reader = pypdf.PdfReader(io.BytesIO(pdf.content(document)))
    # A blank of no width stands where a long word may break.
    return reader, [page.extract_text().replace("\u200b", "") for page in reader.pages]
