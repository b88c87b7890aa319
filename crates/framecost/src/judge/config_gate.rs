//! Gates that `framecost.toml` declares beside a scene's own. In: `[[gate]]` entries and a capture. Out: the capture with those
//! gates, accounted and judged like any other.

use framecost_sample::{Capture, GateDef};

use super::{Config, ConfigError, Place};

/// A span of passes that is judged as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredGate {
    /// Its name, which no gate of the scene has.
    pub name: String,
    /// The scene whose captures have it; none for every scene that has both passes.
    pub scene: Option<String>,
    /// The pass that opens it.
    pub from: String,
    /// The last pass that may close it.
    pub to: String,
    /// Where its name stands in the text; none where a program made it.
    pub place: Option<Place>,
}

impl Config {
    /// The capture with the gates that the configuration declares for it.
    ///
    /// # Errors
    /// The scene has a gate of that name, or of the scene that is named lacks a pass, or the opening pass comes after the
    /// closing one.
    pub fn with_gates(&self, capture: Capture) -> Result<Capture, ConfigError> {
        let scene = capture.key.scene.clone();
        let due = self.gates.iter().filter(|gate| gate.scene.as_ref().is_none_or(|own| *own == scene));
        let mut parts: Option<framecost_sample::CaptureParts> = None;
        for gate in due {
            let fault = |cause: String| {
                let Place { line, column } = gate.place.unwrap_or(Place { line: 1, column: 1 });
                let cause = format!(
                    "gate `{}` over scene `{}`: {cause}",
                    gate.name.escape_debug(),
                    scene.escape_debug()
                );
                ConfigError { line, column, cause }
            };
            let [from, to] = match [&gate.from, &gate.to].map(|pass| capture.pass_named(pass)) {
                [Some(from), Some(to)] => [from, to],
                // An entry for any scene is for those that have its passes.
                _ if gate.scene.is_none() => continue,
                found => {
                    let absent = if found[0].is_none() { &gate.from } else { &gate.to };
                    let has: Vec<&str> = capture.passes.iter().map(|pass| pass.name.as_str()).collect();
                    let absent = absent.escape_debug();
                    return Err(fault(format!(
                        "there is no pass `{absent}`; the capture's passes are {}",
                        has.join(", ").escape_debug()
                    )));
                }
            };
            if from > to {
                let (from, to) = (gate.from.escape_debug(), gate.to.escape_debug());
                return Err(fault(format!(
                    "it opens with `{from}`, which comes after `{to}`; the opening pass comes first or is the same"
                )));
            }
            let parts = parts.get_or_insert_with(|| capture.clone().into_parts());
            if parts.gates.iter().any(|other| other.name == gate.name) {
                return Err(fault("the capture has a gate of that name already; each has its own".into()));
            }
            parts.gates.push(GateDef { name: gate.name.clone(), from, to });
        }
        match parts {
            None => Ok(capture),
            Some(parts) => {
                let place =
                    self.gates.first().and_then(|gate| gate.place).unwrap_or(Place { line: 1, column: 1 });
                Capture::new(parts).map_err(|error| ConfigError {
                    line: place.line,
                    column: place.column,
                    cause: error.to_string(),
                })
            }
        }
    }
}
