//! A guest that can call every function that the host links, made from the WIT: with values of the right shape and
//! hostile contents and live handles, in random order; or one function repeatedly, keeping what it returns.

use std::collections::BTreeMap;
use std::fmt::Write;

use wisp_policy::capability::{Decision, Interface};
use wit_parser::abi::{AbiVariant, WasmType};
use wit_parser::{Function, Handle, InterfaceId, Resolve, SizeAlign, Type, TypeDefKind, TypeId};

use super::guest_text::{PRELUDE, STRINGS, Text};

/// Where handles of a kind come from. Kinds that are missing here come from functions that fail, or from a server.
const MAKERS: &[(&str, &str)] = &[
    ("pollable", "wasi:clocks/monotonic-clock subscribe-duration"),
    ("input-stream", "wasi:cli/stdin get-stdin"),
    ("output-stream", "wasi:cli/stdout get-stdout"),
    ("descriptor", "wasi:filesystem/preopens get-directories"),
    ("directory-entry-stream", "wasi:filesystem/types [method]descriptor.read-directory"),
    ("fields", "wasi:http/types [constructor]fields"),
    ("outgoing-request", "wasi:http/types [constructor]outgoing-request"),
    ("request-options", "wasi:http/types [constructor]request-options"),
    ("outgoing-response", "wasi:http/types [constructor]outgoing-response"),
    ("outgoing-body", "wasi:http/types [method]outgoing-request.body"),
    ("open-file", "wisp:sandbox/files anonymous"),
    ("child", "wisp:sandbox/process spawn"),
];

/// Functions that end the process by itself, which would test nothing.
const ENDS: &[&str] = &["exit", "exit-with-code", "exec"];

/// Functions that may wait forever: called less often.
const WAITS: &[&str] = &["poll", "[method]pollable.block", "[method]child.wait", "read-from", "[method]open-file.read"];

/// Where results are written, and the first slot of handles.
const RESULT: u32 = 256;
const SLOTS: u32 = 8192;

/// One function of the host.
pub(crate) struct Linked {
    /// `wasi:io/poll [method]pollable.ready`.
    pub name: String,
    interface: InterfaceId,
    function: Function,
}

/// The host's functions, and what is needed to make a guest that calls them.
pub(crate) struct Generator {
    resolve: Resolve,
    sizes: SizeAlign,
    /// All functions, by name.
    pub functions: Vec<Linked>,
    /// Maps each interface to its name with the version.
    interfaces: BTreeMap<InterfaceId, String>,
    resources: Vec<TypeId>,
    lists: Vec<Type>,
}

impl Generator {
    pub(crate) fn new() -> Self {
        let mut resolve = Resolve::default();
        resolve.push_path(wisp_tests::wisp::root().join("wit")).expect("the WIT of the repository");
        let mut sizes = SizeAlign::default();
        sizes.fill(&resolve);
        let (mut functions, mut interfaces) = (Vec::new(), BTreeMap::new());
        for (id, interface) in &resolve.interfaces {
            let Some(full) = resolve.id_of(id) else { continue };
            let name = full.split('@').next().unwrap_or_default().to_owned();
            let known = Interface::ALL.iter().find(|known| known.name() == name);
            let linked = |decision| known.is_some_and(|known| known.capability().has(decision));
            // No tool may import `threads`: `tests/escape/threads.rs` has a guest in the place of `python3`.
            if (linked(Decision::Host) || linked(Decision::Virtual)) && name != "wisp:sandbox/threads" {
                interfaces.insert(id, full);
                let of =
                    |function: &Function| Linked { name: format!("{name} {}", function.name), interface: id, function: function.clone() };
                functions.extend(interface.functions.values().map(of));
            }
        }
        functions.sort_by(|one, other| one.name.cmp(&other.name));
        let resources = resolve.types.iter().filter(|(_, ty)| matches!(ty.kind, TypeDefKind::Resource)).map(|(id, _)| id).collect();
        Self { resolve, sizes, functions, interfaces, resources, lists: Vec::new() }
    }

    /// Lines that import every interface that is not in `there`.
    pub(crate) fn imports(&self, there: &str) -> String {
        let missing = self.interfaces.values().filter(|name| !there.contains(name.as_str()));
        missing.map(|name| format!("import {name};\n")).collect()
    }

    /// Whether the function returns a handle.
    pub(crate) fn gives(&self, linked: &Linked) -> bool {
        linked.function.result.as_ref().is_some_and(|ty| !self.given(ty).is_empty())
    }

    /// The resources of which it takes handles.
    fn resources_of(&self, linked: &Linked) -> Vec<TypeId> {
        linked.function.params.iter().flat_map(|parameter| self.taken(&parameter.ty)).map(|(_, resource)| resource).collect()
    }

    /// Whether it can be called freely: all handles that it takes can be obtained without a server or a failure.
    pub(crate) fn callable(&self, linked: &Linked) -> bool {
        !ENDS.contains(&linked.function.name.as_str())
            && self.resources_of(linked).into_iter().all(|resource| self.maker(resource).is_some())
    }

    fn kind(&self, ty: &Type) -> Option<&TypeDefKind> {
        let Type::Id(id) = ty else { return None };
        match &self.resolve.types[*id].kind {
            TypeDefKind::Type(inner) => self.kind(inner),
            kind => Some(kind),
        }
    }

    /// The type that aliases resolve to.
    fn plain(&self, ty: &Type) -> Type {
        match ty {
            Type::Id(id) => match &self.resolve.types[*id].kind {
                TypeDefKind::Type(inner) => self.plain(inner),
                _ => *ty,
            },
            _ => *ty,
        }
    }

    fn real(&self, id: TypeId) -> TypeId {
        match self.resolve.types[id].kind {
            TypeDefKind::Type(Type::Id(inner)) => self.real(inner),
            _ => id,
        }
    }

    /// The handles in a type: whether each is owned, and its resource.
    fn taken(&self, ty: &Type) -> Vec<(bool, TypeId)> {
        let all = |types: Vec<&Type>| types.into_iter().flat_map(|ty| self.taken(ty)).collect();
        match self.kind(ty) {
            Some(TypeDefKind::Handle(Handle::Own(id))) => vec![(true, self.real(*id))],
            Some(TypeDefKind::Handle(Handle::Borrow(id))) => vec![(false, self.real(*id))],
            Some(TypeDefKind::Option(ty) | TypeDefKind::List(ty)) => self.taken(ty),
            Some(TypeDefKind::Record(record)) => all(record.fields.iter().map(|field| &field.ty).collect()),
            Some(TypeDefKind::Tuple(tuple)) => all(tuple.types.iter().collect()),
            Some(TypeDefKind::Variant(variant)) => all(variant.cases.iter().filter_map(|case| case.ty.as_ref()).collect()),
            Some(TypeDefKind::Result(result)) => all(result.ok.iter().chain(&result.err).collect()),
            _ => Vec::new(),
        }
    }

    fn given(&self, ty: &Type) -> Vec<(bool, TypeId)> {
        self.taken(ty)
    }

    fn resource_name(&self, id: TypeId) -> &str {
        self.resolve.types[id].name.as_deref().unwrap_or_default()
    }

    fn number(&self, id: TypeId) -> usize {
        self.resources.iter().position(|resource| *resource == self.real(id)).expect("a resource of the WIT")
    }

    fn maker(&self, resource: TypeId) -> Option<usize> {
        let (_, maker) = MAKERS.iter().find(|(name, _)| *name == self.resource_name(resource))?;
        self.functions.iter().position(|linked| linked.name == *maker)
    }

    /// Where the handles to a resource are stored.
    fn slot(&self, number: usize) -> u32 {
        SLOTS + 32 * number as u32
    }

    /// A number within the range of the type, or far larger.
    fn bits(ty: &Type) -> &'static str {
        match ty {
            Type::Bool => "(i32.and (call $chance) (i32.const 1))",
            Type::U64 | Type::S64 => "(call $num64)",
            Type::F32 => "(f32.const 1)",
            Type::F64 => "(f64.const 1)",
            Type::Char => "(i32.const 97)",
            _ => "(i32.wrap_i64 (call $num64))",
        }
    }

    /// The number of a list's kind; a function fills such lists.
    fn list(&mut self, element: &Type) -> usize {
        if let Some(at) = self.lists.iter().position(|known| known == element) {
            return at;
        }
        self.lists.push(*element);
        self.lists.len() - 1
    }

    /// Code that leaves a value as core parameters.
    fn flat(&mut self, ty: &Type) -> String {
        let ty = &self.plain(ty);
        if *ty == Type::String {
            return "(call $text) (global.get $len) ".to_owned();
        }
        let Some(kind) = self.kind(ty).cloned() else { return Self::bits(ty).to_owned() };
        match kind {
            TypeDefKind::Handle(Handle::Own(id)) => format!("(call $take{})", self.number(id)),
            TypeDefKind::Handle(Handle::Borrow(id)) => format!("(call $some{})", self.number(id)),
            TypeDefKind::List(Type::U8) => "(call $bytes) (global.get $len) ".to_owned(),
            TypeDefKind::List(element) => format!("(call $list{}) (global.get $len) ", self.list(&element)),
            TypeDefKind::Record(record) => record.fields.iter().map(|field| self.flat(&field.ty)).collect(),
            TypeDefKind::Tuple(tuple) => tuple.types.iter().map(|ty| self.flat(ty)).collect(),
            TypeDefKind::Option(ty) => format!("(i32.and (call $chance) (i32.const 1)) {}", self.flat(&ty)),
            TypeDefKind::Flags(_) => "(i32.and (call $chance) (i32.const 255))".to_owned(),
            TypeDefKind::Enum(of) => format!("(call $below (i32.const {}))", of.cases.len()),
            TypeDefKind::Variant(of) => {
                let payloads: Vec<Type> = of.cases.iter().filter_map(|case| case.ty).collect();
                // Cases share their parameters: a text is valid as bytes too, and what begins as another does is valid as that.
                let is_bytes = |ty: &Type| matches!(self.kind(ty), Some(TypeDefKind::List(Type::U8)));
                let payloads: Vec<Type> = payloads.into_iter().map(|ty| if is_bytes(&ty) { Type::String } else { ty }).collect();
                let flat: Vec<String> = payloads.iter().map(|ty| self.flat(ty)).collect();
                let payload = flat.iter().max_by_key(|flat| flat.len()).cloned().unwrap_or_default();
                assert!(flat.iter().all(|flat| payload.starts_with(flat)), "say how the cases of {of:?} share parameters");
                format!("(call $below (i32.const {})) {payload}", of.cases.len())
            }
            // Taken only by functions that cannot be called.
            _ => "unreachable".to_owned(),
        }
    }

    /// Code that writes a value to `offset` after `$at`.
    fn stored(&mut self, ty: &Type, offset: usize) -> String {
        let ty = &self.plain(ty);
        let put = |op: &str, offset: usize, value: &str| format!("({op} offset={offset} (local.get $at) {value})\n");
        let pair = |value: &str| put("i32.store", offset, value) + &put("i32.store", offset + 4, "(global.get $len)");
        if *ty == Type::String {
            return pair("(call $text)");
        }
        let Some(kind) = self.kind(ty).cloned() else {
            let op = match self.sizes.size(ty).size_wasm32() {
                1 => "i32.store8",
                2 => "i32.store16",
                8 => "i64.store",
                _ => "i32.store",
            };
            return put(op, offset, Self::bits(ty));
        };
        let record = |this: &mut Self, types: Vec<Type>| -> String {
            let offsets: Vec<usize> = this.sizes.field_offsets(&types).into_iter().map(|(at, _)| at.size_wasm32()).collect();
            types.iter().zip(offsets).map(|(ty, at)| this.stored(ty, offset + at)).collect()
        };
        match kind {
            TypeDefKind::Handle(_) => put("i32.store", offset, &self.flat(ty)),
            TypeDefKind::List(Type::U8) => pair("(call $bytes)"),
            TypeDefKind::List(element) => pair(&format!("(call $list{})", self.list(&element))),
            TypeDefKind::Record(of) => record(self, of.fields.iter().map(|field| field.ty).collect()),
            TypeDefKind::Tuple(of) => record(self, of.types.clone()),
            TypeDefKind::Option(inner) => {
                let payload = self.sizes.payload_offset(wit_parser::Int::U8, [None, Some(&inner)]).size_wasm32();
                put("i32.store8", offset, "(i32.and (call $chance) (i32.const 1))") + &self.stored(&inner, offset + payload)
            }
            TypeDefKind::Enum(_) | TypeDefKind::Flags(_) => put("i32.store8", offset, &self.flat(ty)),
            _ => "unreachable".to_owned(),
        }
    }

    /// Code that keeps the handles in a result at `offset` after `$at`.
    fn kept(&self, ty: &Type, offset: usize) -> String {
        if self.given(ty).is_empty() {
            return String::new();
        }
        let payload = |of: [Option<&Type>; 2]| offset + self.sizes.payload_offset(wit_parser::Int::U8, of).size_wasm32();
        let tag = format!("(i32.load8_u offset={offset} (local.get $at))");
        match self.kind(ty) {
            Some(TypeDefKind::Handle(Handle::Own(id))) => {
                format!("(call $keep{} (i32.load offset={offset} (local.get $at)))\n", self.number(*id))
            }
            Some(TypeDefKind::Option(inner)) => {
                format!("(if {tag} (then {}))\n", self.kept(inner, payload([None, Some(inner)])))
            }
            Some(TypeDefKind::Result(of)) => {
                let at = payload([of.ok.as_ref(), of.err.as_ref()]);
                let half = |ty: &Option<Type>| ty.as_ref().map(|ty| self.kept(ty, at)).unwrap_or_default();
                format!("(if {tag} (then {}) (else {}))\n", half(&of.err), half(&of.ok))
            }
            Some(TypeDefKind::Tuple(of)) => {
                let fields = self.sizes.field_offsets(&of.types);
                fields.into_iter().map(|(at, ty)| self.kept(ty, offset + at.size_wasm32())).collect()
            }
            // The first element of a list: the only list of handles that is returned has one.
            Some(TypeDefKind::List(element)) => {
                format!("(local.set $at (i32.load offset={offset} (local.get $at)))\n{}", self.kept(element, 0))
            }
            Some(TypeDefKind::Variant(of)) => {
                let at = offset + self.sizes.payload_offset(of.tag(), of.cases.iter().map(|case| case.ty.as_ref())).size_wasm32();
                let cases = of.cases.iter().enumerate().filter_map(|(number, case)| Some((number, case.ty.as_ref()?)));
                cases.map(|(number, ty)| format!("(if (i32.eq {tag} (i32.const {number})) (then {}))\n", self.kept(ty, at))).collect()
            }
            _ => String::new(),
        }
    }

    /// The function that calls `functions[number]` once.
    fn call(&mut self, number: usize) -> (String, String) {
        let (function, interface) = (self.functions[number].function.clone(), self.interfaces[&self.functions[number].interface].clone());
        let signature = self.resolve.wasm_signature(AbiVariant::GuestImport, &function);
        let core = |types: &[WasmType]| {
            types
                .iter()
                .map(|ty| match ty {
                    WasmType::I64 | WasmType::PointerOrI64 => " i64",
                    WasmType::F32 => " f32",
                    WasmType::F64 => " f64",
                    _ => " i32",
                })
                .collect::<String>()
        };
        let import = format!(
            "(import \"{interface}\" \"{}\" (func $host{number} (param{}) (result{})))\n",
            function.name,
            core(&signature.params),
            core(&signature.results)
        );
        let mut body = String::from("(local $at i32)\n(call $begin)\n");
        if ENDS.contains(&function.name.as_str()) {
            return (import, format!("(func $call{number})\n"));
        }
        // What comes only from failures and servers exists only if it came.
        for resource in self.resources_of(&self.functions[number]).into_iter().filter(|resource| self.maker(*resource).is_none()) {
            let _ = writeln!(body, "(if (i32.eqz (i32.load (i32.const {}))) (then return))", self.slot(self.number(resource)));
        }
        if WAITS.contains(&function.name.as_str()) || function.name.contains("blocking") {
            body.push_str(
                "(if (i32.and (i32.eqz (global.get $mode)) (i32.ne (call $below (i32.const 16)) (i32.const 0))) (then return))\n",
            );
        }
        if signature.indirect_params {
            let types: Vec<Type> = function.params.iter().map(|parameter| parameter.ty).collect();
            let offsets: Vec<usize> = self.sizes.field_offsets(&types).into_iter().map(|(at, _)| at.size_wasm32()).collect();
            body.push_str("(local.set $at (call $room (i32.const 256)))\n");
            for (ty, at) in types.iter().zip(offsets) {
                body += &self.stored(ty, at);
            }
            body.push_str("(local.get $at)\n");
        } else {
            for parameter in &function.params {
                body += &self.flat(&parameter.ty);
                body.push('\n');
            }
        }
        if signature.retptr {
            let _ = writeln!(body, "(i32.const {RESULT})");
        }
        let _ = writeln!(body, "(call $host{number})");
        match (&function.result, signature.retptr, signature.results.is_empty()) {
            (Some(ty), true, _) => {
                let _ = writeln!(body, "(local.set $at (i32.const {RESULT}))");
                body += &self.kept(ty, 0);
            }
            (Some(ty), false, false) if !self.given(ty).is_empty() => {
                let _ = writeln!(body, "call $keep{}", self.number(self.given(ty)[0].1));
            }
            (_, false, false) => body.push_str("drop\n"),
            _ => {}
        }
        (import, format!("(func $call{number} {body})\n"))
    }

    /// The core module's text.
    pub(crate) fn module(&mut self) -> String {
        let (mut imports, mut text) = (String::new(), String::new());
        for number in 0..self.functions.len() {
            let (import, call) = self.call(number);
            imports += &import;
            text += &call;
        }
        for number in 0..self.resources.len() {
            text += &self.handles(number);
        }
        let mut done = 0;
        while done < self.lists.len() {
            text += &self.filled_list(done);
            done += 1;
        }
        let names: String = (0..self.functions.len()).map(|number| format!(" $call{number}")).collect();
        let count = self.functions.len();
        let strings = STRINGS.iter().map(Text::repeat_to);
        let (mut data, mut table, mut at) = (String::new(), String::new(), 65_536);
        for bytes in strings {
            for byte in &bytes {
                let _ = write!(data, "\\{byte:02x}");
            }
            for number in [at, bytes.len() as u32] {
                for byte in number.to_le_bytes() {
                    let _ = write!(table, "\\{byte:02x}");
                }
            }
            at += bytes.len() as u32;
        }
        let arguments = self.functions.iter().position(|linked| linked.name == "wisp:sandbox/process arguments").expect("it is in the WIT");
        let prelude = PRELUDE.replace("$arguments", &format!("$host{arguments}"));
        format!(
            "(module {imports} {prelude} (table {count} funcref) (elem (i32.const 0) func{names})
             (data (i32.const 65536) \"{data}\") (data (i32.const 4096) \"{table}\")
             (func $count (result i32) (i32.const {count})) (func $strings (result i32) (i32.const {}))
             {text})",
            STRINGS.len()
        )
    }

    /// The functions that store, find and take handles of one resource, of which eight are stored.
    fn handles(&self, number: usize) -> String {
        let (slot, slots) = (self.slot(number), if self.maker(self.resources[number]).is_some() { 8 } else { 1 });
        let make = self.maker(self.resources[number]).map_or(String::new(), |maker| format!("(call $call{maker})"));
        format!(
            "(global $last{number} (mut i32) (i32.const 0))
             (func $keep{number} (param $handle i32)
                (global.set $last{number} (local.get $handle))
                (i32.store (i32.add (i32.const {slot}) (i32.shl (call $below (i32.const {slots})) (i32.const 2))) (local.get $handle)))
             (func $make{number} (result i32) (local $left i32)
                (global.set $last{number} (i32.const 0))
                (local.set $left (i32.const 20))
                (block $done (loop $again
                    {make}
                    (br_if $done (global.get $last{number}))
                    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
                    (br_if $again (local.get $left))))
                (global.get $last{number}))
             (func $slot{number} (result i32)
                (i32.add (i32.const {slot}) (i32.shl (call $below (i32.const {slots})) (i32.const 2))))
             (func $some{number} (result i32) (local $slot i32)
                (if (global.get $mode) (then (return (call $take{number}))))
                (if (i32.eqz (call $below (i32.const 5000))) (then (return (call $chance))))
                (local.set $slot (call $slot{number}))
                (if (i32.eqz (i32.load (local.get $slot))) (then (i32.store (local.get $slot) (call $take{number}))))
                (i32.load (local.get $slot)))
             (func $take{number} (result i32) (local $slot i32) (local $taken i32) (local $next i32)
                (local.set $slot (call $slot{number}))
                (if (global.get $mode) (then (i32.store (local.get $slot) (i32.const 0))))
                (local.set $taken (i32.load (local.get $slot)))
                (if (i32.eqz (local.get $taken)) (then
                    (local.set $taken (call $make{number}))))
                (call $forget (i32.const {slot}) (local.get $taken))
                (local.get $taken))\n"
        )
    }

    /// The function that fills a list with elements of one kind.
    fn filled_list(&mut self, number: usize) -> String {
        let element = self.lists[number];
        let size = self.sizes.size(&element).size_wasm32();
        let stored = self.stored(&element, 0);
        format!(
            "(func $list{number} (result i32) (local $at i32) (local $start i32) (local $left i32)
                (local.set $left (call $below (i32.const 4)))
                (local.set $start (call $room (i32.mul (i32.const {size}) (local.get $left))))
                (local.set $at (local.get $start))
                (global.set $len (local.get $left))
                (block $end (loop $again
                    (br_if $end (i32.eqz (local.get $left)))
                    {stored}
                    (local.set $at (i32.add (local.get $at) (i32.const {size})))
                    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
                    (br $again)))
                (global.set $len (i32.div_u (i32.sub (local.get $at) (local.get $start)) (i32.const {size})))
                (local.get $start))\n"
        )
    }
}
