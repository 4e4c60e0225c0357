//! What jq and yq need of `wisp_tool`.

pub(crate) use wisp_tool::sys::{args, exit, is_terminal, path_from_bytes};
pub(crate) use wisp_tool::text::{print_error, reason, shown, written};
