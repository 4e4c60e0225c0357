//! The README's first command, `just demo`: it ends in the path of a page that a program in the sandbox wrote, and
//! `docs/demo.svg` is the picture of that page. Its numbers are those of the day on which it was kept.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use regex_lite::Regex;

use crate::source::{is_test, root, sources};

/// Returns a folder in which the lines of the recipe `demo` ran, and what they printed.
fn demo() -> (tempfile::TempDir, String) {
    let justfile = fs::read_to_string(root().join("justfile")).expect("there is a justfile");
    let (_, after) = justfile.split_once("\ndemo: build\n").expect("it has the recipe");
    let lines: Vec<&str> =
        after.lines().take_while(|line| line.starts_with("    ")).map(|line| line.trim().trim_start_matches('@')).collect();
    let lines = lines.join("\n").replace("{{wisp}}", "wisp").replace("{{root}}", &root().display().to_string());
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("target")).expect("a folder");
    let printed = super::run(&lines, folder.path());
    (folder, printed)
}

#[test]
fn the_demo_ends_in_a_page() {
    let (folder, printed) = demo();
    let path = folder.path().join("target/demo/report.html");
    assert_eq!(printed.lines().next_back(), Some(format!("the page: {}", path.display()).as_str()), "{printed}");
    let page = fs::read_to_string(path).expect("the page came out");
    for part in ["<svg ", "class=\"back\"", "lines of Rust</text>", "prefers-color-scheme: dark", "<table>", "</html>\n"] {
        assert!(page.contains(part), "the page has no `{part}`");
    }
    // It needs nothing from elsewhere, and a browser would load nothing.
    let named = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for outside in ["://", "<script", "<link", "<img", "<iframe", "src=", "href=", "url(", "@import"] {
        assert!(!named.contains(outside), "the page has `{outside}`");
    }
    assert!(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""), "the page says so");

    // The table has every row of the numbers, and they are those that the host counts.
    let numbers = fs::read_to_string(folder.path().join("target/demo/lines.csv")).expect("the numbers came out");
    let cells = page.replace(',', "");
    for row in numbers.lines().skip(1) {
        let (name, counts) = row.split_once(',').expect("a row has columns");
        let row = format!("<tr><th scope=\"row\">{name}</th><td>{}</td></tr>", counts.replace(',', "</td><td>"));
        assert!(cells.contains(&row), "the table has no row `{row}`");
    }
    let expected = counted("host/diff");
    assert!(numbers.lines().any(|row| row == expected), "no row `{expected}` in\n{numbers}");
}

/// Returns the row of a crate: its files, their lines of program, of tests and of comments, and the sum of these. Tests
/// are files called so, and modules at the end of others.
fn counted(folder: &str) -> String {
    let mut files = Vec::new();
    sources(&root().join(folder), &[".rs"], &mut files);
    let (mut program, mut tests, mut comments) = (0, 0, 0);
    for file in &files {
        let text = fs::read_to_string(file).expect("a file of Rust");
        let split =
            if is_test(file) { Some(0) } else { text.find("\n#[cfg(test)]\nmod tests {\n").map(|at| at + "\n#[cfg(test)]\n".len()) };
        let (before, after) = text.split_at(split.unwrap_or(text.len()));
        let lines = |part: &str| part.lines().filter(|line| !line.trim().is_empty()).count();
        let remarks = |part: &str| part.lines().filter(|line| line.trim().starts_with("//")).count();
        program += lines(before) - remarks(before);
        tests += lines(after) - remarks(after);
        comments += remarks(&text);
    }
    format!("{folder},{},{program},{tests},{comments},{}", files.len(), program + tests + comments)
}

#[test]
fn the_picture_shows_the_page_of_the_demo() {
    let (folder, _) = demo();
    let now = fs::read_to_string(folder.path().join("target/demo/picture.svg")).expect("the picture came out");
    assert!(fs::read_to_string(root().join("README.md")).expect("there is a README").contains("docs/demo.svg"));
    let path = root().join("docs/demo.svg");
    if std::env::var_os("WISP_BLESS").is_some() && structure(&now) != kept(&path) {
        fs::write(&path, &now).expect("the picture can be written");
    }
    let why = "is not the picture that the demo draws today (WISP_BLESS=1 writes it; for today's numbers, remove it first)";
    assert!(structure(&now) == kept(&path), "{} {why}", path.display());
    // Another picture has another structure: a colour, a word, a kind of line that is gone.
    for (part, other) in [("#2a78d6", "#2a78d7"), ("lines of Rust", "bytes of Rust"), ("class=\"comments\"", "class=\"tests\"")] {
        assert_ne!(structure(&now.replace(part, other)), structure(&now), "`{part}` counts");
    }
    // The same one with other numbers and another crate has the same.
    let grown = now.replace(">host/vfs", ">host/new").replace("\">8,", "\">13,").replace("width=\"2", "width=\"17");
    assert!(grown != now && structure(&grown) == structure(&now));
}

/// Returns the structure of the picture that is kept.
fn kept(path: &Path) -> BTreeSet<String> {
    structure(&fs::read_to_string(path).unwrap_or_default())
}

/// Returns what stays of a picture when the repository grows: its styles, its elements and its words, without numbers,
/// folders of crates, and how often each line is there.
fn structure(svg: &str) -> BTreeSet<String> {
    let number = Regex::new(r"[0-9][0-9,.]*").expect("a pattern");
    let folder = Regex::new(r"\b(host|components|tests|toolchain)(/[a-z0-9-]+)+").expect("a pattern");
    let changing = |line: &str| folder.replace_all(&number.replace_all(line, "0"), "FOLDER").into_owned();
    svg.lines().map(|line| if line.starts_with('<') { changing(line) } else { line.to_owned() }).collect()
}
