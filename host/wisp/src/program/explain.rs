//! What a policy allows the components of a session, without starting one.

use crate::program::error::SessionError;
use crate::program::tool::ShippedImports;
use crate::program::tool_file::ToolFiles;
use crate::runtime::CodeCache;
use wisp_components::Components;
use wisp_policy::Policy;
use wisp_world::Grants;
use wisp_world::report::Explanation;

/// Explains a policy: every import of every tool that it names, including custom ones, with the decision about it.
///
/// Compiles and runs nothing. The imports of shipped components are looked up in `cache`, and kept there. Refused
/// imports are rows of the explanation; see [`Explanation::refuses`].
///
/// # Errors
/// All tools that cannot be read, have another digest, or are not components.
pub fn explain(components: &Components, cache: &CodeCache, policy: &Policy) -> Result<Explanation, Vec<SessionError>> {
    let grants = Grants::of(policy);
    let (mut files, imports) = (ToolFiles::default(), ShippedImports::default());
    let mut world = |name: &str| -> Result<_, SessionError> {
        Ok(match policy.tools().custom.get(name) {
            Some(custom) => files.of(name, custom)?.imports.decide(name, &grants.of_custom(custom), &[]),
            None => imports.of(components.lookup(name)?, cache)?.decide(name, &grants.clone().with_threads(), &[]),
        })
    };
    let (mut worlds, mut errors) = (Vec::new(), Vec::new());
    for name in policy.tools().components() {
        match world(name) {
            Ok(world) => worlds.push(world),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(Explanation::new(policy.name(), policy.digest(), worlds)) } else { Err(errors) }
}
