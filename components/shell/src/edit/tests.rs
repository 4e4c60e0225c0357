//! The word before the cursor.

use super::*;

#[test]
fn the_word_before_the_cursor_is_read_as_the_shell_reads_it() {
    let typed = |line: &str| {
        let typed = Typed::new(line);
        (typed.words.join("|"), typed.word.value.clone(), typed.word.start, typed.is_command())
    };
    let of = |words: &str, value: &str, start: usize, command: bool| (words.to_owned(), value.to_owned(), start, command);
    for (line, expected) in [
        ("ls", of("", "ls", 0, true)),
        ("ls ", of("ls", "", 3, false)),
        ("ls a b", of("ls|a", "b", 5, false)),
        ("ls; ca", of("", "ca", 4, true)),
        ("a | b && c", of("", "c", 9, true)),
        ("if tr", of("", "tr", 3, true)),
        ("A=1 B=2 en", of("", "en", 8, true)),
        ("A=/us", of("", "/us", 2, false)),
        ("cp --to=/us", of("cp", "/us", 8, false)),
        ("cat <fi", of("cat", "fi", 5, false)),
        ("cat < fi", of("cat", "fi", 6, false)),
        ("cat 2>lo", of("cat", "lo", 6, false)),
        (">out ca", of("", "ca", 5, true)),
        ("cat 'a b", of("cat", "a b", 4, false)),
        ("cat \"a b", of("cat", "a b", 4, false)),
        ("cat a\\ b", of("cat", "a b", 4, false)),
        ("cat 'a'b", of("cat", "ab", 4, false)),
        ("echo $(ca", of("", "ca", 7, true)),
        ("echo \"x\" ", of("echo|x", "", 9, false)),
    ] {
        assert_eq!(typed(line), expected, "{line:?}");
    }
}

#[test]
fn a_name_is_quoted_as_the_word_was_begun() {
    for (line, name, expected) in [
        ("cat x", "a b'c", "a\\ b\\'c"),
        ("cat 'x", "a b'c", "'a b'\\''c"),
        ("cat \"x", "a b\"$c", "\"a b\\\"\\$c"),
        ("cat x", "~x#", "\\~x#"),
        ("cat ~/x", "~/x y", "~/x\\ y"),
        ("cat x", "plain-1.txt", "plain-1.txt"),
    ] {
        assert_eq!(Typed::new(line).word.written(name).0, expected, "{line:?} {name:?}");
    }
}
