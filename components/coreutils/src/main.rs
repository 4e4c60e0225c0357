//! `coreutils`: wisp's own POSIX tools in one component. The name by which it is called chooses the tool.

fn main() {
    wisp_coreutils::main()
}
