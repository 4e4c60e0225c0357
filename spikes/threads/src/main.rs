//! Spike: cooperative threads in wasmtime 48. Candidates A (component-model threads), B (core stack switching),
//! C (fibers of the same store, scheduled by the host).
use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Instant;

use wasmtime::component::{Component, InstancePre, Linker, TypedFunc};
use wasmtime::{Config, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Result, Store};

#[derive(Default)]
struct Host {
    turn: AtomicU32,
    waker: Mutex<Vec<std::task::Waker>>,
    /// Candidate C: the thread that runs, and those that were asked for.
    current: AtomicUsize,
    spawned: Mutex<Vec<(usize, u32)>>,
    next: AtomicUsize,
}
type State = Arc<Host>;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Plain,
    #[cfg(feature = "concurrent")]
    Concurrency,
    #[cfg(feature = "concurrent")]
    Threading,
    #[cfg(feature = "switching")]
    Switching,
}

fn engine(kind: Kind) -> Result<Engine> {
    let mut config = Config::new();
    config.epoch_interruption(true);
    config.max_wasm_stack(32 << 20).async_stack_size(34 << 20);
    config.memory_guard_size(32 << 20);
    config.generate_address_map(false).native_unwind_info(false);
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(100).total_stacks(2000).total_memories(100).async_stack_keep_resident(64 << 10);
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    match kind {
        Kind::Plain => config.concurrency_support(false),
        #[cfg(feature = "concurrent")]
        Kind::Concurrency => config.concurrency_support(true),
        #[cfg(feature = "concurrent")]
        Kind::Threading => {
            config.concurrency_support(true);
            config.wasm_component_model_async(true);
            config.wasm_component_model_more_async_builtins(true);
            config.wasm_component_model_async_stackful(true);
            config.wasm_component_model_threading(true)
        }
        #[cfg(feature = "switching")]
        Kind::Switching => {
            config.concurrency_support(false);
            config.wasm_function_references(true);
            config.wasm_exceptions(true);
            config.wasm_stack_switching(true)
        }
    };
    Engine::new(&config)
}

async fn yield_now() {
    let mut done = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut done, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await
}

fn linker(engine: &Engine, _kind: Kind) -> Result<Linker<State>> {
    let mut linker = Linker::<State>::new(engine);
    let mut root = linker.root();
    root.func_wrap("sync", |_, (x,): (u32,)| Ok((x,)))?;
    root.func_wrap_async("ready", |_, (x,): (u32,)| Box::new(async move { Ok((x,)) }))?;
    root.func_wrap_async("pend", |_, (x,): (u32,)| {
        Box::new(async move {
            yield_now().await;
            Ok((x,))
        })
    })?;
    root.func_wrap("pass", |store, (to,): (u32,)| {
        store.data().turn.store(to, Relaxed);
        store.data().waker.lock().unwrap().drain(..).for_each(|waker| waker.wake());
        Ok(())
    })?;
    #[cfg(feature = "concurrent")]
    if _kind != Kind::Plain && engine.get_concurrency_support() {
        root.func_wrap_concurrent("turn", |accessor, (me,): (u32,)| {
            let host = accessor.with(|mut access| access.data_mut().clone());
            Box::pin(async move {
                poll_fn(|cx| {
                    if host.turn.load(Relaxed) == me {
                        return Poll::Ready(());
                    }
                    host.waker.lock().unwrap().push(cx.waker().clone());
                    Poll::Pending
                })
                .await;
                Ok(())
            })
        })?;
    }
    root.func_wrap("spawn", |store, (what,): (u32,)| {
        let id = store.data().next.fetch_add(1, Relaxed) + 1;
        store.data().spawned.lock().unwrap().push((id, what));
        Ok((u32::try_from(id)?,))
    })?;
    root.func_wrap_async("switch", |store, (to,): (u32,)| {
        // The future does not keep the store.
        let host = store.data().clone();
        let me = host.current.load(Relaxed);
        Box::new(async move {
            host.current.store(to as usize, Relaxed);
            poll_fn(|_| if host.current.load(Relaxed) == me { Poll::Ready(()) } else { Poll::Pending }).await;
            Ok(())
        })
    })?;
    drop(root);
    Ok(linker)
}

fn load(engine: &Engine, kind: Kind, text: &str) -> Result<InstancePre<State>> {
    let component = Component::new(engine, wat::parse_str(text).map_err(|error| wasmtime::format_err!("{error}"))?)?;
    linker(engine, kind)?.instantiate_pre(&component)
}

fn store(engine: &Engine) -> Store<State> {
    let mut store = Store::new(engine, State::default());
    store.epoch_deadline_async_yield_and_update(1);
    store
}

async fn call(store: &mut Store<State>, instance: &wasmtime::component::Instance, name: &str, n: u32) -> Result<u32> {
    let func = instance.get_typed_func::<(u32,), (u32,)>(&mut *store, name)?;
    Ok(func.call_async(&mut *store, (n,)).await?.0)
}

fn stacks() -> (usize, usize) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let field = |name: &str| status.lines().find(|l| l.starts_with(name)).unwrap().split_whitespace().nth(1).unwrap().parse().unwrap();
    (field("VmRSS:"), field("VmSize:"))
}

/// Candidate C: runs `main`, and the threads that it spawns, each as a call of its own on a fiber of its own. Only the
/// current thread's future is ever polled, and the current thread changes only inside the import `switch`.
async fn run_threads(store: &mut Store<State>, instance: &wasmtime::component::Instance, main: &str, n: u32) -> Result<u32> {
    let mut others = Others::new();
    run_threads_with(store, instance, main, n, &mut others).await
}

/// The threads beside main, which may outlive a call of main.
type Others = BTreeMap<usize, Pin<Box<dyn Future<Output = Result<()>>>>>;

async fn run_threads_with(store: &mut Store<State>, instance: &wasmtime::component::Instance, main: &str, n: u32, others: &mut Others) -> Result<u32> {
    let main = instance.get_typed_func::<(u32,), (u32,)>(&mut *store, main)?;
    let enter: TypedFunc<(u32,), ()> = instance.get_typed_func(&mut *store, "enter")?;
    let host = store.data().clone();
    struct Shared(*mut Store<State>);
    let shared = Shared(store);
    // SAFETY (of the spike): one future is polled at a time, and all are dropped before the store.
    let mut main = Box::pin(main.call_async(unsafe { &mut *shared.0 }, (n,)));
    let result = poll_fn(|cx| {
        loop {
            let current = host.current.load(Relaxed);
            if current == 0 {
                if let Poll::Ready(result) = main.as_mut().poll(cx) {
                    return Poll::Ready(result.map(|(n,)| n));
                }
            } else {
                let mut spawned = host.spawned.lock().unwrap();
                if let Some(at) = spawned.iter().position(|(id, _)| *id == current) {
                    let (id, what) = spawned.remove(at);
                    let pointer = Shared(shared.0);
                    let future = async move {
                        let pointer = pointer;
                        enter.call_async(unsafe { &mut *pointer.0 }, (what,)).await
                    };
                    others.insert(id, Box::pin(future));
                }
                drop(spawned);
                match others.get_mut(&current).expect("it was spawned").as_mut().poll(cx) {
                    Poll::Ready(Ok(())) => {
                        others.remove(&current);
                        host.current.store(0, Relaxed);
                        continue;
                    }
                    Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                    Poll::Pending => {}
                }
            }
            if host.current.load(Relaxed) == current {
                return Poll::Pending;
            }
        }
    })
    .await;
    result
}

/// Nanoseconds for each of `n`, least and median of several rounds.
fn show(what: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    println!("  {what:<44} min {:>9.1} ns  median {:>9.1} ns", times[0], times[times.len() / 2]);
}

fn kinds() -> Vec<Kind> {
    vec![
        Kind::Plain,
        #[cfg(feature = "concurrent")]
        Kind::Concurrency,
        #[cfg(feature = "concurrent")]
        Kind::Threading,
        #[cfg(feature = "switching")]
        Kind::Switching,
    ]
}

/// What a configuration costs a component that uses nothing of it.
async fn plain() -> Result<()> {
    println!("plain calls");
    const ROUNDS: usize = 15;
    let mut made = Vec::new();
    for kind in kinds() {
        let engine = engine(kind)?;
        let pre = load(&engine, kind, include_str!("wat/plain.wat"))?;
        made.push((kind, engine, pre));
    }
    let mut times: BTreeMap<(usize, usize), Vec<f64>> = BTreeMap::new();
    let names = ["instantiate + call + drop", "call of a live instance", "sync import", "async import, ready", "async import, pending once"];
    for _ in 0..ROUNDS {
        for (k, (_, engine, pre)) in made.iter().enumerate() {
            let mut note = |what: usize, began: Instant, n: u32| {
                times.entry((what, k)).or_default().push(began.elapsed().as_nanos() as f64 / f64::from(n));
            };
            let began = Instant::now();
            for _ in 0..500 {
                let mut store = store(engine);
                let instance = pre.instantiate_async(&mut store).await?;
                call(&mut store, &instance, "nop", 1).await?;
            }
            note(0, began, 500);
            let mut store = store(engine);
            let instance = pre.instantiate_async(&mut store).await?;
            let func = instance.get_typed_func::<(u32,), (u32,)>(&mut store, "nop")?;
            let began = Instant::now();
            for _ in 0..5000 {
                func.call_async(&mut store, (1,)).await?;
            }
            note(1, began, 5000);
            for (what, name) in [(2, "sync"), (3, "ready"), (4, "pend")] {
                let began = Instant::now();
                call(&mut store, &instance, name, 20_000).await?;
                note(what, began, 20_000);
            }
        }
    }
    for (what, name) in names.iter().enumerate() {
        println!(" {name}");
        for (k, (kind, ..)) in made.iter().enumerate() {
            show(&format!("{kind:?}"), times[&(what, k)].clone());
        }
    }
    Ok(())
}

fn tell(what: &str, result: Result<u32>) {
    match result {
        Ok(n) => println!("  {what:<44} returns {n}"),
        Err(error) => println!("  {what:<44} error: {}", format!("{error:#}").replace('\n', " ").chars().take(200).collect::<String>()),
    }
}

#[cfg(feature = "concurrent")]
async fn a() -> Result<()> {
    println!("A: component-model threads");
    let kind = Kind::Threading;
    let engine = engine(kind)?;
    let pre = load(&engine, kind, include_str!("wat/a.wat"))?;
    for (name, n, switches) in [
        ("s-pingpong", 5000, 10_000),
        ("a-pingpong", 5000, 10_000),
        ("s-pingpend", 5000, 10_000),
        ("a-pingpend", 5000, 10_000),
        ("a-hostpong", 5000, 10_000),
    ] {
        let mut times = Vec::new();
        for _ in 0..11 {
            let mut store = store(&engine);
            let instance = pre.instantiate_async(&mut store).await?;
            let began = Instant::now();
            let result = call(&mut store, &instance, name, n).await;
            times.push(began.elapsed().as_nanos() as f64 / f64::from(switches));
            if let Err(error) = result {
                tell(name, Err(error));
                break;
            }
        }
        show(&format!("{name}, {switches} switches"), times);
    }
    for (name, n) in [
        ("a-waits", 1_000_000),
        ("s-hostpong", 10),
        ("s-stuck", 0),
        ("a-stuck", 0),
        ("s-other", 5),
        ("s-other", 4),
        ("s-other", 3),
        ("a-other", 3),
        ("s-leave", 0),
        ("a-leave", 0),
    ] {
        let mut store = store(&engine);
        let instance = pre.instantiate_async(&mut store).await?;
        tell(&format!("{name}({n})"), call(&mut store, &instance, name, n).await);
        if name.ends_with("leave") {
            println!("  entries of the store's task table: {}", store.concurrent_state_table_size());
            tell("  a later call resumes the thread left behind", call(&mut store, &instance, "s-again", n).await);
            println!("  entries of the store's task table: {}", store.concurrent_state_table_size());
        }
    }
    let mut store = store(&engine);
    let instance = pre.instantiate_async(&mut store).await?;
    let before = stacks();
    let began = Instant::now();
    tell("create 1000 threads, one after the other", call(&mut store, &instance, "s-create", 1000).await);
    println!("  {} ns each, RSS/size KiB {before:?} -> {:?}", began.elapsed().as_nanos() / 1000, stacks());
    Ok(())
}

#[cfg(feature = "switching")]
async fn b() -> Result<()> {
    println!("B: stack switching");
    let kind = Kind::Switching;
    let engine = engine(kind)?;
    let pre = load(&engine, kind, include_str!("wat/b.wat"))?;
    for name in ["pingpong", "pingpend"] {
        let mut times = Vec::new();
        for _ in 0..11 {
            let mut store = store(&engine);
            let instance = pre.instantiate_async(&mut store).await?;
            let began = Instant::now();
            let result = call(&mut store, &instance, name, 10_000).await;
            times.push(began.elapsed().as_nanos() as f64 / 10_000.0);
            if let Err(error) = result {
                tell(name, Err(error));
                break;
            }
        }
        show(&format!("{name}, 10,000 resumes"), times);
    }
    let ticker = engine.clone();
    let stop = Arc::new(AtomicU32::new(0));
    let stopped = stop.clone();
    let thread = std::thread::spawn(move || {
        while stopped.load(Relaxed) == 0 {
            ticker.increment_epoch();
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    });
    for (name, n) in [("spin", 100_000_000), ("pingpend", 100), ("trap", 0), ("deep", 0)] {
        let mut store = store(&engine);
        let instance = pre.instantiate_async(&mut store).await?;
        tell(&format!("{name}({n}), epochs tick"), call(&mut store, &instance, name, n).await);
    }
    stop.store(1, Relaxed);
    thread.join().unwrap();
    {
        let mut store = store(&engine);
        let instance = pre.instantiate_async(&mut store).await?;
        let mut call = Box::pin(call(&mut store, &instance, "pingpend", 100));
        let mut polls = 0;
        poll_fn(|cx| {
            polls += 1;
            assert!(call.as_mut().poll(cx).is_pending());
            if polls > 5 { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        drop(call);
        println!("  dropped while a continuation waits in the host: ok");
    }
    let mut store = store(&engine);
    let instance = pre.instantiate_async(&mut store).await?;
    let before = stacks();
    let began = Instant::now();
    tell("create 1000 continuations, one after the other", call(&mut store, &instance, "create", 1000).await);
    println!("  {} ns each, RSS/size KiB {before:?} -> {:?}", began.elapsed().as_nanos() / 1000, stacks());
    Ok(())
}

async fn c() -> Result<()> {
    println!("C: calls of one store, one of them polled at a time");
    let kind = Kind::Plain;
    let engine = engine(kind)?;
    let pre = load(&engine, kind, include_str!("wat/c.wat"))?;
    for name in ["pingpong", "pingpend"] {
        let mut times = Vec::new();
        for _ in 0..11 {
            let mut store = store(&engine);
            let instance = pre.instantiate_async(&mut store).await?;
            let began = Instant::now();
            let result = run_threads(&mut store, &instance, name, 5000).await;
            times.push(began.elapsed().as_nanos() as f64 / 10_000.0);
            if let Err(error) = result {
                tell(name, Err(error));
                break;
            }
        }
        show(&format!("{name}, 10,000 switches"), times);
    }
    for (name, n) in [("pingpend", 10), ("other", 9), ("other", 2), ("other", 3), ("leave", 0), ("leave", 1)] {
        let mut store = store(&engine);
        let instance = pre.instantiate_async(&mut store).await?;
        tell(&format!("{name}({n})"), run_threads(&mut store, &instance, name, n).await);
        if name == "leave" {
            tell("  again, after the thread was dropped", run_threads(&mut store, &instance, "pingpend", 10).await);
        }
    }
    {
        let mut store = Box::new(store(&engine));
        let instance = pre.instantiate_async(&mut *store).await?;
        let mut others = Others::new();
        for round in 0..3 {
            tell(&format!("leave, its thread kept ({round})"), run_threads_with(&mut store, &instance, "leave", 0, &mut others).await);
            tell("  pingpong beside it", run_threads_with(&mut store, &instance, "pingpend", 10, &mut others).await);
            println!("  threads kept: {}", others.len());
            tell("  a later call resumes the thread", run_threads_with(&mut store, &instance, "again", 0, &mut others).await);
            println!("  threads kept: {}", others.len());
        }
    }
    {
        let mut config = Config::new();
        config.consume_fuel(true);
        #[cfg(feature = "concurrent")]
        config.concurrency_support(false);
        let engine = Engine::new(&config)?;
        let pre = load(&engine, kind, include_str!("wat/c.wat"))?;
        let mut used = Vec::new();
        for fuel in [10_000_000, 10_000_000, 5_000] {
            let mut store = Store::new(&engine, State::default());
            store.set_fuel(fuel)?;
            store.fuel_async_yield_interval(Some(1000))?;
            let instance = pre.instantiate_async(&mut store).await?;
            tell(&format!("pingpend(1000) with {fuel} of fuel, yields"), run_threads(&mut store, &instance, "pingpend", 1000).await);
            used.push(fuel - store.get_fuel()?);
        }
        println!("  fuel used: {used:?}");
    }
    let mut store = store(&engine);
    let instance = pre.instantiate_async(&mut store).await?;
    let before = stacks();
    let began = Instant::now();
    tell("create 1000 threads, one after the other", run_threads(&mut store, &instance, "create", 1000).await);
    println!("  {} ns each, RSS/size KiB {before:?} -> {:?}", began.elapsed().as_nanos() / 1000, stacks());
    Ok(())
}

fn main() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let what: Vec<String> = std::env::args().skip(1).collect();
    let wants = |name: &str| what.is_empty() || what.iter().any(|w| w == name);
    runtime.block_on(async {
        if wants("plain") {
            plain().await?;
        }
        #[cfg(feature = "concurrent")]
        if wants("a") {
            a().await?;
        }
        #[cfg(feature = "switching")]
        if wants("b") {
            b().await?;
        }
        if wants("c") {
            c().await?;
        }
        Ok(())
    })
}
