//! The states in which sessions start, which a workshop keeps.

use std::collections::HashMap;

use parking_lot::Mutex;

use wisp_vfs::Snapshot;

/// Maximum templates kept: each is a few MB, and a service has a handful of policies.
const MAX_TEMPLATES: usize = 64;

/// The templates that a workshop keeps.
#[derive(Default)]
pub(crate) struct Templates(Mutex<HashMap<String, Snapshot>>);

impl Templates {
    pub(super) fn get(&self, key: &str) -> Option<Snapshot> {
        self.0.lock().get(key).cloned()
    }

    pub(super) fn put(&self, key: String, snapshot: Snapshot) {
        let mut templates = self.0.lock();
        if templates.len() >= MAX_TEMPLATES {
            templates.clear();
        }
        templates.insert(key, snapshot);
    }
}
