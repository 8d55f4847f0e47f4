//! The summaries of a comparison.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use statera_weighing::Summary;

/// Returns a summary as a dictionary.
pub fn dictionary<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("group", summary.group)?;
    dict.set_item("metric", summary.metric)?;
    dict.set_item("baseline", summary.baseline)?;
    dict.set_item("contender", summary.contender)?;
    dict.set_item("first", summary.first)?;
    if let Some(mean) = &summary.mean {
        dict.set_item("ratio", mean.ratio)?;
        let end = |end: f64| end.is_finite().then_some(end);
        dict.set_item("low", end(mean.low))?;
        dict.set_item("high", end(mean.high))?;
        dict.set_item("rows", mean.rows)?;
        dict.set_item("method", mean.known.code())?;
        dict.set_item("certain", mean.certain)?;
    }
    dict.set_item("verdicts", summary.verdicts)?;
    dict.set_item("without_ratio", summary.without_ratio)?;
    dict.set_item("quantiles", summary.quantiles)?;
    dict.set_item("mean_change", summary.mean_change)?;
    dict.set_item("moves_as_one", summary.moves_as_one)?;
    if let Some(spread) = &summary.spread {
        dict.set_item("spread", (spread.ratio, spread.p, spread.rows))?;
    }
    if let Some(order) = &summary.order {
        dict.set_item("order", (order.rho, order.p, order.width, order.rows))?;
    }
    dict.set_item("detectable", summary.detectable)?;
    Ok(dict)
}
