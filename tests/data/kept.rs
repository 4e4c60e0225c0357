//! `wisp run --session` with the data image: what one process of wisp leaves, the next finds.

use wisp_tests::kept::State;

const DATA: &[&str] = &["--policy", "data"];

#[test]
fn arrays_frames_and_files_go_on_from_run_to_run() {
    let state = State::new(DATA);
    let python = |code: &str| state.run(&["python3", "-c", code]);
    python(
        "import numpy as np, pandas as pd
grid = np.arange(6).reshape(2, 3)
table = pd.DataFrame({'k': list('aba'), 'v': [1, 2, 3]})
rows = open('rows.csv', 'w+')
rows.write('a\\nb\\nc\\n'); rows.seek(0)
squares = (n * n for n in range(9))
print(rows.readline().strip(), next(squares))",
    );
    let look = "print(int(grid.sum()), table.groupby('k').v.sum().to_dict(), rows.readline().strip(), next(squares)); grid += 1";
    assert_eq!(python(look), "15 {'a': 4, 'b': 2} b 1\n");
    assert_eq!(python(look), "21 {'a': 4, 'b': 2} c 4\n");
    python("rows.write('d\\n'); rows.close(); np.savetxt('grid.txt', grid, fmt='%d')");
    assert_eq!(state.run(&["sh", "-c", "tail -n 1 rows.csv; cat grid.txt"]), "d\n2 3 4\n5 6 7\n");
    // A process of its own in between, which is not the kept interpreter, and which has standard input.
    assert_eq!(state.run(&["sh", "-c", "seq 4 | python3 -c 'import numpy, sys; print(int(numpy.loadtxt(sys.stdin).sum()))'"]), "10\n");
    assert_eq!(python("print(int(grid.sum()), next(squares))"), "27 9\n");
    let ran = state.wisp(&["session", "export", "s", "s.tar"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(std::fs::metadata(state.path().join("s.tar")).expect("the archive").len() > 1024);
}

#[test]
fn the_image_of_a_kept_session_stays_what_it_is() {
    let state = State::new(DATA);
    state.run(&["python3", "-c", "import numpy; kept = numpy.ones(3)"]);
    // The session has its policy; to ask for another is a mistake.
    let ran = state.wisp(&["run", "--session", "s", "--", "python3", "-c", "print(int(kept.sum()))"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "3\n"), "{}", ran.err);
    let ran = state.wisp(&["run", "--session", "s", "--policy", "fetch", "--", "python3", "-c", "1"]);
    assert_eq!(ran.code, Some(2), "{}", ran.out);
    assert!(ran.err.contains("began under another policy (`data`)"), "{}", ran.err);
}
