//! The formats, one module each, and the detection of a file's format by its content.

pub mod ab;
mod ab_report;
pub mod androidx_benchmark;
pub mod asv;
pub mod autocannon;
pub mod bench_bitcoin;
pub mod benchee;
pub mod bencher_metric_format;
pub mod benchmark_ips;
pub mod benchmark_js;
pub mod benchmarkdotnet;
pub mod benchmarkdotnet_measurements;
pub mod benchmarktools;
pub mod benchstat;
pub mod bombardier;
pub mod cargo_criterion;
mod cargo_programs;
pub mod cassandra_stress;
pub mod catch2;
pub mod celero;
pub mod clickhouse_benchmark;
pub mod coremark;
pub mod criterion;
pub mod criterion_text;
pub mod cronometro;
mod csv_rows;
pub mod cyclictest;
mod cyclictest_options;
pub mod db_bench;
pub mod dd;
pub mod deno;
mod detection;
pub mod divan;
mod durations;
pub mod fio;
pub mod fio_log;
mod fio_reports;
mod fio_work;
mod foreign;
mod format;
pub mod gatling;
mod gatling_stats;
pub mod ghz;
pub mod github_action_benchmark;
pub mod gnu_time;
pub mod go;
pub mod go_dashboard;
pub mod go_json;
mod go_lines;
mod go_printed;
mod go_settings;
mod go_units;
mod go_words;
pub mod go_wrk;
pub mod go_ycsb;
pub mod google_benchmark;
pub mod google_benchmark_csv;
mod google_benchmark_names;
mod google_benchmark_summaries;
pub mod gungraun;
mod gungraun_perf;
pub mod h2load;
pub mod hackbench;
pub mod haskell_criterion;
mod hdr_histogram;
mod head;
mod headings;
pub mod hey;
pub mod hgrm;
pub mod hlog;
pub mod hyperfine;
pub mod hyperfine_2;
pub mod hyperfine_csv;
pub mod iai;
pub mod ioping;
mod ioping_summary;
pub mod iperf2;
pub mod iperf3;
pub mod jmeter;
pub mod jmh;
pub mod jmh_csv;
mod jmh_units;
mod json;
mod json_parser;
mod json_scalars;
mod json_span;
mod json_tokens;
mod json_value;
pub mod k6;
pub mod k6_csv;
mod k6_metrics;
pub mod k6_ndjson;
mod k6_points;
pub mod krun;
pub mod ledger_csv;
mod ledger_fields;
pub mod ledger_json;
pub mod libtest;
mod lines;
pub mod llama_bench;
pub mod llama_bench_table;
pub mod lnt;
mod load_metrics;
mod load_run;
pub mod locust;
pub mod memtier;
mod memtier_work;
pub mod microbenchmark;
pub mod mitata;
mod names;
pub mod nanobench;
mod numbered;
pub mod oha;
pub mod openmetrics;
mod openmetrics_lines;
pub mod openssl_speed;
pub mod otava_csv;
pub mod otava_json;
pub mod otlp;
mod outline;
pub mod package_benchmark;
pub(crate) mod parameters;
pub mod perf_bench;
mod perf_bench_work;
pub mod perf_stat;
mod perf_stat_text;
pub mod pgbench;
pub mod pgbench_aggregate;
pub mod pgbench_log;
mod pgbench_report;
mod pgbench_words;
pub mod phpbench;
pub mod plow;
pub mod postgres_explain;
pub mod printed;
pub mod profiles;
pub mod pyperf;
pub mod pytest_benchmark;
pub mod rebench;
pub mod redis_benchmark;
mod repeats;
pub mod ruby_benchmark;
pub mod rustc_perf;
pub mod sandmark_layout;
pub mod sandmark_orun;
pub mod sandmark_pausetimes;
pub mod sandmark_perfstat;
mod scattered;
pub mod sevenzip_bench;
pub mod shell_time;
pub mod siege;
pub mod siege_log;
pub mod sql_timings;
pub mod statera_run;
mod statera_run_looks;
pub(crate) mod statera_run_manifest;
mod statera_run_outputs;
mod statera_run_samples;
pub mod stream;
pub mod stress_ng;
pub mod stress_ng_yaml;
pub mod sysbench;
mod sysbench_report;
pub mod tables;
mod telemetry;
pub mod text_results;
pub mod timeit;
mod timestamps;
pub mod tinybench;
mod tinybench_vitest;
mod tracked;
mod units;
pub mod vegeta;
pub mod vegeta_results;
pub mod wrk;
mod wrk_run;
pub mod xctest;
mod xml;
pub mod ycsb;
pub mod ycsb_raw;
pub mod zstd_bench;

pub(crate) use detection::companion;
pub use detection::{Undetected, by_name, detect, detect_among, fitting};
pub use foreign::{Foreign, foreign};
pub use format::{Companion, Format, Key, Meaning, Pooling, Processes, Read, Role, Values};
pub use head::{Fit, Head, No};
pub use names::{COMMAND, Part, Parts};
pub use outline::{Kind, Node};
pub(crate) use parameters::key as key_of_parameter;
pub(crate) use tables::columns::column_of_key;
pub use tables::text::table_kind;
pub(crate) use tables::text::table_question;
pub(crate) use units::{Meaning as UnitMeaning, better as unit_better, meaning as unit_meaning};

/// All formats. Their signs exclude each other; a file that fits two is an error.
pub static FORMATS: &[&Format] = &[
    &go::FORMAT,
    &go_json::FORMAT,
    &bench_bitcoin::FORMAT,
    &nanobench::JSON,
    &nanobench::CSV,
    &hyperfine::FORMAT,
    &google_benchmark::FORMAT,
    &google_benchmark_csv::FORMAT,
    &google_benchmark::TEXT,
    &pyperf::FORMAT,
    &jmh::FORMAT,
    &jmh_csv::FORMAT,
    &jmh_csv::TEXT,
    &pytest_benchmark::FORMAT,
    &criterion::FORMAT,
    &cargo_criterion::FORMAT,
    &criterion_text::FORMAT,
    &benchmarkdotnet::FORMAT,
    &benchmarkdotnet_measurements::FORMAT,
    &benchmarkdotnet::CSV,
    &tinybench::TASKS,
    &gungraun::JSON,
    &gungraun::TEXT,
    &iai::FORMAT,
    &perf_stat::HUMAN,
    &perf_stat::FIELDS,
    &perf_stat::JSON,
    &perf_stat::INTERVALS,
    &nanobench::TEXT,
    &asv::FORMAT,
    &catch2::FORMAT,
    &phpbench::FORMAT,
    &catch2::TEXT,
    &divan::FORMAT,
    &benchmarktools::FORMAT,
    &benchstat::FORMAT,
    &benchstat::TEXT,
    &tinybench::VITEST,
    &cronometro::JSON,
    &cronometro::TEXT,
    &mitata::FORMAT,
    &text_results::BENCHMARK_JS,
    &libtest::FORMAT,
    &text_results::BENCHMARK_IPS,
    &benchmark_js::FORMAT,
    &benchmark_ips::FORMAT,
    &ruby_benchmark::FORMAT,
    &deno::FORMAT,
    &xctest::FORMAT,
    &androidx_benchmark::FORMAT,
    &timeit::FORMAT,
    &haskell_criterion::JSON,
    &haskell_criterion::CSV,
    &haskell_criterion::TASTY_BENCH,
    &benchee::FORMAT,
    &celero::FORMAT,
    &microbenchmark::FORMAT,
    &microbenchmark::SUMMARY,
    &printed::DENO,
    &printed::MITATA,
    &printed::TINYBENCH,
    &printed::VITEST,
    &printed::PYTEST,
    &printed::PYPERF,
    &printed::ASV,
    &printed::HASKELL_CRITERION,
    &printed::BENCHEE,
    &printed::R_BENCH,
    &printed::BENCHMARKTOOLS,
    &printed::LIBTEST,
    &printed::PHPBENCH,
    &printed::POOP,
    &printed::GATLING,
    &printed::JMETER,
    &hyperfine::TEXT,
    &hyperfine_2::FORMAT,
    &hyperfine_csv::FORMAT,
    &k6_ndjson::FORMAT,
    &k6_csv::FORMAT,
    &k6::FORMAT,
    &k6::TEXT,
    &wrk::WRK,
    &wrk::WRK2,
    &hlog::FORMAT,
    &hgrm::FORMAT,
    &hey::TEXT,
    &hey::CSV,
    &go_wrk::FORMAT,
    &plow::FORMAT,
    &plow::TEXT,
    &bombardier::FORMAT,
    &bombardier::TEXT,
    &autocannon::FORMAT,
    &autocannon::TEXT,
    &ghz::FORMAT,
    &ghz::CSV,
    &ghz::TEXT,
    &h2load::FORMAT,
    &siege::FORMAT,
    &siege_log::FORMAT,
    &oha::FORMAT,
    &oha::CSV,
    &oha::TEXT,
    &vegeta::JSON,
    &vegeta::TEXT,
    &hgrm::VEGETA,
    &vegeta_results::JSON,
    &vegeta_results::CSV,
    &vegeta::HISTOGRAM,
    &vegeta::BINARY,
    &ab::REPORT,
    &ab::SAMPLES,
    &ab::PERCENTAGES,
    &locust::STATS,
    &locust::HISTORY,
    &locust::OLD,
    &locust::JSON,
    &locust::TEXT,
    &jmeter::CSV,
    &jmeter::XML,
    &jmeter::BARE,
    &jmeter::REPORT,
    &gatling::LOG,
    &gatling::BINARY,
    &gatling::STATS,
    &gatling::SCRIPT,
    &fio::FORMAT,
    &fio::TEXT,
    &fio_log::FORMAT,
    &iperf2::FORMAT,
    &iperf2::TEXT,
    &iperf3::FORMAT,
    &iperf3::STREAM,
    &iperf3::TEXT,
    &stream::FORMAT,
    &coremark::FORMAT,
    &stress_ng::FORMAT,
    &stress_ng_yaml::FORMAT,
    &hackbench::FORMAT,
    &perf_bench::FORMAT,
    &cyclictest::JSON,
    &cyclictest::TEXT,
    &openssl_speed::FORMAT,
    &zstd_bench::FORMAT,
    &sevenzip_bench::FORMAT,
    &sevenzip_bench::METHODS,
    &ioping::TEXT,
    &ioping::JSON,
    &dd::FORMAT,
    &dd::FOREIGN,
    &llama_bench::FORMAT,
    &llama_bench_table::CSV,
    &llama_bench_table::MARKDOWN,
    &llama_bench_table::SQL,
    &gnu_time::FORMAT,
    &shell_time::FORMAT,
    &asv::PUBLISHED,
    &github_action_benchmark::CUSTOM,
    &github_action_benchmark::DATA,
    &package_benchmark::FORMAT,
    &bencher_metric_format::FORMAT,
    &otava_json::FORMAT,
    &otava_csv::FORMAT,
    &rebench::FORMAT,
    &krun::FORMAT,
    &lnt::FORMAT,
    &rustc_perf::FORMAT,
    &go_dashboard::FORMAT,
    &openmetrics::FORMAT,
    &otlp::FORMAT,
    &otlp::CONSOLE,
    &profiles::FORMAT,
    &sandmark_orun::FORMAT,
    &sandmark_pausetimes::FORMAT,
    &sandmark_perfstat::FORMAT,
    &sandmark_layout::CONFIG,
    &ledger_csv::FORMAT,
    &ledger_json::FORMAT,
    &statera_run::FORMAT,
    &pgbench::FORMAT,
    &pgbench_log::FORMAT,
    &pgbench_aggregate::FORMAT,
    &sysbench::FORMAT,
    &redis_benchmark::TEXT,
    &redis_benchmark::CSV,
    &memtier::TEXT,
    &memtier::JSON,
    &go_ycsb::FORMAT,
    &ycsb::TEXT,
    &ycsb_raw::FORMAT,
    &ycsb::JSON,
    &cassandra_stress::FORMAT,
    &db_bench::FORMAT,
    &clickhouse_benchmark::FORMAT,
    &clickhouse_benchmark::TEXT,
    &postgres_explain::FORMAT,
    &postgres_explain::TEXT,
    &sql_timings::PSQL,
    &sql_timings::SQLITE,
    &tables::text::CSV,
    &tables::text::TSV,
    &tables::ndjson::FORMAT,
    &tables::parquet::FORMAT,
    &tables::numbers::FORMAT,
];
