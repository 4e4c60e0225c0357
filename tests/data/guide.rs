//! The page of the guide: its commands print what it says, and its picture is what its program draws.

use std::fs;

use wisp_tests::guide::{blocks, replay};
use wisp_tests::wisp::{prepared, root};

#[test]
fn the_page_shows_what_the_commands_print() {
    let (binary, page) = (prepared().expect("the binary is built"), root().join("docs/src/data.md"));
    let text = fs::read_to_string(&page).expect("the page");
    let (folder, mut now, mut commands) = (tempfile::tempdir().expect("a folder"), text.clone(), 0);
    for block in blocks(&text) {
        if let Some(name) = block.mark.strip_prefix("file: ") {
            fs::write(folder.path().join(name), &block.text).expect("a file");
        } else if block.mark == "image: data" {
            let again = replay(&block.text, folder.path(), &binary).expect("a block of commands");
            now = now.replacen(&block.text, &again, 1);
            commands += 1;
        }
    }
    assert!(commands > 1, "the page has commands");
    let (drawn, shown) = (fs::read(folder.path().join("out/orders.png")).expect("the plot came out"), root().join("docs/src/orders.png"));
    if std::env::var_os("WISP_BLESS").is_some() {
        fs::write(&page, &now).expect("the page can be written");
        fs::write(&shown, &drawn).expect("the picture can be written");
        return;
    }
    assert_eq!(now, text, "the page prints something else today (WISP_BLESS=1 writes it)");
    assert!(drawn == fs::read(&shown).expect("the picture"), "the program draws something else than {} (WISP_BLESS=1)", shown.display());
}
