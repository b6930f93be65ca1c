//! Checks the dependencies between the top-level modules of `api/src`, read from the sources: there is no cycle, and no
//! layer uses the libraries of another.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::server::repository;
use crate::support::source::{outside_tests, paths, tokens};

/// The crate's root, `lib.rs`. `main.rs` only calls it.
const ROOT: &str = "lib";

#[test]
fn no_module_uses_itself_by_way_of_others() {
    let graph = Graph::of(&sources());
    if let Some(cycle) = graph.cycle() {
        let steps = cycle.windows(2).map(|step| {
            let place = &graph.0[&step[0]].modules[&step[1]];
            format!("{} uses {} in {place}", step[0], step[1])
        });
        panic!("a cycle: {}\n{}", cycle.join(" → "), steps.collect::<Vec<_>>().join("\n"));
    }
}

#[test]
fn each_layer_leaves_the_others_alone() {
    let graph = Graph::of(&sources());
    let uses = |module: &str| graph.0.get(module).unwrap_or_else(|| panic!("there is no module {module}"));
    for (module, library) in [("games", "actix_web"), ("people", "actix_web"), ("rest", "sqlx"), ("graphql", "sqlx")] {
        assert_eq!(uses(module).libraries.get(library), None, "{module} uses {library}");
    }
    assert_eq!(uses("store").modules.get("games"), None, "store uses games");
}

#[test]
fn sources_are_read_as_the_compiler_reads_them() {
    let play = r##"
        //! use crate::comment;
        use std::{fmt, io::Read};
        use crate::{auth::{self, Caller}, store::Store, games::table};
        pub(in crate::page) fn quoted<'a>(text: &'a str) -> char {
            let _ = ("crate::string", r#"crate::raw"#, b"crate::bytes", 'x', '\'', "\"crate::escaped");
            /* crate::block /* crate::inner */ crate::outer */
            super::super::limits::charge(crate::VERSION, crate::telemetry::count!());
            crate::macros!();
            text.chars().next().unwrap_or('"')
        }
        mod inline {
            use super::super::own;
            use super::super::super::ids::Id;
        }
        #[cfg(test)]
        mod tests { use crate::only_in_tests; }
        #[cfg(test)]
        mod more_tests;
        use actix_web::web;
    "##;
    let sources = [
        ("lib.rs", "mod games; mod cli; use cli::Cli; fn main() { games::open() }"),
        ("games/play.rs", play),
        ("games/play/more_tests.rs", "use crate::only_in_tests;"),
        ("page.rs", "use super::ids;"),
    ];
    let modules = ["auth", "cli", "ids", "limits", "only_in_tests", "store", "telemetry"];
    let others = modules.map(|module| (format!("{module}/mod.rs"), String::new()));
    let sources = sources.map(|(name, text)| (name.to_string(), text.to_string())).into_iter().chain(others).collect();
    let graph = Graph::of(&sources);
    let used = |module: &str| graph.0[module].modules.keys().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(used("games"), ["auth", "ids", "lib", "limits", "store", "telemetry"]);
    assert_eq!(graph.0["games"].modules["limits"], "games/play.rs:8");
    assert_eq!(graph.0["games"].libraries.keys().collect::<Vec<_>>(), ["actix_web", "std"]);
    assert_eq!(used("page"), ["ids"]);
    assert_eq!(used(ROOT), ["cli", "games"]);
    assert_eq!(graph.cycle(), Some(["games", "lib", "games"].map(String::from).to_vec()));
}

/// All sources of the service by their names, relative and with `/`.
fn sources() -> BTreeMap<String, String> {
    let root = repository().join("api/src");
    let (mut sources, mut directories) = (BTreeMap::new(), vec![root.clone()]);
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).expect("sources can be listed") {
            let path = entry.expect("sources can be listed").path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let parts: Vec<_> = path.strip_prefix(&root).expect("it is in there").iter().collect();
                let name =
                    parts.iter().map(|part| part.to_str().expect("names are text")).collect::<Vec<_>>().join("/");
                sources.insert(name, std::fs::read_to_string(path).expect("sources are text"));
            }
        }
    }
    sources
}

/// The modules that a top-level module uses, each with the place of its first use.
#[derive(Default)]
struct Uses {
    modules: BTreeMap<String, String>,
    libraries: BTreeMap<String, String>,
}

struct Graph(BTreeMap<String, Uses>);

impl Graph {
    fn of(sources: &BTreeMap<String, String>) -> Graph {
        let (mut files, mut test_modules) = (Vec::new(), Vec::new());
        for (name, text) in sources {
            let module = module_of(name);
            let (tokens, test_files) = outside_tests(&tokens(text));
            test_modules.extend(test_files.into_iter().map(|file| [&module[..], &[file]].concat()));
            files.push((name, module, tokens));
        }
        files.retain(|(_, module, _)| !test_modules.iter().any(|tests| module.starts_with(tests)));
        let mut graph: BTreeMap<String, Uses> =
            files.iter().map(|(_, module, _)| (top_of(module), Uses::default())).collect();
        let modules: BTreeSet<String> = graph.keys().cloned().collect();
        for (name, module, tokens) in files {
            let own = top_of(&module);
            let uses = graph.get_mut(&own).expect("every module is in the graph");
            for path in paths(&tokens) {
                let here = [&module[..], &path.inside[..]].concat();
                let place = format!("{name}:{}", path.line);
                match Target::of(&path.segments, &here) {
                    Target::Root(used) if modules.contains(&used) => {
                        if used != own {
                            uses.modules.entry(used).or_insert(place);
                        }
                    }
                    // Macros belong to the crate, not to a module.
                    Target::Root(_) if path.is_macro || own == ROOT => {}
                    Target::Root(_) => drop(uses.modules.entry(ROOT.into()).or_insert(place)),
                    // In the root, modules are used by their bare names.
                    Target::Bare(used) if here.is_empty() && modules.contains(&used) => {
                        uses.modules.entry(used).or_insert(place);
                    }
                    Target::Bare(used) => drop(uses.libraries.entry(used).or_insert(place)),
                    Target::Own => {}
                }
            }
        }
        Graph(graph)
    }

    /// A dependency cycle; the first module is also the last.
    fn cycle(&self) -> Option<Vec<String>> {
        let mut done = BTreeSet::new();
        self.0.keys().find_map(|module| self.cycle_from(module, &mut Vec::new(), &mut done))
    }

    fn cycle_from(&self, module: &str, way: &mut Vec<String>, done: &mut BTreeSet<String>) -> Option<Vec<String>> {
        let seen = way.iter().position(|passed| passed == module);
        way.push(module.into());
        if let Some(start) = seen {
            return Some(way[start..].to_vec());
        }
        if !done.contains(module) {
            let found = self.0[module].modules.keys().find_map(|used| self.cycle_from(used, way, done));
            if found.is_some() {
                return found;
            }
            done.insert(module.into());
        }
        way.pop();
        None
    }
}

/// The start of a path.
enum Target {
    /// A name in the crate's root.
    Root(String),
    /// A library, or a name in scope.
    Bare(String),
    /// The same top-level module.
    Own,
}

impl Target {
    fn of(segments: &[String], here: &[String]) -> Target {
        let climbs = segments.iter().take_while(|segment| ["self", "super"].contains(&segment.as_str())).count();
        let levels = segments[..climbs].iter().filter(|segment| *segment == "super").count();
        match (segments[0].as_str(), segments.get(climbs)) {
            ("crate", _) => Target::Root(segments[1].clone()),
            (_, Some(name)) if climbs == 0 => Target::Bare(name.clone()),
            (_, Some(name)) if levels >= here.len() => Target::Root(name.clone()),
            _ => Target::Own,
        }
    }
}

/// `games/play.rs` is `games::play`, `games/mod.rs` is `games`, and `lib.rs` is the root.
fn module_of(file: &str) -> Vec<String> {
    let mut module: Vec<String> = file.trim_end_matches(".rs").split('/').map(String::from).collect();
    if module.last().is_some_and(|name| name == "mod") || module == [ROOT] {
        module.pop();
    }
    module
}

fn top_of(module: &[String]) -> String {
    module.first().map_or(ROOT, String::as_str).into()
}
