//! No byte of one process reaches the next, whatever the first did and however it ended.

use std::os::unix::fs::FileExt;
use std::sync::Arc;

use wasmtime::{Instance, Module, Store, StoreLimits, StoreLimitsBuilder};

use super::*;
use crate::runtime::{
    FailPoints, Faults, Memory, MemoryChoice, Metered, Metering, PrewarmPool, Prewarmed, Runtime, Slots, without_waiting,
};

const PAGE: usize = 4096;

/// Pages (64 KiB) of the guest's memory at the start; the image covers the first six and a half.
const PAGES: usize = 8;
const IMAGE: usize = 6 * 65536 + 30_000;

/// Writes `count` pseudo-random bytes all over its memory, growing it now and then, then ends as `how` says:
/// normally, by a trap, by an access out of bounds, or never.
const GUEST: &str = r#"(module
    (memory (export "memory") 8)
    (func $next (param $x i64) (result i64)
        (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 13))))
        (local.set $x (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 7))))
        (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 17))))
    (func (export "run") (param $x i64) (param $count i32) (param $grow i32) (param $how i32) (result i32)
        (drop (memory.grow (local.get $grow)))
        (loop $more
            (local.set $x (call $next (local.get $x)))
            (i32.store8
                (i32.rem_u (i32.wrap_i64 (i64.shr_u (local.get $x) (i64.const 20))) (i32.mul (memory.size) (i32.const 65536)))
                (i32.wrap_i64 (local.get $x)))
            (br_if $more (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
        (if (i32.eq (local.get $how) (i32.const 1)) (then unreachable))
        (if (i32.eq (local.get $how) (i32.const 2)) (then (i32.store (i32.const -8) (i32.const 7))))
        (if (i32.eq (local.get $how) (i32.const 3)) (then (loop $ever (br $ever))))
        (memory.size))
    (func (export "sum") (result i32) (local $at i32) (local $sum i32)
        (loop $more
            (local.set $sum (i32.add (local.get $sum) (i32.load8_u (local.get $at))))
            (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (i32.mul (memory.size) (i32.const 65536)))))
        (local.get $sum))
)"#;

struct Setting {
    runtime: Runtime,
    slots: Slots,
    pool: Arc<SlotPool>,
    module: Module,
    image: Vec<u8>,
}

fn image_bytes() -> Vec<u8> {
    (0..IMAGE).map(|at| (at * 31 % 251) as u8).collect()
}

fn pool_of(space: &Arc<Space>, bytes: &[u8], size: usize) -> Arc<SlotPool> {
    let file = sealed(|file| file.write_all_at(bytes, 0)).unwrap();
    SlotPool::new(space.clone(), Arc::new(Image::of_file(file, bytes.len(), size).unwrap()))
}

fn setting(bounds: SlotBounds) -> Setting {
    let (memory, _) =
        Memory::choose(MemoryChoice::Slots, bounds, FailPoints::default()).expect("the machine that runs the tests has PAGEMAP_SCAN");
    let Memory::Slots(slots) = memory.clone() else { unreachable!("slots were requested") };
    let runtime = Runtime::new(Metering::Epochs, 4, memory).unwrap();
    let module = Module::new(runtime.engine(), wat::parse_str(GUEST).unwrap()).unwrap();
    let mut image = image_bytes();
    let pool = pool_of(&slots.space, &image, PAGES << 16);
    image.resize(PAGES << 16, 0);
    Setting { runtime, slots, pool, module, image }
}

impl Setting {
    /// Puts an instance on the shelf, as for later processes.
    fn prewarm(&self, prewarmed: &PrewarmPool<StoreLimits, Instance>) {
        let Some(place) = prewarmed.has_room().then(|| self.slots.space.place(Some(&self.pool))).flatten() else { return };
        let faults = Faults::default();
        let (store, instance, live) = faults.during(|| without_waiting(self.start(&self.pool))).expect("nothing to wait for");
        prewarmed.put(Prewarmed { store, instance, live: Some(live), stack: None, faults, place });
    }

    async fn start(&self, pool: &Arc<SlotPool>) -> (Store<StoreLimits>, Instance, LiveMemory) {
        let mut store = Store::new(self.runtime.engine(), StoreLimitsBuilder::new().memory_size(64 << 20).build());
        store.limiter(|limits| limits);
        store.set_epoch_deadline(1);
        let shape = MemoryShape { minimum: PAGES as u64, maximum: None };
        let plan = Plan { image: Some((shape, pool.clone())), zero: self.slots.zero.clone(), live: None, failed: None, faults: None };
        let (instance, plan) = instantiate(plan, Instance::new_async(&mut store, &self.module, &[])).await;
        (store, instance.unwrap(), plan.and_then(|plan| plan.live).unwrap())
    }

    async fn call(&self, store: &mut Store<StoreLimits>, instance: &Instance, arguments: (i64, i32, i32, i32)) -> wasmtime::Result<i32> {
        let run = instance.get_typed_func::<(i64, i32, i32, i32), i32>(&mut *store, "run").unwrap();
        if arguments.3 == 3 {
            // The next check interrupts it.
            store.set_epoch_deadline(0);
        }
        run.call_async(store, arguments).await
    }

    /// The next slot of the pool must hold exactly the image, followed by zeros.
    fn inspect(&self, what: impl std::fmt::Display) {
        let mut slot = self.pool.take((4 << 30) + (32 << 20), 32 << 20).unwrap();
        assert_eq!(slot.accessible, PAGES << 16, "{what}");
        // SAFETY: the slot is in no instance, and that much of it is accessible.
        let found = unsafe { slot.region.bytes(0..slot.accessible) };
        assert!(found == self.image, "{what}: byte {:?} differs", found.iter().zip(&self.image).position(|(a, b)| a != b));
        // Memory into which a process grew is zero for the next one that grows.
        let grown = slot.accessible..slot.accessible + (16 << 16);
        slot.region.allow(grown.clone(), true).unwrap();
        slot.accessible = grown.end;
        // SAFETY: as above, allowed just now.
        assert!(unsafe { slot.region.bytes(grown) }.iter().all(|byte| *byte == 0), "{what}: grown memory is not zero");
        self.pool.give_back(slot);
    }
}

/// A seeded generator for the tests: the same programs each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

#[tokio::test]
async fn ten_thousand_random_programs_leave_nothing_behind() {
    // Small bounds, so that both ways of restoring occur: copying, and returning pages.
    let setting = setting(SlotBounds { keep_resident: 64 * PAGE, max_idle: 8, ready: 0, max_warm: 1024 });
    let mut chance = Chance(42);
    let (mut ends, mut claimed) = ([0; 4], 0);
    let prewarmed = PrewarmPool::new(2);
    for number in 0..10_000 {
        let how = chance.below(4) as i32;
        let grow = if chance.below(4) == 0 { chance.below(20) as i32 } else { 0 };
        // Every other program gets an instance that was made before the previous program ended.
        let ready = if number % 2 == 0 { prewarmed.take() } else { None };
        let (mut store, instance, live) = match ready {
            Some(Prewarmed { mut store, instance, live, .. }) => {
                store.set_epoch_deadline(1);
                claimed += 1;
                (store, instance, live.unwrap())
            }
            None => setting.start(&setting.pool).await,
        };
        setting.prewarm(&prewarmed);
        let result =
            setting.call(&mut store, &instance, (chance.below(u64::MAX >> 1) as i64 | 1, 1 + chance.below(400) as i32, grow, how)).await;
        assert_eq!(result.is_ok(), how == 0, "program {number}: {result:?}");
        ends[how as usize] += 1;
        drop((store, live));
        setting.inspect(format_args!("program {number}, end {how}, grew by {grow}"));
    }
    assert!(claimed > 4_900, "{claimed} programs started in a prewarmed instance");
    assert!(ends.iter().all(|count| *count > 2_000), "every end happened: {ends:?}");
    let metrics = setting.slots.space.metrics();
    assert!(metrics.copied > 0 && metrics.discarded > 0, "{metrics:?}");
    assert!(metrics.mapped <= 9, "slots are used again: {metrics:?}");
    assert_eq!(metrics.ready, 2, "{metrics:?}");
}

#[tokio::test]
async fn instances_that_are_ready_are_bounded_and_leave_nothing_when_they_are_not_taken() {
    let setting = setting(SlotBounds { max_idle: 3, ..SlotBounds::default() });
    let ready = || setting.slots.space.metrics().ready;
    let (prewarmed, other) = (PrewarmPool::new(2), PrewarmPool::new(2));
    for _ in 0..5 {
        setting.prewarm(&prewarmed);
    }
    assert_eq!(ready(), 2, "as many as the prewarmed takes");
    setting.prewarm(&other);
    setting.prewarm(&other);
    assert_eq!(ready(), 3, "as many as may be idle, in all pools together");
    let taken = prewarmed.take().unwrap();
    assert_eq!(ready(), 3, "until its place is released");
    let Prewarmed { store, place, .. } = taken;
    drop(place);
    assert_eq!(ready(), 2);
    drop((store, prewarmed, other));
    let metrics = setting.slots.space.metrics();
    assert_eq!((metrics.ready, metrics.mapped), (0, metrics.idle), "{metrics:?}");
    for number in 0..3 {
        setting.inspect(format_args!("slot {number} of an instance that never ran"));
    }
}

/// Counts nothing: only the page faults matter here.
struct Uncounted;

impl crate::runtime::CpuMeter for Uncounted {
    fn used(&self, _: u64) {}
}

#[tokio::test]
async fn a_process_without_a_page_fault_needs_no_look_at_its_memory() {
    let setting = setting(SlotBounds::default());
    let mut chance = Chance(7);
    let mut seed = 1;
    for number in 0..3_000 {
        // The same program several times, so that its pages are known, then another.
        if number % 10 == 0 {
            seed = chance.below(1 << 40) as i64 | 1;
        }
        let faults = Faults::default();
        let whole = async {
            let mut store = Store::new(setting.runtime.engine(), StoreLimitsBuilder::new().build());
            store.set_epoch_deadline(1);
            let shape = MemoryShape { minimum: PAGES as u64, maximum: None };
            let image = Some((shape, setting.pool.clone()));
            let plan = Plan { image, zero: setting.slots.zero.clone(), live: None, failed: None, faults: Some(faults.clone()) };
            let (instance, _) = instantiate(plan, Instance::new_async(&mut store, &setting.module, &[])).await;
            let instance = instance.unwrap();
            setting.call(&mut store, &instance, (seed, 200, 0, 0)).await.unwrap();
            store
        };
        let store = Metered::new(whole, Arc::new(Uncounted), faults.clone()).await;
        drop(store);
        setting.inspect(format_args!("program {number}"));
    }
    let metrics = setting.slots.space.metrics();
    // `inspect` grows the slot, which always leads to a scan; the programs' own restores rarely need one.
    assert!(metrics.scans < metrics.restores * 4 / 5, "{metrics:?}");
}

#[tokio::test]
async fn a_process_that_fills_its_memory_and_hits_a_limit_leaves_nothing() {
    let setting = setting(SlotBounds::default());
    for _ in 0..3 {
        let (mut store, instance, _live) = setting.start(&setting.pool).await;
        // 1,000 pages are within the limit of 64 MiB, 2,000 are not.
        assert_eq!(setting.call(&mut store, &instance, (7, 300_000, 1_000, 0)).await.unwrap(), 1_008);
        assert_eq!(setting.call(&mut store, &instance, (7, 1, 2_000, 0)).await.unwrap(), 1_008);
        drop(store);
        setting.inspect("a full memory");
    }
}

#[tokio::test]
async fn an_instance_that_is_dropped_in_the_middle_of_a_write_leaves_nothing() {
    let setting = setting(SlotBounds::default());
    let (mut store, instance, _live) = setting.start(&setting.pool).await;
    store.epoch_deadline_async_yield_and_update(1);
    {
        let run = instance.get_typed_func::<(i64, i32, i32, i32), i32>(&mut store, "run").unwrap();
        store.set_epoch_deadline(0);
        let mut running = Box::pin(run.call_async(&mut store, (99, i32::MAX, 3, 3)));
        // One poll runs until the first yield, long before two billion writes are done.
        let polled = std::future::poll_fn(|context| std::task::Poll::Ready(running.as_mut().poll(context).is_pending())).await;
        assert!(polled);
    }
    drop(store);
    setting.inspect("killed while it wrote");
}

#[tokio::test]
async fn a_derived_image_is_what_the_memory_was_and_siblings_diverge() {
    let setting = setting(SlotBounds::default());
    let (mut store, instance, live) = setting.start(&setting.pool).await;
    let sum = instance.get_typed_func::<(), i32>(&mut store, "sum").unwrap();
    setting.call(&mut store, &instance, (5, 5_000, 10, 0)).await.unwrap();
    let expected = sum.call_async(&mut store, ()).await.unwrap();
    // SAFETY: the instance exists and runs nothing.
    let image = Arc::new(unsafe { live.freeze() }.unwrap());
    assert_eq!(image.size(), 18 << 16);
    let children = SlotPool::new(setting.slots.space.clone(), image);
    for round in 0..20 {
        let (mut child_store, child, child_live) = setting.start(&children).await;
        let child_sum = child.get_typed_func::<(), i32>(&mut child_store, "sum").unwrap();
        assert_eq!(child_sum.call_async(&mut child_store, ()).await.unwrap(), expected, "child {round}");
        if round == 0 {
            assert!(child_live.private_bytes().unwrap() <= 16 * PAGE, "reading makes no copies");
        }
        assert_eq!(setting.call(&mut child_store, &child, (round + 1, 2_000, 1, 0)).await.unwrap(), 19);
        // A grandchild, from a child that has diverged.
        let changed = child_sum.call_async(&mut child_store, ()).await.unwrap();
        assert_ne!(changed, expected);
        // SAFETY: as above.
        let image = Arc::new(unsafe { child_live.freeze() }.unwrap());
        let grandchildren = SlotPool::new(setting.slots.space.clone(), image);
        let (mut grand_store, grand, _live) = setting.start(&grandchildren).await;
        let grand_sum = grand.get_typed_func::<(), i32>(&mut grand_store, "sum").unwrap();
        assert_eq!(grand_sum.call_async(&mut grand_store, ()).await.unwrap(), changed);
    }
    assert_eq!(sum.call_async(&mut store, ()).await.unwrap(), expected, "the parent continues unchanged");
    drop(store);
    setting.inspect("the parent's slot");
}

#[tokio::test]
async fn memories_without_an_image_start_with_zeros() {
    let setting = setting(SlotBounds::default());
    for _ in 0..4 {
        let mut store = Store::new(setting.runtime.engine(), ());
        store.set_epoch_deadline(1);
        let plan = Plan { image: None, zero: setting.slots.zero.clone(), live: None, failed: None, faults: None };
        let (instance, _) = instantiate(plan, Instance::new_async(&mut store, &setting.module, &[])).await;
        let instance = instance.unwrap();
        let sum = instance.get_typed_func::<(), i32>(&mut store, "sum").unwrap();
        assert_eq!(sum.call_async(&mut store, ()).await.unwrap(), 0);
        let run = instance.get_typed_func::<(i64, i32, i32, i32), i32>(&mut store, "run").unwrap();
        run.call_async(&mut store, (3, 3_000, 2, 0)).await.unwrap();
    }
}

#[tokio::test]
async fn a_memory_outside_of_an_instantiation_of_ours_is_refused() {
    let setting = setting(SlotBounds::default());
    let mut store = Store::new(setting.runtime.engine(), ());
    let refused = Instance::new_async(&mut store, &setting.module, &[]).await.unwrap_err();
    assert!(format!("{refused:#}").contains("outside of an instantiation"), "{refused:#}");
}

#[tokio::test]
async fn idle_slots_are_bounded() {
    let setting = setting(SlotBounds { max_idle: 3, ..SlotBounds::default() });
    let mut running = Vec::new();
    for _ in 0..10 {
        running.push(setting.start(&setting.pool).await);
    }
    assert_eq!(setting.slots.space.metrics().mapped, 10);
    drop(running);
    let metrics = setting.slots.space.metrics();
    assert!(metrics.idle <= 3 && metrics.mapped <= 3, "{metrics:?}");
    drop(setting.pool);
}

#[test]
fn a_space_takes_its_slots_along() {
    let setting = setting(SlotBounds::default());
    let space = Arc::downgrade(&setting.slots.space);
    drop(setting);
    assert!(space.upgrade().is_none());
}

/// What the kernel says of the map with this address, except its sizes: its rights and its flags.
#[expect(clippy::disallowed_methods, reason = "/proc/self/smaps, which says what is mapped")]
fn kind_at(address: usize) -> (String, String) {
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let mut rights = None;
    for line in maps.lines() {
        let number = |text| usize::from_str_radix(text, 16).ok();
        let range = line.split_once(' ').and_then(|(range, rest)| Some((range.split_once('-')?, rest)));
        match range.and_then(|((start, end), rest)| Some((number(start)?..number(end)?, rest))) {
            Some((range, rest)) => rights = range.contains(&address).then(|| rest.split(' ').next().unwrap_or_default().to_owned()),
            None => {
                if let (Some(rights), Some(flags)) = (&rights, line.strip_prefix("VmFlags:")) {
                    return (rights.clone(), flags.trim().to_owned());
                }
            }
        }
    }
    panic!("{address:x} is not reserved")
}

#[test]
fn the_space_before_and_after_a_memory_is_of_one_kind() {
    let setting = setting(SlotBounds::default());
    let slot = setting.pool.take((4 << 30) + (32 << 20), 32 << 20).unwrap();
    let base = slot.region.base() as usize;
    let (before, after) = (kind_at(base - PAGE), kind_at(base + slot.region.len() - PAGE));
    assert_eq!((&*before.0, &before), ("---p", &after), "where two memories touch, the kernel can make one map of both");
}
