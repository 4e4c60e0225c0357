//! The README's snippets are run, as written.

use std::fs;
use std::path::Path;
use std::process::Command;

use wisp_tests::wisp::{binary, root};

/// The code block behind `<!-- test: NAME -->`.
fn snippet(name: &str) -> String {
    let readme = fs::read_to_string(root().join("README.md")).expect("there is a README");
    let (_, after) = readme.split_once(&format!("<!-- test: {name} -->")).expect("the README has the snippet");
    let (_, block) = after.split_once("```").expect("a code block follows");
    let (block, _) = block.split_once("```").expect("the code block ends");
    block.split_once('\n').expect("the block has lines").1.to_owned()
}

/// Run shell lines with `wisp` on PATH; each must succeed.
fn run(lines: &str, folder: &Path) -> String {
    let binary = binary().expect("the binary is built");
    let path = format!("{}:{}", binary.parent().expect("a binary is in a folder").display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("bash").args(["-euc", lines]).current_dir(folder).env("PATH", path).output().expect("bash runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{lines}\n{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn at_a_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("data")).expect("a folder");
    fs::write(folder.path().join("data/a.txt"), "pear\napple\npear\n").expect("a file");
    let printed = run(&snippet("terminal"), folder.path());
    let words = fs::read_to_string(folder.path().join("out/words.txt")).expect("the output came out");
    assert_eq!(words, "      2 pear\n      1 apple\n");
    assert!(printed.starts_with(&words) && printed.contains("\"stdout\": \"4\\n\"") && printed.contains("denied"), "{printed}");
}

#[test]
fn a_tool() {
    let printed = run(&snippet("tool"), root());
    assert!(printed.contains("be"), "{printed}");
}

#[tokio::test]
async fn in_a_service() -> Result<(), Box<dyn std::error::Error>> {
    // The same lines as in the README; the comparison below sees to it.
    // README: begin
    use wisp::{Command, Engine, Policy};

    let engine = Engine::new()?;
    let policy = Policy::offline().with_value("limits.memory", "128MiB")?;
    let session = engine.session(&policy).build().await?;
    let outcome = session.run(Command::new("sh").args(["-c", "echo hi | wc -c"])).await?;
    assert_eq!(outcome.exit_code(), 0);
    assert_eq!(outcome.stdout_text(), "3\n");
    // README: end
    let here = fs::read_to_string(root().join("tests/readme.rs"))?;
    let (_, code) = here.split_once("// README: begin\n").expect("the mark is above");
    let (code, _) = code.split_once("    // README: end").expect("the mark is above");
    let plain = |text: &str| text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    assert_eq!(plain(&snippet("library")), plain(code));
    Ok(())
}

#[test]
fn the_example_of_embedding() {
    let binary = binary().expect("the binary is built");
    let example = binary.parent().expect("a binary is in a folder").join("examples/embed");
    let output = Command::new(&example).output().unwrap_or_else(|error| {
        panic!("{}: {error}; `cargo build --release -p wisp --examples` builds it", example.display());
    });
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let expected = "lines: 5\n/output/sum.txt (text/plain, 3 bytes): 15\nafter going back: 15\nexit code 124: limits.wall = 300ms\n";
    assert_eq!(text, expected);
}
