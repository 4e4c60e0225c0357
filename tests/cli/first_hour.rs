//! What a newcomer types first: lines that another program would take, files that the sandbox does not have, the examples of `--help`.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use wisp_tests::wisp::{Ran, prepared, root, run};

fn wisp(folder: &Path, args: &[&str]) -> Ran {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    run(&args, b"", folder).expect("wisp runs")
}

/// What is typed out of habit from `docker run` is answered with the option of wisp, and the line to type.
#[test]
fn options_of_docker_are_answered_with_those_of_wisp() {
    for (args, option, typed) in [
        (&["-v", ".:/w", "--", "ls"] as &[&str], "`--mount HOST:GUEST`", "`wisp run --mount .:/w -- ls`"),
        (&["--volume=.:/w:rw", "ls"], "`--mount HOST:GUEST`", "`wisp run --mount .:/w:write -- ls`"),
        (&["-e", "A=1", "--", "env"], "`--env NAME=VALUE`", "`wisp run --env A=1 -- env`"),
        (&["-w", "/tmp", "--", "pwd"], "`--workdir DIR`", "`wisp run --workdir /tmp -- pwd`"),
        (&["--rm", "-it", "python:3", "python3"], "nothing is kept", "`wisp run -- python3`"),
        (&["--memory", "1g", "--", "ls"], "`--set limits.memory=SIZE`", "`wisp run --set limits.memory=1GiB -- ls`"),
        (&["--network", "host", "--", "ls"], "`--allow URL`", "`wisp run --allow https://example.com/ -- ls`"),
        (&["--cpus", "2", "--", "ls"], "`--set limits.cpu=30s`", "`wisp run -- ls`"),
        (&["-p", "8080:80", "--policy", "fetch", "--", "ls"], "at `localhost`", "`wisp run --policy fetch -- ls`"),
        (&["-itd", "sh"], "`--resident --session NAME`", "`wisp run -- sh`"),
    ] {
        let ran = wisp(root(), &[&["run"], args].concat());
        assert_eq!((ran.code, ran.out().as_str()), (Some(2), ""), "{args:?}");
        let advice = ran.err().split_once("  try: ").map(|(_, advice)| advice.to_owned()).unwrap_or_default();
        assert!(advice.contains(option) && advice.contains(typed) && !ran.err().contains("tip:"), "{args:?}: {}", ran.err());
    }
    let ran = wisp(root(), &["run", "--mount", "type=bind,source=.,target=/w", "--", "ls"]);
    assert!(ran.code == Some(2) && ran.err().contains("= help: write `--mount .:/w`; `:write` after it"), "{}", ran.err());
    // What is nobody's habit keeps the parser's own advice.
    let ran = wisp(root(), &["run", "--polcy", "fetch", "--", "ls"]);
    assert!(ran.err().contains("tip: a similar argument exists: '--policy'"), "{}", ran.err());
}

/// A file of the host as an argument: the hint is what to type, and what it says to type works.
#[test]
fn a_command_that_does_not_find_a_file_of_the_host_says_how_to_mount_it() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    fs::create_dir(folder.path().join("sub")).expect("a folder is made");
    for (name, text) in [("report.py", "import sys\nprint('hi', *sys.argv[1:])"), ("post.sh", "echo posted"), ("sub/a b.csv", "1\n2\n")] {
        fs::write(folder.path().join(name), text).expect("a file is written");
    }
    for (args, code, typed, out) in [
        (&["python3", "report.py", "x"] as &[&str], 2, "--mount .:/mnt/input -- python3 /mnt/input/report.py x", "hi x\n"),
        (&["sh", "post.sh"], 127, "--mount .:/mnt/input -- sh /mnt/input/post.sh", "posted\n"),
        (&["bash", "-x", "./post.sh"], 127, "--mount .:/mnt/input -- bash -x /mnt/input/post.sh", "posted\n"),
        (&["wc", "-l", "sub/a b.csv"], 1, "--mount sub:/mnt/input -- wc -l '/mnt/input/a b.csv'", "2 /mnt/input/a b.csv\n"),
        (&["ls", "sub"], 2, "--mount sub:/mnt/input -- ls /mnt/input", "a b.csv\n"),
    ] {
        let ran = wisp(folder.path(), &[&["run", "--timeout", "20s", "--"], args].concat());
        assert_eq!((ran.code, ran.out().as_str()), (Some(code), ""), "{args:?}: {}", ran.err());
        let typed = format!("wisp run --timeout 20s {typed}");
        assert!(ran.err().contains(&format!("mount a file of the host to use it in the sandbox: `{typed}`")), "{args:?}: {}", ran.err());
        let binary = prepared().expect("the binary is built");
        let line = typed.replacen("wisp", &binary.to_string_lossy(), 1);
        let again = Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().expect("sh starts");
        assert_eq!((again.status.code(), String::from_utf8_lossy(&again.stdout)), (Some(0), out.into()), "{line}");
    }
    // What a mount has is named there.
    let ran = wisp(folder.path(), &["run", "--mount", ".:/mnt/input", "--", "python3", "report.py"]);
    let known = "`report.py` is `/mnt/input/report.py` in the sandbox: `wisp run --mount .:/mnt/input -- python3 /mnt/input/report.py`";
    assert!(ran.code == Some(2) && ran.err().contains(known), "{}", ran.err());
    // Neither an answer nor a failure of another kind is about the file.
    for args in [
        &["grep", "-q", "report.py", "/etc/passwd"] as &[&str],
        &["sh", "-c", "exit 3"],
        &["test", "-f", "report.py"],
        &["echo", "report.py"],
    ] {
        let ran = wisp(folder.path(), &[&["run", "--"], args].concat());
        assert!(!ran.err().contains("in the sandbox"), "{args:?}: {}", ran.err());
    }
}

/// Who has no policy of their own reads the option that allows the request: with the method, where it is not GET.
#[test]
fn a_request_that_is_denied_names_the_option_that_allows_it() {
    let python = "import urllib.request as u; u.urlopen('https://docs.example/x', data=b'')";
    for (args, option) in [
        (&["run", "--", "curl", "-sS", "https://docs.example/x"] as &[&str], "`--allow https://docs.example/` allows it, or `[network]`"),
        (&["run", "--", "curl", "-sS", "-d", "x", "http://docs.example:81/"], "`--allow 'POST http://docs.example:81/'` allows it"),
        (&["run", "--", "wget", "-nv", "https://docs.example/x"], "`--allow https://docs.example/` allows it"),
        (&["run", "--", "python3", "-c", python], "`--allow 'POST https://docs.example/'` allows it, or `[network]`"),
        (
            &["run", "--allow", "https://a.example/", "--", "curl", "-sS", "https://docs.example/x"],
            "`--allow https://docs.example/x` allows it",
        ),
        (&["run", "--policy", "fetch", "--", "curl", "-sS", "https://docs.example/x"], "`--allow https://docs.example/x` allows it"),
        (
            &["run", "--allow", "https://a.example/", "--", "curl", "-sS", "-X", "PUT", "https://a.example/x"],
            "`--allow 'PUT https://a.example/'` allows it",
        ),
    ] {
        let ran = wisp(root(), args);
        assert!(ran.code != Some(0) && ran.err().contains(option), "{args:?}: {}", ran.err());
    }
    // Nothing listens at this address of the session, and what the machine serves there needs a rule that says so.
    let ran = wisp(root(), &["run", "--", "curl", "-sS", "http://localhost:8000/"]);
    assert!(ran.err().contains("allow_private = true") && !ran.err().contains("--allow"), "{}", ran.err());
}
