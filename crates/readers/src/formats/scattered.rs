//! An order for samples whose order the harness lost by sorting or counting them.

/// The places from 0 to `count` in an order without trend: neighbours are far apart in the sorted samples. A sorted
/// series would look as if each value depended on the one before it.
pub(super) fn places(count: usize) -> impl Iterator<Item = usize> {
    let near = (count as f64 * 0.618_033_988_749_895) as usize;
    let step = (near..=count).find(|&step| divisor(step, count) == 1).unwrap_or(1);
    (0..count).scan(0, move |place, _| {
        let now = *place;
        *place = (now + step) % count;
        Some(now)
    })
}

/// The greatest common divisor.
fn divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_place_comes_once_and_neighbours_are_apart() {
        for count in 0..200 {
            let places: Vec<usize> = super::places(count).collect();
            let mut sorted = places.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..count).collect::<Vec<_>>());
            assert!(count < 8 || places.windows(2).all(|pair| pair[0].abs_diff(pair[1]) > count / 4));
        }
    }
}
