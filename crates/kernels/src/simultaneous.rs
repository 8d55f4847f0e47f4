//! A simultaneous band from replicates of several statistics (Montiel Olea & Plagborg-Møller 2019, the quantile
//! form).

/// The ends for each column of `drawn`, whose rows of `width` are replicates: the narrowest band of order
/// statistics, equally far from either end at every column, that excludes at most the fraction `alpha` of the
/// replicates anywhere.
pub(crate) fn band(drawn: &[f64], width: usize, alpha: f64) -> Vec<(f64, f64)> {
    if width == 0 {
        return Vec::new();
    }
    let count = drawn.len() / width;
    let mut depths = vec![count; count];
    let mut columns = Vec::with_capacity(width);
    for column in 0..width {
        let mut sorted: Vec<f64> = drawn.iter().skip(column).step_by(width).copied().collect();
        sorted.sort_unstable_by(f64::total_cmp);
        for (depth, row) in depths.iter_mut().zip(drawn.chunks_exact(width)) {
            *depth = (*depth).min(depth_of(row[column], &sorted));
        }
        columns.push(sorted);
    }
    depths.sort_unstable();
    // This many replicates may be excluded; the next one is the outermost that must be inside.
    let left_out = (count as f64 * alpha + 1e-9) as usize;
    let Some(&depth) = depths.get(left_out.min(count.saturating_sub(1))) else {
        return Vec::new();
    };
    columns.iter().map(|sorted| (sorted[depth], sorted[count - 1 - depth])).collect()
}

/// The number of values that can be cut off at both ends of a sorted list so that `value` still lies between
/// the rest.
fn depth_of(value: f64, sorted: &[f64]) -> usize {
    let below = sorted.partition_point(|v| *v <= value) - 1;
    let above = sorted.len() - 1 - sorted.partition_point(|v| *v < value);
    below.min(above)
}

#[cfg(test)]
mod tests {
    use super::band;

    #[test]
    fn one_column_is_cut_evenly() {
        let drawn: Vec<f64> = (0..1000).map(|i| f64::from((i * 387) % 1000)).collect();
        // 5 % of 1,000 may be left out: 25 at each end.
        assert_eq!(band(&drawn, 1, 0.05), [(25.0, 974.0)]);
        assert_eq!(band(&drawn, 1, 0.0), [(0.0, 999.0)]);
    }

    #[test]
    fn the_share_lies_inside_everywhere_and_no_narrower_band_does() {
        let number = |i: u64| ((i * i * 7919 + 31 * i) % 1009 / (1 + i % 3)) as f64;
        let drawn: Vec<f64> = (0..3000).map(number).collect();
        let ends = band(&drawn, 3, 0.1);
        let inside = |narrower: f64| {
            let holds = |row: &&[f64]| {
                row.iter().zip(&ends).all(|(v, (low, high))| (low + narrower..=high - narrower).contains(v))
            };
            drawn.chunks_exact(3).filter(holds).count()
        };
        assert!(inside(0.0) >= 900, "{}", inside(0.0));
        assert!(inside(3.0) < 900, "{}", inside(3.0));
        assert!(band(&[], 3, 0.1).is_empty() && band(&drawn, 0, 0.1).is_empty());
    }
}
