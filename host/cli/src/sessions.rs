//! `wisp session`: the sessions that `wisp run --session` keeps.

mod apply;
mod diff;
mod export;
mod started;

use wisp_service::Store;

use crate::{Failure, args, confine, json, kept, print, say};

/// Lists or removes sessions, or shows, exports or applies what is in one.
pub(crate) fn sessions(asked: &args::Sessions) -> Result<u8, Failure> {
    let confined = !asked.no_confine;
    let all = |remove: bool| -> Result<Store, Failure> {
        let store = Store::of_user().map_err(Failure::internal)?;
        if confined {
            confine::sessions(store.folder(), remove)?;
        }
        Ok(store)
    };
    match &asked.command {
        args::SessionCommands::List { json } => all(false).and_then(|store| list(&store, *json)),
        args::SessionCommands::Rm { names } => all(true).and_then(|store| remove(&store, names)),
        args::SessionCommands::Diff(asked) => diff::diff(asked, confined),
        args::SessionCommands::Apply(asked) => apply::apply(asked, confined),
        args::SessionCommands::Export { name, file } => export::export(name, file, confined),
    }
}

fn list(store: &Store, as_json: bool) -> Result<u8, Failure> {
    let found = store.list().map_err(Failure::internal)?;
    if as_json {
        print(&json::pretty(&found).map_err(Failure::internal)?)?;
        return Ok(0);
    }
    let width = found.iter().map(|session| session.name.len()).max().unwrap_or(0).max("name".len());
    if !found.is_empty() {
        print(&format!("{:width$}  {:>8}  {:16}  keeps\n", "name", "size", "policy"))?;
    }
    for session in &found {
        let keeps = match (session.complete, session.python) {
            (false, _) => "nothing: its first run was killed",
            (true, true) => "files, shell, python3",
            (true, false) => "files, shell",
        };
        print(&format!("{:width$}  {:>5} KiB  {:16}  {keeps}\n", session.name, session.size_bytes.div_ceil(1024), session.policy))?;
    }
    Ok(0)
}

fn remove(store: &Store, names: &[String]) -> Result<u8, Failure> {
    let mut code = 0;
    for name in names {
        if let Err(error) = store.remove(name) {
            say(&crate::one_line(&kept::advised(error)));
            code = 2;
        }
    }
    Ok(code)
}
