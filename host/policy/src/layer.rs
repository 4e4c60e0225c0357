//! One policy as written: the keys of a single text, each value checked on its own. Layers are merged (`extends`,
//! options) and then settled.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use toml::de::DeTable;

use super::finding::{Finding, Findings, SourceFile};
use super::host::{self, HostLayer};
use super::host_path::host_path;
use super::imports::ImportLayer;
use super::mounts::{MountLayer, check_access};
use super::network::{self, NetworkLayer};
use super::python::PythonLayer;
use super::read::{Reader, Set};
use super::rule::{Origin, Rule};
use super::schema::Key;
use super::section::Section;
use super::tables::{numbers_in, tables_with_numbers};
use super::tools::CustomLayer;
use super::{env, imports, limits, mounts, python, tools};

/// The content of one text.
#[derive(Debug, Clone, Default)]
pub(super) struct Layer {
    pub(super) name: Option<Set<String>>,
    pub(super) extends: Option<Set<String>>,
    pub(super) allow: Option<Set<Vec<Set<String>>>>,
    /// The image of `python3`.
    pub(super) image: Option<Set<String>>,
    pub(super) custom: BTreeMap<String, CustomLayer>,
    /// By interface.
    pub(super) imports: BTreeMap<String, ImportLayer>,
    /// Every numeric key, in the unit of its shape.
    pub(super) numbers: BTreeMap<Key, Set<u64>>,
    pub(super) mounts: Vec<MountLayer>,
    pub(super) network: NetworkLayer,
    pub(super) host: HostLayer,
    pub(super) python: PythonLayer,
    pub(super) env: BTreeMap<String, Set<String>>,
    pub(super) output_path: Option<Set<String>>,
    /// The table `[determinism]`, even when it is empty.
    pub(super) determinism: Option<Rule>,
    /// The files from which it was read.
    pub(super) files: Vec<PathBuf>,
    /// The links through which they, the tools and the certificates were reached.
    pub(super) links: Vec<PathBuf>,
}

/// A layer, its findings, and whether the text could be read as a whole.
pub(super) struct Reading {
    pub(super) layer: Layer,
    pub(super) findings: Findings,
    /// False after syntax errors, when parts may be missing.
    pub(super) complete: bool,
}

impl Layer {
    /// Reads a text. Relative paths in it are relative to `base`.
    pub(super) fn read(file: &Arc<SourceFile>, base: &std::path::Path) -> Reading {
        Self::read_as(file, base, Origin::File)
    }

    /// Returns the same for a text that comes from elsewhere.
    pub(super) fn read_as(file: &Arc<SourceFile>, base: &std::path::Path, origin: Origin) -> Reading {
        let reader = Reader::new(file.clone(), origin);
        if file.text().len() as u64 > limits::POLICY_BYTES {
            reader.find(Finding::whole(
                file.clone(),
                format!("a policy may have {} bytes; this has {}", limits::POLICY_BYTES, file.text().len()),
            ));
            return Reading { layer: Self::default(), findings: reader.into_findings(), complete: false };
        }
        let (document, errors) = DeTable::parse_recoverable(file.text());
        let mut complete = true;
        for error in errors {
            let span = error.span().unwrap_or(0..0);
            let finding = Finding::new(&reader.place(span), error.message().to_owned());
            if error.message().starts_with("duplicate key") {
                reader.find(finding.help("remove one of the two"));
            } else {
                complete = false;
                reader.find(finding.help("a policy is TOML: https://toml.io"));
            }
        }
        // After a syntax error, keys can seem to be missing or unknown: report only what is certain.
        let layer = if complete { Self::from_document(&reader, document.get_ref(), base) } else { Self::default() };
        Reading { layer, findings: reader.into_findings(), complete }
    }

    fn from_document(reader: &Reader, document: &DeTable<'_>, base: &std::path::Path) -> Self {
        let mut layer = Self::default();
        let mut root = Section::root(reader, document);
        layer.name = root.text(Key::Name).filter(|name| check_name(reader, name));
        layer.extends = root.text(Key::Extends);
        if let Some(section) = root.table("tools") {
            layer.read_tools(reader, section, base);
        }
        layer.imports = imports::read(reader, &mut root, base);
        if let Some(mut section) = root.table("python") {
            layer.python = python::read(reader, &mut section, base);
            section.finish();
        }
        if let Some(mut section) = root.table("env") {
            for (name, value) in section.named_texts("vars", Key::EnvVar) {
                if env::check(reader, &name, &value) {
                    layer.env.insert(name.value, value);
                }
            }
            section.finish();
        }
        for table in tables_with_numbers() {
            let Some(mut section) = root.table(table) else {
                continue;
            };
            for key in numbers_in(table) {
                layer.numbers.extend(section.number(key).map(|number| (key, number)));
            }
            match table {
                "filesystem" => layer.read_mounts(reader, &mut section, base),
                "network" => layer.network = network::read(reader, &mut section, base),
                "host" => layer.host = host::read(reader, &mut section),
                "output" => {
                    layer.output_path = section.text(Key::OutputPath).filter(|path| mounts::check_guest(reader, Key::OutputPath, path));
                }
                "determinism" => layer.determinism = Some(section.rule()),
                _ => {}
            }
            section.finish();
        }
        root.finish();
        layer
    }

    fn read_tools(&mut self, reader: &Reader, mut section: Section<'_, '_>, base: &std::path::Path) {
        self.allow = section.texts(Key::Allow);
        self.image = section.text(Key::Python).and_then(|image| tools::check_image(reader, image));
        for (name, mut custom) in section.named("custom") {
            custom.require(Key::ToolPath);
            let path = custom.text(Key::ToolPath).and_then(|path| host_path(reader, Key::ToolPath, path, base));
            let sha256 = custom.text(Key::ToolSha256).and_then(|sha256| tools::check_sha256(reader, sha256));
            let network = custom.flag(Key::ToolNetwork);
            let host = custom.flag(Key::ToolHost);
            let rule = custom.rule();
            custom.finish();
            if tools::check_name(reader, &name) {
                self.custom.insert(name.value, CustomLayer { rule, path, sha256, network, host });
            }
        }
        section.finish();
    }

    fn read_mounts(&mut self, reader: &Reader, section: &mut Section<'_, '_>, base: &std::path::Path) {
        for mut mount in section.tables("mount") {
            mount.require(Key::MountHost);
            mount.require(Key::MountGuest);
            let host = mount.text(Key::MountHost).and_then(|host| host_path(reader, Key::MountHost, host, base));
            let guest = mount.text(Key::MountGuest).filter(|guest| mounts::check_guest(reader, Key::MountGuest, guest));
            let access = mount.text(Key::MountAccess).and_then(|word| check_access(reader, &word));
            let rule = mount.rule();
            mount.finish();
            if let (Some(host), Some(guest)) = (host, guest) {
                self.mounts.push(MountLayer { rule, host, guest, access });
            }
        }
    }

    /// Returns the value of a key with a number, in the unit of its shape: what the layer sets, or the default.
    pub(super) fn number(&self, key: Key) -> u64 {
        self.numbers.get(&key).map_or_else(|| key.default_number(), |set| set.value)
    }

    /// Merges this layer over a parent. For each key, this layer wins. Custom tools, components for imports, mounts and variables are
    /// merged by name, interface, guest path and name; an entry replaces the parent's entry as a whole.
    pub(super) fn over(mut self, parent: Self) -> Self {
        for (key, number) in parent.numbers {
            self.numbers.entry(key).or_insert(number);
        }
        for (name, custom) in parent.custom {
            self.custom.entry(name).or_insert(custom);
        }
        for (interface, import) in parent.imports {
            self.imports.entry(interface).or_insert(import);
        }
        for (name, value) in parent.env {
            self.env.entry(name).or_insert(value);
        }
        let kept: Vec<MountLayer> =
            parent.mounts.into_iter().filter(|mount| !self.mounts.iter().any(|own| own.guest.value == mount.guest.value)).collect();
        self.mounts.splice(0..0, kept);
        self.files.extend(parent.files);
        self.links.extend(parent.links);
        Self {
            allow: self.allow.or(parent.allow),
            image: self.image.or(parent.image),
            output_path: self.output_path.or(parent.output_path),
            determinism: self.determinism.or(parent.determinism),
            network: self.network.over(parent.network),
            host: self.host.over(parent.host),
            python: self.python.over(parent.python),
            ..self
        }
    }
}

fn check_name(reader: &Reader, name: &Set<String>) -> bool {
    let problem = if name.value.trim().is_empty() {
        "a name must not be empty"
    } else if name.value.len() > limits::NAME_BYTES {
        "a name has at most 128 bytes"
    } else if name.value.chars().any(|char| char.is_control() || super::finding::is_invisible(char)) {
        "a name has no control characters"
    } else {
        return true;
    };
    reader.find(name.rule.finding("`name` is not valid").label(problem).help("write a word or two"));
    false
}
