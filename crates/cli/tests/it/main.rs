//! Footpath as its users run it.

mod addresses;
mod cli;
mod conditions;
mod failures;
mod inputs;
mod lists;
mod programs;
mod reach;
mod store;
mod strays;
mod suite;
mod testing;
mod verify;
mod world;
