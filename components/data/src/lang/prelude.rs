//! The filters that are written in the language itself. Each is parsed when a program first names it.

/// Name, number of filters it takes, definition.
type Entry = (&'static str, usize, &'static str);

const DEFS: &[Entry] = &[
    ("recurse", 0, "def recurse: ., (.[]? | recurse);"),
    ("recurse", 1, "def recurse(f): def again: ., (f | again); again;"),
    ("recurse", 2, "def recurse(f; keep): def again: ., (f | select(keep) | again); again;"),
    ("recurse_down", 0, "def recurse_down: recurse;"),
    ("range", 1, "def range($upto): range(0; $upto);"),
    ("range", 2, "def range($from; $upto): _range($from; $upto);"),
    ("range", 3, "def range($from; $upto; $by): _steps($from; $upto; $by)[];"),
    ("values", 0, "def values: select(. != null);"),
    ("nulls", 0, "def nulls: select(. == null);"),
    ("arrays", 0, "def arrays: select(type == \"array\");"),
    ("objects", 0, "def objects: select(type == \"object\");"),
    ("iterables", 0, "def iterables: select(type == \"array\" or type == \"object\");"),
    ("booleans", 0, "def booleans: select(type == \"boolean\");"),
    ("numbers", 0, "def numbers: select(type == \"number\");"),
    ("strings", 0, "def strings: select(type == \"string\");"),
    ("scalars", 0, "def scalars: select(type != \"array\" and type != \"object\");"),
    ("normals", 0, "def normals: select(isnormal);"),
    ("finites", 0, "def finites: select(isfinite);"),
    ("isvalid", 1, "def isvalid(f): try (f | true) catch false;"),
    ("error", 1, "def error($message): $message | error;"),
    ("add", 1, "def add(f): reduce f as $item (null; . + $item);"),
    ("del", 1, "def del(paths): delpaths([path(paths)]);"),
    ("paths", 0, "def paths: path(..) | select(. != []);"),
    ("paths", 1, "def paths(f): path(.. | select(f)) | select(. != []);"),
    ("leaf_paths", 0, "def leaf_paths: paths(scalars);"),
    ("pick", 1, "def pick(paths): . as $whole | reduce path(paths) as $path (null; setpath($path; $whole | getpath($path)));"),
    ("with_entries", 1, "def with_entries(f): [to_entries[] | f] | from_entries;"),
    ("sort_by", 1, "def sort_by(f): _sort_by([.[] | [f]]);"),
    ("group_by", 1, "def group_by(f): _group_by([.[] | [f]]);"),
    ("unique", 0, "def unique: _unique_by([.[] | [.]]);"),
    ("unique_by", 1, "def unique_by(f): _unique_by([.[] | [f]]);"),
    ("min_by", 1, "def min_by(f): _min_by([.[] | [f]]);"),
    ("max_by", 1, "def max_by(f): _max_by([.[] | [f]]);"),
    ("any", 0, "def any: any(.);"),
    ("all", 0, "def all: all(.);"),
    ("any", 1, "def any(f): any(.[]; f);"),
    ("all", 1, "def all(f): all(.[]; f);"),
    ("any", 2, "def any(source; f): label $found | (source | if f then true, break $found else empty end), false;"),
    ("all", 2, "def all(source; f): label $found | (source | if f then empty else false, break $found end), true;"),
    ("isempty", 1, "def isempty(f): label $found | (f | false, break $found), true;"),
    ("first", 0, "def first: .[0];"),
    ("last", 0, "def last: .[-1];"),
    ("nth", 1, "def nth($n): .[$n];"),
    ("first", 1, "def first(f): label $found | f | ., break $found;"),
    ("last", 1, "def last(f): reduce f as $item (null; $item);"),
    (
        "nth",
        2,
        "def nth($n; f): if $n < 0 then error(\"nth doesn't support negative indices\") \
         else label $found | foreach f as $item (-1; . + 1; if . >= $n then $item, break $found else empty end) end;",
    ),
    (
        "limit",
        2,
        "def limit($n; f): if $n > 0 then label $enough | foreach f as $item (0; . + 1; $item, if . >= $n then break $enough else empty end) \
         elif $n == 0 then empty else f end;",
    ),
    (
        "skip",
        2,
        "def skip($n; f): if $n < 0 then error(\"skip doesn't support negative count\") \
         else foreach f as $item (0; . + 1; if . > $n then $item else empty end) end;",
    ),
    ("until", 2, "def until(done; f): def again: if done then . else (f | again) end; again;"),
    ("while", 2, "def while(going; f): def again: if going then ., (f | again) else empty end; again;"),
    ("repeat", 1, "def repeat(f): def again: f, again; again;"),
    ("inputs", 0, "def inputs: def again: input, again; try again catch if . == \"break\" then empty else error end;"),
    ("in", 1, "def in(whole): . as $key | whole | has($key);"),
    ("inside", 1, "def inside(whole): . as $part | whole | contains($part);"),
    ("index", 1, "def index($part): indices($part) | .[0];"),
    ("rindex", 1, "def rindex($part): indices($part) | .[-1:][0];"),
    (
        "combinations",
        0,
        "def combinations: if length == 0 then [] else .[0][] as $head | (.[1:] | combinations) as $tail | [$head] + $tail end;",
    ),
    ("combinations", 1, "def combinations(n): . as $list | [range(n) | $list] | combinations;"),
    (
        "walk",
        1,
        "def walk(f): def again: if type == \"object\" then map_values(again) elif type == \"array\" then map(again) else . end | f; again;",
    ),
    ("transpose", 0, "def transpose: [range(0; [.[] | length] | max // 0) as $at | [.[][$at]]];"),
    ("match", 1, "def match($re): _match($re; null; false)[];"),
    ("match", 2, "def match($re; $flags): _match($re; $flags; false)[];"),
    ("test", 1, "def test($re): _match($re; null; true);"),
    ("test", 2, "def test($re; $flags): _match($re; $flags; true);"),
    ("capture", 1, "def capture($re): match($re) | _captures;"),
    ("capture", 2, "def capture($re; $flags): match($re; $flags) | _captures;"),
    ("scan", 1, "def scan($re): scan($re; null);"),
    ("scan", 2, "def scan($re; $flags): match($re; \"g\" + $flags) | if .captures == [] then .string else [.captures[].string] end;"),
    ("split", 2, "def split($re; $flags): _split($re; \"g\" + $flags);"),
    ("splits", 1, "def splits($re): _split($re; \"g\")[];"),
    ("splits", 2, "def splits($re; $flags): _split($re; \"g\" + $flags)[];"),
    ("sub", 2, "def sub($re; new): sub($re; new; \"\");"),
    ("gsub", 2, "def gsub($re; new): sub($re; new; \"g\");"),
    ("gsub", 3, "def gsub($re; new; $flags): sub($re; new; $flags + \"g\");"),
    (
        "sub",
        3,
        "def sub($re; new; $flags): . as $text | [match($re; $flags) | . as $match | [$match.offset, $match.length, [_captures | new]]] \
         | _splice($text)[];",
    ),
    ("todate", 0, "def todate: strftime(\"%Y-%m-%dT%H:%M:%SZ\");"),
    ("fromdateiso8601", 0, "def fromdateiso8601: strptime(\"%Y-%m-%dT%H:%M:%SZ\") | mktime;"),
    ("todateiso8601", 0, "def todateiso8601: strftime(\"%Y-%m-%dT%H:%M:%SZ\");"),
    ("fromdate", 0, "def fromdate: fromdateiso8601;"),
    ("date", 0, "def date: todate;"),
    ("dateadd", 2, "def dateadd(unit; $n): . + $n;"),
    ("datesub", 2, "def datesub(unit; $n): . - $n;"),
    ("todate", 1, "def todate(format): strftime(format);"),
    ("fromdate", 1, "def fromdate(format): strptime(format) | mktime;"),
    ("debug", 1, "def debug(messages): (messages | debug | empty), .;"),
    ("halt_error", 0, "def halt_error: halt_error(5);"),
    ("tostream", 0, "def tostream: _events[];"),
    ("fromstream", 1, "def fromstream(f): foreach f as $event ([null, false]; _build($event); if .[1] then .[0] else empty end);"),
    (
        "truncate_stream",
        1,
        "def truncate_stream(events): . as $depth | null | events | select(.[0] | length > $depth) | .[0] |= .[$depth:];",
    ),
    ("bsearch", 1, "def bsearch($wanted): _bsearch($wanted);"),
    ("INDEX", 1, "def INDEX(key): INDEX(.[]; key);"),
    ("INDEX", 2, "def INDEX(rows; key): reduce rows as $row ({}; .[$row | key | tostring] = $row);"),
    ("IN", 1, "def IN(source): any(source == .; .);"),
    ("IN", 2, "def IN(source; set): any(source == set; .);"),
    ("JOIN", 2, "def JOIN($index; key): [.[] | [., $index[key]]];"),
    ("JOIN", 3, "def JOIN($index; rows; key): rows | [., $index[key]];"),
    ("JOIN", 4, "def JOIN($index; rows; key; made): rows | [., $index[key]] | made;"),
];

/// Returns the text of a definition.
pub(super) fn find(name: &str, arity: usize) -> Option<&'static str> {
    DEFS.iter().find(|(n, a, _)| *n == name && *a == arity).map(|(_, _, text)| *text)
}

/// Returns what `builtins` lists.
pub(super) fn names() -> impl Iterator<Item = String> {
    let special = [("empty", 0), ("path", 1), ("getpath", 1), ("select", 1), ("map", 1), ("map_values", 1), ("builtins", 0)];
    let own = DEFS.iter().map(|(name, arity, _)| (*name, *arity)).chain(special).chain(crate::run::natives::names());
    own.filter(|(name, _)| !name.starts_with('_')).map(|(name, arity)| format!("{name}/{arity}"))
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse;
    use super::*;

    #[test]
    fn definitions_are_what_the_table_says() {
        for (name, arity, text) in DEFS {
            let source = parse(text).unwrap_or_else(|m| panic!("{name}: {}", m.message));
            assert_eq!((source.functions[0].name.as_str(), source.functions[0].params.len()), (*name, *arity));
        }
    }
}
