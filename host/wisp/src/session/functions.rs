//! The functions of the host that a session has, from outside: which they are, and calls of them.

use crate::functions::{FunctionError, FunctionResult, call};
use crate::session::handle::Session;
use crate::wasi::HostValue;
use wisp_api::{FunctionInfo, ReceiptKind};
use wisp_policy::schema::Key;
use wisp_policy::{quote, rule_for_guests};

impl Session {
    /// Returns the functions of the host that code in the session may call, sorted by name: those that the policy allows and the program,
    /// or a server of the policy, has. A fork has those of `host.forks`.
    pub fn functions(&self) -> Vec<FunctionInfo> {
        self.state.functions.as_ref().map(|gate| gate.infos(gate.functions())).unwrap_or_default()
    }

    /// Calls a function of the host, as code in the session may: the policy decides on the call, its limits count it, and it waits for
    /// its turn, leaves a receipt and is recorded or replayed as a guest's is. Items are returned when the last one is there.
    ///
    /// The call belongs to no process and to no command: its receipt has the process 0, `limits.denials` does not count it, and its
    /// receipt is also in the outcome of the command that ends next. What is held in the meantime is charged to `limits.memory`.
    ///
    /// Dropping the future ends the call: it has no other handle ([what dropping does](crate#what-dropping-does)). A function that needs
    /// a tokio runtime needs it here.
    ///
    /// # Errors
    /// If the policy does not allow the function, no program has it, it fails, a limit is reached, or the session is
    /// [closed](Self::close). Items that came before a failure are not returned.
    pub async fn call_function(&self, name: &str, arguments: HostValue) -> Result<FunctionResult, FunctionError> {
        let state = &self.state;
        let Some(gate) = &state.functions else { return Err(self.no_functions(name)) };
        tokio::select! {
            biased;
            () = state.commands.wait_closed() => Err(FunctionError::Closed { name: name.to_owned(), session: self.id().to_owned() }),
            result = call(gate, state.memory.clone(), name, arguments) => result,
        }
    }

    /// Returns the error that the policy has no `[host]`.
    fn no_functions(&self, name: &str) -> FunctionError {
        let rule = self.policy().rule(Key::HostAllow).to_string();
        self.state.receipts.denied(0, ReceiptKind::Function, name, &rule);
        FunctionError::Denied {
            name: name.to_owned(),
            reason: "the policy grants no function of the host".to_owned(),
            rule: rule_for_guests(&rule).to_owned(),
            help: format!("add {} to `allow` in `[host]`", quote(name)),
        }
    }
}
