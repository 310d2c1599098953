//! Stub.
/// Stub.
pub fn info(_: &super::TestRun<'_>) -> String {
    String::new()
}
