"""What --check says of made machines, and of this one."""

from machines import CONTAINER, LAPTOP, QUIET, VIRTUAL, pressure, tree

from statera.experiment import check
from statera.experiment.host import System

NO_CORES = {"proc/stat": "", "sys/devices/system/cpu/online": ""}


def found(folder, files):
    return {each.name: each for each in check.findings(tree(folder, files))}


def harming(findings):
    return {name for name, each in findings.items() if each.harms}


def test_a_laptop_on_its_battery(tmp_path):
    findings = found(tmp_path, LAPTOP)
    assert harming(findings) == {
        "governor",
        "turbo",
        "SMT",
        "thermal throttling",
        "power",
        "clock",
        "hardware counters",
    }
    assert findings["governor"].state == "powersave on 2 of 2"
    assert findings["governor"].remedy == (
        "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"
    )
    assert findings["turbo"].remedy == "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
    assert findings["thermal throttling"].state == "5 times since the machine started"
    assert findings["clock"].remedy == (
        "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource"
    )
    assert findings["hardware counters"].state == "not permitted: perf_event_paranoid is 4"
    assert findings["hardware counters"].remedy.startswith("sudo sysctl kernel.perf_event_paranoid=2")


def test_a_quiet_machine_has_no_fault(tmp_path):
    findings = found(tmp_path, QUIET)
    assert harming(findings) == set()
    assert findings["isolated cores"].state == "1: --pin isolated uses them"
    assert findings["hardware counters"].state == "available (perf_event_paranoid is 1)"
    assert "Nothing that statera could look at disturbs measurements." in check.text(list(findings.values()))


def test_a_virtual_machine(tmp_path):
    findings = found(tmp_path, VIRTUAL)
    assert harming(findings) == {"virtualisation", "steal", "swap", "NUMA", "hardware counters"}
    assert findings["steal"].state == "5 % since the machine started"
    assert findings["swap"].state == "300 MiB in use"
    assert findings["NUMA"].remedy == "--pin 0"
    assert findings["clock"].state == "kvm-clock"
    assert "no PMU of this virtual machine" in findings["hardware counters"].state


def test_a_container_that_sees_little_claims_nothing(tmp_path):
    findings = found(tmp_path, CONTAINER)
    assert harming(findings) == {"load", "control group"}
    unknown = {name for name, each in findings.items() if each.harms is None}
    assert unknown >= {"governor", "turbo", "SMT", "thermal throttling", "clock", "cpu pressure", "hardware counters"}
    assert findings["governor"].state == "no /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
    assert findings["control group"].state == (
        "limited to 1.5 cores' time and 512 MiB of memory, which stopped it 4 times"
    )


def test_a_machine_without_any_file_knows_nothing(tmp_path):
    findings = check.findings(System(str(tmp_path)))
    assert {each.harms for each in findings} == {None}
    assert "Nothing that statera could look at" in check.text(findings)


def test_the_limits_of_parents_and_of_version_1_count(tmp_path):
    files = {
        **QUIET,
        "proc/self/cgroup": "4:memory:/box\n3:cpuset:/box\n1:cpu,cpuacct:/box\n0::/\n",
        "sys/fs/cgroup/memory/box/cgroup.procs": "",
        "sys/fs/cgroup/memory/box/memory.limit_in_bytes": "9223372036854771712",
        "sys/fs/cgroup/memory/memory.limit_in_bytes": "1073741824",
        "sys/fs/cgroup/cpu,cpuacct/box/cgroup.procs": "",
        "sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us": "50000",
        "sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us": "100000",
        "sys/fs/cgroup/cpuset/box/cgroup.procs": "",
        "sys/fs/cgroup/cpuset/box/cpuset.effective_cpus": "1",
    }
    state = found(tmp_path, files)["control group"].state
    assert state == "limited to 0.5 cores' time, 1,024 MiB of memory and cores 1"


def test_each_disturbance_is_seen(tmp_path):
    for at, (files, name, state) in enumerate(
        [
            ({"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor": "ondemand"}, "governor", "performance on 1 and "),
            ({"proc/loadavg": "1.00 0 0 1/9 9"}, "load", "1 in the last minute on 2 cores"),
            # Of a machine that does not tell its cores one is busy.
            ({"proc/loadavg": "0.15 0 0 1/9 9", **NO_CORES}, "load", "0.15 in the last minute"),
            ({"proc/pressure/io": pressure(share="7.50")}, "io pressure", "7.5 % of the last minute"),
            ({"proc/sys/kernel/randomize_va_space": "0"}, "ASLR", "off"),
            ({"proc/sys/kernel/randomize_va_space": "1"}, "ASLR", "in part"),
        ]
    ):
        finding = found(tmp_path / str(at), {**QUIET, **files})[name]
        assert finding.harms, name
        assert finding.state.startswith(state), name
        assert finding.why, name
        assert finding.remedy, name


def test_the_priority_that_is_allowed(tmp_path):
    limits = "Limit\nMax nice priority         30                   30                   \n"
    for at, (files, state) in enumerate(
        [
            ({"proc/self/status": "CapEff:\t0000000000800000\n"}, "free: "),
            ({"proc/self/limits": limits}, "nice = -10"),
            ({}, "no higher than usual"),
        ]
    ):
        assert found(tmp_path / str(at), {**QUIET, **files})["priority"].state.startswith(state)


def test_a_right_counts_more_than_what_the_kernel_forbids_to_others(tmp_path):
    files = {**QUIET, "proc/sys/kernel/perf_event_paranoid": "4", "proc/self/status": "CapEff:\t0000004000000000\n"}
    assert not found(tmp_path, files)["hardware counters"].harms


def test_the_text_is_a_table_and_what_to_do_and_colour_marks_what_harms(tmp_path):
    findings = check.findings(tree(tmp_path, LAPTOP))
    lines = check.text(findings).splitlines()
    assert lines[0].split() == ["harms", "state"]
    assert lines[2].split(maxsplit=2) == ["governor", "yes", "powersave on 2 of 2"]
    assert "7 things disturb measurements; statera changes none of them. " in "\n".join(lines)
    at = lines.index("turbo: the clock rate depends on heat and on the other cores")
    assert lines[at + 1] == "    echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
    assert "\x1b" not in check.text(findings)
    coloured = check.text(findings, colour=True)
    assert "\x1b[31mgovernor" in coloured
    assert "\x1b[31mASLR" not in coloured
    for code in ("\x1b[1m", "\x1b[31m", "\x1b[0m"):
        coloured = coloured.replace(code, "")
    assert coloured == check.text(findings)


def test_names_from_the_system_cannot_control_a_terminal(tmp_path):
    files = {**VIRTUAL, "sys/class/dmi/id/product_name": "K\x1b[2JVM"}
    assert "\x1b" not in check.text(check.findings(tree(tmp_path, files)))


def test_this_machine_is_looked_at():
    findings = check.findings()
    assert len({each.name for each in findings}) == len(findings)
    assert all(each.state for each in findings)
    assert all(bool(each.why) == bool(each.harms) for each in findings)
