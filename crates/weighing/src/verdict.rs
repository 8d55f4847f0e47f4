//! The table of verdicts: what each means for whoever orders, counts, shows or gates rows. Everything else asks it.

use crate::codes::coded;

coded! {
    /// The conclusion about a row, in the order in which counts of verdicts stand: the worst first, the best last, and
    /// between them what is undecided or not judged.
    pub enum Verdict {
        /// It would be better, but the contender failed more: the values are not of the same work.
        Invalid = "invalid",
        /// Significant, beyond the margin, in the bad direction.
        Worse = "worse",
        /// Slow runs (or high values) are more frequent, and the typical value is neither better nor worse.
        TailWorse = "tail-worse",
        /// Only the baseline has it.
        Missing = "missing",
        /// Significant, beyond the margin; the metric has no direction.
        Changed = "changed",
        /// The typical value is equivalent, but the spread differs; or, without a direction, the tails do.
        ShapeChanged = "shape-changed",
        /// Significant, beyond the margin, but between one process or run a side: it holds for these two only.
        Differs = "differs",
        /// The data allow no conclusion.
        Inconclusive = "inconclusive",
        /// One value per side: shown without a conclusion.
        Descriptive = "one-value",
        /// The whole interval lies within the margin, and neither tail nor spread objects.
        Equivalent = "equivalent",
        /// Only the contender has it.
        New = "new",
        /// Slow runs are less frequent, and the typical value is neither better nor worse.
        TailBetter = "tail-better",
        /// Significant, beyond the margin, in the good direction.
        Better = "better",
    }
}

coded! {
    /// What a verdict says of the contender.
    pub enum Harm {
        /// It changed for the worse.
        Bad = "bad",
        /// It changed for the better.
        Good = "good",
        /// It changed, and no direction is known to be better.
        Unknown = "unknown",
        /// It differs in the direction of its change, and more data may take that back.
        Open = "open",
        /// It is not said to have changed.
        None = "none",
    }
}

coded! {
    /// What a verdict is about.
    pub enum Part {
        /// The typical value.
        Typical = "typical",
        /// The extremes of the distribution.
        Tail = "tail",
        /// Its spread, or tails without a direction.
        Shape = "shape",
        /// That a side has no values.
        Presence = "presence",
        /// Nothing was judged.
        None = "none",
    }
}

/// What the table says of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// The verdict.
    pub verdict: Verdict,
    /// What it says of the contender.
    pub harm: Harm,
    /// What it is about.
    pub part: Part,
    /// The place of its rows: those that demand action first.
    pub urgency: u8,
    /// Whether its rows ask for somebody's look.
    pub asks: bool,
    /// Whether more measurements are not expected to change it.
    pub is_settled: bool,
    /// The word of `--fail-on` that counts its rows; empty if none does.
    pub gate: &'static str,
    /// The tone of texts and pictures, by which a theme chooses the colour; empty if it has none.
    pub tone: &'static str,
    /// The colour on terminals; empty if it has none.
    pub ansi: &'static str,
    /// The outline in pictures; that of a change points to its side.
    pub shape: &'static str,
    /// The word for it where the metric is unknown or several are meant. A row has a more exact one.
    pub word: &'static str,
}

impl Verdict {
    /// What the table says of it.
    #[must_use]
    pub const fn facts(self) -> &'static Facts {
        &TABLE[self as usize]
    }

    /// Whether it reports a change of the values.
    #[must_use]
    pub const fn is_change(self) -> bool {
        !matches!(self.facts().harm, Harm::None)
    }

    /// Whether it reports a change for the better.
    #[must_use]
    pub const fn is_gain(self) -> bool {
        matches!(self.facts().harm, Harm::Good)
    }

    /// Whether it reports a change for the worse.
    #[must_use]
    pub const fn is_loss(self) -> bool {
        matches!(self.facts().harm, Harm::Bad)
    }

    /// Whether a side has no values.
    #[must_use]
    pub const fn is_one_sided(self) -> bool {
        matches!(self.facts().part, Part::Presence)
    }

    /// Whether it is about the tail or the shape, while the typical value is neither better nor worse.
    #[must_use]
    pub const fn is_of_tail(self) -> bool {
        matches!(self.facts().part, Part::Tail | Part::Shape)
    }
}

/// The urgency of rows without a change.
pub(crate) const UNCHANGED: u8 = 10;

const RED: &str = "\x1b[1;31m";
const GREEN: &str = "\x1b[32m";
const PURPLE: &str = "\x1b[35m";
const YELLOW: &str = "\x1b[33m";
const DIM: &str = "\x1b[2m";

/// The table, in the order of [`Verdict`].
#[rustfmt::skip]
pub const TABLE: [Facts; Verdict::ALL.len()] = [
    Facts {
        verdict: Verdict::Invalid, harm: Harm::Bad, part: Part::Typical, urgency: 0, asks: true, is_settled: true,
        gate: "worse", tone: "worse", ansi: RED, shape: "cross", word: "invalid",
    },
    Facts {
        verdict: Verdict::Worse, harm: Harm::Bad, part: Part::Typical, urgency: 1, asks: true, is_settled: true,
        gate: "worse", tone: "worse", ansi: RED, shape: "triangle", word: "worse",
    },
    Facts {
        verdict: Verdict::TailWorse, harm: Harm::Bad, part: Part::Tail, urgency: 2, asks: true, is_settled: true,
        gate: "tail-worse", tone: "worse", ansi: RED, shape: "chevrons", word: "tail worse",
    },
    Facts {
        verdict: Verdict::Missing, harm: Harm::None, part: Part::Presence, urgency: 3, asks: true, is_settled: true,
        gate: "missing", tone: "missing", ansi: YELLOW, shape: "circle", word: "gone",
    },
    Facts {
        verdict: Verdict::Changed, harm: Harm::Unknown, part: Part::Typical, urgency: 4, asks: true, is_settled: true,
        gate: "", tone: "changed", ansi: PURPLE, shape: "diamond",
        word: "changed",
    },
    Facts {
        verdict: Verdict::ShapeChanged, harm: Harm::Unknown, part: Part::Shape, urgency: 5, asks: true, is_settled: true,
        gate: "", tone: "changed", ansi: PURPLE, shape: "bow-tie", word: "spread changed",
    },
    Facts {
        verdict: Verdict::Differs, harm: Harm::Open, part: Part::Typical, urgency: 9, asks: true, is_settled: false,
        gate: "worse", tone: "differs", ansi: DIM, shape: "square", word: "differs",
    },
    Facts {
        verdict: Verdict::Inconclusive, harm: Harm::None, part: Part::None, urgency: UNCHANGED, asks: false,
        is_settled: false, gate: "inconclusive", tone: "inconclusive", ansi: DIM, shape: "cross",
        word: "no clear change",
    },
    Facts {
        verdict: Verdict::Descriptive, harm: Harm::None, part: Part::None, urgency: UNCHANGED, asks: false,
        is_settled: false, gate: "", tone: "", ansi: "", shape: "bar",
        word: "not judged",
    },
    Facts {
        verdict: Verdict::Equivalent, harm: Harm::None, part: Part::Typical, urgency: UNCHANGED, asks: false,
        is_settled: true, gate: "", tone: "equivalent", ansi: "", shape: "circle", word: "unchanged",
    },
    Facts {
        verdict: Verdict::New, harm: Harm::None, part: Part::Presence, urgency: 8, asks: false, is_settled: true,
        gate: "", tone: "missing", ansi: YELLOW, shape: "circle", word: "new",
    },
    Facts {
        verdict: Verdict::TailBetter, harm: Harm::Good, part: Part::Tail, urgency: 7, asks: false, is_settled: true,
        gate: "", tone: "better", ansi: GREEN, shape: "chevrons", word: "tail better",
    },
    Facts {
        verdict: Verdict::Better, harm: Harm::Good, part: Part::Typical, urgency: 6, asks: false, is_settled: true,
        gate: "", tone: "better", ansi: GREEN, shape: "triangle", word: "better",
    },
];

#[cfg(test)]
mod tests {
    use super::{TABLE, Verdict};

    #[test]
    fn every_verdict_stands_at_its_place() {
        assert_eq!(TABLE.map(|facts| facts.verdict), Verdict::ALL);
    }
}
