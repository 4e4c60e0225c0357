//! `wisp policies`: the policies that are part of the binary, and the schema of all policies.

use anyhow::anyhow;
use wisp::policy::{SHIPPED_POLICIES, Shipped, json_schema};

use crate::{Failure, args, print};

/// Prints a line for each shipped policy, the text of one, or the JSON Schema of policies.
pub(crate) fn policies(asked: &args::Policies) -> Result<u8, Failure> {
    if asked.schema {
        print(&json_schema())?;
        return Ok(0);
    }
    let Some(name) = &asked.name else {
        let width = SHIPPED_POLICIES.iter().map(|policy| policy.name.len()).max().unwrap_or(0);
        let line = |policy: &Shipped| format!("{:width$}  {}\n", policy.name, policy.description());
        print(&SHIPPED_POLICIES.iter().map(line).collect::<String>())?;
        return Ok(0);
    };
    let Some(policy) = SHIPPED_POLICIES.iter().find(|policy| policy.name == name) else {
        let names: Vec<&str> = SHIPPED_POLICIES.iter().map(|policy| policy.name).collect();
        return Err(Failure::usage(anyhow!(
            "there is no shipped policy `{}`; the shipped policies are {}",
            name.escape_debug(),
            names.join(", ")
        )));
    };
    print(policy.text)?;
    Ok(0)
}
