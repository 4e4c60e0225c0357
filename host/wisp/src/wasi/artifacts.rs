//! `wisp:sandbox/artifacts`: labels for the files of the output directory.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use wasmtime::component::HasData;

use super::bindings::wisp::sandbox::artifacts;
use super::context::{Part, WasiView};
use super::{Charge, HostMemory};
use wisp_vfs::MAX_PATH;

/// Maximum bytes of a title, which is shown to people and which the host keeps.
const MAX_TITLE: usize = 1024;

/// Maximum bytes of a media type: 127 for each half (RFC 6838, 4.2).
const MAX_TYPE: usize = 255;

/// What a program said about an artifact.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Label {
    /// A title for people.
    pub title: Option<String>,
    /// The media type.
    pub mime_type: Option<String>,
}

/// What a label costs beside its texts.
const LABEL_COST: usize = 256;

/// The labels of a session.
pub struct Labels {
    directory: String,
    limit: usize,
    memory: Arc<dyn HostMemory>,
    labels: Mutex<BTreeMap<String, (Label, Charge)>>,
}

fn cost(path: &str, label: &Label) -> u64 {
    let texts = [label.title.as_ref(), label.mime_type.as_ref()].into_iter().flatten();
    (path.len() + texts.map(String::len).sum::<usize>() + LABEL_COST) as u64
}

/// Why a label was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    Outside,
    Invalid,
    TooMany,
}

impl Labels {
    /// Makes an empty set of labels for files below `directory`: at most `limit`, charged to `memory`.
    pub fn new(directory: &str, limit: usize, memory: Arc<dyn HostMemory>) -> Self {
        Self { directory: directory.to_owned(), limit, memory, labels: Mutex::default() }
    }

    /// Copies the labels, to be changed independently. The copy is charged to `memory` whether that has room or not.
    pub fn fork(&self, memory: Arc<dyn HostMemory>) -> Self {
        let labels = Mutex::new(self.copy(&memory));
        Self { directory: self.directory.clone(), limit: self.limit, memory, labels }
    }

    /// Copies the labels, charged to `memory`.
    fn copy(&self, memory: &Arc<dyn HostMemory>) -> BTreeMap<String, (Label, Charge)> {
        let labels = self.labels.lock();
        let charged =
            |(path, (label, _)): (&String, &(Label, Charge))| (path.clone(), (label.clone(), Charge::owed(memory, cost(path, label))));
        labels.iter().map(charged).collect()
    }

    /// Takes over the labels of `other`, and drops all others.
    pub fn restore(&self, other: &Self) {
        let labels = other.copy(&self.memory);
        *self.labels.lock() = labels;
    }

    /// Returns the output directory.
    pub fn directory(&self) -> &str {
        &self.directory
    }

    /// Returns the label of the file at `path`.
    pub fn get(&self, path: &str) -> Option<Label> {
        self.labels.lock().get(path).map(|(label, _)| label.clone())
    }

    /// Returns all labels, with the paths of their files.
    pub fn all(&self) -> Vec<(String, Label)> {
        let labels = self.labels.lock();
        labels.iter().map(|(path, (label, _))| (path.clone(), label.clone())).collect()
    }

    /// Sets a label that was kept elsewhere. Returns whether a guest could have set it.
    pub fn put_back(&self, path: &str, label: Label) -> bool {
        self.set(path, label).is_ok()
    }

    fn set(&self, path: &str, label: Label) -> Result<(), Refusal> {
        let path = self.below(path).ok_or(Refusal::Outside)?;
        let title_fits = |title: &String| title.len() <= MAX_TITLE && !title.contains(char::is_control);
        if !label.title.as_ref().is_none_or(title_fits) || !label.mime_type.as_deref().is_none_or(is_media_type) {
            return Err(Refusal::Invalid);
        }
        let mut labels = self.labels.lock();
        if labels.len() >= self.limit && !labels.contains_key(&path) {
            return Err(Refusal::TooMany);
        }
        let charge = Charge::new(&self.memory, cost(&path, &label)).ok_or(Refusal::TooMany)?;
        labels.insert(path, (label, charge));
        Ok(())
    }

    /// Returns the path without `.`, `..` and doubled slashes, if it is below the output directory.
    fn below(&self, path: &str) -> Option<String> {
        if path.len() > MAX_PATH || !path.starts_with('/') {
            return None;
        }
        let mut parts = Vec::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        let path = format!("/{}", parts.join("/"));
        let rest = path.strip_prefix(self.directory.trim_end_matches('/'))?;
        (rest.starts_with('/') && rest.len() > 1).then_some(path)
    }
}

/// Returns whether `text` is `type/subtype` in the characters of RFC 6838, with no parameter except `charset`.
pub(super) fn is_media_type(text: &str) -> bool {
    let name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte));
    let text = text.strip_suffix("; charset=utf-8").unwrap_or(text);
    text.len() <= MAX_TYPE && text.split_once('/').is_some_and(|(kind, subtype)| name(kind) && name(subtype))
}

/// The part of a process that `wisp:sandbox/artifacts` sees: its session's labels.
pub(super) struct HasLabels;

impl HasData for HasLabels {
    type Data<'a> = &'a Labels;
}

impl Part for HasLabels {
    fn of(view: WasiView<'_>) -> &Labels {
        &view.ctx.labels
    }
}

impl artifacts::Host for &Labels {
    fn set_label(&mut self, path: String, label: artifacts::Label) -> wasmtime::Result<Result<(), artifacts::LabelError>> {
        let label = Label { title: label.title, mime_type: label.mime_type };
        Ok(self.set(&path, label).map_err(|refusal| match refusal {
            Refusal::Outside => artifacts::LabelError::OutsideOutput,
            Refusal::Invalid => artifacts::LabelError::InvalidLabel,
            Refusal::TooMany => artifacts::LabelError::TooMany,
        }))
    }

    fn directory(&mut self) -> wasmtime::Result<String> {
        Ok(Labels::directory(self).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::super::charge::tests::Account;
    use super::*;

    fn label(title: &str, mime_type: &str) -> Label {
        Label { title: Some(title.to_owned()), mime_type: Some(mime_type.to_owned()) }
    }

    #[test]
    fn a_label_is_for_a_file_below_the_output_directory() {
        let labels = Labels::new("/output", 2, Account::of(10_000).1);
        assert_eq!(labels.set("/output/./a//chart.svg", label("Sales", "image/svg+xml")), Ok(()));
        assert_eq!(labels.get("/output/a/chart.svg"), Some(label("Sales", "image/svg+xml")));
        for outside in ["/tmp/x", "/output", "/output/../etc/passwd", "/outputs/x", "chart.svg", ""] {
            assert_eq!(labels.set(outside, Label::default()), Err(Refusal::Outside), "{outside}");
        }
    }

    #[test]
    fn a_label_is_short_and_plain_and_there_are_not_too_many() {
        let labels = Labels::new("/output", 1, Account::of(10_000).1);
        assert_eq!(labels.set("/output/x", label("a\u{1b}[2J", "text/plain")), Err(Refusal::Invalid));
        assert_eq!(labels.set("/output/x", label("a", "text")), Err(Refusal::Invalid));
        assert_eq!(labels.set("/output/x", label(&"a".repeat(1025), "text/plain")), Err(Refusal::Invalid));
        assert_eq!(labels.set("/output/x", label("a", "text/plain; charset=utf-8")), Ok(()));
        assert_eq!(labels.set("/output/x", label("again", "text/plain")), Ok(()));
        assert_eq!(labels.set("/output/y", Label::default()), Err(Refusal::TooMany));
    }

    #[test]
    fn a_label_is_charged_while_it_is_kept() {
        let (account, memory) = Account::of(2_000);
        let labels = Labels::new("/output", 100, memory);
        assert_eq!(labels.set("/output/x", label(&"a".repeat(1_000), "text/plain")), Ok(()));
        assert_eq!(account.left(), 2_000 - 9 - 1_000 - 10 - LABEL_COST as u64);
        assert_eq!(labels.set("/output/y", label(&"a".repeat(1_000), "text/plain")), Err(Refusal::TooMany));
        let (forks, memory) = Account::of(2_000);
        let fork = labels.fork(memory);
        assert_eq!((forks.left(), fork.get("/output/x")), (account.left(), labels.get("/output/x")));
        drop((labels, fork));
        assert_eq!((account.left(), forks.left()), (2_000, 2_000));
    }
}
