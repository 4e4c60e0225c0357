//! What a command starts with: its variables.

use std::collections::BTreeMap;

use crate::net::Net;
use crate::session::handle::SessionState;

/// The user's home, and the working directory of commands that name none.
pub(crate) const HOME: &str = "/home/user";

/// Where programs are looked up.
pub(crate) const PATH: &str = "/usr/bin";

/// The variables of a command: ours, the policy's over them, its own over these.
pub(crate) fn environment(session: &SessionState, own: Vec<(String, Vec<u8>)>, directory: &str) -> Vec<Vec<u8>> {
    let mut variables: BTreeMap<String, Vec<u8>> = [
        ("HOME", HOME),
        ("LANG", "C.UTF-8"),
        ("LOGNAME", "user"),
        ("PATH", PATH),
        ("SHELL", "/usr/bin/sh"),
        ("TERM", "dumb"),
        ("TMPDIR", "/tmp"),
        ("USER", "user"),
    ]
    .map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec()))
    .into();
    let placeholders = session.net.iter().flat_map(Net::placeholders);
    variables.extend(placeholders.map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec())));
    variables.extend(session.policy.env().iter().map(|(name, value)| (name.clone(), value.clone().into_bytes())));
    variables.extend(own);
    variables.insert("PWD".to_owned(), directory.as_bytes().to_vec());
    variables.into_iter().map(|(name, value)| [name.as_bytes(), b"=", value.as_slice()].concat()).collect()
}
