//! Files, as Codex reads and writes them.

use serde_json::{Value, json};

use super::kit::{Client, base64, mount, served, text};

fn at(path: &str) -> Value {
    json!({ "path": format!("file://{path}") })
}

fn written(path: &str, data: &str) -> Value {
    json!({ "path": format!("file://{path}"), "dataBase64": base64(data) })
}

#[tokio::test]
async fn a_file_is_written_where_its_directory_is() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    let new = written("/home/user/a/b/new.txt", "new\n");
    assert_eq!(client.refused("fs/writeFile", new.clone()).await.0, -32004);
    assert_eq!(client.call("fs/createDirectory", json!({ "path": "file:///home/user/a/b", "recursive": true })).await, json!({}));
    assert_eq!(client.call("fs/writeFile", new.clone()).await, json!({}));
    assert_eq!(text(&client.call("fs/readFile", at("/home/user/a/b/new.txt")).await["dataBase64"]), "new\n");
    assert_eq!(client.run("p", "cat a/b/new.txt").await.stdout, "new\n");
    // What is there is replaced.
    client.call("fs/writeFile", written("/home/user/a/b/new.txt", "")).await;
    assert_eq!(client.run("q", "stat -c %s a/b/new.txt").await.stdout, "0\n");
    let wrong = json!({ "path": "file:///home/user/x", "dataBase64": "?" });
    assert_eq!(client.refused("fs/writeFile", wrong).await.0, -32600);
    let one = json!({ "path": "file:///home/user/c/d", "recursive": false });
    assert_eq!(client.refused("fs/createDirectory", one).await.0, -32004);
    client.close().await.unwrap();
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    for method in ["fs/readFile", "fs/getMetadata", "fs/canonicalize", "fs/readDirectory"] {
        assert_eq!(client.refused(method, at("/home/user/none")).await.0, -32004, "{method}");
    }
    let options = json!({ "maxDepth": 1, "maxDirectories": 1, "maxEntries": 1, "followDirectorySymlinks": true });
    assert_eq!(client.refused("fs/walk", json!({ "path": "file:///none", "options": options })).await.0, -32004);
    assert_eq!(client.refused("fs/remove", json!({ "path": "file:///none", "force": false })).await.0, -32004);
    client.call("fs/remove", json!({ "path": "file:///none", "force": true })).await;
    client.call("fs/remove", at("/none")).await;
    let copied = json!({ "sourcePath": "file:///none", "destinationPath": "file:///tmp/x", "recursive": false });
    assert_eq!(client.refused("fs/copy", copied).await.0, -32004);
    client.close().await.unwrap();
}

#[tokio::test]
async fn facts_and_names_are_told() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client
        .run("p", "mkdir d; printf 12345 > d/file; ln -s file d/link; ln -s . d/loop; ln -s none d/broken; touch -d @1000000000 d/file")
        .await;
    let facts = client.call("fs/getMetadata", at("/home/user/d/link")).await;
    let expected = json!({ "isDirectory": false, "isFile": true, "isSymlink": true, "size": 5, "createdAtMs": 0,
        "modifiedAtMs": 1_000_000_000_000_u64 });
    assert_eq!(facts, expected);
    let facts = client.call("fs/getMetadata", at("/home/user/d")).await;
    assert_eq!((&facts["isDirectory"], &facts["isFile"], &facts["isSymlink"]), (&json!(true), &json!(false), &json!(false)));
    assert_eq!(client.call("fs/canonicalize", at("/home/user/d/loop/../d/link")).await, at("/home/user/d/file"));
    let entries = client.call("fs/readDirectory", at("/home/user/d")).await;
    let entry = |name: &str, directory: bool| json!({ "fileName": name, "isDirectory": directory, "isFile": !directory });
    // A link that leads nowhere is left out.
    assert_eq!(entries["entries"], json!([entry("file", false), entry("link", false), entry("loop", true)]));
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_link_is_followed_unless_the_client_says_no() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client.run("p", "mkdir d; echo real > d/file; ln -s d link").await;
    let asked = |path: &str, follow: bool| json!({ "path": format!("file://{path}"), "followSymlinks": follow });
    assert_eq!(text(&client.call("fs/readFile", asked("/home/user/link/file", true)).await["dataBase64"]), "real\n");
    let (code, message) = client.refused("fs/readFile", asked("/home/user/link/file", false)).await;
    assert_eq!((code, &*message), (-32600, "path contains a symbolic link: /home/user/link"));
    client.call("fs/readFile", asked("/home/user/d/file", false)).await;
    let mut write = asked("/home/user/link/new", false);
    write["dataBase64"] = json!("");
    assert_eq!(client.refused("fs/writeFile", write.clone()).await.0, -32600);
    write["path"] = json!("file:///home/user/d/new");
    client.call("fs/writeFile", write).await;
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_tree_is_walked_level_by_level() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client.run("p", "mkdir -p t/a/deep t/.hidden; touch t/a/deep/x t/a/y t/.hidden/z t/f; ln -s .. t/a/up; ln -s f t/link").await;
    let walk = |more: Value| {
        let mut options = json!({ "maxDepth": 8, "maxDirectories": 100, "maxEntries": 1000, "followDirectorySymlinks": false });
        let Value::Object(more) = more else { panic!("{more}") };
        options.as_object_mut().expect("an object").extend(more);
        json!({ "path": "file:///home/user/t", "options": options })
    };
    let names = |found: &Value| {
        let entries = found["entries"].as_array().expect("entries").iter();
        let name = |entry: &Value| entry["path"].as_str().expect("a path").trim_start_matches("file:///home/user/t/").to_owned();
        entries.map(name).collect::<Vec<_>>()
    };
    let all = client.call("fs/walk", walk(json!({}))).await;
    assert_eq!(names(&all), [".hidden", "a", "f", ".hidden/z", "a/deep", "a/y", "a/deep/x"]);
    assert_eq!((&all["truncated"], &all["errors"], &all["entries"][0]["kind"]), (&json!(false), &json!([]), &json!("directory")));
    // Links in a circle end.
    let followed = client.call("fs/walk", walk(json!({ "followDirectorySymlinks": true }))).await;
    assert_eq!(names(&followed).iter().filter(|name| name.ends_with("/x")).count(), 1, "{followed}");
    let pruned = client.call("fs/walk", walk(json!({ "pruneHiddenDirectories": true, "maxDepth": 1 }))).await;
    assert_eq!(names(&pruned), [".hidden", "a", "f", "a/deep", "a/y"]);
    let few = client.call("fs/walk", walk(json!({ "maxEntries": 2 }))).await;
    assert_eq!((names(&few).len(), &few["truncated"]), (2, &json!(true)));
    assert_eq!(client.refused("fs/walk", walk(json!({ "maxDepth": 65 }))).await.0, -32600);
    assert_eq!(client.refused("fs/walk", walk(json!({ "maxEntries": 0 }))).await.0, -32600);
    client.close().await.unwrap();
}

#[tokio::test]
async fn files_are_copied_and_removed() {
    let served = served("");
    let mut client = Client::connect(&served.server).await;
    client.run("p", "mkdir -p from/in to/in; echo f > from/in/f; ln -s f from/in/link; echo other > to/in/other").await;
    let copy = |from: &str, to: &str, recursive: bool| json!({ "sourcePath": format!("file:///home/user/{from}"), "destinationPath": format!("file:///home/user/{to}"), "recursive": recursive });
    client.call("fs/copy", copy("from/in/f", "single", false)).await;
    assert_eq!(client.refused("fs/copy", copy("from", "other", false)).await.0, -32600);
    assert_eq!(client.refused("fs/copy", copy("from", "from/in/below", true)).await.0, -32600);
    client.call("fs/copy", copy("from", "to", true)).await;
    let ended = client.run("q", "cat single to/in/f to/in/other to/in/link; readlink to/in/link; ls from/in").await;
    assert_eq!(ended.stdout, "f\nf\nother\nf\nf\nf\nlink\n");
    assert_eq!(client.refused("fs/remove", json!({ "path": "file:///home/user/to", "recursive": false })).await.0, -32600);
    client.call("fs/remove", json!({ "path": "file:///home/user/to", "recursive": true })).await;
    client.call("fs/remove", at("/home/user/from/in/link")).await;
    assert_eq!(client.run("r", "ls . from/in").await.stdout, ".:\nfrom\nsingle\n\nfrom/in:\nf\n");
    client.close().await.unwrap();
}

#[tokio::test]
async fn a_project_that_is_an_overlay_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().canonicalize().unwrap();
    std::fs::write(project.join("kept"), "host\n").unwrap();
    let (name, file) = (project.to_str().unwrap(), |name: &str| format!("{}/{name}", project.display()));
    for (access, after) in [("overlay", "host\n"), ("write", "sandbox\n")] {
        let served = served(&mount(&project, name, access));
        let mut client = Client::connect(&served.server).await;
        assert_eq!(text(&client.call("fs/readFile", at(&file("kept"))).await["dataBase64"]), "host\n");
        client.call("fs/writeFile", written(&file("kept"), "sandbox\n")).await;
        client.start("p", "cat kept; echo more > new; ls", json!({ "cwd": format!("file://{name}") })).await;
        assert_eq!(client.ended("p").await.stdout, "sandbox\nkept\nnew\n");
        client.close().await.unwrap();
        assert_eq!(std::fs::read_to_string(project.join("kept")).unwrap(), after, "{access}");
        assert_eq!(project.join("new").exists(), access == "write", "{access}");
    }
}
