//! Footpath as its users run it.

mod addresses;
mod book;
mod cli;
mod config;
mod coverage_from;
mod deep_loops;
mod default_store;
mod failures;
mod frameworks;
mod inputs;
mod messages;
mod network_store;
mod out_of_bounds;
mod programs;
mod python;
mod reach;
mod review;
mod safety;
mod seeds;
mod shards;
mod store;
mod suite;
mod system_limits;
mod testing;
mod verify;
mod watch;
