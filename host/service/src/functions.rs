//! Functions of the host that code in sessions may call: which they are, and calls of them from outside the sandbox.

use tokio::sync::oneshot;
use wisp::{FunctionInfo, FunctionResult, HostValue};

use crate::error::ServiceError;
use crate::service::Service;
use crate::session::SessionHandle;

impl Service {
    /// Returns the functions of the host that sessions have under a policy that it offers, sorted by name; without a name, under its
    /// default. If the policy names any, this lays out what its sessions start from, as the first [`open`](Self::open) does, and starts
    /// the policy's servers. That goes on if the caller stops waiting.
    ///
    /// # Errors
    /// If it offers no such policy, or no session can be made under it: those of `open`.
    pub async fn functions(&self, policy: Option<&str>) -> Result<Vec<FunctionInfo>, ServiceError> {
        let offer = self.offer(policy)?;
        // Nothing is laid out for the others, which are most.
        if offer.policy.host().is_none_or(|host| host.functions().next().is_none()) {
            return Ok(Vec::new());
        }
        let (engine, hub) = (self.inner().runtime.engine().clone(), self.inner().receipts.clone());
        self.on(async move { Ok(offer.template(&engine, &hub).await?.functions()) }).await
    }
}

impl SessionHandle {
    /// Returns the functions of the host that code in the session may call, sorted by name.
    ///
    /// # Errors
    /// If the session is closed.
    pub fn functions(&self) -> Result<Vec<FunctionInfo>, ServiceError> {
        Ok(self.call()?.session().functions())
    }

    /// Calls a function of the host as code in the session may: under the session's policy, within its limits, with a receipt
    /// ([`wisp::Session::call_function`]). The session is not idle in the meantime. The call has no id by which it could be found, so it
    /// ends if the caller stops waiting.
    ///
    /// # Errors
    /// If the session is closed, the policy does not allow the function, nobody has it, it fails, or a limit is reached.
    pub async fn call_function(&self, name: &str, arguments: HostValue) -> Result<FunctionResult, ServiceError> {
        let (call, name) = (self.call()?, name.to_owned());
        let (waits, gone) = oneshot::channel::<()>();
        let work = async move {
            tokio::select! {
                biased;
                result = call.session().call_function(&name, arguments) => result.map_err(ServiceError::from),
                // Nobody hears this.
                _ = gone => Err(ServiceError::Abandoned),
            }
        };
        let result = self.service.on(work).await;
        // Until here the caller waits.
        drop(waits);
        result
    }
}
