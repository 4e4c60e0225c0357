# Prints `file program tests comments` for each file of Rust: its lines that are not blank, by kind.
# Tests are what stands below a folder `tests`, in a file `…tests.rs`, or after `#[cfg(test)]` in a module within the file.
FNR == 1 { tests = FILENAME ~ /(^|\/)tests\// || FILENAME ~ /tests\.rs$/; marked = 0; files[FILENAME] }
/^[ \t]*$/ { next }
marked && /^mod .*\{$/ { tests = 1 }
{ marked = /^#\[cfg\(test\)\]/ }
/^[ \t]*\/\// { comments[FILENAME]++; next }
tests { lines_of_tests[FILENAME]++; next }
{ program[FILENAME]++ }
END { for (file in files) print file, program[file] + 0, lines_of_tests[file] + 0, comments[file] + 0 }
