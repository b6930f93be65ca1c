//! The credentials and the address of an HTTP request.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use actix_web::HttpRequest;
use actix_web::http::header::{self, HeaderMap};

use super::identify::{Credentials, identify, redeem};
use super::tickets::Lease;
use crate::config::{ForwardingHeader, TrustedProxies};
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
    maidan.trust_proxy.and_then(|proxies| forwarded_for(req.headers(), proxies)).unwrap_or(peer)
}

/// The credentials in a request's headers.
fn credentials(req: &HttpRequest) -> Result<Credentials<'_>> {
    let text = |name: &str| match req.headers().get(name) {
        None => Ok(None),
        Some(value) => value.to_str().map(Some).map_err(|_| Error::InvalidInput(format!("{name} cannot be read."))),
    };
    Ok(Credentials { authorization: text("Authorization")?, act_as: text("Maidan-Act-As")? })
}

/// The address that the outermost trusted proxy reports. Each proxy appends an address to the header: everything before
/// those comes from the client, which could otherwise evade rate limits by inventing addresses.
fn forwarded_for(headers: &HeaderMap, TrustedProxies { header, count }: TrustedProxies) -> Option<IpAddr> {
    let name = match header {
        ForwardingHeader::XForwardedFor => header::X_FORWARDED_FOR,
        ForwardingHeader::Forwarded => header::FORWARDED,
    };
    let lines: Vec<&str> = headers.get_all(name).filter_map(|line| line.to_str().ok()).collect();
    let reported = lines.iter().flat_map(|line| line.split(',')).rev().nth(count.get() - 1)?;
    let address = match header {
        ForwardingHeader::XForwardedFor => reported,
        ForwardingHeader::Forwarded => reported.split(';').find_map(|pair| {
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
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn only_the_named_header_is_believed_and_only_as_far_as_the_proxies_wrote_it() {
        let reported = |proxies: &str, lines: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in lines {
                headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
            }
            let proxies = proxies.parse().expect("a header and a number");
            forwarded_for(&headers, proxies).map(|address| address.to_string())
        };
        let (x, forwarded) = ("X-Forwarded-For", "forwarded:1");
        let address = Some("192.0.2.7".to_string());
        assert_eq!(reported(x, &[("x-forwarded-for", "192.0.2.7")]), address);
        assert_eq!(reported(x, &[("x-forwarded-for", "10.1.1.1, 192.0.2.7")]), address);
        assert_eq!(reported(x, &[("x-forwarded-for", "10.1.1.1"), ("x-forwarded-for", "192.0.2.7")]), address);
        assert_eq!(reported(x, &[("x-forwarded-for", "192.0.2.7:4711")]), address);
        assert_eq!(reported(x, &[("forwarded", "for=10.1.1.1"), ("x-forwarded-for", "192.0.2.7")]), address);
        assert_eq!(reported(forwarded, &[("forwarded", "for=10.1.1.1, for=192.0.2.7;proto=https")]), address);
        assert_eq!(reported(forwarded, &[("x-forwarded-for", "10.1.1.1"), ("forwarded", "for=192.0.2.7")]), address);
        let two = "X-Forwarded-For:2";
        assert_eq!(reported(two, &[("x-forwarded-for", "10.1.1.1, 192.0.2.7, 10.2.2.2")]), address);
        assert_eq!(reported(two, &[("x-forwarded-for", "192.0.2.7"), ("x-forwarded-for", "10.2.2.2")]), address);
        assert_eq!(reported(two, &[("x-forwarded-for", "10.2.2.2")]), None, "one of the proxies is missing");
        let address = Some("2001:db8::1".to_string());
        assert_eq!(reported(forwarded, &[("forwarded", "proto=https; For=\"[2001:db8::1]:4711\"")]), address);
        assert_eq!(reported(x, &[("x-forwarded-for", "[2001:db8::1]")]), address);
        assert_eq!(reported(x, &[("x-forwarded-for", "unknown")]), None);
        assert_eq!(reported(x, &[("forwarded", "for=192.0.2.7")]), None);
        for wrong in ["true", "X-Real-IP", "Forwarded:0", "Forwarded:x"] {
            assert!(wrong.parse::<TrustedProxies>().is_err(), "{wrong}");
        }
    }
}
