//! The page around the data, and what it may do. In: inert JSON. Out: HTML with a policy under which only the scripts and the
//! style of this repository run, and nothing is loaded from anywhere.

/// Apache ECharts, as its package has it; `assets/echarts/README.md` says which.
const ECHARTS: &str = include_str!("../../../assets/echarts/echarts.min.js");
/// Our own scripts, in the order in which they build on each other.
const SCRIPTS: [&str; 6] = [
    include_str!("../../../assets/report-parts.js"),
    include_str!("../../../assets/report-charts.js"),
    include_str!("../../../assets/report-frames.js"),
    include_str!("../../../assets/report-compare.js"),
    include_str!("../../../assets/report-history.js"),
    include_str!("../../../assets/report.js"),
];
const STYLE: &str = include_str!("../../../assets/report.css");

/// SHA-256 of the scripts, the library first, then of the style, as a browser compares them. A test says what they must be.
const HASHES: [&str; 8] = [
    "sha256-tmslrrTfhOMxmdwhaUAU0zbSIsvZ3rDlp8FL1qoND9A=",
    "sha256-FJxGfezmTYEo+YEDoaJSDnbsKM4meWiAXVRlcshYg4A=",
    "sha256-GkbawGXSJXqwa/gP5k9+xG2qEa3q0U9r0807U81S144=",
    "sha256-QHrZUu3Inmv79oUYYsyAdPvAxHPHHMX89g/F18G5qgs=",
    "sha256-6n16upP4Q+KC3BvXrEaiE8wgEkQVvvsiElMDW9/+oEQ=",
    "sha256-0q+ZmJugMLh0fqddgEzPu0yvEMpB5XM3UjzNgs6Hs4Q=",
    "sha256-u9S3ayHLywbMMcVXBW4ttnszMfdlU/8P6edEJJca+hY=",
    "sha256-K9NNbuK8ws0N4CAEu5PUPrLEBWtqnuJhV8FK69o7w/M=",
];

/// For readers whose browser runs no script.
const WITHOUT_SCRIPT: &str = "This report draws its charts with the scripts inside this file. Allow them, or write the report as \
     text: <code>framecost report CAPTURE --format markdown</code>.";

/// The whole page around the data.
pub(super) fn shell(data: &str) -> String {
    let sources: Vec<String> = HASHES.iter().map(|hash| format!("'{hash}'")).collect();
    let (style, scripts) = sources.split_last().map_or(("", &[][..]), |(style, scripts)| (style, scripts));
    let scripts_allowed = scripts.join(" ");
    let own: Vec<String> = SCRIPTS.iter().map(|script| format!("<script>{script}</script>\n")).collect();
    let own = own.concat();
    format!(
        "<!doctype html>\n\
         <html lang=\"en\">\n\
         <head>\n\
         <meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {scripts_allowed}; \
         style-src {style}; img-src data:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>framecost report</title>\n\
         <style>{STYLE}</style>\n\
         </head>\n\
         <body>\n\
         <noscript><p>{WITHOUT_SCRIPT}</p></noscript>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>{ECHARTS}</script>\n\
         {own}</body>\n\
         </html>\n"
    )
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    /// RFC 4648, section 4.
    fn base64(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for three in bytes.chunks(3) {
            let bits = (0..3).fold(0u32, |bits, i| bits << 8 | u32::from(three.get(i).copied().unwrap_or(0)));
            for i in 0..4 {
                let digit = DIGITS[(bits >> (18 - 6 * i) & 63) as usize];
                text.push(if i <= three.len() { char::from(digit) } else { '=' });
            }
        }
        text
    }

    #[test]
    fn the_policy_lists_the_hashes_of_what_the_page_holds() {
        assert_eq!(
            (base64(b"M"), base64(b"Ma"), base64(b"Man")),
            ("TQ==".into(), "TWE=".into(), "TWFu".into())
        );
        let held = std::iter::once(ECHARTS).chain(SCRIPTS).chain([STYLE]);
        let hashes: Vec<String> =
            held.map(|text| format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))).collect();
        assert_eq!(HASHES.to_vec(), hashes, "a script or the style changed: HASHES in policy.rs must say so");
    }

    #[test]
    fn nothing_that_the_page_holds_ends_its_own_element() {
        for text in std::iter::once(ECHARTS).chain(SCRIPTS) {
            let lower = text.to_lowercase();
            assert!(!lower.contains("</script") && !lower.contains("<!--"), "{}", &text[..80]);
        }
        assert!(!STYLE.to_lowercase().contains("</style"));
    }
}
