//! What a session is: its checkpoints and forks, what changed in it, and what its policy allows.

use rmcp::model::CallToolResult;
use wisp::explain::for_model;
use wisp_api::{CheckpointId, CheckpointInfo, DiffRequest, DifferenceKind, FileDifference, SessionRequest};

use crate::arguments::{Checkpoint, ExplainPolicy, ForkSession, RestoreSession, SessionDiff};
use crate::call::Call;
use crate::connection::Connection;
use crate::error::CallError;
use crate::report::Report;
use crate::sessions::check_name;
use crate::text::{Gap, shortened};

use super::output as bound;

/// Handles `checkpoint`.
pub(super) async fn checkpoint(connection: &Connection, call: &Call, asked: Checkpoint) -> Result<CallToolResult, CallError> {
    let found = connection.session(asked.session.as_deref()).await?;
    // Not in the middle of an evaluation: it waits for its turn, as one does.
    let _turn = connection.core().turn(call, &found.place).await?;
    let info = found.place.handle.checkpoint(asked.label).await?;
    let mut report = Report::new(&found);
    let python = if info.interpreters.is_empty() { "" } else { " and the Python interpreter" };
    report.text(&format!("checkpoint {} of the session `{}`: its files{python}", info.id, found.place.name));
    not_carried(&mut report, &info);
    Ok(report.done())
}

fn not_carried(report: &mut Report, info: &CheckpointInfo) {
    info.not_carried.iter().for_each(|line| report.note(format!("[not in it: {line}]")));
}

/// Handles `fork_session`.
pub(super) async fn fork(connection: &Connection, call: &Call, asked: ForkSession) -> Result<CallToolResult, CallError> {
    let found = connection.session(asked.session.as_deref()).await?;
    let (core, place) = (connection.core(), &found.place);
    let name = asked.name.unwrap_or_else(|| core.fork_name(&place.name));
    check_name(&name)?;
    let request = SessionRequest { key: Some(name.clone()), ..SessionRequest::default() };
    let mut report = Report::new(&found);
    let _turn = core.turn(call, place).await?;
    let fork = match asked.checkpoint {
        Some(id) => place.handle.fork(&CheckpointId::from(id), request).await?,
        None => {
            let info = place.handle.checkpoint(None).await?;
            not_carried(&mut report, &info);
            let fork = place.handle.fork(&info.id, request).await;
            // It was made for this only.
            place.handle.delete_checkpoint(&info.id)?;
            fork?
        }
    };
    core.add(&name, fork);
    report.text(&format!("the session `{name}` has what `{}` had", place.name));
    Ok(report.done())
}

/// Handles `restore_session`.
pub(super) async fn restore(connection: &Connection, call: &Call, asked: RestoreSession) -> Result<CallToolResult, CallError> {
    let found = connection.session(asked.session.as_deref()).await?;
    let _turn = connection.core().turn(call, &found.place).await?;
    found.place.handle.restore(&CheckpointId::from(asked.checkpoint.as_str())).await?;
    let mut report = Report::new(&found);
    report.text(&format!("the session `{}` is what it was at checkpoint {}", found.place.name, asked.checkpoint));
    Ok(report.done())
}

/// Handles `session_diff`.
pub(super) async fn diff(connection: &Connection, asked: SessionDiff) -> Result<CallToolResult, CallError> {
    let found = connection.session(asked.session.as_deref()).await?;
    let text = asked.names_only != Some(true);
    let path = asked.path.unwrap_or_else(|| "/".to_owned());
    let diff = found.place.handle.diff(DiffRequest { path, text, ..DiffRequest::default() }).await?;
    let mut all = String::new();
    for file in &diff.files {
        all.push_str(&line(&file.difference));
    }
    let texts = diff.files.iter().filter_map(|file| file.diff.as_ref());
    texts.for_each(|diff| all.push_str(&String::from_utf8_lossy(&diff.text)));
    let mut report = Report::new(&found);
    let note = |gap: Gap| format!("[{} bytes are left out here: `path` shows one file or directory alone]", gap.to - gap.from);
    report.text(&shortened(all.as_bytes(), bound(connection, None), note));
    if diff.truncated {
        report.note("[there are more: `path` shows one directory alone]");
    }
    if diff.files.is_empty() {
        report.note(format!("[nothing below {} differs from what the session began with]", diff.path));
    }
    Ok(report.done())
}

fn line(FileDifference { path, kind, mount, after, .. }: &FileDifference) -> String {
    let kind = match kind {
        DifferenceKind::Mode => "other mode",
        other => other.as_str(),
    };
    let mounted = if mount.is_some() { ", in a mounted folder" } else { "" };
    let size = after.as_ref().and_then(|after| after.size).map(|size| format!(", {size} bytes")).unwrap_or_default();
    format!("{path}: {kind}{size}{mounted}\n")
}

/// Handles `explain_policy`.
pub(super) async fn explain(connection: &Connection, asked: ExplainPolicy) -> Result<CallToolResult, CallError> {
    let found = connection.session(asked.session.as_deref()).await?;
    let mut report = Report::new(&found);
    let policy = found.place.handle.policy();
    let page = for_model(connection.core().service.runtime().engine().components(), policy);
    let note = |gap: Gap| format!("[{} bytes are left out here]", gap.to - gap.from);
    report.text(&shortened(page.as_bytes(), bound(connection, None), note));
    report.note(format!("[the policy `{}`; this session is `{}`]", policy.name(), found.place.name));
    Ok(report.done())
}
