//! The long names of tar's options, and its help.

/// Long name, whether it takes a value (`=`), or may (`?`), the letter or key it stands for.
pub(super) const LONG: &[(&str, char, &str)] = &[
    ("create", ' ', "c"),
    ("extract", ' ', "x"),
    ("get", ' ', "x"),
    ("list", ' ', "t"),
    ("append", ' ', "r"),
    ("update", ' ', "u"),
    ("diff", ' ', "d"),
    ("compare", ' ', "d"),
    ("catenate", ' ', "A"),
    ("concatenate", ' ', "A"),
    ("delete", ' ', "delete"),
    ("add-file", '=', "add"),
    ("newer", '=', "N"),
    ("after-date", '=', "N"),
    ("newer-mtime", '=', "N"),
    ("verbatim-files-from", ' ', "verbatim"),
    ("no-verbatim-files-from", ' ', "none"),
    ("block-number", ' ', "none"),
    ("verify", ' ', "none"),
    ("occurrence", '?', "none"),
    ("check-device", ' ', "none"),
    ("no-check-device", ' ', "none"),
    ("exclude-caches", ' ', "caches"),
    ("exclude-caches-under", ' ', "caches-under"),
    ("exclude-caches-all", ' ', "caches-all"),
    ("exclude-tag", '=', "tag"),
    ("exclude-tag-under", '=', "tag-under"),
    ("exclude-tag-all", '=', "tag-all"),
    ("clamp-mtime", ' ', "clamp"),
    ("check-links", ' ', "none"),
    ("keep-directory-symlink", ' ', "none"),
    ("no-ignore-command-error", ' ', "none"),
    ("file", '=', "f"),
    ("verbose", ' ', "v"),
    ("gzip", ' ', "z"),
    ("gunzip", ' ', "z"),
    ("ungzip", ' ', "z"),
    ("bzip2", ' ', "j"),
    ("xz", ' ', "J"),
    ("lzma", ' ', "lzma"),
    ("zstd", ' ', "zstd"),
    ("auto-compress", ' ', "a"),
    ("no-auto-compress", ' ', "none"),
    ("use-compress-program", '=', "I"),
    ("directory", '=', "C"),
    ("preserve-permissions", ' ', "p"),
    ("same-permissions", ' ', "p"),
    ("no-same-permissions", ' ', "np"),
    ("absolute-names", ' ', "P"),
    ("strip-components", '=', "strip"),
    ("exclude", '=', "exclude"),
    ("exclude-from", '=', "X"),
    ("exclude-vcs", ' ', "vcs"),
    ("exclude-backups", ' ', "backups"),
    ("files-from", '=', "T"),
    ("null", ' ', "null"),
    ("no-null", ' ', "nonull"),
    ("to-stdout", ' ', "O"),
    ("keep-old-files", ' ', "k"),
    ("skip-old-files", ' ', "skip"),
    ("keep-newer-files", ' ', "newer"),
    ("overwrite", ' ', "overwrite"),
    ("unlink-first", ' ', "none"),
    ("touch", ' ', "m"),
    ("dereference", ' ', "h"),
    ("wildcards", ' ', "wild"),
    ("no-wildcards", ' ', "nowild"),
    ("anchored", ' ', "anchored"),
    ("no-anchored", ' ', "anywhere"),
    ("wildcards-match-slash", ' ', "slash"),
    ("no-wildcards-match-slash", ' ', "noslash"),
    ("ignore-case", ' ', "fold"),
    ("no-ignore-case", ' ', "nofold"),
    ("recursion", ' ', "rec"),
    ("no-recursion", ' ', "norec"),
    ("same-owner", ' ', "none"),
    ("no-same-owner", ' ', "none"),
    ("numeric-owner", ' ', "numeric"),
    ("owner", '=', "owner"),
    ("group", '=', "group"),
    ("mtime", '=', "mtime"),
    ("mode", '=', "mode"),
    ("sort", '=', "none"),
    ("format", '=', "H"),
    ("posix", ' ', "posix"),
    ("old-archive", ' ', "v7"),
    ("portability", ' ', "v7"),
    ("remove-files", ' ', "remove"),
    ("transform", '=', "transform"),
    ("xform", '=', "transform"),
    ("show-transformed-names", ' ', "shown"),
    ("show-stored-names", ' ', "shown"),
    ("ignore-zeros", ' ', "i"),
    ("totals", '?', "totals"),
    ("checkpoint", '?', "none"),
    ("full-time", ' ', "full"),
    ("one-top-level", '?', "top"),
    ("blocking-factor", '=', "b"),
    ("record-size", '=', "none"),
    ("read-full-records", ' ', "none"),
    ("no-overwrite-dir", ' ', "none"),
    ("warning", '=', "none"),
    ("force-local", ' ', "none"),
    ("no-xattrs", ' ', "none"),
    ("xattrs", ' ', "none"),
    ("acls", ' ', "none"),
    ("no-acls", ' ', "none"),
    ("selinux", ' ', "none"),
    ("no-selinux", ' ', "none"),
    ("delay-directory-restore", ' ', "none"),
    ("quoting-style", '=', "none"),
    ("hard-dereference", ' ', "none"),
    ("sparse", ' ', "none"),
    ("preserve-order", ' ', "none"),
    ("same-order", ' ', "none"),
    ("atime-preserve", '?', "none"),
    ("pax-option", '=', "none"),
    ("one-file-system", ' ', "none"),
    ("utc", ' ', "utc"),
    ("recursive-unlink", ' ', "none"),
    ("ignore-failed-read", ' ', "lenient"),
    ("help", ' ', "help"),
    ("usage", ' ', "help"),
    ("version", ' ', "version"),
];

/// Returns the help text: what each option does, then all long names.
pub(super) fn help() -> String {
    let shown = LONG.iter().map(|(name, takes, _)| match takes {
        '=' => format!("--{name}=X"),
        '?' => format!("--{name}[=X]"),
        _ => format!("--{name}"),
    });
    format!("{HELP}{}", wisp_tool::text::fill(shown, 100))
}

const HELP: &str = "Usage: tar [OPTION...] [FILE]...
Save many files together into one archive, and restore them from it.

  -c, -x, -t, -r, -u     create, extract, list, append, update
  -d, -A, --delete       compare with files, append other archives, delete members
  -f ARCHIVE             the archive; - is standard input or output
  -z, -j, -J, --zstd, --lzma, -a   compress (when reading, the format is found out)
  -I PROGRAM             compress with gzip, bzip2, xz, lzma or zstd
  -C DIR                 change to DIR for what follows
  -v, -vv                say what is done
  -O, -k, -m, -p, -P, -h to standard output; keep old files; no times; exact modes; absolute names; follow links
  -T FILE, -X FILE       names, or patterns to exclude, from FILE (--null)
  -N DATE                only files that changed since
  -H FORMAT, -b N, -i    gnu, ustar, pax or v7; blocks in a record; continue after zeros
  --exclude=PATTERN, --exclude-vcs, --wildcards, --anchored, --no-recursion
  --strip-components=N, --transform=s/A/B/, --one-top-level[=DIR]
  --skip-old-files, --keep-newer-files, --overwrite, --remove-files
  --format=gnu|ustar|pax|v7, --owner, --group, --mode, --mtime, --numeric-owner, --totals
  -B -U -s -o -w -S -l -n -K -V -g -L -W -R   accepted; they change nothing here

All long names; they can be abbreviated:";
