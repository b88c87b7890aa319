//! Pictures of the reference scene on whatever adapter is here: `images` and `picture`. Without any adapter these fail, unless
//! `FRAMECOST_NO_ADAPTER=allow` says that this is known.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use common::{Done, Place, adapter};

/// A file's width, height and bytes.
fn png(path: &Path) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut bytes).unwrap();
    bytes.truncate(frame.buffer_size());
    (frame.width, frame.height, bytes)
}

fn files(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}

#[test]
fn culling_does_not_change_the_picture() {
    if !adapter("culling_does_not_change_the_picture") {
        return;
    }
    for (size, width, height) in [("97x41", 97, 41), ("1x1", 1, 1)] {
        let place = Place::new();
        let call = format!("images orrery --at 0,7 --vary culling=on,off --size {size}");
        let done = place.framecost(&call);
        assert_eq!(done.code, 0, "{done:?}");
        assert!(done.stdout.starts_with("IDENTICAL  2 frames, 2 variants\norrery "), "{}", done.stdout);
        let names = ["0-culling=off", "0-culling=on", "7-culling=off", "7-culling=on"];
        let names = names.map(|name| format!("orrery-{name}.png"));
        assert_eq!(files(&place.path("out/images")), names);
        let (wide, high, bytes) = png(&place.path("out/images/orrery-7-culling=off.png"));
        assert_eq!((wide, high), (width, height));
        assert_eq!(bytes, png(&place.path("out/images/orrery-7-culling=on.png")).2);
        let json: serde_json::Value =
            serde_json::from_str(&place.framecost(&format!("{call} --json")).stdout).unwrap();
        assert_eq!((&json["verdict"], &json["exit_code"]), (&"identical".into(), &0.into()));
        assert_eq!(json["reference"]["culling"], "on");
        let second = &json["frames"][1];
        assert_eq!(
            (&second["frame"], &second["reference_file"]),
            (&7.into(), &format!("out/images/{}", names[3]).into())
        );
        let other = &second["pictures"][0];
        assert_eq!((&other["switches"]["culling"], &other["pixels"]), (&"off".into(), &0.into()));
        assert!(other.get("difference_file").is_none() && other.get("largest").is_none(), "{other}");
    }
}

#[test]
fn a_picture_is_the_one_that_images_draws() {
    if !adapter("a_picture_is_the_one_that_images_draws") {
        return;
    }
    let place = Place::new();
    let done = place.framecost("picture orrery --at 7 --size 97x41 --set culling=off --out deep/a.png");
    assert_eq!((done.code, done.stdout.as_str()), (0, "picture: `deep/a.png`\n"), "{done:?}");
    assert_eq!(files(&place.path("deep")), ["a.png"]);
    let (width, height, bytes) = png(&place.path("deep/a.png"));
    assert_eq!((width, height), (97, 41));
    assert!(bytes.chunks(3).any(|pixel| pixel != &bytes[..3]), "it shows something");
    place.framecost("images orrery --at 7 --vary culling=on,off --size 97x41 --out other");
    assert_eq!(bytes, png(&place.path("other/orrery-7-culling=off.png")).2);
    let json = place.framecost("picture orrery --at 0 --size 8x8 --out b.png --json").stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["framecost_picture"], &json["file"]), (&1.into(), &"b.png".into()));
    assert_eq!(json["switches"]["culling"], "on", "the whole set, defaults too");
}

#[test]
fn what_cannot_be_is_wrong_use_and_draws_nothing() {
    let place = Place::new();
    let check = |arguments: &str| -> Done {
        let done = place.framecost(arguments);
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{arguments}: {done:?}");
        done
    };
    check("images orrery --at 0");
    check("images orrery --vary culling=on,off");
    check("images --at 0 --vary culling=on,off");
    check("images sky --at 0 --vary culling=on,off");
    check("images orrery --at 0 --vary culling=on,off --set culling=on");
    check("images orrery --at 0 --vary culling=on,maybe");
    check("images orrery --at -1 --vary culling=on,off");
    check("picture orrery --at 0");
    check("picture orrery --at 1,2 --out a.png");
    let said = |arguments: &str| check(arguments).stderr;
    insta::assert_snapshot!(said("images orrery --at 0 --vary culling=on"), @"error: --vary has one value; give each switch at least two, such as culling=on,off");
    insta::assert_snapshot!(said("images orrery --at 0,1800 --vary culling=on,off"), @"error: frame 1800; allowed: 0 to 1799, the path of scene `orrery`");
    insta::assert_snapshot!(said("images orrery --at 7,7 --vary culling=on,off"), @"error: frame 7 after 7; allowed: ascending frames, each once");
    insta::assert_snapshot!(said("images orrery --at 7 --vary lit_load=1,2,3,4 --vary bend_load=1,2,3,4,5"), @"error: variants 20; allowed: up to 16, since all are loaded at once");
    insta::assert_snapshot!(said("picture orrery --at 1800 --out a.png"), @"error: frame 1800; allowed: 0 to 1799, the path of scene `orrery`");
    assert!(!place.path("out").exists() && !place.path("a.png").exists(), "nothing was drawn");
}

#[test]
fn a_folder_that_cannot_be_written_to_is_found_before_anything_is_drawn() {
    let place = Place::new();
    place.write("file", "not a folder");
    let done = place.framecost("images orrery --at 0 --vary culling=on,off --out file/below");
    assert_eq!((done.code, done.stdout.as_str()), (3, ""), "{done:?}");
    assert!(done.stderr.contains("--out `file/below` cannot be written to"), "{done:?}");
    let no_such = place.framecost("images orrery --at 0 --vary culling=on,off --adapter no-such-adapter");
    assert_eq!(no_such.code, 3, "{no_such:?}");
    assert_eq!(files(&place.path("")), ["file"], "nothing was drawn, nothing is left");
}
