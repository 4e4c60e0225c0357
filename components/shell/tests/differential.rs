//! Runs every script of `tests/cases` under this shell; its output and status must be those of bash 5.2.
//!
//! `NAME.sh` is the script, `NAME.out` bash's standard output, `NAME.code` its exit status if that is not 0.
//! `WISP_SHELL_BLESS=1 cargo test -p wisp-shell` rewrites them from `/bin/bash`; `WISP_SHELL_CASE=array/` runs some.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The time after which a script counts as hanging.
const LIMIT: &str = "20";

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut found = Vec::new();
    for group in std::fs::read_dir(root).expect("the folder of cases is part of the crate").flatten() {
        for case in std::fs::read_dir(group.path()).expect("groups are folders").flatten() {
            if case.path().extension().is_some_and(|extension| extension == "sh") {
                found.push(case.path());
            }
        }
    }
    found.sort();
    let wanted = std::env::var("WISP_SHELL_CASE").unwrap_or_default();
    found.retain(|path| path.to_string_lossy().contains(&wanted));
    found
}

/// Run a script in a folder of its own; returns standard output and status. `sh` and `bash` inside it are the same
/// shell.
fn run(shell: &str, script: &Path, number: usize, keep: &str) -> (Vec<u8>, i32, Vec<u8>) {
    let base = std::env::temp_dir().join(format!("wisp-shell-{}-{keep}-{number}", std::process::id()));
    let (work, bin) = (base.join("work"), base.join("bin"));
    std::fs::create_dir_all(&work).expect("a folder below the temporary one");
    std::fs::create_dir_all(&bin).expect("a folder below the temporary one");
    for name in ["sh", "bash"] {
        std::os::unix::fs::symlink(shell, bin.join(name)).expect("a link in a new folder");
    }
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let output = Command::new("timeout")
        .args([LIMIT, shell])
        .arg(script)
        .current_dir(&work)
        .env_clear()
        .env("PATH", path)
        .env("HOME", "/home/user")
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC")
        .stdin(Stdio::null())
        .output()
        .expect("timeout(1) is there");
    // Left over only if it cannot be removed; the next run uses other names.
    let _ = std::fs::remove_dir_all(&base);
    let status = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0));
    (output.stdout, status, output.stderr)
}

#[test]
fn scripts_behave_as_under_bash() {
    let bless = std::env::var_os("WISP_SHELL_BLESS").is_some();
    let shell = if bless { "/bin/bash" } else { env!("CARGO_BIN_EXE_sh") };
    let cases = cases();
    let mut failures = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let (out, status, err) = run(shell, case, number, "case");
        let (out_file, status_file) = (case.with_extension("out"), case.with_extension("code"));
        if bless {
            std::fs::write(&out_file, &out).expect("the cases can be written");
            if status == 0 {
                // If there is nothing to remove, that is fine too.
                let _ = std::fs::remove_file(&status_file);
            } else {
                std::fs::write(&status_file, format!("{status}\n")).expect("the cases can be written");
            }
            continue;
        }
        let wanted = std::fs::read(&out_file).unwrap_or_default();
        let wanted_status = std::fs::read_to_string(&status_file).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
        if out != wanted || status != wanted_status {
            failures.push(format!(
                "{}: status {status}, bash {wanted_status}\n--- ours\n{}--- bash\n{}--- stderr\n{}",
                case.display(),
                String::from_utf8_lossy(&out),
                String::from_utf8_lossy(&wanted),
                String::from_utf8_lossy(&err)
            ));
        }
    }
    println!("{} of {} scripts as under bash", cases.len() - failures.len(), cases.len());
    assert!(failures.is_empty(), "{} of {} scripts differ:\n{}", failures.len(), cases.len(), failures.join("\n"));
}
