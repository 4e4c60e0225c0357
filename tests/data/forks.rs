//! Snapshots and forks: what C code holds goes on in a copy as what Python holds does.

use wisp::InterpreterSnapshot;

use crate::kit::{begun, cell, engine, output, policy, python};

/// An array and a view of it, a frame and its groups, a generator and a file in the middle.
const SETUP: &str = "
import numpy as np, pandas as pd
grid = np.arange(12.0).reshape(3, 4)
view = grid[1]
table = pd.DataFrame({'k': list('abcab'), 'v': range(5)})
groups = table.groupby('k')
big = np.zeros(2_500_000); big[-1] = 7
tens = (int(row.v) * 10 for row in table.itertuples())
first = next(tens)
with open('rows.csv', 'w') as made:
    made.write('k,v\\na,1\\nb,2\\nc,3\\n')
rows = open('rows.csv')
head = rows.readline()
";

const USE: &str = "print(int(view.sum()), groups['v'].sum().to_dict(), int(big[-1]), next(tens), rows.readline().strip())";

const SEEN: &str = "22 {'a': 3, 'b': 5, 'c': 2} 7 10 a,1\n";

#[tokio::test]
async fn everything_survives_and_siblings_diverge() {
    let mut parent = begun(SETUP).await;
    let snapshot = parent.snapshot().await.unwrap();
    assert_eq!(snapshot.not_carried(), &[] as &[String]);
    for round in 0..4 {
        let mut child = snapshot.fork().await.unwrap();
        assert_eq!(output(&mut child, USE).await, SEEN, "child {round}");
        output(&mut child, &format!("grid[1, 0] = 100 + {round}; big[0] = {round}; table.loc[len(table)] = ['d', {round}]")).await;
        let changed = output(&mut child, "print(int(view[0]), int(big[0]), len(table), next(tens), rows.readline().strip())").await;
        assert_eq!(changed, format!("{} {round} 6 20 b,2\n", 100 + round));
    }
    assert_eq!(output(&mut parent, USE).await, SEEN, "the parent is as it was");
    assert_eq!(output(&mut parent, "print(int(big[0]), len(table))").await, "0 5\n");
    assert_eq!(output(&mut snapshot.fork().await.unwrap(), USE).await, SEEN, "and so is the snapshot");
}

#[tokio::test]
async fn forks_of_forks_of_forks() {
    let mut generation = vec![begun("import numpy as np; path = np.zeros(0, dtype=int)").await];
    for depth in 0..3 {
        let mut next = Vec::new();
        for mut interpreter in generation {
            for (number, mut child) in interpreter.fork(2).await.unwrap().into_iter().enumerate() {
                output(&mut child, &format!("path = np.append(path, {number})")).await;
                assert_eq!(output(&mut child, "print(path.size, int(path[-1]))").await, format!("{} {number}\n", depth + 1));
                next.push(child);
            }
        }
        generation = next;
    }
    let mut paths = Vec::new();
    for mut interpreter in generation {
        paths.push(output(&mut interpreter, "print(*path.tolist())").await);
    }
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), 8, "each went its own way");
}

/// What C code does with files, databases and its own output.
const C_CODE: &str = "
import sqlite3, sys
np.savetxt('square.txt', np.full((2, 2), step), fmt='%d')
with sqlite3.connect('steps.db') as database:
    database.execute('create table if not exists steps (number integer)')
    database.execute('insert into steps values (?)', (step,))
    steps = [number for number, in database.execute('select number from steps order by rowid')]
database.close()
np.save('step.npy', np.arange(step + 1))
print(int(np.loadtxt('square.txt').sum()), steps, np.load('step.npy').size)
del database
";

#[tokio::test]
async fn the_original_goes_on_after_each_snapshot_and_fork() {
    let mut original = begun("import numpy as np; step = 0").await;
    assert_eq!(output(&mut original, C_CODE).await, "0 [0] 1\n");
    for step in 1..4 {
        let snapshot = original.snapshot().await.unwrap();
        let mut child = original.fork(1).await.unwrap().remove(0);
        for (interpreter, step) in [(&mut original, step), (&mut child, step + 10)] {
            output(interpreter, &format!("step = {step}")).await;
            let printed = output(interpreter, C_CODE).await;
            let before: Vec<String> = (0..step % 10).map(|step| step.to_string()).collect();
            assert_eq!(printed, format!("{} [{}, {step}] {}\n", 4 * step, before.join(", "), step + 1));
        }
        // The one that was taken before is as it was then.
        assert_eq!(output(&mut snapshot.fork().await.unwrap(), "print(step)").await, format!("{}\n", step - 1));
    }
}

/// libsvm writes its report by C's own standard output.
const C_PRINTS: &str = "from sklearn.svm import SVC\nprint(SVC(verbose=True).fit([[0.0], [1.0]], [0, 1]).predict([[0.9]]))";

#[tokio::test]
async fn what_c_code_prints_is_seen_in_every_copy() {
    let mut parent = python("").await;
    let expected = output(&mut parent, C_PRINTS).await;
    assert!(expected.contains("optimization finished") && expected.ends_with("[1]\n"), "{expected}");
    let mut child = parent.fork(1).await.unwrap().remove(0);
    let mut grandchild = child.fork(1).await.unwrap().remove(0);
    for interpreter in [&mut parent, &mut child, &mut grandchild] {
        assert_eq!(output(interpreter, C_PRINTS).await, expected);
    }
}

#[tokio::test]
async fn chance_differs_between_forks() {
    let own = "print(np.random.rand(), np.random.default_rng().random(), random.random())";
    let mut parent = begun("import numpy as np, random; np.random.seed(3); random.seed(3); mine = np.random.default_rng(3)").await;
    let snapshot = parent.snapshot().await.unwrap();
    let (mut one, mut two) = (snapshot.fork().await.unwrap(), snapshot.fork().await.unwrap());
    let drawn = [output(&mut one, own).await, output(&mut two, own).await];
    for (one, two) in drawn[0].split(' ').zip(drawn[1].split(' ')) {
        assert_ne!(one, two, "{drawn:?}");
    }
    // A generator that the program seeded is its own.
    let seeded = "print(mine.random(), mine.integers(1_000))";
    assert_eq!(output(&mut one, seeded).await, output(&mut two, seeded).await);
    // So is one that a fork seeds.
    let seed = "np.random.seed(5); print(np.random.rand())";
    assert_eq!(output(&mut one, seed).await, output(&mut two, seed).await);
}

#[tokio::test]
async fn going_back_restores_arrays_frames_and_files() {
    let mut interpreter = begun(SETUP).await;
    let snapshot = interpreter.snapshot().await.unwrap();
    output(&mut interpreter, "grid[:] = 0; table.drop(table.index, inplace=True); rows.close(); open('rows.csv', 'w').close()").await;
    interpreter.restore(&snapshot).await.unwrap();
    assert_eq!(output(&mut interpreter, USE).await, SEEN);
    // One that a limit has ended is restored too.
    let mut limited = python("[limits]\nwall = \"3s\"").await;
    output(&mut limited, "import numpy as np; kept = np.arange(5)").await;
    let snapshot = limited.snapshot().await.unwrap();
    assert!(!cell(&mut limited, "while True: kept @ kept").await.success() && limited.ended().is_some());
    limited.restore(&snapshot).await.unwrap();
    assert_eq!(output(&mut limited, "print(int(kept.sum()))").await, "10\n");
}

#[tokio::test]
async fn another_engine_goes_on_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.snapshot");
    let mut parent = begun(SETUP).await;
    parent.snapshot().await.unwrap().to_file(&path).await.unwrap();
    assert_eq!(output(&mut parent, USE).await, SEEN, "the parent goes on");
    let bytes = std::fs::metadata(&path).unwrap().len();
    assert!(bytes < 64 << 20, "{bytes} bytes: what the image has is not in the file");
    let here = engine().session(&policy("")).build().await.unwrap();
    let snapshot = InterpreterSnapshot::from_file(&here, &path).await.unwrap();
    let (mut one, mut two) = (snapshot.fork().await.unwrap(), snapshot.fork().await.unwrap());
    for child in [&mut one, &mut two] {
        assert_eq!(output(child, USE).await, SEEN);
        output(child, "grid[:] = 0").await;
    }
    let draw = "print(np.random.rand())";
    assert_ne!(output(&mut one, draw).await, output(&mut two, draw).await);
    // What was loaded can be kept again.
    let again = folder.path().join("again.snapshot");
    one.snapshot().await.unwrap().to_file(&again).await.unwrap();
    let again = InterpreterSnapshot::from_file(&here, &again).await.unwrap();
    let look = "print(int(grid.sum()), next(tens), rows.readline().strip(), len(table))";
    assert_eq!(output(&mut again.fork().await.unwrap(), look).await, "0 20 b,2 5\n");
}

/// Bytes that a chain of copies may grow by: what CPython itself keeps of a few cells.
const GROWTH: u64 = 1 << 20;

#[tokio::test]
async fn a_chain_of_copies_does_not_grow() {
    let mut interpreter = begun(SETUP).await;
    let mut sizes = Vec::new();
    for link in 0..12 {
        output(&mut interpreter, &format!("link = np.full(1_000, {link}); table['v'] = link[:5]")).await;
        // Every second one goes on itself, the others in a fork.
        let snapshot = interpreter.snapshot().await.unwrap();
        assert_eq!(snapshot.not_carried(), &[] as &[String], "link {link}");
        sizes.push(snapshot.memory());
        if link % 2 == 0 {
            interpreter = snapshot.fork().await.unwrap();
        }
    }
    assert_eq!(output(&mut interpreter, "print(int(table.v.sum()), next(tens), rows.readline().strip())").await, "55 10 a,1\n");
    assert!(sizes[11].saturating_sub(sizes[1]) <= GROWTH, "{sizes:?}");
}
