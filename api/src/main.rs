//! The program `maidan`; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    maidan::run()
}
