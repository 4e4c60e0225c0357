//! The dispatch table: which name runs what.

use std::ffi::OsString;

/// A tool.
pub(crate) type Main = fn(Vec<OsString>) -> u8;

/// All tools.
pub(crate) const ALL: &[(&str, Main)] = &[
    ("awk", crate::awk::main),
    ("bc", crate::bc::main),
    ("bzcmp", crate::tools::compressed::compare),
    ("bzdiff", crate::tools::compressed::compare),
    ("bzegrep", crate::tools::compressed::grep),
    ("bzfgrep", crate::tools::compressed::grep),
    ("bzgrep", crate::tools::compressed::grep),
    ("bzless", crate::tools::compressed::page),
    ("bzmore", crate::tools::compressed::page),
    ("cal", crate::tools::cal::main),
    ("cmp", crate::diff::cmp::main),
    ("column", crate::tools::column::main),
    ("dc", crate::bc::dc::main),
    ("diff", crate::diff::main),
    ("dos2unix", crate::tools::convert::lines),
    ("ed", crate::ed::main),
    ("envsubst", crate::tools::envsubst::main),
    ("file", crate::tools::file::main),
    ("gawk", crate::awk::main),
    ("getopt", crate::tools::getopt::main),
    ("hd", crate::tools::hexdump::main),
    ("hexdump", crate::tools::hexdump::main),
    ("iconv", crate::tools::iconv::main),
    ("less", crate::tools::pager::main),
    ("mawk", crate::awk::main),
    ("more", crate::tools::pager::main),
    ("nawk", crate::awk::main),
    ("patch", crate::patch::main),
    ("reset", crate::tools::tput::main),
    ("rev", crate::tools::rev::main),
    ("sed", crate::sed::main),
    ("sponge", crate::tools::convert::sponge),
    ("strings", crate::tools::strings::main),
    ("tput", crate::tools::tput::main),
    ("tree", crate::tools::tree::main),
    ("unix2dos", crate::tools::convert::lines),
    ("uuidgen", crate::tools::convert::uuidgen),
    ("xxd", crate::tools::xxd::main),
    ("xzcmp", crate::tools::compressed::compare),
    ("xzdiff", crate::tools::compressed::compare),
    ("xzegrep", crate::tools::compressed::grep),
    ("xzfgrep", crate::tools::compressed::grep),
    ("xzgrep", crate::tools::compressed::grep),
    ("xzless", crate::tools::compressed::page),
    ("xzmore", crate::tools::compressed::page),
    ("zcmp", crate::tools::compressed::compare),
    ("zdiff", crate::tools::compressed::compare),
    ("zegrep", crate::tools::compressed::grep),
    ("zfgrep", crate::tools::compressed::grep),
    ("zgrep", crate::tools::compressed::grep),
    ("zless", crate::tools::compressed::page),
    ("zmore", crate::tools::compressed::page),
    ("zstdgrep", crate::tools::compressed::grep),
    ("zstdless", crate::tools::compressed::page),
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
