//! `[python]`: where pip finds packages. Each key stands for what it grants: `index` and `files` for rules of `[network]`, `wheels`
//! for a mount, and all of them for the variables that pip reads. What the policy itself sets for the same URL or variable stays.

use std::collections::BTreeMap;
use std::path::Path;

use super::host_path::{HostPath, host_path};
use super::mounts::MountLayer;
use super::network::{AllowRule, read_url};
use super::read::{Reader, Set};
use super::schema::Key;
use super::section::Section;

/// Where the sandbox sees the folder of `python.wheels`.
pub(crate) const WHEELS: &str = "/mnt/wheels";

/// The part of one text about packages.
#[derive(Debug, Clone, Default)]
pub(crate) struct PythonLayer {
    /// The index as written, and the rule that reads from it.
    pub(crate) index: Option<(Set<String>, AllowRule)>,
    /// Reads from the places that the index's links lead to.
    pub(crate) files: Option<Set<Vec<AllowRule>>>,
    pub(crate) wheels: Option<Set<HostPath>>,
}

/// What the keys stand for.
#[derive(Debug, Default)]
pub(crate) struct Granted {
    pub(crate) allow: Vec<AllowRule>,
    pub(crate) mount: Option<MountLayer>,
    pub(crate) env: BTreeMap<String, Set<String>>,
}

impl PythonLayer {
    /// Merges this layer over a parent: each key wins over the parent's.
    pub(crate) fn over(self, parent: Self) -> Self {
        Self { index: self.index.or(parent.index), files: self.files.or(parent.files), wheels: self.wheels.or(parent.wheels) }
    }

    /// Returns what these keys grant.
    pub(crate) fn granted(&self) -> Granted {
        let mut granted = Granted::default();
        if let Some((url, rule)) = &self.index {
            granted.allow.push(rule.clone());
            granted.env.insert("PIP_INDEX_URL".into(), url.clone());
            if let Some(rest) = url.value.strip_prefix("http://") {
                // pip reads without TLS only from where it was told to.
                let host = rest.split(['/', '?', '#']).next().unwrap_or_default().to_owned();
                granted.env.insert("PIP_TRUSTED_HOST".into(), Set { value: host, rule: url.rule.clone() });
            }
        }
        granted.allow.extend(self.files.iter().flat_map(|files| &files.value).cloned());
        if let Some(wheels) = &self.wheels {
            let set = |value: &str| Set { value: value.to_owned(), rule: wheels.rule.clone() };
            granted.env.insert("PIP_FIND_LINKS".into(), set(WHEELS));
            if self.index.is_none() {
                granted.env.insert("PIP_NO_INDEX".into(), set("1"));
            }
            granted.mount = Some(MountLayer { rule: wheels.rule.clone(), host: wheels.clone(), guest: set(WHEELS), access: None });
        }
        granted
    }
}

/// Reads the table.
pub(crate) fn read(reader: &Reader, section: &mut Section<'_, '_>, base: &Path) -> PythonLayer {
    let index = section.text(Key::PythonIndex).and_then(|url| read_index(reader, url));
    let files = section
        .texts(Key::PythonFiles)
        .map(|list| Set { value: list.value.iter().filter_map(|url| read_url(reader, Key::PythonFiles, url)).collect(), rule: list.rule });
    let wheels = section.text(Key::PythonWheels).and_then(|path| host_path(reader, Key::PythonWheels, path, base));
    PythonLayer { index, files, wheels }
}

/// Reads the index with its rule.
pub(crate) fn read_index(reader: &Reader, url: Set<String>) -> Option<(Set<String>, AllowRule)> {
    read_url(reader, Key::PythonIndex, &url).map(|rule| (url, rule))
}
