//! What jq and yq need of `wisp_tool`.

pub(crate) use wisp_tool::sys::{args, exit, is_terminal};
pub(crate) use wisp_tool::text::reason;
