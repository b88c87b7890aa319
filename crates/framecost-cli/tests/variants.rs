//! What a switch adds, behind the command line: captures of two variants in, differences and exit codes out.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{Done, Place, Scene};

fn scene(rays: &'static [(&'static str, &'static str)], lit: u64) -> Scene {
    Scene { lit, switches: rays, ..Scene::default() }
}

const ON: &[(&str, &str)] = &[("shadow_rays", "on")];
const OFF: &[(&str, &str)] = &[("shadow_rays", "off")];

/// Rays that take 2 ms of lit.
fn place() -> Place {
    let place = Place::new();
    place.put("on.framecost", &scene(ON, 7_000).capture());
    place.put("off.framecost", &scene(OFF, 5_000).capture());
    place
}

fn json(done: &Done) -> serde_json::Value {
    serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"))
}

fn budget(of: &str, limit: &str) -> String {
    format!(
        "[[budget]]\nname = \"rays\"\nof = \"difference/{of}\"\nscene = \"town\"\nsize = \"any\"\n\
         statistic = \"median\"\nlimit = \"{limit}\"\nadapter = \"any\"\n"
    )
}

#[test]
fn a_report_over_two_variants_says_what_the_switch_adds() {
    let place = place();
    let text = place.framecost("report off.framecost on.framecost");
    assert_eq!(text.code, 0, "{text:?}");
    let (_, section) = text.stdout.split_once("\ndifference ").unwrap();
    insta::assert_snapshot!(section, @r"
    shadow_rays on - off
    town 2560x1440
    paired frame by frame, may lie below zero: what the switch changes anywhere in the frame, no pass's time
                          median       p95      mean  pairs  without partner
      gpu_total         2.000 ms  2.000 ms  2.000 ms    100                0
      gate/opaque       2.000 ms                        100                0
      duration/culling      0 ns                        100                0
      duration/lit      2.000 ms                        100                0
    ");
    let markdown = place.framecost("report off.framecost on.framecost --format markdown").stdout;
    assert!(markdown.contains("### `difference shadow_rays on - off`"), "{markdown}");
    let value = json(&place.framecost("report off.framecost on.framecost --json"));
    assert_eq!(value["differences"][0]["figures"][0]["median"], 2e6);
    let one = json(&place.framecost("report on.framecost --json"));
    assert_eq!(one.get("differences"), None, "one variant has none");
}

#[test]
fn what_a_switch_adds_is_compared_with_what_it_added_to_both_baselines() {
    let place = place();
    assert_eq!(place.framecost("baseline save twin/on.framecost").code, 0);
    place.put("more.framecost", &scene(ON, 7_300).capture());
    let one_sided = place.framecost("compare more.framecost off.framecost --json");
    let skipped = &json(&one_sided)["differences"][0]["verdict"]["rows"][0];
    assert_eq!(
        (&skipped["verdict"], &skipped["reason"]),
        (&"skipped".into(), &"no baseline of shadow_rays=off".into())
    );
    assert_eq!(place.framecost("baseline save twin/off.framecost").code, 0);
    // The frame grew by 4 % and passes, rays by 15 % and fail.
    let done = place.framecost("compare more.framecost off.framecost --json");
    assert_eq!(done.code, 1, "{done:?}");
    let value = json(&done);
    assert_eq!((&value["overall"]["differences"], &value["overall"]["regressed"]), (&1.into(), &1.into()));
    let row = &value["differences"][0]["verdict"]["rows"][0];
    assert_eq!(
        (&row["verdict"], &row["current"], &row["baseline"]),
        (&"fail".into(), &2.3e6.into(), &2e6.into())
    );
    assert_eq!(place.framecost("compare on.framecost off.framecost").code, 0);
}

#[test]
fn a_budget_on_a_difference_is_a_gate() {
    let place = place();
    for (of, limit, code) in
        [("shadow_rays", "2 ms", 0), ("shadow_rays", "1.9 ms", 1), ("shadow_ray", "2 ms", 3)]
    {
        place.write("budget.toml", &budget(of, limit));
        let done = place.framecost("compare on.framecost off.framecost --config budget.toml");
        assert_eq!(done.code, code, "{of} {limit}: {done:?}");
    }
    place.write("budget.toml", &budget("shadow_rays", "2 ms"));
    let alone = place.framecost("compare on.framecost --config budget.toml");
    assert_eq!(alone.code, 3, "nothing was compared: {alone:?}");
    assert!(alone.stdout.contains("which takes captures of two values; given: shadow_rays=on"), "{alone:?}");
    // A baseline that somebody names is one for both variants, so that nothing lies between it and itself.
    let named = place.framecost("compare on.framecost off.framecost --baseline twin/off.framecost --json");
    assert_eq!(json(&named)["differences"][0]["verdict"]["rows"][0]["verdict"], "skipped", "{named:?}");
}
