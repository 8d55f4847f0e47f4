"""Receivers of hooks on this machine, which answer in every way."""

import socket
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver(ThreadingHTTPServer):
    """A program that is told; ``answer`` says how it behaves."""

    daemon_threads = True

    def __init__(self, answer):
        self.got = []
        self.answer = answer
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/told?x=1"

    def handle_error(self, request, client_address):
        """Say nothing: senders that give up are meant."""


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((self.path, dict(self.headers.items()), body))
        self.server.answer(self)

    def do_GET(self):
        self.server.got.append((self.path, {}, b""))
        self.send_error(405)

    def log_message(self, *_):
        pass


def status(code, **headers):
    def answer(handler):
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()

    return answer


def raw(content):
    def answer(handler):
        handler.wfile.write(content)
        handler.connection.shutdown(socket.SHUT_RDWR)

    return answer


def dripping(handler):
    """Send a byte of the head now and then, so that no single wait is long."""
    for byte in b"HTTP/1.1 200 OK\r\n" + b"X-More: 1\r\n" * 50:
        handler.wfile.write(bytes([byte]))
        time.sleep(0.05)


def endless(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
    for _ in range(4096):
        handler.wfile.write(b"x" * 4096)


@contextmanager
def receiving(answer):
    server = Receiver(answer)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
