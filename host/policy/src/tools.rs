//! The tools of a layer, and the names that custom tools may have.

pub(crate) mod settle;

use super::finding::quote;
use super::host_path::HostPath;
use super::limits;
use super::read::{Reader, Set};
use super::rule::Rule;
use super::shipped_tools::{alias_of, shipped_names};

/// `[tools.custom.NAME]` of a layer.
#[derive(Debug, Clone)]
pub(super) struct CustomLayer {
    pub(super) rule: Rule,
    /// `None` only after a finding.
    pub(super) path: Option<Set<HostPath>>,
    pub(super) sha256: Option<Set<String>>,
    pub(super) network: Option<Set<bool>>,
    pub(super) host: Option<Set<bool>>,
}

/// Checks the name of a custom tool: a file name that needs no quoting, and not a shipped tool's name.
pub(super) fn check_name(reader: &Reader, name: &Set<String>) -> bool {
    let text = name.value.as_str();
    let of = |char: char| char.is_ascii_alphanumeric() || "._+-".contains(char);
    let refuse = |message: String, help: &str| {
        reader.find(name.rule.finding(message).help(help));
        false
    };
    if let Some(tool) = shipped_names().find(|tool| *tool == text).or_else(|| alias_of(text)) {
        let message = format!("a tool of your own cannot be called {}: it would hide the shipped tool `{tool}`", quote(text));
        return refuse(message, "give it another name");
    }
    if text.is_empty()
        || text.len() > limits::TOOL_NAME_BYTES
        || !text.chars().all(of)
        || !text.starts_with(|char: char| char.is_ascii_alphanumeric())
    {
        let help = "use letters, digits, `.`, `_`, `+` and `-`, at most 64, a letter or digit first";
        return refuse(format!("a tool cannot be called {}", quote(text)), help);
    }
    true
}

/// The images that `python3` may be.
pub(super) const IMAGES: &[&str] = &["data"];

/// Returns the name of an image.
pub(super) fn check_image(reader: &Reader, image: Set<String>) -> Option<Set<String>> {
    if IMAGES.contains(&image.value.as_str()) {
        return Some(image);
    }
    let message = format!("unknown image of `python3`: {}", quote(&image.value));
    reader.find(image.rule.finding(message).help("write `python = \"data\"`, or leave it out for the shipped `python3`"));
    None
}

/// Reads 64 hexadecimal digits, in lower case.
pub(super) fn check_sha256(reader: &Reader, text: Set<String>) -> Option<Set<String>> {
    let digits = text.value.len();
    let problem = if let Some(strange) = text.value.chars().find(|char| !char.is_ascii_hexdigit()) {
        format!("{} is not a hexadecimal digit", quote(&strange.to_string()))
    } else if digits != 64 {
        format!("this has {digits} digits, not 64")
    } else {
        return Some(Set { value: text.value.to_ascii_lowercase(), rule: text.rule });
    };
    let help = "write the 64 hexadecimal digits that `sha256sum` prints for the component, without a prefix";
    reader.find(text.rule.finding("`sha256` is not a SHA-256 digest").label(problem).help(help));
    None
}
