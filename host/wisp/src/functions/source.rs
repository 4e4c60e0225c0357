//! Functions that a policy takes from elsewhere: tools of servers (`[[host.mcp]]`). The policy says which; a program that can
//! connects to them.

use std::error::Error;
use std::pin::Pin;

use super::function::HostFunction;
use wisp_policy::Policy;

/// What connects to the servers of a policy ([`EngineBuilder::function_source`](crate::EngineBuilder::function_source)). The library
/// itself starts no program of the host: the crate `wisp-mcp-client` does.
pub trait FunctionSource: Send + Sync {
    /// Returns a function for each tool that the policy allows (`host.mcp`), under the name that it has there. It is asked whenever a
    /// session is built whose policy has servers.
    fn functions<'a>(&'a self, policy: &'a Policy) -> SourceAnswer<'a>;
}

/// Functions to come, or why there are none: which server, and which rule names it.
pub type SourceAnswer<'a> = Pin<Box<dyn Future<Output = Result<Vec<HostFunction>, Box<dyn Error + Send + Sync>>> + Send + 'a>>;
