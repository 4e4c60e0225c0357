//! What else than its programs or a limit ended a command.

use std::sync::OnceLock;

use parking_lot::Mutex;

use wisp_api::ErrorCode;

/// What else than its programs or a limit can end a command.
#[derive(Default)]
pub(crate) struct Causes {
    /// The first failure of the host.
    pub(super) failure: OnceLock<(ErrorCode, String)>,
    /// The refused call that ended the first process.
    pub(super) refusal: OnceLock<Refusal>,
    /// The last function that was composed away and called, with the process that called it.
    pub(super) called: Mutex<Option<(u32, Refusal)>>,
}

/// What was refused, and the rule that refused it, as the receipt has them.
pub(super) struct Refusal {
    pub(super) subject: String,
    pub(super) rule: String,
}
