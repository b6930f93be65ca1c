//! The files of Swagger UI, which `docs/index.html` loads. The library would compress them for each request, 1.5 MB, and
//! let no browser keep them.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use actix_web::web::Path;
use actix_web::{HttpRequest, HttpResponse};
use utoipa_swagger_ui::Config;

use crate::error::{Error, Result};
use crate::public::Document;

pub const FILES: &str = "/docs/{file:swagger-.*|index\\.css|favicon-.*}";

const NAMES: [&str; 7] = [
    "favicon-16x16.png",
    "favicon-32x32.png",
    "index.css",
    "swagger-initializer.js",
    "swagger-ui-bundle.js",
    "swagger-ui-standalone-preset.js",
    "swagger-ui.css",
];

/// Compressed when the first of them is asked for.
static DOCUMENTS: LazyLock<BTreeMap<&str, Document>> = LazyLock::new(|| {
    let config = Arc::new(Config::new(["/openapi.json"]));
    let files = NAMES.into_iter().filter_map(|name| {
        let file = utoipa_swagger_ui::serve(name, Arc::clone(&config)).ok()??;
        Some((name, Document::new(file.content_type, file.bytes.into_owned())))
    });
    files.collect()
});

pub async fn file(req: HttpRequest, name: Path<String>) -> Result<HttpResponse> {
    let document = DOCUMENTS.get(name.as_str()).ok_or(Error::NotFound("There is no resource at this address."))?;
    Ok(document.answer(&req))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_are_there() {
        assert_eq!(DOCUMENTS.keys().copied().collect::<Vec<_>>(), NAMES);
    }
}
