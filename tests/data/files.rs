//! Open files and descriptors across a snapshot. The C library of the image has a table of its own, which begins anew in a copy:
//! no number in it may become one that a program holds, or one of the standard streams.

use wisp::{Code, Interpreter};

use crate::kit::{begun, output, python};

/// The interpreter, which has just been parked, and two generations of copies.
async fn copies(interpreter: &mut Interpreter) -> [Interpreter; 2] {
    let mut child = interpreter.fork(1).await.unwrap().remove(0);
    let grandchild = child.fork(1).await.unwrap().remove(0);
    [child, grandchild]
}

/// A program of this kind once ended in "access outside its memory", in the copy of a copy.
#[tokio::test]
async fn a_file_a_frame_and_a_generator_together() {
    let mut interpreter = begun(
        "import pandas as pd
log = open('log', 'w+')
log.write('one\\ntwo\\nthree\\nfour\\n')
log.seek(0)
frame = pd.DataFrame({'v': [1, 2, 3, 4]})
values = (int(v) for v in frame.v)
print(log.readline().strip(), next(values))",
    )
    .await;
    for (line, value) in [("two", 2), ("three", 3), ("four", 4)] {
        let snapshot = interpreter.snapshot().await.unwrap();
        assert_eq!(snapshot.not_carried(), &[] as &[String]);
        interpreter = snapshot.fork().await.unwrap();
        let look = "print(log.readline().strip(), next(values), int(frame.merge(frame, on='v').v.sum()))";
        assert_eq!(output(&mut interpreter, look).await, format!("{line} {value} 10\n"));
        output(&mut interpreter, "frame.to_csv('frame.csv', index=False); frame = pd.read_csv('frame.csv')").await;
    }
    output(&mut interpreter, "log.write('five\\n'); log.close()").await;
    assert_eq!(
        output(&mut interpreter, "print(open('log').read().split(), len(frame))").await,
        "['one', 'two', 'three', 'four', 'five'] 4\n"
    );
}

#[tokio::test]
async fn many_open_files_go_on() {
    const CHECK: &str = "
for number, file in enumerate(files):
    file.write('later\\n')
    file.seek(0)
    assert file.read() == f'{number}\\nlater\\n', (number, file)
print(len(files), len({file.fileno() for file in files}), min(file.fileno() for file in files) > 2)
";
    let mut parent = begun(
        "files = [open(f'file-{number}', 'w+') for number in range(60)]
for number, file in enumerate(files): file.write(f'{number}\\n')",
    )
    .await;
    let snapshot = parent.snapshot().await.unwrap();
    assert_eq!(snapshot.not_carried(), &[] as &[String]);
    let mut child = snapshot.fork().await.unwrap();
    let [mut one, mut two] = copies(&mut child).await;
    for interpreter in [&mut parent, &mut child, &mut one, &mut two] {
        assert_eq!(output(interpreter, CHECK).await, "60 60 True\n");
    }
}

#[tokio::test]
async fn what_is_opened_after_a_snapshot_is_never_a_standard_stream() {
    const OPEN: &str = "
import os, sqlite3
numbers = [os.open(f'n{number}', os.O_CREAT | os.O_RDWR) for number in range(8)]
database = sqlite3.connect('data.db')
database.execute('create table if not exists t (a)')
more = os.open('more', os.O_CREAT | os.O_RDWR)
copied = os.dup(more)
print(min([*numbers, more, copied]) > 2, len({*numbers, more, copied}))
for number in [*numbers, more, copied]: os.close(number)
database.close()
";
    let mut parent = python("").await;
    assert_eq!(output(&mut parent, OPEN).await, "True 10\n");
    let [mut child, mut grandchild] = copies(&mut parent).await;
    for interpreter in [&mut parent, &mut child, &mut grandchild] {
        assert_eq!(output(interpreter, OPEN).await, "True 10\n");
        assert_eq!(output(interpreter, OPEN).await, "True 10\n", "and once more");
    }
}

#[tokio::test]
async fn the_standard_streams_go_on() {
    const STREAMS: &str = "
import os, subprocess, sys
print(repr(sys.stdin.read()), flush=True)
print('to standard error', file=sys.stderr)
os.write(1, b'by its number\\n')
print(subprocess.run(['cat'], input='through a child', capture_output=True, text=True).stdout, flush=True)
subprocess.run(['echo', 'of a child'])
";
    let mut parent = python("").await;
    let seen = |cell: &wisp::Evaluation| (cell.stdout_text().into_owned(), cell.outcome.stderr_text().into_owned());
    let expected = seen(&parent.eval(STREAMS).await.unwrap());
    assert_eq!(expected.0, "''\nby its number\nthrough a child\nof a child\n");
    assert_eq!(expected.1, "to standard error\n");
    let [mut child, mut grandchild] = copies(&mut parent).await;
    for interpreter in [&mut parent, &mut child, &mut grandchild] {
        assert_eq!(seen(&interpreter.eval(STREAMS).await.unwrap()), expected);
        let asked = Code::new("print(input('name? '))").on_input_request(|question| async move { Some(question.prompt + "ada") });
        assert_eq!(interpreter.eval(asked).await.unwrap().stdout_text(), "name? ada\n");
    }
}
