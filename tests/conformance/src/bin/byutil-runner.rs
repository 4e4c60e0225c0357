//! What the by-util tests run in place of `wasmtime`: `RUNNER --dir=HOST::/ --argv0 NAME [--env K=V]… BINARY ARGUMENT…`.
//!
//! The tool runs in a session of its own, on a copy of HOST, or on HOST itself when it follows files that grow. Error
//! texts name the tool as GNU's do; the tests are about a multi-call binary, so `Try 'ls --help'` is made `Try 'coreutils
//! ls --help'`.

use std::io::Write;
use std::path::{Path, PathBuf};

use wisp::components::ComponentSource;
use wisp::policy::Access;
use wisp::policy_files::HostFiles;
use wisp::{Command, Engine, Input, Output, Policy};
use wisp_conformance::byutil::mirror::Mirror;

const POLICY: &str = "name = \"byutil\"\nextends = \"offline\"\n[limits]\nwall = \"25s\"\n[filesystem]\nquota = \"2GiB\"\n";

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let code = match runtime.map_err(|error| error.to_string()).and_then(|runtime| runtime.block_on(run())) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("byutil-runner: {error}");
            125
        }
    };
    // A reader of standard input may still be waiting; nobody waits for it.
    std::process::exit(code);
}

async fn run() -> Result<i32, String> {
    let mut words = std::env::args_os();
    let home = PathBuf::from(words.next().unwrap_or_default());
    let home = home.parent().unwrap_or(Path::new("/"));
    let (mut directory, mut variables) = (PathBuf::from("/tmp"), Vec::new());
    loop {
        let word = words.next().ok_or("no binary")?;
        let text = word.to_string_lossy();
        if let Some(rest) = text.strip_prefix("--dir=") {
            directory = PathBuf::from(rest.strip_suffix("::/").unwrap_or(rest));
        } else if text == "--argv0" {
            words.next();
        } else if text == "--env" {
            let pair = words.next().unwrap_or_default().to_string_lossy().into_owned();
            variables.extend(pair.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())));
        } else {
            break;
        }
    }
    let arguments: Vec<Vec<u8>> = words.map(std::os::unix::ffi::OsStringExt::into_vec).collect();
    let Some((program, arguments)) = arguments.split_first() else { return Err("no tool".to_owned()) };
    let program = String::from_utf8_lossy(program).into_owned();
    let follows = program == "tail" && arguments.iter().any(|word| word.starts_with(b"-") && word.iter().any(|byte| b"fF".contains(byte)));
    let policy = Policy::parse(&HostFiles, "byutil.toml", POLICY).map_err(|error| error.to_string())?;
    let mut builder = Engine::builder().cache_directory(home.join("cache"));
    // The environment is the test's; what `WISP_COMPONENTS` said is a link beside this program.
    if home.join("components").is_dir() {
        builder = builder.components(ComponentSource::directory(&home.join("components")).map_err(|error| error.to_string())?);
    }
    let engine = builder.build().map_err(|error| error.to_string())?;
    let place = directory.to_str().ok_or("the directory's name is not UTF-8")?;
    let mut builder = engine.session(&policy);
    if follows {
        builder = builder.mount(&directory, place, Access::Write);
    }
    let session = builder.build().await.map_err(|error| error.to_string())?;
    let mirror = Mirror::new(session.fs(), &directory);
    if !follows {
        mirror.import()?;
    }
    let stdin = Input::Stream { stream: Box::new(tokio::io::stdin()), terminal: false };
    let stdout = Output::Stream { stream: Box::new(tokio::io::stdout()), terminal: false };
    let mut command = Command::new(&program).args(arguments).working_directory(place).stdin(stdin).stdout(stdout);
    for (name, value) in variables.iter().filter(|(name, _)| name != "PATH") {
        command = command.env(name, value);
    }
    let outcome = session.run(command).await.map_err(|error| error.to_string())?;
    let stderr =
        String::from_utf8_lossy(&outcome.stderr).replace(&format!("Try '{program} --help'"), &format!("Try 'coreutils {program} --help'"));
    let bytes = if stderr.contains('\u{fffd}') { outcome.stderr.clone() } else { stderr.into_bytes() };
    // The tests may have closed it.
    let _ = std::io::stderr().write_all(&bytes);
    if !follows {
        mirror.export()?;
    }
    Ok(i32::from(outcome.exit_code()))
}
