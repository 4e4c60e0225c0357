//! The tables of a policy, as the paths of its keys name them.

use super::schema::Key;

/// Returns the words that may stand in the table at `table` (a path as in [`Row::path`](super::schema::Row::path); the root is empty).
pub(super) fn words_in(table: &str) -> Vec<&'static str> {
    let mut words: Vec<&'static str> = Vec::new();
    for key in Key::ALL {
        let path = key.path();
        let Some(rest) = (if table.is_empty() { Some(path) } else { path.strip_prefix(table) }) else {
            continue;
        };
        let rest = if table.is_empty() {
            rest
        } else if let Some(rest) = rest.strip_prefix('.') {
            rest
        } else {
            continue;
        };
        let word = rest.split('.').next().unwrap_or_default().trim_end_matches("[]");
        if word != "NAME" && !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// Returns the tables in which `word` is a key, as a person writes their headers: `[limits]`, `[[filesystem.mount]]`.
pub(super) fn tables_with(word: &str) -> Vec<String> {
    let mut tables = Vec::new();
    for key in Key::ALL {
        let path = key.path();
        for (at, _) in path.match_indices('.').chain(std::iter::once((path.len(), ""))) {
            let (table, last) = path[..at].rsplit_once('.').unwrap_or(("", &path[..at]));
            if last.trim_end_matches("[]") != word || last == "NAME" {
                continue;
            }
            let header = match table.strip_suffix("[]") {
                _ if table.is_empty() => "the top of the file".to_owned(),
                Some(list) => format!("`[[{list}]]`"),
                None => format!("`[{table}]`"),
            };
            if !tables.contains(&header) {
                tables.push(header);
            }
        }
    }
    tables
}

/// Returns the tables that have keys with numbers, in the order of the reference.
pub(super) fn tables_with_numbers() -> Vec<&'static str> {
    let mut tables: Vec<&'static str> = Key::ALL.iter().filter(|key| key.row().shape.is_number()).map(|key| key.table()).collect();
    tables.dedup();
    tables
}

/// Returns the keys of `table` with numbers, in the order of the reference.
pub(super) fn numbers_in(table: &str) -> impl Iterator<Item = Key> {
    Key::ALL.iter().copied().filter(move |key| key.table() == table && key.row().shape.is_number())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_words_come_from_the_paths() {
        assert_eq!(
            words_in(""),
            ["name", "extends", "tools", "imports", "filesystem", "network", "host", "python", "env", "output", "limits", "determinism"]
        );
        assert_eq!(words_in("filesystem"), ["quota", "max_files", "mount"]);
        assert_eq!(words_in("tools.custom.NAME"), ["path", "sha256", "network", "host"]);
        assert_eq!(words_in("imports.NAME"), ["component", "sha256", "tools"]);
        assert_eq!(words_in("tools.custom"), [""; 0]);
        assert_eq!(tables_with("wall"), ["`[limits]`"]);
        assert_eq!(tables_with("network"), ["`[tools.custom.NAME]`", "the top of the file"]);
        assert_eq!(tables_with("guest"), ["`[[filesystem.mount]]`"]);
        assert_eq!(tables_with("NAME"), [""; 0]);
    }

    #[test]
    fn numbers_are_found_by_their_table() {
        assert_eq!(tables_with_numbers(), ["filesystem", "network", "host", "output", "limits", "determinism"]);
        assert_eq!(numbers_in("filesystem").collect::<Vec<_>>(), [Key::Quota, Key::MaxFiles]);
        assert_eq!(numbers_in("filesystem.mount[]").next(), None);
    }
}
