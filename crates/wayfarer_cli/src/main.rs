//! The program `wayfarer`: makes worlds, shows them, finds paths in them and checks its results.

mod air;
mod aliases;
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
mod load;
mod location;
mod output;
mod preset;
mod progress;
mod size;
mod verify;
mod words;

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::{Arg, CommandFactory, FromArgMatches, Parser};

use command::Command;
use failure::{Failure, Verdict};

/// Counts the allocations that `bench` reports; forwards to the system allocator.
#[cfg(feature = "bench")]
#[global_allocator]
static ALLOCATOR: wayfarer_counting::CountingAllocator = wayfarer_counting::CountingAllocator;

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
  wayfarer path caves.map --from 10,10 --to 190,110 --png path.png
  wayfarer bake caves.map -o caves.frozen          bake its region graph

Every command that reads a world reads every format: the contents of the file decide, not its name.
Exit codes: 0 done, 1 negative result (no path, something wrong), 2 bad input, 3 fault of wayfarer."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let parsed = with_negative_numbers(Arguments::command())
        .try_get_matches()
        .and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() && !is_bare_call(&error) => {
            return Failure::BadInput(failure::in_one_line(&error.to_string())).report();
        }
        // Help and version.
        Err(error) => {
            return match error.print() {
                Ok(()) => ExitCode::from(if error.use_stderr() { 2 } else { 0 }),
                // The reader closed the pipe.
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

/// Lets every option take a negative number, so that the option's own parser reports what it
/// expects.
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

/// True if a command was called without arguments: the whole help is printed then.
fn is_bare_call(error: &clap::Error) -> bool {
    error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}
