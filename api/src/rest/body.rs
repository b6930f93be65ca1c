//! Extractors: the JSON body, and the caller.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use serde::de::DeserializeOwned;

use super::reading;
use crate::auth;
use crate::body;
use crate::error::{Error, Result};
use crate::model::Caller;
use crate::service::Maidan;

/// A JSON body. An empty one counts as `{}`.
pub struct Body<T>(pub T);

type Reading<T> = Pin<Box<dyn Future<Output = Result<T>>>>;

impl<T: DeserializeOwned> FromRequest for Body<T> {
    type Error = Error;
    type Future = Reading<Body<T>>;

    fn from_request(req: &HttpRequest, payload: &mut Payload) -> Reading<Body<T>> {
        let is_json = body::is_json(req);
        let maidan = maidan(req);
        let payload = payload.take();
        Box::pin(async move {
            let body = body::read(payload, &maidan.limits).await?;
            if !body.is_empty() && !is_json {
                return Err(Error::UnsupportedMediaType("Send application/json in UTF-8."));
            }
            let text = if body.is_empty() { b"{}".as_slice() } else { &body };
            reading::body(text).map(Body)
        })
    }
}

impl FromRequest for Caller {
    type Error = Error;
    type Future = Reading<Caller>;

    fn from_request(req: &HttpRequest, _payload: &mut Payload) -> Reading<Caller> {
        let req = req.clone();
        Box::pin(async move { auth::caller_of(&maidan(&req), &req).await })
    }
}

fn maidan(req: &HttpRequest) -> Arc<Maidan> {
    let data = req.app_data::<Data<Arc<Maidan>>>().expect("every app is built with the service in it");
    Arc::clone(data)
}
