//! A unified diff of one edit. What lies between the first different line and the last counts as different: an entry is one place.

use std::path::Path;

/// Returns the diff, or nothing if the texts are the same. A text that is missing is `/dev/null`.
pub(crate) fn unified(path: &Path, before: Option<&str>, after: Option<&str>) -> String {
    if before == after {
        return String::new();
    }
    let name = |text: Option<&str>| text.map_or_else(|| "/dev/null".to_owned(), |_| path.display().to_string());
    let mut diff = format!("--- {}\n+++ {}\n", name(before), name(after)).into_bytes();
    wisp_diff::one_hunk(&mut diff, before.unwrap_or_default().as_bytes(), after.unwrap_or_default().as_bytes());
    // Whole lines of text.
    String::from_utf8_lossy(&diff).into_owned()
}
