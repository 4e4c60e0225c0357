//! The picture of a run in the README: `docs/run.svg` is drawn from the output of real commands, and the test compares
//! it.

use std::fmt::Write;
use std::fs;

use wisp_tests::guide::printed;
use wisp_tests::wisp::{prepared, root};

/// A policy with one rule.
const POLICY: &str = "extends = \"offline\"\n\n[network]\nallow = [{ url = \"https://docs.rs/\" }]\n";

/// The commands in the picture: a pipeline over a mount, a policy, a denial that names its rule, and the decision in
/// `explain`.
const COMMANDS: &[&str] = &[
    "wisp run --mount ./data:/mnt -- sh -c 'sort /mnt/fruit.txt | uniq -c | python3 -c \"print(*max(open(0)).split())\"'",
    "cat research.toml",
    "wisp run --policy research.toml -- curl -sS https://example.com/",
    "wisp explain --policy offline | sed -n '/^curl/,/^$/p' | grep -e reason -e outgoing",
];

/// Columns of the terminal.
const COLUMNS: usize = 122;
const LETTER: f64 = 7.3;
const LINE: usize = 18;
const LEFT: usize = 18;
const TOP: usize = 54;

#[test]
fn the_picture_is_a_run_of_today() {
    let binary = prepared().expect("the binary is built");
    let folder = super::folder();
    fs::write(folder.path().join("research.toml"), POLICY).expect("a file");
    let run: Vec<(&str, String)> = COMMANDS.iter().map(|command| (*command, printed(command, folder.path(), &binary))).collect();
    for (part, (command, text)) in ["pear", "docs.rs", "denied by wisp", "not granted"].iter().zip(&run) {
        assert!(text.contains(part), "`{command}` prints\n{text}");
    }
    let (path, now) = (root().join("docs/run.svg"), draw(&run));
    if std::env::var_os("WISP_BLESS").is_some() {
        fs::write(&path, &now).expect("the picture can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == now, "{} is not what the commands print today (WISP_BLESS=1 writes it):\n{now}", path.display());
}

/// A terminal with its own dark background, so that it is readable on light and dark pages.
fn draw(run: &[(&str, String)]) -> String {
    let mut lines = Vec::new();
    for (number, (command, text)) in run.iter().enumerate() {
        if number > 0 {
            lines.push((String::new(), "o"));
        }
        lines.extend(wrapped(&format!("$ {command}")).into_iter().map(|line| (line, "c")));
        for line in text.lines() {
            let class = if line.contains("denied") { "d" } else { "o" };
            lines.extend(wrapped(line.trim_end()).into_iter().map(|line| (line, class)));
        }
    }
    let (width, height) = (LEFT * 2 + (COLUMNS as f64 * LETTER) as usize, TOP + LINE * lines.len());
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>A run of wisp in a terminal</title>\n\
         <style>text {{ font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre }} \
         .c {{ fill: #f0f6fc; font-weight: 600 }} .o {{ fill: #b1bac4 }} .d {{ fill: #ffa657 }}</style>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"10\" fill=\"#0d1117\" stroke=\"#57606a\"/>\n\
         <circle cx=\"22\" cy=\"20\" r=\"6\" fill=\"#ff5f57\"/><circle cx=\"42\" cy=\"20\" r=\"6\" fill=\"#febc2e\"/>\
         <circle cx=\"62\" cy=\"20\" r=\"6\" fill=\"#28c840\"/>\n",
        width - 1,
        height - 1
    );
    for (number, (line, class)) in lines.iter().enumerate().filter(|(_, (line, _))| !line.is_empty()) {
        let (y, length) = (TOP + LINE * number, line.chars().count() as f64 * LETTER);
        // Each line is stretched to the width of its characters in this picture, whatever the font. Writing to a
        // `String` cannot fail.
        let _ = writeln!(
            svg,
            "<text class=\"{class}\" x=\"{LEFT}\" y=\"{y}\" textLength=\"{length:.1}\" xml:space=\"preserve\">{}</text>",
            line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// Breaks a line at spaces into pieces that fit. All pieces but the first are indented.
fn wrapped(line: &str) -> Vec<String> {
    let (mut pieces, mut rest) = (Vec::new(), line.to_owned());
    while let Some((end, _)) = rest.char_indices().nth(COLUMNS) {
        let end = rest[..end].rfind(' ').filter(|space| !rest[..*space].trim().is_empty()).unwrap_or(end);
        let after = format!("    {}", rest[end..].trim_start());
        rest.truncate(end);
        pieces.push(std::mem::replace(&mut rest, after));
    }
    pieces.push(rest);
    pieces
}
