"""What a comparison and an inspection give: rows, and everything that led to them."""
