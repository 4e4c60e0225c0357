//! Functions of the program that code in a sandbox may call.

use std::sync::Arc;

use futures_util::stream;
use pyo3::prelude::*;
use wisp::policy::Overrides;
use wisp::{HostFailure, HostFunction, HostValue, SessionBuilder};
use wisp_api::FunctionInfo;

use crate::answer::Waiting;
use crate::data;
use crate::failure::or_raise;
use crate::host::Host;

/// A function of the program, with what guests see of it.
#[pyclass(frozen, module = "wisp_sandbox._native")]
pub(crate) struct Function {
    /// Its rule is not known.
    info: FunctionInfo,
    /// The schema of its parameters, in their order.
    parameters: Option<String>,
    forks: bool,
    submit: Arc<Py<PyAny>>,
}

#[pymethods]
impl Function {
    /// A function that is described by this JSON, with the schema of its parameters. `forks`: whether forks of a sandbox may call it
    /// too. A call of it is one of `submit(answer, arguments)`, which must not wait for anything.
    #[new]
    #[pyo3(signature = (info, parameters, forks, submit))]
    fn new(py: Python<'_>, info: &str, parameters: Option<String>, forks: bool, submit: Py<PyAny>) -> PyResult<Self> {
        let info: FunctionInfo = or_raise(py, data::read(info))?;
        let schema = parameters.as_deref().map(data::read).transpose();
        let info = FunctionInfo { parameters: or_raise(py, schema)?, ..info };
        Ok(Self { info, parameters, forks, submit: Arc::new(submit) })
    }
}

impl Function {
    /// Returns the function for sandboxes of this engine.
    pub(crate) fn granted(&self, host: &Arc<Host>) -> Granted {
        let (info, submit, host) = (self.info.clone(), self.submit.clone(), Arc::downgrade(host));
        let begin = move |arguments: HostValue| Waiting::begin(&host, &submit, arguments);
        let function = if info.items {
            HostFunction::streaming(&info.name, move |arguments| stream::unfold(Some(begin(arguments)), next))
        } else {
            HostFunction::new(&info.name, move |arguments| {
                let waiting = begin(arguments);
                async move { waiting?.result().await }
            })
        };
        let mut function = function.documentation(&info.documentation);
        if let Some(schema) = &self.parameters {
            function = function.parameters_text(schema);
        }
        if let Some(schema) = &info.returns {
            function = function.returns(schema);
        }
        Granted { info, forks: self.forks, function }
    }
}

/// The state of a function that returns items: a call, or why there is none.
type Items = Option<Result<Waiting, HostFailure>>;

/// Returns the next item, and the state after it.
async fn next(items: Items) -> Option<(Result<HostValue, HostFailure>, Items)> {
    match items? {
        Ok(mut waiting) => {
            let item = waiting.next().await?;
            Some((item, Some(Ok(waiting))))
        }
        Err(failure) => Some((Err(failure), None)),
    }
}

/// A function that a sandbox is given. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Granted {
    /// Its rule is not known.
    pub(crate) info: FunctionInfo,
    forks: bool,
    function: HostFunction,
}

impl Granted {
    /// Registers and allows it.
    pub(crate) fn grant(self, builder: SessionBuilder) -> SessionBuilder {
        let name = &self.info.name;
        let builder = builder.function(self.function).allow_function(name);
        if self.forks { builder.allow_function_in_forks(name) } else { builder }
    }
}

/// Returns what a policy must allow for these functions.
pub(crate) fn allowing(functions: &[Granted]) -> Overrides {
    functions.iter().fold(Overrides::host_program(), |overrides, function| {
        let name = &function.info.name;
        let overrides = overrides.function(name);
        if function.forks { overrides.function_in_forks(name) } else { overrides }
    })
}
