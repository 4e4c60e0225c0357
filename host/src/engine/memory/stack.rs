//! Fiber stacks that are used again: mapping one for every process would cost more than a short process does.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use wasmtime::{StackCreator, StackMemory};

use super::sys::{Region, page};

/// Stacks kept while nobody uses them, at the most.
const MAX_IDLE: usize = 64;

/// Bytes at the top of an idle stack that stay in memory: short programs use no more.
const KEEP: usize = 64 << 10;

/// Makes stacks out of used ones.
#[derive(Clone, Default)]
pub(crate) struct Stacks(Arc<Mutex<Vec<Region>>>);

struct Stack {
    /// There until it is dropped.
    region: Option<Region>,
    stacks: Stacks,
}

impl Stacks {
    fn take(&self, len: usize) -> Option<Region> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = idle.iter().rposition(|region| region.len() == len)?;
        Some(idle.swap_remove(at))
    }

    fn give_back(&self, region: Region) {
        let below = page()..region.len().saturating_sub(KEEP).max(page());
        // SAFETY: the stack's fiber is gone, nobody uses it. What cannot be given back is unmapped.
        let kept = unsafe { region.discard(below) }.is_ok();
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept && idle.len() < MAX_IDLE {
            idle.push(region);
        }
    }
}

impl Stack {
    fn region(&self) -> &Region {
        // Nothing but `drop` takes it.
        self.region.as_ref().expect("a stack has its memory until it is dropped")
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        if let Some(region) = self.region.take() {
            self.stacks.give_back(region);
        }
    }
}

// SAFETY: a reservation of whole pages of which the lowest is never accessible; it lives until the value is dropped and
// nobody else is given its address. A used stack holds what its last fiber left there, as wasmtime's own pool does with
// `async_stack_zeroing` off: machine code does not read a stack slot that it did not write.
unsafe impl StackMemory for Stack {
    fn top(&self) -> *mut u8 {
        self.region().base().wrapping_add(self.region().len())
    }

    fn range(&self) -> Range<usize> {
        let base = self.region().base() as usize;
        base + page()..base + self.region().len()
    }

    fn guard_range(&self) -> Range<*mut u8> {
        let base = self.region().base();
        base..base.wrapping_add(page())
    }
}

// SAFETY: see `StackMemory`.
unsafe impl StackCreator for Stacks {
    fn new_stack(&self, size: usize, zeroed: bool) -> wasmtime::Result<Box<dyn StackMemory>> {
        if zeroed {
            wasmtime::bail!("stacks are used again as they are, see engine/config.rs");
        }
        let len = size.next_multiple_of(page()) + page();
        let region = match self.take(len) {
            Some(region) => region,
            None => {
                let region = Region::reserve(len)?;
                region.small_pages();
                region.allow(page()..len, true)?;
                region
            }
        };
        Ok(Box::new(Stack { region: Some(region), stacks: self.clone() }))
    }
}
