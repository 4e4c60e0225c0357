//! Runs the README's snippets as written, the commands and policies of the guide, and the library's examples.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use wisp_tests::guide::{Block, blocks, replay};
use wisp_tests::server::Server;
use wisp_tests::wisp::{prepared, root};

mod demo;
mod picture;

/// The code block after `<!-- test: NAME -->`.
fn snippet(name: &str) -> String {
    let readme = fs::read_to_string(root().join("README.md")).expect("there is a README");
    let found = blocks(&readme).into_iter().find(|block| block.mark == format!("test: {name}"));
    found.unwrap_or_else(|| panic!("the README has no snippet `{name}`")).text
}

/// Runs shell lines with `wisp` on PATH; each must succeed.
fn run(lines: &str, folder: &Path) -> String {
    let binary = prepared().expect("the binary is built");
    let path = format!("{}:{}", binary.parent().expect("a binary is in a folder").display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("bash").args(["-euc", lines]).current_dir(folder).env("PATH", path).output().expect("bash runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{lines}\n{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// A folder as the picture and the reference of policies assume it: `data/fruit.txt`, and a file for certificates.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("data")).expect("a folder");
    fs::write(at("data/fruit.txt"), "pear\napple\npear\nfig\n").expect("a file");
    fs::write(at("corp-ca.pem"), "").expect("a file");
    folder
}

/// A folder as a reader of a chapter has it: empty, beside a clone of wisp. Whatever a command needs, the chapter makes.
fn reader() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join(".wisp/target");
    fs::create_dir_all(&target).expect("a folder");
    std::os::unix::fs::symlink(wisp_built::folder(), target.join("components")).expect("a link");
    folder
}

/// Every document whose blocks are run from top to bottom: the chapters of the guide, and the reference of policies.
fn documents() -> Vec<PathBuf> {
    let chapters = fs::read_dir(root().join("docs/src")).expect("the guide");
    let mut found: Vec<PathBuf> = chapters.map(|entry| entry.expect("a chapter").path()).collect();
    found.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    found.push(root().join("policies/README.md"));
    found.sort();
    found
}

#[test]
fn the_guide() {
    let binary = prepared().expect("the binary is built");
    let mut wrong = Vec::new();
    for path in documents() {
        let text = fs::read_to_string(&path).expect("a document");
        let reference = path.ends_with("policies/README.md");
        let (folder, mut now) = (if reference { folder() } else { reader() }, text.clone());
        for block in blocks(&text) {
            if let Some(name) = block.mark.strip_prefix("file: ").filter(|name| !is_introduced(&text, &block, name)) {
                wrong.push(format!("{}:{}: nothing above the block says that it is `{name}`", path.display(), block.line));
            }
            match checked(&block, folder.path(), &binary) {
                Ok(again) => now = now.replacen(&block.text, &again, 1),
                Err(problem) => wrong.push(format!("{}:{}: {problem}", path.display(), block.line)),
            }
        }
        if now != text && std::env::var_os("WISP_BLESS").is_some() {
            fs::write(&path, &now).expect("a document can be written");
        } else if now != text {
            wrong.push(format!("{} prints something else today (WISP_BLESS=1 writes it):\n{now}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether the text above a block, after the block before it, has the name of its file: the mark is a comment, which no reader sees.
fn is_introduced(text: &str, block: &Block, name: &str) -> bool {
    let before: Vec<&str> = text.lines().take(block.line.saturating_sub(1)).collect();
    let name = format!("`{name}`");
    before.iter().rev().take_while(|line| !line.starts_with("```")).any(|line| line.contains(&name))
}

/// The introduction lists every chapter of the guide.
#[test]
fn the_introduction_lists_the_chapters() {
    let read = |name: &str| fs::read_to_string(root().join("docs/src").join(name)).expect("a page");
    let (summary, introduction) = (read("SUMMARY.md"), read("introduction.md"));
    let (_, guide) = summary.split_once("# Guide\n").expect("the guide");
    let (guide, frameworks) = guide.split_once("# Frameworks\n").expect("the frameworks");
    let (frameworks, _) = frameworks.split_once("# Reference\n").expect("the reference");
    let chapters: Vec<&str> = guide.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    let listed: Vec<&str> =
        introduction.lines().filter_map(|line| line.strip_prefix("- [").and_then(|_| Some(line[2..].split_once("): ")?.0))).collect();
    assert_eq!(listed, chapters.iter().map(|chapter| chapter.trim_end_matches(')')).collect::<Vec<_>>());
    let frameworks: Vec<&str> = frameworks.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    let introduction = introduction.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(frameworks.len() > 10 && frameworks.iter().all(|page| introduction.contains(page)), "{frameworks:?}");
}

/// The text that a block should have, after running or checking what it has.
fn checked(block: &Block, folder: &Path, binary: &Path) -> Result<String, String> {
    let named = block.mark.strip_prefix("file: ");
    if let Some(name) = named {
        fs::write(folder.join(name), &block.text).map_err(|error| format!("{name}: {error}"))?;
    }
    match block.language.as_str() {
        // `tests/data/guide.rs` runs these, where the image is.
        "console" if block.mark.starts_with("image: ") => {}
        "console" => return replay(&block.text, folder, binary),
        "toml" if named == Some("Cargo.toml") => {
            toml::from_str::<toml::Table>(&block.text).map_err(|error| error.to_string())?;
        }
        "toml" => {
            let name = named.unwrap_or("policy.toml");
            fs::write(folder.join(name), &block.text).map_err(|error| format!("{name}: {error}"))?;
            let check = Command::new(binary).args(["check", name]).current_dir(folder).output().map_err(|error| error.to_string())?;
            if !check.status.success() {
                return Err(String::from_utf8_lossy(&check.stderr).into_owned());
            }
        }
        "text" | "" => {}
        // `tests/python/test_guide.py` runs these.
        "python" => {}
        // Programs are included from files; the tests below run them.
        "rust,ignore"
            if ["wisp", "service"].iter().any(|of| block.text.starts_with(&format!("{{{{#include ../../host/{of}/examples/"))) => {}
        other => return Err(format!("a block of `{other}` is not run by this test")),
    }
    Ok(block.text.clone())
}

#[test]
fn at_a_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let printed = run(&snippet("terminal"), folder.path());
    let words = fs::read_to_string(folder.path().join("out/words.txt")).expect("the output came out");
    assert_eq!(words, "      2 pear\n      1 apple\n");
    assert!(printed.starts_with(&words) && printed.contains("\"stdout\": \"4\\n\"") && printed.contains("denied"), "{printed}");
}

#[test]
fn an_agent_gets_a_sandbox() {
    let folder = tempfile::tempdir().expect("a folder");
    let snippet = format!("export HOME={}; {}", folder.path().display(), snippet("agent"));
    let printed = run(&snippet, folder.path());
    assert!(printed.contains("+    \"wisp\": {") && printed.contains("/mnt/project:overlay"), "{printed}");
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0, "nothing was written");
}

#[test]
fn a_coding_agent_works_in_a_sandbox() {
    let folder = tempfile::tempdir().expect("a folder");
    let clear = "unset CLAUDE_CONFIG_DIR XDG_CONFIG_HOME CODEX_HOME";
    let printed = run(&format!("export HOME={}; {clear}; {}", folder.path().display(), snippet("coding")), folder.path());
    for change in ["\"PreToolUse\"", "hooks run claude", "tool.execute.before", "[[environments]]", "include_local = false"] {
        assert!(printed.contains(change), "{change}: {printed}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0, "nothing was written");
}

#[test]
fn a_tool() {
    let printed = run(&snippet("tool"), tree().path());
    assert!(printed.contains("be"), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_service() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // Like the handlers of axum or tonic: each in its own task.
    tokio::spawn(service()).await?
}

async fn service() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let folder = wisp_built::folder();
    // The same lines as in the README; the comparison below checks that.
    // README: begin
    use wisp::{Command, Components, Engine, Policy};

    let engine = Engine::new(Components::from_folder(folder)?)?;
    let policy = Policy::offline().with_value("limits.memory", "128MiB")?;
    let session = engine.session(&policy).build().await?;
    let outcome = session.run(Command::new("sh").args(["-c", "echo hi | wc -c"])).await?;
    assert_eq!(outcome.exit_code(), 0);
    assert_eq!(outcome.stdout_text(), "3\n");
    // README: end
    assert_eq!(plain(&snippet("library")), plain(&code_between("begin", "end")));
    // README: interpreter
    let mut python = session.python().await?;
    python.eval("squares = (n * n for n in range(10)); next(squares)").await?;
    let checkpoint = python.snapshot().await?;
    for mut sibling in [checkpoint.fork().await?, checkpoint.fork().await?] {
        assert_eq!(sibling.eval("next(squares) + 41").await?.value.as_deref(), Some("42"));
    }
    // README: done
    assert_eq!(plain(&snippet("interpreter")), plain(&code_between("interpreter", "done")));
    Ok(())
}

/// Lines without their indentation.
fn plain(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The lines of this file between two marks.
fn code_between(from: &str, to: &str) -> String {
    let here = fs::read_to_string(root().join("tests/tree/readme.rs")).expect("this file");
    let (_, code) = here.split_once(&format!("// README: {from}\n")).expect("the mark is above");
    let (code, _) = code.split_once(&format!("    // README: {to}")).expect("the mark is above");
    code.to_owned()
}

/// A folder in which the components are where a clone has them.
fn tree() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join(wisp_built::PLACE);
    fs::create_dir_all(place.parent().expect("it is in a folder")).expect("a folder");
    std::os::unix::fs::symlink(wisp_built::folder(), place).expect("a link");
    folder
}

/// What an example prints.
fn example(name: &str, arguments: &[&str]) -> String {
    let binary = prepared().expect("the binary is built");
    let example = binary.parent().expect("a binary is in a folder").join("examples").join(name);
    let folder = tree();
    let output = Command::new(&example).args(arguments).current_dir(folder.path()).output().unwrap_or_else(|error| {
        panic!("{}: {error}; `cargo build --release -p wisp -p wisp-service --examples` builds it", example.display());
    });
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn the_example_of_live_sessions() {
    assert_eq!(example("live", &[]), "not_found\na line\n1\n42\ntides in /tmp\n");
}

#[test]
fn the_example_of_embedding() {
    let expected = "lines: 5\n/output/sum.txt (text/plain, 3 bytes): 15\nafter going back: 15\nexit code 124: limits.wall = 300ms\n";
    assert_eq!(example("embed", &[]), expected);
}

#[test]
fn the_example_of_interpreters() {
    let expected = "value: 'ada=3'\nerror: IndexError: list index out of range\nfork: next(lines) -> 'grace=5'\n\
        fork: sum(size for _, size in rows) -> 15\nfork: rows.clear() or len(rows) -> 0\nrows: 3\nafter going back: 'grace=5'\n\
        from a file: 'ada=3'\n";
    assert_eq!(example("interpreter", &[]), expected);
}

#[test]
fn the_example_of_notebooks() {
    let expected = "asked: Name? \nStdout: hello ada\nshown: <b>1</b>\nshown: <b>2</b>\n\
        after 100 ms: KeyboardInterrupt, and 'ada' is still known\nso far: a thousand\nand then: KeyboardInterrupt\n\
        TypeError: unsupported operand type(s) for /: 'str' and 'int' (<module> line 3, half line 2)\n";
    assert_eq!(example("notebook", &[]), expected);
}

#[test]
fn the_example_of_commands() {
    let expected = "bc: 42\nbc ended with 0\ntask 1: sweep\ntask 2: wash\nrunning: 2 (worker)\nthe worker ended with 137\nstarted\n";
    assert_eq!(example("commands", &[]), expected);
}

#[test]
fn the_example_of_functions() {
    let expected = "found: Sandboxes for agents\nfound: WebAssembly components\nfound: Agents and tools\ntitles: 3\n\
        EmptyQuery: there is nothing to search for\nWebAssembly components\n\
        host: delete_all: denied by wisp: `host.allow` does not list it (research.toml:3); add `delete_all` to `allow` in `[host]`\n\
        receipt: search Allowed by research.toml:3\nreceipt: delete_all Denied by research.toml:3\n";
    assert_eq!(example("host_functions", &[]), expected);
}

#[test]
fn the_example_of_files() {
    let expected = "tests/one.txt\nsrc/app.py:2: # TODO: greet\nhunks: 1\nhello\nrejected: line 4 of the diff (hunk 1 of `src/app.py`): \
        line 1 of the file is `def main():`, and the hunk expects `def nothing():`; no other place fits\n\
        changed: src/app.py\nin the copy: hello\nunchanged: true\n";
    assert_eq!(example("files", &[]), expected);
}

#[test]
fn the_example_of_kept_sessions() {
    let expected = "ada is in use\nlines: 1\ncount: 1\nada is in use\nlines: 2\ncount: 2\nada: policy offline, python true\n";
    assert_eq!(example("kept", &[]), expected);
}

#[test]
fn the_example_of_tools() {
    let expected = "      2 be\n      2 to\n6 words, 4 different, table in /output/words.csv (policy `offline`)\n      2 tick\n\
        3 words, 2 different, table in /output/words.csv (policy `offline`)\nstatus: 0\n\
        /output/words.csv: Word frequencies (3 words) (25 bytes)\n0 of its imports reach the network\n";
    assert_eq!(example("custom_tool", &[]), expected);
}

#[test]
fn the_example_of_events() {
    let text = example("events", &[]);
    let mut expected = [
        "start: sh -c echo one; sleep 0; echo two >&2",
        "process 1 of 0: /usr/bin/sh",
        "Stdout: one",
        "process 2 of 1: /usr/bin/sleep",
        "Stderr: two",
        "end: 0",
        "start: curl -s https://docs.example/",
        "process 3 of 0: /usr/bin/curl",
        "import wasi:http/outgoing-handler handle: Denied",
        "end: 7",
        "start: sh -c while :; do :; done",
        "process 4 of 0: /usr/bin/sh",
        "limit: limits.wall = 200ms",
        "end: 124",
    ];
    let mut lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.first(), lines.last()), (expected.first(), expected.last()), "{text}");
    // Output may be taken a moment before or after the next process starts.
    lines.sort_unstable();
    expected.sort_unstable();
    assert_eq!(lines, expected, "{text}");
}

#[test]
fn the_example_of_a_service() {
    let expected = "ada: 0: ada wrote\nada: 0: draft\nbob: 0: bob sees no note\neve: ended by limits.wall = 2s\nbob: 3: \n";
    assert_eq!(example("service", &[]), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_of_the_network() {
    let server = Server::start(&["127.0.0.1"]).await;
    let folder = tempfile::tempdir().expect("a folder");
    let ca = folder.path().join("ca.pem");
    fs::write(&ca, &server.ca).expect("a file");
    let (host, ca) = (format!("127.0.0.1:{}", server.https), ca.to_string_lossy().into_owned());
    let text = tokio::task::spawn_blocking(move || example("network", &[&host, &ca])).await.expect("it ran");
    let seen = server.seen();
    assert_eq!((seen.len(), seen[0].header("authorization")), (1, Some("Bearer correct-horse")), "{text}");
    let expected = "sent: authorization: Bearer *************\nin the sandbox: a placeholder\n\
        curl: (7) Failed to connect to 127.0.0.1 port PORT: denied by wisp: the rules for `HOST` do not allow the path `/admin` (network-example.toml:5)\n\
        curl: (7) Failed to connect to 127.0.0.1 port PORT: denied by wisp: the rule for `https://HOST/echo` allows GET, HEAD, not POST (network-example.toml:5)\n\
        receipt: GET https://HOST/admin denied by network-example.toml:5\n\
        receipt: POST https://HOST/echo denied by network-example.toml:5\n";
    assert_eq!(text.replace(&server.https.to_string(), "PORT"), expected);
}
