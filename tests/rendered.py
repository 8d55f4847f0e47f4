"""What Markdown does where GitHub renders it: everything in it that is more than text."""

import re
from html.parser import HTMLParser
from itertools import groupby

from markdown_it import MarkdownIt

# Names that try to link, to load, to mention, to refer, to leave their place.
HOSTILE = (
    "![x](https://evil.invalid/p.png)",
    "[l](javascript:alert(1)) [r] [^1] ![i]",
    "<img src=x onerror=alert(1)><b>&lt;i&gt;",
    "</details></summary><script>",
    "@user @org/team a@user &commat;u &#64;u",
    "#1 owner/repo#12 GH-3 gh-45 C#7",
    "deadbeef 0123456789abcdef0123456789abcdef01234567 o/r@deadbee",
    "https://evil.invalid HTTP://evil.invalid ftp://evil.invalid",
    "www.evil.invalid (WWW.evil.invalid)",
    "mail@evil.invalid mailto:m@evil.invalid <https://evil.invalid>",
    "a|b`c``d @u` \\| \\",
    "`" * 90 + " <b> @user",
    "- item",
    "1. item",
    "# head",
    "> quote",
    "---",
    "line\n\n# head\r\n- @user",
    "*b* _i_ ~~s~~ __u__ $x$",
    "\\@user \\#1 \\<b> \\\\",
)

_ACTING = {
    "mention or address": re.compile(r"@\w"),
    "reference": re.compile(r"#\d|(?i:\bgh-\d)"),
    "commit": re.compile(r"(?i)\b(?=[0-9]*[a-f])[0-9a-f]{7,40}\b"),
    "address": re.compile(r"(?i)(?:https?|ftp)://|\bwww\."),
}
_OURS = {"details", "summary", "b"}


class _Html(HTMLParser):
    """Gathers the texts between our own tags, and every other tag; a picture of ``ours`` is our own."""

    def __init__(self, text, ours=()):
        super().__init__()
        self.texts, self.found, self.ours = [], [], ours
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        of = dict(attrs)
        picture = tag == "img" and of.keys() == {"src", "width", "alt"} and of["src"] in self.ours
        if not picture and (tag not in _OURS or attrs):
            self.found.append(f"<{tag}>")

    def handle_data(self, data):
        self.texts.append(data)


def acting(text, *, ours=()):
    """What is more than text in Markdown as GitHub reads it; links and images to addresses of ``ours`` are left out."""
    found = []
    for token in MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text):
        if token.type == "html_block":
            html = _Html(token.content, ours)
            found += html.found + [each for part in html.texts for each in _in(part)]
        for is_text, children in groupby(token.children or (), key=lambda child: child.type == "text"):
            together = list(children)
            found += _in("".join(child.content for child in together)) if is_text else _of(together, ours)
    return found


def _of(tokens, ours):
    for token in tokens:
        address = token.attrs.get("href", token.attrs.get("src"))
        if token.type == "html_inline" or (address is not None and address not in ours):
            yield token.content or f"{token.type} {address}"


def _in(text):
    return [f"{kind}: {match[0]} in {text!r}" for kind, pattern in _ACTING.items() for match in pattern.finditer(text)]


def tags(html):
    """The tags of a notebook's fragment outside of its own style and script."""
    style, script = html[html.index("<style>") : html.index("</style>") + 8], html[html.rindex("<script>") :]
    return set(re.findall(r"</?([a-z]+)", html.replace(style, "").replace(script, "</div>")))


def shown(text):
    """The text of Markdown as a reader sees it, without what joins and without marks."""
    parts = []
    for token in MarkdownIt("commonmark", {"html": True}).enable("table").parse(text):
        if token.type == "html_block":
            parts += _Html(token.content).texts
        parts += [child.content for child in token.children or ()]
        parts += [token.content] if token.type in {"fence", "code_block"} else []
    return "".join(parts).replace("\u2060", "")
