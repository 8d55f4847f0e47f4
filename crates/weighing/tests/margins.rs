//! Margins: relative ones and amounts, on both scales, and those of single benchmarks.

use statera_weighing::{Margin, Scale};

const AMOUNT: Margin = Margin { amount: 2.0, is_absolute: true };

fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
}

#[test]
fn an_amount_is_a_part_of_its_baseline() {
    near(AMOUNT.relative(40.0), 0.05);
    near(AMOUNT.relative(-40.0), 0.05);
    near(AMOUNT.relative(0.0), 0.0);
    near(Margin::from(0.05).relative(0.0), 0.05);
}

#[test]
fn the_width_is_that_of_the_scale() {
    near(AMOUNT.on(Scale::Ratio, 40.0), 0.05_f64.ln_1p());
    near(AMOUNT.on(Scale::Difference, 0.0), 2.0);
    near(Margin::from(0.05).on(Scale::Ratio, 40.0), 0.05_f64.ln_1p());
    near(Margin::from(0.05).on(Scale::Difference, -40.0), 2.0);
}
