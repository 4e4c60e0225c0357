//! `coreutils`: the POSIX tools of wisp that are its own in one component, chosen by the name it is called by.

fn main() {
    wisp_coreutils::main()
}
