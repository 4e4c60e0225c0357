//! Reused fiber stacks: mapping one for every process would cost more than a short process does.

use std::ops::Range;
use std::sync::Arc;

use wasmtime::{StackCreator, StackMemory};

use super::sys::{Region, page};
use crate::runtime::percpu::PerCpuStack;

/// Maximum idle stacks that are kept.
const MAX_IDLE: usize = 64;

/// Bytes at the top of an idle stack that stay in memory: short programs use no more.
const KEEP: usize = 64 << 10;

/// After this many uses, the pages of a stack below that are returned to the kernel even if they seem unused.
const LEAN: u32 = 64;

/// Provides stacks, reusing idle ones.
#[derive(Clone, Default)]
pub(crate) struct Stacks(Arc<PerCpuStack<Idle>>);

/// An idle stack.
struct Idle {
    region: Region,
    /// Uses since its pages were returned.
    uses: u32,
}

struct Stack {
    /// Present until it is dropped.
    region: Option<Region>,
    uses: u32,
    stacks: Stacks,
}

impl Stacks {
    fn take(&self, len: usize) -> Option<Idle> {
        self.0.take_that(|idle| idle.region.len() == len)
    }

    fn give_back(&self, region: Region, uses: u32) {
        let below = page()..region.len().saturating_sub(KEEP).max(page());
        let uses = uses + 1;
        // A stack that grew further down wrote to the page next to those that stay: every frame has a return address.
        // A frame of only zeros could hide that, so the pages are returned from time to time in any case.
        let next = below.end.saturating_sub(page()).max(below.start)..below.end;
        // SAFETY: the stack's fiber is gone, so the stack is unused.
        let short = uses < LEAN && unsafe { region.bytes(next) }.iter().fold(0, |all, byte| all | byte) == 0;
        // SAFETY: as above. Pages that cannot be returned are unmapped.
        if short || unsafe { region.discard(below) }.is_ok() {
            self.0.put_below(MAX_IDLE, Idle { region, uses: if short { uses } else { 0 } });
        }
    }
}

impl Stack {
    fn region(&self) -> &Region {
        // Only `drop` takes it.
        self.region.as_ref().expect("a stack has its memory until it is dropped")
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        if let Some(region) = self.region.take() {
            self.stacks.give_back(region, self.uses);
        }
    }
}

// SAFETY: a reservation of whole pages, of which the lowest is never accessible; it lives until the value is dropped,
// and its address is not shared. A reused stack holds what its last fiber left there, as in wasmtime's own pool with
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
        let Idle { region, uses } = match self.take(len) {
            Some(idle) => idle,
            None => {
                let region = Region::reserve(len)?;
                region.small_pages();
                region.allow(page()..len, true)?;
                Idle { region, uses: 0 }
            }
        };
        Ok(Box::new(Stack { region: Some(region), uses, stacks: self.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses a stack down to `depth` bytes below its top; returns whether the byte there was zero before.
    fn use_down_to(stacks: &Stacks, depth: usize) -> bool {
        let stack = stacks.new_stack(1 << 20, false).expect("a megabyte can be reserved");
        let at = stack.top().wrapping_sub(depth);
        // SAFETY: below the top, above the guard page, and not shared.
        unsafe {
            let fresh = at.read() == 0;
            // What a frame leaves on each page on the way.
            for page in (0..depth).step_by(page()) {
                stack.top().wrapping_sub(page + 8).write(7);
            }
            at.write(7);
            fresh
        }
    }

    #[test]
    fn a_stack_keeps_what_is_near_its_top_and_gives_back_what_is_deep() {
        let stacks = Stacks::default();
        assert!(use_down_to(&stacks, 4096));
        assert!(!use_down_to(&stacks, 4096), "the same stack, and its top stayed");
        assert!(use_down_to(&stacks, 512 << 10));
        assert!(use_down_to(&stacks, 512 << 10), "released immediately, because the page below the top was written");
    }

    #[test]
    fn what_hides_deep_is_given_back_after_some_uses() {
        let stacks = Stacks::default();
        let deep = |stack: &dyn StackMemory| stack.top().wrapping_sub(512 << 10);
        let stack = stacks.new_stack(1 << 20, false).expect("a megabyte can be reserved");
        // SAFETY: inside the stack, which this test owns.
        unsafe { deep(&*stack).write(7) };
        drop(stack);
        let mut uses = 0;
        loop {
            let stack = stacks.new_stack(1 << 20, false).expect("one is idle");
            // SAFETY: as above.
            if unsafe { deep(&*stack).read() } == 0 {
                break;
            }
            uses += 1;
            assert!(uses <= LEAN, "nothing gives it back");
        }
        assert!(uses > 1, "one page that was never next to those that stay is not seen at once");
    }
}
