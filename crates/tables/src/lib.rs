//! Writes rows as text. Numbers are formatted here only, so that the same number looks the same in every output.

pub mod apart;
mod cells;
mod columns;
mod comma;
pub mod field;
mod inspection_fields;
mod inspection_words;
pub mod markdown;
pub mod names;
pub mod numbers;
mod row_fields;
mod subject;

pub use cells::{CELLS, cell, heading, moved};
pub use columns::columns;
pub use comma::comma_separated;
pub use comma::json_rows;
pub use inspection_fields::INSPECTED_FIELDS;
pub use inspection_words::{INSPECTION_COLUMNS, inspection_cells};
pub use inspection_words::{advice, forecast, what};
pub use row_fields::ROW_FIELDS;
pub use subject::Subject;
