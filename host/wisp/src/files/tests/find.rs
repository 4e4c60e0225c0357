//! Listing, walking, patterns, searching.

use super::*;

async fn tree() -> Files {
    let files = files();
    for (path, contents) in [
        ("src/main.rs", "fn main() {\n    let x = 1;\r\n}\n"),
        ("src/lib/mod.rs", "pub fn x() {}\n\nfn main() {}"),
        ("src/lib/.hidden.rs", "fn hidden"),
        ("src.txt", "fn text"),
        ("bin/a", "fn\0main"),
        ("empty", ""),
    ] {
        files.write(path, contents).await.unwrap();
    }
    files.symlink("../src", "bin/link").await.unwrap();
    files
}

#[tokio::test]
async fn lists_come_in_pages() {
    let files = tree().await;
    let listing = files.list("/home//user/").await.unwrap();
    assert_eq!(paths(&listing), ["/home/user/bin", "/home/user/empty", "/home/user/src", "/home/user/src.txt"]);
    assert!(listing.entries[0].is_dir() && !listing.truncated);
    let page = files.list_after("/home/user/src/../", "bin", 2).await.unwrap();
    assert_eq!((paths(&page), page.truncated), (vec!["/home/user/empty", "/home/user/src"], true));
    let page = files.list_after("/home/user", "src", 2).await.unwrap();
    assert_eq!((paths(&page), page.truncated), (vec!["/home/user/src.txt"], false));
    assert_eq!(refused(files.list("empty").await), FsError::NotDirectory);
    assert_eq!(refused(files.list("").await), FsError::NotFound);
}

#[tokio::test]
async fn a_walk_is_sorted_bounded_and_follows_no_link() {
    let files = tree().await;
    let listing = files.walk("/home/user", WalkOptions::new()).await.unwrap();
    let all = ["bin", "bin/a", "bin/link", "empty", "src", "src/lib", "src/lib/.hidden.rs", "src/lib/mod.rs", "src/main.rs", "src.txt"];
    let all = all.map(|path| format!("/home/user/{path}"));
    assert_eq!(paths(&listing), all);
    assert!(!listing.truncated && listing.unreadable.is_empty());
    let some = files.walk("/home/user", WalkOptions::new().entries(3)).await.unwrap();
    assert_eq!((paths(&some), some.truncated), (all[..3].iter().map(String::as_str).collect(), true));
    let flat = files.walk("/home/user", WalkOptions::new().depth(1)).await.unwrap();
    assert_eq!(flat.entries, files.list("/home/user").await.unwrap().entries);
    assert!(!flat.truncated);
    files.set_mode("src/lib", 0o300).await.unwrap();
    let listing = files.walk("src", WalkOptions::new()).await.unwrap();
    assert_eq!(paths(&listing), ["/home/user/src/lib", "/home/user/src/main.rs"]);
    assert_eq!(listing.unreadable, ["/home/user/src/lib"]);
}

#[tokio::test]
async fn patterns() {
    let files = tree().await;
    let options = WalkOptions::new();
    for (pattern, expected) in [
        ("*.txt", &["src.txt"] as &[&str]),
        ("src/*.rs", &["src/main.rs"]),
        ("**/*.rs", &["src/lib/.hidden.rs", "src/lib/mod.rs", "src/main.rs"]),
        ("src/**", &["src/lib", "src/lib/.hidden.rs", "src/lib/mod.rs", "src/main.rs"]),
        ("{bin,src}/[a-l]*", &["bin/a", "bin/link", "src/lib"]),
        ("{src/lib,bin}/{mod.rs,a}", &["bin/a", "src/lib/mod.rs"]),
        ("s?c.txt", &["src.txt"]),
        ("bin/link/*.rs", &["bin/link/main.rs"]),
        ("empty", &["empty"]),
        ("/home/*/empt\\y", &["empty"]),
        ("nothing/*", &[]),
        ("empty/*", &[]),
        ("nothing", &[]),
    ] {
        let found = files.glob(pattern, options).await.unwrap();
        let expected: Vec<String> = expected.iter().map(|path| format!("/home/user/{path}")).collect();
        assert_eq!(paths(&found), expected, "{pattern}");
        assert!(!found.truncated, "{pattern}");
    }
    let error = message(files.glob("a[", options).await);
    assert!(error.starts_with("cannot find files by `/home/user/a[`: the pattern `a[` is not valid: "), "{error}");
    assert!(files.glob(&"{a,b}".repeat(2_000), options).await.is_err());
    assert!(files.glob("", options).await.is_err());
    let some = files.glob("**", options.entries(2)).await.unwrap();
    assert_eq!((some.entries.len(), some.truncated), (2, true));
}

#[tokio::test]
async fn searching() {
    let files = tree().await;
    let found = files.grep(r"^fn \w+", "/home/user", GrepOptions::new()).await.unwrap();
    let lines: Vec<_> = found.matches.iter().map(|found| (found.path.as_str(), found.line, found.column, found.text.as_str())).collect();
    assert_eq!(
        lines,
        [
            ("/home/user/src/lib/.hidden.rs", 1, 1, "fn hidden"),
            ("/home/user/src/lib/mod.rs", 3, 1, "fn main() {}"),
            ("/home/user/src/main.rs", 1, 1, "fn main() {"),
            ("/home/user/src.txt", 1, 1, "fn text"),
        ]
    );
    assert_eq!((found.searched, found.binary, found.truncated), (5, 1, false));
    let one = files.grep("1;", "src/main.rs", GrepOptions::new().literal(true)).await.unwrap();
    assert_eq!((one.matches[0].line, one.matches[0].column, one.matches[0].text.as_str()), (2, 13, "    let x = 1;"));
    let count = async |pattern: &str, options: GrepOptions| files.grep(pattern, "/home/user", options).await.unwrap().matches.len();
    assert_eq!(count("X()", GrepOptions::new().literal(true)).await, 0);
    assert_eq!(count("X()", GrepOptions::new().literal(true).ignore_case(true)).await, 1);
    assert_eq!(count("fn", GrepOptions::new().glob("*.txt")).await, 1);
    assert_eq!(count("fn", GrepOptions::new().glob("src/*.rs")).await, 1);
    // An empty file has no line; a last line needs no line break.
    assert_eq!(count("^$", GrepOptions::new()).await, 1);
}

#[tokio::test]
async fn a_search_is_bounded() {
    let files = tree().await;
    sparse(&files, "/home/user/huge", 1 << 40);
    let found = files.grep("fn", "/home/user", GrepOptions::new().matches(2)).await.unwrap();
    assert_eq!((found.matches.len(), found.truncated), (2, true));
    let found = files.grep("fn", "/home/user", GrepOptions::new()).await.unwrap();
    assert_eq!((found.matches.len(), found.truncated, found.too_large), (5, false, vec!["/home/user/huge".to_owned()]));
    let found = files.grep("fn", "/home/user", GrepOptions::new().bytes(20)).await.unwrap();
    assert!(found.truncated && found.matches.len() < 5, "{found:?}");
    // Takes time in proportion to the text: a matcher that goes back would not end.
    files.write("slow", "a".repeat(100_000)).await.unwrap();
    let found = files.grep("(a*)*b", "slow", GrepOptions::new()).await.unwrap();
    assert!(found.matches.is_empty());
    let found = files.grep("a+", "slow", GrepOptions::new()).await.unwrap();
    assert_eq!(found.matches[0].text.len(), 2_000);
    for pattern in ["(", "(a{1000}){1000}"] {
        let error = message(files.grep(pattern, "slow", GrepOptions::new()).await);
        assert!(error.contains("is not valid"), "{error}");
    }
    assert_eq!(refused(files.grep("a", "nothing", GrepOptions::new()).await), FsError::NotFound);
}
