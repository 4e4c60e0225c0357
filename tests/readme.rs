//! Runs the README's snippets as written.

use std::fs;
use std::path::Path;
use std::process::Command;

use wisp_tests::wisp::{binary, root};

/// The code block after `<!-- test: NAME -->`.
fn snippet(name: &str) -> String {
    let readme = fs::read_to_string(root().join("README.md")).expect("there is a README");
    let (_, after) = readme.split_once(&format!("<!-- test: {name} -->")).expect("the README has the snippet");
    let (_, block) = after.split_once("```").expect("a code block follows");
    let (block, _) = block.split_once("```").expect("the code block ends");
    block.split_once('\n').expect("the block has lines").1.to_owned()
}

/// Runs shell lines with `wisp` on PATH; each must succeed.
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

#[tokio::test(flavor = "multi_thread")]
async fn in_a_service() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // Like the handlers of axum or tonic: each in its own task.
    tokio::spawn(service()).await?
}

async fn service() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // The same lines as in the README; the comparison below checks that.
    // README: begin
    use wisp::{Command, Engine, Policy};

    let engine = Engine::new()?;
    let policy = Policy::offline().with_value("limits.memory", "128MiB")?;
    let session = engine.session(&policy).build().await?;
    let outcome = session.run(Command::new("sh").args(["-c", "echo hi | wc -c"])).await?;
    assert_eq!(outcome.exit_code(), 0);
    assert_eq!(outcome.stdout_text(), "3\n");
    // README: end
    assert_eq!(plain(&snippet("library")), plain(&code_between("begin", "end")));
    // README: kernel
    let mut python = session.python().await?;
    python.eval("squares = (n * n for n in range(10)); next(squares)").await?;
    let checkpoint = python.snapshot().await?;
    for mut sibling in [checkpoint.fork().await?, checkpoint.fork().await?] {
        assert_eq!(sibling.eval("next(squares) + 41").await?.value.as_deref(), Some("42"));
    }
    // README: done
    assert_eq!(plain(&snippet("kernel")), plain(&code_between("kernel", "done")));
    Ok(())
}

/// Lines without their indentation.
fn plain(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The lines of this file between two marks.
fn code_between(from: &str, to: &str) -> String {
    let here = fs::read_to_string(root().join("tests/readme.rs")).expect("this file");
    let (_, code) = here.split_once(&format!("// README: {from}\n")).expect("the mark is above");
    let (code, _) = code.split_once(&format!("    // README: {to}")).expect("the mark is above");
    code.to_owned()
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
