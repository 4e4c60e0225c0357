//! Records the refusals of one process as receipts, wherever they happen.

use std::sync::Arc;

use crate::exec::session_state::SessionState;
use crate::program::rootfs::programs;
use crate::program::tool::Tool;
use crate::program::tool_bytes::ToolBytes;
use crate::wasi::Refusals;
use wisp_api::ReceiptKind;
use wisp_policy::capability::Decision;
use wisp_policy::layout::PATH;
use wisp_policy::schema::Key;
use wisp_process::SpawnError;
use wisp_vfs::{Refused, Witness};
use wisp_world::denied_function;

/// The refusals of one process.
pub(crate) struct ProcessRefusals {
    session: Arc<SessionState>,
    process: u32,
    /// The tool that the process runs; `None` for a caller that only asks to start something.
    tool: Option<Arc<Tool>>,
}

impl ProcessRefusals {
    pub(crate) fn new(session: &Arc<SessionState>, process: u32, tool: Option<&Arc<Tool>>) -> Arc<Self> {
        Arc::new(Self { session: session.clone(), process, tool: tool.cloned() })
    }

    /// Records that it tried to start the program at `path`, which is not a tool of the session.
    pub(crate) fn program(&self, path: &str) {
        let rule = self.session.shared.policy.rule(Key::Allow).to_string();
        self.session.receipts.denied(self.process, ReceiptKind::Spawn, path, &rule);
    }

    /// Records that the program at `path` did not start: a refusal if wisp has such a program and the policy does not
    /// allow it.
    pub(crate) fn not_started(&self, path: &str, error: SpawnError) {
        let Some(name) = path.strip_prefix(PATH).and_then(|rest| rest.strip_prefix('/')) else { return };
        let shipped = || {
            self.session.shared.workshop.components().list().any(|component| {
                let bytes = ToolBytes::Shipped(component.clone());
                programs(component.name(), &bytes).any(|program| program == name)
            })
        };
        if error == SpawnError::NotFound && shipped() {
            self.program(path);
        }
    }
}

impl Witness for ProcessRefusals {
    fn refused(&self, mount: usize, path: &str, why: Refused) {
        // Only the policy makes mounts, so they have its order.
        let mounts = &self.session.shared.policy.filesystem().mounts;
        let rule = mounts.get(mount).map_or_else(|| "host program".to_owned(), |mount| mount.rule.to_string());
        self.session.receipts.denied(self.process, ReceiptKind::File, &format!("{path}: {}", why.reason()), &rule);
    }
}

impl Refusals for ProcessRefusals {
    fn import(&self, function: u32) {
        let rows = self.tool.iter().flat_map(|tool| tool.world.rows());
        let mut denied = rows.filter(|row| row.decision == Decision::Denied);
        let (subject, row) = match denied_function(function) {
            Some((interface, function)) => (format!("{} {function}", interface.name()), denied.find(|row| row.known == Some(interface))),
            None => ("a function that was composed away".to_owned(), denied.next()),
        };
        let rule = row.map_or("built in", |row| &row.rule);
        if let Some(running) = self.session.commands.of(self.process) {
            running.called_denied(self.process, &subject, rule);
        }
        self.session.receipts.denied(self.process, ReceiptKind::Import, &subject, rule);
    }
}
