//! From a redirect to the next request.

use super::fail::{Fail, fail};
use super::prepare::{self, Prepared};
use super::transfer::Job;
use crate::http::payload::Payload;
use crate::url::{Bad, Url};

/// One request of a chain.
pub(super) struct Hop<'a> {
    pub url: Url,
    pub method: String,
    pub payload: Option<&'a Payload>,
    pub authorization: Option<Vec<u8>>,
    pub cookies: Vec<String>,
    /// The `Referer`, if one is to be sent.
    pub referer: Option<String>,
    /// Redirects before it.
    pub number: u64,
}

impl<'a> Hop<'a> {
    /// Returns the first one.
    pub(super) fn first(prepared: &'a Prepared) -> Self {
        Hop {
            url: prepared.url.clone(),
            method: prepared.method.clone(),
            payload: prepared.payload.as_ref(),
            authorization: prepared.authorization.clone(),
            cookies: prepared.cookies.clone(),
            referer: None,
            number: 0,
        }
    }
}

/// Returns the request that `Location` leads to.
pub(super) fn next<'a>(job: &Job<'a>, hop: Hop<'a>, status: u16, location: &str) -> Result<Hop<'a>, Fail> {
    let operation = job.operation;
    let most = operation.max_redirs.unwrap_or(50);
    if hop.number >= most {
        return Err(fail(47, format!("Maximum ({most}) redirects followed")));
    }
    let url = hop.url.join(location, operation.as_is).map_err(|bad| match bad {
        Bad::Scheme(scheme) => fail(1, format!("Protocol \"{scheme}\" not supported or disabled in libcurl")),
        other => other.into(),
    })?;
    prepare::protocol(&url.scheme, operation.redirect_protocols.as_deref())?;
    let posts = hop.payload.is_some() && job.prepared.posts;
    let becomes_get = match status {
        301 => posts && !operation.keep_post[0],
        302 => posts && !operation.keep_post[1],
        303 => hop.payload.is_some() && !operation.keep_post[2],
        _ => false,
    };
    let payload = hop.payload.filter(|_| !becomes_get);
    if payload.is_some_and(|payload| !payload.is_repeatable()) {
        return Err(fail(65, "necessary data rewind wasn't possible"));
    }
    // A method set by -X stays.
    let method = if becomes_get && !job.prepared.custom_method { "GET".to_owned() } else { hop.method };
    let trusted = operation.trusted || url.same_place(&hop.url);
    let referer = operation.referer.as_ref().filter(|referer| referer.ends_with(";auto")).map(|_| {
        let mut from = hop.url.clone();
        (from.login, from.fragment) = (None, None);
        from.text()
    });
    Ok(Hop {
        method,
        payload,
        authorization: hop.authorization.filter(|_| trusted),
        cookies: if trusted { hop.cookies } else { Vec::new() },
        referer,
        number: hop.number + 1,
        url,
    })
}
