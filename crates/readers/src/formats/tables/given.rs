//! Sizes and times that a column of numbers can hold because somebody chose them, and not because they were measured.

use super::headers::Header;
use super::words::WORK;
use crate::formats::units::meaning;
use crate::metric::Quantity;
use crate::word_list::words;

/// Words at the end of a name in a unit of sizes which say that the size was measured.
const MEASURED: &[&str] = &words!(
    "after alloc allocated allocation allocations allocs anon available before collected committed \
     compressed consumed consumption copied delta dirty downloaded end final footprint free freed garbage \
     growth heap hwm increase leak leaked leaks mem memoire memoria memory moved mémoire output overhead \
     peak private promoted pss read reads received reclaimed recv remaining reserved resident retained rss \
     rx saved sent shared speicher swap swapped traffic transferred tx unused uploaded usage use used uss \
     vms vsize vsz wasted write writes written"
);

/// Words which say so wherever they stand.
const OF_MEMORY: &[&str] = &["maxrss", "peak", "resident", "rss", "used"];

/// Words of what is done for as long as the user says.
const MEASUREMENTS: &[&str] =
    &["bench", "benchmark", "experiment", "load", "measure", "measurement", "sampling", "steady", "test"];

impl Header {
    /// Whether the header is a size, as of the work or of its result: `bytes`, `message_bytes`.
    pub(super) fn is_size_of_work(&self) -> bool {
        let is_alone = self.name.trim() == self.unit;
        let is_of_work = matches!(&self.subject[..], [word] if WORK.contains(&&**word));
        self.is_size() && (is_alone || is_of_work)
    }

    /// Whether the header is a size that nothing calls a measured one: `string_bytes`, `matrix_mb`.
    pub(super) fn is_unmeasured_size(&self) -> bool {
        let words: Vec<&String> =
            self.subject.iter().filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit())).collect();
        let is_set = self.subject.ends_with(&["working".to_owned(), "set".to_owned()]);
        let is_measured = words.last().is_some_and(|word| MEASURED.contains(&&***word))
            || words.iter().any(|word| OF_MEMORY.contains(&&***word));
        // What was repeated was measured.
        self.is_size() && !is_set && !is_measured && self.repetitions.is_none() && self.stated.is_none()
    }

    fn is_size(&self) -> bool {
        meaning(&self.unit).quantity == Quantity::Bytes && !self.unit.contains('/')
    }

    /// Whether the header is how long something took or was to take, which whole numbers do not tell: `duration_s` beside a
    /// rate, and `test_duration_s`.
    pub(super) fn is_chosen_duration(&self, is_beside_rate: bool) -> bool {
        let duration = |word: &String| matches!(&**word, "duration" | "durations");
        let is_long = self.unit.is_empty()
            || matches!(&*self.unit, "s" | "sec" | "secs" | "min" | "mins" | "h")
            || ["second", "minute", "hour"].iter().any(|word| self.unit.to_lowercase().starts_with(word));
        is_long
            && match &self.subject[..] {
                [word] => is_beside_rate && duration(word),
                [.., before, word] => {
                    MEASUREMENTS.contains(&&**before)
                        && (duration(word) || (before != "load" && word == "time"))
                }
                [] => false,
            }
    }

    /// Whether the header is a rate: `tps`, `throughput`.
    pub(super) fn is_rate(&self) -> bool {
        meaning(&self.unit).quantity == Quantity::Throughput
            || self.subject.last().is_some_and(|word| matches!(&**word, "throughput" | "goodput"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::holds::is_chosen;
    use super::*;

    #[test]
    fn a_size_is_measured_only_if_its_words_say_so() {
        for (header, is) in [
            ("string_bytes", true),
            ("l2_cache_kb", true),
            ("read_ahead_kb", true),
            ("matrix_mb", true),
            ("heap_mb", false),
            ("peak_gpu_mb", false),
            ("rss_after_gc_mb", false),
            ("memory (MiB)", false),
            ("bytes_allocated (kB)", false),
            ("heapUsedMB", false),
            ("working_set_mb", false),
            ("B/op", false),
            ("string_kb (lower is better)", false),
            ("time_ms", false),
        ] {
            assert_eq!(Header::of(header).is_unmeasured_size(), is, "{header}");
        }
    }

    #[test]
    fn a_chosen_time_is_no_result() {
        for (header, is) in [
            ("think_time_ms", true),
            ("ramp_up_time_s", true),
            ("video_duration_s", true),
            ("audio_s", true),
            ("encode_video_ms", false),
            ("sim_time_s", true),
            ("virtual_time_s", true),
            ("bitrate_kbps", true),
            ("latency_ms", false),
            ("run_time_s", false),
        ] {
            let found = Header::of(header);
            assert_eq!(is_chosen(&found.subject, &found.unit), is, "{header}");
        }
        assert!(Header::of("duration_s").is_chosen_duration(true));
        assert!(!Header::of("duration_ms").is_chosen_duration(true));
        assert!(Header::of("test_duration_s").is_chosen_duration(false));
    }
}
