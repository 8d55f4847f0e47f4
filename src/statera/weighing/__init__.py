"""From arranged observations to rows, by the compiled part."""
