//! Makes the component `python3` of the data image, whose base is a core module of wasm32-wasip1 with one host call:
//!
//! ```text
//! wisp-data-image types WIT WORLD                            the world's functions and types, as JSON
//! wisp-data-image component MODULE WIT WORLD ARENA -o FILE   the component
//! ```
//!
//! The module's Python reads the JSON when the image is made: from it come the functions of `wit_world.imports`, which
//! bring their arguments into the form of the canonical ABI themselves (components/python-data/abi.py). The bridge
//! (`bridge.rs`) therefore knows no types: it calls the import with the number that a request names. `ARENA` is
//! `ADDRESS,LENGTH`, memory of the module that the bridge and the adapter (`adapter.rs`) may use.

mod adapter;
mod bridge;
mod types;
mod world;

use std::path::Path;

use anyhow::{Context, Result, bail};
use wasi_preview1_component_adapter_provider::WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER as ADAPTER;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};

use crate::world::World;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["types", wit, world] => {
            println!("{}", types::describe(&World::read(Path::new(wit), world)?)?);
            Ok(())
        }
        ["component", module, wit, world, arena, "-o", out] => component(module, &World::read(Path::new(wit), world)?, arena, out),
        _ => bail!("usage: wisp-data-image types WIT WORLD | component MODULE WIT WORLD ADDRESS,LENGTH -o FILE"),
    }
}

fn component(module: &str, world: &World, arena: &str, out: &str) -> Result<()> {
    let (address, length) = arena.split_once(',').context("the arena is ADDRESS,LENGTH")?;
    // The adapter's part is the end of the arena.
    let (address, length): (u32, u32) = (address.parse()?, length.parse()?);
    let place = (address + length).checked_sub(adapter::ROOM).context("the arena is too small")? & !15;
    let changed = adapter::changed(ADAPTER, place)?;
    let own = place.checked_sub(address).context("the arena is too small")?;
    let mut bridge = wat::parse_str(bridge::text(world, address, own)).context("the bridge")?;
    embed_component_metadata(&mut bridge, &world.resolve, world.id, StringEncoding::UTF8)?;
    let module = std::fs::read(module).with_context(|| format!("cannot read {module}"))?;
    let mut encoder = ComponentEncoder::default()
        .validate(false)
        .module(&module)?
        .adapter("wasi_snapshot_preview1", &changed)?
        .adapter("host", &bridge)?;
    std::fs::write(out, encoder.encode()?).with_context(|| format!("cannot write {out}"))
}
