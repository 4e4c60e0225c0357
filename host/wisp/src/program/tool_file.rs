//! The files of components of the user: custom tools, and those in front of imports. Each is read, hashed and parsed once, however often it
//! is needed.

#![expect(clippy::disallowed_methods, reason = "reads the components that the policy names")]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Error, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::program::error::SessionError;
use wisp_policy::digest::sha256;
use wisp_policy::{CustomTool, ImportComponent, Rule};
use wisp_world::Imports;

/// Maximum bytes of a component's file (256 MiB): Python with pandas is 82 MB.
const MAX_TOOL_FILE: u64 = 256 << 20;

/// What a policy says of a component of the user: its file, and what must be true of it.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'p> {
    pub path: &'p Path,
    pub sha256: Option<&'p str>,
    pub rule: &'p Rule,
    /// The rule with the digest, or with the file.
    pub sha256_rule: &'p Rule,
}

impl<'p> From<&'p CustomTool> for Wanted<'p> {
    fn from(tool: &'p CustomTool) -> Self {
        let sha256_rule = tool.sha256_rule.as_ref().unwrap_or(&tool.rule);
        Self { path: &tool.path, sha256: tool.sha256.as_deref(), rule: &tool.rule, sha256_rule }
    }
}

impl<'p> From<&'p ImportComponent> for Wanted<'p> {
    fn from(import: &'p ImportComponent) -> Self {
        let sha256_rule = import.sha256_rule.as_ref().unwrap_or(&import.rule);
        Self { path: &import.path, sha256: import.sha256.as_deref(), rule: &import.rule, sha256_rule }
    }
}

/// A component of the user.
#[derive(Debug)]
pub(crate) struct ToolFile {
    pub bytes: Arc<[u8]>,
    /// Its imports, with its digest.
    pub imports: Imports,
}

/// The files of a policy's custom tools and of its components in front of imports that have been read. [`check_tools`](crate::program::check_tools) returns them,
/// and a session that gets them ([`SessionBuilder::tool_files`](crate::SessionBuilder::tool_files)) does not read them
/// again. Cheap to clone.
#[derive(Clone, Default)]
pub struct ToolFiles(BTreeMap<PathBuf, Arc<ToolFile>>);

impl ToolFiles {
    /// Returns this file, which is read if it was not read before, and must have the digest that the policy pins. `name` is for messages.
    pub(crate) fn of<'p>(&mut self, name: &str, wanted: impl Into<Wanted<'p>>) -> Result<Arc<ToolFile>, SessionError> {
        let wanted = wanted.into();
        if let Some(file) = self.0.get(wanted.path) {
            check_digest(name, wanted, file.imports.digest())?;
            return Ok(file.clone());
        }
        let bytes = read(name, wanted)?;
        let digest = sha256(&bytes);
        check_digest(name, wanted, &digest)?;
        let imports = Imports::read_digested(name, &bytes, digest)?;
        let file = Arc::new(ToolFile { bytes: bytes.into(), imports });
        self.0.insert(wanted.path.to_owned(), file.clone());
        Ok(file)
    }
}

impl std::fmt::Debug for ToolFiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

fn read(name: &str, wanted: Wanted<'_>) -> Result<Vec<u8>, SessionError> {
    let (tool, path, rule) = (name.to_owned(), wanted.path.to_owned(), wanted.rule.to_string());
    let fail = |source| SessionError::ToolFile { tool, path, source, rule };
    let mut bytes = Vec::new();
    let read = File::open(wanted.path).and_then(|file| file.take(MAX_TOOL_FILE + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) if bytes.len() as u64 > MAX_TOOL_FILE => Err(fail(Error::other(format!("it is larger than {MAX_TOOL_FILE} bytes")))),
        Ok(_) => Ok(bytes),
        Err(error) => Err(fail(error)),
    }
}

fn check_digest(name: &str, wanted: Wanted<'_>, found: &str) -> Result<(), SessionError> {
    match wanted.sha256 {
        Some(expected) if found != expected => Err(SessionError::ToolDigest {
            tool: name.to_owned(),
            path: wanted.path.to_owned(),
            found: found.to_owned(),
            expected: expected.to_owned(),
            rule: wanted.sha256_rule.to_string(),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy_files::HostFiles;
    use crate::program::check_tools;
    use crate::{Engine, Policy};
    use wisp_policy::Overrides;

    #[tokio::test]
    async fn a_session_does_not_read_again_what_was_checked() {
        let engine = Engine::new(wisp_built::components()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.wasm");
        std::fs::write(&path, engine.components().lookup("example-tool").unwrap().bytes().unwrap()).unwrap();
        let policy = Policy::offline().with(&HostFiles, &Overrides::host_program().tool_at("mine", &path)).unwrap();
        let mut files = check_tools(engine.components(), &policy).unwrap();
        // From here on, a second read would fail.
        std::fs::write(&path, "no component").unwrap();
        let session = engine.session(&policy).tool_files(files.clone()).build().await.unwrap();
        let custom = &policy.tools().custom["mine"];
        let file = files.of("mine", custom).unwrap();
        assert_eq!(session.state.shared.tools["mine"].world.digest(), file.imports.digest());
        assert!(Arc::ptr_eq(&file, &files.of("mine", custom).unwrap()));
        assert!(matches!(engine.session(&policy).build().await, Err(SessionError::Policy(_))));
        // The file that was read must have the digest that is pinned now.
        let mut pinned = custom.clone();
        pinned.sha256 = Some("0".repeat(64));
        assert!(matches!(files.of("mine", &pinned), Err(SessionError::ToolDigest { .. })));
    }
}
