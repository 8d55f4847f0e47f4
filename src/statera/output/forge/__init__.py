"""Pull requests and issues: what statera says on GitHub and GitLab, and the result files that it is said from.

    where = here()  # in a job of GitHub Actions or GitLab CI
    found = result.read(Path("result.json"))
    words = markdown.comment_body(found, markdown.About(where.commit, where.page))
    for each in where.forge.requests(where.commit):
        comment.deliver(where.forge, each.number, "default", words, wanted=markdown.has_news(found))

- ``forge.py``: what statera asks of a forge, the APIs of GitHub and GitLab, which answer it, and
  the CI that a command runs in: its forge, its commit, its summary.
- ``result.py``: a result file, read and checked as data from strangers.
- ``markdown.py``: a result as Markdown; ``comment.py`` writes it as the one comment of its name, or updates that.

Decisions: whoever opens a pull request chooses the content of its result file, so that nothing of it chooses where the
comment goes, every text of it is a name in a code span, and a file with anything unknown is refused whole. A token that
may not write is no failure of the job.
"""
