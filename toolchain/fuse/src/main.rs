//! `wisp-fuse`: the library's [`wisp_fuse::fuse`] for files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use wisp_fuse::{Options, fuse};

const USAGE: &str = "usage: wisp-fuse IN.wasm -o OUT.wasm [--report FILE.json] [--immortal FILE] [--names] [--text-environment]

Merges the core modules of a component into one whose memory is its whole state.
  --report FILE    write what was done, as JSON
  --immortal FILE  addresses of CPython objects that are to be immortal: decimal, one a line
  --names          keep the names of functions
  --text-environment  leave arguments and variables as WASI's text: bindings read them, no libc";

#[derive(Default)]
struct Arguments {
    input: PathBuf,
    output: PathBuf,
    report: Option<PathBuf>,
    immortal: Option<PathBuf>,
    names: bool,
    text_environment: bool,
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments = Arguments::default();
    while let Some(word) = words.next() {
        let mut file = || words.next().map(PathBuf::from).ok_or_else(|| format!("{word} needs a file\n{USAGE}"));
        match word.as_str() {
            "-o" => arguments.output = file()?,
            "--report" => arguments.report = Some(file()?),
            "--immortal" => arguments.immortal = Some(file()?),
            "--names" => arguments.names = true,
            "--text-environment" => arguments.text_environment = true,
            "-h" | "--help" => return Err(USAGE.to_owned()),
            option if option.starts_with('-') => return Err(format!("unknown option {option}\n{USAGE}")),
            _ if arguments.input.as_os_str().is_empty() => arguments.input = word.into(),
            _ => return Err(format!("one component at a time\n{USAGE}")),
        }
    }
    if arguments.input.as_os_str().is_empty() || arguments.output.as_os_str().is_empty() {
        return Err(USAGE.to_owned());
    }
    Ok(arguments)
}

fn addresses(text: &str, path: &Path) -> Result<Vec<u32>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            line.trim().parse().map_err(|_| {
                format!("{}:{}: `{line}` is no address: one decimal number below 2^32 belongs on a line", path.display(), number + 1)
            })
        })
        .collect()
}

fn run() -> Result<(), String> {
    let arguments = parse(env::args().skip(1))?;
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| format!("{path}: {error}")
    };
    let input = fs::read(&arguments.input).map_err(failed(&arguments.input))?;
    let mut options = Options { names: arguments.names, text_environment: arguments.text_environment, ..Options::default() };
    if let Some(path) = &arguments.immortal {
        options.immortal = addresses(&fs::read_to_string(path).map_err(failed(path))?, path)?;
    }
    let (fused, report) = fuse(&input, &options).map_err(|error| format!("{}: {error}", arguments.input.display()))?;
    if let Some(path) = &arguments.report {
        let mut text = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
        text.push('\n');
        fs::write(path, text).map_err(failed(path))?;
    }
    fs::write(&arguments.output, fused).map_err(failed(&arguments.output))
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("wisp-fuse: {message}");
            ExitCode::FAILURE
        }
    }
}
