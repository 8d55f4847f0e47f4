//! A control group for the memory of a command and all that it starts, of version 1 or 2: its limit, and its peak. This
//! process enters it before the start and leaves it after, so that the command is in it from its first instruction.

use std::fs::{self, create_dir, remove_dir};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use crate::outcome::Failure;

/// The name of the count that is the peak of a group.
pub const PEAK: &str = "memory.peak";

/// A group; dropping it removes it.
pub struct Group {
    folder: PathBuf,
    home: PathBuf,
    limit: Option<u64>,
}

/// This process is in the group; dropping it leaves.
pub struct Inside<'a>(&'a Group);

/// Where groups can be made: version 1 in the group of this process, version 2 in the nearest group around it that
/// hands the control of memory down.
struct Places {
    home: PathBuf,
    parents: Vec<PathBuf>,
    /// The file of the limit, and that of the limit of swap with its value if it is not the limit itself.
    limit: &'static str,
    swap: (&'static str, Option<u64>),
}

impl Group {
    /// Make a group, with a limit if there is one, without which nothing may be started then.
    pub fn new(limit: Option<u64>) -> Result<Self, Failure> {
        let places = Places::all();
        for places in &places {
            for parent in &places.parents {
                if let Some(group) = Self::within(parent, places, limit) {
                    return Ok(group);
                }
            }
        }
        Err(Failure::new(
            "not-permitted",
            format!(
                "{} is not available: no control group for memory can be made here. Run statera as root, or by \
                 `systemd-run --user --scope statera ...`",
                if limit.is_some() { "a memory limit" } else { PEAK }
            ),
        ))
    }

    fn within(parent: &Path, places: &Places, limit: Option<u64>) -> Option<Self> {
        // Whether this process may come back is known before it goes.
        fs::write(places.home.join("cgroup.procs"), "0").ok()?;
        let folder = parent.join(name(std::process::id()));
        create_dir(&folder).ok()?;
        let group = Self { folder, home: places.home.clone(), limit };
        if let Some(limit) = limit {
            fs::write(group.folder.join(places.limit), limit.to_string()).ok()?;
            // Where swap is not accounted for, there is no such file.
            let _ = fs::write(group.folder.join(places.swap.0), places.swap.1.unwrap_or(limit).to_string());
        }
        drop(group.enter().ok()?);
        Some(group)
    }

    /// Enter the group.
    pub fn enter(&self) -> Result<Inside<'_>, Failure> {
        let entered = fs::write(self.folder.join("cgroup.procs"), "0");
        let refused =
            |_| Failure::new("not-permitted", "the control group of the memory limit cannot be entered");
        entered.map(|()| Inside(self)).map_err(refused)
    }

    /// Kill all that is in it, at once, where the system can (version 2).
    pub fn kill(&self) {
        let file = self.folder.join("cgroup.kill");
        if file.exists() {
            let _ = fs::write(file, "1");
        }
    }

    /// A sentence if the system ended a process for want of memory.
    pub fn exceeded(&self) -> Option<String> {
        let texts =
            ["memory.events", "memory.oom_control"].map(|name| fs::read_to_string(self.folder.join(name)));
        let text = texts.into_iter().flatten().next()?;
        let kills = text.lines().find_map(|line| line.strip_prefix("oom_kill "))?;
        let limit = self.limit.filter(|_| kills != "0")?;
        Some(format!("it needed more memory than its limit of {limit} bytes"))
    }

    /// The largest number of bytes that the group had at once, cached files included; or why it is not known.
    pub fn peak(&self) -> Result<u64, String> {
        let texts =
            [PEAK, "memory.max_usage_in_bytes"].map(|name| fs::read_to_string(self.folder.join(name)));
        let peak = texts.into_iter().flatten().find_map(|text| text.trim().parse().ok());
        peak.ok_or_else(|| format!("the kernel keeps no {PEAK} of a control group; Linux 5.19 does"))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // The last process may still be on its way out of the group.
        for _ in 0..100 {
            if remove_dir(&self.folder).is_ok() {
                return;
            }
            sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        let _ = fs::write(self.0.home.join("cgroup.procs"), "0");
    }
}

/// Remove the group of another process of this program, which ended before it could.
pub fn remove(process: u32) {
    for parent in Places::all().iter().flat_map(|places| &places.parents) {
        let _ = remove_dir(parent.join(name(process)));
    }
}

fn name(process: u32) -> String {
    format!("statera-{process}")
}

impl Places {
    fn all() -> Vec<Self> {
        let (groups, mounts) = (read("/proc/self/cgroup"), read("/proc/self/mountinfo"));
        let first = folder(&groups, &mounts, "memory").map(|home| Self {
            parents: vec![home.clone()],
            home,
            limit: "memory.limit_in_bytes",
            swap: ("memory.memsw.limit_in_bytes", None),
        });
        let second = folder(&groups, &mounts, "").map(|home| Self {
            parents: home.ancestors().filter(|parent| hands_down(parent)).map(Path::to_owned).collect(),
            home,
            limit: "memory.max",
            swap: ("memory.swap.max", Some(0)),
        });
        first.into_iter().chain(second).collect()
    }
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn hands_down(parent: &Path) -> bool {
    let controllers = fs::read_to_string(parent.join("cgroup.subtree_control"));
    controllers.is_ok_and(|text| text.split_whitespace().any(|each| each == "memory"))
}

/// The folder of this process's group: with a controller in version 1, without one in version 2.
fn folder(groups: &str, mounts: &str, controller: &str) -> Option<PathBuf> {
    let path = groups.lines().find_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        controllers.split(',').any(|each| each == controller).then_some(path)
    })?;
    mounts.lines().find_map(|line| {
        let (mount, system) = line.split_once(" - ")?;
        let mut system = system.split(' ');
        let kind = system.next()?;
        let options = system.nth(1)?;
        let right = if controller.is_empty() {
            kind == "cgroup2"
        } else {
            kind == "cgroup" && options.split(',').any(|each| each == controller)
        };
        let mut mount = mount.split(' ').skip(3);
        let (root, point) = (mount.next()?, mount.next()?);
        let within = Path::new(path).strip_prefix(root).ok()?;
        right.then(|| Path::new(point).join(within))
    })
}

#[cfg(test)]
mod tests {
    use super::folder;
    use std::path::PathBuf;

    const MOUNTS: &str = "\
36 35 0:30 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
37 35 0:31 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
38 35 0:32 /docker/1 /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct";

    #[test]
    fn the_group_of_a_controller_is_found_in_its_mount() {
        let groups = "4:memory:/a/b\n3:cpu,cpuacct:/docker/1/c\n0::/user.slice";
        let at = |controller| folder(groups, MOUNTS, controller);
        assert_eq!(at("memory"), Some(PathBuf::from("/sys/fs/cgroup/memory/a/b")));
        assert_eq!(at("cpuacct"), Some(PathBuf::from("/sys/fs/cgroup/cpu/c")));
        assert_eq!(at(""), Some(PathBuf::from("/sys/fs/cgroup/unified/user.slice")));
        assert_eq!(at("pids"), None);
    }
}
