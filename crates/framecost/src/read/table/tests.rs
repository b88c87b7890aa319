//! The engine on whatever a file may hold: parts cut anywhere, damage of every kind, bounds, and bytes of no sense at all.

use proptest::prelude::*;

use crate::read::log::Cell;
use crate::read::{
    Damage, Encoding, Keep, MOST_LINE, MOST_STREAMS, Options, Part, Plan, Quantity, Quarantine, ReadError,
    read,
};

const HEADER: &str =
    "Application,ProcessID,SwapChainAddress,Runtime,Dropped,TimeInSeconds,MsBetweenPresents,PresentMode\n";

/// A row; 64 a second, so that sums of its numbers are exact and tell nothing of the order in which they were added.
fn row(stream: u64, at: u64) -> String {
    let mode = ["Composed: Flip", "Hardware: Independent Flip"][usize::from(at.is_multiple_of(3))];
    format!("game{stream}.exe,{stream},0x{stream:X},DXGI,0,{:.6},15.625,{mode}\n", at as f64 / 64.0)
}

fn rows(count: u64) -> String {
    (0..count).map(|at| row(at % 3, at)).collect()
}

fn fault(text: &str) -> ReadError {
    read(text.as_bytes(), &Options::default()).unwrap_err()
}

proptest! {
    #[test]
    fn parts_cut_anywhere_make_one_log(cuts in prop::collection::vec(0_usize..6000, 0..12), crlf in any::<bool>(), keep_all in any::<bool>()) {
        let mut text = format!("{HEADER}{}\nbroken\n{}", rows(60), rows(40));
        if crlf {
            text = text.replace('\n', "\r\n");
        }
        let keep = if keep_all { Keep::All } else { Keep::LEAST };
        let options = Options { keep, ..Options::default() };
        let whole = read(text.as_bytes(), &options).unwrap();
        let plan = Plan::new(text.as_bytes(), Encoding::Plain, &options).unwrap();
        let body = &text.as_bytes()[plan.body()..];
        let mut cuts: Vec<usize> = cuts.into_iter().filter_map(|cut| Some(cut + 1 + body.get(cut..)?.iter().position(|byte| *byte == b'\n')?)).collect();
        cuts.extend([0, body.len()]);
        cuts.sort_unstable();
        let parts: Vec<Part> = cuts.windows(2).map(|cut| plan.part(&body[cut[0]..cut[1]])).collect();
        let merged = parts.into_iter().fold(Part::default(), Part::then);
        prop_assert!(plan.finish(merged).unwrap() == whole);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = read(&bytes, &Options::default());
        let after_header = [HEADER.as_bytes(), &bytes].concat();
        let _ = read(&after_header, &Options { most_damaged: 1.0, ..Options::default() });
    }

    #[test]
    fn no_fields_make_it_panic(text in "([-0-9a-fA-FxNA.,;:\"/ \r\n\t\u{0}]|[1-9][0-9]{0,30}){0,300}") {
        let _ = read(format!("{HEADER}{}{text}", rows(3)).as_bytes(), &Options { most_damaged: 1.0, ..Options::default() });
        let _ = read(text.as_bytes(), &Options::default());
    }
}

#[test]
fn few_damaged_rows_are_set_aside_with_line_column_and_what_is_allowed() {
    let text = format!(
        "{HEADER}{}\ngame0.exe,0,0x0,DXGI,0,oops,16.000,Other\ngame0.exe,0\ngame0.exe,zero,0x0,DXGI,0,1,1,Other\n{}",
        rows(30),
        rows(1)
    );
    let log = read(text.as_bytes(), &Options::default()).unwrap();
    let told: Vec<String> = log.quarantine.rows.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "line 33, column 6: TimeInSeconds is `oops`; allowed: a number",
            "line 34: 2 fields, too few fields; allowed: 8",
            "line 35, column 2: ProcessID is `zero`; allowed: a whole number, or a hexadecimal one after `0x`",
        ]
    );
    assert_eq!((log.rows(), log.quarantine.total()), (31, 3));
    assert_eq!(log.quarantine.salvaged.len(), 1, "one row names its stream and has a frame time");
    assert_eq!(log.streams[0].lines[..2], [2, 36], "equal times stay in the order of the file");
}

#[test]
fn much_damage_is_refused_and_the_first_rows_are_told() {
    let bad = "game0.exe,0,0x0,DXGI,0,\u{1b}[2J,16.000,Other\n".repeat(9);
    let fault = fault(&format!("{HEADER}{}{bad}", rows(30))).to_string();
    let told = "9 of 39 rows are damaged, more than are set aside; the first: line 32, column 6: TimeInSeconds is `\\u{1b}[2J`; allowed: a number; line 33, ";
    assert!(fault.starts_with(told), "{fault}");
}

#[test]
fn a_flood_of_damage_is_counted_and_not_kept() {
    let text = format!("{HEADER}{}{}", rows(3), "game0.exe,0\n".repeat(5000));
    let log = read(text.as_bytes(), &Options { most_damaged: 1.0, ..Options::default() }).unwrap();
    assert_eq!(log.quarantine.counts[&Damage::TooFewFields], 5000);
    assert_eq!(log.quarantine.rows.len(), Quarantine::MOST);
}

#[test]
fn decimal_commas_between_commas_are_refused_in_plain_words() {
    let text = format!("{HEADER}{}", rows(30).replace('.', ",").replace(",exe", ".exe"));
    let told = "line 2 has 10 fields where the header has 8: it seems that numbers have a decimal comma, which cannot be told from the \
                comma between fields; allowed: decimal points, or `;` between fields";
    assert_eq!(fault(&text).to_string(), told);
}

#[test]
fn decimal_commas_between_semicolons_are_numbers() {
    let comma = format!("{HEADER}{}", rows(30));
    let semicolon = comma.replace(',', ";").replace('.', ",").replace(",exe", ".exe");
    let (comma, semicolon) = (
        read(comma.as_bytes(), &Options::default()).unwrap(),
        read(semicolon.as_bytes(), &Options::default()).unwrap(),
    );
    assert!(comma == semicolon);
    let mixed =
        format!("{}{}", HEADER.replace(',', ";"), "game0.exe;0;0x0;DXGI;0;0,5;16.000;Other\n".repeat(9));
    assert!(
        fault(&mixed).to_string().contains("MsBetweenPresents is `16.000`; allowed: a number"),
        "a point among commas is doubtful"
    );
}

#[test]
fn blanks_around_fields_and_blank_lines_are_nothing() {
    let text = format!(
        "\n{}\n game0.exe , 0 , 0x0 ,DXGI, 0 , 0.016 , 16.000 ,Other\n\n   \n",
        HEADER.replace(',', " , ")
    );
    let log = read(text.as_bytes(), &Options::default()).unwrap();
    assert_eq!((log.rows(), log.quarantine.total()), (1, 0));
    assert_eq!(log.streams[0].lines, [4]);
    assert_eq!(
        log.streams[0].cell(0, log.quantity(Quantity::PresentedInterval).unwrap().0),
        Some(Cell::Value(16.0))
    );
}

#[test]
fn a_line_without_end_is_refused_with_its_number() {
    let long = "x".repeat(MOST_LINE + 1);
    assert_eq!(fault(&format!("{HEADER}{}{long}\n{}", rows(5), rows(5))), ReadError::LongLine { line: 7 });
    assert_eq!(fault(&long), ReadError::LongLine { line: 1 });
    let columns = "a,".repeat(5000);
    assert!(fault(&columns).to_string().contains("more than 1024 columns"));
}

#[test]
fn streams_are_bounded() {
    let most = MOST_STREAMS as u64;
    let some: String = (0..most + 5).map(|stream| row(stream, 1)).collect();
    let log = read(format!("{HEADER}{some}").as_bytes(), &Options::default()).unwrap();
    assert_eq!((log.streams.len(), log.quarantine.counts[&Damage::TooManyStreams]), (MOST_STREAMS, 5));
    let many: String = (0..2 * most).map(|stream| row(stream, 1)).collect();
    assert!(matches!(fault(&format!("{HEADER}{many}")), ReadError::TooMany(_)));
}

#[test]
fn zero_bytes_and_odd_bytes_are_damage_where_they_stand_in_numbers() {
    let text = format!("{HEADER}{}game0.exe,0,0x0,DXGI,0,0.0\u{0}16,16.000,Other\n", rows(30));
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(b"g\xffme.exe,9,0x0,DXGI,0,0.016,16.000,Other\n");
    let log = read(&bytes, &Options::default()).unwrap();
    assert_eq!(
        log.quarantine.rows[0].to_string(),
        "line 32, column 6: TimeInSeconds is `0.0\\016`; allowed: a number"
    );
    assert_eq!(log.streams.last().unwrap().id.application, "g\u{fffd}me.exe");
}

#[test]
fn the_last_line_needs_no_end_and_texts_no_number() {
    let text = format!("{HEADER}{}", rows(3));
    let log = read(text.trim_end().as_bytes(), &Options::default()).unwrap();
    assert_eq!(log.rows(), 3);
    let mode = log.columns.iter().find(|column| column.name == "PresentMode").unwrap();
    assert_eq!(mode.texts, ["Hardware: Independent Flip", "Composed: Flip"]);
}

#[test]
fn no_header_makes_streams_fill_memory() {
    let more: String = (0..900).map(|column| format!(",c{column}")).collect();
    let rows: String =
        (0..400).map(|stream| format!("{}{}\n", row(stream, 1).trim_end(), ",1".repeat(900))).collect();
    let text = format!("{}{more}\n{rows}", HEADER.trim_end());
    let log = read(text.as_bytes(), &Options { most_damaged: 1.0, ..Options::default() }).unwrap();
    assert_eq!((log.streams.len(), log.quarantine.total()), (288, 112));
    assert!(log.quarantine.rows[0].found.ends_with("allowed: 288 streams"), "{}", log.quarantine.rows[0]);
}

#[test]
fn texts_are_listed_as_the_file_has_them_though_rows_are_typed_stream_by_stream() {
    let row = |stream: u64, mode: &str| format!("game{stream}.exe,{stream},0x0,DXGI,0,1.0,16.0,{mode}\n");
    let text = [HEADER.to_owned(), row(1, "A"), row(2, "B"), row(1, "C"), row(2, "A")].concat();
    let log = read(text.as_bytes(), &Options::default()).unwrap();
    let column = log.columns.iter().position(|column| column.name == "PresentMode").unwrap();
    assert_eq!(log.columns[column].texts, ["A", "B", "C"]);
    let values = |stream: usize| -> Vec<_> { log.streams[stream].cells[column].iter().collect() };
    assert_eq!(values(0), [Cell::Value(0.0), Cell::Value(2.0)]);
    assert_eq!(values(1), [Cell::Value(1.0), Cell::Value(0.0)]);
}
