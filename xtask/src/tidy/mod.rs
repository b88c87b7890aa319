//! Tidy: checks of the structure that no compiler makes. In: the repository's files. Out: violations, each with the place
//! and the rule. The checks are functions over texts, so that each has a test that feeds it a violation.

mod crates;
mod documents;
mod edges;
mod example;
mod powers;
mod shape;
mod source;
mod tree;

use std::path::Path;

use anyhow::{Result, bail};

use tree::Tree;

/// Runs every check.
pub(crate) fn run(root: &Path) -> Result<()> {
    let tree = Tree::read(root)?;
    let violations = check(&tree)?;
    for violation in &violations {
        println!("    {violation}");
    }
    match violations.len() {
        0 => println!("    {} files in order", tree.files.len()),
        count => bail!("{count} violations of the rules in ARCHITECTURE.md"),
    }
    Ok(())
}

fn check(tree: &Tree) -> Result<Vec<String>> {
    let mut violations = crates::check(tree)?;
    violations.extend(edges::check(tree));
    violations.extend(powers::check(tree));
    violations.extend(shape::check(tree));
    violations.extend(documents::check(tree));
    violations.extend(example::check(tree));
    Ok(violations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_repository_is_tidy() {
        let tree = Tree::read(&crate::root().unwrap()).unwrap();
        assert!(tree.files.len() > 50, "the walk found only {} files", tree.files.len());
        assert_eq!(check(&tree).unwrap(), Vec::<String>::new());
    }
}
