//! Policies, as objects.

use std::path::PathBuf;

use pyo3::prelude::*;
use wisp::policy::{Access, HostFiles, Overrides, PolicyErrors, ProtectedPath, SHIPPED_POLICIES};
use wisp_api::ErrorCode;

use crate::data;
use crate::exit;
use crate::failure::{Failure, or_raise};
use crate::host::Host;

/// What knows where this Python executes files.
const PLACES: &str = "wisp_sandbox._places";

/// What a sandbox may do. Objects do not change: each method that changes something returns another policy.
///
/// `Policy.load` takes the name of a policy of wisp's, such as `offline`, or the path of a file; `Policy.parse` takes TOML.
#[pyclass(frozen, module = "wisp_sandbox")]
pub(crate) struct Policy {
    policy: wisp::Policy,
    /// The name by which the service offers exactly this policy.
    shipped: Option<&'static str>,
}

/// A mount: the path on the host, that in the sandbox, and the access.
pub(crate) type MountParts = (PathBuf, String, String);

impl Policy {
    /// Returns a policy that is none of those that the service offers.
    pub(crate) fn own(policy: wisp::Policy) -> Self {
        Self { policy, shipped: None }
    }

    /// Returns it with these mounts and this time limit in seconds, and the name by which the service offers it.
    pub(crate) fn asked(&self, mounts: &[MountParts], timeout: Option<f64>) -> Result<(wisp::Policy, Option<&'static str>), Failure> {
        if mounts.is_empty() && timeout.is_none() {
            return Ok((self.policy.clone(), self.shipped));
        }
        let mut overrides = Overrides::host_program();
        for (host, guest, access) in mounts {
            overrides = overrides.mount_at(host, guest, self::access(access)?);
        }
        if let Some(timeout) = timeout {
            overrides = overrides.wall(data::seconds(timeout)?);
        }
        Ok((self.policy.clone().with(&HostFiles, &overrides)?, None))
    }

    fn changed(py: Python<'_>, policy: Result<wisp::Policy, PolicyErrors>) -> PyResult<Self> {
        or_raise(py, policy).map(Self::own)
    }
}

/// Returns what a later start of this Python executes.
pub(crate) fn places(py: Python<'_>) -> PyResult<Vec<ProtectedPath>> {
    let places: Vec<(String, PathBuf)> = py.import(PLACES)?.call_method0("of_python")?.extract()?;
    Ok(places.into_iter().map(|(what, path)| ProtectedPath { what, path }).collect())
}

/// Refuses writable mounts that hold what a later start of this Python executes.
pub(crate) fn check_writes(py: Python<'_>, policy: &wisp::Policy) -> PyResult<()> {
    if !policy.filesystem().mounts.iter().any(|mount| mount.access == Access::Write) {
        return Ok(());
    }
    let places = places(py)?;
    or_raise(py, exit::detached(py, || policy.check_protected(&HostFiles, &places)))
}

fn access(word: &str) -> Result<Access, Failure> {
    match word {
        "read" => Ok(Access::Read),
        "write" => Ok(Access::Write),
        "overlay" => Ok(Access::Overlay),
        _ => {
            let message = format!("`{}` is no access of a mount: write `read`, `write` or `overlay`", word.escape_debug());
            Err(Failure::new(ErrorCode::InvalidArgument, message))
        }
    }
}

/// Refuses values of secrets that the policy does not have.
pub(crate) fn check_secrets(policy: &wisp::Policy, secrets: &[(String, String)]) -> Result<(), Failure> {
    let there: Vec<&str> =
        policy.network().into_iter().flat_map(|network| &network.secrets).map(|secret| secret.variable.as_str()).collect();
    let Some((unknown, _)) = secrets.iter().find(|(variable, _)| !there.contains(&variable.as_str())) else { return Ok(()) };
    let names = if there.is_empty() { "it has none".to_owned() } else { format!("it has {}", there.join(", ")) };
    let (name, unknown) = (policy.name(), unknown.escape_debug());
    let message = format!(
        "the policy `{name}` has no secret `{unknown}`: {names}; a `[[network.secret]]` with `value_from_env = \"{unknown}\"` would add it"
    );
    Err(Failure::new(ErrorCode::InvalidArgument, message))
}

/// Returns what the components of an engine may import under a policy; for a model, what it can do and what not.
pub(crate) fn explained(host: &Host, policy: &wisp::Policy, for_model: bool) -> Result<String, Failure> {
    let engine = host.service.runtime().engine();
    if for_model {
        return Ok(wisp::explain::for_model(engine.components(), policy));
    }
    let explained = wisp::explain::explain(engine.components(), engine.cache(), policy);
    explained.map(|explanation| explanation.to_string()).map_err(|errors| Failure::all(&errors))
}

#[pymethods]
impl Policy {
    /// Returns the policy with this name (`offline`, `fetch`, …) or at this path, which contains `/` or ends in `.toml`.
    #[staticmethod]
    fn load(py: Python<'_>, name_or_path: &str) -> PyResult<Self> {
        let policy = or_raise(py, exit::detached(py, || wisp::Policy::load(&HostFiles, name_or_path)))?;
        let shipped = SHIPPED_POLICIES.iter().map(|shipped| shipped.name).find(|name| *name == name_or_path);
        Ok(Self { policy, shipped })
    }

    /// Returns the policy of this TOML text. Findings call it `name`, and relative paths in it begin at that name's directory.
    #[staticmethod]
    #[pyo3(signature = (text, name="policy.toml"))]
    fn parse(py: Python<'_>, text: &str, name: &str) -> PyResult<Self> {
        Self::changed(py, exit::detached(py, || wisp::Policy::parse(&HostFiles, name, text)))
    }

    /// Returns it with another value of a key that is a number, a size or a time: `with_value("limits.memory", "64MiB")`.
    fn with_value(&self, py: Python<'_>, key: &str, value: &str) -> PyResult<Self> {
        Self::changed(py, self.policy.clone().with_value(key, value))
    }

    /// Returns it with a variable of the sandbox's environment.
    fn with_env(&self, py: Python<'_>, name: &str, value: &str) -> PyResult<Self> {
        Self::changed(py, self.policy.clone().with_env(name, value))
    }

    /// Returns it with a directory or a file of the host at `guest`. The access is `read`, `write` or `overlay`.
    #[pyo3(signature = (host, guest, access="read"))]
    fn with_mount(&self, py: Python<'_>, host: PathBuf, guest: String, access: &str) -> PyResult<Self> {
        let mounts = [(host, guest, access.to_owned())];
        let (policy, shipped) = or_raise(py, exit::detached(py, || self.asked(&mounts, None)))?;
        Ok(Self { policy, shipped })
    }

    /// Returns it with requests that it allows: to a URL, for reading, or `METHOD,METHOD URL`.
    fn with_allow(&self, py: Python<'_>, url: &str) -> PyResult<Self> {
        Self::changed(py, self.policy.clone().with_allow(url))
    }

    /// Returns its name.
    #[getter]
    fn name(&self) -> &str {
        self.policy.name()
    }

    /// Returns the SHA-256 of its text. Two policies with the same digest allow the same.
    #[getter]
    fn digest(&self) -> String {
        self.policy.digest()
    }

    /// Returns it as TOML, with every key written out, the values of `env` too.
    #[getter]
    fn text(&self) -> String {
        self.policy.canonical()
    }

    /// Returns what it grants, a line each.
    #[getter]
    fn grants(&self) -> Vec<String> {
        self.policy.grants()
    }

    /// Returns what each component of a sandbox may import, and by which rule; for a model, what it can do in a sandbox and what not.
    #[pyo3(signature = (*, for_model=false))]
    fn explain(&self, py: Python<'_>, for_model: bool) -> PyResult<String> {
        let host = Host::get(py)?;
        or_raise(py, exit::detached(py, || explained(&host, &self.policy, for_model)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.policy.digest() == other.policy.digest()
    }

    fn __hash__(&self) -> u64 {
        let digest = self.policy.digest();
        digest.get(..16).and_then(|start| u64::from_str_radix(start, 16).ok()).unwrap_or_default()
    }

    fn __repr__(&self) -> String {
        format!("<Policy {:?}: {} grants>", self.policy.name(), self.policy.grants().len())
    }
}
