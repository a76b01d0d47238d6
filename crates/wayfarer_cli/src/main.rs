//! The program `wayfarer`: makes worlds, looks at them, finds paths in them and checks its answers.

mod air;
mod area;
mod baked;
mod castle;
mod centers;
mod clock;
mod command;
mod draw;
mod failure;
mod ground;
mod jps;
mod judge;
mod load;
mod location;
mod output;
mod progress;
mod size;
mod words;

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::{Arg, CommandFactory, FromArgMatches, Parser};

use command::Command;
use failure::{Failure, Verdict};

/// Counts the allocations that `bench` reports; forwards to the system allocator.
#[cfg(feature = "bench")]
#[global_allocator]
static ALLOCATOR: wayfarer_counting::Counting = wayfarer_counting::Counting;

/// Navigation in game worlds that change.
#[derive(Parser)]
#[command(
    name = "wayfarer",
    version,
    arg_required_else_help = true,
    after_help = "\
Examples:
  wayfarer demo                                    see what it can do
  wayfarer make caves --size 200x120 -o caves.map  make a world
  wayfarer info caves.map                          what is in it?
  wayfarer render caves.map -o caves.png           draw it
  wayfarer path caves.map --from 10,10 --to 190,110 --png way.png
  wayfarer freeze caves.map -o caves.frozen        pack its regions for far ways

Every command that reads a world reads every format; the file's contents decide.
Exit codes: 0 done, 1 a negative answer (no path, something wrong), 2 bad input, 3 our fault."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let read = with_negative_numbers(Arguments::command())
        .try_get_matches()
        .and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match read {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() && !is_plain_help(&error) => {
            return Failure::BadInput(failure::in_one_line(&error.to_string())).report();
        }
        // Help and version, printed as asked.
        Err(error) => {
            return match error.print() {
                Ok(()) => ExitCode::from(if error.use_stderr() { 2 } else { 0 }),
                // Whoever read has heard enough.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
                Err(error) => Failure::OurFault(error.to_string()).report(),
            };
        }
    };
    failure::guarded(|| match arguments.command.run() {
        Ok(Verdict::Done) => ExitCode::SUCCESS,
        Ok(Verdict::Negative) => ExitCode::from(1),
        Err(failure) => failure.report(),
    })
}

/// Lets every option take a number below 0, so that it is the option that says what it wants.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let takes = |arg: Arg| {
        let names_value = arg.get_long().is_some() && arg.get_action().takes_values();
        match names_value && !arg.is_allow_hyphen_values_set() {
            true => arg.allow_negative_numbers(true),
            false => arg,
        }
    };
    command
        .mut_args(takes)
        .mut_subcommands(with_negative_numbers)
}

/// True if nothing was asked at all: then the whole help is the answer.
fn is_plain_help(error: &clap::Error) -> bool {
    error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}
