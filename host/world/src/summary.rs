//! What a session may do, for a person: some ten lines, and the limits with the rules that set them.

use std::time::Duration;

use wisp_policy::{Access, Network, Policy, duration_text, size_text};

/// A line of the summary of a policy.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct SummaryLine {
    /// What it is about, in one word: `time`, `network`. Lines about the same follow each other.
    pub about: &'static str,
    /// What holds there.
    pub text: String,
}

/// A number that the policy sets, or its default.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct LimitRow {
    /// Its key: `limits.wall`.
    pub key: &'static str,
    /// Its value, as a policy has it: `1m`.
    pub value: String,
    /// The rule that set it.
    pub rule: String,
}

/// Returns what a session may do, in some ten lines: time, memory, files, network, functions of the host.
pub(crate) fn lines(policy: &Policy) -> Vec<SummaryLine> {
    let mut lines = Vec::new();
    let mut line = |about, text: String| lines.push(SummaryLine { about, text });
    let (limits, filesystem, output) = (policy.limits(), policy.filesystem(), policy.output());
    line("time", format!("{} for a command, with {} of processor time", time(limits.wall), time(limits.cpu)));
    line("memory", format!("{} for all processes together", size_text(limits.memory)));
    line("processes", format!("{} at once, each with {} open files", limits.processes, limits.open_files));
    let kept = format!("{}: {} files, {}", output.path, output.max_files, size_text(output.max_bytes));
    line("output", format!("{} of text, {} of errors; files in {kept}", size_text(limits.stdout), size_text(limits.stderr)));
    let nothing = if filesystem.mounts.is_empty() { "; of the host: nothing" } else { "" };
    line("files", format!("{} in memory, {} files{nothing}", size_text(filesystem.quota), filesystem.max_files));
    for mount in &filesystem.mounts {
        let access = match mount.access {
            Access::Read => "for reading",
            Access::Write => "for writing: the host's files change",
            Access::Overlay => "as an overlay: changes stay in the sandbox",
        };
        line("files", format!("{} is {}, {access}", mount.guest, mount.host.display()));
    }
    match policy.network() {
        None => line("network", "none".to_owned()),
        Some(network) => requests(network).into_iter().for_each(|text| line("network", text)),
    }
    let functions: Vec<&str> = policy.host().map(|host| host.functions().collect()).unwrap_or_default();
    match policy.host() {
        Some(host) if !functions.is_empty() => {
            line("functions", format!("{}; {} calls, {} at once", functions.join(", "), host.max_calls, host.max_concurrent));
        }
        _ => line("functions", "none of the host".to_owned()),
    }
    let tools = policy.tools();
    let programs: Vec<&str> = tools.allow.iter().chain(tools.custom.keys()).map(String::as_str).collect();
    line("programs", listed(&programs));
    let variables: Vec<&str> = policy.env().keys().map(String::as_str).collect();
    line("variables", listed(&variables));
    line(
        "clock",
        match policy.determinism() {
            Some(fixed) => format!("fixed, and so is chance (seed {}): each run gives the same", fixed.seed),
            None => "the machine's, and so is chance".to_owned(),
        },
    );
    lines
}

/// Returns every number that holds under a policy.
pub(crate) fn limits(policy: &Policy) -> Vec<LimitRow> {
    let row = |(key, value): (wisp_policy::schema::Key, String)| LimitRow { key: key.path(), value, rule: policy.rule(key).to_string() };
    policy.numbers().into_iter().map(row).collect()
}

/// Returns the lines about requests.
fn requests(network: &Network) -> Vec<String> {
    if network.allow.is_empty() {
        return vec!["none: no rule allows a request".to_owned()];
    }
    let rules = network.allow.iter().map(|rule| format!("{} {}", rule.methods.join(", "), rule.url));
    let secrets =
        network.secrets.iter().map(|secret| format!("{} goes along to {}; the sandbox has a placeholder", secret.variable, secret.host));
    let (all, minute, bytes) = (network.max_requests, network.max_requests_per_minute, size_text(network.max_bytes));
    rules.chain(secrets).chain([format!("{all} requests, {minute} in a minute, {bytes} in all")]).collect()
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// Returns a time as a policy writes it: `30s`.
fn time(duration: Duration) -> String {
    duration_text(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use wisp_policy::{NoFiles, Overrides};

    use super::*;

    fn about(policy: &Policy, about: &str) -> Vec<String> {
        lines(policy).into_iter().filter(|line| line.about == about).map(|line| line.text).collect()
    }

    #[test]
    fn the_default_policy_is_ten_lines() {
        let offline = Policy::offline();
        assert_eq!(lines(&offline).len(), 10);
        assert_eq!(about(&offline, "time"), ["1m for a command, with 30s of processor time"]);
        assert_eq!(about(&offline, "network"), ["none"]);
        let wall = limits(&offline).into_iter().find(|row| row.key == "limits.wall").unwrap();
        assert!(wall.value == "1m" && wall.rule.starts_with("policies/offline.toml:"), "{wall:?}");
        assert!(limits(&offline).iter().all(|row| !row.key.starts_with("network.")));
    }

    #[test]
    fn what_is_granted_is_named() {
        let options = Overrides::command_line().allow("GET,POST https://a.example/x/").timeout("5s");
        let policy = Policy::offline().with(&NoFiles, &options).unwrap();
        assert_eq!(about(&policy, "network"), ["GET, POST https://a.example/x/", "100 requests, 1000 in a minute, 1GiB in all"]);
        let rows = limits(&policy);
        let row = |key: &str| rows.iter().find(|row| row.key == key).map(|row| (row.value.as_str(), row.rule.as_str()));
        assert_eq!(row("limits.wall"), Some(("5s", "command line")));
        assert_eq!(row("network.max_requests"), Some(("100", "built in")));
    }
}
