//! Keys of a policy as options write them: `limits.memory=1GiB`, `tools.allow=["sh"]`. Together they form one TOML
//! text that is read like a file, so that every key is known, checked and explained in one place.

use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::canonical::string;
use super::finding::{Finding, Findings, Location, SourceFile, quote};
use super::layer::{Layer, Reading};
use super::rule::Origin;
use super::schema::{Key, Shape};

/// Reads the settings together, and their findings.
pub(super) fn read(specs: &[impl AsRef<str>], origin: Origin) -> (Layer, Findings) {
    let mut findings = Findings::default();
    let mut lines = Vec::new();
    for spec in specs.iter().map(AsRef::as_ref) {
        match line(spec) {
            Ok(line) => lines.push(line),
            Err(help) => {
                let file = SourceFile::new(origin.as_str(), format!("--set {spec}"));
                let place = Location { file, span: "--set ".len().."--set ".len() + spec.len() };
                findings.push(Finding::new(&place, format!("{} sets no key", quote(spec))).help(help));
            }
        }
    }
    let Reading { layer, findings: found, .. } = Layer::read_as(&SourceFile::new(origin.as_str(), lines.join("\n")), Path::new(""), origin);
    findings.append(found);
    if let Some(extends) = &layer.extends {
        findings.push(extends.rule.finding("`extends` cannot be set by an option").help("name the policy with `--policy`"));
    }
    (layer, findings)
}

/// Returns a line of TOML for `KEY=VALUE`. A value that is not valid TOML (`1GiB`, `C.UTF-8`) becomes a string, and so does
/// every value of a key that takes a string.
fn line(spec: &str) -> Result<String, String> {
    const FORM: &str = "write `KEY=VALUE`, such as `--set limits.memory=1GiB`; policies/README.md lists every key";
    let (key, value) = spec.split_once('=').ok_or(FORM)?;
    let (key, value) = (key.trim(), value.trim());
    let bare = |part: &str| !part.is_empty() && part.chars().all(|char| char.is_ascii_alphanumeric() || "_-".contains(char));
    if !key.split('.').all(bare) {
        return Err(FORM.to_owned());
    }
    let quoted = format!("{key} = {}", string(value));
    let plain = format!("{key} = {value}");
    let text_key = Key::ALL.iter().any(|known| matches!(known.row().shape, Shape::Text) && is(known.path(), key));
    // A line break could begin another key.
    let one_line = !value.contains(['\n', '\r']);
    let parsed = one_line.then(|| DeTable::parse(&plain).ok()).flatten();
    let plain_fits = parsed.is_some_and(|document| !text_key || is_string(document.get_ref()));
    Ok(if plain_fits { plain } else { quoted })
}

/// Returns whether `key` matches `path`, in which `NAME` stands for any name.
fn is(path: &str, key: &str) -> bool {
    let (mut path, mut key) = (path.split('.'), key.split('.'));
    loop {
        match (path.next(), key.next()) {
            (None, None) => return true,
            (Some(known), Some(part)) if known == "NAME" || known == part => {}
            _ => return false,
        }
    }
}

/// Returns whether the one value of a document is a string.
fn is_string(table: &DeTable<'_>) -> bool {
    table.iter().all(|(_, value)| match value.get_ref() {
        DeValue::Table(inner) => is_string(inner),
        DeValue::String(_) => true,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_toml_where_it_can_be_and_a_string_where_it_must_be() {
        for (spec, expected) in [
            ("limits.memory=1GiB", "limits.memory = \"1GiB\""),
            ("limits.memory=1048576", "limits.memory = 1048576"),
            ("limits.memory = \"1GiB\"", "limits.memory = \"1GiB\""),
            ("tools.allow=[\"sh\", \"data\"]", "tools.allow = [\"sh\", \"data\"]"),
            ("env.vars.N=5", "env.vars.N = \"5\""),
            ("env.vars.N=a=b", "env.vars.N = \"a=b\""),
            ("env.vars.N=\"5\"", "env.vars.N = \"5\""),
            ("env.vars.N=", "env.vars.N = \"\""),
            ("network.receipt_query=true", "network.receipt_query = true"),
            ("env.vars.N=\\\"\u{1}", "env.vars.N = \"\\\\\\\"\\u0001\""),
            ("limits.memory=1\nname = \"x\"", "limits.memory = \"1\\nname = \\\"x\\\"\""),
        ] {
            assert_eq!(line(spec).as_deref(), Ok(expected), "{spec}");
        }
        for spec in ["limits.memory", "=1", "a b=1", "a..b=1", "[a]=1", "a.\"b\"=1"] {
            assert!(line(spec).is_err(), "{spec}");
        }
    }
}
