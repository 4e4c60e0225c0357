//! What a session changed in an overlay is written to the host. The names, contents and links are a guest's, and the host's
//! files change meanwhile.

use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use wisp::fs::{ApplyOptions, ApplyPlan, ApplyReason, ApplyRefusal};
use wisp::policy::{Access, ProtectedPath};
use wisp::{Command, Input, Session};

use crate::escape::kit::{ENGINE, policy};

/// A folder of the host, mounted at /mnt as an overlay, with files beside it.
struct Place {
    top: TempDir,
    session: Session,
}

impl Place {
    async fn new() -> Self {
        let top = TempDir::new().expect("a temporary folder");
        for (path, text) in
            [("data/file", "file\n"), ("data/dir/inner", "inner\n"), ("data/dir/deep/last", "last\n"), ("secret", "secret\n")]
        {
            let path = top.path().join(path);
            fs::create_dir_all(path.parent().expect("it has one")).unwrap();
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        }
        let session = ENGINE.session(&policy(&["coreutils", "sh"], "")).mount(top.path().join("data"), "/mnt", Access::Overlay);
        let session = session.build().await.unwrap_or_else(|error| panic!("{error}"));
        Self { top, session }
    }

    fn host(&self, path: &str) -> PathBuf {
        self.top.path().join("data").join(path)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.host(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn mode(&self, path: &str) -> u32 {
        fs::symlink_metadata(self.host(path)).unwrap().mode() & 0o7777
    }

    /// Runs this in the mount.
    async fn run(&self, script: &str) {
        let outcome = self.session.run(Command::new("sh").args(["-c", &format!("cd /mnt && {script}")])).await.unwrap();
        assert_eq!(outcome.exit_code(), 0, "{script}: {}", outcome.stderr_text());
    }

    async fn plan(&self, only: &[&str]) -> ApplyPlan {
        let options = only.iter().fold(ApplyOptions::new(), |options, path| options.only(*path));
        self.session.plan_apply(&options).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Carries out everything; then nothing is left.
    async fn apply(&self, only: &[&str]) {
        let plan = self.plan(only).await;
        assert_eq!(plan.conflicts, []);
        plan.carry_out().await.unwrap_or_else(|error| panic!("{error}"));
        let again = self.plan(only).await;
        assert!(again.changes.is_empty() && again.conflicts.is_empty(), "{again:?}");
    }

    /// What stands against it, and that nothing was written.
    async fn refused(&self, only: &[&str]) -> Vec<(String, ApplyRefusal)> {
        let before = everything(self.top.path());
        let plan = self.plan(only).await;
        let conflicts = plan.conflicts.iter().map(|conflict| (conflict.path.replace("/mnt/", ""), conflict.reason.clone())).collect();
        let error = plan.carry_out().await.expect_err("it has conflicts");
        assert_eq!(error.code(), wisp::ErrorCode::Conflict);
        assert_eq!(everything(self.top.path()), before);
        conflicts
    }
}

/// Everything below a folder: type, mode and contents.
fn everything(at: &Path) -> Vec<(PathBuf, u32, Vec<u8>)> {
    let (mut found, mut left) = (Vec::new(), vec![at.to_owned()]);
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let (path, facts) = (entry.path(), entry.metadata().unwrap());
            let contents = if facts.is_file() {
                fs::read(&path).unwrap()
            } else if facts.is_symlink() {
                fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
            } else {
                Vec::new()
            };
            if facts.is_dir() {
                left.push(path.clone());
            }
            found.push((path, facts.mode(), contents));
        }
    }
    found.sort();
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_change_reaches_the_host_and_the_session_shows_it() {
    let place = Place::new().await;
    symlink("file", place.host("link")).unwrap();
    fs::create_dir(place.host("becomes-file")).unwrap();
    fs::write(place.host("becomes-file/child"), "").unwrap();
    fs::write(place.host("becomes-folder"), "").unwrap();
    place
        .run(
            "echo more >> file; chmod 755 file; rm dir/inner; chmod 700 dir/deep; ln -sf dir link; mkdir -p made/below; echo new > made/below/file; \
             chmod 555 made; rm -r becomes-file; echo now > becomes-file; rm becomes-folder; mkdir becomes-folder; echo in > becomes-folder/in; \
             ln file hard; chmod 4755 file; touch dir/deep/last",
        )
        .await;
    place.apply(&[]).await;
    assert_eq!(
        (place.read("file"), place.read("made/below/file"), place.read("becomes-file")),
        ("file\nmore\n".into(), "new\n".into(), "now\n".into())
    );
    assert_eq!((place.read("becomes-folder/in"), place.read("hard")), ("in\n".into(), "file\nmore\n".into()));
    assert_eq!(["file", "dir/deep", "made"].map(|path| place.mode(path)), [0o755, 0o700, 0o555], "never set-user-ID");
    assert!(!place.host("dir/inner").exists());
    assert_eq!(fs::read_link(place.host("link")).unwrap(), Path::new("dir"));
    assert_eq!(place.session.files().usage().bytes, 0, "the session no longer stores them");
    // It shows what the host has now, and goes on from there.
    fs::write(place.host("file"), "the host's\n").unwrap();
    place.run("[ \"$(cat file)\" = \"the host's\" ] && echo again >> made/below/file").await;
    place.apply(&[]).await;
    assert_eq!(place.read("made/below/file"), "new\nagain\n");
    fs::set_permissions(place.host("made"), PermissionsExt::from_mode(0o755)).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_the_host_changed_meanwhile_is_not_lost() {
    let place = Place::new().await;
    fs::write(place.host("other"), "other\n").unwrap();
    place
        .run("echo mine >> file; rm dir/inner; echo mine > new; chmod 600 dir/deep/last; chmod 755 other; : > other; : >> dir/deep/last")
        .await;
    fs::write(place.host("file"), "theirs\n").unwrap();
    fs::write(place.host("dir/inner"), "theirs\n").unwrap();
    fs::write(place.host("new"), "theirs\n").unwrap();
    fs::remove_file(place.host("dir/deep/last")).unwrap();
    fs::set_permissions(place.host("other"), PermissionsExt::from_mode(0o604)).unwrap();
    let expected = [
        ("dir/deep/last", ApplyRefusal::Removed),
        ("dir/inner", ApplyRefusal::Changed),
        ("file", ApplyRefusal::Changed),
        ("new", ApplyRefusal::Added),
        ("other", ApplyRefusal::Changed),
    ];
    assert_eq!(place.refused(&[]).await, expected.map(|(path, reason)| (path.to_owned(), reason)));
    // The twins: what the host has as it was, or as the session wants it.
    fs::write(place.host("file"), "file\n").unwrap();
    fs::write(place.host("new"), "mine\n").unwrap();
    fs::set_permissions(place.host("new"), PermissionsExt::from_mode(0o644)).unwrap();
    place.apply(&["/mnt/file", "/mnt/new"]).await;
    assert_eq!((place.read("file"), place.read("dir/inner")), ("file\nmine\n".into(), "theirs\n".into()));
    assert_eq!(place.refused(&["/mnt/dir"]).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_goes_only_with_what_the_session_saw_in_it() {
    let place = Place::new().await;
    place.run("rm -r dir && mkdir dir && echo mine > dir/inner").await;
    fs::write(place.host("dir/deep/late"), "late\n").unwrap();
    let conflicts = place.refused(&[]).await;
    assert!(conflicts.contains(&("dir/deep/late".to_owned(), ApplyRefusal::Added)), "{conflicts:?}");
    fs::remove_file(place.host("dir/deep/late")).unwrap();
    // A name that is no text is a name like others.
    let name = std::ffi::OsString::from_vec(b"dir/deep/\xff".to_vec());
    fs::write(place.host("").join(&name), "").unwrap();
    let conflicts = place.refused(&[]).await;
    assert!(conflicts.contains(&("dir/deep/\u{f7ff}".to_owned(), ApplyRefusal::Added)), "{conflicts:?}");
    fs::remove_file(place.host("").join(&name)).unwrap();
    place.apply(&[]).await;
    assert_eq!(everything(&place.host("dir")).len(), 1);
    // The twin, at once.
    let place = Place::new().await;
    fs::hard_link(place.host("dir/inner"), place.host("dir/deep/other-name")).unwrap();
    place.run("rm -r dir && mkdir dir && echo mine > dir/inner").await;
    place.apply(&[]).await;
    assert_eq!(everything(&place.host("dir")).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_that_became_a_link_on_the_host_is_not_written_through() {
    for outside in [true, false] {
        let place = Place::new().await;
        place.run("echo mine >> dir/inner; echo mine > dir/new; echo mine > file").await;
        let elsewhere = if outside { place.top.path().join("elsewhere") } else { place.host("elsewhere") };
        fs::rename(place.host("dir"), &elsewhere).unwrap();
        let target = if outside { elsewhere.clone() } else { "elsewhere".into() };
        symlink(&target, place.host("dir")).unwrap();
        let conflicts = place.refused(&[]).await;
        assert!(conflicts.contains(&("dir".to_owned(), ApplyRefusal::Changed)), "{conflicts:?}");
        place.apply(&["/mnt/file"]).await;
        assert_eq!((place.read("file"), fs::read_to_string(elsewhere.join("inner")).unwrap()), ("mine\n".into(), "inner\n".into()));
        assert!(!elsewhere.join("new").exists());
    }
    // The plan was made before.
    let place = Place::new().await;
    place.run("echo mine > dir/new").await;
    let plan = place.plan(&[]).await;
    fs::rename(place.host("dir"), place.top.path().join("dir")).unwrap();
    symlink("../dir", place.host("dir")).unwrap();
    let error = plan.carry_out().await.expect_err("the folder is a link");
    assert!(error.to_string().contains("`/mnt/dir/new`"), "{error}");
    assert!(!place.top.path().join("dir/new").exists());
    fs::remove_file(place.host("dir")).unwrap();
    fs::rename(place.top.path().join("dir"), place.host("dir")).unwrap();
    place.apply(&[]).await;
    assert_eq!(place.read("dir/new"), "mine\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changes_between_plan_and_writing_stops_it() {
    let place = Place::new().await;
    place.run("echo mine >> file; rm dir/inner").await;
    let plan = place.plan(&[]).await;
    fs::write(place.host("file"), "theirs\n").unwrap();
    assert!(matches!(plan.carry_out().await, Err(wisp::fs::ApplyError::Raced { done: 0, .. })));
    assert_eq!((place.read("file"), place.read("dir/inner")), ("theirs\n".into(), "inner\n".into()));
    assert_eq!(everything(&place.host("")).len(), 5, "no scratch file is left");
    fs::write(place.host("file"), "file\n").unwrap();
    let plan = place.plan(&[]).await;
    place.run("echo more >> file").await;
    assert!(matches!(plan.carry_out().await, Err(wisp::fs::ApplyError::Outdated)));
    let running = place.session.start(Command::new("sh").args(["-c", "read line"]).stdin(Input::Piped)).await.unwrap();
    assert!(matches!(place.session.plan_apply(&ApplyOptions::new()).await, Err(wisp::fs::ApplyError::Running)));
    place.session.interrupt();
    running.wait().await.unwrap();
    place.apply(&[]).await;
    assert_eq!(place.read("file"), "file\nmine\nmore\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn links_are_data_and_those_that_lead_out_need_a_name() {
    let place = Place::new().await;
    symlink("..", place.host("up")).unwrap();
    place
        .run(
            "ln -s /etc/passwd absolute; ln -s ../secret climbs; ln -s ../file dir/inside; ln -s up/secret through; mkdir own; ln -s . own/here; \
             ln -s own/here/../../secret sly; ln -s nowhere dangling; echo x > plain; mkfifo pipe",
        )
        .await;
    let plan = place.plan(&[]).await;
    let left: Vec<_> = plan.left_out.iter().map(|left| (left.path.replace("/mnt/", ""), left.reason.clone())).collect();
    let out = |path: &str, target: &str| (path.to_owned(), ApplyReason::LeadsOut { target: target.to_owned() });
    assert_eq!(
        left,
        [
            out("absolute", "/etc/passwd"),
            out("climbs", "../secret"),
            ("pipe".to_owned(), ApplyReason::Special),
            out("sly", "own/here/../../secret"),
            out("through", "up/secret"),
        ]
    );
    place.apply(&[]).await;
    assert_eq!(fs::read_link(place.host("dir/inside")).unwrap(), Path::new("../file"));
    assert!(place.host("dangling").is_symlink() && place.host("own/here").is_symlink() && place.host("plain").exists());
    assert!(
        !["absolute", "climbs", "sly", "through", "pipe"].iter().any(|path| place.host(path).is_symlink() || place.host(path).exists())
    );
    // Named, it is written as it is, and not followed.
    let plan = place.plan(&["/mnt/climbs"]).await;
    assert!(plan.changes.len() == 1 && plan.changes[0].leads_out);
    place.apply(&["/mnt/climbs"]).await;
    assert_eq!(fs::read_link(place.host("climbs")).unwrap(), Path::new("../secret"));
    // A file in the place of the link that leads out now: the link is replaced, not what it leads to.
    place.run("rm climbs && echo mine > climbs").await;
    place.apply(&["/mnt/climbs"]).await;
    assert_eq!((place.read("climbs"), fs::read_to_string(place.top.path().join("secret")).unwrap()), ("mine\n".into(), "secret\n".into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_of_the_hosts_that_is_no_text_keeps_its_bytes() {
    let place = Place::new().await;
    let target = std::ffi::OsString::from_vec(vec![0xff, 0xfe]);
    symlink(&target, place.host("dir/odd")).unwrap();
    symlink(&target, place.host("gone")).unwrap();
    place.run("rm gone; echo mine > file").await;
    place.apply(&[]).await;
    assert!(!place.host("gone").is_symlink() && place.read("file") == "mine\n");
    place.run("mv dir/odd dir/again; printf mine > \"dir/$(printf 'caf\\351')\"").await;
    place.apply(&[]).await;
    assert_eq!(fs::read_link(place.host("dir/again")).unwrap(), Path::new(&target));
    let name = std::ffi::OsString::from_vec(b"dir/caf\xe9".to_vec());
    assert_eq!(fs::read_to_string(place.host("").join(name)).unwrap(), "mine");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_steps_make_no_link_that_leads_out() {
    let place = Place::new().await;
    place.run("mkdir -p own/here; ln -s own/here/../../secret sly; ln -s ../file dir/steady").await;
    place.apply(&[]).await;
    place.run("rmdir own/here; ln -s . own/here").await;
    place.apply(&[]).await;
    assert!(place.host("own/here").is_symlink(), "it leads nowhere itself");
    assert!(!place.host("sly").is_symlink(), "it would lead to the secret now");
    assert_eq!(fs::read_link(place.host("dir/steady")).unwrap(), Path::new("../file"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_of_a_guest_stay_names() {
    let place = Place::new().await;
    let session = &place.session;
    let names = ["-rf", " ", "a\nb", "\u{1b}[2J", "..\u{202e}txt", "...", "*", "%s", "\\", &"n".repeat(255)];
    for name in names {
        session.files().write(&format!("/mnt/{name}"), name.to_owned()).await.unwrap();
    }
    place.apply(&[]).await;
    for name in names {
        assert_eq!(place.read(name), name);
    }
    assert_eq!(fs::read_dir(place.host("")).unwrap().count(), names.len() + 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_next_run_trusts_is_not_written() {
    let place = Place::new().await;
    place.run("echo mine > file; echo mine > dir/deep/last; echo mine > dir/free").await;
    let options = || ApplyOptions::new().protect([ProtectedPath { what: "the policy".to_owned(), path: place.host("dir/deep") }]);
    let plan = place.session.plan_apply(&options()).await.unwrap();
    let protected = ApplyRefusal::Protected { what: "the policy".to_owned() };
    assert_eq!(plan.conflicts.iter().map(|it| (it.path.as_str(), &it.reason)).collect::<Vec<_>>(), [("/mnt/dir/deep/last", &protected)]);
    assert!(plan.carry_out().await.is_err());
    assert_eq!((place.read("file"), place.read("dir/deep/last")), ("file\n".into(), "last\n".into()));
    // What stands in the way to it, through a link too; and a mount that lies in such a place.
    place.run("rm -r dir; mkdir dir").await;
    symlink(place.host("dir"), place.top.path().join("alias")).unwrap();
    for (path, count) in [(place.top.path().join("alias/deep/last"), 3), (place.top.path().to_owned(), 5)] {
        let place_of = ProtectedPath { what: "the policy".to_owned(), path };
        let plan = place.session.plan_apply(&ApplyOptions::new().protect([place_of])).await.unwrap();
        let refused = plan.conflicts.iter().filter(|it| it.reason == protected).count();
        assert!(refused >= 1 && refused <= count, "{:?}", plan.conflicts);
        assert!(plan.carry_out().await.is_err());
    }
    // The twin.
    let twin = Place::new().await;
    twin.run("echo mine > file; echo mine > dir/free").await;
    let options = ApplyOptions::new().protect([ProtectedPath { what: "the policy".to_owned(), path: twin.host("dir/deep") }]);
    twin.session.plan_apply(&options).await.unwrap().carry_out().await.unwrap();
    assert_eq!((twin.read("file"), twin.read("dir/free")), ("mine\n".into(), "mine\n".into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_of_holes_does_not_fill_the_host() {
    let place = Place::new().await;
    place.run("truncate -s 200M holes; echo end >> holes").await;
    place.apply(&[]).await;
    let facts = fs::metadata(place.host("holes")).unwrap();
    assert_eq!(facts.len(), (200 << 20) + 4);
    assert!(facts.blocks() * 512 < 20 << 20, "{} blocks", facts.blocks());
    place.run("truncate -s 1T huge").await;
    let error = place.session.plan_apply(&ApplyOptions::new()).await.expect_err("it is too large");
    assert_eq!(error.code(), wisp::ErrorCode::TooLarge, "{error}");
    place.run("rm huge; echo x > small").await;
    place.apply(&[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_renamed_folder_moves_on_the_host_as_a_whole() {
    let place = Place::new().await;
    place.run("mv dir moved; echo mine > file").await;
    let part = place.session.plan_apply(&ApplyOptions::new().only("/mnt/moved")).await.expect_err("`dir` would stay");
    assert!(part.to_string().contains("`dir` has another name"), "{part}");
    // What the host changed in it meanwhile comes along.
    fs::write(place.host("dir/inner"), "theirs\n").unwrap();
    place.apply(&[]).await;
    assert_eq!(
        (place.read("moved/inner"), place.read("moved/deep/last"), place.read("file")),
        ("theirs\n".into(), "last\n".into(), "mine\n".into())
    );
    assert!(!place.host("dir").exists());
    place.run("[ \"$(cat moved/deep/last)\" = last ] && mv moved dir").await;
    place.apply(&[]).await;
    assert_eq!(place.read("dir/deep/last"), "last\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_part_can_be_taken_over_and_the_rest_later() {
    let place = Place::new().await;
    place.run("echo mine > file; mkdir -p a/b; echo 1 > a/b/one; echo 2 > a/b/two; rm dir/inner").await;
    place.apply(&["/mnt/a/b/one"]).await;
    assert_eq!((place.read("a/b/one"), place.host("a/b/two").exists(), place.read("file")), ("1\n".into(), false, "file\n".into()));
    // What was taken over counts as seen.
    place.run("echo more >> a/b/one").await;
    place.apply(&["/mnt/a"]).await;
    assert_eq!((place.read("a/b/one"), place.read("a/b/two")), ("1\nmore\n".into(), "2\n".into()));
    fs::write(place.host("a/b/one"), "theirs\n").unwrap();
    place.run("echo mine > a/b/one").await;
    assert_eq!(place.refused(&[]).await, [("a/b/one".to_owned(), ApplyRefusal::Changed)]);
    place.apply(&["/mnt/file", "/mnt/dir"]).await;
    assert!(!place.host("dir/inner").exists() && place.read("a/b/one") == "theirs\n");
    let error = place.session.plan_apply(&ApplyOptions::new().only("/tmp")).await.expect_err("it is no overlay");
    assert_eq!(error.code(), wisp::ErrorCode::InvalidArgument, "{error}");
    assert_eq!(place.plan(&["/mnt/dir/deep"]).await.unchanged, ["/mnt/dir/deep"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_taken_over_and_is_removed_afterwards_is_gone() {
    let place = Place::new().await;
    place.run("echo mine > file; echo mine > new; echo mine > dir/new; mkdir -p a/b; echo 1 > a/b/one").await;
    place.apply(&["/mnt/new", "/mnt/dir", "/mnt/a"]).await;
    assert_eq!((place.read("new"), place.read("dir/new"), place.read("a/b/one")), ("mine\n".into(), "mine\n".into(), "1\n".into()));
    // Once is enough: the host's do not show instead.
    place.run("rm new dir/new a/b/one && rmdir a/b a && [ \"$(echo *)\" = 'dir file' ] && [ ! -e dir/new ] && [ \"$(echo dir/*)\" = 'dir/deep dir/inner' ]").await;
    place.apply(&["/mnt/new", "/mnt/dir", "/mnt/a"]).await;
    assert!(!["new", "dir/new", "a"].iter().any(|path| place.host(path).exists()));
    // The twin: what the host made in the place of a file that was not taken over shows, as everywhere in overlays.
    place.run("echo mine > other").await;
    fs::write(place.host("other"), "theirs\n").unwrap();
    place.run("rm other && [ \"$(cat other)\" = theirs ]").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_only_the_host_changed_stays_the_hosts() {
    let place = Place::new().await;
    // Opened for writing, and not written.
    place.run(": >> file; echo mine > dir/inner").await;
    fs::write(place.host("file"), "theirs\n").unwrap();
    let plan = place.plan(&[]).await;
    assert_eq!(
        plan.left_out.iter().map(|left| (left.path.as_str(), &left.reason)).collect::<Vec<_>>(),
        [("/mnt/file", &ApplyReason::OnlyHost)]
    );
    plan.carry_out().await.unwrap();
    assert_eq!((place.read("file"), place.read("dir/inner")), ("theirs\n".into(), "mine\n".into()));
    place.run("[ \"$(cat file)\" = theirs ]").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_single_file_is_written_in_place() {
    let top = TempDir::new().expect("a temporary folder");
    let (file, other) = (top.path().join("one"), top.path().join("other"));
    fs::write(&file, "long enough\n").unwrap();
    fs::hard_link(&file, &other).unwrap();
    let session = ENGINE.session(&policy(&["coreutils", "sh"], "")).mount(&file, "/tmp/one", Access::Overlay);
    let session = session.build().await.unwrap_or_else(|error| panic!("{error}"));
    let run = async |script: &str| {
        let outcome = session.run(Command::new("sh").args(["-c", script])).await.unwrap();
        assert_eq!(outcome.exit_code(), 0, "{}", outcome.stderr_text());
    };
    run("cat /tmp/one > copy; echo short > /tmp/one; chmod 600 /tmp/one").await;
    fs::write(&file, "theirs\n").unwrap();
    let plan = session.plan_apply(&ApplyOptions::new()).await.unwrap();
    assert_eq!(plan.conflicts.len(), 1, "it was cut off without being read, so its times count");
    fs::write(&file, "long enough\n").unwrap();
    run("cat /tmp/one > /dev/null").await;
    assert_eq!(session.plan_apply(&ApplyOptions::new()).await.unwrap().conflicts.len(), 1);

    let session = ENGINE.session(&policy(&["coreutils", "sh"], "")).mount(&file, "/tmp/one", Access::Overlay);
    let session = session.build().await.unwrap_or_else(|error| panic!("{error}"));
    let outcome = session.run(Command::new("sh").args(["-c", "echo short > /tmp/one; chmod 600 /tmp/one"])).await.unwrap();
    assert_eq!(outcome.exit_code(), 0);
    let plan = session.plan_apply(&ApplyOptions::new()).await.unwrap();
    assert!(plan.conflicts.is_empty(), "{:?}", plan.conflicts);
    plan.carry_out().await.unwrap();
    assert_eq!((fs::read_to_string(&file).unwrap(), fs::metadata(&file).unwrap().mode() & 0o777), ("short\n".into(), 0o600));
    assert_eq!(fs::read_to_string(&other).unwrap(), "short\n", "it is the same file");
    let left = session.plan_apply(&ApplyOptions::new()).await.unwrap();
    assert!(left.changes.is_empty() && left.conflicts.is_empty(), "{left:?}");

    // Nothing old shows through holes, in the middle and at the end.
    fs::write(&file, "x".repeat(300_000)).unwrap();
    let script = "head -c 1000 /tmp/one > start; cp start /tmp/one; truncate -s 150000 /tmp/one; echo middle >> /tmp/one; truncate -s 400000 /tmp/one";
    let outcome = session.run(Command::new("sh").args(["-c", script])).await.unwrap();
    assert_eq!(outcome.exit_code(), 0, "{}", outcome.stderr_text());
    session.plan_apply(&ApplyOptions::new()).await.unwrap().carry_out().await.unwrap();
    let mut expected = vec![0; 400_000];
    expected[..1000].fill(b'x');
    expected[150_000..150_007].copy_from_slice(b"middle\n");
    assert!(fs::read(&file).unwrap() == expected, "it has other bytes");
}
