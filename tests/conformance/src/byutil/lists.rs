//! `byutil.toml`: the tests that do not apply here, and those known to fail.

use std::collections::BTreeMap;
use std::fs;

use toml::Value;

/// The lists.
pub(super) struct Lists {
    /// A part of a test's name, and why it is left out.
    skip: BTreeMap<String, String>,
    /// Tests that fail, and why.
    known: BTreeMap<String, String>,
}

impl Lists {
    /// Reads them.
    ///
    /// # Errors
    /// When the file is not valid.
    pub(super) fn read() -> Result<Self, String> {
        let path = crate::root().join("tests/conformance/byutil.toml");
        let text = fs::read_to_string(&path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        Self::parse(&text)
    }

    /// `[skip]`: a reason and parts of names. `[fails]`: a reason and names.
    fn parse(text: &str) -> Result<Self, String> {
        let file: BTreeMap<String, BTreeMap<String, Value>> =
            toml::from_str(text).map_err(|error| format!("tests/conformance/byutil.toml: {error}"))?;
        let mut lists = Self { skip: BTreeMap::new(), known: BTreeMap::new() };
        for (section, reasons) in file {
            for (reason, names) in reasons {
                let names = names.as_array().ok_or_else(|| format!("tests/conformance/byutil.toml: `{reason}` is no list"))?;
                for name in names.iter().filter_map(Value::as_str) {
                    match section.as_str() {
                        "skip" => _ = lists.skip.insert(name.to_owned(), reason.clone()),
                        "fails" => _ = lists.known.insert(name.to_owned(), reason.clone()),
                        _ => return Err(format!("tests/conformance/byutil.toml: `{section}` is neither skip nor fails")),
                    }
                }
            }
        }
        Ok(lists)
    }

    /// Why a test is left out, if it is.
    pub(super) fn skip(&self, name: &str) -> Option<&str> {
        self.skip.iter().find(|(part, _)| name.contains(part.as_str())).map(|(_, reason)| reason.as_str())
    }

    /// Whether a test is known to fail.
    pub(super) fn known(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// Whether a test may pass or fail: its reason begins with `a race `.
    pub(super) fn raced(&self, name: &str) -> bool {
        self.known.get(name).is_some_and(|reason| reason.starts_with("a race "))
    }
}

#[cfg(test)]
mod tests {
    use super::Lists;

    #[test]
    fn parts_of_names_skip_and_whole_names_fail() {
        let lists =
            Lists::parse("[skip]\n\"no pipes\" = [\"fifo\"]\n[fails]\n\"later\" = [\"test_a::b\"]\n\"a race \" = [\"test_a::c\"]\n")
                .expect("lists");
        assert_eq!((lists.skip("test_cp::with_fifo_x"), lists.skip("test_cp::x")), (Some("no pipes"), None));
        assert_eq!((lists.known("test_a::b"), lists.known("test_a::bc")), (true, false));
        assert_eq!((lists.raced("test_a::b"), lists.raced("test_a::c")), (false, true));
    }
}
