//! The result of a command: its outcome, its artifacts, the receipts of the decisions, and events while it runs.

pub(crate) mod artifact;
pub(crate) mod document;
pub(crate) mod event;
pub(crate) mod limit;
pub(crate) mod receipt;
pub(crate) mod receipts;
pub(crate) mod result;

pub use artifact::{Artifact, is_plain};
pub use document::{FileDocument, LimitDocument, OutcomeDocument, ReceiptDocument, UsageDocument};
pub use event::{Event, EventSink, Happening, Stream};
pub use limit::Limit;
pub use receipt::{HttpReceipt, Receipt, ReceiptKind, ReceiptSink, Verdict};
pub use result::{LimitHit, Outcome, Usage};
