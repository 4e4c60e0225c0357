//! An unmodified componentize-py component, on wasmtime's pooling allocator in its default configuration.

use std::path::Path;
use std::time::{Duration, Instant};

use wasmtime::component::{Component, ComponentExportIndex, InstancePre, Linker};
use wasmtime::{Config, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Store};

use super::{ANSWER, CODE, Result};

pub(crate) struct Plain {
    engine: Engine,
    instance: InstancePre<()>,
    eval: ComponentExportIndex,
}

impl Plain {
    /// Loads what is compiled once, and then taken from the file beside it.
    pub(crate) fn load(wasm: &Path) -> Result<Self> {
        let mut pool = PoolingAllocationConfig::new();
        // As many core modules as such a component has; otherwise wasmtime's own values.
        pool.max_core_instances_per_component(200).max_tables_per_component(50).table_elements(100_000);
        pool.max_component_instance_size(4 << 20).max_memory_size(1 << 30);
        pool.total_memories(50).total_component_instances(50).total_stacks(50);
        let mut config = Config::new();
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
        let engine = Engine::new(&config)?;
        let compiled = wasm.with_extension("cwasm");
        // SAFETY: the file is ours: written below, beside the component, in the target folder. wasmtime refuses files
        // of other versions and settings.
        let component = match unsafe { Component::deserialize_file(&engine, &compiled) } {
            Ok(component) => component,
            Err(_) => {
                let component = Component::from_file(&engine, wasm)?;
                std::fs::write(&compiled, component.serialize()?)?;
                component
            }
        };
        let mut linker = Linker::new(&engine);
        wasi(&mut linker, &component)?;
        let eval = component.get_export_index(None, "eval").ok_or("the plain component has no `eval`")?;
        Ok(Self { instance: linker.instantiate_pre(&component)?, engine, eval })
    }

    /// Returns a fresh call, up to the answer.
    pub(crate) async fn call(&self) -> Result<Duration> {
        let began = Instant::now();
        let mut store = Store::new(&self.engine, ());
        let instance = self.instance.instantiate_async(&mut store).await?;
        let eval = instance.get_typed_func::<(&str,), (std::result::Result<String, String>,)>(&mut store, self.eval)?;
        let (answer,) = eval.call_async(&mut store, (CODE,)).await?;
        let took = began.elapsed();
        if answer != Ok(ANSWER.to_owned()) {
            return Err(format!("the plain component answered {answer:?}").into());
        }
        Ok(took)
    }
}

/// Defines what the interpreter calls when it starts, with minimal answers, which cost less than WASI does.
/// Everything else traps.
fn wasi(linker: &mut Linker<()>, component: &Component) -> Result<()> {
    let names: Vec<String> = component.component_type().imports(component.engine()).map(|(name, _)| name.to_owned()).collect();
    for name in &names {
        let mut instance = linker.instance(name)?;
        match name.split('@').next().unwrap_or_default() {
            "wasi:cli/environment" => {
                instance.func_wrap("get-environment", |_, ()| Ok((Vec::<(String, String)>::new(),)))?;
                instance.func_wrap("get-arguments", |_, ()| Ok((Vec::<String>::new(),)))?;
            }
            "wasi:clocks/monotonic-clock" => {
                instance.func_wrap("now", |_, ()| Ok((0_u64,)))?;
                instance.func_wrap("resolution", |_, ()| Ok((1_u64,)))?;
            }
            "wasi:random/random" => {
                instance.func_wrap("get-random-bytes", |_, (len,): (u64,)| Ok((vec![7_u8; usize::try_from(len)?],)))?;
                instance.func_wrap("get-random-u64", |_, ()| Ok((7_u64,)))?;
            }
            _ => {}
        }
    }
    linker.define_unknown_imports_as_traps(component)?;
    Ok(())
}
