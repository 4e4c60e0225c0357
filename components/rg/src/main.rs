//! `rg`: ripgrep's command line, over ripgrep's own crates for matching, searching, walking and printing.

mod args;
mod matcher;
mod options;
mod search;
mod walk;

use args::{Args, Mode};
use search::Search;
use std::io::Write;
use wisp_tool::sys;

fn main() {
    #[cfg(target_family = "wasm")]
    wisp_guest::start();
    let status = match args::parse(&sys::args()) {
        Ok(args) => run(&args),
        Err(status) => status,
    };
    sys::exit(status)
}

fn run(args: &Args) -> u8 {
    match attempt(args) {
        Ok(status) => status,
        Err(message) => {
            eprintln!("rg: {message}");
            2
        }
    }
}

fn attempt(args: &Args) -> Result<u8, String> {
    let types = walk::types(args)?;
    let mut out = std::io::BufWriter::with_capacity(64 * 1024, std::io::stdout().lock());
    if args.mode == Mode::Types {
        for definition in types.definitions() {
            // A reader that is gone needs no more lines.
            if writeln!(out, "{}: {}", definition.name(), definition.globs().join(", ")).is_err() {
                break;
            }
        }
        return Ok(0);
    }
    let mut errors = false;
    if args.mode == Mode::Files {
        let mut found = false;
        walk::files(args, &mut errors, |path, _| {
            found = true;
            let end: &[u8] = if args.null { b"\0" } else { b"\n" };
            args.quiet || (out.write_all(path.as_os_str().as_encoded_bytes()).and_then(|()| out.write_all(end)).is_ok())
        })?;
        // As above: a closed pipe.
        let _ = out.flush();
        return Ok(if errors { 2 } else { u8::from(!found) });
    }
    let mut search = Search::new(args, Box::new(out))?;
    if args.paths.is_empty() && search.standard_input(args)? {
        search.finish(args)?;
        return Ok(u8::from(!search.found));
    }
    walk::files(args, &mut errors, |path, explicit| search.file(args, path, explicit))?;
    search.finish(args)?;
    let quiet_hit = args.quiet && search.found;
    Ok(if (errors || search.failed) && !quiet_hit { 2 } else { u8::from(!search.found) })
}
