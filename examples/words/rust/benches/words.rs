use criterion::{criterion_group, criterion_main, Criterion};
use std::hint::black_box;

fn benchmarks(c: &mut Criterion) {
    let text: Vec<String> = (0..2000u32).map(|n| format!("word{}", n * n % 97)).collect();
    let text = text.join(" ");
    c.bench_function("count", |b| b.iter(|| words::count(black_box(&text))));
    c.bench_function("longest", |b| b.iter(|| words::longest(black_box(&text))));
}

criterion_group! {
    name = all;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_millis(300)).warm_up_time(std::time::Duration::from_millis(200)).without_plots();
    targets = benchmarks
}
criterion_main!(all);
