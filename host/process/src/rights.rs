//! Rights of the session that a process does not have. A process never has more rights than its parent, whatever
//! program it runs: rights only decrease through scripts, `exec`, and every other way to start a program.

use std::sync::Arc;

/// A right that was removed.
#[derive(Debug, PartialEq, Eq)]
pub struct Withheld {
    /// The tool that does not have it.
    pub tool: String,
    /// The rule that removed it.
    pub rule: String,
}

impl Withheld {
    fn new(tool: &str, rule: &str) -> Arc<Self> {
        Arc::new(Self { tool: tool.to_owned(), rule: rule.to_owned() })
    }
}

/// The rights of a process, among those of its session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rights {
    network: Option<Arc<Withheld>>,
    functions: Option<Arc<Withheld>>,
}

impl Rights {
    /// Returns all rights of its session.
    pub fn all() -> Self {
        Self::default()
    }

    /// Returns all but the network.
    pub fn without_network(tool: &str, rule: &str) -> Self {
        Self { network: Some(Withheld::new(tool, rule)), functions: None }
    }

    /// Returns all but the functions of the host.
    pub fn without_functions(tool: &str, rule: &str) -> Self {
        Self { network: None, functions: Some(Withheld::new(tool, rule)) }
    }

    /// Returns the rights that both have. If both lack a right, the reason of `self` is kept, because it came first.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let first = |own: &Option<Arc<Withheld>>, other: &Option<Arc<Withheld>>| own.clone().or_else(|| other.clone());
        Self { network: first(&self.network, &other.network), functions: first(&self.functions, &other.functions) }
    }

    /// Checks whether it may use the session's network; the error is what removed that right.
    ///
    /// # Errors
    /// What removed the right.
    pub fn network(&self) -> Result<(), &Withheld> {
        self.network.as_deref().map_or(Ok(()), Err)
    }

    /// Checks whether it may call the session's functions of the host; the error is what removed that right.
    ///
    /// # Errors
    /// What removed the right.
    pub fn functions(&self) -> Result<(), &Withheld> {
        self.functions.as_deref().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::Rights;

    #[test]
    fn rights_only_get_fewer() {
        let (jwt, other) = (Rights::without_network("jwt", "p.toml:1"), Rights::without_network("other", "p.toml:2"));
        assert_eq!(Rights::all().and(&Rights::all()), Rights::all());
        for narrowed in [Rights::all().and(&jwt), jwt.and(&Rights::all()), jwt.and(&other)] {
            assert_eq!(narrowed.network().unwrap_err().tool, "jwt");
            assert_eq!(narrowed.functions(), Ok(()), "one right does not take the other with it");
        }
        let neither = jwt.and(&Rights::without_functions("other", "p.toml:3"));
        assert_eq!(
            (neither.network().unwrap_err().rule.as_str(), neither.functions().unwrap_err().rule.as_str()),
            ("p.toml:1", "p.toml:3")
        );
    }
}
