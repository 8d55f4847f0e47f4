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
mod outcomes;
mod outline;
mod page;
pub(crate) mod parameters;
mod prelude;
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
    Companion, Format, Key, Meaning, Options, PlugIns, Pooling, Processes, Registry, Role, Values,
};
pub use head::{Fit, Head, No};
pub use names::{COMMAND, Part, Parts};
pub use outline::{Kind, Node};
pub use tables::table_kind;

/// Declares the module of each format, and lists all formats.
macro_rules! formats {
    ($($($format:path),+ $(=> $module:ident)?;)+) => {
        $($(pub(crate) mod $module;)?)+

        /// All formats. Their signs exclude each other; a file that fits two is an error.
        pub static FORMATS: &[&Format] = &[$($(&$format),+),+];
    };
}

// A format is a line here, at its place in the order of messages and lists. rustfmt does not find modules that a macro
// declares: `make check` hands it these files.
formats! {
    go::FORMAT => go;
    go_json::FORMAT => go_json;
    bench_bitcoin::FORMAT => bench_bitcoin;
    nanobench::JSON, nanobench::CSV => nanobench;
    hyperfine::FORMAT => hyperfine;
    google_benchmark::FORMAT => google_benchmark;
    google_benchmark_csv::FORMAT => google_benchmark_csv;
    google_benchmark_text::FORMAT => google_benchmark_text;
    pyperf::FORMAT => pyperf;
    jmh::FORMAT => jmh;
    jmh_csv::FORMAT => jmh_csv;
    jmh_text::FORMAT => jmh_text;
    pytest_benchmark::FORMAT => pytest_benchmark;
    criterion::FORMAT, criterion::OLD, criterion::RAW => criterion;
    cargo_criterion::FORMAT => cargo_criterion;
    criterion_text::FORMAT => criterion_text;
    benchmarkdotnet::FORMAT => benchmarkdotnet;
    benchmarkdotnet_measurements::FORMAT => benchmarkdotnet_measurements;
    benchmarkdotnet_text::TABLE, benchmarkdotnet_text::CONSOLE => benchmarkdotnet_text;
    tinybench::TASKS => tinybench;
    gungraun::JSON, gungraun::TEXT => gungraun;
    iai::FORMAT => iai;
    perf_stat::HUMAN, perf_stat::FIELDS, perf_stat::JSON, perf_stat::INTERVALS => perf_stat;
    nanobench::TEXT;
    asv::FORMAT => asv;
    catch2::FORMAT => catch2;
    perl_benchmark::FORMAT => perl_benchmark;
    phpbench::FORMAT => phpbench;
    printed_lines::CATCH2;
    catch2::JSON;
    junit::FORMAT => junit;
    trx::FORMAT => trx;
    test_runners::MOCHA, test_runners::JEST, test_runners::PLAYWRIGHT => test_runners;
    divan::FORMAT => divan;
    benchmarktools::FORMAT => benchmarktools;
    benchstat::FORMAT, benchstat::TEXT => benchstat;
    tinybench::VITEST;
    cronometro::JSON, cronometro::TEXT => cronometro;
    mitata::FORMAT => mitata;
    text_results::BENCHMARK_JS => text_results;
    libtest::FORMAT => libtest;
    text_results::BENCHMARK_IPS;
    benchmark_js::FORMAT => benchmark_js;
    benchmark_driver::FORMAT => benchmark_driver;
    benchmark_ips::FORMAT => benchmark_ips;
    ruby_benchmark::FORMAT => ruby_benchmark;
    deno::FORMAT => deno;
    xctest::FORMAT => xctest;
    lighthouse::FORMAT => lighthouse;
    renaissance::JSON, renaissance::CSV, renaissance::TEXT => renaissance;
    dacapo::FORMAT => dacapo;
    nvbench::FORMAT => nvbench;
    unixbench::FORMAT, unixbench::INDICES => unixbench;
    mlperf::FORMAT => mlperf;
    callgrind::FORMAT => callgrind;
    torch_benchmark::FORMAT => torch_benchmark;
    androidx_benchmark::FORMAT => androidx_benchmark;
    timeit::FORMAT => timeit;
    haskell_criterion::JSON, haskell_criterion::CSV, haskell_criterion::TASTY_BENCH => haskell_criterion;
    benchee::FORMAT => benchee;
    celero::FORMAT => celero;
    microbenchmark::FORMAT, microbenchmark::TEXT, microbenchmark::SUMMARY => microbenchmark;
    printed::DENO, printed::MITATA, printed::TINYBENCH, printed::TINYBENCH_RESULTS, printed::VITEST, printed::VITEST_STORED, printed::PYTEST, printed::PYTEST_CSV, printed::BENCHEE, printed::ZBENCH, printed::HPL, printed::MINISTAT, printed::R_BENCH, printed::LIBTEST, printed::PHPBENCH, printed::PHPBENCH_ITERATIONS, printed_lines::PYPERF_COMPARISON, printed::JMETER => printed;
    printed_lines::PYPERF, printed_lines::HASKELL_CRITERION, printed_lines::BENCHMARKTOOLS, printed_lines::POOP => printed_lines;
    asv_text::FORMAT => asv_text;
    gatling_text::FORMAT => gatling_text;
    printed_lines::HYPERFINE;
    hyperfine_2::FORMAT => hyperfine_2;
    hyperfine_csv::FORMAT => hyperfine_csv;
    k6_ndjson::FORMAT => k6_ndjson;
    k6_csv::FORMAT => k6_csv;
    k6::FORMAT, k6::TEXT => k6;
    wrk::WRK, wrk::WRK2 => wrk;
    hlog::FORMAT => hlog;
    hgrm::FORMAT => hgrm;
    hey::TEXT, hey::CSV => hey;
    go_wrk::FORMAT => go_wrk;
    plow::FORMAT, plow::TEXT => plow;
    bombardier::FORMAT, bombardier::TEXT => bombardier;
    autocannon::FORMAT, autocannon::TEXT => autocannon;
    ghz::FORMAT, ghz::CSV, ghz::TEXT => ghz;
    h2load::FORMAT => h2load;
    siege::FORMAT => siege;
    siege_log::FORMAT => siege_log;
    oha::FORMAT, oha::CSV, oha::TEXT => oha;
    vegeta::JSON, vegeta::TEXT => vegeta;
    hgrm::VEGETA;
    vegeta_results::JSON, vegeta_results::CSV => vegeta_results;
    vegeta::HISTOGRAM, vegeta::BINARY;
    ab::REPORT, ab::SAMPLES, ab::PERCENTAGES => ab;
    locust::STATS, locust::HISTORY, locust::OLD, locust::JSON => locust;
    locust_text::FORMAT => locust_text;
    jmeter::CSV, jmeter::XML, jmeter::BARE, jmeter::REPORT => jmeter;
    gatling::LOG, gatling::BINARY, gatling::STATS, gatling::SCRIPT => gatling;
    fortio::FORMAT, fortio::TEXT => fortio;
    artillery::FORMAT => artillery;
    artillery_1::FORMAT => artillery_1;
    artillery::TEXT;
    fio::FORMAT => fio;
    fio_text::TEXT => fio_text;
    fio_log::FORMAT => fio_log;
    iozone::FORMAT => iozone;
    netperf::FORMAT => netperf;
    iperf2::FORMAT, iperf2::TEXT => iperf2;
    iperf3::FORMAT, iperf3::STREAM, iperf3::TEXT => iperf3;
    stream::FORMAT => stream;
    hpc::HPCG, hpc::GROMACS => hpc;
    coremark::FORMAT => coremark;
    stress_ng::FORMAT, stress_ng::YAML => stress_ng;
    hackbench::FORMAT => hackbench;
    perf_bench::FORMAT => perf_bench;
    cyclictest::JSON, cyclictest::TEXT, cyclictest::HISTOGRAM => cyclictest;
    openssl_speed::FORMAT => openssl_speed;
    zstd_bench::FORMAT => zstd_bench;
    sevenzip_bench::FORMAT, sevenzip_bench::METHODS => sevenzip_bench;
    cryptsetup::FORMAT => cryptsetup;
    ioping::TEXT, ioping::JSON => ioping;
    dd::FORMAT, dd::FOREIGN => dd;
    llama_bench::FORMAT, llama_bench::CSV, llama_bench::MARKDOWN, llama_bench::SQL => llama_bench;
    llama_timings::FORMAT => llama_timings;
    vllm_serving::FORMAT, vllm_serving::TEXT => vllm_serving;
    sglang_serving::FORMAT, sglang_serving::TEXT => sglang_serving;
    gnu_time::FORMAT => gnu_time;
    shell_time::FORMAT => shell_time;
    asv::PUBLISHED;
    github_action_benchmark::CUSTOM, github_action_benchmark::DATA => github_action_benchmark;
    package_benchmark::FORMAT => package_benchmark;
    swift_benchmark::FORMAT => swift_benchmark;
    cluster_summary::FORMAT, cluster_summary::COMPARISON => cluster_summary;
    bencher_metric_format::FORMAT => bencher_metric_format;
    otava_json::FORMAT => otava_json;
    otava_csv::FORMAT => otava_csv;
    rebench::FORMAT => rebench;
    krun::FORMAT => krun;
    lnt::FORMAT => lnt;
    rustc_perf::FORMAT => rustc_perf;
    go_dashboard::FORMAT => go_dashboard;
    openmetrics::FORMAT => openmetrics;
    otlp::FORMAT, otlp::CONSOLE => otlp;
    folded::FORMAT => folded;
    perf_script::FORMAT => perf_script;
    profiles::FORMAT => profiles;
    sandmark_orun::FORMAT => sandmark_orun;
    sandmark_pausetimes::FORMAT => sandmark_pausetimes;
    sandmark_perfstat::FORMAT => sandmark_perfstat;
    sandmark_layout::CONFIG => sandmark_layout;
    ledger_csv::FORMAT => ledger_csv;
    ledger_json::FORMAT => ledger_json;
    statera_run::FORMAT => statera_run;
    pgbench::FORMAT => pgbench;
    pgbench_log::FORMAT => pgbench_log;
    pgbench_aggregate::FORMAT => pgbench_aggregate;
    sysbench::FORMAT => sysbench;
    redis_benchmark::TEXT, redis_benchmark::CSV => redis_benchmark;
    memtier::TEXT, memtier::JSON => memtier;
    go_ycsb::FORMAT => go_ycsb;
    ycsb::TEXT, ycsb::RAW, ycsb::JSON => ycsb;
    cassandra_stress::FORMAT => cassandra_stress;
    db_bench::FORMAT => db_bench;
    benchbase::SUMMARY, benchbase::RAW, benchbase::INTERVALS => benchbase;
    clickbench::FORMAT => clickbench;
    db_benchmark::FORMAT => db_benchmark;
    clickhouse_benchmark::FORMAT, clickhouse_benchmark::TEXT => clickhouse_benchmark;
    postgres_explain::FORMAT, postgres_explain::TEXT => postgres_explain;
    sql_timings::PSQL, sql_timings::SQLITE => sql_timings;
    tables::text::CSV;
    tables::text::TSV;
    tables::drawn::FORMAT;
    tables::ndjson::FORMAT;
    tables::parquet::FORMAT;
    tables::numbers::FORMAT;
    own_lines::FORMAT => own_lines;
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
