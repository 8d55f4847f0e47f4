//! The meaning of the columns of a ledger replay (db-analyser, ledger-operations benchmark) in both of its
//! forms, and the configuration in a file's name.

use super::prelude::*;

/// The only benchmark of a replay; its blocks are distinguished by their slot.
pub(super) const BENCHMARK: &str = "ledger-ops";

/// What a block is told apart by, in the words of the chain.
pub(super) const BLOCK: Option<&str> = Some("slot");

/// What the file's name says.
pub(super) const KEYS: &[Key] = &[
    Key::new("revision", Role::Commit, "commit of the program"),
    Key::setting("compiler", "compiler that built the program"),
    Key::work("from-slot", "slot behind which the replay begins"),
    Key::work("nr-blocks", "blocks to replay"),
];

/// What the metadata of the JSON form says beside it.
pub(super) const METADATA_KEYS: &[Key] = &[
    Key::setting("compilerName", "compiler that built the program"),
    Key::setting("compilerVersion", "version of the compiler"),
    Key::setting("ledgerApplicationMode", "whether blocks are applied or only applied again"),
    Key::environment("machineArchitecture", "architecture of the machine"),
    Key::environment("operatingSystem", "operating system"),
];

/// What the metrics mean.
pub(super) const MEANINGS: &[Meaning] = &[
    Meaning::of("totalTime", "time to replay the block: header and body, mutator and garbage collector"),
    Meaning::of("mut", "time of the mutator, that is, of the program itself"),
    Meaning::of("totalTime/tx", "totalTime of a block for each of its transactions"),
    Meaning::of("mut/tx", "time of the mutator for each of the block's transactions"),
    Meaning::of("gc", "time of the garbage collector"),
    Meaning::of("majGcCount", "major collections during the block"),
    Meaning::of("minGcCount", "minor collections during the block"),
    Meaning::of("allocatedBytes", "memory allocated during the block"),
    Meaning::of("mut_forecast", "mutator time to forecast the ledger view for the header"),
    Meaning::of("mut_headerTick", "mutator time to advance the header state to the slot"),
    Meaning::of("mut_headerApply", "mutator time to apply the header"),
    Meaning::of("mut_blockTick", "mutator time to advance the ledger state to the slot"),
    Meaning::of("mut_blockApply", "mutator time to apply the block's body"),
];

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    /// The block key: the same slot under two builds is the same work.
    Slot,
    /// A measured time in microseconds, and whether it is compared by default.
    Time(bool),
    /// Collections of the garbage collector.
    Collections,
    /// Bytes allocated.
    Allocated,
    /// A property of the block itself, not of its processing: it is the same under every build, so it is not a
    /// metric. (The size of a block, the number of its transactions, the gap before its slot.)
    Work,
    /// The name that stands for two or three columns: transactions, their bytes, execution steps.
    EraStatistics,
}

/// The content of a column with this name; `None` if it is unknown.
pub(super) fn field(name: &str) -> Option<Field> {
    Some(match name {
        "slot" => Field::Slot,
        "totalTime" | "mut" | "gc" | "mut_blockApply" | "mut_blockTick" | "mut_headerApply" => {
            Field::Time(true)
        }
        "tableReadTime" | "ebReadTime" => Field::Time(false),
        // Newer revisions time further steps of the mutator under names with this prefix.
        _ if name.starts_with("mut_") => Field::Time(false),
        "majGcCount" | "minGcCount" => Field::Collections,
        "allocatedBytes" => Field::Allocated,
        "slotGap" | "blockBytes" | "blockByteSize" | "blockStats" | "ebBytes" | "ebTxsBytes" | "ebNumTxs" => {
            Field::Work
        }
        _ if name.ends_with("era-specific stats") => Field::EraStatistics,
        _ => return None,
    })
}

fn describe(name: &str, field: Field) -> Metric {
    match field {
        Field::Time(true) => Metric::new(name, "s", Quantity::Time),
        Field::Time(false) => Metric::new(name, "s", Quantity::Time).secondary(),
        Field::Allocated => Metric::new(name, "B", Quantity::Bytes).secondary(),
        // The moment of a collection depends on chance: a block without one in one replay has one in the next.
        _ => Metric::new(name, "1", Quantity::Count).secondary().never_exact(),
    }
}

/// Fills the sheet of one replay.
pub(super) struct Replay {
    pub(super) sheet: Sheet,
    slots: HashSet<u64>,
}

impl Replay {
    pub(super) fn new(name: &str, context: &Context) -> Self {
        let mut sheet = Sheet::new(name);
        sheet.set_context(context);
        Self { sheet, slots: HashSet::new() }
    }

    /// Whether to read the row of this slot: only the first row of a slot is read, a later one is a problem.
    pub(super) fn admit(&mut self, slot: &[u8], line: u32) -> Option<String> {
        let Some(number) = std::str::from_utf8(slot).ok().and_then(|text| text.parse::<u64>().ok()) else {
            self.sheet.no_row(line, slot);
            return None;
        };
        if !self.slots.insert(number) {
            let what = format!("slot {number} occurs a second time in this file");
            let hint = "the first row of the slot is used; a file holds one replay: were two joined?";
            self.sheet.problem(Code::Contradiction, line, what, hint);
            return None;
        }
        Some(number.to_string())
    }

    /// Adds a time of a block for each of its transactions, if it has any.
    pub(super) fn add_share(&mut self, name: &str, slot: &str, value: &[u8], transactions: &[u8], line: u32) {
        let per = match name {
            "totalTime" => "totalTime/tx",
            "mut" => "mut/tx",
            _ => return,
        };
        let number = |text: &[u8]| std::str::from_utf8(text.trim_ascii()).ok()?.parse::<f64>().ok();
        if let (Some(time), Some(count)) = (number(value), number(transactions).filter(|&count| count > 0.0))
        {
            self.push(per, Field::Time(false), slot, time / count / 1e6, line);
        }
    }

    /// Adds the value of one column.
    pub(super) fn add(&mut self, name: &str, field: Field, slot: &str, value: &[u8], line: u32) {
        if !matches!(field, Field::Time(_) | Field::Collections | Field::Allocated) {
            return;
        }
        let Some(parsed) = self.sheet.number(value.trim_ascii(), line) else {
            return self.sheet.no_number(line, name, format!("slot {slot}"), value);
        };
        // The file holds whole microseconds; dividing rounds once.
        let value = if matches!(field, Field::Time(_)) { parsed / 1e6 } else { parsed };
        self.push(name, field, slot, value, line);
    }

    fn push(&mut self, name: &str, field: Field, slot: &str, value: f64, line: u32) {
        let metric = self.sheet.metric(name, || describe(name, field));
        // A file is one replay by one process, over all blocks.
        let (block, process) = (Some(slot), Some(0));
        self.sheet.push(Measurement { benchmark: BENCHMARK, metric, value, line, block, process, ..ROW });
    }
}

/// The configuration in the name `ledger-ops-cost-<revision>-<compiler>-from-<slot>-nr-blocks-<n>.csv`.
pub(super) fn context_of(path: &Path) -> Context {
    let name = lossless(path.file_name().unwrap_or_default().as_encoded_bytes());
    parts(&name).map_or_else(Context::new, |parts| {
        let keys = ["revision", "compiler", "from-slot", "nr-blocks"];
        keys.iter().zip(parts).map(|(key, value)| ((*key).to_owned(), value.to_owned())).collect()
    })
}

fn parts(name: &str) -> Option<[&str; 4]> {
    let (build, chain) = name.strip_prefix("ledger-ops-cost-")?.rsplit_once("-from-")?;
    let (revision, compiler) = build.split_once('-')?;
    let (from, count) = chain.split_once("-nr-blocks-")?;
    let digits = count.find(|c: char| !c.is_ascii_digit()).unwrap_or(count.len());
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (number(from) && digits > 0 && !revision.is_empty()).then(|| [revision, compiler, from, &count[..digits]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_tells_the_build_and_the_chain() {
        assert_eq!(
            parts("ledger-ops-cost-4ee9-haskell-8.10-from-63-nr-blocks-100.csv.gz"),
            Some(["4ee9", "haskell-8.10", "63", "100"])
        );
        for other in [
            "ledger.csv",
            "ledger-ops-cost-4ee9-from-63-nr-blocks-1.csv",
            "ledger-ops-cost-a-b-from-x-nr-blocks-1",
        ] {
            assert_eq!(parts(other), None, "{other}");
        }
    }
}
