//! Definitions over frames few enough to be computed by hand, and what must hold for any frames.

use framecost_sample::{Reading, Reason};
use proptest::prelude::*;

use super::*;

const PLAIN: Basis = Basis { log: Log::PerFrame, intervals: Intervals::Presented };

fn readings(millis: &[f64]) -> Vec<Reading<f64>> {
    millis.iter().map(|ms| Reading::Measured(ms * 1e6)).collect()
}

/// The value as a tool would print it, whatever stands behind it.
fn printed(millis: &[f64], id: &str) -> f64 {
    let times = readings(millis);
    raw(&Data::of(&Stream::of_times(PLAIN, &times)), find(id).unwrap()).unwrap().value
}

fn sheet(millis: &[f64]) -> Sheet {
    Sheet::of(&Stream::of_times(PLAIN, &readings(millis)))
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1e-9), "{found}, not {expected}");
}

/// 4 frames of 5, 10, 20, 40 ms in another order: 200, 100, 50, 25 fps; 75 ms in all; mean 18.75 ms.
const FOUR: [f64; 4] = [10.0, 40.0, 5.0, 20.0];

#[test]
fn averages_percentiles_and_lows_are_as_computed_by_hand() {
    let third = 1.0 / 3.0;
    for (id, expected) in [
        ("avg.harmonic", 4.0 / 0.075),
        ("avg.arithmetic", 375.0 / 4.0),
        ("time.mean", 18.75e6),
        ("fps.min", 25.0),
        ("fps.max", 200.0),
        // Between 10 and 20 ms, and all of them in between at 3 q.
        ("time.pct.r7@50%", 15e6),
        ("time.pct.r7@95%", 37e6),
        ("fps.pct.r8@50%", 75.0),
        ("fps.pct.lower@97%", 100.0),
        ("low.pct.r7.time@25%", 1000.0 / 25.0),
        // Type 8 at (4 + 1/3) / 4 + 1/3, 1.4167 counted from 1: between 25 and 50 fps.
        ("low.pct.r8.fps@25%", 25.0 + 25.0 * ((4.0 + third) / 4.0 + third - 1.0)),
        ("low.pct.r7.fps@25%", 25.0 + 25.0 * 0.75),
        // Type 6 at 5 * 0.75, 3.75 counted from 1: between 20 and 40 ms.
        ("low.pct.r6.time@25%", 1000.0 / 35.0),
        ("low.pct.nearest@25%", 50.0),
        ("low.index.mangohud@50%", 50.0),
        // 0.04 - 1 is cut to 0.
        ("low.index.mangohud@1%", 25.0),
        ("low.worst.count@50%", 1000.0 / 30.0),
        ("low.worst.atleast@25%", 25.0),
        ("low.worst.fpsmean@50%", 37.5),
        ("low.worst.fpsmean.ceil@30%", 37.5),
        // A third of 75 ms is reached by the longest frame alone, 60 % by two.
        ("low.integral.time@33%", 25.0),
        ("low.integral.time@60%", 50.0),
    ] {
        near(printed(&FOUR, id), expected);
    }
}

#[test]
fn deviations_and_pacing_are_as_computed_by_hand() {
    // (8.75^2 + 21.25^2 + 13.75^2 + 1.25^2) = 718.75
    near(printed(&FOUR, "deviation.population"), (718.75_f64 / 4.0).sqrt() * 1e6);
    near(printed(&FOUR, "deviation.sample"), (718.75_f64 / 3.0).sqrt() * 1e6);
    // No 500 fps before the end, so that the average is of all frames so far: 100, 62.5, 325/3, 375/4.
    let coded = [0.0, 37.5, 200.0 - 325.0 / 3.0, 50.0 - 93.75];
    near(
        printed(&FOUR, "deviation.adaptive.coded"),
        (coded.map(|it: f64| it * it).iter().sum::<f64>() / 3.0).sqrt(),
    );
    let meant = [0.0, 25.0 - 2000.0 / 50.0, 200.0 - 3000.0 / 55.0, 50.0 - 4000.0 / 75.0];
    near(
        printed(&FOUR, "deviation.adaptive.meant"),
        (meant.map(|it: f64| it * it).iter().sum::<f64>() / 3.0).sqrt(),
    );
    // Steps of 30, 35, 15.
    for (bin, of_four) in [("0-2ms", 0.0), ("2-4ms", 0.0), ("4-8ms", 0.0), ("8-12ms", 0.0), ("12ms", 1.0)] {
        let id = format!("pacing.step.{bin}");
        near(printed(&FOUR, &id), of_four);
        near(printed(&[10.0, 11.0, 13.0, 17.0, 9.0, 21.0], &id), 0.2);
    }
}

#[test]
fn windows_of_500_hold_fps_as_coded_and_milliseconds_as_meant() {
    // 100 fps then 50: five frames fill 500 as coded, fifty as meant.
    let millis: Vec<f64> = [10.0; 60].into_iter().chain([20.0; 60]).collect();
    let coded = (1..=10_u8).map(|i| match i {
        // The k-th of the slow ones has k of 50 fps in its window and so many of 100 that they come to 500.
        1..=9 => {
            (50.0 - (50.0 * f64::from(i) + 100.0 * f64::from(5 - i / 2)) / f64::from(5 + i - i / 2)).powi(2)
        }
        _ => 0.0,
    });
    near(printed(&millis, "deviation.adaptive.coded"), (coded.sum::<f64>() / 119.0).sqrt());
    assert!(
        printed(&millis, "deviation.adaptive.meant") > 1.5 * printed(&millis, "deviation.adaptive.coded")
    );
}

#[test]
fn three_stutters_differ() {
    // 19 frames of 10 ms and one of 40: mean 11.5, so 40 > 28.75. Its moving average, the spike replaced, is 10.
    let mut millis = vec![10.0; 20];
    millis[10] = 40.0;
    near(printed(&millis, "stutter.global"), 40.0 / 230.0);
    near(printed(&millis, "stutter.count"), 1.0 / 20.0);
    near(printed(&millis, "stutter.time"), 40.0 / 230.0);
    // Slow frames throughout the second half are no stutter against their own moving average but for the first.
    let slow: Vec<f64> = [1.0; 90].into_iter().chain([30.0; 10]).collect();
    near(printed(&slow, "stutter.global"), 300.0 / 390.0);
    near(printed(&slow, "stutter.count"), 0.1);
    assert!(printed(&slow, "stutter.time") < printed(&slow, "stutter.global"));
}

#[test]
fn screen_and_gpu_are_computed_of_what_is_recorded() {
    let lost = || Reading::Missing(Reason::NotDisplayed);
    let ms = |ms: f64| Reading::Measured(ms * 1e6);
    let times = readings(&[10.0, 10.0, 20.0]);
    let stream = Stream {
        displayed: &[ms(16.0), lost(), ms(24.0)],
        animation_errors: &[lost(), ms(-3.0), ms(1.0)],
        gpu_busy: &[ms(4.0), lost(), ms(0.0)],
        gpu_time: &[ms(5.0), ms(5.0), ms(3.0)],
        ..Stream::of_times(PLAIN, &times)
    };
    let figure = |id| value(&stream, find(id).unwrap()).unwrap();
    near(figure("fps.displayed").value, 50.0);
    assert_eq!(figure("fps.displayed").behind, 2);
    near(figure("animation.error.mean").value, 2e6);
    near(figure("animation.error.rate").value, 4.0 / 30.0 * 1e9);
    near(figure("gpu.busy.gpu").value, 0.5);
    near(figure("gpu.busy.frame").value, 4.0 / 30.0);
    let bare = Stream::of_times(PLAIN, &times);
    let missing = value(&bare, find("gpu.busy.gpu").unwrap()).unwrap_err();
    assert_eq!(missing.to_string(), "the log has no GPU times");
    let displayed = Stream::of_times(Basis { intervals: Intervals::Displayed, ..PLAIN }, &times);
    near(value(&displayed, find("fps.displayed").unwrap()).unwrap().value, 75.0);
}

#[test]
fn what_too_few_frames_stand_behind_is_withheld() {
    let at = |frames: usize, id: &str| {
        sheet(&vec![10.0; frames]).find(id).unwrap().value.map(|it| it.value).map_err(|why| why.to_string())
    };
    for id in ids().filter(|id| id.definition.family == Family::Low) {
        let (id, need) = (id.to_string(), if id.to_string().ends_with("@1%") { 1000 } else { 10_000 });
        assert_eq!(at(need - 1, &id), Err(format!("needs {need} frames, has {}", need - 1)), "{id}");
        near(at(need, &id).unwrap(), 100.0);
    }
    assert_eq!(at(19, "time.pct.r7@95%"), Err("needs 20 frames, has 19".into()));
    assert_eq!(at(0, "avg.harmonic"), Err("needs 1 frame, has 0".into()));
    assert_eq!(at(1, "deviation.sample"), Err("needs 2 frames, has 1".into()));
}

#[test]
fn a_sampled_log_has_averages_and_no_tail() {
    let times = readings(&vec![10.0; 20_000]);
    let sampled = Basis { log: Log::Sampled, ..PLAIN };
    let sheet = Sheet::of(&Stream::of_times(sampled, &times));
    for row in &sheet.rows {
        let is_average = row.id.definition.family == Family::Average;
        let recorded = !matches!(row.value, Err(Withheld::NotRecorded(_)));
        assert!(!recorded || row.value.is_ok() == is_average, "{}: {:?}", row.id, row.value);
    }
    assert!(sheet.notes[0].starts_with("the log is sampled"));
}

#[test]
fn frames_without_a_usable_time_are_counted_and_left_out() {
    let mut times = readings(&[10.0, 0.0, 20.0, -1.0, f64::NAN, f64::INFINITY, 1e300]);
    times.push(Reading::Missing(Reason::NotAvailable));
    let sheet = Sheet::of(&Stream::of_times(PLAIN, &times));
    assert_eq!((sheet.frames, sheet.left_out), (2, LeftOut { missing: 1, zero: 1, impossible: 4 }));
    assert_eq!(
        sheet.notes,
        [
            "2 frames alone: one frame decides a median or an average of fewer than 10",
            "6 frames left out: 1 without a time, 1 of a time of 0, 4 of a time that no frame has"
        ]
    );
    // 10 and 20 ms did not follow each other.
    assert_eq!(sheet.find("pacing.step.8-12ms").unwrap().value, Err(Withheld::NoFrame));
}

#[test]
fn ids_are_read_strictly() {
    assert_eq!(find("low.pct.r7.time@0.1%").unwrap().needs(), 10_000);
    assert_eq!(find("low.worst.count@5%").unwrap().to_string(), "low.worst.count@5%");
    // The same number written otherwise is the same share.
    for text in ["low.worst.count@1.0%", "low.worst.count@1.000%"] {
        assert_eq!(find(text), find("low.worst.count@1%"));
    }
    for (text, said) in [
        ("1% low", "`1% low` names no definition: write one of avg.harmonic, "),
        ("avg.harmonic@1%", "`avg.harmonic` takes no share"),
        ("low.worst.count", "write its share behind it: `low.worst.count@1%`"),
        ("low.worst.count@1", "a share is a number between 0% and 100%"),
        ("low.worst.count@100%", "a share is a number"),
        ("low.worst.count@0%", "a share is a number"),
        ("low.worst.count@01%", "a share is a number"),
        ("low.worst.count@0.0001%", "a share is a number"),
        ("low.worst.count@\u{661}%", "a share is a number"),
        ("\u{1b}[31m", r"`\u{1b}[31m` names no definition"),
    ] {
        let fault = find(text).unwrap_err().to_string();
        assert!(fault.contains(said), "{text}: {fault}");
    }
}

/// Frame times with ties, long tails and steps.
fn frames() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(
        prop_oneof![4 => 1.0..40.0f64, 2 => (1..8_u8).prop_map(|it| f64::from(it) * 4.0), 1 => 40.0..4000.0f64],
        1..400,
    )
}

proptest! {
    #[test]
    fn averages_and_lows_keep_their_order(millis in frames(), share in 1..50_000_u32) {
        let share = Share::of_thousandths(share).unwrap();
        let times = readings(&millis);
        let data = Data::of(&Stream::of_times(PLAIN, &times));
        let of = |id: &str| raw(&data, find(&format!("{id}@{share}")).unwrap()).map(|it| it.value);
        let harmonic = average::harmonic(&data).unwrap().value;
        let arithmetic = average::arithmetic(&data).unwrap().value;
        let up = |value: f64| value * (1.0 + 1e-12);
        prop_assert!(harmonic <= up(arithmetic));
        // The mean of the worst is at most the border, and at most all.
        if let Some(worst) = of("low.worst.count") {
            prop_assert!(worst <= up(of("low.pct.r7.time").unwrap()));
            prop_assert!(worst <= up(of("low.worst.fpsmean").unwrap()));
            prop_assert!(worst <= up(harmonic));
            prop_assert!(of("low.worst.fpsmean").unwrap() <= up(arithmetic));
        }
        prop_assert!(of("low.worst.atleast").unwrap() <= up(harmonic));
        let border = quantile(&data.sorted, share.rest().part(), Method::R8).unwrap();
        prop_assert!(of("low.worst.atleast").unwrap() <= up(1e9 / border));
    }

    #[test]
    fn order_matters_to_stutter_pacing_and_adaptive_deviation_alone(millis in frames(), seed: u64) {
        let mut other = millis.clone();
        let mut state = seed;
        for i in (1..other.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            other.swap(i, usize::try_from(state >> 33).unwrap() % (i + 1));
        }
        for (one, two) in sheet(&millis).rows.iter().zip(&sheet(&other).rows) {
            let ordered = ["stutter.time", "pacing.", "deviation.adaptive."];
            if ordered.iter().any(|id| one.id.definition.id.starts_with(id)) {
                continue;
            }
            match (one.value, two.value) {
                (Ok(a), Ok(b)) => prop_assert!((a.value - b.value).abs() <= 1e-9 * a.value.abs(), "{}", one.id),
                (a, b) => prop_assert_eq!(a, b),
            }
        }
    }

    #[test]
    fn twice_the_times_are_half_the_rates(millis in frames()) {
        let times = readings(&millis);
        let twice: Vec<f64> = millis.iter().map(|ms| ms * 2.0).collect();
        let twice = readings(&twice);
        let [one, two] = [&times, &twice].map(|times| Data::of(&Stream::of_times(PLAIN, times)));
        for id in ids().filter(|id| !id.definition.id.starts_with("deviation.adaptive.")) {
            let (Some(a), Some(b)) = (raw(&one, id), raw(&two, id)) else { continue };
            let expected = match id.definition.unit {
                Unit::Fps => a.value / 2.0,
                Unit::Nanos => a.value * 2.0,
                // The moving average's window follows the times, steps fall into other bins.
                _ if id.definition.family == Family::Pacing || id.definition.id == "stutter.time" => continue,
                _ => a.value,
            };
            let near = (b.value - expected).abs() <= 1e-9 * expected.abs();
            prop_assert!(near, "{id}: {} and {}", a.value, b.value);
        }
    }

    #[test]
    fn nothing_endless_ever_comes_out(bits in prop::collection::vec(any::<u64>(), 0..60), sampled: bool) {
        let wild: Vec<Reading<f64>> =
            bits.iter().map(|bits| Reading::Measured(f64::from_bits(*bits))).collect();
        let log = if sampled { Log::Sampled } else { Log::PerFrame };
        let stream = Stream {
            displayed: &wild, animation_errors: &wild, gpu_busy: &wild, gpu_time: &wild,
            ..Stream::of_times(Basis { log, ..PLAIN }, &wild)
        };
        let (sheet, explanation) = tools::explain(&stream);
        let said = explanation.tools.iter().flat_map(|tool| &tool.rows).map(|row| row.value);
        let values = sheet.rows.iter().map(|row| row.value).chain(said);
        prop_assert!(values.flatten().all(|it| it.value.is_finite()));
        prop_assert!(!explanation.why.iter().any(|why| why.contains("NaN") || why.contains("inf")));
    }
}
