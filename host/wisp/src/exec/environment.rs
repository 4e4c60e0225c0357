//! The variables that a command starts with.

use std::collections::BTreeMap;

use crate::exec::session_state::SessionState;
use wisp_net::Net;
use wisp_policy::layout::{HOME, SCRATCH, SEARCH, SHELL};

/// Returns the variables of a command. The policy's override wisp's, and the command's own override both.
pub(crate) fn environment(session: &SessionState, own: Vec<(String, Vec<u8>)>, directory: &str) -> Vec<Vec<u8>> {
    let mut variables: BTreeMap<String, Vec<u8>> = [
        ("HOME", HOME),
        ("LANG", "C.UTF-8"),
        ("LOGNAME", "user"),
        ("PATH", SEARCH),
        ("SHELL", SHELL),
        ("TERM", "dumb"),
        ("TMPDIR", SCRATCH),
        ("USER", "user"),
    ]
    .map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec()))
    .into();
    let placeholders = session.net.iter().flat_map(Net::placeholders);
    variables.extend(placeholders.map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec())));
    variables.extend(session.shared.policy.env().iter().map(|(name, value)| (name.clone(), value.clone().into_bytes())));
    variables.extend(own);
    variables.insert("PWD".to_owned(), wisp_spelling::read(directory).into_owned());
    variables.into_iter().map(|(name, value)| [name.as_bytes(), b"=", value.as_slice()].concat()).collect()
}
