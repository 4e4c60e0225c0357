//! The result of a command: its artifacts, the receipts of the decisions, and events while it runs. The types are those of `wisp-api`.

pub(crate) mod artifact;
pub(crate) mod receipt;
pub(crate) mod receipts;

pub use artifact::{Artifacts, is_plain};
pub use receipt::{EventSink, ReceiptSink};
