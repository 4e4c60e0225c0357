//! What the commands share that serve clients: where sessions are kept, and the token of those who connect.

use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use anyhow::{Context, anyhow};
use wisp_service::{Store, Token};

use crate::Failure;

/// Maximum bytes of a file with a token.
const TOKEN_FILE: u64 = 4 << 10;

/// Returns where sessions are kept. The folder must be there before the process is confined to it.
pub(crate) fn store() -> Result<Store, Failure> {
    let store = Store::of_user().map_err(Failure::usage)?;
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(store.folder());
    made.with_context(|| format!("cannot make {}", store.folder().display())).map_err(Failure::usage)?;
    Ok(store)
}

/// Returns the token in this file, or else in the environment under this name, or else a new one, and whether it is new.
pub(crate) fn token(file: Option<&Path>, variable: &str) -> Result<(Token, bool), Failure> {
    let given = match file {
        Some(file) => Some(token_of(file).map_err(Failure::usage)?),
        None => std::env::var(variable).ok().filter(|text| !text.is_empty()),
    };
    let wrong = || Failure::usage(anyhow!("the token must have at least 16 characters, of ASCII and without spaces"));
    match given {
        Some(text) => Ok((Token::new(text).ok_or_else(wrong)?, false)),
        None => Ok((Token::random().map_err(Failure::internal)?, true)),
    }
}

/// Reads the token of a file, without the newline after it.
fn token_of(file: &Path) -> anyhow::Result<String> {
    let failed = || format!("cannot read the token in {}", file.display());
    let size = fs::metadata(file).with_context(failed)?.len();
    if size > TOKEN_FILE {
        return Err(anyhow!("{}: a token has at most {TOKEN_FILE} bytes", file.display()));
    }
    Ok(fs::read_to_string(file).with_context(failed)?.trim_end().to_owned())
}
