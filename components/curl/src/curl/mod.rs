//! `curl` on the command line.

mod apply;
mod config;
mod data;
mod fail;
mod form;
mod hops;
mod message;
mod meter;
mod options;
mod output;
mod prepare;
mod session;
mod stats;
mod table;
mod transfer;
mod writeout;

use fail::Fail;
use session::Session;

const VERSION: &str = "7.88.1";
const TRY: &str = "curl: try 'curl --help' for more information";

/// Runs `curl`; returns its exit status.
pub(crate) fn main(arguments: &[String]) -> u8 {
    let parsed = match options::parse(arguments) {
        Ok(parsed) => parsed,
        Err(mistake) => {
            eprintln!("{}\n{TRY}", mistake.text);
            return mistake.code;
        }
    };
    if parsed.global.help {
        print!("{}", include_str!("help.txt"));
        return 0;
    }
    if parsed.global.version {
        println!("curl {VERSION} (wisp {}) wasi:http\nProtocols: http https", env!("CARGO_PKG_VERSION"));
        println!("Features: IDN Largefile libz; the host resolves, connects and does TLS, under the session's policy");
        return 0;
    }
    let mut session = Session::new(parsed.global);
    for warning in &parsed.warnings {
        session.warn(warning);
    }
    if parsed.operations.iter().all(|operation| operation.nodes.iter().all(|node| node.url.is_none())) {
        if !arguments.is_empty() {
            eprintln!("curl: no URL specified!");
        }
        eprintln!("{TRY}");
        return 2;
    }
    let mut last = 0;
    for operation in &parsed.operations {
        match session.operation(operation) {
            Ok(code) => last = code,
            Err(Fail { code, text }) => {
                session.complain(&fail::fail(code, text));
                last = code;
            }
        }
        if last != 0 && session.global.fail_early {
            break;
        }
    }
    last
}
