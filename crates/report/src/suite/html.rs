//! Stub.
/// Stub.
pub fn page(_: &super::TestRun<'_>) -> String {
    String::new()
}
