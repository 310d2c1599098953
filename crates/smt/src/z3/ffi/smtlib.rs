//! Z3's interpreter of SMT-LIB 2 commands.

use std::ffi::CStr;

use z3_sys::*;

use super::{Error, Result, c_string, check_version, ignore_error};

/// A Z3 context that is used by commands only, and their state in it.
pub(in crate::z3) struct SmtLib {
    raw: Z3_context,
}

impl SmtLib {
    pub(in crate::z3) fn new() -> Result<SmtLib> {
        check_version()?;
        // SAFETY: the documented sequence to make a context. Nothing is made through it but text.
        unsafe {
            let config = Z3_mk_config().ok_or_else(|| Error("Z3 made no configuration".to_owned()))?;
            let raw = Z3_mk_context(config);
            Z3_del_config(config);
            let raw = raw.ok_or_else(|| Error("Z3 made no context, as it does without memory".to_owned()))?;
            Z3_set_error_handler(raw, Some(ignore_error));
            Ok(SmtLib { raw })
        }
    }

    /// Carries out commands; what they print, errors among it.
    pub(in crate::z3) fn evaluate(&mut self, commands: &str) -> String {
        let commands = c_string(commands);
        // SAFETY: the context and the text are alive. The answer is alive until the next call, and copied before.
        unsafe {
            let text = Z3_eval_smtlib2_string(self.raw, commands.as_ptr());
            if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
        }
    }
}

impl Drop for SmtLib {
    fn drop(&mut self) {
        // SAFETY: nobody else has the context.
        unsafe { Z3_del_context(self.raw) };
    }
}
