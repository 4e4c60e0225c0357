//! `wisp session`: the sessions that `wisp run --session` keeps.

mod apply;
mod diff;
mod export;
mod started;

use serde::Serialize;
use wisp_service::{Store, StoreError};

use crate::resident::{self, Running};
use crate::{Failure, args, confine, json, kept, print, say};

/// Lists or removes sessions, or shows, exports or applies what is in one.
pub(crate) fn sessions(asked: &args::Sessions) -> Result<u8, Failure> {
    let confined = !asked.no_confine;
    let all = |remove: bool| -> Result<Store, Failure> {
        let store = Store::of_user().map_err(kept::refused)?;
        if confined {
            confine::sessions(store.folder(), remove)?;
        }
        Ok(store)
    };
    match &asked.command {
        args::SessionCommands::List { json } => {
            // Before there are no sockets any more.
            let live = resident::running(&Store::of_user().map_err(kept::refused)?);
            list(&all(false)?, &live, *json)
        }
        args::SessionCommands::Rm { names } => {
            // A helper that cannot be asked has the session, which is then said.
            let ended: Vec<&String> = names.iter().filter(|name| resident::discard(name).unwrap_or(false)).collect();
            remove(&all(true)?, names, &ended)
        }
        args::SessionCommands::Diff(asked) => diff::diff(asked, confined),
        args::SessionCommands::Apply(asked) => apply::apply(asked, confined),
        args::SessionCommands::Export { name, file } => export::export(name, file, confined),
    }
}

/// A session, and the helper that keeps it open.
#[derive(Serialize)]
struct Listed<'l, S> {
    #[serde(flatten)]
    session: &'l S,
    #[serde(skip_serializing_if = "Option::is_none")]
    helper: Option<&'l Running>,
}

fn list(store: &Store, live: &[Running], as_json: bool) -> Result<u8, Failure> {
    let found = store.list().map_err(Failure::internal)?;
    let helper = |name: &str| live.iter().find(|running| running.session == name);
    if as_json {
        let listed: Vec<_> = found.iter().map(|session| Listed { session, helper: helper(&session.name) }).collect();
        print(&json::pretty(&listed).map_err(Failure::internal)?)?;
        return Ok(0);
    }
    let width = found.iter().map(|session| session.name.len()).max().unwrap_or(0).max("name".len());
    if !found.is_empty() {
        print(&format!("{:width$}  {:>8}  {:16}  keeps\n", "name", "size", "policy"))?;
    }
    for session in &found {
        let helper = helper(&session.name);
        let keeps = match (session.complete, session.python) {
            (false, _) if helper.is_some() => "nothing yet",
            (false, _) => "nothing: its first run was killed",
            (true, true) => "files, shell, python3",
            (true, false) => "files, shell",
        };
        let open = helper.map(|running| format!("; open for {}", running.age())).unwrap_or_default();
        let (size, policy) = (session.size_bytes.div_ceil(1024), &session.policy);
        print(&format!("{:width$}  {size:>5} KiB  {policy:16}  {keeps}{open}\n", session.name))?;
    }
    Ok(0)
}

/// Removes sessions; of these, a helper has ended without saving.
fn remove(store: &Store, names: &[String], ended: &[&String]) -> Result<u8, Failure> {
    let mut code = 0;
    for name in names {
        match store.remove(name) {
            Ok(()) => {}
            // It had kept nothing, so the helper left nothing.
            Err(StoreError::NotFound { .. }) if ended.contains(&name) => {}
            Err(error) => {
                say(&crate::one_line(&kept::advised(error)));
                code = 2;
            }
        }
    }
    Ok(code)
}
