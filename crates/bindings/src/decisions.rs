//! What Python decided: dictionaries to the layout and the policy.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use statera_kernels::Correction as Flat;
use statera_readers::Better;
use statera_weighing::{Correction, Layout, MetricRule, PairedOmnibus, Pairing, Policy, ScaleChoice};

/// A rule: direction, margin, margin when exact, stated as exact, may be exact.
type RuleTuple = (Option<String>, f64, f64, bool, bool);

fn direction(word: Option<&str>) -> Option<Better> {
    match word {
        Some("lower") => Some(Better::Lower),
        Some("higher") => Some(Better::Higher),
        _ => None,
    }
}

fn field<'py, T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>>(
    dict: &Bound<'py, PyDict>,
    key: &str,
) -> PyResult<T> {
    let value = dict.get_item(key)?.ok_or_else(|| pyo3::exceptions::PyKeyError::new_err(key.to_owned()))?;
    value.extract().map_err(Into::into)
}

/// The policy in a dictionary.
pub fn policy(dict: &Bound<'_, PyDict>) -> PyResult<Policy> {
    let correction: String = field(dict, "correction")?;
    let scale: String = field(dict, "scale")?;
    let omnibus: String = field(dict, "omnibus")?;
    Ok(Policy {
        alpha: field(dict, "alpha")?,
        correction: match correction.as_str() {
            "auto" => Correction::Auto,
            "westfall-young" => Correction::WestfallYoung,
            "benjamini-hochberg" => Correction::Flat(Flat::BenjaminiHochberg),
            "benjamini-yekutieli" => Correction::Flat(Flat::BenjaminiYekutieli),
            "holm" => Correction::Flat(Flat::Holm),
            "hochberg" => Correction::Flat(Flat::Hochberg),
            "bonferroni" => Correction::Flat(Flat::Bonferroni),
            "none" => Correction::Flat(Flat::None),
            other => {
                return Err(pyo3::exceptions::PyValueError::new_err(format!(
                    "no correction is named {other}"
                )));
            }
        },
        scale: if scale == "difference" { ScaleChoice::Difference } else { ScaleChoice::Auto },
        power: field(dict, "power")?,
        omnibus: if omnibus == "quade" { PairedOmnibus::Quade } else { PairedOmnibus::Friedman },
        resamples: field(dict, "resamples")?,
        relabelings: field(dict, "relabelings")?,
        seed: field(dict, "seed")?,
    })
}

/// The layout in a dictionary.
pub fn layout(dict: &Bound<'_, PyDict>) -> PyResult<Layout> {
    let rules: Vec<Option<RuleTuple>> = field(dict, "metrics")?;
    let pairing: String = field(dict, "pairing")?;
    Ok(Layout {
        variant_of_context: field(dict, "variant_of_context")?,
        group_of_context: field(dict, "group_of_context")?,
        block_of_context: field(dict, "block_of_context")?,
        metrics: rules
            .into_iter()
            .map(|rule| {
                rule.map(|(better, margin, margin_exact, assumed_exact, may_be_exact)| MetricRule {
                    better: direction(better.as_deref()),
                    margin,
                    margin_exact,
                    assumed_exact,
                    may_be_exact,
                })
            })
            .collect(),
        benchmarks: field(dict, "benchmarks")?,
        variants: field(dict, "variants")?,
        groups: field(dict, "groups")?,
        work_of_group: field(dict, "work_of_group")?,
        pairs: field(dict, "pairs")?,
        factorial: field(dict, "factorial")?,
        pairing: match pairing.as_str() {
            "block" => Pairing::Block,
            "order" => Pairing::Order,
            "unpaired" => Pairing::Unpaired,
            _ => Pairing::Auto,
        },
        stratum_of_context: field(dict, "stratum_of_context")?,
        strata: field::<u32>(dict, "strata")?.max(1),
        files_are_runs: field(dict, "files_are_runs")?,
    })
}
