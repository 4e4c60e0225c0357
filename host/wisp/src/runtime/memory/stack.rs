//! Reused fiber stacks: mapping one for every process would cost more than a short process does.
//!
//! wasmtime keeps the stack of a store until the store is dropped. The stack of an interpreter between two evaluations
//! holds nothing: at rest it can give back its pages and its maps, and keeps only its addresses.

use std::cell::RefCell;
use std::future::poll_fn;
use std::io;
use std::ops::Range;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use wasmtime::{StackCreator, StackMemory};

use super::sys::{Region, page};
use crate::runtime::fault::{FailPoint, FailPoints, HostFault};
use crate::runtime::percpu::PerCpuStack;

/// Maximum idle stacks that are kept.
const MAX_IDLE: usize = 64;

/// Inaccessible space below a stack. A page would do; with as much as a huge page covers, the kernel leaves no gap between a
/// stack and what it maps next, so that the space between them is one map.
const GUARD: usize = 2 << 20;

/// Bytes at the top of an idle stack that stay in memory: short programs use no more.
const KEEP: usize = 64 << 10;

/// After this many uses, the pages of a stack below that are returned to the kernel even if they seem unused.
const LEAN: u32 = 64;

/// Provides stacks, reusing idle ones.
#[derive(Clone, Default)]
pub(crate) struct Stacks {
    idle: Arc<PerCpuStack<Idle>>,
    fail: FailPoints,
}

/// An idle stack.
struct Idle {
    region: Region,
    /// Uses since its pages were returned.
    uses: u32,
}

struct Stack {
    /// Present until it is dropped.
    mapped: Option<Arc<Mapped>>,
    uses: u32,
    stacks: Stacks,
}

struct Mapped {
    region: Region,
    /// It has no pages and cannot be used.
    rests: AtomicBool,
}

/// Access to the stack of a store, to let it rest.
#[derive(Clone)]
pub(crate) struct LiveStack(Weak<Mapped>);

impl LiveStack {
    /// Gives back its pages and maps until `wake`.
    ///
    /// # Errors
    /// The system's. The stack is then as it was.
    ///
    /// # Safety
    /// No code runs on the stack, and none does until `wake` has returned.
    pub(crate) unsafe fn rest(&self) -> io::Result<()> {
        let Some(mapped) = self.0.upgrade() else { return Ok(()) };
        if !mapped.rests.load(Ordering::Relaxed) {
            // SAFETY: the caller's promise.
            unsafe { mapped.region.withdraw(GUARD..mapped.region.len())? };
            mapped.rests.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Makes it usable again. Does nothing to one that does not rest.
    ///
    /// # Errors
    /// The system's: the number of maps may be used up. The stack still rests then.
    pub(crate) fn wake(&self) -> io::Result<()> {
        let Some(mapped) = self.0.upgrade() else { return Ok(()) };
        if mapped.rests.load(Ordering::Relaxed) {
            mapped.region.allow(GUARD..mapped.region.len(), true)?;
            mapped.rests.store(false, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Returns whether the stack has been used further down than `depth` bytes from its top: code touches every page on its way.
    /// False for a stack that is gone, or that is not as large.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn is_deeper_than(&self, depth: usize) -> io::Result<bool> {
        let Some(mapped) = self.0.upgrade() else { return Ok(false) };
        let next = mapped.region.len().checked_sub(depth.next_multiple_of(page()) + page());
        next.filter(|offset| *offset >= GUARD).map_or(Ok(false), |offset| mapped.region.is_resident(offset))
    }
}

thread_local! {
    /// The first stack that is made during `noting`; the outer `None` outside of one.
    static FIRST: RefCell<Option<Option<LiveStack>>> = const { RefCell::new(None) };
}

/// Runs a call into a store. Returns the stack that was made for it too, if one was: wasmtime makes it for the first call,
/// which may be that of a start function, and keeps it with the store.
pub(crate) async fn noting_stack<F: Future>(call: F) -> (F::Output, Option<LiveStack>) {
    let (mut call, mut made) = (pin!(call), None);
    let output = poll_fn(|context| {
        let (polled, first) = noting(|| call.as_mut().poll(context));
        made = made.take().or(first);
        polled
    })
    .await;
    (output, made)
}

/// Does `work`. Returns the first stack that was made for it too, if one was.
pub(crate) fn noting<T>(work: impl FnOnce() -> T) -> (T, Option<LiveStack>) {
    let outer = FIRST.replace(Some(None));
    let done = work();
    (done, FIRST.replace(outer).flatten())
}

impl Stacks {
    /// Keeps none at first. `fail` says what a test makes fail.
    pub(crate) fn new(fail: FailPoints) -> Self {
        Self { fail, ..Self::default() }
    }

    fn take(&self, len: usize) -> Option<Idle> {
        self.idle.take_that(|idle| idle.region.len() == len)
    }

    fn make(&self, size: usize) -> io::Result<(Stack, LiveStack)> {
        let len = size.next_multiple_of(GUARD) + GUARD;
        let Idle { region, uses } = match self.take(len) {
            Some(idle) => idle,
            None => {
                self.fail.check(FailPoint::Stack)?;
                let region = Region::reserve(len)?;
                region.small_pages();
                region.allow(GUARD..len, true)?;
                Idle { region, uses: 0 }
            }
        };
        let mapped = Arc::new(Mapped { region, rests: AtomicBool::new(false) });
        let live = LiveStack(Arc::downgrade(&mapped));
        Ok((Stack { mapped: Some(mapped), uses, stacks: self.clone() }, live))
    }

    fn give_back(&self, region: Region, uses: u32) {
        let below = GUARD..region.len().saturating_sub(KEEP).max(GUARD);
        let uses = uses + 1;
        // A stack that grew further down wrote to the page next to those that stay: every frame has a return address.
        // A frame of only zeros could hide that, so the pages are returned from time to time in any case.
        let next = below.end.saturating_sub(page()).max(below.start)..below.end;
        // SAFETY: the stack's fiber is gone, so the stack is unused.
        let short = uses < LEAN && unsafe { region.bytes(next) }.iter().fold(0, |all, byte| all | byte) == 0;
        // SAFETY: as above. Pages that cannot be returned are unmapped.
        if short || unsafe { region.discard(below) }.is_ok() {
            self.idle.put_below(MAX_IDLE, Idle { region, uses: if short { uses } else { 0 } });
        }
    }
}

impl Stack {
    fn region(&self) -> &Region {
        // Only `drop` takes it.
        &self.mapped.as_ref().expect("a stack has its memory until it is dropped").region
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // Nothing lets it rest or wakes it in the meantime, because that takes its store. One that rests is unmapped.
        if let Some(Mapped { region, rests }) = self.mapped.take().and_then(Arc::into_inner)
            && !rests.into_inner()
        {
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
        base + GUARD..base + self.region().len()
    }

    fn guard_range(&self) -> Range<*mut u8> {
        let base = self.region().base();
        base..base.wrapping_add(GUARD)
    }
}

// SAFETY: see `StackMemory`.
unsafe impl StackCreator for Stacks {
    fn new_stack(&self, size: usize, zeroed: bool) -> wasmtime::Result<Box<dyn StackMemory>> {
        if zeroed {
            wasmtime::bail!("stacks are used again as they are, see engine/config.rs");
        }
        let (stack, live) = self.make(size).map_err(|error| HostFault::memory("the stack of a process cannot be mapped", error))?;
        FIRST.with_borrow_mut(|first| {
            if let Some(first @ None) = first {
                *first = Some(live);
            }
        });
        Ok(Box::new(stack))
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
    fn a_stack_tells_how_deep_it_was_used() {
        let stacks = Stacks::default();
        let (stack, live) = stacks.make(1 << 20).expect("a megabyte can be reserved");
        assert!(!live.is_deeper_than(0).expect("pages can be looked up"));
        // SAFETY: inside the stack, which this test owns, and which no code runs on.
        unsafe { stack.top().wrapping_sub(3 * page()).write(0) };
        assert!(live.is_deeper_than(2 * page()).expect("as above"));
        assert!(!live.is_deeper_than(3 * page()).expect("as above"));
        assert!(!live.is_deeper_than(1 << 30).expect("as above"), "it is not as large");
        drop(stack);
        assert!(!live.is_deeper_than(2 * page()).expect("it is gone"));
    }

    #[test]
    fn a_stack_at_rest_is_reserved_space_and_wakes_empty() {
        let stacks = Stacks::default();
        let (stack, live) = stacks.make(1 << 20).expect("a megabyte can be reserved");
        let (whole, last) = (stack.region().base() as usize..stack.top() as usize, stack.top().wrapping_sub(8));
        // SAFETY: inside the stack, which this test owns, and which no code runs on.
        unsafe { last.write(7) };
        for _ in 0..2 {
            // SAFETY: as above.
            unsafe { live.rest() }.expect("space can be reserved");
        }
        let (map, rights) = map_at(last as usize);
        assert!(rights == "---p" && map.start <= whole.start && map.end >= whole.end, "one map with its guard: {map:x?} {rights}");
        for _ in 0..2 {
            live.wake().expect("a stack can be mapped");
        }
        assert_eq!(map_at(last as usize).1, "rw-p");
        // SAFETY: as above; it is awake.
        assert_eq!(unsafe { last.read() }, 0);
        drop(stack);
        live.wake().expect("a stack that is gone needs nothing");
        let (again, live) = stacks.make(1 << 20).expect("one is idle");
        assert_eq!(again.top().wrapping_sub(8), last, "one that is awake is used again");
        // SAFETY: as above.
        unsafe { live.rest() }.expect("space can be reserved");
        drop(again);
        assert!(stacks.take(whole.len()).is_none(), "one that rests is not");
    }

    /// The map with this address, and its rights.
    #[expect(clippy::disallowed_methods, reason = "/proc/self/maps, which says what is mapped")]
    fn map_at(address: usize) -> (Range<usize>, String) {
        let maps = std::fs::read_to_string("/proc/self/maps").expect("Linux has it");
        let mut maps = maps.lines().filter_map(|line| {
            let (range, rest) = line.split_once(' ')?;
            let (start, end) = range.split_once('-')?;
            let number = |text| usize::from_str_radix(text, 16).ok();
            Some((number(start)?..number(end)?, rest.split(' ').next()?.to_owned()))
        });
        maps.find(|(map, _)| map.contains(&address)).expect("the address is reserved")
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
