//! The variables of the language.

/// Their names; the number of a variable is its index here.
pub(super) const NAMES: &[&str] = &[
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

/// The machine itself keeps the variables up to here: reading or writing them has effects.
pub(super) const HOOKED: usize = 17;

/// Number of fields.
pub(super) const NF: usize = 0;
/// Number of records.
pub(super) const NR: usize = 1;
/// Number of records of the file.
pub(super) const FNR: usize = 2;
/// What separates fields.
pub(super) const FS: usize = 3;
/// What separates fields that are printed.
pub(super) const OFS: usize = 4;
/// What ends records that are printed.
pub(super) const ORS: usize = 5;
/// What ends records.
pub(super) const RS: usize = 6;
/// The current file.
pub(super) const FILENAME: usize = 7;
/// What separates subscripts.
pub(super) const SUBSEP: usize = 8;
/// How numbers become strings.
pub(super) const CONVFMT: usize = 9;
/// How numbers are printed.
pub(super) const OFMT: usize = 10;
/// Where the last match began.
pub(super) const RSTART: usize = 11;
/// How long it was.
pub(super) const RLENGTH: usize = 12;
/// The text that ended the record.
pub(super) const RT: usize = 13;
/// What fields look like.
pub(super) const FPAT: usize = 14;
/// How wide fields are.
pub(super) const FIELDWIDTHS: usize = 15;
/// Whether case is ignored.
pub(super) const IGNORECASE: usize = 16;
/// The environment.
pub(super) const ENVIRON: usize = 17;
/// Number of arguments.
pub(super) const ARGC: usize = 18;
/// The arguments.
pub(super) const ARGV: usize = 19;
/// The last error.
pub(super) const ERRNO: usize = 20;
/// Facts about the process.
pub(super) const PROCINFO: usize = 21;
/// The index of the current file in ARGV.
pub(super) const ARGIND: usize = 25;
