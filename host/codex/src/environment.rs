//! The environment of a process: what Codex adds to that of the sandbox.

use std::collections::BTreeMap;

use crate::error::RpcError;
use crate::protocol::EnvPolicy;

/// Maximum variables and patterns of a process, and maximum bytes of the name of one: each name is compared with each pattern.
const VARIABLES: usize = 4_096;
const PATTERNS: usize = 256;
const NAME: usize = 1_024;

/// Maximum bytes of all patterns times those of all names that are compared with them: a comparison takes up to as many steps.
const COMPARED: usize = 1 << 26;

/// Returns the variables in addition to the sandbox's own: those that the policy of the client sets, and over them those of the process.
///
/// The rest of that policy says which variables of the server's machine a process inherits. In the sandbox there are none of these:
/// what it has are wisp's own and those of wisp's policy.
pub(crate) fn variables(policy: Option<EnvPolicy>, own: BTreeMap<String, String>) -> Result<BTreeMap<String, String>, RpcError> {
    let EnvPolicy { set, include_only } = policy.unwrap_or_default();
    let long = include_only.iter().chain(set.keys()).chain(own.keys()).any(|name| name.len() > NAME);
    if long || include_only.len() > PATTERNS || set.len() + own.len() > VARIABLES {
        return Err(RpcError::invalid_params(format!(
            "a process has at most {VARIABLES} variables and {PATTERNS} patterns for them, of {NAME} bytes each"
        )));
    }
    let names: usize = set.keys().map(String::len).sum();
    let patterns: usize = include_only.iter().map(String::len).sum();
    if names.saturating_mul(patterns) > COMPARED {
        return Err(RpcError::invalid_params("the names of the variables and the patterns for them are too long together"));
    }
    let included = |name: &str| include_only.is_empty() || include_only.iter().any(|pattern| matches(pattern.as_bytes(), name.as_bytes()));
    let mut all: BTreeMap<String, String> = set.into_iter().filter(|(name, _)| included(name)).collect();
    all.extend(own);
    match all.iter().find(|(name, value)| name.is_empty() || name.contains(['=', '\0']) || value.contains('\0')) {
        Some((name, _)) => {
            Err(RpcError::invalid_params(format!("the variable `{}` has a name or a value that none can have", wisp_api::shown(name))))
        }
        None => Ok(all),
    }
}

/// Returns whether a name matches a pattern, in which `*` stands for any text and `?` for one character. Case does not count.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut of) = (0, 0);
    // Where the last `*` is, and how much of the name it stands for.
    let mut star = None;
    while of < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, of));
                at += 1;
            }
            Some(char) if *char == b'?' || char.eq_ignore_ascii_case(&name[of]) => {
                at += 1;
                of += 1;
            }
            _ => {
                let Some((place, taken)) = star else { return false };
                star = Some((place, taken + 1));
                (at, of) = (place + 1, taken + 1);
            }
        }
    }
    pattern[at..].iter().all(|char| *char == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_process_s_own_variables_count() {
        let policy =
            EnvPolicy { set: map(&[("A", "policy"), ("B", "policy"), ("C", "policy")]), include_only: vec!["a".into(), "B*".into()] };
        let all = variables(Some(policy), map(&[("A", "own"), ("D", "own")])).expect("variables");
        assert_eq!(all, map(&[("A", "own"), ("B", "policy"), ("D", "own")]));
        assert_eq!(variables(None, map(&[("A", "")])).expect("variables"), map(&[("A", "")]));
    }

    #[test]
    fn what_no_environment_can_have_is_refused() {
        for (name, value) in [("", ""), ("A=B", ""), ("A\0", ""), ("A", "\0")] {
            assert!(variables(None, map(&[(name, value)])).is_err(), "{name:?} {value:?}");
        }
        let long = "A".repeat(NAME);
        assert!(variables(None, map(&[(&*long, "")])).is_ok() && variables(None, map(&[(&*format!("{long}A"), "")])).is_err());
        let policy = |patterns| EnvPolicy { include_only: vec!["*".to_owned(); patterns], ..EnvPolicy::default() };
        assert!(variables(Some(policy(PATTERNS)), map(&[])).is_ok() && variables(Some(policy(PATTERNS + 1)), map(&[])).is_err());
    }

    #[test]
    fn what_takes_long_to_compare_is_refused() {
        let policy = |names: usize, patterns: usize| EnvPolicy {
            set: (0..names).map(|number| (format!("{}{number:04}", "A".repeat(500)), String::new())).collect(),
            include_only: vec![format!("*{}*", "A".repeat(250)); patterns],
        };
        assert_eq!(variables(Some(policy(20, 20)), map(&[])).expect("variables").len(), 20);
        assert!(variables(Some(policy(1_000, 200)), map(&[])).is_err());
    }

    #[test]
    fn patterns_are_those_of_codex() {
        for (pattern, name) in [("*", ""), ("*KEY*", "my_key_2"), ("A?C", "abc"), ("*_*_*", "a_b_c"), ("", ""), ("**x", "axbx")] {
            assert!(matches(pattern.as_bytes(), name.as_bytes()), "{pattern} {name}");
        }
        for (pattern, name) in [("", "a"), ("A?", "a"), ("*KEY", "keys"), ("a*b*c", "acb"), ("?", "")] {
            assert!(!matches(pattern.as_bytes(), name.as_bytes()), "{pattern} {name}");
        }
    }
}
