//! What a session changed: `wisp session diff`, and what `wisp session export` has of mounts.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use serde_json::{Value, json};
use wisp_tests::kept::State;

/// A session with a folder of the host as an overlay at /project, and one for reading at /mnt/input.
fn state() -> State {
    let state = State::new(&["--mount", "project:/project:overlay", "--mount", "input:/mnt/input"]);
    for folder in ["project/sub", "input"] {
        fs::create_dir_all(state.path().join(folder)).expect("a folder");
    }
    let files: [(&str, &[u8]); 6] = [
        ("project/gone.txt", b"gone\n"),
        ("project/logo.bin", b"\0\0\0"),
        ("project/run.sh", b"echo\n"),
        ("project/sub/inner.txt", b"inner\n"),
        ("project/text.txt", b"one\ntwo\n"),
        ("input/a.txt", b"a\n"),
    ];
    for (path, text) in files {
        fs::write(state.path().join(path), text).expect("a file");
        fs::set_permissions(state.path().join(path), fs::Permissions::from_mode(0o644)).expect("a mode");
    }
    symlink("text.txt", state.path().join("project/link")).expect("a link");
    state
}

const CHANGE: &str = "cd /project && sed -i s/two/zwei/ text.txt && rm gone.txt && chmod 755 run.sh && rm link && \
                      ln -s run.sh link && printf '\\0\\1' > logo.bin && rm -r sub && echo new > new.txt";

const DIFF: &str = "\
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/link b/link
deleted file mode 120000
--- a/link
+++ /dev/null
@@ -1 +0,0 @@
-text.txt
\\ No newline at end of file
diff --git a/link b/link
new file mode 120000
--- /dev/null
+++ b/link
@@ -0,0 +1 @@
+run.sh
\\ No newline at end of file
diff --git a/logo.bin b/logo.bin
index 0000000..0000000
Binary files a/logo.bin and b/logo.bin differ
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+new
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/sub/inner.txt b/sub/inner.txt
deleted file mode 100644
--- a/sub/inner.txt
+++ /dev/null
@@ -1 +0,0 @@
-inner
diff --git a/text.txt b/text.txt
--- a/text.txt
+++ b/text.txt
@@ -1,2 +1,2 @@
 one
-two
+zwei
";

const STAT: &str = "\
deleted   /project/gone.txt       -1
link      /project/link           -> text.txt => -> run.sh
modified  /project/logo.bin       binary, 3 -> 2 bytes
added     /project/new.txt        +1
mode      /project/run.sh         mode 644 -> 755
deleted   /project/sub            directory
deleted   /project/sub/inner.txt  -1
modified  /project/text.txt       +1 -1
8 files changed, 3 lines added, 4 removed
";

/// The output of `wisp session diff s` with these arguments, which must succeed.
fn diff(state: &State, args: &[&str]) -> String {
    let ran = state.wisp(&[&["session", "diff", "s"], args].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    ran.out
}

#[test]
fn an_overlay_is_compared_with_the_hosts_folder() {
    let state = state();
    // Files that were opened, copied up or touched, but are as before, are no changes.
    state.run(&[
        "sh",
        "-c",
        "cd /project && touch text.txt && : >> run.sh && chmod 600 gone.txt && chmod 644 gone.txt && cat sub/inner.txt",
    ]);
    for options in [&["/project"] as &[&str], &["/project", "--stat"]] {
        assert_eq!(diff(&state, options), "");
    }
    assert_eq!(diff(&state, &["/project", "--json"]), "[]\n");
    state.run(&["sh", "-c", CHANGE]);
    assert_eq!(diff(&state, &["/project"]), DIFF);
    assert_eq!(diff(&state, &["/project", "--stat"]), STAT);
    // The host's folder is as it was, and the same question has the same answer.
    assert_eq!(fs::read(state.path().join("project/text.txt")).expect("a file"), b"one\ntwo\n");
    assert_eq!(diff(&state, &["/project/"]), DIFF);
    // A part of it; names are relative to the directory, or to that of the file.
    assert_eq!(
        diff(&state, &["/project/sub"]),
        "diff --git a/inner.txt b/inner.txt\ndeleted file mode 100644\n--- a/inner.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-inner\n"
    );
    assert!(diff(&state, &["/project/text.txt"]).starts_with("diff --git a/text.txt b/text.txt\n"));
    // What the host has now is the beginning.
    fs::write(state.path().join("project/text.txt"), "one\nzwei\n").expect("a file");
    assert!(!diff(&state, &["/project", "--stat"]).contains("/project/text.txt"));
}

#[test]
fn the_sandboxs_own_files_are_compared_with_its_beginning() {
    let state = state();
    state.run(&["sh", "-c", "mkdir -p src/empty; echo 1 > src/a; echo 2 > '/tmp/two words'; mkfifo pipe; : > nothing"]);
    let text = diff(&state, &[]);
    assert!(text.contains("--- /dev/null\n+++ b/home/user/src/a\n@@ -0,0 +1 @@\n+1\n"), "{text}");
    assert!(text.contains("+++ b/tmp/two words\t\n"), "{text}");
    assert!(text.contains("diff --git a/home/user/nothing b/home/user/nothing\nnew file mode 100644\n"), "{text}");
    assert!(text.contains("New directory: home/user/src/empty\n") && text.contains("New named pipe: home/user/pipe\n"), "{text}");
    assert!(!text.contains("New directory: home/user/src\n"), "its files say so: {text}");
    // A relative path begins at the home directory.
    assert_eq!(diff(&state, &["src/a"]), "diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+1\n");
    let none = State::new(&[]);
    none.run(&["true"]);
    assert_eq!(diff(&none, &["/usr"]), "");
    assert_eq!(diff(&none, &["/home/user"]), "");
}

#[test]
fn what_a_guest_names_does_not_act_on_the_terminal() {
    let state = state();
    state.run(&["sh", "-c", "echo x > \"$(printf 'a\\033]0;t\\007\\nb')\"; echo y > plain"]);
    let (text, stat) = (diff(&state, &["/home/user"]), diff(&state, &["/home/user", "--stat"]));
    assert!(text.contains(r#"+++ "b/a\033]0;t\007\nb""#) && text.contains("+++ b/plain\n"), "{text}");
    assert!(stat.contains(r"a\u{1b}]0;t\u{7}\nb") && stat.contains("/home/user/plain"), "{stat}");
    assert!(![text, stat].iter().any(|shown| shown.contains(['\x1b', '\x07'])));
}

#[test]
fn the_document_names_files_of_the_sandbox_only() {
    let state = state();
    state.run(&["sh", "-c", CHANGE]);
    let text = diff(&state, &["--json"]);
    let host = state.path().to_string_lossy().into_owned();
    assert!(!text.contains(&host), "{text}");
    let all: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    // A client in Rust reads it with the library's own type.
    let read: Vec<wisp::fs::FileDifference> = serde_json::from_str(&text).expect("differences");
    assert_eq!(serde_json::to_value(read).expect("JSON"), json!(all));
    let of = |path: &str| all.iter().find(|entry| entry["path"] == path).unwrap_or_else(|| panic!("{path}: {text}"));
    let file = |mode: u32, size: u64| json!({"type": "file", "mode": mode, "size_bytes": size});
    let entry = |kind: &str, path: &str, before: Value, after: Value| {
        assert_eq!(*of(path), json!({"path": path, "kind": kind, "mount": "/project", "before": before, "after": after}));
    };
    entry("deleted", "/project/gone.txt", file(0o644, 5), Value::Null);
    entry("modified", "/project/logo.bin", file(0o644, 3), file(0o644, 2));
    entry("added", "/project/new.txt", Value::Null, file(0o644, 4));
    entry("mode", "/project/run.sh", file(0o644, 5), file(0o755, 5));
    let link = |target: &str, mode: &Value| json!({"type": "symlink", "mode": mode, "target": target});
    let modes = ["before", "after"].map(|side| of("/project/link")[side]["mode"].clone());
    entry("link", "/project/link", link("text.txt", &modes[0]), link("run.sh", &modes[1]));
    let paths: Vec<&str> = all.iter().filter_map(|entry| entry["path"].as_str()).collect();
    assert!(paths.is_sorted(), "{paths:?}");
}

#[test]
fn what_cannot_be_compared_is_refused_and_says_why() {
    let state = state();
    state.run(&["sh", "-c", "echo x > f; cat /mnt/input/a.txt"]);
    let refused = |args: &[&str]| {
        let ran = state.wisp(&[&["session", "diff"], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}: {}", ran.err);
        ran.err
    };
    let said = refused(&["s", "/mnt/input/a.txt"]);
    assert!(said.contains("the mount `/mnt/input` (") && said.contains("is not an overlay"), "{said}");
    let said = refused(&["s", "/project/nowhere"]);
    assert!(said.contains("cannot compare `/project/nowhere`: no such file or directory"), "{said}");
    assert!(refused(&["t"]).contains("there is no session `t`"));
    assert!(refused(&["s", "--stat", "--json"]).contains("cannot be used with"));
    // The twins.
    assert!(diff(&state, &["f"]).contains("+x\n"));
    assert_eq!(diff(&state, &["/project/text.txt"]), "");
}

#[test]
fn large_files_are_named_without_their_contents() {
    let state = state();
    state.run(&["sh", "-c", "yes | head -c 4194305 > large; yes | head -c 4194304 > fits"]);
    let text = diff(&state, &["large"]);
    assert!(text.ends_with("Files /dev/null and b/large (0 and 4194305 bytes, too large to show) differ\n"), "{text}");
    assert!(diff(&state, &["large", "--stat"]).contains("large, 4194305 bytes\n"));
    let stat = diff(&state, &["fits", "--stat"]);
    assert!(stat.contains(" +2097152\n"), "{stat}");
}

/// The names in an archive that `wisp session export` wrote, and what it said.
fn exported(state: &State, file: &str) -> (Vec<String>, String) {
    let ran = state.wisp(&["session", "export", "s", file]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let listed = Command::new("tar").args(["-tf", file]).current_dir(state.path()).output().expect("tar runs").stdout;
    (String::from_utf8_lossy(&listed).lines().map(str::to_owned).collect(), ran.err)
}

#[test]
fn an_export_has_what_overlays_changed_and_says_what_it_cannot_hold() {
    let state = state();
    state.run(&["sh", "-c", "echo mine > own; mkdir -p /project/made/deep; echo in > /project/made/deep/file; chmod 755 /project/run.sh"]);
    let (names, said) = exported(&state, "one.tar");
    assert_eq!(said, "");
    let of_project: Vec<&str> = names.iter().map(String::as_str).filter(|name| name.starts_with("project")).collect();
    assert_eq!(of_project, ["project/made/", "project/made/deep/", "project/made/deep/file", "project/run.sh"]);
    assert!(names.iter().any(|name| name == "home/user/own") && !names.iter().any(|name| name.starts_with("mnt")), "{names:?}");
    let unpack = Command::new("tar").args(["-xf", "one.tar"]).current_dir(state.path()).status().expect("tar runs");
    assert!(unpack.success());
    assert_eq!(fs::read(state.path().join("project/made/deep/file")).expect("it was unpacked"), b"in\n");
    let mode = fs::metadata(state.path().join("project/run.sh")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    // The host has them now, so they are no changes any more.
    assert_eq!(diff(&state, &["/project"]), "");
    state.run(&["sh", "-c", "rm -r /project/sub /project/gone.txt"]);
    let (names, said) = exported(&state, "two.tar");
    assert!(!names.iter().any(|name| name.contains("gone") || name.contains("sub")), "{names:?}");
    assert!(said.contains("removed `/project/gone.txt` and 1 more from mounts; `wisp session diff s` shows it"), "{said}");
}

#[test]
fn an_overlay_in_the_sandboxs_own_directories_is_exported_too() {
    let state =
        State::new(&["--mount", "data:/workspace:overlay", "--mount", "data:/home/user/data:overlay", "--mount", "f:/tmp/f:overlay"]);
    fs::create_dir(state.path().join("data")).expect("a folder");
    fs::write(state.path().join("data/kept"), "kept\n").expect("a file");
    fs::write(state.path().join("f"), "single\n").expect("a file");
    state.run(&["sh", "-c", "echo 1 > /workspace/one; echo 2 > data/two; echo more >> /tmp/f"]);
    let (names, said) = exported(&state, "s.tar");
    assert_eq!(said, "");
    for name in ["workspace/one", "home/user/data/", "home/user/data/two", "tmp/f"] {
        assert_eq!(names.iter().filter(|found| *found == name).count(), 1, "{name}: {names:?}");
    }
    assert!(!names.iter().any(|name| name.ends_with("kept")), "{names:?}");
    assert!(diff(&state, &["/tmp/f"]).ends_with("@@ -1 +1,2 @@\n single\n+more\n"));
}
