//! wisp inside a Rust service: one engine, a policy for each kind of user, a session for each conversation.
//!
//! Run it with `cargo run --release -p wisp --example embed`.

use wisp::{Command, Components, Engine, Policy};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Once in the process.
    let engine = Engine::new(Components::from_folder("target/components")?)?;
    // Once for each kind of user.
    let policy = Policy::offline().with_value("limits.memory", "128MiB")?.with_value("limits.wall", "10s")?;
    // Once for each conversation.
    let session = engine.session(&policy).env("CUSTOMER", "42").build().await?;

    let outcome = session.run(Command::new("sh").args(["-c", "seq 1 5 | tee numbers.txt | wc -l"])).await?;
    print!("lines: {}", outcome.stdout_text());

    // The next command finds the files of the previous one.
    let program = "print(sum(map(int, open('numbers.txt'))), file=open('/output/sum.txt', 'w'))";
    let outcome = session.run(Command::new("python3").args(["-c", program])).await?;
    for file in &outcome.files {
        println!(
            "{} ({}, {} bytes): {}",
            file.path,
            file.mime_type,
            file.size,
            String::from_utf8_lossy(file.data.as_deref().unwrap_or_default()).trim()
        );
    }

    // Try something, and go back.
    let before = session.snapshot();
    session.run(Command::new("rm").args(["-r", "/home/user", "/output"])).await?;
    session.restore(&before);
    let outcome = session.run(Command::new("cat").arg("/output/sum.txt")).await?;
    println!("after going back: {}", outcome.stdout_text().trim());

    // A command that runs too long is ended, and the outcome names the limit.
    let short = engine.session(&policy).timeout(std::time::Duration::from_millis(300)).build().await?;
    let outcome = short.run(Command::new("python3").args(["-c", "while True: pass"])).await?;
    match &outcome.limit {
        Some(hit) => println!("exit code {}: {} = {}", outcome.exit_code(), hit.limit, hit.value),
        None => println!("exit code {}: no limit was hit", outcome.exit_code()),
    }
    Ok(())
}
