//! Scripts for the data image: `data/cases/NAME.py` and `.sh`, under the policy `data`. Beside each is what CPython with the same
//! packages prints natively.

use libtest_mimic::{Arguments, Failed, Trial};
use wisp_tests::{script, wisp};

fn main() {
    let arguments = Arguments::from_args();
    let root = wisp::root();
    let trials = script::discover(&root.join("tests/data/cases")).into_iter().map(|path| {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        Trial::test(name, move || script::check(&path, Some("data")).map_err(Failed::from))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}
