//! The formats, one module each, and what their readers share.
//!
//! What is outside of this folder takes from here; the modules take from each other.

mod cargo_programs;
mod console;
mod csv_rows;
pub(crate) mod durations;
pub(crate) mod foreign;
pub(crate) mod format;
mod go_quick;
mod go_units;
pub(crate) mod head;
mod headings;
mod jmh_units;
pub(crate) mod json;
mod labelled;
mod ledger_fields;
mod lines;
mod load_metrics;
mod load_run;
pub(crate) mod names;
mod numbered;
mod outline;
mod page;
pub(crate) mod parameters;
mod records;
mod repeats;
mod scattered;
mod serving;
mod student;
pub mod tables;
mod telemetry;
mod timestamps;
mod tracked;
pub(crate) mod units;
pub(crate) mod wrapped;
mod xml;

use crate::limits::Limits;
pub use foreign::{Foreign, foreign};
pub use format::{
    Companion, Format, Key, Meaning, Options, PlugIns, Pooling, Processes, Read, Registry, Role, Values,
};
pub use head::{Fit, Head, No};
pub use names::{COMMAND, Part, Parts};
pub use outline::{Kind, Node};
pub use tables::text::table_kind;

/// Declares the module of each format, and lists all formats.
macro_rules! formats {
    ($($($format:path),+ $(=> pub mod $module:ident)?;)+) => {
        $($(pub mod $module;)?)+

        /// All formats. Their signs exclude each other; a file that fits two is an error.
        pub static FORMATS: &[&Format] = &[$($(&$format),+),+];
    };
}

// A format is a line here, at its place in the order of messages and lists. rustfmt does not find modules that a macro
// declares: `make check` hands it these files.
formats! {
    go::FORMAT => pub mod go;
    go_json::FORMAT => pub mod go_json;
    bench_bitcoin::FORMAT => pub mod bench_bitcoin;
    nanobench::JSON, nanobench::CSV => pub mod nanobench;
    hyperfine::FORMAT => pub mod hyperfine;
    google_benchmark::FORMAT => pub mod google_benchmark;
    google_benchmark_csv::FORMAT => pub mod google_benchmark_csv;
    google_benchmark_text::FORMAT => pub mod google_benchmark_text;
    pyperf::FORMAT => pub mod pyperf;
    jmh::FORMAT => pub mod jmh;
    jmh_csv::FORMAT => pub mod jmh_csv;
    jmh_text::FORMAT => pub mod jmh_text;
    pytest_benchmark::FORMAT => pub mod pytest_benchmark;
    criterion::FORMAT, criterion::OLD, criterion::RAW => pub mod criterion;
    cargo_criterion::FORMAT => pub mod cargo_criterion;
    criterion_text::FORMAT => pub mod criterion_text;
    benchmarkdotnet::FORMAT => pub mod benchmarkdotnet;
    benchmarkdotnet_measurements::FORMAT => pub mod benchmarkdotnet_measurements;
    benchmarkdotnet_text::TABLE, benchmarkdotnet_text::CONSOLE => pub mod benchmarkdotnet_text;
    tinybench::TASKS => pub mod tinybench;
    gungraun::JSON, gungraun::TEXT => pub mod gungraun;
    iai::FORMAT => pub mod iai;
    perf_stat::HUMAN, perf_stat::FIELDS, perf_stat::JSON, perf_stat::INTERVALS => pub mod perf_stat;
    nanobench::TEXT;
    asv::FORMAT => pub mod asv;
    catch2::FORMAT => pub mod catch2;
    phpbench::FORMAT => pub mod phpbench;
    printed_lines::CATCH2;
    catch2::JSON;
    junit::FORMAT => pub mod junit;
    trx::FORMAT => pub mod trx;
    test_runners::MOCHA, test_runners::JEST, test_runners::PLAYWRIGHT => pub mod test_runners;
    divan::FORMAT => pub mod divan;
    benchmarktools::FORMAT => pub mod benchmarktools;
    benchstat::FORMAT, benchstat::TEXT => pub mod benchstat;
    tinybench::VITEST;
    cronometro::JSON, cronometro::TEXT => pub mod cronometro;
    mitata::FORMAT => pub mod mitata;
    text_results::BENCHMARK_JS => pub mod text_results;
    libtest::FORMAT => pub mod libtest;
    text_results::BENCHMARK_IPS;
    benchmark_js::FORMAT => pub mod benchmark_js;
    benchmark_ips::FORMAT => pub mod benchmark_ips;
    ruby_benchmark::FORMAT => pub mod ruby_benchmark;
    deno::FORMAT => pub mod deno;
    xctest::FORMAT => pub mod xctest;
    lighthouse::FORMAT => pub mod lighthouse;
    renaissance::JSON, renaissance::CSV, renaissance::TEXT => pub mod renaissance;
    dacapo::FORMAT => pub mod dacapo;
    nvbench::FORMAT => pub mod nvbench;
    unixbench::FORMAT => pub mod unixbench;
    mlperf::FORMAT => pub mod mlperf;
    callgrind::FORMAT => pub mod callgrind;
    torch_benchmark::FORMAT => pub mod torch_benchmark;
    androidx_benchmark::FORMAT => pub mod androidx_benchmark;
    timeit::FORMAT => pub mod timeit;
    haskell_criterion::JSON, haskell_criterion::CSV, haskell_criterion::TASTY_BENCH => pub mod haskell_criterion;
    benchee::FORMAT => pub mod benchee;
    celero::FORMAT => pub mod celero;
    microbenchmark::FORMAT, microbenchmark::TEXT, microbenchmark::SUMMARY => pub mod microbenchmark;
    printed::DENO, printed::MITATA, printed::TINYBENCH, printed::TINYBENCH_RESULTS, printed::VITEST, printed::VITEST_STORED, printed::PYTEST, printed::PYTEST_CSV, printed::BENCHEE, printed::ZBENCH, printed::HPL, printed::MINISTAT, printed::R_BENCH, printed::LIBTEST, printed::PHPBENCH, printed::PHPBENCH_ITERATIONS, printed_lines::PYPERF_COMPARISON, printed::JMETER => pub mod printed;
    printed_lines::PYPERF, printed_lines::HASKELL_CRITERION, printed_lines::BENCHMARKTOOLS, printed_lines::POOP => pub mod printed_lines;
    asv_text::FORMAT => pub mod asv_text;
    gatling_text::FORMAT => pub mod gatling_text;
    printed_lines::HYPERFINE;
    hyperfine_2::FORMAT => pub mod hyperfine_2;
    hyperfine_csv::FORMAT => pub mod hyperfine_csv;
    k6_ndjson::FORMAT => pub mod k6_ndjson;
    k6_csv::FORMAT => pub mod k6_csv;
    k6::FORMAT, k6::TEXT => pub mod k6;
    wrk::WRK, wrk::WRK2 => pub mod wrk;
    hlog::FORMAT => pub mod hlog;
    hgrm::FORMAT => pub mod hgrm;
    hey::TEXT, hey::CSV => pub mod hey;
    go_wrk::FORMAT => pub mod go_wrk;
    plow::FORMAT, plow::TEXT => pub mod plow;
    bombardier::FORMAT, bombardier::TEXT => pub mod bombardier;
    autocannon::FORMAT, autocannon::TEXT => pub mod autocannon;
    ghz::FORMAT, ghz::CSV, ghz::TEXT => pub mod ghz;
    h2load::FORMAT => pub mod h2load;
    siege::FORMAT => pub mod siege;
    siege_log::FORMAT => pub mod siege_log;
    oha::FORMAT, oha::CSV, oha::TEXT => pub mod oha;
    vegeta::JSON, vegeta::TEXT => pub mod vegeta;
    hgrm::VEGETA;
    vegeta_results::JSON, vegeta_results::CSV => pub mod vegeta_results;
    vegeta::HISTOGRAM, vegeta::BINARY;
    ab::REPORT, ab::SAMPLES, ab::PERCENTAGES => pub mod ab;
    locust::STATS, locust::HISTORY, locust::OLD, locust::JSON => pub mod locust;
    locust_text::FORMAT => pub mod locust_text;
    jmeter::CSV, jmeter::XML, jmeter::BARE, jmeter::REPORT => pub mod jmeter;
    gatling::LOG, gatling::BINARY, gatling::STATS, gatling::SCRIPT => pub mod gatling;
    fortio::FORMAT, fortio::TEXT => pub mod fortio;
    artillery::FORMAT => pub mod artillery;
    artillery_1::FORMAT => pub mod artillery_1;
    artillery::TEXT;
    fio::FORMAT => pub mod fio;
    fio_text::TEXT => pub mod fio_text;
    fio_log::FORMAT => pub mod fio_log;
    iozone::FORMAT => pub mod iozone;
    netperf::FORMAT => pub mod netperf;
    iperf2::FORMAT, iperf2::TEXT => pub mod iperf2;
    iperf3::FORMAT, iperf3::STREAM, iperf3::TEXT => pub mod iperf3;
    stream::FORMAT => pub mod stream;
    hpc::HPCG, hpc::GROMACS => pub mod hpc;
    coremark::FORMAT => pub mod coremark;
    stress_ng::FORMAT, stress_ng::YAML => pub mod stress_ng;
    hackbench::FORMAT => pub mod hackbench;
    perf_bench::FORMAT => pub mod perf_bench;
    cyclictest::JSON, cyclictest::TEXT, cyclictest::HISTOGRAM => pub mod cyclictest;
    openssl_speed::FORMAT => pub mod openssl_speed;
    zstd_bench::FORMAT => pub mod zstd_bench;
    sevenzip_bench::FORMAT, sevenzip_bench::METHODS => pub mod sevenzip_bench;
    ioping::TEXT, ioping::JSON => pub mod ioping;
    dd::FORMAT, dd::FOREIGN => pub mod dd;
    llama_bench::FORMAT, llama_bench::CSV, llama_bench::MARKDOWN, llama_bench::SQL => pub mod llama_bench;
    vllm_serving::FORMAT, vllm_serving::TEXT => pub mod vllm_serving;
    sglang_serving::FORMAT, sglang_serving::TEXT => pub mod sglang_serving;
    gnu_time::FORMAT => pub mod gnu_time;
    shell_time::FORMAT => pub mod shell_time;
    asv::PUBLISHED;
    github_action_benchmark::CUSTOM, github_action_benchmark::DATA => pub mod github_action_benchmark;
    package_benchmark::FORMAT => pub mod package_benchmark;
    cluster_summary::FORMAT, cluster_summary::COMPARISON => pub mod cluster_summary;
    bencher_metric_format::FORMAT => pub mod bencher_metric_format;
    otava_json::FORMAT => pub mod otava_json;
    otava_csv::FORMAT => pub mod otava_csv;
    rebench::FORMAT => pub mod rebench;
    krun::FORMAT => pub mod krun;
    lnt::FORMAT => pub mod lnt;
    rustc_perf::FORMAT => pub mod rustc_perf;
    go_dashboard::FORMAT => pub mod go_dashboard;
    openmetrics::FORMAT => pub mod openmetrics;
    otlp::FORMAT, otlp::CONSOLE => pub mod otlp;
    folded::FORMAT => pub mod folded;
    perf_script::FORMAT => pub mod perf_script;
    profiles::FORMAT => pub mod profiles;
    sandmark_orun::FORMAT => pub mod sandmark_orun;
    sandmark_pausetimes::FORMAT => pub mod sandmark_pausetimes;
    sandmark_perfstat::FORMAT => pub mod sandmark_perfstat;
    sandmark_layout::CONFIG => pub mod sandmark_layout;
    ledger_csv::FORMAT => pub mod ledger_csv;
    ledger_json::FORMAT => pub mod ledger_json;
    statera_run::FORMAT => pub mod statera_run;
    pgbench::FORMAT => pub mod pgbench;
    pgbench_log::FORMAT => pub mod pgbench_log;
    pgbench_aggregate::FORMAT => pub mod pgbench_aggregate;
    sysbench::FORMAT => pub mod sysbench;
    redis_benchmark::TEXT, redis_benchmark::CSV => pub mod redis_benchmark;
    memtier::TEXT, memtier::JSON => pub mod memtier;
    go_ycsb::FORMAT => pub mod go_ycsb;
    ycsb::TEXT, ycsb::RAW, ycsb::JSON => pub mod ycsb;
    cassandra_stress::FORMAT => pub mod cassandra_stress;
    db_bench::FORMAT => pub mod db_bench;
    benchbase::SUMMARY, benchbase::RAW, benchbase::INTERVALS => pub mod benchbase;
    clickbench::FORMAT => pub mod clickbench;
    db_benchmark::FORMAT => pub mod db_benchmark;
    clickhouse_benchmark::FORMAT, clickhouse_benchmark::TEXT => pub mod clickhouse_benchmark;
    postgres_explain::FORMAT, postgres_explain::TEXT => pub mod postgres_explain;
    sql_timings::PSQL, sql_timings::SQLITE => pub mod sql_timings;
    tables::text::CSV;
    tables::text::TSV;
    tables::drawn::FORMAT;
    tables::ndjson::FORMAT;
    tables::parquet::FORMAT;
    tables::numbers::FORMAT;
    own_lines::FORMAT => pub mod own_lines;
}

impl Default for Options {
    fn default() -> Self {
        Self {
            format: None,
            columns: Vec::new(),
            keys: Vec::new(),
            variants: Vec::new(),
            limits: Limits::default(),
            formats: FORMATS,
            plug_ins: PlugIns::default(),
        }
    }
}
