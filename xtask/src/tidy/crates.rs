//! Which crate may depend on which: the drawing in ARCHITECTURE.md as a table. In: the `Cargo.toml` files. Out: edges that the
//! table does not have.

use anyhow::{Context, Result};

use super::tree::{File, Tree};

/// What a crate may depend on when it is built; tests and benches are free.
struct Rule {
    name: &'static str,
    /// Crates of this repository.
    own: &'static [&'static str],
    /// Crates of others; none where only [`RESERVED`] binds.
    others: Option<&'static [&'static str]>,
}

const TABLE: &[Rule] = &[
    Rule { name: "framecost-sample", own: &[], others: Some(&["serde", "serde_json", "thiserror"]) },
    Rule { name: "framecost-probe", own: &["framecost-sample"], others: Some(&["thiserror"]) },
    Rule { name: "framecost-wgpu", own: &["framecost-sample", "framecost-probe"], others: None },
    Rule {
        name: "framecost",
        own: &["framecost-sample"],
        others: Some(&[
            "memchr",
            "multiversion",
            "prost",
            "quick-xml",
            "serde",
            "serde_json",
            "thiserror",
            "toml",
            "wide",
        ]),
    },
    Rule { name: "framecost-store", own: &["framecost-sample", "framecost"], others: None },
    Rule {
        name: "framecost-harness",
        own: &["framecost-sample", "framecost-probe", "framecost-wgpu"],
        others: None,
    },
    Rule {
        name: "framecost-scenes",
        own: &["framecost-sample", "framecost-probe", "framecost-wgpu", "framecost-harness"],
        others: None,
    },
    Rule {
        name: "framecost-cli",
        own: &[
            "framecost-sample",
            "framecost",
            "framecost-store",
            "framecost-harness",
            "framecost-wgpu",
            "framecost-scenes",
        ],
        others: None,
    },
    Rule { name: "own-scene", own: &["framecost-cli", "framecost-harness"], others: None },
    Rule { name: "framecost-fuzz", own: &["framecost"], others: None },
    Rule { name: "xtask", own: &[], others: None },
];

/// Crates of others that only some of ours may name, and why.
const RESERVED: &[(&str, &[&str], &str)] = &[
    ("wgpu", GPU_CRATES, "only the GPU crates name a GPU API"),
    ("ash", GPU_CRATES, "only the GPU crates name a GPU API"),
    ("parquet", &["framecost-store"], "only the store knows files"),
    ("clap", &["framecost-cli"], "only the command line has arguments"),
    ("anyhow", &["framecost-cli", "xtask"], "libraries have errors with a type"),
];

const GPU_CRATES: &[&str] = &["framecost-wgpu", "framecost-harness", "framecost-scenes", "own-scene"];

pub(super) fn check(tree: &Tree) -> Result<Vec<String>> {
    let mut violations = Vec::new();
    for manifest in tree.ending("Cargo.toml").filter(|file| file.path != "Cargo.toml") {
        violations.extend(check_manifest(manifest)?);
    }
    Ok(violations)
}

fn check_manifest(manifest: &File) -> Result<Vec<String>> {
    let path = &manifest.path;
    let table: toml::Table = manifest.text.parse().with_context(|| format!("cannot parse `{path}`"))?;
    let name = table.get("package").and_then(|package| package.get("name")).and_then(toml::Value::as_str);
    let name = name.with_context(|| format!("`{path}` names no package"))?;
    let Some(rule) = TABLE.iter().find(|rule| rule.name == name) else {
        return Ok(vec![format!(
            "{path}: crate `{name}` has no row in xtask/src/tidy/crates.rs; give it one"
        )]);
    };
    let edges = dependencies(&table);
    Ok(edges.iter().filter_map(|to| fault(rule, to)).map(|fault| format!("{path}: {fault}")).collect())
}

/// What a crate depends on when built, on any target.
fn dependencies(manifest: &toml::Table) -> Vec<String> {
    let plain = [manifest.get("dependencies"), manifest.get("build-dependencies")].into_iter().flatten();
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let of_targets = targets.into_iter().flat_map(|targets| targets.values());
    let tables = plain.chain(of_targets.filter_map(|target| target.get("dependencies")));
    tables.filter_map(toml::Value::as_table).flat_map(|table| table.keys().cloned()).collect()
}

fn fault(rule: &Rule, to: &str) -> Option<String> {
    let name = rule.name;
    if TABLE.iter().any(|other| other.name == to) {
        return (!rule.own.contains(&to))
            .then(|| format!("{name} must not depend on {to}; it may on: {}", list(rule.own)));
    }
    if let Some((_, allowed, why)) = RESERVED.iter().find(|row| row.0 == to && !row.1.contains(&name)) {
        return Some(format!("{name} must not depend on {to}: {why} ({})", list(allowed)));
    }
    let allowed = rule.others?;
    (!allowed.contains(&to)).then(|| format!("{name} must not depend on {to}; it may on: {}", list(allowed)))
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violations(name: &str, dependencies: &str) -> Vec<String> {
        let manifest = format!("[package]\nname = \"{name}\"\n{dependencies}");
        check(&Tree::of(&[("crates/x/Cargo.toml", &manifest)])).unwrap()
    }

    #[test]
    fn an_edge_that_the_table_lacks_is_named() {
        let found = violations("framecost", "[dependencies]\nframecost-store.workspace = true");
        assert_eq!(
            found,
            [
                "crates/x/Cargo.toml: framecost must not depend on framecost-store; it may on: framecost-sample"
            ]
        );
        assert!(
            violations("framecost-store", "[dependencies]\nframecost-sample.workspace = true").is_empty()
        );
    }

    #[test]
    fn a_gpu_api_stays_in_the_gpu_crates() {
        let found = violations("framecost-cli", "[target.'cfg(unix)'.dependencies]\nash = \"1\"");
        assert!(found[0].contains("only the GPU crates name a GPU API"), "{found:?}");
        assert_eq!(violations("framecost-sample", "[build-dependencies]\nrand = \"1\"").len(), 1);
        assert!(violations("framecost", "[dev-dependencies]\nrand = \"1\"").is_empty(), "tests are free");
    }

    #[test]
    fn a_new_crate_needs_a_row() {
        assert!(violations("framecost-new", "")[0].contains("has no row"));
    }
}
