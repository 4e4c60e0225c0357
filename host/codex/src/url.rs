//! Where a redirect leads.

/// Returns the URL that a location means which came from the URL `base`. `None` if it is no place that could be asked for.
pub(crate) fn join(base: &str, location: &str) -> Option<String> {
    let location = location.split('#').next().unwrap_or_default();
    let (scheme, rest) = base.split_once("://")?;
    if location.contains("://") && location.split("://").next().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_alphanumeric())) {
        return Some(location.to_owned());
    }
    if let Some(place) = location.strip_prefix("//") {
        return Some(format!("{scheme}://{place}"));
    }
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = match location.chars().next() {
        None => path.to_owned(),
        Some('/') => plain(location),
        Some('?') => format!("{path}{location}"),
        Some(_) => plain(&format!("{}/{location}", path.rsplit_once('/').map_or("", |(directory, _)| directory))),
    };
    Some(format!("{scheme}://{authority}{path}"))
}

/// Returns a path with its query, without `.` and `..`.
fn plain(path: &str) -> String {
    let (path, query) = path.find('?').map_or((path, ""), |at| path.split_at(at));
    let mut names: Vec<&str> = Vec::new();
    let mut parts = path.split('/').skip(1).peekable();
    while let Some(name) = parts.next() {
        let last = parts.peek().is_none();
        match name {
            "." => {}
            ".." => drop(names.pop()),
            name => {
                names.push(name);
                continue;
            }
        }
        // `a/..` is the directory itself.
        if last {
            names.push("");
        }
    }
    format!("/{}{query}", names.join("/"))
}

/// Returns whether two URLs are for the same server, which may then see the same credentials.
pub(crate) fn same_server(one: &str, other: &str) -> bool {
    let server = |url: &str| {
        let (scheme, rest) = url.split_once("://")?;
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        Some((scheme.to_ascii_lowercase(), authority.to_ascii_lowercase()))
    };
    server(one).is_some() && server(one) == server(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_is_a_url_or_a_part_of_one() {
        for (location, expected) in [
            ("https://b.example/x#y", "https://b.example/x"),
            ("//b.example/x", "http://b.example/x"),
            ("/x?y=/../z", "http://a.example:8/x?y=/../z"),
            ("x", "http://a.example:8/one/x"),
            ("../x", "http://a.example:8/x"),
            ("../../../x", "http://a.example:8/x"),
            ("./", "http://a.example:8/one/"),
            ("..", "http://a.example:8/"),
            ("?y", "http://a.example:8/one/two?y"),
            ("", "http://a.example:8/one/two"),
            ("x?to=http://c.example/", "http://a.example:8/one/x?to=http://c.example/"),
        ] {
            assert_eq!(join("http://a.example:8/one/two?q#f", location).as_deref(), Some(expected), "{location}");
        }
        assert_eq!(join("http://a.example", "x").as_deref(), Some("http://a.example/x"));
        assert_eq!(join("nothing", "x"), None);
    }

    #[test]
    fn servers_differ_by_scheme_host_and_port() {
        assert!(same_server("http://A.example/x", "HTTP://a.example?y"));
        for other in ["https://a.example/", "http://b.example/", "http://a.example:81/", "nothing"] {
            assert!(!same_server("http://a.example/", other), "{other}");
        }
        assert!(!same_server("nothing", "nothing"));
    }
}
