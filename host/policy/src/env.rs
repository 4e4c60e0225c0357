//! Checks the variables of the guest's environment.

use std::collections::BTreeMap;

use super::finding::{Findings, quote};
use super::limits;
use super::read::{Reader, Set};
use super::rule::Origin;

/// Returns whether name and value can be an environment variable. Values are not repeated in messages.
pub(super) fn check(reader: &Reader, name: &Set<String>, value: &Set<String>) -> bool {
    let (at, message, label) = if name.value.is_empty() {
        (name, "a variable needs a name".to_owned(), "this name is empty")
    } else if name.value.contains('=') || name.value.chars().any(char::is_control) {
        (name, format!("a variable cannot be called {}", quote(&name.value)), "a name has no `=` and no control characters")
    } else if value.value.contains('\0') {
        (value, format!("the value of {} is not valid", quote(&name.value)), "a value has no NUL")
    } else {
        return true;
    };
    let help = if reader.origin == Origin::File { "write it as in `LANG = \"C.UTF-8\"`" } else { "write it as in `LANG=C.UTF-8`" };
    reader.find(at.rule.finding(message).label(label).help(help));
    false
}

/// Returns the environment of the policy, checked against its size limit.
pub(super) fn settle(env: &BTreeMap<String, Set<String>>, findings: &mut Findings) -> BTreeMap<String, String> {
    let mut bytes = 0usize;
    for (name, value) in env {
        bytes = bytes.saturating_add(name.len() + value.value.len() + 2);
        if bytes > limits::ENV_BYTES {
            let message = format!("the environment has more than the {} bytes it may have", limits::ENV_BYTES);
            findings.push(value.rule.finding(message).label("with this variable").help("pass large data as a file or on standard input"));
            break;
        }
    }
    env.iter().map(|(name, value)| (name.clone(), value.value.clone())).collect()
}
