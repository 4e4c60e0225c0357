//! `wisp run` under a policy that starts servers: their tools work although the process is confined, and nothing of them is left.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use wisp_tests::wisp::{Ran, run};

const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/library/mcp_server.py");

/// Runs a program of Python under a policy with a server that gets these variables.
fn python(folder: &Path, from_env: &str, program: &str) -> Ran {
    let policy = format!(
        "extends = \"offline\"\n[[host.mcp]]\nname = \"demo\"\ncommand = [\"python3\", {SERVER:?}]\nfrom_env = [{from_env}]\nallow = [\"add\", \"pid\"]\n"
    );
    fs::write(folder.join("p.toml"), policy).expect("a file");
    let args: Vec<OsString> = ["run", "--policy", "./p.toml", "--", "python3", "-c", program].map(OsString::from).into();
    run(&args, b"", folder).expect("wisp runs")
}

#[test]
fn the_tools_of_a_server_work_in_a_confined_run_and_it_ends_with_that() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let ran = python(folder.path(), "", "from host import demo_add, demo_pid; print(demo_add(a=1, b=2)); print(demo_pid())");
    let out = ran.out();
    let (sum, pid) = out.trim_end().split_once('\n').unwrap_or_else(|| panic!("{out}\n{}", ran.err()));
    assert_eq!((sum, ran.code), ("{'sum': 3}", Some(0)), "{}", ran.err());
    let (server, until) = (Path::new("/proc").join(pid), Instant::now() + Duration::from_secs(60));
    while server.exists() {
        assert!(Instant::now() < until, "the server runs on");
        thread::yield_now();
    }
}

#[test]
fn a_deterministic_run_is_repeated_from_its_record() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let policy = format!(
        "extends = \"offline\"\n[determinism]\nseed = 1\n[[host.mcp]]\nname = \"demo\"\ncommand = [\"python3\", {SERVER:?}]\nallow = [\"draw\"]\n"
    );
    fs::write(folder.path().join("p.toml"), policy).expect("a file");
    let draw = |options: &[&str]| {
        let program = "from host import demo_draw; print([demo_draw() for _ in range(3)])";
        let args = [&["run", "--policy", "./p.toml"], options, &["--", "python3", "-c", program]].concat();
        run(&args.into_iter().map(OsString::from).collect::<Vec<_>>(), b"", folder.path()).expect("wisp runs")
    };
    let (first, other) = (draw(&["--record-functions", "a.jsonl"]), draw(&["--record-functions", "b.jsonl"]));
    assert!(first.code == Some(0) && other.code == Some(0) && first.out() != other.out(), "{}{}", first.err(), other.err());
    for (file, ran) in [("a.jsonl", &first), ("b.jsonl", &other)] {
        let again = draw(&["--replay-functions", file]);
        assert_eq!((again.code, again.out()), (Some(0), ran.out()), "{}", again.err());
    }
    let neither = draw(&[]);
    assert_eq!((neither.code, neither.out().as_str()), (Some(2), ""), "{}", neither.err());
    assert!(
        neither.err().contains("the function of the host `demo_draw` (./p.toml:7) may answer differently each time"),
        "{}",
        neither.err()
    );
    fs::write(folder.path().join("c.jsonl"), "no record\n").expect("a file");
    let damaged = draw(&["--replay-functions", "c.jsonl"]);
    assert!(damaged.code == Some(2) && damaged.err().contains("--replay-functions c.jsonl"), "{:?} {}", damaged.code, damaged.err());
}

#[test]
fn a_server_that_lacks_a_variable_is_named_before_anything_runs() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let ran = python(folder.path(), "\"WISP_NO_SUCH_VARIABLE\"", "print('ran')");
    assert_eq!((ran.code, ran.out().as_str()), (Some(2), ""), "{}", ran.err());
    let expected = "the server `demo` needs the variable `WISP_NO_SUCH_VARIABLE`, which is not set (./p.toml:2)";
    assert!(ran.err().contains(expected), "{}", ran.err());
}

#[test]
fn a_guest_cannot_be_given_the_program_of_a_server_to_write() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let place = folder.path().join("work");
    fs::create_dir(&place).expect("a folder");
    fs::write(place.join("server.py"), "").expect("a file");
    let run_with = |access: &str| {
        let policy = format!(
            "extends = \"offline\"\n[[filesystem.mount]]\nhost = \"./work\"\nguest = \"/mnt/work\"\naccess = \"{access}\"\n\
             [[host.mcp]]\nname = \"demo\"\ncommand = [\"python3\", {:?}]\nallow = []\n",
            place.join("server.py")
        );
        fs::write(folder.path().join("p.toml"), policy).expect("a file");
        let args: Vec<OsString> = ["explain", "--policy", "./p.toml"].map(OsString::from).into();
        run(&args, b"", folder.path()).expect("wisp runs")
    };
    let refused = run_with("write");
    let expected = "the mount `/mnt/work` is writable and contains a file that the server `demo` is started with, outside the sandbox";
    assert!(refused.code == Some(2) && refused.err().contains(expected), "{:?} {}", refused.code, refused.err());
    let shown = run_with("read");
    assert_eq!(shown.code, Some(0), "{}", shown.err());
    assert!(shown.out().contains("demo is started outside the sandbox: python3 "), "{}", shown.out());
}
