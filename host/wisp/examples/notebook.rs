//! Evaluations as a notebook needs them: output while the code runs, values as HTML, questions, a time limit, code that goes on
//! by itself.
//!
//! Run it with `cargo run --release -p wisp --example notebook`.

use std::time::Duration;

use wisp::{Code, Components, DisplayEvent, Engine, Policy, Stream};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(Components::from_folder("target/components")?)?;
    let session = engine.session(&Policy::offline()).build().await?;
    let mut python = session.python().await?;

    // Output and displays arrive while the code runs; `input()` asks the host.
    let code = "name = input('Name? ')\nprint('hello', name)\nfor size in 1, 2: display(Table(size))";
    python
        .eval("class Table:\n    def __init__(self, rows): self.rows = rows\n    def _repr_html_(self): return f'<b>{self.rows}</b>'")
        .await?;
    let code = Code::new(code)
        .on_output(|stream, bytes| println!("{stream:?}: {}", String::from_utf8_lossy(bytes).trim_end()))
        .on_display(|show| {
            if let DisplayEvent::Display(display) = show {
                let html = display.representations.iter().find(|form| form.media_type == "text/html");
                println!("shown: {}", html.and_then(|form| form.text()).unwrap_or_default());
            }
        })
        .on_input_request(|question| async move {
            println!("asked: {}", question.prompt);
            Some("ada".to_owned())
        });
    python.eval(code).await?;

    // A time limit interrupts the code, and the interpreter stays alive.
    let interrupted = python.eval(Code::new("while True: pass").timeout(Duration::from_millis(100))).await?;
    let error = interrupted.error.map(|error| error.name).unwrap_or_default();
    println!("after 100 ms: {error}, and {} is still known", python.eval("name").await?.value.unwrap_or_default());

    // Started, code goes on by itself: read what it writes from any offset, wait as long as you like, interrupt it.
    let endless = python.start("n = 0\nwhile True:\n    n += 1\n    if n == 1000: print('a thousand', flush=True)")?;
    let chunk = endless.next_output(Stream::Stdout, 0, 1024).await;
    print!("so far: {}", String::from_utf8_lossy(&chunk.bytes));
    if endless.wait_timeout(Duration::from_millis(100)).await?.is_none() {
        endless.interrupt();
    }
    println!("and then: {}", endless.wait().await?.error.as_ref().map(|error| error.name.as_str()).unwrap_or_default());

    // What failed, as data.
    let failed = python.eval("def half(x):\n    return x / 0\nhalf(name)").await?;
    if let Some(error) = failed.error {
        let lines: Vec<String> = error.frames.iter().map(|frame| format!("{} line {}", frame.function, frame.line.unwrap_or(0))).collect();
        println!("{}: {} ({})", error.name, error.message, lines.join(", "));
    }
    Ok(())
}
