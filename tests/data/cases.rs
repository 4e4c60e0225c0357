//! Scripts for the data image: `cases/NAME.py` and `.sh`, under the policy `data`. Beside each is what CPython with the same
//! packages prints natively.

use std::path::PathBuf;

use wisp_tests::{script, wisp};

/// Makes a test of each script, which filters find by its name.
macro_rules! tests {
    ($($name:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*
    };
}

tests! {
    array_files arrays big_csv classification clustering errors excel image joins jpeg managers markup messy_csv pdf_table pivots
    plot_seaborn plot_two_axes pools processes regression report resampling science sqlite_pandas symbols text thread_pools
}

fn scripts() -> Vec<PathBuf> {
    script::discover(&wisp::root().join("tests/data/cases"))
}

fn check(name: &str) {
    let path = scripts().into_iter().find(|path| path.file_stem().is_some_and(|stem| stem == name));
    let path = path.unwrap_or_else(|| panic!("tests/data/cases has no script `{name}`"));
    script::check(&path, Some("data")).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn every_script_is_a_test() {
    let found: Vec<String> = scripts().iter().filter_map(|path| path.file_stem()?.to_str().map(str::to_owned)).collect();
    assert_eq!(found, NAMES, "name each script once, in this order, in tests/data/cases.rs");
}
