//! The detector of changes in a history, against worked examples whose numbers an independent program computed.

use statera_kernels::change_points::{Changes, Detector, Taken, change_points, continued};

pub const DETECTOR: Detector = Detector {
    memory: 1024,
    longest: 256,
    first_look: 11,
    look_growth: 1.1,
    per_log: 2.0,
    least_length: 200,
    base: 6.6,
    reach: 0.22,
    values_a_degree: 2.5,
    size_errors: 1.959_963_984_540_054,
    level: 0.05,
};

/// Sums of four uniform numbers of a linear congruential generator, around 100 with a spread of about 1.2.
fn noisy(seed: u64, n: usize, factor: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut state = seed;
    let mut uniform = || {
        state = (1_103_515_245 * state + 12345) % (1 << 31);
        state as f64 / f64::from(1_u32 << 31)
    };
    let mut next = || 100.0 + 2.0 * ((0..4).map(|_| uniform()).sum::<f64>() - 2.0);
    (0..n).map(|i| next() * factor(i)).collect()
}

fn from(place: usize, factor: f64) -> impl Fn(usize) -> f64 {
    move |i| if i >= place { factor } else { 1.0 }
}

fn of_logarithms(values: &[f64]) -> Changes {
    let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    change_points(&logs, None, &DETECTOR)
}

/// Checks alarms as (place, raised), and points as (place, first, last, size, low, high, p).
fn check(values: &[f64], alarms: &[(usize, usize)], points: &[(usize, usize, usize, [f64; 4])]) {
    let found = of_logarithms(values);
    let told: Vec<(usize, usize)> = found.alarms.iter().map(|alarm| (alarm.place, alarm.raised)).collect();
    assert_eq!(told, alarms);
    let places: Vec<_> = found.points.iter().map(|point| (point.place, point.first, point.last)).collect();
    assert_eq!(
        places,
        points.iter().map(|&(place, first, last, _)| (place, first, last)).collect::<Vec<_>>()
    );
    for (point, (.., numbers)) in found.points.iter().zip(points) {
        let [size, low, high, p] = numbers;
        for (found, expected) in [(point.size, size), (point.low, low), (point.high, high)] {
            // As many decimals as the examples state.
            assert!((found - expected).abs() <= 6e-13, "{found} {expected}");
        }
        assert!((point.p - p).abs() <= 1e-5 * p, "{} {p}", point.p);
    }
}

#[test]
fn nothing_is_told_of_noise() {
    check(&noisy(1, 400, |_| 1.0), &[], &[]);
}

#[test]
fn a_rise_of_six_per_cent_is_told() {
    let point = (60, 60, 61, [0.0599617264385, 0.0529413582676, 0.0669820946094, 2.11217e-14]);
    check(&noisy(2, 120, from(60, 1.06)), &[(60, 70)], &[point]);
}

#[test]
fn a_fall_is_told_among_spikes() {
    let spiky = |i: usize| from(80, 0.92)(i) * if i % 29 == 5 { 1.5 } else { 1.0 };
    let point = (80, 80, 80, [-0.0880010979383, -0.0961915900502, -0.0798106058264, 8.33495e-22]);
    check(&noisy(3, 140, spiky), &[(80, 82)], &[point]);
}

#[test]
fn a_step_between_constants_is_told() {
    let values: Vec<f64> = (0..60).map(|i| if i < 30 { 5.0 } else { 6.0 }).collect();
    let point = (30, 30, 30, [0.182321556794, 0.169423337563, 0.195219776024, 1.53957e-14]);
    let found = of_logarithms(&values);
    assert_eq!(found.points.len(), 1);
    assert!((found.points[0].size - point.3[0]).abs() < 1e-12);
    check(
        &values,
        &[(30, 32)],
        &[(30, 30, 30, [6f64.ln() - 5f64.ln(), found.points[0].low, found.points[0].high, point.3[3]])],
    );
    assert!(
        (found.points[0].low - point.3[1]).abs() < 1e-12 && (found.points[0].high - point.3[2]).abs() < 1e-12
    );
}

#[test]
fn a_level_that_returns_is_an_episode() {
    let values = noisy(4, 90, |i| if (40..=45).contains(&i) { 1.1 } else { 1.0 });
    let points = [
        (40, 40, 40, [0.0933856357566, 0.083094544047, 0.103676727466, 0.00444323]),
        (46, 46, 46, [-0.0901272188091, -0.100371100777, -0.0798833368409, 9.81047e-15]),
    ];
    check(&values, &[(40, 42), (46, 52)], &points);
    let found = of_logarithms(&values);
    assert_eq!(found.points.iter().map(|point| point.returns).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn three_values_clear_of_everything_are_told() {
    let point = (197, 197, 197, [0.331122721455, 0.315054666907, 0.347190776003, 0.0338592]);
    check(&noisy(5, 200, from(197, 1.4)), &[(197, 199)], &[point]);
}

#[test]
fn fewer_values_outside_are_suspect_and_then_spikes() {
    let suspect = |n, factor: &dyn Fn(usize) -> f64| {
        let found = of_logarithms(&noisy(5, n, factor));
        assert!(found.alarms.is_empty());
        (found.suspect.map(|spike| (spike.place, spike.values)), found.spikes.len())
    };
    let high = from(197, 1.4);
    assert_eq!(suspect(197, &high), (None, 0));
    assert_eq!(suspect(198, &high), (Some((197, 1)), 0));
    assert_eq!(suspect(199, &high), (Some((197, 2)), 0));
    let back = |i: usize| if i == 197 || i == 198 { 1.4 } else { 1.0 };
    assert_eq!(suspect(200, &back), (None, 1));
}

#[test]
fn alarms_never_depend_on_what_comes_later() {
    let values = noisy(9, 600, |i| 1.0 + 0.08 * ((i / 90) % 3) as f64);
    let all = of_logarithms(&values);
    assert!(all.alarms.len() > 2);
    for n in (0..=600).step_by(7) {
        let early: Vec<_> =
            of_logarithms(&values[..n]).alarms.iter().map(|alarm| (alarm.place, alarm.raised)).collect();
        let told: Vec<_> = all
            .alarms
            .iter()
            .filter(|alarm| alarm.raised < n)
            .map(|alarm| (alarm.place, alarm.raised))
            .collect();
        assert_eq!(early, told, "after {n} values");
    }
}

#[test]
fn any_numbers_are_taken() {
    for values in [vec![], vec![1.0], vec![3.0; 2000], [1e308, -1e308].repeat(40), [0.0, 1e-300].repeat(30)] {
        assert!(change_points(&values, None, &DETECTOR).points.is_empty());
    }
    let late: Vec<f64> = (0..1500).map(|i| if i < 1300 { 7.0 } else { 8.0 }).collect();
    let found = change_points(&late, None, &DETECTOR);
    assert_eq!(found.points.iter().map(|point| point.place).collect::<Vec<_>>(), [1300]);
}

#[test]
fn a_change_lies_between_commits() {
    let values = noisy(2, 120, from(60, 1.06));
    let places: Vec<bool> = (0..120).map(|i| i % 4 == 2).collect();
    let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    let found = change_points(&logs, Some(&places), &DETECTOR);
    assert!(!found.points.is_empty());
    assert!(
        found.points.iter().all(|point| places[point.place] && places[point.first] && places[point.last])
    );
}

#[test]
fn a_pass_that_goes_on_finds_what_a_whole_one_finds() {
    let jumps = |i: usize| [1.0, 1.2, 0.9, 1.0][i / 60 % 4] * if i % 41 == 7 { 1.6 } else { 1.0 };
    let places: Vec<bool> = (0..300).map(|i| i % 3 != 1).collect();
    for (seed, factor) in [(1, 1.0), (2, 0.0), (3, -1.0)] {
        let values: Vec<f64> = noisy(seed, 300, jumps).iter().map(|value| value * factor).collect();
        for places in [None, Some(&places[..])] {
            let mut known = None;
            // Whatever a part shows, and however often it is read and written.
            for end in [1, 4, 5, 6, 11, 12, 40, 41, 63, 64, 65, 130, 180, 181, 250, 299, 300, 300] {
                let places = places.map(|places| &places[..end]);
                let (whole, _) = continued(&values[..end], places, &DETECTOR, None);
                let (changes, taken) = continued(&values[..end], places, &DETECTOR, known.as_ref());
                let mut bytes = Vec::new();
                changes.write(&mut bytes);
                let length = bytes.len();
                taken.write(&mut bytes);
                let mut from = &bytes[..];
                // Every digit is the same; numbers that are none are not equal to themselves.
                let back = Changes::read(&mut from).expect("it was written");
                assert_eq!(format!("{whole:?}"), format!("{back:?}"), "{seed} {end}");
                assert_eq!(format!("{whole:?}"), format!("{changes:?}"), "{seed} {end}");
                known = Some(Taken::read(&mut from).expect("it was written"));
                assert!(from.is_empty() && Taken::read(&mut &bytes[length..bytes.len() - 1]).is_none());
            }
        }
    }
}
