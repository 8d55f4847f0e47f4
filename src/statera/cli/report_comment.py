"""``statera report comment``: a result file as the one comment in its pull request."""

from __future__ import annotations

from pathlib import Path

from statera.cli import options as shared
from statera.cli import output
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from statera.output.forge.here import Here
    from statera.output.forge.result import Result


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "report comment",
        help="comment on the pull request or merge request of a result",
        description="Write the result that statera compare --result left as a comment in the pull request (GitHub) or "
        "merge request (GitLab) of the commit that the run belongs to, or update the comment that is there. Nothing of "
        "the file chooses where the comment goes. A token that may not write is not a failure.",
    )
    parser.add_argument("result_file", metavar="FILE", help="the result file")
    parser.add_argument("--commit", metavar="SHA", help="the commit of the run (the one that the CI states)")
    parser.add_argument(
        "--name", default="default", metavar="NAME", help="comments of several names stand side by side"
    )
    parser.add_argument("--always", action="store_true", help="write a comment also if there is nothing to say")
    parser.add_argument("--dry-run", action="store_true", help="print the comment, and ask no forge")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the comment, and return the exit code: 0 also if the token may not write it."""
    from statera.output.forge import comment, markdown, result  # noqa: PLC0415 - --help does without

    comment.mark(options.name)
    found = result.read(Path(options.result_file))
    if options.dry_run:
        about = markdown.About(_stated(options.commit), "")
        output.write(markdown.text(found, about), None, "markdown")
        return 0
    from statera.output.forge.here import here  # noqa: PLC0415 - as above

    where = here(_stated(options.commit))
    if not where.commit:
        raise Stop("no-commit", "the commit of the run is unknown; name it with --commit and its full hash")
    text = markdown.text(found, markdown.About(where.commit, where.page))
    for line in _delivered(options, where, found, text):
        shared.say(f"statera: {line}")
        _summarize(where, line, text)
    return 0


def _stated(commit: str | None) -> str:
    from statera.output.forge.here import COMMIT  # noqa: PLC0415 - as above

    if commit is None or COMMIT.fullmatch(commit):
        return commit or ""
    raise Stop("bad-option", f"--commit {commit}: write the full name of a commit, 40 hexadecimal digits")


def _delivered(options: argparse.Namespace, where: Here, found: Result, text: str) -> list[str]:
    """Write the comment in every pull request that ends with the commit; return what became of it, in words."""
    from statera.output.forge import comment, markdown  # noqa: PLC0415 - as above
    from statera.support.http.client import Refused  # noqa: PLC0415

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
        raise Stop("forge-failed", f"the API gave an unexpected answer ({error!r}); check its address") from None
    return [f"{forge.word} {each.number}: comment {word}" for each, word in zip(current, done, strict=True)]


def _summarize(where: Here, line: str, text: str) -> None:
    """Add the comment to the summary of the job, with what became of it."""
    if where.summary is None:
        return
    from statera._native import markdown_text  # noqa: PLC0415 - as above

    try:
        with where.summary.open("a", encoding="utf-8") as file:
            file.write(f"{text}\n{markdown_text(line)}\n")
    except OSError as error:
        shared.say(f"statera: the summary cannot be written: {error.strerror}")
