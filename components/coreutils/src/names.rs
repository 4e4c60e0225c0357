//! Users and groups, from `/etc/passwd` and `/etc/group`.

use std::collections::HashMap;
use std::sync::OnceLock;

/// One file of names.
pub struct Table {
    by_id: HashMap<u32, String>,
    by_name: HashMap<String, u32>,
}

impl Table {
    fn read(path: &str, id_field: usize) -> Table {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let (mut by_id, mut by_name) = (HashMap::new(), HashMap::new());
        for line in text.lines() {
            let fields: Vec<&str> = line.split(':').collect();
            if let (Some(name), Some(Ok(id))) = (fields.first(), fields.get(id_field).map(|f| f.parse::<u32>())) {
                by_id.entry(id).or_insert_with(|| (*name).to_owned());
                by_name.entry((*name).to_owned()).or_insert(id);
            }
        }
        Table { by_id, by_name }
    }

    /// The name of a number, if it has one.
    pub fn name(&self, id: u32) -> Option<&str> {
        self.by_id.get(&id).map(String::as_str)
    }

    /// The name of a number, or the number.
    pub fn show(&self, id: u32) -> String {
        self.name(id).map_or_else(|| id.to_string(), str::to_owned)
    }

    /// The number of a name, or of digits.
    pub fn id(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied().or_else(|| name.strip_prefix('+').unwrap_or(name).parse().ok())
    }
}

/// The users.
pub fn users() -> &'static Table {
    static USERS: OnceLock<Table> = OnceLock::new();
    USERS.get_or_init(|| Table::read("/etc/passwd", 2))
}

/// The groups.
pub fn groups() -> &'static Table {
    static GROUPS: OnceLock<Table> = OnceLock::new();
    GROUPS.get_or_init(|| Table::read("/etc/group", 2))
}
