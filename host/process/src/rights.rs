//! What a process may not do though its session may. A process has no more than the one that started it, whatever program
//! it is: rights only get fewer on the way down, through scripts, `exec`, and everything else that starts another.

use std::sync::Arc;

/// A right that was taken away.
#[derive(Debug, PartialEq, Eq)]
pub struct Withheld {
    /// The tool that may not have it.
    pub tool: String,
    /// The rule that says so.
    pub rule: String,
}

/// The rights of a process, among those of its session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rights {
    network: Option<Arc<Withheld>>,
}

impl Rights {
    /// All that its session has.
    pub fn all() -> Rights {
        Rights::default()
    }

    /// All but the network.
    pub fn without_network(tool: &str, rule: &str) -> Rights {
        Rights { network: Some(Arc::new(Withheld { tool: tool.to_owned(), rule: rule.to_owned() })) }
    }

    /// What both allow. Where neither does, what is said about it is what these say: they were there first.
    #[must_use]
    pub fn and(&self, other: &Rights) -> Rights {
        Rights { network: self.network.clone().or_else(|| other.network.clone()) }
    }

    /// Whether it may use the session's network, or who took that away.
    ///
    /// # Errors
    /// Who did.
    pub fn network(&self) -> Result<(), &Withheld> {
        self.network.as_deref().map_or(Ok(()), Err)
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
        }
    }
}
