//! The edits alone: whatever a text looks like, what is added can be taken out again, and the rest stays.

use serde_json::{Value, json};

use crate::format::{Format, Place};
use crate::json::{self, Item};
use crate::toml;

const PLACE: Place<'_> = Place { section: &["servers"], name: "wisp" };

/// Adds an entry and takes it out. Returns the text in between.
fn there_and_back(format: Format, before: &str) -> String {
    let (command, args) = (json!("/a \"b\"\\c\u{7f}\n"), json!(["mcp", "é"]));
    let members: [(&str, &Value); 2] = [("command", &command), ("args", &args)];
    let with = format.add(before, PLACE, &members).unwrap();
    let value = format.value(&with).unwrap_or_else(|trouble| panic!("{trouble:?}\n{with}"));
    assert_eq!(value["servers"]["wisp"], json!({"command": command, "args": args}), "{with}");
    assert_eq!(format.take_out(&with, PLACE).unwrap(), before, "{with}");
    with
}

#[test]
fn json_comes_back() {
    let texts = [
        "{}",
        "{}\n",
        " {} ",
        "{\"a\":1}",
        "{ \"a\": 1 }\n",
        "{\n  \"a\": 1\n}",
        "{\n\t\"a\": [\n\t\t1\n\t]\n}\n",
        "{\r\n    \"a\": 1\r\n}\r\n",
        "{\"servers\":{\"x\":{}}}",
        "{\n  \"servers\": {\"x\": {}}\n}\n",
        "{\n  \"servers\": {\n    \"x\": {}\n  },\n  \"b\": 2\n}\n",
        "{\n  \"servers\": {},\n  \"b\": 2\n}\n",
        "{\n\n  \"a\": 1,\n\n  \"b\": {\"servers\": {\"wisp\": \"}{,\\\"//\"}}\n\n}\n\n",
    ];
    for text in texts {
        there_and_back(Format::Json, text);
        there_and_back(Format::Jsonc, text);
    }
}

#[test]
fn comments_come_back() {
    let texts = [
        "// first\n{}\n// last",
        "{\n  \"a\": 1 // one, two\n}\n",
        "{\n  \"a\": 1, // one\n}\n",
        "{\n  \"a\": 1 /* , */ , /* two */\n  // three }\n}\n",
        "{\"a\": 1,}",
        "{\"a\": 1, /* x */}",
        "{\n  \"servers\": {\n    // none yet\n  }\n}\n",
        "{\n  \"servers\": { /* none */ },\n}\n",
        "{\n  \"servers\": {\n    \"x\": {}, // x\n    // y\n  },\n}\n",
        "{ \"servers\": { // c\n  \"x\": {}\n } }",
        "{ \"servers\": { \"x\": {} }, }",
    ];
    for text in texts {
        there_and_back(Format::Jsonc, text);
    }
}

#[test]
fn an_entry_between_others_takes_its_own_comma_along() {
    let place = Place { section: &[], name: "b" };
    let cases = [
        ("{\"b\": 1, \"c\": 2}", "{ \"c\": 2}"),
        (
            "{\n  \"a\": 1,\n  // of b\n  \"b\": {\n    \"x\": 1\n  }, // behind b\n  \"c\": 2\n}",
            "{\n  \"a\": 1,\n  // of b // behind b\n  \"c\": 2\n}",
        ),
        ("{\n  \"b\": 1,\n}", "{}"),
    ];
    for (before, after) in cases {
        assert_eq!(Format::Jsonc.take_out(before, place).unwrap(), after);
    }
}

#[test]
fn toml_comes_back() {
    let texts = [
        "",
        "\n",
        "a = 1",
        "a = 1\n",
        "a = 1\n\n",
        "a = 1 # one\r\n",
        "# only this",
        "[servers.x]\ncommand = \"\"\"\n[servers.wisp]\n\"\"\"\n",
        "servers.x.command = \"x\"\n",
        "[servers]\nx = { command = \"x\" }\n",
        "[a]\nb = [\n  1, # one\n]\n\n[[c]]\n\n# end\n",
    ];
    for text in texts {
        there_and_back(Format::Toml, text);
    }
}

#[test]
fn toml_tables_around_an_entry_stay() {
    let before = "[servers.wisp]\ncommand = \"wisp\" # c\nargs = [\n  \"mcp\",\n]\n\n# of the next\n[servers.x]\ncommand = \"x\"\n\n[servers.wisp.env]\nA = \"b\"\n\n[[servers.wisp.rules]]\nr = 1\n[[servers.wisp.rules]]\nr = 2\n\n[y]\n";
    let after = "\n# of the next\n[servers.x]\ncommand = \"x\"\n\n[y]\n";
    assert_eq!(Format::Toml.take_out(before, PLACE).unwrap(), after);
}

#[test]
fn toml_keys_are_set_in_place() {
    let before = "[servers.wisp]\ncommand = 'x' # c\n[servers.wisp.env]\nA = \"b\"\n";
    let set = |text: &str, key: &str, value: Value| Format::Toml.set(text, PLACE, key, &value).unwrap();
    assert_eq!(set(before, "command", json!("y")), "[servers.wisp]\ncommand = \"y\" # c\n[servers.wisp.env]\nA = \"b\"\n");
    assert_eq!(set(before, "args", json!(["z"])), "[servers.wisp]\nargs = [\"z\"]\ncommand = 'x' # c\n[servers.wisp.env]\nA = \"b\"\n");
    assert_eq!(set("[servers.wisp]", "args", json!([])), "[servers.wisp]\nargs = []\n");
    assert!(Format::Toml.set("[servers.wisp]\nenv.A = \"b\"\n", PLACE, "env", &json!({"A": "c"})).is_err());
}

/// Adds an element to a list and takes it out. Returns the text in between.
fn listed_and_back(before: &str) -> String {
    let path = ["h", "l"];
    let item = Item::Members(vec![
        ("k".to_owned(), Item::Elements(vec![Item::Value(json!("a \"b\"\n"))])),
        ("n".to_owned(), Item::Value(json!(1))),
    ]);
    let with = json::push(before, true, &path, item.clone()).unwrap();
    let value = Format::Jsonc.value(&with).unwrap_or_else(|trouble| panic!("{trouble:?}\n{with}"));
    let list = value["h"]["l"].as_array().unwrap();
    assert_eq!(list.last(), Some(&item.value()), "{with}");
    // The same in its place changes nothing.
    assert_eq!(json::swap(&with, true, &path, list.len() - 1, &item).unwrap(), with);
    let without = json::pull(&with, true, &path, list.len() - 1).unwrap();
    assert_eq!(json::tidy(&without, true, &path).unwrap(), before, "{with}");
    with
}

#[test]
fn lists_come_back() {
    let texts = [
        "{}\n",
        "{\"a\": 1}",
        "{\n  \"a\": 1\n}\n",
        "{\"h\": {\"l\": [1]}}",
        "{\"h\": {\"l\": [{\"x\": 1}, {}]}, \"z\": []}",
        "{\n\t\"h\": {\n\t\t\"l\": [\n\t\t\t1\n\t\t]\n\t}\n}\n",
        "{\r\n  \"h\": {\r\n    \"l\": [\r\n      {\r\n        \"x\": []\r\n      }\r\n    ],\r\n    \"m\": 1\r\n  }\r\n}\r\n",
        "{\n  \"h\": {\n    \"l\": [\n      1, // one, [two]\n      // three ]\n    ],\n  },\n}\n",
        "{\n  \"h\": {\n    \"l\": [{\n      \"x\": 1\n    }]\n  }\n}\n",
        "{\n  \"h\": {\n    \"m\": [] // m\n  }\n}\n",
    ];
    for text in texts {
        listed_and_back(text);
    }
    let with = listed_and_back("{\n  \"a\": 1\n}\n");
    let want = "{\n  \"a\": 1,\n  \"h\": {\n    \"l\": [\n      {\n        \"k\": [\n          \"a \\\"b\\\"\\n\"\n        ],\n        \"n\": 1\n      }\n    ]\n  }\n}\n";
    assert_eq!(with, want);
    assert!(json::push("{\"h\": {\"l\": {}}}", true, &["h", "l"], Item::Value(json!(1))).is_err());
}

#[test]
fn toml_lists_come_back() {
    let texts = ["", "a = 1", "a = 1\n\n", "# c\r\n[[e]]\r\nid = \"x\"\r\n", "[[e]]\nid = \"x\" # c\n\n[e.env]\nA = \"b\"\n\n# end\n[z]\n"];
    for before in texts {
        let (id, args) = (json!("w \"q\""), json!(["a", "é"]));
        let with = toml::push(before, "e", &[("id", &id), ("args", &args)]).unwrap();
        let value = Format::Toml.value(&with).unwrap_or_else(|trouble| panic!("{trouble:?}\n{with}"));
        let place = value["e"].as_array().unwrap().len() - 1;
        assert_eq!(value["e"][place], json!({"id": id, "args": args}), "{with}");
        let set = toml::set_in(&with, "e", place, "args", &json!([])).unwrap();
        let set = toml::set_in(&set, "e", place, "new", &json!(7)).unwrap();
        assert_eq!(Format::Toml.value(&set).unwrap()["e"][place], json!({"id": id, "args": [], "new": 7}), "{set}");
        assert_eq!(toml::take_from(&set, "e", place).unwrap(), before, "{set}");
    }
    assert!(toml::push("e = [{ id = \"x\" }]\n", "e", &[]).is_err());
    assert!(toml::push("e = []\n", "e", &[]).is_err());
    assert_eq!(toml::key_line("a = 1\nb = 2 # c\n[t]\nb = 3\n", "b").unwrap(), Some(6..16));
    assert_eq!(toml::key_line("[t]\nb = 3\n", "b").unwrap(), None);
    assert!(toml::key_line("b = \"\"\"\nx\"\"\"\n", "b").is_err());
}
