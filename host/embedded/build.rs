//! Puts the built components into this crate: compressed, with a table of what they are.
//!
//! They come from `target/components` (written by `toolchain/build-components`), or from the folder that
//! `WISP_COMPONENTS_DIR` names. Without any the build succeeds, warns, and the program says at run time what is missing.

#![allow(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use wisp_components::{Component, ComponentError, Components};

/// Level 19 takes a minute for Python and gains a tenth; this one takes two seconds.
const LEVEL: i32 = 9;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=WISP_COMPONENTS_DIR");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let folder = components_folder()?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut table = String::from("&[\n");
    let mut kept = vec![out.join("components.rs")];
    match Components::from_folder(&folder) {
        Ok(components) => {
            for component in components.list() {
                entry(&mut table, component, &out, &mut kept)?;
            }
        }
        Err(ComponentError::Empty { place }) => {
            println!("cargo::warning={place} has no components: this build runs nothing by itself; run `toolchain/build-components` first");
        }
        Err(error) => return Err(error.into()),
    }
    table.push_str("]\n");
    fs::write(out.join("components.rs"), table)?;
    remove_others(&out, &kept)
}

/// Returns the folder with the built components. It may not exist.
fn components_folder() -> Result<PathBuf> {
    if let Some(folder) = env::var_os("WISP_COMPONENTS_DIR").filter(|folder| !folder.is_empty()) {
        return Ok(folder.into());
    }
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    Ok(here.join("../../target/components"))
}

/// Adds a line to the table: the component, the other names it goes by, and the files it brings.
fn entry(table: &mut String, component: &Component, out: &Path, kept: &mut Vec<PathBuf>) -> Result<()> {
    let (name, applets) = (component.name(), component.applets());
    let wasm = pack((component.digest(), component.size()), || component.bytes(), out, kept)?;
    let base = match (component.base_digest(), component.base()?) {
        (Some(digest), Some(archive)) => {
            let size = archive.len() as u64;
            format!("Some({})", pack((digest, size), || Ok(archive), out, kept)?)
        }
        _ => "None".to_owned(),
    };
    let kind = "wisp_components::packed::PackedComponent";
    writeln!(table, "    {kind} {{ name: {name:?}, applets: &{applets:?}, wasm: {wasm}, base: {base} }},")?;
    Ok(())
}

/// Compresses what has this digest and size into the output folder, named by its digest, so that what did not change is not
/// compressed again. Returns the expression that includes it.
fn pack(
    (sha256, size): (&str, u64),
    content: impl FnOnce() -> std::result::Result<Vec<u8>, ComponentError>,
    out: &Path,
    kept: &mut Vec<PathBuf>,
) -> Result<String> {
    let packed = out.join(format!("{sha256}.zst"));
    if !packed.is_file() {
        let scratch = out.join(format!("{sha256}.new"));
        fs::write(&scratch, zstd::bulk::compress(&content()?, LEVEL)?)?;
        fs::rename(&scratch, &packed)?;
    }
    kept.push(packed.clone());
    Ok(format!("wisp_components::packed::Packed {{ zstd: include_bytes!({packed:?}), sha256: {sha256:?}, size: {size} }}"))
}

/// Removes what earlier builds left in the output folder.
fn remove_others(out: &Path, kept: &[PathBuf]) -> Result<()> {
    for entry in fs::read_dir(out)? {
        let path = entry?.path();
        if !kept.contains(&path) && path.is_file() {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}
