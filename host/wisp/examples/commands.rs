//! Commands that go on while the program does something else: started, fed, read, left, found again, ended.
//!
//! Run it with `cargo run --release -p wisp --example commands`.

use wisp::{Command, Components, Engine, Input, Policy, Stream, WaitFor};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let session = Engine::new(Components::from_folder("target/components")?)?.session(&Policy::offline()).build().await?;

    // A conversation with a program: its input is written and its output read while it runs.
    let calculator = session.start(Command::new("bc").stdin(Input::Piped)).await?;
    calculator.write_stdin("6 * 7\n").await?;
    let answer = calculator.next_output(Stream::Stdout, 0, 1024).await;
    println!("bc: {}", String::from_utf8_lossy(&answer.bytes).trim());
    calculator.close_stdin();
    println!("bc ended with {}", calculator.wait().await?.exit_code());

    // A command that outlives its caller. Its output is kept, and can be read again from any offset.
    let loop_script = "n=0; while read -r task; do n=$((n+1)); echo \"task $n: $task\"; done";
    let worker = Command::new("sh").args(["-c", loop_script]).stdin(Input::Piped).tag("worker");
    let number = session.start(worker).await?.detach();
    let worker = session.command(number).ok_or("it is listed until its session ends")?;
    worker.write_stdin("sweep\nwash\n").await?;
    let mut offset = 0;
    while offset < "task 1: sweep\ntask 2: wash\n".len() as u64 {
        let piece = worker.next_output(Stream::Stdout, offset, 1024).await;
        offset = piece.next_offset();
        print!("{}", String::from_utf8_lossy(&piece.bytes));
    }
    for running in session.commands() {
        println!("running: {} ({})", running.id(), running.tag().unwrap_or("no tag"));
    }
    worker.kill();
    println!("the worker ended with {}", worker.wait().await?.exit_code());

    // A shell that leaves a process in the background: the call returns when the shell ends.
    let background = Command::new("sh").args(["-c", "sleep 600 & echo started"]).wait_for(WaitFor::Direct);
    print!("{}", session.run(background).await?.stdout_text());
    Ok(())
}
