//! The source of the guests: a folder of components, or a table of them that a program holds ([`packed`]).
//!
//! A component has a name (`python3`) and a digest, which does not depend on its source. Its bytes are read or unpacked on
//! demand, and are always checked against the digest, so that no caller needs to check them. This crate holds no component
//! itself, so that a changed one compiles nothing that depends on it: `wisp-embedded` does, for programs that carry them.

#![expect(clippy::disallowed_methods, reason = "the folder that WISP_COMPONENTS names")]

mod digest;
pub mod packed;

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use digest::sha256;
use wisp_api::ErrorCode;

/// The environment variable that names a folder of components to use in place of those that a program holds.
pub const COMPONENTS_VARIABLE: &str = "WISP_COMPONENTS";

/// The file of an image that says what its other files must be: their names, SHA-256 and sizes, one line for each.
const IMAGE: &str = "image";

/// Why a component cannot be provided.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ComponentError {
    /// No component of that name is in the source.
    #[error("no component `{name}`; {place} has {known}")]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The place that was searched.
        place: String,
        /// The names that exist.
        known: String,
    },
    /// The source has no components at all.
    #[error(
        "{place} has no components; `toolchain/just build` makes them, in `target/components`: name that folder (to the command, in \
         `{COMPONENTS_VARIABLE}`)"
    )]
    Empty {
        /// The place that was searched.
        place: String,
    },
    /// A file of the folder could not be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// There is no image by that name.
    #[error(
        "the image `{name}` is not at `{}`: it is built once, on this machine. Run `toolchain/just python-{name}`, which says how long \
         that takes, and then `wisp prepare --image {name}`, which compiles it", folder.display()
    )]
    NoImage {
        /// The image.
        name: String,
        /// Where it would be.
        folder: PathBuf,
    },
    /// The bytes are not those that the digest names.
    #[error("component `{name}` is damaged: its sha256 is {found}, expected {expected}")]
    Damaged {
        /// The component.
        name: String,
        /// The digest it must have.
        expected: String,
        /// The digest it has, or why it could not be unpacked.
        found: String,
    },
}

impl ComponentError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Unknown { .. } | Self::Empty { .. } | Self::Damaged { .. } => ErrorCode::ComponentsUnusable,
            Self::Unreadable { .. } => ErrorCode::IoError,
            Self::NoImage { .. } => ErrorCode::NotPrepared,
        }
    }
}

wisp_api::wisp_error!(ComponentError);

/// One component: its name, its digest, and where its bytes are.
#[derive(Clone)]
pub struct Component(Arc<Entry>);

struct Entry {
    name: String,
    applets: Vec<String>,
    wasm: Stored,
    base: Option<Stored>,
    exceptions: bool,
}

/// Bytes that are not in memory yet.
struct Stored {
    sha256: String,
    size: u64,
    place: Place,
}

enum Place {
    Packed(&'static [u8]),
    File(PathBuf),
}

impl Component {
    /// Returns the name on the sandbox's PATH.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns its other names, which are links to it on the sandbox's PATH.
    pub fn applets(&self) -> &[String] {
        &self.0.applets
    }

    /// Returns the SHA-256 of the component, in hex.
    pub fn digest(&self) -> &str {
        &self.0.wasm.sha256
    }

    /// Returns the size of the component in bytes.
    pub fn size(&self) -> u64 {
        self.0.wasm.size
    }

    /// Returns the SHA-256 of the archive of files that belong to it, if it has one.
    pub fn base_digest(&self) -> Option<&str> {
        self.0.base.as_ref().map(|base| base.sha256.as_str())
    }

    /// Returns whether its code throws and catches exceptions of wasm, for which it needs an engine of its own. Only an image's does.
    pub fn has_exceptions(&self) -> bool {
        self.0.exceptions
    }

    /// Returns the component of an image, such as `data`: an interpreter with its files, in a folder of `images`, which
    /// `toolchain/just python-data` makes. The bytes are not read here; what they must be is written beside them.
    ///
    /// # Errors
    /// `NoImage`, and `Damaged` if what is written beside them cannot be read.
    pub fn of_image(images: &Path, name: &str) -> Result<Self, ComponentError> {
        let folder = images.join(name);
        let Ok(text) = fs::read_to_string(folder.join(IMAGE)) else {
            return Err(ComponentError::NoImage { name: name.to_owned(), folder });
        };
        let stored = |file: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(file)?.strip_prefix(' '));
            let (sha256, size) = line.and_then(|line| line.split_once(' '))?;
            Some(Stored { sha256: sha256.to_owned(), size: size.parse().ok()?, place: Place::File(folder.join(file)) })
        };
        let damaged = |file: &str| ComponentError::Damaged {
            name: name.to_owned(),
            expected: format!("a line for {file}"),
            found: format!("missing in {}", folder.join(IMAGE).display()),
        };
        let (wasm, base) = ("python3.wasm", "python3.base.tar");
        Ok(Self(Arc::new(Entry {
            name: "python3".to_owned(),
            applets: vec!["python".to_owned()],
            wasm: stored(wasm).ok_or_else(|| damaged(wasm))?,
            base: Some(stored(base).ok_or_else(|| damaged(base))?),
            exceptions: true,
        })))
    }

    /// Returns the component itself, unpacked and checked.
    ///
    /// # Errors
    /// `Unreadable` or `Damaged`.
    pub fn bytes(&self) -> Result<Vec<u8>, ComponentError> {
        self.0.wasm.load(&self.0.name)
    }

    /// Returns the archive (tar) of files that it needs in the sandbox, unpacked and checked; `None` if it has none.
    ///
    /// # Errors
    /// `Unreadable` or `Damaged`.
    pub fn base(&self) -> Result<Option<Vec<u8>>, ComponentError> {
        self.0.base.as_ref().map(|base| base.load(&self.0.name)).transpose()
    }
}

impl std::fmt::Debug for Component {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Component").field("name", &self.name()).field("digest", &self.digest()).finish_non_exhaustive()
    }
}

impl Stored {
    fn file(path: PathBuf) -> Result<Self, ComponentError> {
        let content = read(&path)?;
        Ok(Self { sha256: sha256(&content), size: content.len() as u64, place: Place::File(path) })
    }

    fn load(&self, name: &str) -> Result<Vec<u8>, ComponentError> {
        let damaged = |found: String| ComponentError::Damaged { name: name.to_owned(), expected: self.sha256.clone(), found };
        let content = match &self.place {
            Place::Packed(packed) => {
                let size = usize::try_from(self.size).map_err(|error| damaged(error.to_string()))?;
                zstd::bulk::decompress(packed, size).map_err(|error| damaged(format!("not there: {error}")))?
            }
            Place::File(path) => read(path)?,
        };
        match sha256(&content) {
            found if found == self.sha256 => Ok(content),
            found => Err(damaged(found)),
        }
    }
}

/// A set of components by name, at least one. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Components {
    place: String,
    folder: Option<PathBuf>,
    components: Arc<BTreeMap<String, Component>>,
}

impl Components {
    /// Reads the components of a folder, such as `target/components`: `NAME.wasm`, with `NAME.applets` (one name on each
    /// line) and `NAME.base.tar` beside it. Each file is read once now, for its digest, and again when it is needed: it must
    /// stay as it is.
    ///
    /// # Errors
    /// `Empty` when there is no such folder or no component in it, `Unreadable` when it or a file in it cannot be read.
    pub fn from_folder(folder: impl AsRef<Path>) -> Result<Self, ComponentError> {
        let folder = folder.as_ref();
        let unreadable = |source| ComponentError::Unreadable { path: folder.to_owned(), source };
        let found = match fs::read_dir(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(ComponentError::Empty { place: format!("`{}`, which does not exist,", folder.display()) });
            }
            found => found.map_err(unreadable)?,
        };
        let mut entries = Vec::new();
        for entry in found {
            let path = entry.map_err(unreadable)?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".wasm")) else { continue };
            if name.is_empty() || name.starts_with('.') {
                continue;
            }
            let applets = match fs::read_to_string(path.with_extension("applets")) {
                Ok(text) => text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect(),
                Err(_) => Vec::new(),
            };
            let base = path.with_extension("base.tar");
            let base = if base.is_file() { Some(Stored::file(base)?) } else { None };
            entries.push(Entry { name: name.to_owned(), applets, wasm: Stored::file(path.clone())?, base, exceptions: false });
        }
        Self::new(format!("`{}`", folder.display()), Some(folder.to_owned()), entries.into_iter())
    }

    /// Reads the components of the folder that the environment variable `WISP_COMPONENTS` names. Returns `None` if it names
    /// none: what applies then is the program's decision.
    ///
    /// # Errors
    /// As [`Components::from_folder`].
    pub fn from_env() -> Result<Option<Self>, ComponentError> {
        let folder = std::env::var_os(COMPONENTS_VARIABLE).filter(|folder| !folder.is_empty());
        folder.map(Self::from_folder).transpose()
    }

    fn new(place: String, folder: Option<PathBuf>, entries: impl Iterator<Item = Entry>) -> Result<Self, ComponentError> {
        let components: BTreeMap<_, _> = entries.map(|entry| (entry.name.clone(), Component(Arc::new(entry)))).collect();
        if components.is_empty() {
            return Err(ComponentError::Empty { place });
        }
        Ok(Self { place, folder, components: Arc::new(components) })
    }

    /// Finds the component of that name.
    ///
    /// # Errors
    /// `Unknown`.
    pub fn lookup(&self, name: &str) -> Result<&Component, ComponentError> {
        self.components.get(name).ok_or_else(|| ComponentError::Unknown {
            name: name.to_owned(),
            place: self.place.clone(),
            known: self.components.keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        })
    }

    /// Returns every component, sorted by name.
    pub fn list(&self) -> impl Iterator<Item = &Component> {
        self.components.values()
    }

    /// Returns the folder that they are read from, unless the program holds them.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Returns the place of these components, for messages: a folder, or this build.
    pub fn place(&self) -> &str {
        &self.place
    }
}

fn read(path: &Path) -> Result<Vec<u8>, ComponentError> {
    fs::read(path).map_err(|source| ComponentError::Unreadable { path: path.to_owned(), source })
}
