//! A custom tool: any WASI 0.2 command component is a program on PATH, for the shell and for Python.
//!
//! Run it with `cargo run --release -p wisp --example custom_tool`; `components/example-tool` is the component's source.

#![allow(clippy::disallowed_methods, reason = "a program reads its arguments; the library does not")]

use wisp::{Command, Components, Engine, Policy};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let component = std::env::args().nth(1).unwrap_or_else(|| "target/components/example-tool.wasm".to_owned());
    let engine = Engine::new(Components::from_folder("target/components")?)?;
    // The component is read and its imports are decided now: an import that wisp does not know is an error here, not at
    // run time.
    let session = engine.session(&Policy::offline()).tool("wordfreq", &component).build().await?;

    // In a pipeline of the shell.
    let outcome = session.run(Command::new("sh").args(["-c", "echo to be or not to be | wordfreq -n 2"])).await?;
    print!("{}{}", outcome.stdout_text(), outcome.stderr_text());

    // On its own, with input from the service.
    let outcome = session.run(Command::new("wordfreq").args(["-n", "1"]).stdin_bytes("tick tock tick")).await?;
    print!("{}{}", outcome.stdout_text(), outcome.stderr_text());

    // Started by Python, with the rights that Python has or fewer.
    let program = "import subprocess; print(subprocess.run(['wordfreq', '--help'], capture_output=True).returncode)";
    let outcome = session.run(Command::new("python3").args(["-c", program])).await?;
    print!("status: {}{}", outcome.stdout_text(), outcome.stderr_text());

    // The outcome has the files that it left in the output directory, with their labels.
    for file in &outcome.files {
        println!("{}: {} ({} bytes)", file.path, file.title.as_deref().unwrap_or("no title"), file.size);
    }
    let world = session.worlds().find(|world| world.name() == "wordfreq").ok_or("the tool has a world")?;
    println!("{} of its imports reach the network", world.imports().iter().filter(|import| import.interface.contains("http")).count());
    Ok(())
}
