//! Closing loops.
