//! The attestation: what a session may do, its limits, and the imports of each of its components with the decision about each.
//!
//! [`Explanation`] serialises to the document of `wisp explain --json` and displays as the page of `wisp explain`.

use super::ComponentWorld;
use super::summary::{self, LimitRow, SummaryLine};
use std::collections::BTreeSet;
use std::fmt;
use wisp_policy::Policy;
use wisp_policy::capability::Decision;

/// What a policy allows each of its components.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The policy's name.
    pub policy: String,
    /// The SHA-256 of the resolved policy.
    pub policy_digest: String,
    /// What a session may do, in some ten lines for a person.
    pub summary: Vec<SummaryLine>,
    /// Every number that holds, in the order of the reference: `limits`, the filesystem, the output, and what else the policy has.
    pub limits: Vec<LimitRow>,
    /// The components, in the policy's order.
    pub components: Vec<ComponentWorld>,
}

impl Explanation {
    /// Creates the explanation of a policy and these decisions.
    pub fn new(policy: &Policy, components: Vec<ComponentWorld>) -> Self {
        let (summary, limits) = (summary::lines(policy), summary::limits(policy));
        Self { policy: policy.name().to_owned(), policy_digest: policy.digest(), summary, limits, components }
    }

    /// Returns whether an import of any component is refused. Such a session does not start.
    pub fn refuses(&self) -> bool {
        self.rows(Decision::Refused).next().is_some()
    }

    fn rows(&self, decision: Decision) -> impl Iterator<Item = &super::ImportRow> {
        self.components.iter().flat_map(ComponentWorld::rows).filter(move |row| row.decision == decision)
    }

    fn capabilities(&self, decision: Decision) -> BTreeSet<&'static str> {
        self.rows(decision).filter_map(|row| Some(row.known?.capability().name)).collect()
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "policy {} (sha256 {})\n", self.policy, self.policy_digest)?;
        let mut before = "";
        for line in &self.summary {
            let about = if line.about == before { "" } else { line.about };
            writeln!(f, "  {about:11}{}", line.text)?;
            before = line.about;
        }
        let key = self.limits.iter().map(|row| row.key.len()).max().unwrap_or(0);
        let value = self.limits.iter().map(|row| row.value.len()).max().unwrap_or(0).max("value".len());
        writeln!(f, "\n  {:key$}  {:value$}  rule", "limit", "value")?;
        for row in &self.limits {
            writeln!(f, "  {:key$}  {:value$}  {}", row.key, row.value, row.rule)?;
        }
        let column = |of: fn(&super::ImportRow) -> &str, least: usize| {
            let rows = self.components.iter().flat_map(ComponentWorld::rows);
            rows.map(|row| of(row).chars().count()).max().unwrap_or(0).max(least)
        };
        let interface = column(|row| &row.interface, "import".len());
        let rule = column(|row| &row.rule, "rule".len());
        let decision = self.components.iter().flat_map(ComponentWorld::rows).map(|row| row.decision.to_string().len());
        let decision = decision.max().unwrap_or(0).max("decision".len());
        for component in &self.components {
            writeln!(f, "\n{}", component.name)?;
            writeln!(f, "  component sha256 {}", component.digest)?;
            writeln!(f, "  world     sha256 {}", component.world_digest)?;
            let table = |f: &mut fmt::Formatter<'_>, rows: &[super::ImportRow]| {
                writeln!(f, "  {:interface$}  {:decision$}  {:rule$}  reason", "import", "decision", "rule")?;
                rows.iter().try_for_each(|row| {
                    writeln!(f, "  {:interface$}  {:decision$}  {:rule$}  {}", row.interface, row.decision, row.rule, row.reason)
                })
            };
            table(f, &component.imports)?;
            for adapter in &component.adapters {
                let fronts: Vec<&str> = adapter.provides.iter().map(|provided| provided.import.as_str()).collect();
                writeln!(f, "\n{} → {} → {}", component.name, fronts.join(", "), adapter.name)?;
                writeln!(f, "  component sha256 {}", adapter.digest)?;
                table(f, &adapter.imports)?;
            }
        }
        writeln!(f)?;
        for (what, decision) in [("reaches the host", Decision::Host), ("denied, and gone from the composed components", Decision::Denied)]
        {
            let names: Vec<&str> = self.capabilities(decision).into_iter().collect();
            writeln!(f, "{what}: {}", if names.is_empty() { "nothing".to_owned() } else { names.join(", ") })?;
        }
        let refused = self.rows(Decision::Refused).count();
        if refused > 0 {
            writeln!(f, "refused: {refused} imports; a session with this policy does not start")?;
        }
        Ok(())
    }
}
