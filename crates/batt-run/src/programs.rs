//! The programs and differs that are part of the binary, as text.

use batt_lang::program::Definition;
use batt_lang::{Program, text};

macro_rules! texts {
    ($($path:literal)*) => {
        &[$((
            concat!("programs/", $path),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../programs/", $path)),
        )),*]
    };
}

/// A program file: its path in the repository, and its text.
pub type Source = (&'static str, &'static str);

/// Our own programs, which solve the embedded tasks.
pub fn embedded() -> &'static [Source] {
    texts! { "over_demos.py" "solvers.py" }
}

/// Our own programs, read.
pub fn parsed() -> Vec<Program> {
    read(embedded())
}

/// Programs that `batt solve` found on public training tasks.
pub fn found() -> &'static [Source] {
    texts! { "found/arc1.py" }
}

/// Those, read.
pub fn parsed_found() -> Vec<Program> {
    read(found())
}

/// The differs, read.
pub fn parsed_differs() -> Vec<Program> {
    read(differs())
}

fn read(sources: &[Source]) -> Vec<Program> {
    let definitions = sources.iter().flat_map(|(_, source)| text::parse(source).definitions);
    definitions
        .filter_map(|definition| match definition {
            Definition::Program(program) => Some(program),
            Definition::Generated(_) => None,
        })
        .collect()
}

/// The differs: programs over S, I and C that give (score 0 to 1000, detail).
pub fn differs() -> &'static [Source] {
    texts! {
        "differs/cells_match.py"
        "differs/colours_gone.py"
        "differs/colours_new.py"
        "differs/specks_gone.py"
        "differs/specks_new.py"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    fn listing(folder: &str) -> BTreeSet<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let entries = std::fs::read_dir(root.join(folder)).unwrap();
        let names = entries.map(|e| e.unwrap().file_name().into_string().unwrap());
        names
            .filter(|n| Path::new(n).extension().is_some_and(|e| e == "py"))
            .map(|n| format!("{folder}/{n}"))
            .collect()
    }

    #[test]
    fn all_folders_are_embedded_whole() {
        for (folder, sources) in
            [("programs", embedded()), ("programs/differs", differs()), ("programs/found", found())]
        {
            let paths: BTreeSet<String> = sources.iter().map(|s| s.0.to_owned()).collect();
            assert_eq!(paths, listing(folder));
        }
    }

    #[test]
    fn every_embedded_task_has_one_program() {
        let names = embedded().iter().flat_map(|(_, text)| text.lines());
        let names = names.filter_map(|line| line.strip_prefix("def solve_")?.split('(').next());
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        let set = crate::tasks::embedded();
        let ids: Vec<&str> = set.tasks().iter().map(|t| t.id.as_str()).collect();
        assert_eq!(names, ids);
    }
}
