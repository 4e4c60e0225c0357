//! The variables of the language.

/// Their names; a variable's number is its place here.
pub const NAMES: &[&str] = &[
    "NF",
    "NR",
    "FNR",
    "FS",
    "OFS",
    "ORS",
    "RS",
    "FILENAME",
    "SUBSEP",
    "CONVFMT",
    "OFMT",
    "RSTART",
    "RLENGTH",
    "RT",
    "FPAT",
    "FIELDWIDTHS",
    "IGNORECASE",
    "ENVIRON",
    "ARGC",
    "ARGV",
    "ERRNO",
    "PROCINFO",
    "BINMODE",
    "LINT",
    "TEXTDOMAIN",
    "ARGIND",
];

/// Variables up to here are kept by the machine itself: reading or writing them is more than that.
pub const HOOKED: usize = 17;

/// Number of fields.
pub const NF: usize = 0;
/// Number of records.
pub const NR: usize = 1;
/// Number of records of the file.
pub const FNR: usize = 2;
/// What separates fields.
pub const FS: usize = 3;
/// What separates fields that are printed.
pub const OFS: usize = 4;
/// What ends records that are printed.
pub const ORS: usize = 5;
/// What ends records.
pub const RS: usize = 6;
/// The current file.
pub const FILENAME: usize = 7;
/// What separates subscripts.
pub const SUBSEP: usize = 8;
/// How numbers become strings.
pub const CONVFMT: usize = 9;
/// How numbers are printed.
pub const OFMT: usize = 10;
/// Where the last match began.
pub const RSTART: usize = 11;
/// How long it was.
pub const RLENGTH: usize = 12;
/// What ended the record.
pub const RT: usize = 13;
/// What fields look like.
pub const FPAT: usize = 14;
/// How wide fields are.
pub const FIELDWIDTHS: usize = 15;
/// Whether case is ignored.
pub const IGNORECASE: usize = 16;
/// The environment.
pub const ENVIRON: usize = 17;
/// Number of arguments.
pub const ARGC: usize = 18;
/// The arguments.
pub const ARGV: usize = 19;
/// The last error.
pub const ERRNO: usize = 20;
/// Facts about the process.
pub const PROCINFO: usize = 21;
/// The index of the current file in ARGV.
pub const ARGIND: usize = 25;
