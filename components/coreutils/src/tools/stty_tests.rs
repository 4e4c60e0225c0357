use super::*;

fn changed(words: &[&str]) -> Settings {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    match change(SANE, &words) {
        Ok(settings) => settings,
        Err(Wrong::Word(message) | Wrong::System(message)) => panic!("{message}"),
    }
}

fn refused(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    match change(SANE, &words) {
        Err(Wrong::Word(message)) => message,
        Err(Wrong::System(message)) => panic!("{message}"),
        Ok(_) => panic!("{words:?} is accepted"),
    }
}

#[test]
fn flags_are_set_and_cleared_by_name() {
    assert_eq!(changed(&["-echo"]).local, SANE.local & !0o10);
    assert_eq!(changed(&["-echo", "echo"]), SANE);
    assert_eq!(changed(&["-ctlecho"]), changed(&["-echoctl"]));
    assert_eq!(changed(&["tab3"]).output, 0o14005);
    assert_eq!(changed(&["-tabs", "tabs"]), SANE);
    assert_eq!(changed(&["raw", "-echo", "sane"]), SANE);
    let raw = changed(&["raw"]);
    assert_eq!((raw.input, raw.output, raw.local), (0, 0o4, SANE.local & !0o3), "raw leaves the echo as it is");
    assert_eq!(changed(&["cbreak"]).local, SANE.local & !names::ICANON);
    assert_eq!(changed(&["9600", "ispeed", "300"]), SANE, "there is no line whose speed could be set");
}

#[test]
fn keys_are_written_in_many_ways() {
    for (written, key) in [("^C", 3), ("^?", 127), ("^-", 0), ("undef", 0), ("x", b'x'), ("0x1f", 31), ("010", 8), ("27", 27), ("^c", 3)] {
        assert_eq!(changed(&["intr", written]).characters[0], key, "{written}");
    }
    assert_eq!(changed(&["min", "5", "time", "10"]).characters[5..7], [10, 5]);
    assert_eq!(refused(&["intr"]), "missing argument to 'intr'");
    assert_eq!(refused(&["min", "x"]), "invalid integer argument: 'x'");
    assert!(refused(&["min", "256"]).contains("too large"));
    assert_eq!(refused(&["-"]), "invalid argument '-'");
    assert_eq!(refused(&["frob"]), "invalid argument 'frob'");
    assert_eq!(refused(&["-rows"]), "invalid argument '-rows'");
}

#[test]
fn what_is_saved_is_read_again() {
    let odd = changed(&["raw", "intr", "x", "min", "7"]);
    assert_eq!(changed(&[saved(&odd).trim_end()]), odd);
    assert!(refused(&["1:2:3"]).starts_with("invalid argument"));
    assert!(refused(&[&saved(&odd).replace(":78:", ":178:")]).starts_with("invalid argument"));
}

#[test]
fn settings_are_shown_in_lines_that_fit() {
    let all = shown(&SANE, (24, 80), true);
    assert!(
        all.starts_with(
            "speed 38400 baud; rows 24; columns 80; line = 0;\nintr = ^C; quit = ^\\; erase = ^?; kill = ^U; eof = ^D; eol = <undef>;\n"
        ),
        "{all}"
    );
    assert!(all.contains("discard = ^O; min = 1; time = 0;\n-parenb -parodd cs8"), "{all}");
    assert!(all.contains("opost -olcuc -ocrnl onlcr") && all.ends_with("-flusho -extproc\n"), "{all}");
    assert!(all.lines().all(|line| line.len() <= 80), "{all}");
    assert_eq!(shown(&SANE, (24, 80), false), "speed 38400 baud; line = 0;\n");
    let shown = shown(&changed(&["-echo", "intr", "^X", "-icanon", "min", "0"]), (0, 0), false);
    assert_eq!(shown, "speed 38400 baud; line = 0;\nintr = ^X; min = 0; time = 0;\n-icanon -echo\n");
}
