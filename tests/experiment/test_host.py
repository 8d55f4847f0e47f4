"""The facts of a manifest: what the system tells, what compilers say, and no secrets; and the cores of --pin."""

import os
import stat as modes

import pytest
from machines import CONTAINER, LAPTOP, QUIET, VIRTUAL, tree

from statera.experiment import host
from statera.experiment.plan import Build, Cell, Command, Machine, Plan, Rounds, Variant
from support import stopped


def test_facts_of_a_laptop(tmp_path):
    assert host.facts(tree(tmp_path, LAPTOP)) == {
        "host": "box",
        "kernel": "6.1.0",
        "cpu": "Made CPU @ 2.60GHz",
        "microcode": "0xf0",
        "cores": "0-1",
        "memory": "16.0 GiB",
        "architecture": os.uname().machine,
        "os": "Made OS 1",
        "boot": "b-1",
        "virtualisation": "none",
    }


def test_a_virtual_machine_and_a_container_say_so(tmp_path):
    assert host.facts(tree(tmp_path / "vm", VIRTUAL))["virtualisation"] == "virtual machine (KVM)"
    facts = host.facts(tree(tmp_path / "container", CONTAINER))
    assert facts["virtualisation"] == "podman"
    assert not {"cpu", "memory"} & set(facts)


def test_a_system_without_the_library_of_gnu_is_asked_for_another(monkeypatch):
    monkeypatch.setattr(os, "confstr", int)
    for paths, name in (([], None), (["/lib/ld-musl-x86_64.so.1"], "musl")):
        monkeypatch.setattr(host.Path, "glob", lambda *_, paths=paths: iter(paths))
        assert host._libc(host.System()) == name


def test_an_arm_core_has_numbers_for_a_name(tmp_path):
    files = {"proc/cpuinfo": "processor\t: 0\nCPU implementer\t: 0x41\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\n"}
    system = tree(tmp_path, files)
    assert host.facts(system)["cpu"] == "0x41 0xd0c r0x3"
    assert "virtualisation" not in host.facts(system)

    facts = host.facts()
    assert {"host", "kernel", "cores", "memory", "architecture", "boot"} <= set(facts)
    assert all(value and value == value.strip() for value in facts.values())


def test_variables_that_look_secret_are_left_out():
    variables = {
        "HOME": "/home/me",
        "GITHUB_TOKEN": "1",
        "my_secret": "1",
        "PGPASSWORD": "1",
        "SSH_AUTH_SOCK": "1",
        "API_KEY": "1",
        "DATABASE": "postgres://me:word@host/db",
        "PROXY": "http://host:80/",
        "NAME": "caf\udce9",
    }
    assert host.environment(variables) == {"HOME": "/home/me", "NAME": r"caf\xE9", "PROXY": "http://host:80/"}
    assert host.environment().keys() <= os.environ.keys()


@pytest.fixture
def compiler(tmp_path, monkeypatch):
    """A made compiler in the PATH, whose script is given."""

    def made(script, folder="bin", path=None):
        file = tmp_path / folder / "gcc"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(modes.S_IRWXU)
        monkeypatch.setenv("PATH", f"{path or file.parent}:/usr/bin:/bin")
        monkeypatch.chdir(tmp_path)

    return made


def test_a_compiler_says_its_version_away_from_our_folder(compiler):
    compiler('echo "gcc 1.2 $1 in $PWD"; echo more')
    assert host.tools(["gcc", "no-such-tool"]) == {"gcc": "gcc 1.2 --version in /"}


def test_a_compiler_that_fails_or_hangs_has_no_version(compiler, monkeypatch):
    compiler("echo gcc 1.2; exit 1")
    assert host.tools(["gcc"]) == {}
    monkeypatch.setattr(host, "_SECONDS", 0.05)
    # Its child holds the output open and would outlive it.
    compiler("echo gcc 1.2; sleep 1000 & wait")
    assert host.tools(["gcc"]) == {}


def test_a_relative_folder_of_the_path_is_not_searched(compiler):
    compiler("echo stranger", "here", path="here")
    assert host.tools(["gcc"]).get("gcc") != "stranger"


def test_tools_are_those_that_commands_and_builds_name():
    cell = Cell(0, 0, Command(("python3", "x.py")), prepare=Command(("sh", "-c", "cd x && ocamlopt y.ml; true")))
    build = Build("0" * 16, None, None, None, "/b", Command(("/usr/bin/cargo", "build", "go")))
    plan = Plan((Variant("a", ()),), ("x",), (cell,), (build,), Rounds(9), "random", 0, 1, Machine())
    assert host.named_tools(plan) == {"python3", "ocamlopt", "cargo", "rustc", "go"}


def test_cores_are_numbers_ranges_or_those_that_are_isolated(tmp_path):
    words = {"0": (0,), "0-1": (0, 1), "1,0": (0, 1), "isolated": (1,)}
    assert {each: host.pinned(each, tree(tmp_path, QUIET)) for each in words} == words
    for given, said in [
        ("9", "--pin 9: core 9 is not online; this machine has 0-1"),
        ("1-3", "--pin 1-3: cores 2-3 are not online; this machine has 0-1"),
        ("", "--pin : write numbers of cores, such as 2, 0-1 or 0,2, or isolated; this machine has 0-1"),
        ("1-0", "write numbers of cores"),
        ("-1", "write numbers of cores"),
        ("0-99999999999", "write numbers of cores"),
        ("isolated", "the kernel isolates no core. Boot with isolcpus=LIST"),
    ]:
        assert said in stopped(host.pinned, given, tree(tmp_path / "laptop", LAPTOP)), given
    status = "Name:\tstatera\nCpus_allowed_list:\t1\n"
    withheld = stopped(host.pinned, "0", tree(tmp_path / "container", {**LAPTOP, "proc/self/status": status}))
    assert "core 0 is not among those that statera may use" in withheld
    # A system that does not tell its cores is believed.
    assert host.pinned("3", tree(tmp_path / "none", {})) == (3,)


def test_cores_are_listed_by_the_kernel_or_counted(tmp_path):
    counted = {"proc/stat": "cpu  9 9\ncpu0 1 2\ncpu3 1 2\ncpux 1\nintr 12 3\n"}
    assert tree(tmp_path, counted).online() == (0, 3)
    assert tree(tmp_path, {"sys/devices/system/cpu/online": "0-1,4\n"}).online() == (0, 1, 4)
    assert host.System(str(tmp_path / "none")).online() == ()
    assert host.as_list(host.cores("0-2,5,7-8")) == "0-2,5,7-8"
    assert host.as_list(()) == ""
