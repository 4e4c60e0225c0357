//! The network part of one text, and how a child's is merged over its parent's.

use super::grant::AllowRule;
use super::secret::SecretRule;
use crate::host_path::HostPath;
use crate::read::Set;
use crate::rule::{Origin, Rule};

/// The network part of one text.
#[derive(Debug, Clone, Default)]
pub(crate) struct NetworkLayer {
    /// The table, even if it is empty.
    pub(crate) rule: Option<Rule>,
    pub(crate) allow: Vec<AllowRule>,
    pub(crate) secrets: Vec<SecretRule>,
    pub(crate) ca: Option<Set<HostPath>>,
    pub(crate) receipt_query: Option<Set<bool>>,
}

impl NetworkLayer {
    /// Merges this layer over a parent: a rule replaces the parent's rule for the same URL, a secret the parent's for
    /// the same variable. Requests that options allow are added.
    pub(crate) fn over(mut self, parent: Self) -> Self {
        let written = |own: &&AllowRule| own.rule.origin() == Origin::File;
        let replaced = |rule: &AllowRule| self.allow.iter().filter(written).any(|own| own.url == rule.url);
        let kept = parent.allow.into_iter().filter(|rule| !replaced(rule)).collect::<Vec<_>>();
        self.allow.splice(0..0, kept);
        let kept = parent.secrets.into_iter().filter(|secret| !self.secrets.iter().any(|own| own.variable == secret.variable));
        let kept = kept.collect::<Vec<_>>();
        self.secrets.splice(0..0, kept);
        Self {
            rule: match self.rule {
                Some(own) if own.origin() == Origin::File => Some(own),
                own => parent.rule.or(own),
            },
            ca: self.ca.or(parent.ca),
            receipt_query: self.receipt_query.or(parent.receipt_query),
            ..self
        }
    }
}
