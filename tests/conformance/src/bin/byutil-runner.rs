//! What the by-util tests run in place of `wasmtime`: `RUNNER --dir=HOST::/ --argv0 NAME [--env K=V]… BINARY
//! ARGUMENT…`.
//!
//! The tool runs in its own session, on a copy of the test's temporary directories, or on HOST itself when it follows
//! growing files. BINARY is a link to the sandbox's multi-call program there. A standard stream that is a file in
//! those directories is that file inside too, the umask is the test's, and a signal that ends the tool ends this
//! program. Error texts name the tool as GNU's do; the tests expect a multi-call binary, so `Try 'ls --help'` becomes
//! `Try 'coreutils ls --help'`.

use std::collections::BTreeSet;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use wisp::policy::Access;
use wisp::policy::HostFiles;
use wisp::{Command, Components, Engine, Input, Output, Policy};
use wisp_conformance::byutil::mirror::Mirror;

/// Without python3, which `byutil::run` leaves out of the components.
const POLICY: &str = r#"
name = "byutil"
extends = "offline"
[tools]
allow = ["sh", "coreutils", "text", "data", "archive", "images", "rg", "curl"]
[limits]
wall = "25s"
[filesystem]
quota = "2GiB"
"#;

/// A pipe without a reader ends a program in this way.
const BROKEN_PIPE: u8 = 13;

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let ended = runtime.map_err(|error| error.to_string()).and_then(|runtime| {
        let ended = runtime.block_on(run());
        // A reader of standard input may still be waiting; its result is not needed.
        runtime.shutdown_background();
        ended
    });
    let (code, signal) = match ended {
        Ok(ended) => ended,
        Err(error) => {
            eprintln!("byutil-runner: {error}");
            (125, None)
        }
    };
    if signal == Some(BROKEN_PIPE) {
        // std ignores the signal in this program, but not in programs after exec.
        use std::os::unix::process::CommandExt;
        let error = std::process::Command::new("sh").args(["-c", "kill -PIPE $$"]).exec();
        eprintln!("byutil-runner: cannot end by a signal: {error}");
    }
    std::process::exit(code);
}

/// The directories that a test made: those in `/tmp` that the working directory, an argument or a variable names.
fn temporary<'a>(paths: impl Iterator<Item = &'a [u8]>) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for path in paths {
        let starts = path.windows(5).enumerate().filter(|(_, part)| *part == b"/tmp/").map(|(at, _)| at);
        for start in starts {
            let path = Path::new(std::ffi::OsStr::from_bytes(&path[start..]));
            if let Some(Component::Normal(name)) = path.components().nth(2) {
                let directory = Path::new("/tmp").join(name);
                if directory.is_dir() {
                    found.insert(directory);
                }
            }
        }
    }
    found
}

/// What the shell does before it becomes the tool, so that the tool starts as the test requires; empty for most.
fn preparation(directories: &BTreeSet<PathBuf>) -> String {
    let mut script = String::new();
    let mask = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = mask.lines().find_map(|line| line.strip_prefix("Umask:")).map_or("0022", str::trim);
    if mask != "0022" {
        script += &format!("umask {mask}; ");
    }
    for number in [0, 1] {
        let Ok(path) = std::fs::read_link(format!("/proc/self/fd/{number}")) else { continue };
        let Some(name) = path.to_str().filter(|name| !name.contains('\'')) else { continue };
        let device = ["/dev/zero", "/dev/full"].contains(&name);
        if !device && !directories.iter().any(|directory| path.starts_with(directory)) || path.symlink_metadata().is_err() {
            continue;
        }
        let facts = std::fs::read_to_string(format!("/proc/self/fdinfo/{number}")).unwrap_or_default();
        let fact = |key: &str| facts.lines().find_map(|line| line.strip_prefix(key)).map(str::trim).unwrap_or_default().to_owned();
        let (at, flags) = (fact("pos:"), u32::from_str_radix(&fact("flags:"), 8).unwrap_or(0));
        let (append, write) = (flags & 0o2000 != 0, flags & 0o3 != 0);
        let sign = match (number, append, write) {
            (_, true, _) => ">>",
            (_, _, true) => "<>",
            _ => "<",
        };
        if at == "0" || append {
            script += &format!("exec {number}{sign}'{name}'; ");
        } else if number == 0 && !write {
            script += &format!("exec 0<'{name}'; head -c {at} > /dev/null; ");
        }
    }
    script
}

async fn run() -> Result<(i32, Option<u8>), String> {
    let mut words = std::env::args_os();
    let home = PathBuf::from(words.next().unwrap_or_default());
    let home = home.parent().unwrap_or(Path::new("/"));
    let (mut directory, mut variables) = (PathBuf::from("/tmp"), Vec::new());
    let binary = loop {
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
            break PathBuf::from(word);
        }
    };
    let arguments: Vec<Vec<u8>> = words.map(std::os::unix::ffi::OsStringExt::into_vec).collect();
    let Some((program, arguments)) = arguments.split_first() else { return Err("no tool".to_owned()) };
    let program = String::from_utf8_lossy(program).into_owned();
    let follows = program == "tail" && arguments.iter().any(|word| word.starts_with(b"-") && word.iter().any(|byte| b"fF".contains(byte)));
    let policy = Policy::parse(&HostFiles, "byutil.toml", POLICY).map_err(|error| error.to_string())?;
    // The environment is the test's: the components are beside this program.
    let components = Components::from_folder(home.join("components")).map_err(|error| error.to_string())?;
    let engine = Engine::builder(components).cache_directory(home.join("cache")).build().map_err(|error| error.to_string())?;
    // The directory as the process sees it; links on the way are in PWD, if the test set it and it is right.
    let directory = directory.canonicalize().unwrap_or(directory);
    let logical = variables.iter().rfind(|(name, _)| name == "PWD").map(|(_, value)| PathBuf::from(value));
    let logical = logical.filter(|path| path.is_absolute() && !path.to_string_lossy().split('/').any(|part| [".", ".."].contains(&part)));
    let logical = logical.filter(|path| path.canonicalize().is_ok_and(|path| path == directory));
    let place = directory.to_str().ok_or("the directory's name is not UTF-8")?;
    let mut builder = engine.session(&policy);
    if follows {
        builder = builder.mount(&directory, place, Access::Write);
    }
    let session = builder.build().await.map_err(|error| error.to_string())?;
    let values = variables.iter().map(|(_, value)| value.as_bytes());
    let paths = arguments.iter().map(Vec::as_slice).chain(values).chain([directory.as_os_str().as_bytes()]);
    let mut directories = if follows { BTreeSet::new() } else { temporary(paths) };
    if !follows && directories.is_empty() {
        directories.insert(directory.clone());
    }
    let fs = wisp::internal::fs(&session);
    let mirrors: Vec<Mirror<'_>> = directories.iter().map(|directory| Mirror::new(fs, directory)).collect();
    for mirror in &mirrors {
        mirror.import()?;
    }
    let top = fs.root();
    let binary = binary.to_str().unwrap_or_default();
    for (at, _) in binary.match_indices('/').skip(1) {
        // Another directory on the way may exist already.
        let _ = fs.mkdir(&top, &binary[..at], 0o755);
    }
    fs.symlink(&top, binary, "/usr/bin/coreutils").map_err(|error| format!("`{binary}` in the sandbox: {error}"))?;
    let preparation = preparation(&directories);
    let mut command = if preparation.is_empty() {
        Command::new(&program).args(arguments)
    } else {
        Command::new("sh").args(["-c", &format!("{preparation}exec \"$@\""), "sh", &program]).args(arguments)
    };
    let stdin = Input::Stream { stream: Box::new(tokio::io::stdin()), terminal: false };
    let stdout = Output::Stream { stream: Box::new(tokio::io::stdout()), terminal: false };
    command = command.working_directory(logical.as_deref().and_then(Path::to_str).unwrap_or(place)).stdin(stdin).stdout(stdout);
    for (name, value) in variables.iter().filter(|(name, _)| name != "PATH" && name != "PWD") {
        command = command.env(name, value);
    }
    let outcome = session.run(command).await.map_err(|error| error.to_string())?;
    let stderr =
        String::from_utf8_lossy(&outcome.stderr).replace(&format!("Try '{program} --help'"), &format!("Try 'coreutils {program} --help'"));
    let bytes = if stderr.contains('\u{fffd}') { outcome.stderr.clone() } else { stderr.into_bytes() };
    // The tests may have closed it.
    let _ = std::io::stderr().write_all(&bytes);
    for mirror in &mirrors {
        mirror.export()?;
    }
    Ok((i32::from(outcome.exit_code()), outcome.end.signal()))
}
