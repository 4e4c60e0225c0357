//! One import of a component, without a decision.

/// The one import of a provider: it receives the number of the denied function that was called. No component may
/// import it.
pub(super) const REPORT: &str = "wisp:deny/report@0.1.0";

/// The kind of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    /// An interface.
    Instance,
    /// A single function.
    Function,
    /// A name for a type that another import defines; the host provides nothing for it.
    TypeName,
    /// A resource type of the host.
    Resource,
    /// A core module that the host would provide.
    Module,
    /// A component that the host would provide.
    Component,
    /// A value.
    Value,
}

/// One import of a component.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Import {
    /// Its name, as written.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// For an instance: the functions and types that it must have.
    pub items: Vec<String>,
    /// For an instance: required items that are neither functions nor types.
    pub foreign: Vec<String>,
}
