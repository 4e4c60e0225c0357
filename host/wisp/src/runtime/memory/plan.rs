//! Which image the memory of an instantiation gets. wasmtime does not tell a memory creator whose memory it makes, so it is
//! said here, for as long as the instantiation is polled on this thread.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use wasmtime::MemoryType;

use super::creator::LiveMemory;
use super::image::Image;
use super::pool::{SlotPool, Space};
use crate::runtime::cpu::Faults;

/// A memory's type: its least and most pages. Tells the memories of a component apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub(crate) struct MemoryShape {
    /// Pages (64 KiB) at the start.
    pub minimum: u64,
    /// Maximum pages, if the type says so.
    pub maximum: Option<u64>,
}

/// What the memories of one instantiation start with.
pub(crate) struct Plan {
    /// The pool of the memory of this shape.
    pub image: Option<(MemoryShape, Arc<SlotPool>)>,
    /// Where all other memories come from.
    pub zero: Arc<ZeroPools>,
    /// The memory with the image, once it is made.
    pub live: Option<LiveMemory>,
    /// Page faults of whoever runs the instance, if all of it is measured, its instantiation included.
    pub faults: Option<Faults>,
}

/// Pools of memories that start with zeros, by size.
pub(crate) struct ZeroPools {
    space: Arc<Space>,
    pools: Mutex<HashMap<usize, Arc<SlotPool>>>,
}

impl ZeroPools {
    pub(crate) fn new(space: Arc<Space>) -> ZeroPools {
        ZeroPools { space, pools: Mutex::default() }
    }

    fn of(&self, size: usize) -> Arc<SlotPool> {
        let mut pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner);
        pools.entry(size).or_insert_with(|| SlotPool::new(self.space.clone(), Arc::new(Image::zero(size)))).clone()
    }
}

thread_local! {
    static PLAN: RefCell<Option<Plan>> = const { RefCell::new(None) };
}

/// Puts the plan back where it came from, also when a poll panics.
struct Lent<'a>(&'a mut Option<Plan>);

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        *self.0 = PLAN.take();
    }
}

/// Run an instantiation under a plan. Returns the plan as it is afterwards.
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

/// What a memory is made of.
pub(super) struct Planned {
    pub pool: Arc<SlotPool>,
    /// Whether it is the one with the image.
    pub image: bool,
    pub faults: Option<Faults>,
}

/// The pool for a memory of this type.
pub(super) fn pool_for(ty: &MemoryType, minimum: usize) -> Result<Planned, String> {
    PLAN.with_borrow(|plan| {
        let plan = plan.as_ref().ok_or("a memory is made outside of an instantiation of wisp's")?;
        match &plan.image {
            Some((shape, pool)) if *shape == (MemoryShape { minimum: ty.minimum(), maximum: ty.maximum() }) => {
                Ok(Planned { pool: pool.clone(), image: true, faults: plan.faults.clone() })
            }
            _ => Ok(Planned { pool: plan.zero.of(minimum), image: false, faults: plan.faults.clone() }),
        }
    })
}

/// The memory with the image is made.
pub(super) fn made(live: LiveMemory) {
    PLAN.with_borrow_mut(|plan| {
        if let Some(plan) = plan {
            plan.live = Some(live);
        }
    });
}
