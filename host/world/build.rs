//! Writes the table of what each interface in `wit/` defines, so that no program parses them when it starts.
//!
//! Items marked `@unstable` are not in it: the parser leaves them out, and nothing links them.

#![allow(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use wit_parser::Resolve;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=wit");
    let mut contract = Resolve::default();
    contract.push_dir(PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("wit"))?;
    let mut table: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (id, interface) in &contract.interfaces {
        // Interfaces without a name are written inside worlds, where nothing names them.
        if let Some(name) = contract.id_of(id) {
            table.insert(name, interface.functions.keys().chain(interface.types.keys()).map(String::as_str).collect());
        }
    }
    let rows: String = table.iter().map(|(name, items)| format!("    ({name:?}, &{:?}),\n", Vec::from_iter(items))).collect();
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("wit.rs"), format!("&[\n{rows}]\n"))?;
    Ok(())
}
