"""Services: servers that run beside measured commands are started, awaited, measured, and stopped in any case."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from starting import records

from statera.experiment import services
from statera.experiment.services import free_ports
from support import every, fails

# A server that appends to a file at each start, and answers each connection; its second argument says how.
SERVER = """
import os, signal, socket, sys
port, way, place = int(sys.argv[1]), sys.argv[2], sys.argv[3]
with open(place + "/starts", "a") as file:
    file.write(f"{way} {port}\\n")
if way == "deaf":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if way == "dies":
    print("one", "\\x1b[31mtwo", sep="\\n", flush=True)
    sys.exit(3)
server = socket.create_server(("127.0.0.1", port))
if way == "daemon" and os.fork():
    sys.exit(0)
lives = os.open(place + "/lives", os.O_WRONLY) if os.path.exists(place + "/lives") else None
print("ready to accept", flush=True)
while True:
    client, _ = server.accept()
    text = client.recv(100)
    if text.startswith(b"die"):
        print("asked to die", flush=True)
        sys.exit(4)
    if text.startswith(b"work"):
        sum(range(1_000_000))
    client.sendall(b"HTTP/1.0 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok")
    client.close()
"""
# Sends its second argument to a port, and waits for the answer.
LOAD = """
import socket, sys, time
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as server:
    server.sendall(sys.argv[2].encode())
    assert sys.argv[2] == "die" or server.recv(100).endswith(b"ok")
if sys.argv[2] == "die":
    time.sleep(1000)
"""
QUICK = f"{sys.executable} -I -S"


@pytest.fixture
def place(tmp_path):
    """A folder with the server and the load."""
    (tmp_path / "server.py").write_text(SERVER)
    (tmp_path / "load.py").write_text(LOAD)
    return tmp_path


def serves(place, way="{way}", port="{port}"):
    return ("--service", f"{QUICK} {place}/server.py {port} {way} {place}")


def loads(place, text="work"):
    return f"{QUICK} {place}/load.py {{port}} {text}"


def starts(place):
    return [line.split() for line in (place / "starts").read_text().splitlines()]


def file(place, service, benchmark="", head=""):
    text = f'rounds = 2\n{head}\n[[service]]\nname = "db"\n{service}\n[[benchmark]]\nname = "get"\n{benchmark}'
    (place / "experiment.toml").write_text(text.replace("PLACE", str(place)).replace("PYTHON", sys.executable))
    return place / "experiment.toml"


FILED = 'command = ["PYTHON", "-I", "-S", "PLACE/server.py", "{port}", "WAY", "PLACE"]'
LOADED = 'command = ["PYTHON", "-I", "-S", "PLACE/load.py", "{port}", "get"]\n'


def test_each_run_has_a_service_of_its_own_whose_use_is_a_metric(place, run):
    done = run("run", "-r", "2", "-o", place / "r", *serves(place), "-L", "way", "a,b", loads(place))
    assert done.code == 0, done.err
    made = records(place / "r", "invocation")
    assert [way for way, _ in starts(place)] == [each["variant"].removeprefix("way=") for each in made]
    name = Path(sys.executable).name
    assert all(each["services"][name].keys() == {"cpu", "memory", "exit"} for each in made)
    assert all(each["services"][name]["exit"] == 128 + signal.SIGTERM for each in made)
    assert all(each["services"][name]["cpu"] > 0 and each["services"][name]["memory"] > 1e6 for each in made)
    shown = run("compare", place / "r", "--all-metrics", "-f", "csv")
    assert all(f"{name} {what}" in shown.out for what in ("cpu", "memory", "exit"))


@every(("scope", "number"), [("variant", 2), ("experiment", 1)])
def test_a_service_may_live_longer_than_a_run(scope, number, place, run):
    service = f'scope = "{scope}"\n' + FILED.replace("WAY", "w{way}" if number == 2 else "w")
    # Setup and cleanup reach it too, with its port.
    around = "".join(f"{what} = {LOADED.partition('= ')[2]}" for what in ("setup", "cleanup", "prepare"))
    text = file(place, service, LOADED + around, '[factors]\nway = ["a", "b"]')
    (place / "starts").unlink(missing_ok=True)
    done = run("run", text, "-o", place / scope)
    assert done.code == 0, done.err
    assert len(starts(place)) == len({port for _, port in starts(place)}) == number
    assert all("exit" not in each["services"]["db"] for each in records(place / scope, "invocation"))


def test_a_service_that_dies_before_it_is_ready_is_named_with_its_last_lines(place, run):
    done = run("run", "-r", "2", "-o", place / "r", "-L", "way", "a,dies", *serves(place), loads(place))
    fails(
        done,
        f"service {Path(sys.executable).name} of way=dies ended with exit code 3 before it was ready",
        "Its last lines:\n  one\n",
    )
    assert "\x1b" not in done.err
    assert "[service-failed]" in done.err


def test_a_service_that_never_is_ready_ends_the_run(place, run):
    service = FILED.replace("WAY", "deaf") + '\nready = "log:^no such line"\nready_within = 0.3\nstop_within = 0.1'
    fails(
        run("run", file(place, service, LOADED), "-o", place / "r"),
        "service db was not ready within 0.3 s (log:^no such line). Its last lines:\n  ready to accept",
        "Nothing of the run is kept",
    )
    assert not (place / "r").exists()


def test_what_asks_whether_a_service_is_ready_must_exist(place, run):
    done = run("run", *serves(place, "x"), "--ready", "http:/x", "-r", "1", "true", cwd=place)
    fails(done, "ready: http:/x does not exist. Correct this command, or write tcp:PORT")


def test_a_service_that_dies_while_a_command_waits_for_it_ends_the_run_which_can_continue(place, run):
    words = ("--order", "interleaved", "-r", "2", "-o", place / "r", "-L", "text", "work,die")
    fails(
        run("run", *words, *serves(place, "x"), loads(place, "{text}")),
        "ended with exit code 4 while ",
        "text=die ran (round 1). Its last lines:\n  ready to accept\n  asked to die",
        "continue this run with",
    )
    assert [each["variant"] for each in records(place / "r", "invocation")] == ["text=work"]


def test_a_service_that_ignores_its_signal_is_killed(place, run):
    service = FILED.replace("WAY", "deaf") + "\nstop_within = 0.1"
    done = run("run", file(place, service, LOADED), "-r", "1", "-o", place / "r")
    assert done.code == 0, done.err
    assert [each["services"]["db"]["exit"] for each in records(place / "r", "invocation")] == [128 + signal.SIGKILL]


def test_a_server_that_goes_into_the_background_is_followed_and_stopped(place, lives, run):
    done = run("run", "-r", "1", "-o", place / "r", *serves(place, "daemon"), loads(place))
    assert done.code == 0, done.err
    (made,) = records(place / "r", "invocation")
    assert made["services"][Path(sys.executable).name]["cpu"] > 0
    lives.end()


def test_a_port_in_use_is_told_before_the_service_starts(place, run):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = run("run", "-r", "1", *serves(place, "x", port), "--ready", f"tcp:{port}", "true", cwd=place)
    fails(done, f"was not started, as something answers at port {port} already. End it, or write {{port}}")
    assert not (place / "starts").exists()


def test_programs_that_cannot_start_and_odd_names(place, run):
    done = run("run", "-r", "1", "--service", "no-such-server {port}", "true", cwd=place)
    fails(done, "service no-such-server: no-such-server is not found")
    name = 'name = "\\u001b[31mdb $(touch x) {{port}}"\n'
    text = file(place, FILED.replace("WAY", "$(touch y);{way}"), LOADED, '[factors]\nway = ["$(touch z)\'"]')
    text.write_text(text.read_text().replace('name = "db"\n', name))
    done = run("run", text, "-r", "2", "-o", place / "r", cwd=place)
    assert done.code == 0, done.err
    assert "\x1b" not in done.out + done.err
    assert not {"x", "y", "z"} & {each.name for each in place.iterdir()}


@every(
    "ready",
    [
        '"tcp:{port}"',
        '"tcp:127.0.0.1:{port}"',
        '"http://127.0.0.1:{port}/"',
        '"log:ready to (accept|serve)"',
        '["PYTHON", "-I", "-S", "PLACE/load.py", "{port}", "ready"]',
        '{ shell = "PYTHON -I -S PLACE/load.py $port ready" }',
    ],
)
def test_ways_to_see_that_a_service_serves(ready, place, run):
    text = file(place, f"{FILED.replace('WAY', 'x')}\nready = {ready}", LOADED)
    done = run("run", text, "-r", "1", "-o", place / str(abs(hash(ready))))
    assert done.code == 0, done.err


def test_services_that_live_for_different_times_keep_their_ports(place, run):
    lasting = f'ready = "tcp:{{port2}}"\nscope = "experiment"\n{FILED.replace("{port}", "{port2}").replace("WAY", "x")}'
    text = file(place, f'scope = "variant"\n{FILED.replace("WAY", "w{way}")}', LOADED, '[factors]\nway = ["a", "b"]')
    second = LOADED.partition("= ")[2].replace("{port}", "{port2}").replace("PLACE", str(place))
    whole = text.read_text().replace("[[benchmark]]", f'[[service]]\nname = "other"\n{lasting}\n[[benchmark]]')
    whole = f"{whole}prepare = {second}".replace("PLACE", str(place)).replace("PYTHON", sys.executable)
    text.write_text(whole)
    done = run("run", text, "-o", place / "r")
    assert done.code == 0, done.err
    assert len(starts(place)) == len({port for _, port in starts(place)}) == 3


def test_services_have_ports_of_their_own_and_an_empty_folder_that_goes(place, run):
    fills = f"{QUICK} {place}/server.py {{port2}} x {{data}}"
    words = ("--ready", "tcp:{port}", "--ready", "tcp:{port2}", *serves(place, "x"), "--service", fills)
    done = run("run", "-r", "2", "-o", place / "r", *words, f"sh -c 'echo {{port}} {{port2}} {{data}} >> {place}/log'")
    assert done.code == 0, done.err
    lines = [line.split() for line in (place / "log").read_text().splitlines()]
    assert len({data for _, _, data in lines}) == 2
    assert all(one != other and not Path(data).exists() for one, other, data in lines)
    assert not (place / "r/data").exists()


def test_what_setup_and_prepare_leave_behind_serves_and_ends_with_the_run(place, lives, run):
    (port,) = free_ports(1)
    server = f"sh -c '{QUICK} {place}/server.py {port} x {place} & exec {QUICK} {place}/wait.py {port}'"
    (place / "wait.py").write_text(
        "import socket, sys, time\nwhile True:\n    try:\n        socket.create_connection(('127.0.0.1', "
        "int(sys.argv[1]))).close()\n        break\n    except OSError:\n        time.sleep(0.01)\n"
    )
    for option in ("-s", "-p"):
        (place / "starts").unlink(missing_ok=True)
        done = run("run", "-r", "2", "-o", place / option, option, server, f"{QUICK} {place}/load.py {port} get")
        assert done.code == 0, done.err
        assert len(starts(place)) == (1 if option == "-s" else 2)
        lives.end()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_services_end_with_a_statera_that_is_interrupted_or_killed(place, lives, number):
    words = ["-r", "1", "-o", str(place / "r"), *serves(place, "x")]
    says = f"sh -c 'echo runs > {lives.path}; sleep 1000'"
    with subprocess.Popen(
        [sys.executable, "-m", "statera", "run", *words, says], cwd=place, stderr=subprocess.PIPE
    ) as process:
        assert lives.line() == "runs"
        process.send_signal(number)
        process.communicate(timeout=60)
    lives.end()
    assert process.returncode == (130 if number == signal.SIGINT else -signal.SIGKILL)


@every(
    ("options", "why"),
    [
        (("--ready", "tcp:1", "true"), "--ready is about a service"),
        (("--service-scope", "variant", "true"), "--service-scope is about a service"),
        (
            ("--service", "x {port}", "-L", "port", "1,2", "true"),
            "parameter port: {port} is what statera gives a service",
        ),
        (("--service", "x", "--ready", "tcp:nothing", "true"), "'tcp:nothing' names no port"),
        (("--service", "x", "--ready", "log:(", "true"), "is not a regular expression"),
        (("--service", "x", "--ready", "a", "--ready", "b", "true"), "once for each of 1 services"),
        (
            ("--service", "x {a}", "--service-scope", "experiment", "-L", "a", "1,2", "true"),
            "the same for all variants",
        ),
        (("--service", "x", "--service-pin", "900000", "true"), "--service-pin"),
    ],
)
def test_options_of_services_that_cannot_be_used(options, why, run, place):
    fails(run("run", *options, cwd=place), why)


def test_the_load_of_a_service_is_read_in_the_format_of_its_program(run, place):
    for load, named in (("redis-benchmark --csv", "redis-benchmark-csv"), ("/x/wrk http://a", "wrk"), ("cat", None)):
        done = run("run", "--list", "-f", "json", "--service", "x", load, cwd=place)
        assert [each["format"] for each in json.loads(done.out)["commands"]] == [named]


@every(("text", "fits"), [("ready\n", True), ("rea", False), ("not yet\nready", True), ("\xff\x1b[1mready", True)])
def test_a_line_of_a_log_is_found_also_without_its_end(text, fits, tmp_path):
    log = tmp_path / "log"
    log.unlink(missing_ok=True)
    ask = services.asked("log:ready$", log)
    assert not ask()
    log.write_text(text)
    assert ask() is fits


def test_a_port_in_what_a_load_prints_is_no_part_of_a_name(place, run):
    prints = "sh -c 'echo name,value; echo http://a:{port}/x,1; echo 1:{port}0,2'"
    words = ("-r", "1", "--output", "pipe", "-L", "way", "a,b")
    done = run("run", *words, "-o", place / "r", *serves(place), prints)
    assert done.code == 0, done.err
    texts = {each.read_text() for each in (place / "r/raw").glob("0*.txt")}
    assert all(text.startswith("name,value\nhttp://a:{port}/x,1\n1:") and text.count("{") == 1 for text in texts)


@pytest.mark.later
@pytest.mark.skipif(shutil.which("redis-server") is None, reason="there is no redis-server")
def test_two_settings_of_redis(run, tmp_path):
    server = "redis-server --port {port} --bind 127.0.0.1 --save '' --dir {data} --appendonly {A}"
    load = "redis-benchmark -p {port} -n 2000 -t set,get --csv"
    words = ("-r", "3", "-L", "A", "no,yes", "--service", server, load)
    done = run("run", *words, "-o", tmp_path / "r", env={**os.environ})
    assert done.code == 0, done.err
    assert all(each["services"]["redis-server"]["exit"] == 0 for each in records(tmp_path / "r", "invocation"))
    shown = run("compare", tmp_path / "r", "-f", "csv", "--all-metrics")
    assert "SET" in shown.out
    assert "redis-server cpu" in shown.out


@pytest.mark.later
def test_a_killed_run_with_services_continues(place, lives, run):
    words = ["-r", "3", "--order", "interleaved", "-o", str(place / "r"), "-L", "n", "1,2", *serves(place, "x{n}")]
    says = f"sh -c 'test $(wc -l < {place}/starts) -ne 3 || {{ echo runs > {lives.path}; sleep 1000; }}'"
    # Between two servers nobody else holds the pipe.
    holds = os.open(lives.path, os.O_WRONLY)
    with subprocess.Popen([sys.executable, "-m", "statera", "run", *words, says], cwd=place) as process:
        told = lives.line()
        process.kill()
    os.close(holds)
    assert told == "runs"
    lives.end()
    done = run("run", "--resume", place / "r")
    assert done.code == 0, done.err
    made = records(place / "r", "invocation")
    assert [(each["round"], each["variant"]) for each in made] == [(at, f"n={n}") for at in (1, 2, 3) for n in (1, 2)]
