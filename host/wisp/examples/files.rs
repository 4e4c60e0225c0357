//! A service works on a session's files from outside, between the commands that an agent runs there.

use wisp::fs::{Changed, GrepOptions, TarBounds, WalkOptions};
use wisp::{Command, Components, Engine, Policy};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let engine = Engine::new(Components::from_folder("target/components")?)?;
    let policy = Policy::offline();
    let session = engine.session(&policy).build().await?;
    let files = session.files();

    // Relative paths begin at /home/user; missing directories are made.
    files.write("src/app.py", "def main():\n    # TODO: greet\n    pass\n\nmain()\n").await?;
    files.write("tests/one.txt", "1\n").await?;
    for entry in files.glob("**/*.{txt,md}", WalkOptions::new()).await?.entries {
        println!("{}", entry.path.trim_start_matches("/home/user/"));
    }
    for found in files.grep("TODO", "src", GrepOptions::new().literal(true)).await?.matches {
        println!("{}:{}:{}", found.path.trim_start_matches("/home/user/"), found.line, found.text.replace("    ", " "));
    }

    // A diff, as models write it: all hunks or none. The watch reports what changes.
    let before = files.digest("/home/user").await?;
    let mut watch = files.watch("src", 1_000).await?;
    let diff = "--- a/src/app.py\n+++ b/src/app.py\n@@ -1,3 +1,2 @@\n def main():\n-    # TODO: greet\n-    pass\n+    print('hello')\n";
    let patched = files.apply_patch("/home/user", diff).await?;
    println!("hunks: {}", patched.files[0].hunks);
    let outcome = session.run(Command::new("python3").arg("src/app.py")).await?;
    print!("{}", outcome.stdout_text());
    if let Err(error) = files.apply_patch("/home/user", diff.replace("main", "nothing")).await {
        println!("rejected: {}", error.source);
    }
    while let Some(change) = watch.try_next() {
        if let Changed::Renamed { to, .. } = change.kind {
            println!("changed: {}", to.trim_start_matches("/home/user/"));
        }
    }

    // A tree as a tar archive, into another session; and the whole session in a file.
    let archive = files.pack("/home/user", &["src"], Vec::new(), TarBounds::new()).await?;
    let copy = engine.session(&policy).build().await?;
    copy.files().unpack("/home/user", std::io::Cursor::new(archive), TarBounds::new()).await?;
    let outcome = copy.run(Command::new("python3").arg("src/app.py")).await?;
    print!("in the copy: {}", outcome.stdout_text());
    let kept = session.save(Vec::new()).await?;
    let later = engine.session(&policy).build_from(std::io::Cursor::new(kept)).await?;
    let same = later.files().digest("/home/user").await? == files.digest("/home/user").await?;
    println!("unchanged: {}", same && files.digest("/home/user").await? != before);
    Ok(())
}
