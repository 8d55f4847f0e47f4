//! What is known of a table before its rows are read.

/// The beginning of a table.
pub(super) trait Preview {
    /// Whether the first cells of a column are numbers.
    fn is_numeric(&self, column: usize) -> bool;

    /// Whether the file states the type of each column.
    fn has_types(&self) -> bool {
        false
    }

    /// The first cells of a column as text, for messages.
    fn first(&self, column: usize) -> Vec<String>;

    /// More of them, to judge what the column is.
    fn sample(&self, column: usize) -> Vec<String> {
        self.first(column)
    }

    /// The cells of its first rows; none if they are dear. Missing ones are empty.
    fn rows(&self) -> Vec<Vec<String>> {
        Vec::new()
    }

    /// Whether a column may hold texts.
    fn may_be_text(&self, _column: usize) -> bool {
        true
    }
}
