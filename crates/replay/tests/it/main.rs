//! What running compiled code promises.

mod greybox_fuzzing;
