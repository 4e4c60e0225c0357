//! Runs the `wisp` binary as a user does, and never waits forever.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::Duration;

/// A longer run hangs. The longest legitimate run compiles Python, for a policy whose code is not prepared.
const HANG: Duration = Duration::from_secs(300);

/// Set for every `wisp` that a test starts. A guest that sees it proves a leak.
pub const SECRET_VARIABLE: &str = "WISP_TEST_SECRET";

/// Its value, also the content of files that no guest may read.
pub const SECRET: &str = "secret-5f1d7c0a-not-for-guests";

/// The result of a run.
#[derive(Debug)]
pub struct Ran {
    /// Exit status; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

impl Ran {
    /// Standard output as text, damaged characters replaced.
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Standard error as text, damaged characters replaced.
    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

/// The repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The binary under test: `WISP_BIN`, otherwise the one built beside this test.
///
/// # Errors
/// When it is missing, with the command that builds it.
pub fn binary() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("WISP_BIN") {
        return Ok(path.into());
    }
    let test = std::env::current_exe().map_err(|error| format!("where is this test? {error}"))?;
    test.ancestors()
        .map(|folder| folder.join("wisp"))
        .find(|path| path.is_file())
        .ok_or_else(|| "the `wisp` binary is not built; run `toolchain/just build`, or name it in WISP_BIN".to_owned())
}

/// The binary under test, with the machine code of its tools in the cache, so that results do not depend on which
/// test is the first on a machine.
///
/// # Errors
/// As [`binary`], and when the code cannot be prepared.
pub fn prepared() -> Result<PathBuf, String> {
    static DONE: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let prepare = || {
        let binary = binary()?;
        let done = Command::new(&binary).arg("prepare").output().map_err(|error| format!("cannot start wisp: {error}"))?;
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        if done.status.success() { Ok(binary) } else { Err(format!("wisp prepare: {said}")) }
    };
    DONE.get_or_init(prepare).clone()
}

/// Runs `wisp` with these arguments and this standard input, in this folder.
///
/// # Errors
/// When it cannot be started, or hangs.
pub fn run(args: &[OsString], stdin: &[u8], folder: &Path) -> Result<Ran, String> {
    let mut child = Command::new(prepared()?)
        .args(args)
        .current_dir(folder)
        .env(SECRET_VARIABLE, SECRET)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start wisp: {error}"))?;
    let input = child.stdin.take();
    let stdin = stdin.to_vec();
    let writer = thread::spawn(move || {
        if let Some(mut pipe) = input {
            let _ = pipe.write_all(&stdin); // a guest that does not read its input closes the pipe
        }
    });
    let stdout = collect(child.stdout.take());
    let stderr = collect(child.stderr.take());
    let stdout = receive(&stdout, &mut child)?;
    let stderr = receive(&stderr, &mut child)?;
    let status = child.wait().map_err(|error| format!("wisp is gone: {error}"))?;
    writer.join().map_err(|_| "the writer of standard input panicked".to_owned())?;
    Ok(Ran { code: status.code(), stdout, stderr })
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut all = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut all); // the comparison shows what was read until then
        }
        let _ = sender.send(all); // after a hang there is no receiver
    });
    receiver
}

fn receive(receiver: &mpsc::Receiver<Vec<u8>>, child: &mut Child) -> Result<Vec<u8>, String> {
    receiver.recv_timeout(HANG).map_err(|_| {
        let _ = child.kill(); // it may have just ended
        let _ = child.wait();
        format!("wisp did not end within {} s", HANG.as_secs())
    })
}
