//! Program text: parser, diagnostics and printer.
