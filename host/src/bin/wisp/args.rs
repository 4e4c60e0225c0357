//! Arguments (being written by worker `policy`).
use clap::{Args, Parser, Subcommand};

#[derive(Parser)]
#[command(name = "wisp", version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Commands,
}

#[derive(Subcommand)]
pub(crate) enum Commands {
    Run(Run),
}

#[derive(Args)]
pub(crate) struct Run {
    #[arg(long, default_value = "offline")]
    pub(crate) policy: String,
    #[arg(long)]
    pub(crate) mount: Vec<String>,
    #[arg(long)]
    pub(crate) env: Vec<String>,
    #[arg(long)]
    pub(crate) tool: Vec<String>,
    #[arg(long)]
    pub(crate) timeout: Option<String>,
    #[arg(last = true, required = true)]
    pub(crate) command: Vec<std::ffi::OsString>,
}
