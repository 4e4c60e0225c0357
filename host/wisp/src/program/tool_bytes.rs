//! What sessions share of tools: where their bytes are, what they import, and the places of their programs.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use parking_lot::Mutex;
use tokio::sync::OnceCell;

use crate::program::error::SessionError;
use crate::program::linked::{Own, Program};
use crate::program::tool_file::ToolFile;
use crate::runtime::CodeCache;
use wisp_components::Component;
use wisp_world::Imports;

/// Where a tool's bytes are.
#[derive(Clone)]
pub(crate) enum ToolBytes {
    /// A shipped component.
    Shipped(Component),
    /// A file of the user.
    Custom(Arc<ToolFile>),
}

impl ToolBytes {
    /// Returns the digest of everything that decides which base files it brings.
    pub(crate) fn layout_digest(&self) -> String {
        match self {
            Self::Shipped(component) => {
                format!("{} {}", component.digest(), component.base_digest().unwrap_or_default())
            }
            Self::Custom(_) => String::new(),
        }
    }

    /// Returns whether its code throws exceptions of wasm. Only an image's may: custom tools get the everyday engine.
    pub(crate) fn exceptions(&self) -> bool {
        matches!(self, Self::Shipped(component) if component.has_exceptions())
    }

    /// Returns whose it is.
    pub(crate) fn own(&self) -> Own {
        match self {
            Self::Shipped(component) if component.name() == "python3" && !component.has_exceptions() => Own::Python,
            Self::Shipped(_) => Own::Shipped,
            Self::Custom(_) => Own::No,
        }
    }

    pub(crate) fn get(&self) -> Result<Arc<[u8]>, SessionError> {
        match self {
            Self::Shipped(component) => Ok(component.bytes()?.into()),
            Self::Custom(file) => Ok(file.bytes.clone()),
        }
    }
}

/// The imports of the shipped components, which a workshop remembers: reading a 27 MB component again for each session
/// would cost more than the session. They are also kept beside the machine code, for the next process.
#[derive(Default)]
pub(crate) struct ShippedImports(Mutex<HashMap<String, Arc<Imports>>>);

/// Changes when the meaning of [`Imports`] does.
const IMPORTS_FORMAT: &str = concat!("imports-", env!("CARGO_PKG_VERSION"));

impl ShippedImports {
    /// Returns the imports of this component.
    pub(crate) fn of(&self, component: &Component, cache: &CodeCache) -> Result<Arc<Imports>, SessionError> {
        let digest = component.digest();
        if let Some(imports) = self.0.lock().get(digest) {
            return Ok(imports.clone());
        }
        let kept = cache.note(IMPORTS_FORMAT, digest);
        let kept = kept.and_then(|text| serde_json::from_slice::<Imports>(&text).ok());
        let imports = match kept.filter(|imports| imports.digest() == digest) {
            Some(imports) => imports,
            None => {
                let imports = Imports::read(component.name(), &component.bytes()?)?;
                // If this fails, the next process starts more slowly, nothing else.
                if let Ok(text) = serde_json::to_vec(&imports) {
                    cache.keep_note(IMPORTS_FORMAT, digest, &text);
                }
                imports
            }
        };
        let imports = Arc::new(imports);
        self.0.lock().insert(digest.to_owned(), imports.clone());
        Ok(imports)
    }
}

/// The place of a program, which is prepared when it is first needed.
#[derive(Default)]
pub(crate) struct ProgramSlot {
    pub(super) program: OnceCell<Arc<Program>>,
    /// Whether it is being prepared ahead of need, on processors that are idle.
    pub(super) ahead: AtomicBool,
}
