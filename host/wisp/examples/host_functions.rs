//! Functions of this program that code in the sandbox calls: from Python, many at once, and from the shell.
//!
//! Run it with `cargo run --release -p wisp --example host_functions`.

use futures_util::stream;
use serde::Deserialize;
use serde_json::json;
use wisp::policy::HostFiles;
use wisp::{Command, Components, Engine, HostFailure, HostFunction, HostValue, Policy};

/// What `search` is called with.
#[derive(Deserialize)]
struct Query {
    query: String,
    #[serde(default = "ten")]
    limit: usize,
}

fn ten() -> usize {
    10
}

/// What the service knows.
const TITLES: [&str; 3] = ["Sandboxes for agents", "WebAssembly components", "Agents and tools"];

fn search() -> HostFunction {
    let search = HostFunction::new("search", |arguments: HostValue| async move {
        let Query { query, limit } = arguments.read()?;
        if query.is_empty() {
            return Err(HostFailure::new("EmptyQuery", "there is nothing to search for"));
        }
        let found: Vec<_> = TITLES.iter().filter(|title| title.to_lowercase().contains(&query)).take(limit).collect();
        Ok(json!(found))
    });
    search
        .documentation("Searches the titles of all documents.")
        .parameters(&json!({
            "type": "object",
            "properties": { "query": { "type": "string" }, "limit": { "type": "integer", "default": 10 } },
            "required": ["query"],
        }))
        .returns(&json!({ "type": "array", "items": { "type": "string" } }))
}

/// Returns items, one after the other: a guest that does not read them stops the function.
fn titles() -> HostFunction {
    let titles = HostFunction::streaming("titles", |_: HostValue| stream::iter(TITLES.map(|title| Ok(json!(title)))));
    titles.documentation("All titles.")
}

const PROGRAM: &str = "
import asyncio, host
from host import search, titles

async def main():
    for found in await asyncio.gather(*(search.aio(word, limit=1) for word in ('agents', 'components', 'tools'))):
        print('found:', found[0])
asyncio.run(main())
print('titles:', sum(1 for title in titles()))
try:
    search('')
except host.Failed as error:
    print(error)
";

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A session may call what its policy names, and nothing else that is registered.
    let policy =
        Policy::parse(&HostFiles, "research.toml", "extends = \"offline\"\n[host]\nallow = [\"search\", \"titles\"]\nmax_calls = 100\n")?;
    let secret = HostFunction::new("delete_all", |_: HostValue| async { Ok(json!("gone")) });
    let session = Engine::new(Components::from_folder("target/components")?)?
        .session(&policy)
        .function(search())
        .function(titles())
        .function(secret)
        .build()
        .await?;

    let outcome = session.run(Command::new("python3").args(["-c", PROGRAM])).await?;
    print!("{}{}", outcome.stdout_text(), outcome.stderr_text());

    let outcome = session.run(Command::new("sh").args(["-c", "host search --query web | jq -r '.[]'; host delete_all"])).await?;
    print!("{}{}", outcome.stdout_text(), outcome.stderr_text());
    for receipt in outcome.receipts.iter().filter(|receipt| receipt.kind.as_str() == "function") {
        println!("receipt: {} {:?} by {}", receipt.subject, receipt.verdict, receipt.rule);
    }
    Ok(())
}
