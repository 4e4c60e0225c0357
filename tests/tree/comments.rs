//! The comment of a function says what it does: it begins with a verb in the third person, such as "Returns …" or "Waits …".

use std::path::{Path, PathBuf};

use crate::source::{is_test, root, sources};

/// Words that end in "s" and are no verbs, as far as comments began with them.
const NO_VERBS: &[&str] = &[
    "Always",
    "Arguments",
    "As",
    "Attributes",
    "Bits",
    "Blanks",
    "Bytes",
    "Characters",
    "Clocks",
    "Columns",
    "Commands",
    "Contents",
    "Counters",
    "Days",
    "Descriptors",
    "Digits",
    "Elements",
    "Endings",
    "Errors",
    "Events",
    "Facts",
    "Fields",
    "Files",
    "Flags",
    "Functions",
    "Headers",
    "Items",
    "Its",
    "Keys",
    "Letters",
    "Lines",
    "Modules",
    "Months",
    "Nanoseconds",
    "Numbers",
    "Operands",
    "Options",
    "Others",
    "Owners",
    "Pages",
    "Pairs",
    "Parts",
    "Paths",
    "Patterns",
    "Perhaps",
    "Pieces",
    "Positions",
    "Processes",
    "Programs",
    "Quotas",
    "Rows",
    "Seconds",
    "Sessions",
    "Settings",
    "Sometimes",
    "Spaces",
    "Suffixes",
    "Tables",
    "Texts",
    "These",
    "This",
    "Those",
    "Threads",
    "Traps",
    "Unless",
    "Users",
    "Values",
    "Variables",
    "Words",
];

/// Whether a comment's first word is a verb in the third person, as far as its letters show it.
fn is_verb(comment: &str) -> bool {
    let word = comment.split(' ').next().unwrap_or_default().trim_end_matches([',', '.', ':', ';']);
    let letters = word.starts_with(|c: char| c.is_ascii_uppercase()) && word[1..].chars().all(|c| c.is_ascii_lowercase() || c == '-');
    letters && word.ends_with('s') && !word.ends_with("ss") && !NO_VERBS.contains(&word)
}

/// A line's text, if it is one of a documenting comment.
fn documenting(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("/// ").or((line == "///").then_some(""))
}

/// Whether a line declares a function.
fn declares(line: &str) -> bool {
    const BEFORE: &[&str] = &["default", "const", "async", "unsafe", "extern", "\"C\"", "\"system\""];
    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub") || word.ends_with(')') || BEFORE.contains(word));
    words.next() == Some("fn")
}

/// The functions outside tests with a comment: the line where it begins, and its first line.
fn commented(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((at, line)) = lines.next() {
        if line.trim_start() == "#[cfg(test)]" {
            // To the end of the item, as rustfmt writes it: a line with the indentation of its attribute.
            let depth = line.len() - line.trim_start().len();
            let _ = lines.find(|(_, line)| line.len() - line.trim_start().len() == depth && line.ends_with([';', '}']));
            continue;
        }
        let Some(first) = documenting(line) else { continue };
        while lines.next_if(|(_, line)| documenting(line).is_some()).is_some() {}
        let mut test = false;
        // Attributes, which may take several lines, and other comments.
        while let Some((_, line)) = lines.next_if(|(_, line)| line.trim_start().starts_with(['#', '/'])) {
            let attribute = line.trim_start();
            test |= attribute.starts_with("#[test]") || attribute.starts_with("#[tokio::test");
            if attribute.starts_with("#[") && !attribute.contains(']') {
                let _ = lines.find(|(_, line)| line.trim_start().starts_with([')', ']']));
            }
        }
        if !test && lines.peek().is_some_and(|(_, line)| declares(line)) {
            found.push((at + 1, first));
        }
    }
    found
}

#[test]
fn the_comment_of_a_function_begins_with_a_verb() {
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["host", "components"] {
        sources(&root().join(folder), &[".rs"], &mut files);
    }
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for path in files.iter().filter(|path| !is_test(path)) {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let name = path.strip_prefix(root()).unwrap_or(path).display().to_string();
        for (line, comment) in commented(&text) {
            seen += 1;
            if !is_verb(comment) {
                wrong.push(format!("{name}:{line}: {comment}"));
            }
        }
    }
    assert!(seen > 6_000, "only {seen} functions with comments found");
    assert!(wrong.is_empty(), "begin with a verb in the third person, such as \"Returns\" or \"Writes\":\n{}", wrong.join("\n"));
}

#[test]
fn the_scan_of_comments_sees_what_it_must() {
    let text = "/// Returns a.\n#[must_use]\npub(crate) const fn a() {}\n\
                /// The b.\n#[expect(\n    dead_code,\n    reason = \"c\"\n)]\nasync fn b() {}\n\
                /// A field.\nc: u8,\n/// A test.\n#[test]\nfn d() {}\n#[cfg(test)]\nmod tests {\n    /// A kit.\n    fn e() {}\n}\n\
                /// Two\n/// lines.\n// And more.\npub unsafe extern \"C\" fn f() {}\n/// A type.\nstruct G(fn());";
    assert_eq!(commented(text), [(1, "Returns a."), (4, "The b."), (20, "Two")]);
    let verbs = ["Returns the name.", "Fails.", "Waits, if there is room", "Re-exports it."];
    let others =
        ["The name.", "Return the name.", "Process it.", "Its name.", "Bytes that it holds.", "`a`: sets it.", "", "As [`Self::a`]."];
    assert!(verbs.iter().all(|comment| is_verb(comment)));
    assert_eq!(others.iter().filter(|comment| is_verb(comment)).count(), 0);
    assert!(!is_test(Path::new("host/a/src/b.rs")) && is_test(Path::new("host/a/src/b_tests.rs")));
}
