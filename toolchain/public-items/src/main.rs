//! Prints the public items that a file of rustdoc's JSON describes, a line each: `wisp-public-items FILE`.
//!
//! The crate `public-api` finds, names and sorts them, as the command `cargo public-api` does. That command would bring a hundred crates
//! more, OpenSSL among them, and its option for a finished file is hidden.

use std::env;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args_os().nth(1).ok_or("name a file of rustdoc's JSON")?;
    let api = public_api::Builder::from_rustdoc_json(file)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .include_function_parameter_names(true)
        .build()?;
    print!("{api}");
    Ok(())
}
