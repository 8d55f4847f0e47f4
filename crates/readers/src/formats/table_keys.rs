//! Configuration keys of tables that users write, beside those of the harnesses whose results a table can hold.

use super::format::{Key, Role};

pub(super) const KEYS: &[Key] = &[
    Key::new("variant", Role::Setting, "variant that was measured"),
    Key::of_run("run", Role::Run, "which run it was"),
    Key::of_run("run_id", Role::Run, "which run it was"),
    Key::of_run("trial", Role::Run, "which trial it was"),
    Key::of_run("repetition", Role::Run, "which repetition it was"),
    Key::of_run("repeat", Role::Run, "which repetition it was"),
    Key::of_run("rep", Role::Run, "which repetition it was"),
    Key::of_run("attempt", Role::Run, "which attempt it was"),
    Key::of_run("pid", Role::Run, "process identifier of the run"),
    Key::of_run("iteration", Role::Run, "which iteration it was"),
    Key::of_run("round", Role::Run, "which round of runs it was"),
    Key::of_run("seed", Role::Run, "seed of the run's random numbers"),
    Key::of_run("alpha_share", Role::Outcome, "share of alpha of the look that decided").detail(),
    Key::of_run("date", Role::Date, "when it was measured"),
    Key::of_run("time", Role::Date, "when it was measured"),
    Key::of_run("timestamp", Role::Date, "when it was measured"),
    Key::of_run("commit", Role::Commit, "commit of the program"),
    Key::of_run("note", Role::Outcome, "remark on the run"),
];
