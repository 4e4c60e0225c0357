//! `[determinism]` and `limits.instructions`, for which the image is compiled a second time: the first test here that runs on a
//! machine does it, if `wisp prepare --image data --instructions` has not.

use wisp::{Command, Engine, SessionError};

use crate::kit::{output, policy, python, session};

const FIXED: &str = "[determinism]\nseed = 7\nclock = \"2026-01-01T00:00:00Z\"";

const DRAW: &str = "
import random, time
import numpy as np, pandas as pd
print(np.random.rand(), np.random.default_rng().random(), random.random(), time.time_ns())
print(pd.DataFrame({'v': range(999)}).sample(3).v.tolist(), hash('a'), pd.Timestamp.now())
";

#[tokio::test]
async fn two_runs_are_equal() {
    let mut seen = Vec::new();
    for lines in [FIXED, FIXED, "[determinism]\nseed = 8"] {
        let outcome = session(lines).await.run(Command::new("python3").args(["-c", DRAW])).await.unwrap();
        assert_eq!(outcome.exit_code(), 0, "{}", outcome.stderr_text());
        seen.push(outcome.stdout_text().into_owned());
    }
    assert_eq!(seen[0], seen[1]);
    assert_ne!(seen[0], seen[2], "of another seed");
}

#[tokio::test]
async fn forks_are_equal() {
    let mut parent = python(FIXED).await;
    output(&mut parent, "import numpy as np; np.random.rand()").await;
    let snapshot = parent.snapshot().await.unwrap();
    let (mut one, mut two) = (snapshot.fork().await.unwrap(), snapshot.fork().await.unwrap());
    let one = output(&mut one, DRAW).await;
    assert_eq!(one, output(&mut two, DRAW).await);
    assert_eq!(one, output(&mut parent, DRAW).await, "and the parent");
}

#[tokio::test]
async fn instructions_are_counted_in_c_code() {
    let session = session("[limits]\ninstructions = 10_000_000_000").await;
    for (size, code, limit) in [(4_000, 137, Some("limits.instructions")), (40, 0, None)] {
        let source = format!("import numpy; print('begun', flush=True); a = numpy.ones(({size}, {size})); a @ a");
        let outcome = session.run(Command::new("python3").args(["-c", source.as_str()])).await.unwrap();
        let hit = outcome.limit.as_ref().map(|hit| hit.limit.as_str());
        assert_eq!((outcome.exit_code(), hit, outcome.stdout_text().as_ref()), (code, limit, "begun\n"), "{}", outcome.stderr_text());
    }
}

/// The message names the command for this engine, and the images that are compiled need none.
#[tokio::test]
async fn an_image_that_is_not_compiled_names_the_command() {
    let cache = tempfile::tempdir().unwrap();
    let engine = Engine::builder(wisp_built::components()).cache_directory(cache.path().join("code")).build().unwrap();
    for (lines, command) in [("", "`wisp prepare --image data`"), (FIXED, "`wisp prepare --image data --instructions`")] {
        let session = engine.session(&policy(lines)).build().await.unwrap();
        let error = session.prepare_program("python3").await.unwrap_err();
        assert!(matches!(error, SessionError::NotPrepared { .. }) && error.to_string().contains(command), "{error}");
    }
    assert!(session("").await.prepare_program("python3").await.is_ok());
}
