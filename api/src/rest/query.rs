//! Reading query strings.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterIn};

use super::reading;
use crate::error::{Error, Result};
use crate::wire::GamesFilter;

/// The parameters of a query string. A name that `T` does not have is refused.
pub struct Parameters<T>(pub T);

impl<T: DeserializeOwned> FromRequest for Parameters<T> {
    type Error = Error;
    type Future = Ready<Result<Parameters<T>>>;

    fn from_request(req: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        ready(pairs(req.query_string()).and_then(|pairs| reading::parameters(&pairs)).map(Parameters))
    }
}

/// A page of a list.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PageParameters {
    /// Page size, 1 to 100. Default: 20.
    #[param(minimum = 1, maximum = 100)]
    pub first: Option<i32>,
    /// The endCursor of the previous page.
    pub after: Option<String>,
}

/// The filter and the page of a list of games.
pub struct GamesParameters {
    pub filter: GamesFilter,
    pub page: PageParameters,
}

impl FromRequest for GamesParameters {
    type Error = Error;
    type Future = Ready<Result<GamesParameters>>;

    fn from_request(req: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        ready(GamesParameters::read(req.query_string()))
    }
}

impl IntoParams for GamesParameters {
    fn into_params(parameter_in: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        [GamesFilter::into_params(&parameter_in), PageParameters::into_params(&parameter_in)].concat()
    }
}

impl GamesParameters {
    /// The parameters are divided between the two by name. The filter refuses unknown names.
    fn read(query: &str) -> Result<GamesParameters> {
        let (page, filter): (Vec<_>, Vec<_>) =
            pairs(query)?.into_iter().partition(|(name, _)| ["first", "after"].contains(&name.as_str()));
        Ok(GamesParameters { filter: reading::parameters(&filter)?, page: reading::parameters(&page)? })
    }
}

fn pairs(query: &str) -> Result<Vec<(String, String)>> {
    serde_urlencoded::from_str(query).map_err(|_| Error::InvalidInput("The query string cannot be read.".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameters_of_a_list_are_divided_between_filter_and_page() {
        let parameters = GamesParameters::read("kind=MARA&first=5&after=a%26b&practice=true").unwrap();
        let which = parameters.filter.read().unwrap();
        assert_eq!((which.kind, which.is_practice), (Some(domain::Kind::Mara), Some(true)));
        assert_eq!((parameters.page.first, parameters.page.after.as_deref()), (Some(5), Some("a&b")));
    }

    #[test]
    fn unknown_and_repeated_parameters_are_refused() {
        for query in ["colour=red", "kind=MARA&kind=KALAH", "first=1&first=2", "first=many", "status=ASLEEP"] {
            assert!(matches!(GamesParameters::read(query), Err(Error::Unreadable(_))), "{query}");
        }
    }
}
