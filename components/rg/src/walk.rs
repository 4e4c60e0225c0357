//! Finds the files to search.

use crate::args::{Args, Time};
use ignore::overrides::OverrideBuilder;
use ignore::types::{Types, TypesBuilder};
use ignore::{DirEntry, WalkBuilder};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Returns the types of files, with those that the command line adds and selects.
pub(crate) fn types(args: &Args) -> Result<Types, String> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    for name in &args.type_clear {
        builder.clear(name);
    }
    for definition in &args.type_add {
        builder.add_def(definition).map_err(|e| e.to_string())?;
    }
    for (name, wanted) in &args.types {
        if *wanted {
            builder.select(name);
        } else {
            builder.negate(name);
        }
    }
    builder.build().map_err(|e| e.to_string())
}

fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|t| t.is_file()) || (entry.depth() == 0 && entry.file_type().is_none_or(|t| !t.is_dir()))
}

/// Returns an error with Linux's number; with several paths, ripgrep omits the failed operation.
fn reason(text: &str, paths: usize) -> String {
    let mut text = text.to_owned();
    if cfg!(target_family = "wasm") {
        // EACCES, EISDIR, ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR of WASI.
        let numbers = [(2, 13), (31, 21), (32, 40), (37, 36), (44, 2), (54, 20)];
        let code = |number: i32| format!("(os error {number})");
        if let Some((here, there)) = numbers.iter().find(|(here, _)| text.ends_with(&code(*here))) {
            text = text.replace(&code(*here), &code(*there));
        }
    }
    if paths > 1
        && let Some((before, rest)) = text.split_once("IO error for operation on ")
        && let Some((_, after)) = rest.split_once(": ")
    {
        return format!("{before}{after}");
    }
    text
}

/// Calls `each` with every file and whether it was named itself, until it returns that no more are needed.
pub(crate) fn files(args: &Args, errors: &mut bool, mut each: impl FnMut(&Path, bool) -> bool) -> Result<(), String> {
    let mut paths = args.paths.iter();
    let first = paths.next().cloned().unwrap_or_else(|| "./".into());
    let mut builder = WalkBuilder::new(&first);
    for path in paths {
        builder.add(path);
    }
    let mut overrides = OverrideBuilder::new(".");
    for (glob, fold) in &args.globs {
        overrides.case_insensitive(*fold || args.fold_globs).and_then(|o| o.add(glob)).map_err(|e| e.to_string())?;
    }
    for file in &args.ignore_files {
        if let Some(error) = builder.add_ignore(file) {
            eprintln!("rg: {error}");
        }
    }
    let reverse = args.reverse;
    builder
        .hidden(!args.hidden)
        .parents(!args.no_ignore && !args.no_parent)
        .ignore(!args.no_ignore && !args.no_dot)
        .git_global(!args.no_ignore && !args.no_vcs && !args.no_global)
        .git_ignore(!args.no_ignore && !args.no_vcs)
        .git_exclude(!args.no_ignore && !args.no_vcs && !args.no_exclude)
        .require_git(!args.no_git)
        .follow_links(args.follow)
        .max_depth(args.max_depth)
        .max_filesize(args.max_size)
        // A component has only one filesystem.
        .same_file_system(args.one_system && !cfg!(target_family = "wasm"))
        .overrides(overrides.build().map_err(|e| e.to_string())?)
        .types(types(args)?)
        .sort_by_file_name(move |a, b| if reverse { b.cmp(a) } else { a.cmp(b) });
    if !args.no_ignore && !args.no_dot {
        builder.add_custom_ignore_filename(".rgignore");
    }
    let mut timed: Vec<(SystemTime, PathBuf, bool)> = Vec::new();
    for entry in builder.build() {
        match entry {
            Ok(entry) => {
                if !is_file(&entry) {
                    continue;
                }
                let path = if entry.is_stdin() { Path::new("-") } else { entry.path() };
                // A folder that was not named is not part of the names.
                let shown = if args.paths.is_empty() { path.strip_prefix("./").unwrap_or(path) } else { path };
                if let Some(which) = args.by_time {
                    let time = entry.metadata().ok().and_then(|m| match which {
                        Time::Modified => m.modified().ok(),
                        Time::Accessed => m.accessed().ok(),
                        Time::Created => m.created().or_else(|_| m.modified()).ok(),
                    });
                    timed.push((time.unwrap_or(SystemTime::UNIX_EPOCH), shown.to_path_buf(), entry.depth() == 0));
                    continue;
                }
                if !each(shown, entry.depth() == 0) {
                    break;
                }
            }
            Err(error) => {
                *errors = true;
                if !args.no_messages {
                    eprintln!("rg: {}", reason(&error.to_string(), args.paths.len()));
                }
            }
        }
    }
    timed.sort_by(|a, b| if reverse { b.0.cmp(&a.0) } else { a.0.cmp(&b.0) });
    // Stops when no more files are wanted.
    let _ = timed.iter().all(|(_, path, explicit)| each(path, *explicit));
    Ok(())
}
