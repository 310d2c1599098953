//! The program form: printer, validator, reference interpreter.

mod calls;
mod common;
mod interp;
mod print;
mod validate;
