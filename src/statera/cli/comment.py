"""``statera report comment``: a result file as the one comment in its pull request."""

from __future__ import annotations

from pathlib import Path

from statera._native import markdown_text
from statera.cli import arguments, output
from statera.output.forge import comment, markdown, result
from statera.output.forge.forge import COMMIT, here
from statera.support import stages
from statera.support.errors import Stop
from statera.support.http import Refused
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from statera.output.forge.forge import Here
    from statera.output.forge.result import Result


def write(options: argparse.Namespace) -> None:
    """Write the comment, and return the exit code: 0 also if the token may not write it."""
    comment.mark(options.name)
    found = result.read(Path(options.result_file))
    if options.dry_run:
        about = markdown.About(_stated(options.commit), "")
        output.write(markdown.comment_body(found, about), None, "markdown")
        return
    where = here(_stated(options.commit))
    if not where.commit:
        raise Stop("no-commit", "the commit of the run is unknown. Name it with --commit and its full hash")
    text = markdown.comment_body(found, markdown.About(where.commit, where.page))
    stages.enter("asking the forge")
    for line in _delivered(options, where, found, text):
        arguments.say(f"statera: {line}")
        _summarize(where, line, text)


def _stated(commit: str | None) -> str:
    if commit is None or COMMIT.fullmatch(commit):
        return commit or ""
    raise Stop("bad-option", f"--commit {commit}: write the full name of a commit, 40 hexadecimal digits")


def _delivered(options: argparse.Namespace, where: Here, found: Result, text: str) -> list[str]:
    """Write the comment in every pull request that ends with the commit; return what became of it, in words."""
    forge = where.forge
    if forge is None:
        return [f"there is no token in {where.lacks}, so no comment is written; its text is in the log and summary"]
    try:
        known = forge.requests(where.commit)
        current = [each for each in known if each.head == where.commit]
        if not current:
            why = f"the {forge.word} has a newer commit" if known else f"no open {forge.word} has commit {where.commit}"
            return [f"{why}: nothing to comment on"]
        wanted = options.always or markdown.has_news(found)
        done = [comment.deliver(forge, each.number, options.name, text, wanted=wanted) for each in current]
    except Refused as refused:
        return [f"the token may not comment ({refused}); the job goes on without"]
    except (KeyError, TypeError, ValueError) as error:
        raise Stop("forge-failed", f"the API gave an unexpected answer ({error!r}). Check its address") from None
    return [f"{forge.word} {each.number}: comment {word}" for each, word in zip(current, done, strict=True)]


def _summarize(where: Here, line: str, text: str) -> None:
    """Add the comment to the summary of the job, with what became of it."""
    if where.summary is None:
        return
    try:
        with where.summary.open("a", encoding="utf-8") as file:
            file.write(f"{text}\n{markdown_text(line)}\n")
    except OSError as error:
        arguments.say(f"statera: the summary cannot be written: {error.strerror}")
