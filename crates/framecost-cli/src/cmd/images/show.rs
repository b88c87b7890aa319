//! What `framecost images` found, for people and for programs. In: the pictures that were compared. Out: the verdict, then
//! frame by frame each variant, how far it is from the reference, and what lies where it differs first.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Result;
use framecost::{counted, some_of};
use framecost_harness::Apart;
use serde::Serialize;

use super::{Found, Row, Verdict};
use crate::App;
use crate::exit::Exit;
use crate::output::{clean, quoted};

/// Things behind a pixel that a line has room for.
const MOST_BEHIND: usize = 6;

/// The verdict on one line.
fn headline(found: &Found) -> String {
    let frames = found.rows.iter().filter(|row| row.variant == 0).count();
    let compared = found.rows.len() - frames;
    let of =
        format!("{}, {}", counted(frames as u64, "frame"), counted(found.variants.len() as u64, "variant"));
    let differ = found.apart().count();
    let verb = if differ == 1 { "differs" } else { "differ" };
    let differing = format!("{differ} of {compared} pictures {verb} from the reference's: {of}");
    let allowance =
        |allowed| format!("the allowance of {} a frame (software adapter)", counted(allowed, "pixel"));
    match (found.verdict(), found.allowed) {
        (Verdict::Identical, _) => format!("IDENTICAL  {of}"),
        (Verdict::Within(allowed), _) => {
            let allowance = allowance(allowed).replacen("the allowance", "THE ALLOWANCE", 1);
            format!("WITHIN {allowance}  {differing}")
        }
        (Verdict::Different, None) => format!("DIFFERENT  {differing}"),
        (Verdict::Different, Some(allowed)) => {
            let past = found.apart().filter(|apart| apart.difference.pixels > allowed).count();
            format!("DIFFERENT  {past} past {}; {differing}", allowance(allowed))
        }
    }
}

pub(super) fn text(found: &Found) -> String {
    let drawer = &found.drawer;
    let (scene, adapter) = (clean(&found.scene), clean(&drawer.name));
    let names: Vec<String> = found.variants.iter().map(|(asked, _)| clean(&asked.to_string())).collect();
    let reference = names.first().map_or("", String::as_str);
    let mut text = format!(
        "{}\n{scene} {}, {adapter} ({}), {}; the reference is {reference}\n",
        headline(found),
        found.size,
        drawer.class,
        drawer.backend
    );
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default().max("variant".len());
    for row in &found.rows {
        if row.variant == 0 {
            // Writing to a `String` cannot fail.
            let _ = writeln!(text, "\nframe {}", row.frame);
            let _ = writeln!(text, "  {:<width$}  pixels  largest  first        file", "variant");
        }
        let name = names.get(row.variant).map_or("", String::as_str);
        let (pixels, largest, first) = match (&row.apart, row.variant) {
            (_, 0) => ("".to_owned(), "".to_owned(), "reference".to_owned()),
            (None, _) => ("0".to_owned(), "".to_owned(), "same".to_owned()),
            (Some((apart, _)), _) => {
                let (x, y) = apart.difference.first;
                (
                    apart.difference.pixels.to_string(),
                    apart.difference.largest.to_string(),
                    format!("{x}, {y}"),
                )
            }
        };
        let file = quoted(&row.file);
        let _ = writeln!(text, "  {name:<width$}  {pixels:>6}  {largest:>7}  {first:<11}  {file}");
        if let Some((apart, difference)) = &row.apart {
            let (x, y) = apart.difference.first;
            let _ = writeln!(text, "    difference: {}", quoted(difference));
            let _ = writeln!(text, "    behind {x}, {y} by {reference}: {}", behind(&apart.behind_reference));
            let _ = writeln!(text, "    behind {x}, {y} by {name}: {}", behind(&apart.behind));
        }
    }
    text
}

fn behind(things: &[String]) -> String {
    if things.is_empty() {
        return "the scene does not say".into();
    }
    clean(&some_of(things, MOST_BEHIND, "thing"))
}

#[derive(Serialize)]
struct Answer<'a> {
    framecost_images: u32,
    verdict: &'static str,
    exit_code: u8,
    scene: &'a str,
    size: [u32; 2],
    adapter: &'a str,
    adapter_class: &'static str,
    backend: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    allow_pixels: Option<u64>,
    reference: &'a BTreeMap<String, String>,
    frames: Vec<OfFrame<'a>>,
}

#[derive(Serialize)]
struct OfFrame<'a> {
    frame: u64,
    reference_file: String,
    pictures: Vec<OfPicture<'a>>,
}

#[derive(Serialize)]
struct OfPicture<'a> {
    switches: &'a BTreeMap<String, String>,
    file: String,
    /// How many pixels differ.
    pixels: u64,
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    apart: Option<OfApart<'a>>,
}

#[derive(Serialize)]
struct OfApart<'a> {
    largest: u8,
    first: [u32; 2],
    behind_reference: &'a [String],
    behind: &'a [String],
    difference_file: String,
}

pub(super) fn json(found: &Found, app: &App<'_>) -> Result<()> {
    let verdict = found.verdict();
    let mut frames: Vec<OfFrame<'_>> = Vec::new();
    for row in &found.rows {
        let file = row.file.to_string_lossy().into_owned();
        match (row.variant, frames.last_mut()) {
            (0, _) | (_, None) => {
                frames.push(OfFrame { frame: row.frame, reference_file: file, pictures: Vec::new() });
            }
            (_, Some(frame)) => frame.pictures.extend(of_picture(found, row, file)),
        }
    }
    let Some((_, reference)) = found.variants.first() else { return Ok(()) };
    app.out.print_json(&Answer {
        framecost_images: 1,
        verdict: match verdict {
            Verdict::Identical => "identical",
            Verdict::Within(_) => "within the allowance",
            Verdict::Different => "different",
        },
        exit_code: Exit::from(verdict) as u8,
        scene: &found.scene,
        size: [found.size.width, found.size.height],
        adapter: &found.drawer.name,
        adapter_class: found.drawer.class,
        backend: &found.drawer.backend,
        allow_pixels: found.allowed,
        reference: &reference.0,
        frames,
    })
}

fn of_picture<'a>(found: &'a Found, row: &'a Row, file: String) -> Option<OfPicture<'a>> {
    let (_, switches) = found.variants.get(row.variant)?;
    let pixels = row.apart.as_ref().map_or(0, |(apart, _)| apart.difference.pixels);
    let apart = row.apart.as_ref().map(|(apart, file)| {
        let Apart { difference, behind_reference, behind } = apart;
        let (x, y) = difference.first;
        OfApart {
            largest: difference.largest,
            first: [x, y],
            behind_reference,
            behind,
            difference_file: file.to_string_lossy().into_owned(),
        }
    });
    Some(OfPicture { switches: &switches.0, file, pixels, apart })
}

#[cfg(test)]
mod tests {
    use super::*;
    use framecost_harness::Difference;
    use framecost_sample::{Size, Switches};

    use crate::cmd::images::Drawer;

    /// Two frames of two variants; the second's differ in so many pixels.
    fn found(allowed: Option<u64>, pixels: [u64; 2]) -> Found {
        let set = |value: &str| Switches([("cull\u{1b}ing".to_owned(), value.to_owned())].into());
        let row = |frame: usize, variant| {
            let difference = Difference { pixels: pixels[frame], largest: 9, first: (30, 4) };
            let behind = vec!["instance 7 (mesh \u{202e}2)".to_owned(); 8];
            let apart = Apart { difference, behind_reference: Vec::new(), behind };
            let file = format!("out/town-{frame}-{variant}.png").into();
            let differs = variant == 1 && pixels[frame] > 0;
            Row { frame: frame as u64, variant, file, apart: differs.then(|| (apart, "out/d.png".into())) }
        };
        Found {
            scene: "town".into(),
            size: Size { width: 64, height: 36 },
            drawer: Drawer { name: "Some\u{9b}GPU".into(), class: "cpu", backend: "vulkan".into() },
            allowed,
            variants: ["on", "off"].map(|value| (set(value), set(value))).into(),
            rows: vec![row(0, 0), row(0, 1), row(1, 0), row(1, 1)],
        }
    }

    #[test]
    fn the_first_line_is_the_verdict() {
        let shown = |allowed, pixels| {
            let found = found(allowed, pixels);
            format!("{}: {}", Exit::from(found.verdict()) as u8, headline(&found))
        };
        insta::assert_snapshot!(shown(None, [0, 0]), @"0: IDENTICAL  2 frames, 2 variants");
        insta::assert_snapshot!(shown(Some(3), [0, 0]), @"0: IDENTICAL  2 frames, 2 variants");
        insta::assert_snapshot!(shown(None, [0, 1]), @"1: DIFFERENT  1 of 2 pictures differs from the reference's: 2 frames, 2 variants");
        insta::assert_snapshot!(shown(Some(1), [1, 1]), @"0: WITHIN THE ALLOWANCE of 1 pixel a frame (software adapter)  2 of 2 pictures differ from the reference's: 2 frames, 2 variants");
        insta::assert_snapshot!(shown(Some(1), [1, 2]), @"1: DIFFERENT  1 past the allowance of 1 pixel a frame (software adapter); 2 of 2 pictures differ from the reference's: 2 frames, 2 variants");
        insta::assert_snapshot!(shown(Some(0), [0, 1]), @"1: DIFFERENT  1 past the allowance of 0 pixels a frame (software adapter); 1 of 2 pictures differs from the reference's: 2 frames, 2 variants");
    }

    #[test]
    fn each_picture_has_its_line_and_nothing_acts_on_a_terminal() {
        let text = text(&found(None, [0, 12]));
        assert!(!text.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'), "{text:?}");
        insta::assert_snapshot!(text, @r"
        DIFFERENT  1 of 2 pictures differs from the reference's: 2 frames, 2 variants
        town 64x36, Some\u{9b}GPU (cpu), vulkan; the reference is cull\u{1b}ing=on

        frame 0
          variant            pixels  largest  first        file
          cull\u{1b}ing=on                    reference    `out/town-0-0.png`
          cull\u{1b}ing=off       0           same         `out/town-0-1.png`

        frame 1
          variant            pixels  largest  first        file
          cull\u{1b}ing=on                    reference    `out/town-1-0.png`
          cull\u{1b}ing=off      12        9  30, 4        `out/town-1-1.png`
            difference: `out/d.png`
            behind 30, 4 by cull\u{1b}ing=on: the scene does not say
            behind 30, 4 by cull\u{1b}ing=off: instance 7 (mesh \u{202e}2), instance 7 (mesh \u{202e}2), instance 7 (mesh \u{202e}2), instance 7 (mesh \u{202e}2), instance 7 (mesh \u{202e}2), instance 7 (mesh \u{202e}2), and 2 more things
        ");
    }
}
