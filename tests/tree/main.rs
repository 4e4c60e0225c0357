//! The tree agrees with what is written of it: its rules, the table of the components' imports, the README and the guide.

mod circles;
mod comments;
mod components;
mod house;
mod imports;
mod pages;
mod readme;
mod rules;
mod source;
