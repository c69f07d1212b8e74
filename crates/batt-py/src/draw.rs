//! Grids as pictures and as text.

use batt::svg::Panel;
use batt::{svg, terminal};
use pyo3::prelude::*;

use crate::grid;

/// A label, a grid, and what it should be or None.
type Given<'py> = (String, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);

fn panels(given: Vec<Given<'_>>) -> PyResult<Vec<Panel>> {
    let panel = |(label, rows, expected): Given<'_>| {
        let expected = expected.map(|expected| grid::rows(&expected)).transpose()?;
        Ok(Panel { label, rows: grid::rows(&rows)?, expected })
    };
    given.into_iter().map(panel).collect()
}

/// Grids side by side as SVG.
#[pyfunction]
#[pyo3(signature = (grids, title="", alone=false))]
pub fn grids_svg(grids: Vec<Given<'_>>, title: &str, alone: bool) -> PyResult<String> {
    Ok(svg::panels(title, &panels(grids)?, alone))
}

/// Grids side by side as text.
#[pyfunction]
#[pyo3(signature = (grids, columns=100, color=false))]
pub fn text_of_grids(grids: Vec<Given<'_>>, columns: usize, color: bool) -> PyResult<String> {
    Ok(terminal::panels(&panels(grids)?, columns, color))
}
