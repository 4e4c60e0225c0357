//! The dispatch table: which name runs what.

use std::ffi::OsString;

/// A tool.
pub type Main = fn(Vec<OsString>) -> u8;

/// All tools.
pub const ALL: &[(&str, Main)] = &[
    ("awk", crate::awk::main),
    ("bc", crate::bc::main),
    ("cal", crate::tools::cal::main),
    ("cmp", crate::diff::cmp::main),
    ("column", crate::tools::column::main),
    ("dc", crate::bc::dc::main),
    ("diff", crate::diff::main),
    ("file", crate::tools::file::main),
    ("gawk", crate::awk::main),
    ("hd", crate::tools::hexdump::main),
    ("hexdump", crate::tools::hexdump::main),
    ("less", crate::tools::pager::main),
    ("mawk", crate::awk::main),
    ("more", crate::tools::pager::main),
    ("nawk", crate::awk::main),
    ("patch", crate::patch::main),
    ("rev", crate::tools::rev::main),
    ("sed", crate::sed::main),
    ("strings", crate::tools::strings::main),
    ("tree", crate::tools::tree::main),
    ("xxd", crate::tools::xxd::main),
];

#[cfg(test)]
mod tests {
    #[test]
    fn the_list_of_names_is_the_table() {
        let names: Vec<&str> = super::ALL.iter().map(|(name, _)| *name).collect();
        let listed: Vec<&str> = include_str!("../applets.txt").lines().collect();
        assert_eq!(names, listed, "write the names into applets.txt, sorted, one a line");
    }
}
