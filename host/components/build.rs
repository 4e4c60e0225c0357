//! Puts the built components into the library: compressed, with a table of what they are.
//!
//! They come from `target/components` (written by `toolchain/build-components`), or from the folder that
//! `WISP_COMPONENTS_DIR` names. Without any the build succeeds, warns, and the library says at run time what is missing.
//! Without the feature `embedded` nothing is put in.

#![allow(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "src/digest.rs"]
mod digest;

/// Level 19 takes a minute for Python and gains a tenth; this one takes two seconds.
const LEVEL: i32 = 9;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/digest.rs");
    println!("cargo::rerun-if-env-changed=WISP_COMPONENTS_DIR");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    if env::var_os("CARGO_FEATURE_EMBEDDED").is_none() {
        fs::write(out.join("components.rs"), "&[]\n")?;
        return Ok(());
    }
    let folder = components_folder()?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut table = String::from("&[\n");
    let mut kept = vec![out.join("components.rs")];
    for wasm in components_in(&folder)? {
        entry(&mut table, &wasm, &out, &mut kept)?;
    }
    if kept.len() == 1 {
        println!(
            "cargo::warning=no components in `{}`: this build runs nothing by itself; run `toolchain/build-components` first",
            folder.display()
        );
    }
    table.push_str("]\n");
    fs::write(out.join("components.rs"), table)?;
    remove_others(&out, &kept)
}

/// The folder with the built components. It may not exist.
fn components_folder() -> Result<PathBuf> {
    if let Some(folder) = env::var_os("WISP_COMPONENTS_DIR") {
        return Ok(folder.into());
    }
    let host = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    Ok(host.join("../../target/components"))
}

fn components_in(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.extension().is_some_and(|ending| ending == "wasm") && !hidden {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// One line of the table: the component, the other names it goes by, and the files it brings.
fn entry(table: &mut String, wasm: &Path, out: &Path, kept: &mut Vec<PathBuf>) -> Result<()> {
    let stem = wasm.with_extension("");
    let name = stem.file_name().ok_or("a component without a name")?.to_string_lossy().into_owned();
    let applets = fs::read_to_string(stem.with_extension("applets")).unwrap_or_default();
    let applets: Vec<&str> = applets.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let base = stem.with_extension("base.tar");
    let base = if base.is_file() { format!("Some({})", pack(&base, out, kept)?) } else { "None".to_owned() };
    let wasm = pack(wasm, out, kept)?;
    writeln!(table, "    Embedded {{ name: {name:?}, applets: &{applets:?}, wasm: {wasm}, base: {base} }},")?;
    Ok(())
}

/// Compress a file into the output folder (named by its digest, so an unchanged one is not compressed again)
/// and return the expression that includes it.
fn pack(file: &Path, out: &Path, kept: &mut Vec<PathBuf>) -> Result<String> {
    let content = fs::read(file)?;
    let sha256 = digest::sha256(&content);
    let packed = out.join(format!("{sha256}.zst"));
    if !packed.is_file() {
        let scratch = out.join(format!("{sha256}.new"));
        fs::write(&scratch, zstd::bulk::compress(&content, LEVEL)?)?;
        fs::rename(&scratch, &packed)?;
    }
    kept.push(packed.clone());
    let size = content.len();
    Ok(format!("Packed {{ zstd: include_bytes!({packed:?}), sha256: {sha256:?}, size: {size} }}"))
}

/// Remove what earlier builds left in the output folder.
fn remove_others(out: &Path, kept: &[PathBuf]) -> Result<()> {
    for entry in fs::read_dir(out)? {
        let path = entry?.path();
        if !kept.contains(&path) && path.is_file() {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}
