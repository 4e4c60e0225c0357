//! A program of pexpect's, from PyPI: what people script terminals with works.

use std::process::Command;

#[test]
fn a_program_of_pexpects_drives_shell_python_less_and_sqlite3() {
    let root = wisp_tests::wisp::root();
    let wisp = wisp_tests::wisp::prepared().expect("the binary is built");
    let done = Command::new(root.join("toolchain/expect")).arg(root.join("tests/cli/terminal/session.py")).arg(wisp).output();
    let done = done.expect("toolchain/expect is there");
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success() && out == "shell ok\ninterpreter ok\ndatabase ok\n", "{out}\n{err}");
}
