"""Ask a server 50 times, and print each latency: python3 load.py URL."""

import sys
import time
import urllib.request


def ask():
    """Ask once, and return the milliseconds until the answer."""
    began = time.perf_counter()
    urllib.request.urlopen(sys.argv[1]).read()
    return 1000 * (time.perf_counter() - began)


print("latency_ms")
for _ in range(50):
    print(ask())
