//! `wordfreq`: counts the words of its input, prints the most frequent ones, and leaves the whole table as an artifact
//! of the session. A tool to copy: everything specific to wisp is in this file; `counts.rs` is plain Rust.

mod counts;

use counts::Counts;
use std::io::{Read, Write};
use std::process::ExitCode;

/// Bindings to what `wisp:sandbox` offers to tools. Only functions that are called become imports of the component.
#[allow(missing_docs)]
mod sandbox {
    wit_bindgen::generate!({
        path: "../../wit",
        // The world `tool` without its export: std's `main` already makes the program a `wasi:cli/command`.
        inline: "
            package wordfreq:tool;
            world imports {
                import wisp:sandbox/artifacts@0.1.0;
                import wisp:sandbox/session@0.1.0;
                import wisp:sandbox/process@0.1.0;
            }
        ",
        world: "wordfreq:tool/imports",
        generate_all,
    });
    pub(crate) use wisp::sandbox::{artifacts, process, session};
}

use sandbox::{artifacts, process, session};

const USAGE: &str = "Usage: wordfreq [-n COUNT] [-o NAME] [FILE]...
Print the COUNT (10) most frequent words of FILEs or standard input and write the whole table to NAME
(words.csv) in the session's output directory.
";

fn main() -> ExitCode {
    // A program starts at `/`; POSIX puts its working directory into the environment.
    if let Some(dir) = std::env::var_os("PWD") {
        let _ = std::env::set_current_dir(dir);
    }
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { message, status }) => {
            eprintln!("wordfreq: {message}");
            // `wasi:cli/exit` knows only success and failure; this keeps the exact status.
            process::exit(status);
            ExitCode::FAILURE
        }
    }
}

/// Why the tool ends, and with which status.
struct Failure {
    message: String,
    status: u8,
}

impl Failure {
    fn new(status: u8, message: impl Into<String>) -> Self {
        Self { message: message.into(), status }
    }
}

fn run(args: impl Iterator<Item = String>) -> Result<(), Failure> {
    let (mut top, mut name, mut files) = (10, "words.csv".to_owned(), Vec::new());
    let mut args = args.peekable();
    while let Some(arg) = args.next() {
        let mut value = |of: &str| args.next().ok_or_else(|| Failure::new(2, format!("{of} needs a value\n{USAGE}")));
        match arg.as_str() {
            "-h" | "--help" => {
                print!("{USAGE}");
                return Ok(());
            }
            "-n" => {
                let text = value("-n")?;
                top = text.parse().map_err(|_| Failure::new(2, format!("`{text}` is not a number")))?;
            }
            "-o" => name = value("-o")?,
            other if other.starts_with('-') && other.len() > 1 => {
                return Err(Failure::new(2, format!("no option `{other}`\n{USAGE}")));
            }
            file => files.push(file.to_owned()),
        }
    }
    let counts = read(&files)?;
    let path = format!("{}/{name}", artifacts::directory());
    write_table(&path, &counts).map_err(|error| Failure::new(1, format!("cannot write `{path}`: {error}")))?;
    let label =
        artifacts::Label { title: Some(format!("Word frequencies ({} words)", counts.total())), mime_type: Some("text/csv".to_owned()) };
    if let Err(error) = artifacts::set_label(&path, &label) {
        return Err(Failure::new(1, format!("cannot label `{path}`: {error:?}")));
    }
    let mut out = std::io::stdout().lock();
    for (word, count) in counts.most_frequent(top) {
        // If the reader goes away, the process ends; there is no error to handle.
        let _ = writeln!(out, "{count:>7} {word}");
    }
    let _ = writeln!(out, "{} words, {} different, table in {path} (policy `{}`)", counts.total(), counts.different(), session::policy());
    Ok(())
}

/// Counts all input; memory grows with the number of different words, not with the size of the input.
fn read(files: &[String]) -> Result<Counts, Failure> {
    let mut counts = Counts::default();
    if files.is_empty() {
        add(&mut counts, std::io::stdin().lock()).map_err(|error| Failure::new(1, format!("standard input: {error}")))?;
    }
    for file in files {
        let open = std::fs::File::open(file).and_then(|input| add(&mut counts, input));
        open.map_err(|error| Failure::new(1, format!("`{file}`: {error}")))?;
    }
    counts.finish();
    Ok(counts)
}

fn add(counts: &mut Counts, mut input: impl Read) -> std::io::Result<()> {
    let mut buffer = [0; 64 * 1024];
    loop {
        match input.read(&mut buffer)? {
            0 => break,
            got => counts.add(&buffer[..got]),
        }
    }
    // Words do not continue in the next file.
    counts.finish();
    Ok(())
}

fn write_table(path: &str, counts: &Counts) -> std::io::Result<()> {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    writeln!(file, "word,count")?;
    for (word, count) in counts.most_frequent(usize::MAX) {
        writeln!(file, "{word},{count}")?;
    }
    file.flush()
}
