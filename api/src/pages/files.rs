//! The files of the browser pages, `api/web/`. They are part of the program; a debug build reads them from disk, so that
//! an edited page needs no build, only a reload.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, LazyLock};

use actix_web::http::header::EntityTag;
use actix_web::web::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

/// The names of all files and, in a release build, their contents.
macro_rules! files {
    ($($name:literal)*) => {
        #[cfg(any(test, not(debug_assertions)))]
        const NAMES: &[&str] = &[$($name),*];
        #[cfg(not(debug_assertions))]
        const CONTENTS: &[&[u8]] = &[$(include_bytes!(concat!("../../web/", $name))),*];
    };
}

// A test compares the list with the directory.
files! {
    "app.css"
    "app.js"
    "app.webmanifest"
    "docs/docs.css"
    "docs/index.html"
    "embed.js"
    "explorer/editor.js"
    "explorer/examples.js"
    "explorer/explorer.css"
    "explorer/explorer.js"
    "explorer/index.html"
    "explorer/memory.js"
    "explorer/page.js"
    "explorer/request.js"
    "explorer/schema.js"
    "explorer/types.js"
    "guide/guide.css"
    "icon.svg"
    "icons/192.png"
    "icons/512.png"
    "icons/apple.png"
    "icons/maskable.png"
    "index.html"
    "lib/api.js"
    "lib/live.js"
    "lib/proof.js"
    "lib/qr.js"
    "lib/session.js"
    "lib/sha256.js"
    "lobby/bell.js"
    "lobby/lobby.js"
    "lobby/setup.js"
    "previews/kalah.png"
    "previews/macarena.png"
    "previews/mahabharata.png"
    "previews/mahola.png"
    "previews/mara.png"
    "start/index.html"
    "start/steps.js"
    "table/animate.js"
    "table/banner.js"
    "table/compose.js"
    "table/curtain.js"
    "table/dom.js"
    "table/log.js"
    "table/menu.js"
    "table/moves.js"
    "table/picture.js"
    "table/proof.js"
    "table/replay.js"
    "table/result.js"
    "table/room.js"
    "table/rules.js"
    "table/sitting.js"
    "table/table.css"
    "table/table.js"
    "table/tabs.js"
    "table/words.js"
}

/// A file as it is sent.
pub struct File {
    pub name: String,
    pub content_type: &'static str,
    pub tag: EntityTag,
    pub bytes: Bytes,
    /// `None` if compressing saves nothing.
    pub gzip: Option<Bytes>,
}

impl File {
    /// `None` for a file that is not for browsers, such as the types of the scripts.
    pub fn new(name: &str, bytes: Bytes) -> Option<File> {
        let content_type = content_type(name)?;
        let hash = Sha256::digest(&bytes)[..8].iter().fold(String::new(), |hash, byte| format!("{hash}{byte:02x}"));
        // Weak, because it names the file in both encodings.
        let tag = EntityTag::new_weak(hash);
        let gzip = if content_type == PNG { None } else { compress(&bytes) };
        Some(File { name: name.to_string(), content_type, tag, bytes, gzip })
    }

    /// The file with other contents.
    pub fn with(&self, bytes: Bytes) -> Option<File> {
        File::new(&self.name, bytes)
    }

    /// The path at which it is served.
    pub fn path(&self) -> String {
        format!("/{}", self.name.strip_suffix("index.html").unwrap_or(&self.name))
    }
}

const PNG: &str = "image/png";

fn content_type(name: &str) -> Option<&'static str> {
    if name.ends_with(".d.ts") {
        return None;
    }
    Some(match name.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => PNG,
        "webmanifest" => "application/manifest+json",
        _ => return None,
    })
}

pub fn compress(bytes: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok().filter(|small| small.len() < bytes.len()).map(Bytes::from)
}

/// All files by their names, read and compressed once.
static FILES: LazyLock<BTreeMap<String, Arc<File>>> = LazyLock::new(|| {
    let files = contents().into_iter().filter_map(|(name, bytes)| File::new(&name, bytes));
    files.map(|file| (file.name.clone(), Arc::new(file))).collect()
});

pub fn all() -> impl Iterator<Item = &'static Arc<File>> {
    FILES.values()
}

/// A file as it is now.
pub fn current(file: &Arc<File>) -> Arc<File> {
    match live(file) {
        Some(edited) => Arc::new(edited),
        None => Arc::clone(file),
    }
}

#[cfg(not(debug_assertions))]
fn contents() -> Vec<(String, Bytes)> {
    let names = NAMES.iter().map(|name| (*name).to_string());
    names.zip(CONTENTS.iter().copied().map(Bytes::from_static)).collect()
}

#[cfg(debug_assertions)]
fn contents() -> Vec<(String, Bytes)> {
    on_disk::names().into_iter().filter_map(|name| on_disk::read(&name).map(|bytes| (name, bytes))).collect()
}

/// The file if it was edited since the start.
#[cfg(not(debug_assertions))]
fn live(_: &File) -> Option<File> {
    None
}

#[cfg(debug_assertions)]
fn live(file: &File) -> Option<File> {
    let bytes = on_disk::read(&file.name).filter(|bytes| *bytes != file.bytes)?;
    File::new(&file.name, bytes)
}

#[cfg(debug_assertions)]
mod on_disk {
    use std::path::{Path, PathBuf};

    use actix_web::web::Bytes;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("web")
    }

    pub fn read(name: &str) -> Option<Bytes> {
        std::fs::read(root().join(name)).ok().map(Bytes::from)
    }

    /// The names of all files, relative and with `/`.
    pub fn names() -> Vec<String> {
        let (mut names, mut directories) = (Vec::new(), vec![String::new()]);
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(root().join(&directory)).into_iter().flatten().flatten() {
                let name = format!("{directory}{}", entry.file_name().to_string_lossy());
                match entry.path().is_dir() {
                    true => directories.push(format!("{name}/")),
                    false => names.push(name),
                }
            }
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_part_of_the_program() {
        let on_disk: Vec<&str> = all().map(|file| file.name.as_str()).collect();
        assert_eq!(NAMES, on_disk, "the list of files differs from api/web");
    }

    #[test]
    fn an_index_is_served_at_its_directory() {
        let path = |name: &str| File::new(name, Bytes::new()).map(|file| file.path());
        assert_eq!(path("index.html").as_deref(), Some("/"));
        assert_eq!(path("docs/index.html").as_deref(), Some("/docs/"));
        assert_eq!(path("lib/api.js").as_deref(), Some("/lib/api.js"));
        assert_eq!(path("lib/openapi.d.ts"), None);
    }
}
