//! How much a client can make the server hold.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum bytes of a message of the client. A longer line is skipped, a longer frame ends its connection: a client that never ends
/// one must not fill memory. Codex sends whole files in one message.
pub(crate) const MESSAGE: usize = 32 << 20;

/// Maximum bytes of an id that the client chooses: of a request, a process, a body that is streamed.
pub(crate) const ID: usize = 256;

/// Maximum bytes of a file that one call reads or writes as a whole: what fits into such a message as base64. Larger ones are read and
/// written block by block.
pub(crate) const FILE: u64 = 23 << 20;

/// Maximum bytes of a block of a file, as Codex has it.
pub(crate) const BLOCK: usize = 1 << 20;

/// Maximum bytes of a body that is answered as a whole; larger ones are asked for as a stream.
pub(crate) const BODY: u64 = 8 << 20;

/// How often what is read or written is in memory at a time: the message, what was read of it, and its bytes.
pub(crate) const COPIES: usize = 3;

/// Maximum bytes of the requests that run, in all their copies: the largest message, and some more.
const ASKED: usize = 128 << 20;

/// Maximum bytes of the answers and notifications that wait to be written, and of what answers are made of.
const ANSWERED: usize = 128 << 20;

/// Maximum bytes of input that the processes of a client have not read yet. One write can have as much as a message.
const TYPED: usize = 64 << 20;

/// What is counted: one unit of a budget stands for so many bytes.
const UNIT: usize = 1 << 10;

/// Memory of one connection for one purpose.
#[derive(Clone)]
pub(crate) struct Budget {
    units: Arc<Semaphore>,
    all: u32,
}

/// Bytes that are held until this is dropped.
pub(crate) type Held = OwnedSemaphorePermit;

impl Budget {
    pub(crate) fn for_requests() -> Self {
        Self::new(ASKED)
    }

    pub(crate) fn for_answers() -> Self {
        Self::new(ANSWERED)
    }

    pub(crate) fn for_input() -> Self {
        Self::new(TYPED)
    }

    fn new(bytes: usize) -> Self {
        let all = u32::try_from(bytes / UNIT).unwrap_or(u32::MAX);
        Self { units: Arc::new(Semaphore::new(bytes / UNIT)), all }
    }

    /// Returns the units of so many bytes. What is larger than all has all.
    fn units(&self, bytes: usize) -> u32 {
        u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).clamp(1, self.all)
    }

    /// Takes so many bytes, if there is room.
    pub(crate) fn try_hold(&self, bytes: usize) -> Option<Held> {
        self.units.clone().try_acquire_many_owned(self.units(bytes)).ok()
    }

    /// Waits until there is room for so many bytes. `None` never comes: the budget is never closed.
    pub(crate) async fn hold(&self, bytes: usize) -> Option<Held> {
        self.units.clone().acquire_many_owned(self.units(bytes)).await.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_has_room_until_it_is_used_up() {
        let budget = Budget::new(10 * UNIT);
        let first = budget.try_hold(4 * UNIT + 1);
        let second = budget.try_hold(0);
        assert!(first.is_some() && second.is_some() && budget.try_hold(5 * UNIT).is_none());
        assert!(budget.try_hold(4 * UNIT).is_some());
        drop((first, second));
        // What is larger than all waits for all, and not for ever.
        assert!(budget.try_hold(100 * UNIT).is_some());
    }
}
