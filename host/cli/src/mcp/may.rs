//! What an agent may do under a policy, for the person who connects it: with the paths of this machine.

use std::fmt::Write as _;

use wisp::policy::{Access, Policy};

/// Returns the page.
pub(super) fn page(policy: &Policy) -> String {
    let mut page = "\nIn the sandbox, the agent may now\n".to_owned();
    let tools = policy.tools();
    let names: Vec<&str> = tools.allow.iter().map(String::as_str).chain(tools.custom.keys().map(String::as_str)).collect();
    row(&mut page, "run", &names.join(", "));
    for mount in &policy.filesystem().mounts {
        let host = mount.host.display();
        match mount.access {
            Access::Read => row(&mut page, "read", &format!("{} = {host}", mount.guest)),
            Access::Write => row(&mut page, "change", &format!("{} = {host}   <- your files, for good", mount.guest)),
            Access::Overlay => row(&mut page, "copy", &format!("{} = {host}   (its changes stay in the sandbox)", mount.guest)),
        }
    }
    match policy.network() {
        Some(network) if !network.allow.is_empty() => {
            for rule in &network.allow {
                row(&mut page, "send", &format!("{} to {}", rule.methods.join(", "), rule.url));
            }
            for secret in &network.secrets {
                row(&mut page, "", &format!("{} goes along to {}; the agent never sees it", secret.variable, secret.host));
            }
        }
        _ => row(&mut page, "send", "nothing: there is no network"),
    }
    if let Some(host) = policy.host().filter(|host| !host.allow.is_empty()) {
        row(&mut page, "call", &host.allow.join(", "));
    }
    let _ = writeln!(page, "Everything else is refused: other files, other addresses, programs of this machine.");
    let _ = writeln!(page, "A call ends after {} s. `wisp explain` has the whole list.", policy.limits().wall.as_secs());
    page
}

fn row(page: &mut String, what: &str, text: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(page, "  {what:<7} {text}");
}
