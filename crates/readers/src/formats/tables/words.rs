//! Words of headers, in lower case.

use crate::word_list::words;

/// Words of the smallest and largest of several.
pub(super) const EXTREMES: &[&str] = &words!("min max minimum maximum best worst fastest slowest");

/// Words of a bound of an interval.
pub(super) const BOUNDS: &[&str] = &words!("low lo lower high hi upper 95 99 99.9");

/// Units that count. As a header each can also be a setting.
pub(super) const COUNTS: &[&str] = &words!("count counts words 1");

/// Words of what happens at a moment.
pub(super) const MOMENTS: &[&str] =
    &words!("start started stop stopped begin ended finish finished created updated unix utc");

/// Words at the end of a name in a unit of time which is rather a moment: `sent_ns`.
pub(super) const INSTANTS: &[&str] = &words!(
    "arrived at complete completed dispatch dispatched enqueued received scheduled sent submitted t0 t1 ts \
     uptime"
);

/// Words before a start that takes time.
pub(super) const STARTED: &[&str] = &words!("app cold container hot pod to warm");

/// Words that say which of several statistics a row has.
pub(super) const WHICH: &[&str] = &["percentile", "quantile"];

/// Words of what is worked on, whose size may be varied.
pub(super) const WORK: &[&str] = &words!(
    "block cache data dataset file key message msg mtu object packet page ram record request response stack \
     transfer value"
);

/// Words of memory, whose largest amount is one measurement.
pub(super) const MEMORY: &[&str] = &words!("rss mem memory heap resident");

/// Words of memory that was not taken.
pub(super) const SPARED: &[&str] = &words!("free available unused saved remaining");

/// Words of time that did not pass.
pub(super) const UNSPENT: &[&str] = &words!("idle saved remaining");

/// Words of what builds or machines differ in.
pub(super) const BUILDS: &[&str] = &words!(
    "allocator arch architecture backend branch build candidate compiler config configuration cpu engine \
     flavor group host impl implementation lang language lib library machine os platform release runtime \
     side toolchain variant version"
);

/// Words of times of which more is better: how long something lasted.
pub(super) const LASTED: &[&str] = &words!("life mtbf mttf");

/// Words of results of which less is better.
pub(super) const LOWER: &[&str] = &words!(
    "time times elapsed duration durations latency latencies runtime walltime cputime memory mem rss maxrss \
     allocs allocations instructions"
);

/// Words of results of which more is better.
pub(super) const HIGHER: &[&str] = &words!("throughput bandwidth coremark goodput");

/// Words of what is done or moved in a second; an amount or a time of it is another thing.
pub(super) const RATES: &[&str] = &words!("throughput bandwidth bw goodput rate speed");

/// Words of times, which no other quantity has.
pub(super) const TIMES: &[&str] =
    &words!("time times latency latencies elapsed duration durations runtime walltime");

/// Words of what was computed from two results.
pub(super) const DERIVED: &[&str] =
    &words!("change delta diff difference gain improvement regression relative speedup \u{3B4}");

/// Words after that of a setting which say that it is a number or a name of one: `thread_id`.
pub(super) const LABELS: &[&str] = &words!("id ids idx index kind mode name no nr num number total type");

/// Words after that of a result which say that it is something else: `time_steps`.
pub(super) const OF_RESULTS: &[&str] = &words!(
    "arity bin bins bucket cap channel channels class group id ids idx index kind mode name no nr num number \
     page point points region regions series slice slices slot slots steps type zone"
);

/// Words beside that of a setting which say that it can be a result: the size of what was made, or what was done.
pub(super) const PRODUCED: &[&str] = &words!(
    "binary bundle ciphertext code completed compressed db decompressed dropped effect encoded executable \
     failed final gc gzip index lost output path peak plan proof result signature solution tour tree used \
     wasm"
);

/// Results whose names are also those of settings: the speed of an encoder, the heap that a program gets.
pub(super) const AMBIGUOUS: &[&str] = &words!("heap max_heap measurement speed");

/// Events that a processor or a kernel counts and whose names hold a word of a setting.
pub(super) const EVENTS: &[&[&str]] =
    &[&["task", "clock"], &["node", "loads"], &["node", "stores"], &["node", "prefetches"]];

/// Names of columns of texts that say which statistic the number of a row is.
pub(super) const STATISTICS: &[&str] = &words!("agg aggregate aggregation stat statistic statistics");

/// Numbers that are rather percentiles than counts.
pub(super) const PERCENTILES: &[&str] = &words!("50 75 90 95 99 99.9 999 9999");

/// Words of how often something was measured, beside a summary of it.
pub(super) const REPEATS: &[&str] =
    &words!("iter iterations iters len n reps repetitions rounds runs samples trials");

/// Words of how much failed.
pub(super) const FAILED: &[&str] = &words!("failed failures fails errors non2xx 4xx 5xx");

/// Other words of results.
pub(super) const RESULTS: &[&str] = &words!(
    "result results measurement measured score speed real wall heap cycles misses faults energy power"
);

/// Words of what is varied or counts runs.
pub(super) const SETTINGS: &[&str] = &words!(
    "alphashare arg args arrival attempt batch batches batchsize blocksize bs budget buffer build capacity \
     cardinality chunk client clients cols columns commit concurrency concurrent connections core cores cpus \
     cutoff date day deadline degree delay depth desired digits dim dimension dimensions dims epoch epochs \
     expected fanout fold folds gomaxprocs heads height host hosts input inputs instances intended interval \
     iodepth issue iteration jobs k layers len length level levels limit m minibatch month n ncpu ncpus node \
     nodes nominal nproc nthread nthreads offered param parameter parameters params partition partitions \
     payload period pid pipeline port pr proc process processes procs qd queue radix rank release rep repeat \
     repetition replicas requested rev revision round rows run runs scale scalefactor seed sf sha shards \
     size sizes sleep slo stamp step stride tag target task tasks thread threads threshold ticket tile tiles \
     timeout timestamp trial ttl unroll user users vcpu vcpus version vu vus warmup week width window worker \
     workers year"
);

/// Names of two columns that are two samples.
const PAIRS: &[[&str; 2]] = &[
    ["old", "new"],
    ["before", "after"],
    ["base", "head"],
    ["baseline", "contender"],
    ["baseline", "candidate"],
    ["baseline", "experiment"],
    ["baseline", "current"],
    ["main", "pr"],
    ["main", "branch"],
    ["master", "branch"],
    ["master", "pr"],
    ["control", "treatment"],
    ["a", "b"],
];

/// Whether these names, each of one word, are those of two samples.
pub(super) fn is_pair(one: &[String], two: &[String]) -> bool {
    PAIRS.iter().any(|pair| one == [pair[0]] && two == [pair[1]])
}
