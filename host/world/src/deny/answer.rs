//! What a denied function returns.

use std::collections::BTreeSet;
use wit_parser::abi::{AbiVariant, FlatTypes, WasmType};
use wit_parser::{Function, Handle, Int, InterfaceId, Resolve, SizeAlign, Type, TypeDefKind, TypeId};

/// The error cases that mean denial, the best first. Compared without regard to letter case (`HTTP-request-denied`).
const DENIALS: &[&str] = &["access-denied", "http-request-denied", "permission-denied", "not-permitted", "denied", "forbidden", "access"];

/// Maximum bytes of a result. It is written to the provider's one page of memory.
const RESULT_SPACE: usize = 32 * 1024;

/// What a denied function does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    /// It drops the handles it was given and returns the error: bytes written at offsets of the result.
    Denial {
        /// What to write, and where.
        stores: Vec<Store>,
        /// The handles among its parameters that it must drop.
        drops: Vec<Drop>,
    },
    /// It returns a handle to this resource, which has no content.
    Inert(TypeId),
    /// It cannot be called: it needs a handle to a resource that no function returns.
    Unreachable,
    /// It traps.
    Trap,
}

/// A number to write into the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Store {
    /// Offset in the result.
    pub offset: usize,
    /// Width of the number.
    pub width: Int,
    /// The number.
    pub value: u32,
}

/// A handle to drop before returning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Drop {
    /// The index of the core parameter that holds it.
    pub parameter: u32,
    /// The index of the core parameter that is 0 when there is no handle.
    pub given: Option<u32>,
    /// The resource it is a handle to.
    pub resource: TypeId,
}

/// Decides what `function` of a denied interface returns.
pub(super) fn answer(resolve: &Resolve, denied: &[(String, InterfaceId)], function: &Function) -> Answer {
    if function.kind.is_async() {
        return Answer::Trap;
    }
    let reachable = obtainable(resolve, denied);
    let impossible = function
        .params
        .iter()
        .filter_map(|parameter| handle(resolve, &parameter.ty))
        .any(|(_, resource)| owner(resolve, denied, resource).is_some() && !reachable.contains(&resource));
    if impossible {
        return Answer::Unreachable;
    }
    let Some(drops) = drops(resolve, denied, function) else { return Answer::Trap };
    if let Some(resource) = handed_out(resolve, denied, function)
        && drops.is_empty()
    {
        return Answer::Inert(resource);
    }
    match stores(resolve, function) {
        Some(stores) => Answer::Denial { stores, drops },
        None => Answer::Trap,
    }
}

/// Returns the resource of a denied interface to which `function` returns a handle, if the function cannot fail.
pub(super) fn handed_out(resolve: &Resolve, denied: &[(String, InterfaceId)], function: &Function) -> Option<TypeId> {
    match handle(resolve, function.result.as_ref()?) {
        Some((true, resource)) if owner(resolve, denied, resource).is_some() => Some(resource),
        _ => None,
    }
}

/// Returns the case of an enum or variant that means denial: its number, and the width of the number.
pub(super) fn denial_case(resolve: &Resolve, ty: TypeId) -> Option<(u32, Int)> {
    let (cases, tag): (Vec<(&str, bool)>, Int) = match &resolve.types[ty].kind {
        TypeDefKind::Type(Type::Id(id)) => return denial_case(resolve, *id),
        TypeDefKind::Enum(of) => (of.cases.iter().map(|case| (case.name.as_str(), true)).collect(), of.tag()),
        TypeDefKind::Variant(of) => (of.cases.iter().map(|case| (case.name.as_str(), case.ty.is_none())).collect(), of.tag()),
        _ => return None,
    };
    DENIALS.iter().find_map(|denial| {
        let case = cases.iter().position(|(name, bare)| *bare && name.eq_ignore_ascii_case(denial))?;
        Some((u32::try_from(case).ok()?, tag))
    })
}

/// Returns the numbers that make a result the denial, if its error type has such a case.
fn stores(resolve: &Resolve, function: &Function) -> Option<Vec<Store>> {
    let Some(Type::Id(result)) = function.result else { return None };
    let TypeDefKind::Result(result) = &resolve.types[alias(resolve, result)].kind else { return None };
    let Some(Type::Id(error)) = result.err else { return None };
    let (case, width) = denial_case(resolve, error)?;
    // With a tag and an error, a result never fits into the single value that a core function may return.
    if !resolve.wasm_signature(AbiVariant::GuestExport, function).retptr {
        return None;
    }
    let mut sizes = SizeAlign::default();
    sizes.fill(resolve);
    let whole = function.result.as_ref().map(|ty| sizes.size(ty).size_wasm32())?;
    if whole > RESULT_SPACE {
        return None;
    }
    let offset = sizes.payload_offset(Int::U8, [result.ok.as_ref(), result.err.as_ref()]).size_wasm32();
    Some(vec![Store { offset: 0, width: Int::U8, value: 1 }, Store { offset, width, value: case }])
}

/// Returns the handles that `function` receives and must drop; `None` if finding them would need reading memory.
fn drops(resolve: &Resolve, denied: &[(String, InterfaceId)], function: &Function) -> Option<Vec<Drop>> {
    let indirect = resolve.wasm_signature(AbiVariant::GuestExport, function).indirect_params;
    let mut drops = Vec::new();
    let mut at = 0u32;
    for parameter in &function.params {
        let optional = optional(resolve, &parameter.ty);
        match handle(resolve, optional.as_ref().unwrap_or(&parameter.ty)) {
            // A borrow of our own resource arrives as its representation: there is nothing to drop.
            Some((false, resource)) if owner(resolve, denied, resource).is_some() => {}
            Some(_) if indirect => return None,
            Some((_, resource)) => match optional {
                None => drops.push(Drop { parameter: at, given: None, resource }),
                Some(_) => drops.push(Drop { parameter: at + 1, given: Some(at), resource }),
            },
            None if holds_handles(resolve, &parameter.ty) => return None,
            None => {}
        }
        at += width(resolve, &parameter.ty);
    }
    Some(drops)
}

/// Returns how many core parameters a type takes, capped at one more than the maximum.
fn width(resolve: &Resolve, ty: &Type) -> u32 {
    let mut storage = [WasmType::I32; Resolve::MAX_FLAT_PARAMS + 1];
    let mut flat = FlatTypes::new(&mut storage);
    resolve.push_flat(ty, &mut flat);
    flat.to_vec().len() as u32
}

/// Returns the type in an option.
fn optional(resolve: &Resolve, ty: &Type) -> Option<Type> {
    let Type::Id(id) = ty else { return None };
    match &resolve.types[*id].kind {
        TypeDefKind::Type(inner) => optional(resolve, inner),
        TypeDefKind::Option(inner) => Some(*inner),
        _ => None,
    }
}

/// Returns a handle type: whether it owns, and the resource.
fn handle(resolve: &Resolve, ty: &Type) -> Option<(bool, TypeId)> {
    let Type::Id(id) = ty else { return None };
    match &resolve.types[*id].kind {
        TypeDefKind::Type(inner) => handle(resolve, inner),
        TypeDefKind::Handle(Handle::Own(resource)) => Some((true, alias(resolve, *resource))),
        TypeDefKind::Handle(Handle::Borrow(resource)) => Some((false, alias(resolve, *resource))),
        _ => None,
    }
}

fn holds_handles(resolve: &Resolve, ty: &Type) -> bool {
    let Type::Id(id) = ty else { return matches!(ty, Type::ErrorContext) };
    let holds = |ty: &Type| holds_handles(resolve, ty);
    match &resolve.types[*id].kind {
        TypeDefKind::Type(ty) | TypeDefKind::Option(ty) | TypeDefKind::List(ty) => holds(ty),
        TypeDefKind::FixedLengthList(ty, _) => holds(ty),
        TypeDefKind::Record(record) => record.fields.iter().any(|field| holds(&field.ty)),
        TypeDefKind::Tuple(tuple) => tuple.types.iter().any(holds),
        TypeDefKind::Variant(variant) => variant.cases.iter().filter_map(|case| case.ty.as_ref()).any(holds),
        TypeDefKind::Result(result) => result.ok.iter().chain(&result.err).any(holds),
        TypeDefKind::Enum(_) | TypeDefKind::Flags(_) => false,
        // Handles, streams, futures, and types of later versions.
        _ => true,
    }
}

/// Returns the type that aliases resolve to.
pub(super) fn alias(resolve: &Resolve, ty: TypeId) -> TypeId {
    match &resolve.types[ty].kind {
        TypeDefKind::Type(Type::Id(inner)) => alias(resolve, *inner),
        _ => ty,
    }
}

/// Returns the denied interface that defines `resource`, if one does.
pub(super) fn owner(resolve: &Resolve, denied: &[(String, InterfaceId)], resource: TypeId) -> Option<InterfaceId> {
    match resolve.types[resource].owner {
        wit_parser::TypeOwner::Interface(id) => denied.iter().map(|(_, denied)| *denied).find(|denied| *denied == id),
        _ => None,
    }
}

/// Returns the resources of the denied interfaces to which programs can get a handle.
fn obtainable(resolve: &Resolve, denied: &[(String, InterfaceId)]) -> BTreeSet<TypeId> {
    denied
        .iter()
        .flat_map(|(_, id)| resolve.interfaces[*id].functions.values())
        .filter_map(|function| handed_out(resolve, denied, function))
        .collect()
}
