//! The files of custom tools. Each is read, hashed and parsed once, however often it is needed.

#![expect(clippy::disallowed_methods, reason = "reads the components of custom tools that the policy names")]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Error, Read};
use std::path::PathBuf;
use std::sync::Arc;

use crate::program::error::SessionError;
use wisp_policy::CustomTool;
use wisp_policy::digest::sha256;
use wisp_world::Imports;

/// Maximum bytes of a custom tool's file (256 MiB): Python with pandas is 82 MB.
const MAX_TOOL_FILE: u64 = 256 << 20;

/// A custom tool's component.
pub(crate) struct ToolFile {
    pub bytes: Arc<[u8]>,
    /// Its imports, with its digest.
    pub imports: Imports,
}

/// The files of a policy's custom tools that have been read. [`check_tools`](crate::program::check_tools) returns them,
/// and a session that gets them ([`SessionBuilder::tool_files`](crate::SessionBuilder::tool_files)) does not read them
/// again. Cheap to clone.
#[derive(Clone, Default)]
pub struct ToolFiles(BTreeMap<PathBuf, Arc<ToolFile>>);

impl ToolFiles {
    /// The file of this tool, which is read if it was not read before, and must have the digest that the policy pins.
    pub(crate) fn of(&mut self, name: &str, tool: &CustomTool) -> Result<Arc<ToolFile>, SessionError> {
        if let Some(file) = self.0.get(&tool.path) {
            check_digest(name, tool, file.imports.digest())?;
            return Ok(file.clone());
        }
        let bytes = read(name, tool)?;
        let digest = sha256(&bytes);
        check_digest(name, tool, &digest)?;
        let imports = Imports::read_digested(name, &bytes, digest)?;
        let file = Arc::new(ToolFile { bytes: bytes.into(), imports });
        self.0.insert(tool.path.clone(), file.clone());
        Ok(file)
    }
}

impl std::fmt::Debug for ToolFiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

fn read(name: &str, tool: &CustomTool) -> Result<Vec<u8>, SessionError> {
    let fail = |source| SessionError::ToolFile { tool: name.to_owned(), path: tool.path.clone(), source, rule: tool.rule.to_string() };
    let mut bytes = Vec::new();
    File::open(&tool.path).and_then(|file| file.take(MAX_TOOL_FILE + 1).read_to_end(&mut bytes)).map_err(fail)?;
    if bytes.len() as u64 > MAX_TOOL_FILE {
        return Err(fail(Error::other(format!("it is larger than {MAX_TOOL_FILE} bytes"))));
    }
    Ok(bytes)
}

fn check_digest(name: &str, tool: &CustomTool, found: &str) -> Result<(), SessionError> {
    match &tool.sha256 {
        Some(expected) if found != expected => Err(SessionError::ToolDigest {
            tool: name.to_owned(),
            path: tool.path.clone(),
            found: found.to_owned(),
            expected: expected.clone(),
            rule: tool.sha256_rule.as_ref().unwrap_or(&tool.rule).to_string(),
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
