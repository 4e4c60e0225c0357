//! Composed components at run time.

use super::fixtures::{joined, nothing, program, wasi};
use crate::deny::Denial;
use crate::import::REPORT;
use crate::{compose, denied_function, resolve};
use wasmtime::component::{Component, Linker, Resource, ResourceType};
use wasmtime::{Engine, Store, StoreContextMut};
use wisp_policy::capability::Interface;
use wit_parser::Resolve;

/// Asks for a name, then for a socket, as libc does. `probe` returns the error codes, 100 for each call that failed.
const SOCKETS: &str = r#"(module
    (import "wasi:sockets/instance-network@0.2.9" "instance-network" (func $network (result i32)))
    (import "wasi:sockets/network@0.2.9" "[resource-drop]network" (func $drop (param i32)))
    (import "wasi:sockets/ip-name-lookup@0.2.9" "resolve-addresses" (func $lookup (param i32 i32 i32 i32)))
    (import "wasi:sockets/tcp-create-socket@0.2.9" "create-tcp-socket" (func $tcp (param i32 i32)))
    (memory (export "memory") 3)
    (data (i32.const 64) "example.com")
    (func $result (result i32)
        (i32.add (i32.mul (i32.load8_u (i32.const 16)) (i32.const 100)) (i32.load8_u (i32.const 20))))
    (func (export "lookup") (param $length i32) (result i32)
        (local $handle i32)
        (local.set $handle (call $network))
        (call $lookup (local.get $handle) (i32.const 64) (local.get $length) (i32.const 16))
        (call $drop (local.get $handle))
        (call $result))
    (func (export "tcp") (result i32)
        (call $tcp (i32.const 0) (i32.const 16))
        (call $result)))"#;

const SOCKETS_WORLD: &str = "package test:it; world it {
    import wasi:sockets/network@0.2.9; import wasi:sockets/instance-network@0.2.9;
    import wasi:sockets/ip-name-lookup@0.2.9; import wasi:sockets/tcp-create-socket@0.2.9;
    export lookup: func(length: u32) -> u32; export tcp: func() -> u32;
}";

/// A resource of the host, which the tests count.
struct Thing;

/// What the host observes.
#[derive(Default)]
struct Host {
    /// Resources that are alive.
    things: u32,
    /// Calls that were denied.
    denied: Vec<u32>,
}

struct Instance {
    store: Store<Host>,
    instance: wasmtime::component::Instance,
}

impl Instance {
    /// Links the remaining imports by name and runs.
    fn new(composed: &[u8]) -> Self {
        let engine = Engine::default();
        let component = Component::new(&engine, composed).unwrap_or_else(|error| panic!("{error:?}"));
        let mut linker = Linker::<Host>::new(&engine);
        for (interface, resources) in [
            ("wasi:io/poll@0.2.9", &["pollable"][..]),
            ("wasi:io/error@0.2.9", &["error"]),
            ("wasi:io/streams@0.2.9", &["input-stream", "output-stream"]),
        ] {
            let mut instance = linker.instance(interface).unwrap_or_else(|error| panic!("{error:?}"));
            for resource in resources {
                instance.resource(resource, ResourceType::host::<()>(), |_, _| Ok(())).unwrap_or_else(|error| panic!("{error:?}"));
            }
        }
        let mut things = linker.instance("test:it/things").unwrap_or_else(|error| panic!("{error:?}"));
        things
            .resource("thing", ResourceType::host::<Thing>(), |mut store, _| {
                store.data_mut().things -= 1;
                Ok(())
            })
            .unwrap_or_else(|error| panic!("{error:?}"));
        things
            .func_wrap("make", |mut store, (): ()| {
                store.data_mut().things += 1;
                Ok((Resource::<Thing>::new_own(7),))
            })
            .unwrap_or_else(|error| panic!("{error:?}"));
        let mut report = linker.instance(REPORT).unwrap_or_else(|error| panic!("{error:?}"));
        report
            .func_wrap("denied", |mut store: StoreContextMut<'_, Host>, (number,): (u32,)| {
                store.data_mut().denied.push(number);
                Ok(())
            })
            .unwrap_or_else(|error| panic!("{error:?}"));
        let mut store = Store::new(&engine, Host::default());
        let instance = linker.instantiate(&mut store, &component).unwrap_or_else(|error| panic!("{error:?}"));
        Self { store, instance }
    }

    fn call(&mut self, name: &str, parameter: Option<u32>) -> Result<u32, String> {
        let said = |error: wasmtime::Error| format!("{error:?}");
        match parameter {
            None => {
                let call = self.instance.get_typed_func::<(), (u32,)>(&mut self.store, name).map_err(said)?;
                call.call(&mut self.store, ()).map(|(code,)| code).map_err(said)
            }
            Some(parameter) => {
                let call = self.instance.get_typed_func::<(u32,), (u32,)>(&mut self.store, name).map_err(said)?;
                call.call(&mut self.store, (parameter,)).map(|(code,)| code).map_err(said)
            }
        }
    }
}

#[test]
fn a_program_without_sockets_sees_access_denied() {
    let bytes = program(wasi("0.2.9"), SOCKETS_WORLD, SOCKETS);
    let world = resolve("it", &bytes, &nothing()).unwrap_or_else(|error| panic!("{error}"));
    let composed = compose(&bytes, &[], &world).unwrap_or_else(|error| panic!("{error}")).bytes;
    let mut instance = Instance::new(&composed);
    // access-denied is case 1 of the error code.
    for _ in 0..1000 {
        assert_eq!(instance.call("lookup", Some(11)), Ok(101));
        assert_eq!(instance.call("tcp", None), Ok(101));
    }
    // Each denied call was reported before it returned; a function that returns a handle denies nothing.
    let denied = std::mem::take(&mut instance.store.data_mut().denied);
    let named: Vec<_> = denied.iter().map(|number| denied_function(*number)).collect();
    assert_eq!(named.len(), 2000);
    assert_eq!(named[0], Some((Interface::SocketsLookup, "resolve-addresses")));
    assert_eq!(named[1], Some((Interface::SocketsTcpCreate, "create-tcp-socket")));
    assert_eq!(instance.call("lookup", Some(0)), Ok(101));
    assert_eq!(instance.call("lookup", Some(65536)), Ok(101));
}

#[test]
fn an_argument_larger_than_the_providers_memory_is_a_trap_that_says_so() {
    let bytes = program(wasi("0.2.9"), SOCKETS_WORLD, SOCKETS);
    let world = resolve("it", &bytes, &nothing()).unwrap_or_else(|error| panic!("{error}"));
    let composed = compose(&bytes, &[], &world).unwrap_or_else(|error| panic!("{error}")).bytes;
    let trap = Instance::new(&composed).call("lookup", Some(65537)).expect_err("a trap");
    assert!(trap.contains("larger than 64 KiB"), "{trap}");
}

/// Errors of every shape, host handles among the arguments, and a function that cannot fail.
const POLITE_WORLD: &str = "package test:it;
    interface things { resource thing; make: func() -> thing; }
    interface polite {
        use things.{thing};
        enum plain { other, more, access-denied }
        variant rich { other(u64), permission-denied, HTTP-request-denied }
        resource token { constructor(); open: func() -> result<u64, rich>; }
        lend: func(t: borrow<thing>, name: string, more: list<string>) -> result<tuple<u64, u32>, plain>;
        give: func(t: thing) -> result<_, plain>;
        perhaps: func(t: option<thing>) -> result<_, plain>;
        wide: func(a: u64, b: string, c: string, d: string, e: string, f: string, g: string, h: string, i: string) -> result<string, rich>;
        peek: func() -> u32;
    }
    world it { import things; import polite;
        export lend: func() -> u32; export give: func() -> u32; export perhaps: func(given: u32) -> u32; export wide: func() -> u32; export open: func() -> u32; export peek: func() -> u32; }";

const POLITE: &str = r#"(module
    (import "test:it/things" "make" (func $make (result i32)))
    (import "test:it/things" "[resource-drop]thing" (func $drop (param i32)))
    (import "test:it/polite" "[resource-drop]token" (func $drop-token (param i32)))
    (import "test:it/polite" "[constructor]token" (func $token (result i32)))
    (import "test:it/polite" "[method]token.open" (func $open (param i32 i32)))
    (import "test:it/polite" "lend" (func $lend (param i32 i32 i32 i32 i32 i32)))
    (import "test:it/polite" "give" (func $give (param i32 i32)))
    (import "test:it/polite" "perhaps" (func $perhaps (param i32 i32 i32)))
    (import "test:it/polite" "wide" (func $wide (param i32 i32)))
    (import "test:it/polite" "peek" (func $peek (result i32)))
    (memory (export "memory") 1)
    (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) unreachable)
    (func $result (param $at i32) (result i32)
        (i32.add (i32.mul (i32.load8_u (i32.const 1024)) (i32.const 100)) (i32.load8_u (local.get $at))))
    (func (export "lend") (result i32)
        (local $t i32)
        (local.set $t (call $make))
        (i32.store (i32.const 4000) (i32.const 16)) (i32.store (i32.const 4004) (i32.const 300))
        (i32.store (i32.const 4008) (i32.const 64)) (i32.store (i32.const 4012) (i32.const 3000))
        (call $lend (local.get $t) (i32.const 16) (i32.const 9) (i32.const 4000) (i32.const 2) (i32.const 1024))
        (call $drop (local.get $t))
        (call $result (i32.const 1032)))
    (func (export "give") (result i32)
        (call $give (call $make) (i32.const 1024))
        (call $result (i32.const 1025)))
    (func (export "perhaps") (param $given i32) (result i32)
        (local $t i32)
        (if (local.get $given) (then (local.set $t (call $make))))
        (call $perhaps (local.get $given) (local.get $t) (i32.const 1024))
        (call $result (i32.const 1025)))
    (func (export "wide") (result i32)
        (call $wide (i32.const 512) (i32.const 1024))
        (call $result (i32.const 1032)))
    (func (export "open") (result i32)
        (local $t i32)
        (local.set $t (call $token))
        (call $open (local.get $t) (i32.const 1024))
        (call $drop-token (local.get $t))
        (call $result (i32.const 1032)))
    (func (export "peek") (result i32) (call $peek)))"#;

#[test]
fn denial_fits_every_shape_of_error_and_lets_go_of_what_it_was_given() {
    let bytes = program(Resolve::default(), POLITE_WORLD, POLITE);
    let denial = Denial::read(&bytes, &["test:it/polite"]).unwrap_or_else(|error| panic!("{error}"));
    assert!(denial.obstacles().is_empty());
    let composed = joined(&bytes, &["test:it/polite"]).unwrap_or_else(|error| panic!("{error}"));
    let mut instance = Instance::new(&composed);
    for _ in 0..1000 {
        assert_eq!(instance.call("lend", None), Ok(102));
        assert_eq!(instance.call("give", None), Ok(102));
        assert_eq!(instance.call("perhaps", Some(0)), Ok(102));
        assert_eq!(instance.call("perhaps", Some(1)), Ok(102));
        // HTTP-request-denied takes precedence over permission-denied.
        assert_eq!(instance.call("wide", None), Ok(102));
        assert_eq!(instance.call("open", None), Ok(102));
    }
    assert_eq!(instance.store.data().things, 0, "resources are left");
    assert_eq!(instance.store.data().denied, vec![u32::MAX; 6000], "unknown interfaces have no number");
    let trap = instance.call("peek", None).expect_err("a trap");
    assert!(trap.contains("the policy denies test:it/polite peek"), "{trap}");
}
