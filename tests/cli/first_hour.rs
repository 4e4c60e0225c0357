//! What a newcomer types first: lines that another program would take, files that the sandbox does not have, the examples of `--help`.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use wisp_tests::kept::State;
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
        // A script that a model wrote does not ask what the host has.
        &["sh", "-c", "./post.sh"],
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

/// Every page of `--help` with examples, by the words before the option.
const PAGES: &[&[&str]] = &[
    &[],
    &["run"],
    &["explain"],
    &["check"],
    &["policies"],
    &["session"],
    &["session", "diff"],
    &["session", "apply"],
    &["prepare"],
    &["doctor"],
    &["mcp"],
    &["mcp", "install"],
    &["hooks"],
    &["hooks", "install"],
    &["codex"],
    &["codex", "install"],
];

/// The commands among the examples of a page: each begins two columns in, and goes on in the next line after a backslash.
fn examples(page: &str) -> Vec<String> {
    let (_, examples) = page.split_once("Examples:\n").expect("the page has examples");
    let (mut found, mut lines) = (Vec::new(), examples.lines().take_while(|line| !line.is_empty()));
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("  ").filter(|command| !command.starts_with(' ')) else { continue };
        let mut command = command.to_owned();
        while command.ends_with('\\') {
            command.extend(["\n", lines.next().expect("another line follows")]);
        }
        found.push(command);
    }
    found
}

/// The files that the examples name, in a folder of its own, which is the home of the user too.
fn folder_of_examples() -> State {
    let state = State::new(&[]);
    let at = |name: &str| state.path().join(name);
    for folder in ["data", "policies", "project", "shop", "target"] {
        fs::create_dir_all(at(folder)).expect("a folder is made");
    }
    for (name, text) in [
        ("data/names.txt", "b\na\nb\n"),
        ("data/report.py", "open('/output/report.txt', 'w').write('done')"),
        ("data.csv", "a,b\n"),
        ("colours.txt", "red\n"),
        ("fetch.py", "print('fetched')"),
        ("post.sh", "echo posted"),
        ("research.toml", "extends = \"offline\"\n"),
        ("agent.toml", "extends = \"offline\"\n"),
        ("policies/minimal.toml", "extends = \"minimal\"\n"),
    ] {
        fs::write(at(name), text).expect("a file is written");
    }
    fs::copy(wisp_built::folder().join("example-tool.wasm"), at("wordfreq.wasm")).expect("the components are built");
    std::os::unix::fs::symlink(wisp_built::folder(), at("target/components")).expect("a link is made");
    state
}

/// What `--help` shows works as it is typed, where the files that it names are.
#[test]
fn the_examples_of_help_work_as_typed() {
    let binary = prepared().expect("the binary is built");
    let path = format!("{}:{}", binary.parent().expect("it is in a folder").display(), std::env::var("PATH").unwrap_or_default());
    let cache = std::env::var("XDG_CACHE_HOME").unwrap_or_else(|_| format!("{}/.cache", std::env::var("HOME").expect("a home")));
    let mut count = 0;
    for &page in PAGES {
        let help = wisp(root(), &[page, &["--help"] as &[&str]].concat()).out();
        let state = folder_of_examples();
        for example in examples(&help) {
            // The servers run until they are ended; one is a line of a recipe, and one is about what a client left.
            if ["--http", "--listen", "RUN ", "diff shop"].iter().any(|part| example.contains(part)) {
                continue;
            }
            let shell = Command::new("bash")
                .args(["-c", &example])
                .current_dir(state.path())
                .envs([("PATH", &path), ("XDG_CACHE_HOME", &cache)])
                .env("HOME", state.path())
                .env("XDG_STATE_HOME", state.path().join("state"))
                .env_remove("XDG_CONFIG_HOME")
                .env_remove("CLAUDE_CONFIG_DIR")
                .env_remove("CODEX_HOME")
                .stdin(std::process::Stdio::null())
                .output()
                .expect("bash starts");
            let expected = if example.contains("while :; do :; done") { 124 } else { 0 };
            let said = String::from_utf8_lossy(&shell.stderr);
            // The status of `doctor` is about the machine.
            let right = shell.status.code() == Some(expected) || page.contains(&"doctor");
            assert!(right, "wisp {page:?} --help: {example}\n{:?} {said}", shell.status);
            count += 1;
        }
        // Some of them keep a session open.
        let _ = state.command(&["session", "rm", "work", "shop"]).output();
    }
    assert!(count > 50, "{count} examples");
}

/// A person reads first what a session may do; the limits are there with their rules, for programs too.
#[test]
fn explain_begins_with_what_a_person_asks() {
    let ran = wisp(root(), &["explain", "--mount", "tests:/mnt/input:overlay", "--allow", "https://docs.example/", "--timeout", "5s"]);
    assert_eq!(ran.code, Some(2), "a run has --timeout: {}", ran.err());
    let options = ["--mount", "tests:/mnt/input:overlay", "--allow", "https://docs.example/", "--set", "limits.wall=5s"];
    let ran = wisp(root(), &[&["explain"], &options as &[&str]].concat());
    let page = ran.out();
    let (summary, _) = page.split_once("\n  limit ").expect("the limits follow");
    for line in [
        "  time       5s for a command, with 30s of processor time",
        "  memory     512MiB for all processes together",
        "             /mnt/input is ",
        "  network    GET, HEAD https://docs.example/",
        "  functions  none of the host",
    ] {
        assert!(summary.contains(&format!("\n{line}")), "{line:?} is not in\n{summary}");
    }
    assert!(summary.lines().count() < 20, "{summary}");
    let ran = wisp(root(), &[&["explain", "--json"], &options as &[&str]].concat());
    let document: serde_json::Value = serde_json::from_str(&ran.out()).expect("a document");
    let wall = document["limits"].as_array().expect("a list").iter().find(|row| row["key"] == "limits.wall");
    assert_eq!(wall, Some(&serde_json::json!({ "key": "limits.wall", "value": "5s", "rule": "command line" })));
    assert_eq!(document["summary"][0]["about"], "time");
}

/// What the page for a model says of sockets and ctypes, tried.
#[test]
fn the_page_for_a_model_is_true_of_sockets_and_ctypes() {
    let page = wisp(root(), &["explain", "--for-model"]).out();
    for part in ["sockets reach processes of this session only", "no datagrams", "ctypes has data (structures", "and no libraries"] {
        assert!(page.contains(part), "{part:?} is not in\n{page}");
    }
    let networked = wisp(root(), &["explain", "--for-model", "--allow", "https://docs.example/"]).out();
    assert!(networked.contains("nothing outside can connect") && !networked.contains("can listen"), "{networked}");
    let script = "
import ctypes, socket
class Point(ctypes.Structure): _fields_ = [('x', ctypes.c_int), ('y', ctypes.c_double)]
print(ctypes.sizeof(Point), ctypes.cast((ctypes.c_int * 2)(3, 4), ctypes.POINTER(ctypes.c_int))[1], ctypes.create_string_buffer(b'a').raw)
server = socket.create_server(('localhost', 0)); client = socket.create_connection(server.getsockname())
client.sendall(b'tcp'); print(server.accept()[0].recv(3))
server = socket.socket(socket.AF_UNIX); server.bind('/tmp/s'); server.listen()
client = socket.socket(socket.AF_UNIX); client.connect('/tmp/s'); client.sendall(b'unix'); print(server.accept()[0].recv(4))
for what in (lambda: ctypes.CDLL('libc.so.6'), lambda: socket.socket(type=socket.SOCK_DGRAM), lambda: socket.create_connection(('192.0.2.1', 80))):
    try: print('no error', what())
    except OSError as error: print(type(error).__name__)
";
    let ran = wisp(root(), &["run", "--", "python3", "-c", script]);
    assert_eq!(ran.out(), "16 4 b'a\\x00'\nb'tcp'\nb'unix'\nOSError\nPermissionError\nPermissionError\n", "{}", ran.err());
}

/// The number of packages that README and the guide name is that of the image.
#[test]
fn the_number_of_packages_is_right() {
    let listed = wisp(root(), &["run", "--", "pip", "list"]).out();
    assert_eq!(listed.lines().skip(2).count(), 50, "{listed}");
    for (page, words) in [("README.md", "fifty packages in all"), ("docs/src/troubleshooting.md", "Fifty are here")] {
        assert!(fs::read_to_string(root().join(page)).expect("a page").contains(words), "{page}");
    }
}
