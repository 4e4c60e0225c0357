//! Users and groups, from `/etc/passwd` and `/etc/group`.

use std::sync::OnceLock;

/// One file of names. It is short; the first matching line counts.
pub struct Table(Vec<(String, u32)>);

impl Table {
    fn read(path: &str) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let entry = |line: &str| {
            let mut fields = line.split(':');
            Some((fields.next()?.to_owned(), fields.nth(1)?.parse().ok()?))
        };
        Self(text.lines().filter_map(entry).collect())
    }

    /// Returns the name of a number, if it has one.
    pub fn name(&self, id: u32) -> Option<&str> {
        self.0.iter().find(|(_, known)| *known == id).map(|(name, _)| name.as_str())
    }

    /// Returns the name of a number, or the number.
    pub fn show(&self, id: u32) -> String {
        self.name(id).map_or_else(|| id.to_string(), str::to_owned)
    }

    /// Returns the number of a name, or of digits.
    pub fn id(&self, name: &str) -> Option<u32> {
        let named = self.0.iter().find(|(known, _)| known == name).map(|(_, id)| *id);
        named.or_else(|| name.strip_prefix('+').unwrap_or(name).parse().ok())
    }
}

/// Returns the users.
pub fn users() -> &'static Table {
    static USERS: OnceLock<Table> = OnceLock::new();
    USERS.get_or_init(|| Table::read("/etc/passwd"))
}

/// Returns the groups.
pub fn groups() -> &'static Table {
    static GROUPS: OnceLock<Table> = OnceLock::new();
    GROUPS.get_or_init(|| Table::read("/etc/group"))
}
