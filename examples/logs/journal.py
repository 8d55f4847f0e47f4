"""Tells a journal of its own what systemd tells at starts of units: systemd-journald st; then this."""

import random
import socket
import time

draw = random.Random(1)
journal = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)


def say(**fields):
    lines = "".join(f"{name}={value}\n" for name, value in fields.items())
    journal.sendto(lines.encode(), "/run/systemd/journal.st/socket")


for number in range(40):
    unit = ["web.service", "db.service"][number % 2]
    about = {"UNIT": unit, "PRIORITY": 6, "SYSLOG_IDENTIFIER": "systemd", "INVOCATION_ID": f"{number:032x}"}
    say(MESSAGE=f"Starting {unit}", MESSAGE_ID="7d4958e842da4a758f6c1cdc7b36dcc5", **about)
    time.sleep(draw.uniform(0.005, 0.03))
    say(MESSAGE=f"Started {unit}", MESSAGE_ID="39f53479d3a045ac8e11786248231fbf", **about)
    if number % 5 == 0:
        say(MESSAGE="disk is slow", PRIORITY=4, SYSLOG_IDENTIFIER="kernel")
    used = draw.randrange(20_000_000, 30_000_000)
    message = f"{unit}: Consumed 25ms CPU time."
    say(MESSAGE=message, MESSAGE_ID="ae8f7b866b0347b9af31fe1c80b127c0", CPU_USAGE_NSEC=used, **about)
