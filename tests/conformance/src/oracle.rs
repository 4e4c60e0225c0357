//! The real programs, in a jail: their results are the expected ones.
//!
//! The cases are third-party scripts. They run in `bwrap`: no network, no capabilities, the system read-only, a
//! separate folder, a process tree that ends with them. Without a jail there is no oracle.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use crate::case::{Case, Compare, DIRECTORY, Ran, Run, SCRIPTS, Want, environment, fingerprint, judge};
use crate::verdicts::{Verdict, Verdicts};

/// The path in the jail of the programs that this machine lacks.
const PROGRAMS: &str = "/mnt/oracle";

/// The jail, found once.
#[derive(Debug)]
pub struct Oracle {
    bwrap: PathBuf,
    programs: PathBuf,
    /// Called `awk` in the jail: GNU awk, with its libraries.
    awk: tempfile::TempPath,
    /// The sandbox's one user.
    passwd: tempfile::TempPath,
}

impl Oracle {
    /// Looks for the jail and the programs.
    ///
    /// # Errors
    /// When they are missing or do not work here.
    pub fn find() -> Result<Self, String> {
        let programs = crate::place().join("oracle").canonicalize();
        let programs = programs.map_err(|_| "the real programs are not there; `toolchain/suites --oracle` fetches them".to_owned())?;
        let system = Path::new("/usr/bin/bwrap");
        let bwrap = if system.exists() { system.to_owned() } else { programs.join("usr/bin/bwrap") };
        let mut awk = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
        let script = format!(
            "#!/bin/bash\nLD_LIBRARY_PATH={PROGRAMS}/usr/lib/{}-linux-gnu exec -a \"$0\" {PROGRAMS}/usr/bin/gawk \"$@\"\n",
            std::env::consts::ARCH
        );
        awk.write_all(script.as_bytes()).map_err(|error| error.to_string())?;
        fs::set_permissions(awk.path(), fs::Permissions::from_mode(0o755)).map_err(|error| error.to_string())?;
        let mut passwd = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
        passwd
            .write_all(b"root:x:0:0:root:/root:/usr/bin/sh\nuser:x:1000:1000:user:/home/user:/usr/bin/sh\n")
            .map_err(|error| error.to_string())?;
        // Closed, because a file that is open for writing cannot be executed.
        let oracle = Self { bwrap, programs, awk: awk.into_temp_path(), passwd: passwd.into_temp_path() };
        let probe = oracle.run(&Run::script("echo $BASH_VERSION; awk --version | head -1; echo to-stderr >&2"), "gawk")?;
        if !String::from_utf8_lossy(&probe.stdout).starts_with("5.2.") || !String::from_utf8_lossy(&probe.stdout).contains("GNU Awk") {
            return Err(format!(
                "no jail with bash 5.2 and GNU awk: {}{}",
                String::from_utf8_lossy(&probe.stdout),
                String::from_utf8_lossy(&probe.stderr)
            ));
        }
        Ok(oracle)
    }

    /// Runs a case in the jail, with this awk.
    ///
    /// # Errors
    /// When the jail cannot be started.
    pub fn run(&self, run: &Run, awk: &str) -> Result<Ran, String> {
        let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
        let scripts = tempfile::tempdir().map_err(|error| error.to_string())?;
        for file in run.files.iter() {
            let path = match file.path.strip_prefix(SCRIPTS) {
                Some(name) => scripts.path().join(name.trim_start_matches('/')),
                None => scratch.path().join(&file.path),
            };
            let mode = fs::Permissions::from_mode(if file.executable { 0o755 } else { 0o644 });
            fs::create_dir_all(path.parent().unwrap_or(scratch.path()))
                .and_then(|()| fs::write(&path, &file.content))
                .and_then(|()| fs::set_permissions(&path, mode))
                .map_err(|error| format!("cannot write `{}`: {error}", file.path))?;
        }
        let mut command = Command::new(&self.bwrap);
        command.env_clear().args(["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]);
        command.args(["--uid", "1000", "--gid", "1000", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]);
        for hidden in ["/tmp", "/mnt", "/root", "/home"] {
            command.args(["--tmpfs", hidden]);
        }
        command.arg("--tmpfs").arg(crate::root().canonicalize().map_err(|error| error.to_string())?);
        command.arg("--ro-bind").args([self.programs.as_path(), Path::new(PROGRAMS)]);
        command.arg("--bind").args([scratch.path(), Path::new(DIRECTORY)]).args(["--chdir", DIRECTORY]);
        command.arg("--ro-bind").args([scripts.path(), Path::new(SCRIPTS)]);
        command.args(["--ro-bind", "/bin/bash", "/bin/dash"]);
        if awk == "gawk" {
            command.arg("--ro-bind").args([&*self.awk, Path::new("/usr/bin/mawk")]);
        } else {
            command.args(["--ro-bind", &self.programs.join("usr/bin").join(awk).display().to_string(), "/usr/bin/mawk"]);
        }
        command.arg("--ro-bind").args([&*self.passwd, Path::new("/etc/passwd")]);
        command.args(["--hostname", "wisp", "--setenv", "PATH", "/usr/bin"]);
        for (name, value) in environment().map(|(name, value)| (name.to_owned(), value.to_owned())).iter().chain(&run.env) {
            command.args(["--setenv", name, value]);
        }
        command.args(["--", "/bin/bash", "-c", "unset OLDPWD; ulimit -v 8000000 -n 256; exec timeout -k 1 10 \"$@\"", "x"]);
        let words: Vec<_> =
            run.command.iter().map(|word| std::os::unix::ffi::OsStringExt::from_vec(word.clone())).collect::<Vec<std::ffi::OsString>>();
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("cannot start the jail: {error}"))?;
        let input = child.stdin.take();
        let output = std::thread::scope(|scope| {
            scope.spawn(move || {
                if let Some(mut pipe) = input {
                    let _ = pipe.write_all(&run.stdin); // a program that does not read closes the pipe
                }
            });
            child.wait_with_output()
        });
        let output = output.map_err(|error| format!("the jail is gone: {error}"))?;
        let status = output.status.code().unwrap_or(-1);
        let limit = (status == 124).then(|| "10 s".to_owned());
        Ok(Ran { status, stdout: output.stdout, stderr: output.stderr, limit })
    }

    /// Runs these cases, on all cores.
    pub fn record(&self, cases: &[&Case]) -> Verdicts {
        let (next, found) = (AtomicUsize::new(0), Mutex::new(Verdicts::default()));
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
                scope.spawn(|| {
                    while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if let Some(verdict) = self.ask(case) {
                            found.lock().0.insert(case.id.clone(), verdict);
                        }
                    }
                });
            }
        });
        found.into_inner()
    }

    /// A verdict, if one must be stored. The programs run twice: what differs then is random.
    fn ask(&self, case: &Case) -> Option<Verdict> {
        let awks: &[&str] = if case.id.starts_with("awk/") { &["original-awk", "gawk"] } else { &["gawk"] };
        let (mut did, mut sorted) = (Vec::new(), Vec::new());
        let mut reason = String::new();
        for awk in awks {
            let one = match self.run(&case.run, awk) {
                Ok(ran) => ran,
                Err(error) => return Some(Verdict::Skip(error)),
            };
            let Want::Oracle(compare) = case.want else {
                match judge(&case.want, &one, None) {
                    Ok(()) => return None,
                    Err(error) => reason = format!("the real program does not meet it: {error}"),
                }
                continue;
            };
            if one.limit.is_some() {
                return Some(Verdict::Skip("the real program does not end within 10 s".to_owned()));
            }
            if names_today(&one.stdout) {
                return Some(Verdict::Skip("what it prints depends on the day".to_owned()));
            }
            match self.run(&case.run, awk) {
                Ok(other) if fingerprint(&one, compare) == fingerprint(&other, compare) => did.push(fingerprint(&one, compare)),
                Ok(_) => return Some(Verdict::Skip("not the same twice under the real program".to_owned())),
                Err(error) => return Some(Verdict::Skip(error)),
            }
            sorted.push(fingerprint(&one, Compare::Lines));
        }
        did.dedup();
        sorted.dedup();
        // Two awks that differ only in the order of `for (key in array)`, which is not specified.
        if did.len() > 1 && sorted.len() == 1 {
            did = sorted;
        }
        Some(if did.is_empty() { Verdict::Skip(reason) } else { Verdict::Did(did.join(" | ")) })
    }
}

/// Whether a text contains today's date in one of the forms that programs print: the next day's would differ.
fn names_today(text: &[u8]) -> bool {
    let today = Command::new("date").arg("+%a %b %d%n%F%n%D").output().map(|output| output.stdout).unwrap_or_default();
    let (text, today) = (String::from_utf8_lossy(text), String::from_utf8_lossy(&today).into_owned());
    today.lines().any(|form| text.contains(form))
}
