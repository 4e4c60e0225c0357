//! Functions of the program that code in a sandbox may call.

use std::sync::Arc;

use futures_util::{FutureExt, stream};
use pyo3::prelude::*;
use wisp::policy::Overrides;
use wisp::{HostFailure, HostFunction, HostValue, SessionBuilder};
use wisp_api::FunctionInfo;

use crate::answer::Waiting;
use crate::data;
use crate::failure::or_raise;
use crate::host::Host;
use crate::room::Room;

/// Which object of Python's a function is: a number for it, and for a method one for its object and one for its function. They say so as
/// long as the object is there.
pub(crate) type Identity = (usize, usize);

/// A function of the program, with what guests see of it.
#[pyclass(frozen, module = "wisp_sandbox._native")]
pub(crate) struct Function {
    /// Its rule is not known.
    info: FunctionInfo,
    /// The schema of its parameters, in their order.
    parameters: Option<String>,
    forks: bool,
    submit: Arc<Py<PyAny>>,
    identity: Identity,
}

#[pymethods]
impl Function {
    /// Creates a function that is described by this JSON, with the schema of its parameters. `forks`: whether forks of a sandbox may call
    /// it too. A call of it is one of `submit(answer, arguments)`, which must not wait for anything, and which keeps the object that
    /// `identity` stands for.
    #[new]
    #[pyo3(signature = (info, parameters, forks, submit, identity))]
    fn new(py: Python<'_>, info: &str, parameters: Option<String>, forks: bool, submit: Py<PyAny>, identity: Identity) -> PyResult<Self> {
        let info: FunctionInfo = or_raise(py, data::read(info))?;
        let schema = parameters.as_deref().map(data::read).transpose();
        let info = FunctionInfo { parameters: or_raise(py, schema)?, ..info };
        Ok(Self { info, parameters, forks, submit: Arc::new(submit), identity })
    }
}

impl Function {
    /// Returns its name.
    pub(crate) fn name(&self) -> &str {
        &self.info.name
    }

    /// Returns the function for a sandbox of this engine, in whose room it is called.
    pub(crate) fn granted(&self, host: &Arc<Host>, room: &Arc<Room>) -> Granted {
        let (info, submit, host, room) = (self.info.clone(), self.submit.clone(), Arc::downgrade(host), room.clone());
        let begin = move |arguments: HostValue| Waiting::begin(host.clone(), submit.clone(), room.clone(), arguments);
        let function = if info.items {
            HostFunction::streaming(&info.name, move |arguments| {
                begin(arguments).map(|begun| stream::unfold(Some(begun), next)).flatten_stream()
            })
        } else {
            HostFunction::new(&info.name, move |arguments| {
                let begun = begin(arguments);
                async move { begun.await?.result().await }
            })
        };
        let mut function = function.documentation(&info.documentation);
        if let Some(schema) = &self.parameters {
            function = function.parameters_text(schema);
        }
        if let Some(schema) = &info.returns {
            function = function.returns(schema);
        }
        Granted { info, forks: self.forks, function, identity: self.identity }
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
    /// It holds its object.
    pub(crate) identity: Identity,
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
