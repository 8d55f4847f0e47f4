"""Made trees of /proc and /sys, as other kinds of machines have them."""

from statera.experiment.host import System

STAT = "cpu  {busy} 0 0 {idle} 0 0 0 {steal} 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0 0 0\nintr 5 0\n"
PRESSURE = (
    "some avg10={share} avg60={share} avg300=0.00 total={total}\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
)


def stat(*, busy=0, idle=1000, steal=0):
    return STAT.format(busy=busy, idle=idle, steal=steal)


def pressure(*, share="0.00", total=0):
    return PRESSURE.format(share=share, total=total)


def tree(folder, files):
    """Write a tree of files, and return it as a system."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return System(str(folder))


def cpu(number, **files):
    return {f"sys/devices/system/cpu/cpu{number}/{name.replace('__', '/')}": text for name, text in files.items()}


COMMON = {
    "proc/sys/kernel/hostname": "box\n",
    "proc/sys/kernel/osrelease": "6.1.0\n",
    "proc/sys/kernel/random/boot_id": "b-1\n",
    "proc/sys/kernel/randomize_va_space": "2\n",
    "proc/meminfo": "MemTotal:       16777216 kB\nMemFree: 1 kB\nSwapTotal:      0 kB\nSwapFree:       0 kB\n",
    "proc/loadavg": "0.02 0.05 0.07 1/200 4242\n",
    "proc/stat": stat(),
    "proc/swaps": "Filename\tType\tSize\tUsed\tPriority\n",
    "proc/self/status": "Name:\tstatera\nCapEff:\t0000000000000000\nCpus_allowed_list:\t0-1\n",
    "proc/pressure/cpu": pressure(),
    "proc/pressure/memory": pressure(),
    "proc/pressure/io": pressure(),
    "sys/devices/system/cpu/online": "0-1\n",
    "sys/devices/system/cpu/isolated": "\n",
    "etc/os-release": 'PRETTY_NAME="Made OS 1"\nNAME="Made OS"\n',
}

LAPTOP = {
    **COMMON,
    "proc/cpuinfo": "processor\t: 0\nmodel name\t: Made CPU @ 2.60GHz\nmicrocode\t: 0xf0\nflags\t\t: fpu tsc\n\n"
    "processor\t: 1\nmodel name\t: Made CPU @ 2.60GHz\n",
    "proc/sys/kernel/perf_event_paranoid": "4\n",
    "sys/devices/system/cpu/smt/active": "1\n",
    "sys/devices/system/cpu/intel_pstate/no_turbo": "0\n",
    "sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet\n",
    "sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc hpet acpi_pm\n",
    "sys/bus/event_source/devices/cpu/type": "4\n",
    "sys/class/power_supply/BAT0/type": "Battery\n",
    "sys/class/power_supply/BAT0/status": "Discharging\n",
    "sys/class/power_supply/AC/type": "Mains\n",
    "sys/class/power_supply/AC/online": "0\n",
    **cpu(0, cpufreq__scaling_governor="powersave\n", thermal_throttle__core_throttle_count="3\n"),
    **cpu(1, cpufreq__scaling_governor="powersave\n", thermal_throttle__core_throttle_count="0\n"),
    **cpu(0, cpufreq__scaling_cur_freq="2600000\n", thermal_throttle__package_throttle_count="2\n"),
}

QUIET = {
    **LAPTOP,
    "proc/sys/kernel/perf_event_paranoid": "1\n",
    "sys/devices/system/cpu/smt/active": "0\n",
    "sys/devices/system/cpu/intel_pstate/no_turbo": "1\n",
    "sys/devices/system/cpu/isolated": "1\n",
    "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
    "sys/class/power_supply/BAT0/type": "Mains\n",
    "sys/class/power_supply/AC/online": "1\n",
    "sys/devices/system/node/online": "0\n",
    **cpu(0, cpufreq__scaling_governor="performance\n", thermal_throttle__core_throttle_count="0\n"),
    **cpu(1, cpufreq__scaling_governor="performance\n", thermal_throttle__core_throttle_count="0\n"),
    **cpu(0, thermal_throttle__package_throttle_count="0\n"),
}

VIRTUAL = {
    **COMMON,
    "proc/cpuinfo": "processor\t: 0\nmodel name\t: Made EPYC\nflags\t\t: fpu hypervisor\n",
    "proc/stat": stat(busy=900, idle=50, steal=50),
    "proc/sys/kernel/perf_event_paranoid": "2\n",
    "sys/class/dmi/id/product_name": "KVM\n",
    "sys/devices/system/node/online": "0-1\n",
    "sys/devices/system/node/node0/cpulist": "0\n",
    "sys/devices/system/node/node1/cpulist": "1\n",
    "sys/devices/system/cpu/smt/active": "0\n",
    "sys/devices/system/clocksource/clocksource0/current_clocksource": "kvm-clock\n",
    "sys/devices/system/clocksource/clocksource0/available_clocksource": "kvm-clock acpi_pm\n",
    "sys/bus/event_source/devices/software/type": "1\n",
    "proc/swaps": "Filename\tType\tSize\tUsed\tPriority\n/dev/sda2 partition 2097152 307200 -2\n",
}

# A container has neither /sys nor a name of its machine's model, and a quota of its control group.
CONTAINER = {
    "proc/sys/kernel/hostname": "4f2a\n",
    "proc/stat": stat(),
    "proc/loadavg": "3.10 2.00 1.00 5/200 4242\n",
    "proc/self/cgroup": "0::/\n",
    "run/.containerenv": "",
    "sys/fs/cgroup/cgroup.procs": "1\n",
    "sys/fs/cgroup/cpu.max": "150000 100000\n",
    "sys/fs/cgroup/cpu.stat": "usage_usec 1\nnr_periods 10\nnr_throttled 4\n",
    "sys/fs/cgroup/memory.max": "536870912\n",
}
