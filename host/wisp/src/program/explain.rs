//! What a policy allows the components of a session, without starting one.

use crate::components::ComponentSource;
use crate::policy::Policy;
use crate::program::error::SessionError;
use crate::program::tools::read_tool;
use crate::world::report::Explanation;
use crate::world::{Grants, Imports};

/// Explains a policy: every import of every tool it names, custom ones included, with the decision about it.
///
/// Nothing is compiled and nothing runs. Refused imports are rows of the explanation; see [`Explanation::refuses`].
///
/// # Errors
/// All tools that cannot be read, do not have their digest, or are no components.
pub fn explain(components: &ComponentSource, policy: &Policy) -> Result<Explanation, Vec<SessionError>> {
    let grants = Grants::of(policy);
    let world = |name: &str| -> Result<_, SessionError> {
        Ok(match policy.tools().custom.get(name) {
            Some(custom) => Imports::read(name, &read_tool(name, custom)?)?.decide(name, &grants.of_custom(custom)),
            None => Imports::read(name, &components.lookup(name)?.bytes()?)?.decide(name, &grants),
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
