"""GitHub and GitLab on loopback: the endpoints that statera asks, as they are documented, and faults on request."""

from __future__ import annotations

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN = "secret-token-0123456789"
REPOSITORY = "owner/project"


class Fault(NamedTuple):
    """What the next request of a method gets instead of its answer; ``done`` says that it takes effect all the same."""

    method: str
    status: int
    headers: dict[str, str] = MappingProxyType({})
    cut: bool = False
    done: bool = False
    body: str | None = None


class Server:
    """A forge with one project."""

    def __init__(self):
        self.pulls: list[dict[str, Any]] = []
        self.comments: dict[int, list[dict[str, Any]]] = {}
        self.issues: list[dict[str, Any]] = []
        self.faults: list[Fault] = []
        self.asked: list[tuple[str, str]] = []
        self.who = "github-actions[bot]"
        self.may_ask_who = False
        self.viewer: str | None = None
        # Called after a comment was written: what another job does at this moment.
        self.meanwhile = None
        self.commits_known = True
        self.number = 1000
        self.link: str | None = None
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_any(self):
                length = int(self.headers.get("content-length", 0))
                body = json.loads(self.rfile.read(length)) if length else {}
                parts = urlsplit(self.path)
                query = {key: values[0] for key, values in parse_qs(parts.query).items()}
                server.asked.append((self.command, parts.path))
                # The question who the token belongs to is a POST that changes nothing.
                asks = parts.path == "/graphql"
                fault = next((each for each in server.faults if each.method == self.command and not asks), None)
                if fault is not None:
                    server.faults.remove(fault)
                if fault is None or fault.done:
                    status, document = server.answer(self.command, parts.path, query, body, self.headers)
                link = server.link
                server.link = None
                if fault is not None:
                    status, document = fault.status, {"message": f"a fault for {TOKEN}"}
                text = fault.body if fault is not None and fault.body is not None else json.dumps(document)
                content = b"" if status == 204 else text.encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                if link:
                    self.send_header("Link", link)
                for name, value in (fault.headers if fault else {}).items():
                    self.send_header(name, value)
                self.end_headers()
                cut = fault is not None and fault.cut
                self.wfile.write(content[: len(content) // 2] if cut else content)
                self.close_connection = True

            do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = do_any

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def close(self):
        self._http.shutdown()
        self._http.server_close()

    def pull(self, number, sha, *, repository=REPOSITORY, head="owner:feature", state="open"):
        """Open a pull request."""
        pull = {
            "number": number,
            "state": state,
            "head": {"sha": sha, "label": head},
            "base": {"repo": {"full_name": repository}},
        }
        self.pulls.append(pull)
        self.comments.setdefault(number, [])

    def say(self, number, author, body):
        """Write a comment."""
        self.number += 1
        made = {"id": self.number, "user": {"login": author}, "author": {"username": author}, "body": body}
        self.comments[number].append(made)
        return made

    def answer(self, method, path, query, body, headers):
        given = headers.get("authorization", "").removeprefix("Bearer ") or headers.get("private-token", "")
        if given != TOKEN:
            return 401, {"message": "Bad credentials"}
        github = path.removeprefix(f"/repos/{REPOSITORY}")
        if github != path or path in {"/user", "/graphql"}:
            return self._github(method, github, query, body)
        return self._gitlab(method, unquote(path.removeprefix("/api/v4")), query, body)

    def _github(self, method, path, query, body):
        if path == "/user":
            answer = {"login": self.who}
            return (200, answer) if self.may_ask_who else (403, {"message": "Resource not accessible by integration"})
        if path == "/graphql":
            known = self.viewer is not None and body == {"query": "{viewer{login}}"}
            return (200, {"data": {"viewer": {"login": self.viewer}}}) if known else (403, {"message": "no"})
        if found := re.fullmatch(r"/commits/(\w+)/pulls", path):
            if not self.commits_known:
                return 422, {"message": "No commit found for SHA"}
            return 200, _page([each for each in self.pulls if each["head"]["sha"] == found[1] or "old" in each], query)
        if path == "/pulls":
            return 200, _page([each for each in self.pulls if each["head"]["label"] == query["head"]], query)
        if found := re.fullmatch(r"/issues/(\d+)/comments", path):
            if method == "GET":
                return 200, _page(self.comments[int(found[1])], query)
            return 201, self._said(int(found[1]), body)
        if found := re.fullmatch(r"/issues/comments/(\d+)", path):
            return self._removed(int(found[1])) if method == "DELETE" else self._edit(int(found[1]), body)
        return self._issue(method, path, query, body)

    def _issue(self, method, path, query, body):
        if path == "/issues" and method == "GET":
            return 200, _page([each for each in self.issues if query["labels"] in each["labels"]], query)
        if path == "/issues":
            number = len(self.issues) + 1
            page = f"https://example.com/issues/{number}"
            made = {"number": number, "html_url": page, "user": {"login": self.who}, "state": "open", **body}
            self.issues.append(made)
            self.comments[number] = []
            return 201, made
        if found := re.fullmatch(r"/issues/(\d+)", path):
            self.issues[int(found[1]) - 1] |= body
            return 200, self.issues[int(found[1]) - 1]
        return 404, {"message": "Not Found"}

    def _gitlab(self, method, path, query, body):
        if path == "/user":
            return 200, {"username": self.who}
        if found := re.fullmatch(r"/projects/7/repository/commits/(\w+)/merge_requests", path):
            known = [each for each in self.pulls if each["head"]["sha"] == found[1]]
            requests = [{"iid": each["number"], "sha": each["head"]["sha"], "state": "opened"} for each in known]
            return 200, _page(requests, query)
        if found := re.fullmatch(r"/projects/7/merge_requests/(\d+)/notes", path):
            if method == "GET":
                # GitLab leaves out notes after it has cut the list into pages.
                shown = _page(self.comments[int(found[1])], query)
                following = len(self.comments[int(found[1])]) > int(query["page"]) * int(query["per_page"])
                self.link = f'<{self.url}/x>; rel="{"next" if following else "last"}"'
                return 200, [each for each in shown if not each.get("hidden")]
            return 201, self._said(int(found[1]), body)
        if found := re.fullmatch(r"/projects/7/merge_requests/\d+/notes/(\d+)", path):
            return self._removed(int(found[1])) if method == "DELETE" else self._edit(int(found[1]), body)
        return self._gitlab_issue(method, path, query, body)

    def _gitlab_issue(self, method, path, query, body):
        if path == "/projects/7/issues" and method == "GET":
            return 200, _page([each for each in self.issues if query["labels"] == each["labels"]], query)
        if path == "/projects/7/issues":
            number = len(self.issues) + 1
            page = f"https://example.com/-/issues/{number}"
            made = {"iid": number, "web_url": page, "author": {"username": self.who}, "state": "opened", **body}
            self.issues.append(made)
            self.comments[number] = []
            return 201, made
        if found := re.fullmatch(r"/projects/7/issues/(\d+)/notes", path):
            return 201, self.say(int(found[1]), self.who, body["body"])
        if found := re.fullmatch(r"/projects/7/issues/(\d+)", path):
            self.issues[int(found[1]) - 1]["state"] = "closed" if body["state_event"] == "close" else "opened"
            return 200, self.issues[int(found[1]) - 1]
        return 404, {"message": "404 Not Found"}

    def _said(self, number, body):
        made = self.say(number, self.who, body["body"])
        if self.meanwhile:
            self.meanwhile()
        return made

    def _removed(self, number):
        for of in self.comments.values():
            for comment in of:
                if comment["id"] == number:
                    of.remove(comment)
                    return 204, None
        return 404, {"message": "Not Found"}

    def _edit(self, number, body):
        for comment in (each for of in self.comments.values() for each in of if each["id"] == number):
            comment["body"] = body["body"]
            return 200, comment
        return 404, {"message": "Not Found"}


def _page(items, query):
    page, size = int(query.get("page", 1)), int(query.get("per_page", 30))
    return items[(page - 1) * size : page * size]
