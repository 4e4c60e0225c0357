//! `expected.toml`: the known failures, each with its reason.
//!
//! There is a table for each suite; the keys are the rest of the case's id. A failure that is not listed is a
//! regression. A listed case that passes is an error as well: remove it.

use std::collections::BTreeMap;
use std::fs;

/// The reasons by the id of the case.
#[derive(Debug)]
pub struct Expected(BTreeMap<String, String>);

impl Expected {
    /// Reads the list.
    ///
    /// # Errors
    /// When it is not valid.
    pub fn read() -> Result<Self, String> {
        let path = crate::root().join("tests/conformance/expected.toml");
        let text = fs::read_to_string(&path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let suites: BTreeMap<String, BTreeMap<String, String>> =
            toml::from_str(text).map_err(|error| format!("tests/conformance/expected.toml: {error}"))?;
        let mut all = BTreeMap::new();
        for (suite, cases) in suites {
            for (case, reason) in cases {
                if reason.trim().is_empty() {
                    return Err(format!("tests/conformance/expected.toml: `{suite}/{case}` has no reason"));
                }
                all.insert(format!("{suite}/{case}"), reason);
            }
        }
        Ok(Self(all))
    }

    /// Why a case is expected to fail, if it is.
    pub fn reason(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(String::as_str)
    }

    /// The ids.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::Expected;

    #[test]
    fn every_failure_has_a_reason() {
        let list = Expected::parse("[brush]\n\"a/b c\" = \"because\"\n").expect("a list");
        assert_eq!((list.reason("brush/a/b c"), list.reason("brush/a")), (Some("because"), None));
        assert!(Expected::parse("[brush]\n\"a\" = \" \"\n").is_err_and(|error| error.contains("brush/a")));
    }
}
