//! A state is taken over whole, or refused with the reason.

use super::codec::{Reader, Writer};
use super::{MAGIC, load, read_parts, save, write_parts};
use crate::shell::Shell;
use crate::sym::intern;
use crate::sys::Bound;
use crate::vars::Value;

/// A shell in which `script` has run.
fn after(script: &str) -> Shell {
    let mut shell = Shell::empty(b"sh");
    let parser = shell.parser(script.into(), 1);
    assert_eq!(shell.run_script(parser), 0);
    shell
}

/// Why a new shell refuses these bytes.
fn refusal(state: &[u8]) -> String {
    load(&mut Shell::empty(b"sh"), state).expect_err("the state is refused").to_string()
}

#[test]
fn a_state_is_taken_over() {
    let script =
        "x=1; a=([3]=q); f() { echo \"$x\"; }; set -f; shopt -s extglob; alias l='ls -l'; set -- p 'q r'; trap 'true' USR1; umask 27";
    let state = save(&after(script), b"echo", 7);
    let mut shell = Shell::empty(b"other");
    assert_eq!(load(&mut shell, &state), Ok((b"echo".to_vec(), 7)));
    assert_eq!(shell.get(intern(b"x")), Some(b"1".to_vec()));
    assert!(matches!(shell.var(intern(b"a")).map(|var| var.value), Some(Value::Indexed(array)) if array.get(3) == Some(&b"q"[..])));
    assert!(shell.definitions.functions.contains_key(&b"f"[..]));
    assert_eq!(shell.definitions.aliases.get(&b"l"[..]), Some(&b"ls -l".to_vec()));
    assert!(shell.opts.has(b'f') && shell.opts.shopt("extglob"));
    assert_eq!(*shell.calls.params, [b"p".to_vec(), b"q r".to_vec()]);
    assert_eq!(shell.traps.commands.get("USR1"), Some(&b"true".to_vec()));
    assert_eq!(shell.process.umask, 0o27);
}

#[test]
fn limits_are_kept_whether_there_are_any_or_not() {
    let mut before = Shell::empty(b"sh");
    let limits = [None, Some(Bound { soft: Some(1 << 20), hard: None }), None, Some(Bound { soft: None, hard: Some(u64::MAX - 1) })];
    before.process.limits = limits;
    let mut after = Shell::empty(b"sh");
    assert_eq!(load(&mut after, &save(&before, b"", 1)), Ok((Vec::new(), 1)));
    assert_eq!(after.process.limits, limits);
}

#[test]
fn bytes_that_are_not_a_state_are_refused() {
    assert_eq!(refusal(b"wisp-sh-state-3\n..."), "another build of the shell wrote it");
    assert_eq!(refusal(b""), "it is not a shell's state");
}

#[test]
fn a_state_cut_anywhere_is_refused() {
    let state = save(&after("x=1"), b"", 1);
    for len in MAGIC.len()..state.len() {
        assert!(refusal(&state[..len]).starts_with("it ends within field `"), "{len} bytes");
    }
    assert_eq!(refusal(&[&state[..], b"?"].concat()), "there are bytes after field `in function`");
}

#[test]
fn a_forgotten_field_is_named() {
    let mut out = Writer::new(b"");
    write_parts(&Shell::empty(b"sh"), &mut out);
    let bytes = out.into_bytes();
    // Leave the first field out: its name, eight bytes of length before it, and its value `sh`.
    let first = 8 + "invocation.arg0".len() + 8 + "sh".len();
    let result = read_parts(&mut Shell::empty(b"sh"), &mut Reader::new(&bytes[first..]));
    assert_eq!(result.map_err(|why| why.to_string()), Err("field `invocation.arg0` expected, `invocation.from_string` found".to_owned()));
}

#[test]
fn an_impossible_value_is_named() {
    let mut out = Writer::new(MAGIC);
    out.field("text", &Vec::<u8>::new());
    out.field("line", &-1i64);
    assert_eq!(refusal(&out.into_bytes()), "field `line` has an impossible value");
}
