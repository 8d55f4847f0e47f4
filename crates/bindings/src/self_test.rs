//! The self-test: a build against itself.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use statera_weighing::Row;
use statera_weighing::self_test::{AsMeasured, MetricRate, Rate, RowRate, SelfTest};

use crate::decisions::{Assignment, Policy};
use crate::failures::pairing_failure;
use crate::interruption::interruptible;
use crate::observations::Observations;

/// Weighs a build against itself in at most `splits` ways; all variants are results of this build.
#[pyfunction]
pub fn self_test(
    py: Python<'_>,
    observations: Py<Observations>,
    assignment: Assignment,
    policy: Policy,
    labels: Vec<String>,
    groups: Vec<String>,
    splits: usize,
) -> PyResult<Bound<'_, PyDict>> {
    let (assignment, policy) = (assignment.into(), policy.into());
    let of = observations.clone_ref(py);
    let found = interruptible(py, move || {
        statera_weighing::self_test::self_test(&of.get().inner, &assignment, &policy, splits)
    })?;
    let read = &observations.get().inner;
    let found = found.map_err(|fault| pairing_failure(read, fault))?;
    Words { py, read, labels: &labels, groups: &groups }.whole(&found)
}

struct Words<'a, 'py> {
    py: Python<'py>,
    read: &'a statera_readers::Observations,
    labels: &'a [String],
    groups: &'a [String],
}

fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

impl<'py> Words<'_, 'py> {
    fn whole(&self, found: &SelfTest) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(self.py);
        dict.set_item("dealt", if found.dealt.runs { "runs" } else { "values" })?;
        dict.set_item("stretches", found.dealt.stretches)?;
        dict.set_item("length", found.dealt.length)?;
        dict.set_item("processes", found.dealt.processes)?;
        dict.set_item("advises", found.dealt.advises())?;
        dict.set_item("splits", found.splits)?;
        dict.set_item("all_splits", found.all)?;
        dict.set_item("suite", self.rate(found.suite)?)?;
        dict.set_item("rows", found.rows.iter().map(|row| self.row(row)).collect::<PyResult<Vec<_>>>()?)?;
        let metrics = found.metrics.iter().map(|metric| self.metric(metric));
        dict.set_item("metrics", metrics.collect::<PyResult<Vec<_>>>()?)?;
        let measured = found.measured.iter().map(|pair| self.measured(pair));
        dict.set_item("as_measured", measured.collect::<PyResult<Vec<_>>>()?)?;
        Ok(dict)
    }

    fn named(&self, group: u32, metric: u32, benchmark: Option<u32>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(self.py);
        dict.set_item("group", self.groups.get(group as usize))?;
        if let Some(benchmark) = benchmark {
            dict.set_item("benchmark", self.read.benchmarks.get(benchmark))?;
        }
        dict.set_item("metric", &self.read.metrics[metric as usize].name)?;
        dict.set_item("metric_number", metric)?;
        Ok(dict)
    }

    fn rate(&self, rate: Rate) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(self.py);
        dict.set_item("count", rate.count)?;
        dict.set_item("trials", rate.trials)?;
        dict.set_item("independent", rate.independent)?;
        dict.set_item("low", finite(rate.low))?;
        dict.set_item("high", finite(rate.high))?;
        Ok(dict)
    }

    fn row(&self, row: &RowRate) -> PyResult<Bound<'py, PyDict>> {
        let dict = self.named(row.group, row.metric, Some(row.benchmark))?;
        dict.set_item(
            "scale",
            if row.scale == statera_weighing::Scale::Ratio { "ratio" } else { "difference" },
        )?;
        dict.set_item("called", self.rate(row.called)?)?;
        dict.set_item("significant", row.significant)?;
        dict.set_item("floor", finite(row.floor))?;
        dict.set_item("largest", finite(row.largest))?;
        Ok(dict)
    }

    fn metric(&self, metric: &MetricRate) -> PyResult<Bound<'py, PyDict>> {
        let dict = self.named(metric.group, metric.metric, None)?;
        dict.set_item("rows", metric.rows)?;
        dict.set_item("called", self.rate(metric.called)?)?;
        dict.set_item("significant", self.rate(metric.significant)?)?;
        dict.set_item("any", self.rate(metric.any)?)?;
        for (key, value) in [
            ("margin", metric.margins.called),
            ("gate", metric.margins.gate),
            ("margin_any", metric.margins.any),
            ("gate_any", metric.margins.gate_any),
            ("floor", metric.margins.floor),
            ("mean_floor", metric.mean_floor),
        ] {
            dict.set_item(key, finite(value))?;
        }
        Ok(dict)
    }

    fn measured(&self, pair: &AsMeasured) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(self.py);
        dict.set_item("baseline", self.labels.get(pair.baseline as usize))?;
        dict.set_item("contender", self.labels.get(pair.contender as usize))?;
        dict.set_item("rows", pair.rows)?;
        dict.set_item("significant", pair.significant)?;
        let called = |row: &Row| {
            let dict = self.named(row.group, row.metric, Some(row.benchmark))?;
            dict.set_item(
                "scale",
                if row.scale == statera_weighing::Scale::Ratio { "ratio" } else { "difference" },
            )?;
            dict.set_item("verdict", row.verdict.code())?;
            dict.set_item("change", finite(row.change))?;
            PyResult::Ok(dict)
        };
        dict.set_item("called", pair.called.iter().map(called).collect::<PyResult<Vec<_>>>()?)?;
        Ok(dict)
    }
}
