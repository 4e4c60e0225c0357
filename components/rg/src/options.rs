//! The names of ripgrep's options, and its help.

/// Long name, letter, whether it takes a value.
pub(crate) const OPTIONS: &[(&str, char, bool)] = &[
    ("regexp", 'e', true),
    ("file", 'f', true),
    ("ignore-case", 'i', false),
    ("smart-case", 'S', false),
    ("case-sensitive", 's', false),
    ("fixed-strings", 'F', false),
    ("word-regexp", 'w', false),
    ("line-regexp", 'x', false),
    ("invert-match", 'v', false),
    ("line-number", 'n', false),
    ("no-line-number", 'N', false),
    ("count", 'c', false),
    ("count-matches", ' ', false),
    ("files-with-matches", 'l', false),
    ("files-without-match", ' ', false),
    ("only-matching", 'o', false),
    ("replace", 'r', true),
    ("after-context", 'A', true),
    ("before-context", 'B', true),
    ("context", 'C', true),
    ("max-count", 'm', true),
    ("quiet", 'q', false),
    ("glob", 'g', true),
    ("iglob", ' ', true),
    ("type", 't', true),
    ("type-not", 'T', true),
    ("type-add", ' ', true),
    ("type-clear", ' ', true),
    ("type-list", ' ', false),
    ("files", ' ', false),
    ("hidden", '.', false),
    ("no-hidden", ' ', false),
    ("no-ignore", ' ', false),
    ("no-ignore-vcs", ' ', false),
    ("no-ignore-parent", ' ', false),
    ("no-ignore-dot", ' ', false),
    ("no-ignore-global", ' ', false),
    ("no-ignore-files", ' ', false),
    ("no-ignore-exclude", ' ', false),
    ("no-require-git", ' ', false),
    ("ignore-file", ' ', true),
    ("unrestricted", 'u', false),
    ("follow", 'L', false),
    ("no-follow", ' ', false),
    ("text", 'a', false),
    ("binary", ' ', false),
    ("multiline", 'U', false),
    ("multiline-dotall", ' ', false),
    ("with-filename", 'H', false),
    ("no-filename", 'I', false),
    ("heading", ' ', false),
    ("no-heading", ' ', false),
    ("column", ' ', false),
    ("no-column", ' ', false),
    ("byte-offset", 'b', false),
    ("vimgrep", ' ', false),
    ("json", ' ', false),
    ("stats", ' ', false),
    ("max-depth", 'd', true),
    ("maxdepth", ' ', true),
    ("max-columns", 'M', true),
    ("max-columns-preview", ' ', false),
    ("max-filesize", ' ', true),
    ("color", ' ', true),
    ("colors", ' ', true),
    ("sort", ' ', true),
    ("sortr", ' ', true),
    ("sort-files", ' ', false),
    ("threads", 'j', true),
    ("null", '0', false),
    ("null-data", ' ', false),
    ("passthru", ' ', false),
    ("passthrough", ' ', false),
    ("trim", ' ', false),
    ("line-buffered", ' ', false),
    ("block-buffered", ' ', false),
    ("no-messages", ' ', false),
    ("pretty", 'p', false),
    ("no-config", ' ', false),
    ("crlf", ' ', false),
    ("no-unicode", ' ', false),
    ("context-separator", ' ', true),
    ("no-context-separator", ' ', false),
    ("one-file-system", ' ', false),
    ("include-zero", ' ', false),
    ("mmap", ' ', false),
    ("no-mmap", ' ', false),
    ("engine", ' ', true),
    ("pcre2", 'P', false),
    ("search-zip", 'z', false),
    ("encoding", 'E', true),
    ("pre", ' ', true),
    ("pre-glob", ' ', true),
    ("debug", ' ', false),
    ("trace", ' ', false),
    ("dfa-size-limit", ' ', true),
    ("regex-size-limit", ' ', true),
    ("path-separator", ' ', true),
    ("hyperlink-format", ' ', true),
    ("field-match-separator", ' ', true),
    ("field-context-separator", ' ', true),
    ("auto-hybrid-regex", ' ', false),
    ("no-ignore-messages", ' ', false),
    ("glob-case-insensitive", ' ', false),
    ("stop-on-nonmatch", ' ', false),
    ("pcre2-version", ' ', false),
    ("no-pcre2", ' ', false),
    ("no-pcre2-unicode", ' ', false),
    ("pcre2-unicode", ' ', false),
    ("unicode", ' ', false),
    ("no-auto-hybrid-regex", ' ', false),
    ("no-fixed-strings", ' ', false),
    ("no-invert-match", ' ', false),
    ("no-multiline", ' ', false),
    ("no-multiline-dotall", ' ', false),
    ("no-text", ' ', false),
    ("no-binary", ' ', false),
    ("no-byte-offset", ' ', false),
    ("no-crlf", ' ', false),
    ("no-json", ' ', false),
    ("no-stats", ' ', false),
    ("no-trim", ' ', false),
    ("no-include-zero", ' ', false),
    ("no-sort-files", ' ', false),
    ("no-encoding", ' ', false),
    ("no-pre", ' ', false),
    ("no-search-zip", ' ', false),
    ("no-one-file-system", ' ', false),
    ("no-max-columns-preview", ' ', false),
    ("no-line-buffered", ' ', false),
    ("no-block-buffered", ' ', false),
    ("no-glob-case-insensitive", ' ', false),
    ("ignore", ' ', false),
    ("ignore-vcs", ' ', false),
    ("ignore-parent", ' ', false),
    ("ignore-dot", ' ', false),
    ("ignore-global", ' ', false),
    ("ignore-files", ' ', false),
    ("ignore-exclude", ' ', false),
    ("ignore-messages", ' ', false),
    ("require-git", ' ', false),
    ("messages", ' ', false),
    ("help", 'h', false),
    ("version", 'V', false),
];

const HELP: &str = "Usage: rg [OPTIONS] PATTERN [PATH ...]
       rg [OPTIONS] -e PATTERN ... [PATH ...]
       rg [OPTIONS] --files [PATH ...]

Search files below the current directory (or PATH) for a regular expression, leaving out what .gitignore names, hidden files
and binary files. Results are sorted by path.

  -i, -S, -s              ignore case; ignore it unless the pattern has capitals; do not
  -F, -w, -x, -v          literal; whole words; whole lines; lines that do not match
  -e PATTERN, -f FILE     more patterns
  -n, -N, -H, -I, -b, --column, --vimgrep, --heading, -0   what is printed before a line
  -c, --count-matches, -l, --files-without-match, -q, --json   what is printed instead
  -o, -r TEXT, --trim, -M NUM, --passthru   what is printed of a line
  -A NUM, -B NUM, -C NUM, -m NUM   context; at most NUM lines per file
  -g GLOB, --iglob GLOB, -t TYPE, -T TYPE, --type-list, --type-add SPEC   which files
  -., -u, -uu, -uuu, --no-ignore, -L, -d NUM, --max-filesize N, --ignore-file FILE   where to search
  -P, --engine pcre2      lookaround and back-references
  -E ENCODING             what files are written in (auto, none, latin1, utf-16le, ...)
  -a, -U, --multiline-dotall, --crlf, --null-data, --no-unicode, --stats, -p, --color WHEN
  --sort path|modified|accessed|created, --sortr ...
  -z, --pre, --pre-glob   not supported here: decompress or convert in a pipe

All long names:";

/// Returns the help text: what each option does, then all long names.
pub(crate) fn help() -> String {
    let shown = OPTIONS.iter().map(|(name, _, valued)| format!("--{name}{}", if *valued { "=X" } else { "" }));
    format!("{HELP}{}", wisp_tool::text::fill(shown, 110))
}
