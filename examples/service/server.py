"""A server that answers each request after a delay: python3 server.py PORT SECONDS."""

import http.server
import sys
import time


class Answer(http.server.BaseHTTPRequestHandler):
    """Answers after the delay."""

    def do_GET(self):
        """Answer a request."""
        time.sleep(float(sys.argv[2]))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_):
        """Say nothing."""


http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Answer).serve_forever()
