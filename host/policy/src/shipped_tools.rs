//! The shipped tools: their names, and the components that they are made of.

/// The shipped tools, each with its other names.
pub(super) const SHIPPED: &[(&str, &[&str])] = &[
    ("sh", &["bash"]),
    ("coreutils", &[]),
    ("text", &[]),
    ("data", &[]),
    ("archive", &[]),
    ("images", &[]),
    ("rg", &[]),
    ("curl", &["wget"]),
    ("python3", &["python"]),
];

/// Tools with a second component: programs that are rarely started are not compiled with those that start first.
pub(super) const PARTS: &[(&str, &str)] = &[("coreutils", "uutils")];

/// Returns the components of a shipped tool: that of its name, and its second one.
pub fn components_of(tool: &str) -> impl Iterator<Item = &str> {
    std::iter::once(tool).chain(PARTS.iter().filter(move |(whole, _)| *whole == tool).map(|(_, part)| *part))
}

/// Returns the shipped tool that a component belongs to.
pub fn tool_of(component: &str) -> &str {
    PARTS.iter().find(|(_, part)| *part == component).map_or(component, |(tool, _)| tool)
}

pub(super) fn shipped_names() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}

/// Returns every name that a tool of the user's may not have.
pub(super) fn taken_names() -> impl Iterator<Item = &'static str> {
    let aliases = SHIPPED.iter().flat_map(|(_, aliases)| aliases.iter().copied());
    shipped_names().chain(aliases).chain(PARTS.iter().map(|(_, part)| *part))
}

/// Returns the shipped tool that has `name` as another name, or as the name of its second component.
pub(super) fn alias_of(name: &str) -> Option<&'static str> {
    let alias = SHIPPED.iter().find(|(_, aliases)| aliases.contains(&name));
    alias.map(|(tool, _)| *tool).or_else(|| PARTS.iter().find(|(_, part)| *part == name).map(|(tool, _)| *tool))
}
