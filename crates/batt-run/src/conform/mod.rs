//! Conformance records.
