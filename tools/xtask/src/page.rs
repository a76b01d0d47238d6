//! The page: `wayfarer_web` as wasm32, its bindings, the bundle; built, served, tested, photographed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Context;
use crate::golden::{self, has_target, target_folder};
use crate::run::{Outcome, cargo, cargo_with, output, say};
use crate::tidy::workspace_dependency;
use crate::tools;

/// The page and its packages.
const FOLDER: &str = "crates/wayfarer_web/page";
const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "page";
/// Vectors of 128 bits, which every browser has had since 2023: tables and rows of bits are made of them.
const FLAGS: (&str, &str) = (
    "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
    "-Ctarget-feature=+simd128",
);
/// The pictures of README.md.
const PICTURES: &str = "docs/pictures";

/// What `cargo xtask page` does after the build.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Page {
    /// Serves it on localhost until interrupted.
    #[default]
    Serve,
    /// Leaves the files in `target/page`.
    Build,
    /// Makes the pictures of README.md.
    Pictures,
}

impl Page {
    /// Parses the arguments after `page`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, String> {
        match words {
            [] => Ok(Self::Serve),
            ["--build"] => Ok(Self::Build),
            ["--pictures"] => Ok(Self::Pictures),
            [word, ..] => Err(format!("unknown option {word}; see cargo xtask --help")),
        }
    }
}

/// Builds the page, then serves it or makes pictures of it.
pub(crate) fn run(context: &Context, page: Page) -> Result<(), String> {
    let bindgen = prepare(context)?;
    let built = build(context, &bindgen)?;
    match page {
        Page::Build => {
            say(&format!("the page: {}", built.display()));
            Ok(())
        }
        Page::Serve => {
            say("the page: http://127.0.0.1:4173 (ends with Ctrl+C)");
            let folder = built.to_string_lossy().into_owned();
            npx(
                context,
                &[
                    "vite",
                    "preview",
                    "--host",
                    "127.0.0.1",
                    "--port",
                    "4173",
                    "--outDir",
                    &folder,
                ],
            )
        }
        Page::Pictures => {
            let chromium = chromium()?;
            let script = context.root.join(FOLDER).join("tests/pictures.mjs");
            let mut node = Command::new("node");
            node.arg(script)
                .arg(&built)
                .arg(context.root.join(PICTURES));
            node.env("CHROMIUM", chromium);
            say(&output(node, "node tests/pictures.mjs")?);
            Ok(())
        }
    }
}

/// The step `page`: every view in Chromium, and the digests of the golden suite there.
pub(crate) fn check(context: &Context) -> Result<Outcome, String> {
    let tools = prepare(context).and_then(|bindgen| Ok((bindgen, chromium()?)));
    let (bindgen, browser) = match (tools, context.strict) {
        (Ok(tools), _) => tools,
        (Err(missing), true) => return Err(missing),
        (Err(missing), false) => return Ok(Outcome::Skipped(missing)),
    };
    let built = build(context, &bindgen)?;
    let golden = golden::build_wasm(context)?;
    let mut node = Command::new("node");
    node.arg(context.root.join(FOLDER).join("tests/page.mjs"));
    node.arg(built)
        .arg(golden)
        .arg(context.root.join(golden::PINNED));
    node.arg(target_folder(context)?.join("page-pictures"));
    node.env("CHROMIUM", browser);
    let mut node = node
        .spawn()
        .map_err(|error| format!("cannot run node: {error}"))?;
    let status = node.wait().map_err(|error| format!("node: {error}"))?;
    match status.success() {
        true => Ok(Outcome::Passed),
        false => Err("the page fails in Chromium".to_owned()),
    }
}

/// Makes sure of what the build needs, or says in a line what is missing; returns the path of the
/// program wasm-bindgen.
fn prepare(context: &Context) -> Result<PathBuf, String> {
    for program in ["node", "npm", "npx"] {
        if !tools::runs(program, &["--version"]) {
            return Err(format!("{program} is missing: install Node.js 20 or later"));
        }
    }
    tools::install("target", TARGET, || has_target(TARGET))?;
    install_packages(context)?;
    wasm_bindgen(context, &target_folder(context)?)
}

/// Builds the files of the page and returns their folder.
fn build(context: &Context, bindgen: &Path) -> Result<PathBuf, String> {
    let target = target_folder(context)?;
    // Its tests need an rlib, for which cargo would leave out the optimization across crates.
    let words = ["rustc", "--lib", "--crate-type", "cdylib"];
    let what = ["--profile", PROFILE, "--target", TARGET];
    let words = [&words[..], &what, &["--package", "wayfarer_web"]].concat();
    cargo_with(context, &words, &[FLAGS])?;
    let page = context.root.join(FOLDER);
    let wasm = target.join(TARGET).join(PROFILE).join("wayfarer_web.wasm");
    let mut bind = Command::new(bindgen);
    // Names of functions are a quarter of the file.
    bind.args(["--remove-name-section", "--remove-producers-section"]);
    bind.args(["--target", "web", "--out-dir"])
        .arg(page.join("src/pkg"))
        .arg(wasm);
    output(bind, "wasm-bindgen")?;
    npx(context, &["tsc", "--noEmit"])?;
    let built = target.join("page");
    let folder = built.to_string_lossy().into_owned();
    npx(
        context,
        &["vite", "build", "--logLevel", "warn", "--outDir", &folder],
    )?;
    Ok(built)
}

/// The program wasm-bindgen in the version of the crate; installed below `target` if missing.
fn wasm_bindgen(context: &Context, target: &Path) -> Result<PathBuf, String> {
    let wanted = workspace_dependency(&context.root, "wasm-bindgen");
    let wanted = wanted.ok_or("Cargo.toml names no version of wasm-bindgen")?;
    let version = wanted.trim_start_matches('=');
    let root = target.join("tools");
    let program = root.join("bin/wasm-bindgen");
    let is_there = || {
        let found = Command::new(&program).arg("--version").output();
        found.is_ok_and(|found| String::from_utf8_lossy(&found.stdout).contains(version))
    };
    if !is_there() {
        let root = root.to_string_lossy().into_owned();
        // Unoptimized: it runs for a second and builds in a third of the time. Not locked: mirrors of
        // the registry lag behind its lock file.
        let words = [
            "install",
            "--debug",
            "--quiet",
            "--force",
            "--root",
            &root,
            "--version",
            &wanted,
            "wasm-bindgen-cli",
        ];
        cargo(context, &words)?;
    }
    match is_there() {
        true => Ok(program),
        false => Err(format!(
            "wasm-bindgen {version} is missing: cargo install wasm-bindgen-cli --version {wanted}"
        )),
    }
}

/// Installs the packages of the lock file, unless that was done since it changed.
fn install_packages(context: &Context) -> Result<(), String> {
    let page = context.root.join(FOLDER);
    let changed = |path: PathBuf| fs::metadata(path).and_then(|data| data.modified()).ok();
    let installed = changed(page.join("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= changed(page.join("package-lock.json")) {
        return Ok(());
    }
    // Not `ci`: it refuses a lock file without the optional packages of other platforms, which
    // mirrors of the registry lack. The versions are those of the lock file all the same.
    let words = [
        "install",
        "--no-save",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ];
    let mut npm = Command::new("npm");
    npm.current_dir(page).args(words);
    output(npm, &format!("npm {}", words.join(" "))).map(|_| ())
}

/// Runs a program of the page's packages with inherited output.
fn npx(context: &Context, words: &[&str]) -> Result<(), String> {
    let label = format!("npx {}", words.join(" "));
    say(&format!("$ {label}"));
    let status = Command::new("npx")
        .current_dir(context.root.join(FOLDER))
        .arg("--no-install")
        .args(words)
        .status()
        .map_err(|error| format!("cannot run npx: {error}"))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("{label}: {status}")),
    }
}

/// The path of Chromium; as root it is installed by apt-get.
fn chromium() -> Result<String, String> {
    let names = [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
    ];
    let find = || {
        let chosen = std::env::var("CHROMIUM").ok();
        let all = chosen.into_iter().chain(names.map(str::to_owned));
        all.into_iter().find(|path| Path::new(path).is_file())
    };
    if find().is_none() && tools::runs("apt-get", &["--version"]) {
        say("$ apt-get install chromium");
        tools::runs("apt-get", &["update", "-qq"]);
        tools::runs(
            "apt-get",
            &[
                "install",
                "-y",
                "-qq",
                "--no-install-recommends",
                "chromium",
                "fonts-dejavu-core",
            ],
        );
    }
    find().ok_or_else(|| {
        "chromium is missing: apt-get install chromium, or set CHROMIUM to its path".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_known_or_refused() {
        assert_eq!(Page::read(&[]), Ok(Page::Serve));
        assert_eq!(Page::read(&["--build"]), Ok(Page::Build));
        assert_eq!(Page::read(&["--pictures"]), Ok(Page::Pictures));
        assert!(Page::read(&["--fast"]).is_err());
    }
}
