//! The credentials and the address of an HTTP request.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use actix_web::HttpRequest;
use actix_web::http::header::{self, HeaderMap, HeaderName};

use super::identify::{Credentials, identify, redeem};
use super::tickets::Lease;
use crate::error::{Error, Result};
use crate::model::Caller;
use crate::service::Maidan;

/// The caller of a request, by its headers.
pub async fn caller_of(maidan: &Maidan, req: &HttpRequest) -> Result<Caller> {
    identify(maidan, credentials(req)?, address_of(maidan, req)).await
}

/// The caller of a request that opens a stream: by its headers, or by a ticket if a browser cannot send headers.
pub async fn subscriber_of(
    maidan: &Maidan,
    req: &HttpRequest,
    ticket: Option<&str>,
    stream: &str,
) -> Result<(Caller, Option<Lease>)> {
    match ticket {
        None => Ok((caller_of(maidan, req).await?, None)),
        Some(ticket) => {
            let (caller, lease) = redeem(maidan, ticket, stream, address_of(maidan, req)).await?;
            Ok((caller, Some(lease)))
        }
    }
}

/// The client's address: the peer's, or the one that a trusted proxy reports.
pub fn address_of(maidan: &Maidan, req: &HttpRequest) -> IpAddr {
    let peer = req.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
    let forwarded = if maidan.trust_proxy { forwarded_for(req.headers()) } else { None };
    forwarded.unwrap_or(peer)
}

/// The credentials in a request's headers.
fn credentials(req: &HttpRequest) -> Result<Credentials<'_>> {
    let text = |name: &str| match req.headers().get(name) {
        None => Ok(None),
        Some(value) => value.to_str().map(Some).map_err(|_| Error::InvalidInput(format!("{name} cannot be read."))),
    };
    Ok(Credentials { authorization: text("Authorization")?, act_as: text("Maidan-Act-As")? })
}

/// The address that the reverse proxy reports. A proxy appends to the header: everything before the last address comes
/// from the client, which could otherwise evade rate limits by inventing addresses.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let last = |name: HeaderName| headers.get_all(name).last()?.to_str().ok()?.rsplit(',').next();
    let address = match last(header::X_FORWARDED_FOR) {
        Some(address) => address,
        None => last(header::FORWARDED)?.split(';').find_map(|pair| {
            let (name, value) = pair.split_once('=')?;
            name.trim().eq_ignore_ascii_case("for").then_some(value)
        })?,
    };
    let address = address.trim().trim_matches('"');
    let bare = address.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(address);
    bare.parse().ok().or_else(|| address.parse().ok().map(|address: SocketAddr| address.ip()))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn the_last_forwarded_address_is_the_proxys() {
        let reported = |lines: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in lines {
                headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
            }
            forwarded_for(&headers).map(|address| address.to_string())
        };
        let address = Some("192.0.2.7".to_string());
        assert_eq!(reported(&[("x-forwarded-for", "192.0.2.7")]), address);
        assert_eq!(reported(&[("x-forwarded-for", "10.1.1.1, 192.0.2.7")]), address);
        assert_eq!(reported(&[("x-forwarded-for", "10.1.1.1"), ("x-forwarded-for", "192.0.2.7")]), address);
        assert_eq!(reported(&[("x-forwarded-for", "192.0.2.7:4711")]), address);
        assert_eq!(reported(&[("forwarded", "for=10.1.1.1, for=192.0.2.7;proto=https")]), address);
        assert_eq!(reported(&[("forwarded", "for=10.1.1.1"), ("x-forwarded-for", "192.0.2.7")]), address);
        let address = Some("2001:db8::1".to_string());
        assert_eq!(reported(&[("forwarded", "proto=https; For=\"[2001:db8::1]:4711\"")]), address);
        assert_eq!(reported(&[("x-forwarded-for", "[2001:db8::1]")]), address);
        assert_eq!(reported(&[("x-forwarded-for", "unknown")]), None);
        assert_eq!(reported(&[]), None);
    }
}
