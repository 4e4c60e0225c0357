//! Tests that a list makes when the program starts, so that `main` is ours: a file each, and those of confinement.

mod confine;
mod files;
// These two lie beside their files.
#[path = "../net_guests/mod.rs"]
mod net_guests;
#[path = "../policy/mod.rs"]
mod policy;

use libtest_mimic::{Arguments, run};

fn main() {
    // First: a helper of `confine` is this program once more, and has one thread.
    if confine::is_helper() {
        return;
    }
    let arguments = Arguments::from_args();
    let trials = [files::trials(), policy::trials(), net_guests::trials(), confine::trials()];
    run(&arguments, trials.into_iter().flatten().collect()).exit();
}
