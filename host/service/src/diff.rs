//! What changed in a session.

use wisp::fs::{Difference, Files};
use wisp_api::{DiffRequest, FileChange, SessionDiff};

use crate::error::ServiceError;
use crate::session::SessionHandle;

impl SessionHandle {
    /// Returns the files that differ from those that the session began with; in an overlay mount, from what the host has now. With
    /// `text`, each has its unified diff, with names relative to the path that was compared.
    ///
    /// # Errors
    /// If the path does not exist and did not, or a file of the host cannot be read.
    pub async fn diff(&self, request: DiffRequest) -> Result<SessionDiff, ServiceError> {
        let call = self.call()?;
        let compare = async move {
            let files = call.session().files();
            let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
            let found = call.session().changes(&request.path, limit).await?;
            let mut changes = Vec::with_capacity(found.entries.len());
            for difference in &found.entries {
                let base = request.text.then_some(found.top.as_str());
                changes.push(change(&files, difference, base).await?);
            }
            Ok(SessionDiff { path: found.top, files: changes, truncated: found.truncated })
        };
        self.service.on(compare).await
    }
}

async fn change(files: &Files, difference: &Difference, base: Option<&str>) -> Result<FileChange, ServiceError> {
    let diff = match base {
        Some(base) => Some(files.diff(difference, base).await?),
        None => None,
    };
    Ok(FileChange { difference: files.difference(difference), diff })
}
