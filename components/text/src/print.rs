//! `print!` and its like with the bytes of names, which `wisp_tool::text::shown` spells. They take the place of std's in this crate.

macro_rules! print {
    ($($text:tt)*) => { wisp_tool::text::print(format_args!($($text)*)) };
}

macro_rules! println {
    () => { wisp_tool::text::print(format_args!("\n")) };
    ($($text:tt)*) => { wisp_tool::text::print(format_args!("{}\n", format_args!($($text)*))) };
}

macro_rules! eprint {
    ($($text:tt)*) => { wisp_tool::text::print_error(format_args!($($text)*)) };
}

macro_rules! eprintln {
    () => { wisp_tool::text::print_error(format_args!("\n")) };
    ($($text:tt)*) => { wisp_tool::text::print_error(format_args!("{}\n", format_args!($($text)*))) };
}
