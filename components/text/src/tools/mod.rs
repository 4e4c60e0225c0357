//! The smaller tools.

pub(crate) mod cal;
pub(crate) mod column;
pub(crate) mod compressed;
pub(crate) mod convert;
pub(crate) mod envsubst;
pub(crate) mod file;
pub(crate) mod getopt;
pub(crate) mod hexdump;
mod hexdump_format;
pub(crate) mod iconv;
mod iconv_pages;
mod iconv_wide;
mod json;
mod keys;
mod magic;
mod magic_binary;
mod magic_elf;
mod magic_text;
pub(crate) mod pager;
pub(crate) mod rev;
pub(crate) mod strings;
pub(crate) mod tput;
pub(crate) mod tree;
mod tree_ignore;
mod tree_list;
mod tree_output;
mod viewer;
pub(crate) mod xxd;
mod xxd_reverse;

/// Returns whether a text is JSON.
fn file_json(text: &[u8]) -> bool {
    let mut at = 0;
    json::value(text, &mut at, 0) && text[at..].iter().all(u8::is_ascii_whitespace)
}
