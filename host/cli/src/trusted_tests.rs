//! Results beside, in, above and instead of what the next run trusts.

use std::os::unix::fs::symlink;

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::*;

/// A home directory: a cache with code, a project with its policy, and no kept sessions yet.
struct Home {
    folder: tempfile::TempDir,
    trusted: Trusted,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("cache/wisp/code")).unwrap();
        fs::create_dir_all(path("project/src")).unwrap();
        fs::write(path("project/wisp.toml"), "").unwrap();
        let place = |what: &str, path: PathBuf| ProtectedPath { what: what.to_owned(), path };
        let places = vec![
            place("the cache", path("cache/wisp/code")),
            place("the policy", path("project/wisp.toml")),
            place("the sessions", path("state/wisp/sessions")),
        ];
        Self { folder, trusted: Trusted::new(places) }
    }

    /// What a result of this name would meet, asked in each directory as far as they exist.
    fn met(&self, output: &str, result: &str) -> Option<String> {
        self.asked(output, result, |places, directory, names| places.met(directory, names))
    }

    /// The place that a directory of this name would be in.
    fn around(&self, output: &str, directory: &str) -> Option<String> {
        self.asked(output, directory, |places, directory, names| places.around(directory, names))
    }

    fn asked(
        &self,
        output: &str,
        result: &str,
        ask: for<'p> fn(&'p Places<'_>, &Dir, &[&str]) -> io::Result<Option<&'p str>>,
    ) -> Option<String> {
        let places = self.trusted.now();
        let names: Vec<&str> = result.split('/').collect();
        let mut directory = Dir::open_ambient_dir(self.folder.path().join(output), ambient_authority()).unwrap();
        for (at, name) in names.iter().enumerate() {
            if let Some(what) = ask(&places, &directory, &names[at..]).unwrap() {
                return Some(what.to_owned());
            }
            match directory.open_dir(name) {
                Ok(next) => directory = next,
                Err(_) => break,
            }
        }
        None
    }
}

#[test]
fn a_result_is_refused_where_it_would_be_trusted_and_nowhere_else() {
    let home = Home::new();
    for (output, result, expected) in [
        (".", "cache/wisp/code/x.cwasm", Some("the cache")),
        ("cache", "wisp/code/deep/x", Some("the cache")),
        ("cache/wisp/code", "x", Some("the cache")),
        (".", "cache/wisp/other", None),
        (".", "cache/x", None),
        ("project", "wisp.toml", Some("the policy")),
        (".", "project/wisp.toml", Some("the policy")),
        ("project", "wisp.toml.bak", None),
        ("project", "src/wisp.toml", None),
        ("project/src", "wisp.toml", None),
        // Not made yet: what would make it, and a file in the way to it.
        (".", "state/wisp/sessions/s/policy.toml", Some("the sessions")),
        (".", "state/wisp", Some("the sessions")),
        (".", "state/other/sessions", None),
        (".", "report", None),
    ] {
        assert_eq!(home.met(output, result).as_deref(), expected, "{output} {result}");
    }
}

#[test]
fn a_directory_may_be_on_the_way_to_a_place_but_not_in_it() {
    let home = Home::new();
    for (output, directory, expected) in [
        (".", "cache/wisp", None),
        (".", "cache/wisp/other", None),
        (".", "cache/wisp/code", Some("the cache")),
        ("cache", "wisp/code/new", Some("the cache")),
        ("cache/wisp/code", "new", Some("the cache")),
        ("project", "wisp.toml", Some("the policy")),
        ("project", "src", None),
        (".", "state/wisp", None),
        (".", "state/wisp/sessions/s", Some("the sessions")),
    ] {
        assert_eq!(home.around(output, directory).as_deref(), expected, "{output} {directory}");
    }
}

#[test]
fn links_and_other_names_lead_to_the_same_place() {
    let home = Home::new();
    let path = |name: &str| home.folder.path().join(name);
    symlink(path("cache/wisp/code"), path("link")).unwrap();
    symlink(path("project/wisp.toml"), path("policy")).unwrap();
    fs::hard_link(path("project/wisp.toml"), path("hard")).unwrap();
    fs::write(path("plain"), "").unwrap();
    symlink(path("plain"), path("plain-link")).unwrap();
    assert_eq!(home.met("link", "x").as_deref(), Some("the cache"));
    assert_eq!(home.met(".", "policy").as_deref(), Some("the policy"), "to replace the link is to replace the policy");
    assert_eq!(home.met(".", "hard").as_deref(), Some("the policy"));
    assert_eq!((home.met(".", "plain"), home.met(".", "plain-link")), (None, None));
    // A policy that an editor has replaced in the meantime.
    fs::write(path("new"), "").unwrap();
    fs::rename(path("new"), path("project/wisp.toml")).unwrap();
    assert_eq!(home.met("project", "wisp.toml").as_deref(), Some("the policy"));
    assert_eq!(home.met(".", "hard"), None, "it is the policy no more");
}

#[test]
fn a_directory_in_a_place_is_refused_and_one_above_is_not() {
    let home = Home::new();
    let around = |name: &str| home.trusted.around(&home.folder.path().join(name)).map(|place| place.what.clone());
    fs::create_dir_all(home.folder.path().join("cache/wisp/code/out")).unwrap();
    for name in ["cache/wisp/code", "cache/wisp/code/out", "cache/wisp/code/absent"] {
        assert_eq!(around(name).as_deref(), Some("the cache"), "{name}");
    }
    for name in [".", "cache/wisp", "project", "project/src", "state"] {
        assert_eq!(around(name), None, "{name}");
    }
}
