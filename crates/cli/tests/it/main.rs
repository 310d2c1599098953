//! Footpath as its users run it.

mod addresses;
mod book;
mod cli;
mod failures;
mod inputs;
mod lists;
mod messages;
mod out_of_bounds;
mod programs;
mod reach;
mod safety;
mod store;
mod suite;
mod testing;
mod verify;
