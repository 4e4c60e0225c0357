//! Chooses the image for the memory of an instantiation. wasmtime does not tell a memory creator whose memory it
//! makes, so the plan is stored here while the instantiation is polled on this thread.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::sync::Arc;

use parking_lot::Mutex;
use wasmtime::MemoryType;

use super::image::Image;
use super::live::LiveMemory;
use super::pool::{SlotPool, Space};
use crate::runtime::cpu::Faults;
use crate::runtime::fault::HostFault;

/// Bytes of a page of wasm, of which memories are made.
pub(crate) const WASM_PAGE: u64 = 64 << 10;

/// A memory's type: its minimum and maximum pages. Distinguishes the memories of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub(crate) struct MemoryShape {
    /// Pages (64 KiB) at the start.
    pub minimum: u64,
    /// Maximum pages, if the type says so.
    pub maximum: Option<u64>,
}

/// The initial contents of the memories of one instantiation.
pub(crate) struct Plan {
    /// The pool of the memory of this shape.
    pub image: Option<(MemoryShape, Arc<SlotPool>)>,
    /// The source of all other memories.
    pub zero: Arc<ZeroPools>,
    /// The memory with the image, once it is made.
    pub live: Option<LiveMemory>,
    /// Why a memory could not be made, if the system failed.
    pub failed: Option<HostFault>,
    /// Page faults of the thread that runs the instance, if all of it is measured, including its instantiation.
    pub faults: Option<Faults>,
}

/// Pools of memories that start with zeros, by size.
pub(crate) struct ZeroPools {
    space: Arc<Space>,
    pools: Mutex<HashMap<usize, Arc<SlotPool>>>,
}

impl ZeroPools {
    pub(crate) fn new(space: Arc<Space>) -> Self {
        Self { space, pools: Mutex::default() }
    }

    fn of(&self, size: usize) -> Arc<SlotPool> {
        let mut pools = self.pools.lock();
        pools.entry(size).or_insert_with(|| SlotPool::new(self.space.clone(), Arc::new(Image::zero(size)))).clone()
    }
}

thread_local! {
    static PLAN: RefCell<Option<Plan>> = const { RefCell::new(None) };
}

/// Puts the plan back to its owner, also when a poll panics.
struct Lent<'a>(&'a mut Option<Plan>);

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        *self.0 = PLAN.take();
    }
}

/// Runs an instantiation under a plan. Returns the plan as it is afterwards.
pub(crate) async fn instantiate<F: Future>(plan: Plan, future: F) -> (F::Output, Option<Plan>) {
    let mut future = pin!(future);
    let mut plan = Some(plan);
    let output = poll_fn(|context| {
        PLAN.set(plan.take());
        let _lent = Lent(&mut plan);
        future.as_mut().poll(context)
    })
    .await;
    (output, plan)
}

/// The source of a memory.
pub(super) struct Planned {
    pub pool: Arc<SlotPool>,
    /// Whether it is the one with the image.
    pub image: bool,
    pub faults: Option<Faults>,
}

/// Returns the pool for a memory of this type.
pub(super) fn pool_for(ty: &MemoryType, minimum: usize) -> Result<Planned, String> {
    PLAN.with_borrow(|plan| {
        let plan = plan.as_ref().ok_or("a memory is made outside of an instantiation by wisp")?;
        match &plan.image {
            Some((shape, pool)) if *shape == (MemoryShape { minimum: ty.minimum(), maximum: ty.maximum() }) => {
                Ok(Planned { pool: pool.clone(), image: true, faults: plan.faults.clone() })
            }
            _ => Ok(Planned { pool: plan.zero.of(minimum), image: false, faults: plan.faults.clone() }),
        }
    })
}

/// Notes that the memory with the image has been made.
pub(super) fn made(live: LiveMemory) {
    PLAN.with_borrow_mut(|plan| {
        if let Some(plan) = plan {
            plan.live = Some(live);
        }
    });
}

/// Returns the message that the system has no memory for the instance. Returns the text for wasmtime.
pub(super) fn failed(error: io::Error) -> String {
    let fault = HostFault::memory("the memory of a process cannot be mapped", error);
    let text = fault.to_string();
    PLAN.with_borrow_mut(|plan| {
        if let Some(plan) = plan {
            plan.failed = Some(fault);
        }
    });
    text
}
