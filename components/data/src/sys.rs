//! What jq and yq need of `wisp_tool`.

pub use wisp_tool::sys::{args, exit, is_terminal};
pub use wisp_tool::text::reason;
