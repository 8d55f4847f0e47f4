"""Results of comparisons and inspections: the rows and the data behind them."""
