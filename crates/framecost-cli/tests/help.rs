//! Help, version, completions and the manual: all from one definition, all with exit code 0 on stdout.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::Place;

const COMMANDS: [&str; 19] = [
    "adapters",
    "bench",
    "report",
    "compare",
    "baseline",
    "config",
    "import",
    "explain",
    "ab",
    "calibrate",
    "selftest",
    "recount",
    "trace",
    "cost",
    "history",
    "images",
    "picture",
    "completions",
    "man",
];

#[test]
fn the_help_says_what_to_do_first_and_what_exit_codes_mean() {
    let help = Place::new().framecost("--help");
    assert_eq!((help.code, help.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(help.stdout, @r"
    Says what a rendered frame costs, how sure that is, and whether it changed

    Usage: framecost <COMMAND>

    Commands:
      adapters     What this machine can measure, and why not
      bench        Measure scenes: a report here, a capture of each run on disk
      report       Report what captures cost
      compare      Judge captures against a baseline and against budgets
      baseline     Keep runs to compare with
      config       What framecost.toml says, checked, and what of it applies to captures
      import       Take a capture that another tool wrote
      explain      What other tools would print for the same frames, and why they differ
      ab           Compare two builds, measured in turns
      calibrate    How far runs of the same work lie apart on this adapter
      selftest     What verdicts catch on this machine, and how often they cry wolf
      recount      Account a capture again under another rule, from its stored stamps
      trace        Draw captures as timelines, for Perfetto or chrome://tracing
      cost         What one pass costs: three readings that answer three questions
      history      What a figure did from revision to revision: steps, drifts, how sure
      images       Prove that switches leave the picture as it is
      picture      Draw one frame to a PNG file
      completions  Completions for a shell
      man          The manual as man pages
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help     Print help
      -V, --version  Print version

    A first run:
      framecost adapters                                 what this machine can measure
      framecost bench orrery --repeats 5 --out stored    measure a scene five times
      framecost baseline save stored/*.framecost         keep the runs to compare with
      framecost bench orrery                             measure again: report here, capture in out/
      framecost compare out/orrery.framecost             against the baseline of this scene and adapter

    Exit codes: 0 passes, 1 regressed or over a limit, 2 wrong use, 3 not measured, missing, damaged or
    undecided.
    ");
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in COMMANDS {
        let help = Place::new().framecost(&format!("{command} --help"));
        assert_eq!((help.code, help.stderr.as_str()), (0, ""), "{command}");
        assert!(help.stdout.contains(&format!("Usage: framecost {command}")), "{command}: {}", help.stdout);
        assert!(help.stdout.contains("Examples:\n  framecost "), "{command}: {}", help.stdout);
        if !["completions", "man", "trace"].contains(&command) {
            assert!(help.stdout.contains("--json"), "{command}: {}", help.stdout);
        }
    }
}

#[test]
fn the_help_of_report_says_that_it_never_fails_on_a_verdict() {
    let help = Place::new().framecost("report --help").stdout;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("never fails on one: the exit code is 0 whatever they say"), "{help}");
}

#[test]
fn the_version_names_revision_and_features() {
    let version = Place::new().framecost("--version");
    assert_eq!(version.code, 0);
    let (name, rest) = version.stdout.split_once(" (revision ").unwrap();
    assert_eq!(name, concat!("framecost ", env!("CARGO_PKG_VERSION")));
    let (revision, features) = rest.split_once(", ").unwrap();
    assert!(revision == "unknown" || revision.bytes().all(|b| b.is_ascii_hexdigit()), "{revision}");
    assert_eq!(features, "features: scenes)\n");
}

#[test]
fn completions_and_man_pages_name_the_commands() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let done = place.framecost(&format!("completions {shell}"));
        assert!(done.code == 0 && done.stdout.contains("recount"), "{shell}: {done:?}");
    }
    let page = place.framecost("man");
    assert!(page.code == 0 && page.stdout.contains(".TH framecost"), "{page:?}");
    assert_eq!(place.framecost("man --out pages").code, 0);
    for command in COMMANDS {
        assert!(place.path(&format!("pages/framecost-{command}.1")).is_file(), "{command}");
    }
}

#[test]
fn wrong_use_is_exit_code_2_with_the_reason_on_stderr() {
    let place = Place::new();
    for wrong in ["", "bemch", "bench --size 320", "bench --set lit", "report", "compare x --rule guess"] {
        let done = place.framecost(wrong);
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "`{wrong}`: {done:?}");
        assert!(!done.stderr.is_empty(), "`{wrong}`");
    }
}
