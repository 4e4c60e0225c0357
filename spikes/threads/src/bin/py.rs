//! CPython on several fibers of one store (candidate C). py COMPONENT WHAT…
use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::task::Poll;

use wasmtime::component::{Component, Instance, Linker, ResourceTable, TypedFunc};
use wasmtime::{Config, Engine, Result, Store};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

struct State {
    ctx: WasiCtx,
    table: ResourceTable,
    current: Arc<AtomicUsize>,
}
impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.ctx, table: &mut self.table }
    }
}

async fn run(store: &mut Store<State>, instance: &Instance, what: &str) -> Result<String> {
    let main: TypedFunc<(String,), (String,)> = instance.get_typed_func(&mut *store, "run")?;
    let enter: TypedFunc<(u32,), ()> = instance.get_typed_func(&mut *store, "enter")?;
    let now = store.data().current.clone();
    now.store(0, Relaxed);
    let pointer: *mut Store<State> = store;
    // SAFETY (of the spike): one future is polled at a time, and all are dropped before the store.
    let mut main = Box::pin(main.call_async(unsafe { &mut *pointer }, (what.to_owned(),)));
    let mut others: BTreeMap<usize, Pin<Box<dyn Future<Output = Result<()>>>>> = BTreeMap::new();
    let result = poll_fn(|cx| loop {
        let current = now.load(Relaxed);
        if current == 0 {
            if let Poll::Ready(result) = main.as_mut().poll(cx) {
                return Poll::Ready(result.map(|(text,)| text));
            }
        } else {
            let thread = others
                .entry(current)
                .or_insert_with(|| Box::pin(async move { enter.call_async(unsafe { &mut *pointer }, (current as u32,)).await }));
            match thread.as_mut().poll(cx) {
                Poll::Ready(Ok(())) => {
                    others.remove(&current);
                    now.store(0, Relaxed);
                    continue;
                }
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => {}
            }
        }
        if now.load(Relaxed) == current {
            return Poll::Pending;
        }
    })
    .await;
    drop(others);
    result
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let file = args.next().unwrap();
    let mut config = Config::new();
    config.max_wasm_stack(32 << 20).async_stack_size(34 << 20);
    #[cfg(feature = "concurrent")]
    config.concurrency_support(false);
    let engine = Engine::new(&config)?;
    let began = std::time::Instant::now();
    let cache = format!("{file}.cwasm");
    let component = if std::path::Path::new(&cache).exists() {
        unsafe { Component::deserialize_file(&engine, &cache)? }
    } else {
        let component = Component::from_file(&engine, &file)?;
        std::fs::write(&cache, component.serialize()?)?;
        component
    };
    println!("compiled in {:?}", began.elapsed());
    let mut linker = Linker::<State>::new(&engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    linker.root().func_wrap_async("switch", |store, (to,): (u32,)| {
        let now = store.data().current.clone();
        let me = now.load(Relaxed);
        Box::new(async move {
            now.store(to as usize, Relaxed);
            poll_fn(|_| if now.load(Relaxed) == me { Poll::Ready(()) } else { Poll::Pending }).await;
            Ok(())
        })
    })?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        for what in args {
            let ctx = WasiCtx::builder().inherit_stdio().build();
            let mut store = Store::new(&engine, State { ctx, table: ResourceTable::new(), current: Arc::default() });
            let instance = linker.instantiate_async(&mut store, &component).await?;
            match run(&mut store, &instance, &what).await {
                Ok(text) => println!("{what}: {text}"),
                Err(error) => println!("{what}: error {error:#?}"),
            }
        }
        Ok(())
    })
}
