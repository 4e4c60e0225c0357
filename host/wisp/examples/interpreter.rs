//! A Python that stays alive: state between calls, a checkpoint, and forks that try several ways at once.
//!
//! Run it with `cargo run --release -p wisp --example interpreter`.

use wisp::{Components, Engine, Policy};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(Components::from_folder("target/components")?)?;
    let session = engine.session(&Policy::offline()).build().await?;

    // Prepare once. Names, functions and files are there for the next call.
    let mut python = session.python().await?;
    python.eval("rows = [(name, len(name)) for name in 'ada grace barbara'.split()]").await?;
    python.eval("lines = (f'{name}={size}' for name, size in rows); first = next(lines)").await?;
    println!("value: {}", python.eval("first").await?.value.unwrap_or_default());

    // A failure is a result, not an error of the host: the interpreter stays alive.
    let failed = python.eval("rows[99]").await?;
    println!("error: {}", failed.error.map(|error| format!("{}: {}", error.name, error.message)).unwrap_or_default());

    // Freeze it, with the generator suspended, and try three ways from there.
    let checkpoint = python.snapshot().await?;
    for expression in ["next(lines)", "sum(size for _, size in rows)", "rows.clear() or len(rows)"] {
        let mut fork = checkpoint.fork().await?;
        println!("fork: {expression} -> {}", fork.eval(expression).await?.value.unwrap_or_default());
    }
    // No fork has changed what the others or the first interpreter see.
    println!("rows: {}", python.eval("len(rows)").await?.value.unwrap_or_default());

    // Break it, and go back.
    python.eval("del rows, lines").await?;
    python.restore(&checkpoint).await?;
    println!("after going back: {}", python.eval("next(lines)").await?.value.unwrap_or_default());

    // A checkpoint can be kept in a file, for another process of the same build.
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("checkpoint");
    checkpoint.to_file(&file).await?;
    let other = engine.session(&Policy::offline()).build().await?;
    let loaded = wisp::InterpreterSnapshot::from_file(&other, &file).await?;
    println!("from a file: {}", loaded.fork().await?.eval("first").await?.value.unwrap_or_default());
    Ok(())
}
