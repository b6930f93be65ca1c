//! Documents that are the same for everyone: serialised and compressed once, and kept by clients and proxies.

use std::borrow::Cow;

use actix_web::http::header::{
    AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, ETag, Encoding, EntityTag, Header, IfNoneMatch, VARY,
};
use actix_web::web::Bytes;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use sha2::{Digest, Sha256};

use crate::pages::compress;

/// They change only with a new build.
const CACHE: &str = "public, max-age=300";

pub struct Document {
    content_type: Cow<'static, str>,
    tag: EntityTag,
    bytes: Bytes,
    gzip: Option<Bytes>,
}

impl Document {
    pub fn new(content_type: impl Into<Cow<'static, str>>, content: impl Into<Bytes>) -> Document {
        let (content_type, bytes) = (content_type.into(), content.into());
        let hash = Sha256::digest(&bytes)[..8].iter().fold(String::new(), |hash, byte| format!("{hash}{byte:02x}"));
        let gzip = compress(&bytes);
        // Weak, because it names the document in both encodings.
        Document { content_type, tag: EntityTag::new_weak(hash), bytes, gzip }
    }

    pub fn json(value: &impl serde::Serialize) -> Document {
        Document::new("application/json", serde_json::to_string(value).unwrap_or_default())
    }

    /// The document, or 304 if the client has it.
    pub fn answer(&self, req: &HttpRequest) -> HttpResponse {
        let is_known = match IfNoneMatch::parse(req) {
            Ok(IfNoneMatch::Any) => true,
            Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|tag| tag.weak_eq(&self.tag)),
            Err(_) => false,
        };
        let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        response.insert_header(ETag(self.tag.clone())).insert_header((CACHE_CONTROL, CACHE));
        response.insert_header((VARY, "Accept-Encoding"));
        if is_known {
            return response.finish();
        }
        response.content_type(&*self.content_type);
        let offered = [Encoding::gzip(), Encoding::identity()];
        let takes_gzip = req
            .get_header::<AcceptEncoding>()
            .is_some_and(|accepted| accepted.negotiate(offered.iter()) == Some(Encoding::gzip()));
        match &self.gzip {
            Some(gzip) if takes_gzip => response.insert_header((CONTENT_ENCODING, "gzip")).body(gzip.clone()),
            _ => response.body(self.bytes.clone()),
        }
    }
}
