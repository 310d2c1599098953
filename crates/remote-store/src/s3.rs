//! A client of object storage: GET, PUT, DELETE and listing of S3, which most vendors and MinIO speak.
//!
//! **Idea.** A name is an object of a bucket, below a prefix. Connections stay open between requests (`ureq`). A server that is busy (429, 500, 503)
//! is asked again after a while that doubles, within the time of the request.
//!
//! **Example.** `PUT /results/footpath/abc.cover` at `AWS_ENDPOINT_URL`; at Amazon's own servers the bucket is part of the host.
//!
//! **Deviation.** `object_store` and OpenDAL do the same for all vendors, with an asynchronous runtime and about a hundred crates.
//!
//! **Direction of error.** That there is no object is only what the server says as such (404 for an object); all else is a failure.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use ureq::http::{Request as HttpRequest, StatusCode};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, SendBody};

use crate::aws_signature::{Credentials, Request, encoded, headers};
use crate::utc_time;
use crate::{CONNECT, Entry, Failure, MOST, REQUEST};

/// How long a busy server is left alone first.
const PAUSE: Duration = Duration::from_millis(100);
/// How many connections are kept.
const IDLE: usize = 16;

/// A part of a bucket.
pub struct S3 {
    agent: Agent,
    /// `http://host:port`.
    origin: String,
    host: String,
    /// The path of the bucket, encoded, which ends in a slash.
    path: String,
    /// How the names of all objects begin.
    prefix: String,
    credentials: Credentials,
}

impl S3 {
    /// The part of a bucket that the rest of a URL names, at the server and with the credentials that the environment has.
    pub fn at(rest: &str, environment: &dyn Fn(&str) -> Option<String>) -> Result<S3, String> {
        let set = |name: &str| environment(name).filter(|value| !value.is_empty());
        let needed = |name: &str| set(name).ok_or_else(|| format!("the variable {name} is not set"));
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let is_name = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
        if bucket.is_empty() || !bucket.chars().all(is_name) {
            return Err(format!("`{bucket}` is no name of a bucket"));
        }
        let prefix = match prefix.trim_matches('/') {
            "" => String::new(),
            prefix => format!("{prefix}/"),
        };
        let region = set("AWS_REGION").or_else(|| set("AWS_DEFAULT_REGION"));
        let credentials = Credentials {
            id: needed("AWS_ACCESS_KEY_ID")?,
            secret: needed("AWS_SECRET_ACCESS_KEY")?,
            token: set("AWS_SESSION_TOKEN"),
            region: region.unwrap_or_else(|| "us-east-1".to_owned()),
        };
        let (endpoint, path) = match set("AWS_ENDPOINT_URL_S3").or_else(|| set("AWS_ENDPOINT_URL")) {
            Some(endpoint) => (endpoint, format!("/{bucket}/")),
            None => (format!("https://{bucket}.s3.{}.amazonaws.com", credentials.region), "/".to_owned()),
        };
        let no_url = || format!("AWS_ENDPOINT_URL is `{endpoint}`, which is not like `https://host:port`");
        let (scheme, authority) = endpoint.trim_end_matches('/').split_once("://").ok_or_else(no_url)?;
        let is_plain = !authority.is_empty() && !authority.contains(['/', '@', '?', '#', ' ']);
        if !is_plain || !["http", "https"].contains(&scheme) {
            return Err(no_url());
        }
        let usual = if scheme == "http" { ":80" } else { ":443" };
        let host = authority.strip_suffix(usual).unwrap_or(authority).to_owned();
        Ok(S3 {
            agent: agent(scheme == "https"),
            origin: format!("{scheme}://{host}"),
            host,
            path,
            prefix,
            credentials,
        })
    }

    pub fn check(&self) -> Result<(), Failure> {
        self.page(None, 1).map(drop)
    }

    pub fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        let (status, body) = self.ask("GET", &self.object(name), "", b"")?;
        match status.as_u16() {
            200 => Ok(Some(body)),
            404 if !says(&body).contains("NoSuchBucket") => Ok(None),
            _ => Err(failure(status, &body)),
        }
    }

    pub fn put(&self, name: &str, text: &[u8]) -> Result<(), Failure> {
        let (status, body) = self.ask("PUT", &self.object(name), "", text)?;
        if status.is_success() { Ok(()) } else { Err(failure(status, &body)) }
    }

    pub fn delete(&self, name: &str) -> Result<(), Failure> {
        let (status, body) = self.ask("DELETE", &self.object(name), "", b"")?;
        if status.is_success() || status == StatusCode::NOT_FOUND {
            Ok(())
        } else {
            Err(failure(status, &body))
        }
    }

    pub fn list(&self, limit: Duration) -> Result<Vec<Entry>, Failure> {
        let until = Instant::now() + limit;
        let (mut all, mut next) = (Vec::new(), None);
        loop {
            let (entries, more) = self.page(next.as_deref(), 1000)?;
            all.extend(entries);
            if more.is_none() {
                return Ok(all);
            }
            if Instant::now() > until || more == next {
                return Err(Failure::Silent(format!(
                    "it did not list its objects within {} s",
                    limit.as_secs()
                )));
            }
            next = more;
        }
    }

    /// A page of the list of objects, and with which word the next one is asked for.
    fn page(&self, from: Option<&str>, most: u32) -> Result<(Vec<Entry>, Option<String>), Failure> {
        let from = from.map(|word| format!("continuation-token={}&", encoded(word))).unwrap_or_default();
        let query = format!("{from}list-type=2&max-keys={most}&prefix={}", encoded(&self.prefix));
        let (status, body) = self.ask("GET", &self.path, &query, b"")?;
        if !status.is_success() {
            return Err(failure(status, &body));
        }
        let text = String::from_utf8_lossy(&body);
        listed(&text, &self.prefix)
            .ok_or_else(|| Failure::Silent("what answers is no object storage".to_owned()))
    }

    fn object(&self, name: &str) -> String {
        let parts: Vec<String> =
            self.prefix.split('/').chain([name]).filter(|p| !p.is_empty()).map(encoded).collect();
        format!("{}{}", self.path, parts.join("/"))
    }

    /// Sends a request until the server is not busy.
    fn ask(
        &self,
        method: &str,
        path: &str,
        query: &str,
        body: &[u8],
    ) -> Result<(StatusCode, Vec<u8>), Failure> {
        let until = Instant::now() + REQUEST;
        let mut pause = PAUSE;
        loop {
            let answer = self.ask_once((method, path, query), body, until);
            let is_busy = match &answer {
                Ok((status, _)) => [429, 500, 503].contains(&status.as_u16()),
                // A connection that was kept may have been closed by the server.
                Err(ureq::Error::Io(_) | ureq::Error::ConnectionFailed) => pause == PAUSE,
                Err(_) => false,
            };
            if !is_busy || Instant::now() + pause >= until {
                return answer.map_err(|why| silent(&why));
            }
            std::thread::sleep(pause);
            pause *= 2;
        }
    }

    fn ask_once(
        &self,
        (method, path, query): (&str, &str, &str),
        body: &[u8],
        until: Instant,
    ) -> Result<(StatusCode, Vec<u8>), ureq::Error> {
        let request = Request { method, host: &self.host, path, query, body, headers: &[] };
        let mark = if query.is_empty() { "" } else { "?" };
        let mut asked =
            HttpRequest::builder().method(method).uri(format!("{}{path}{mark}{query}", self.origin));
        for (name, value) in headers(&request, &self.credentials, &utc_time::basic(SystemTime::now())) {
            asked = asked.header(name, value);
        }
        let left = until.saturating_duration_since(Instant::now());
        let body = if method == "PUT" {
            SendBody::from_owned_reader(std::io::Cursor::new(body.to_vec()))
        } else {
            SendBody::none()
        };
        let asked = self.agent.configure_request(asked.body(body)?).timeout_global(Some(left)).build();
        let mut answer = self.agent.run(asked)?;
        let body = answer.body_mut().with_config().limit(MOST).read_to_vec()?;
        Ok((answer.status(), body))
    }
}

fn agent(is_https: bool) -> Agent {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    // Those of the system, where a company adds its own; `SSL_CERT_FILE` names others.
    let trusted = if is_https { rustls_native_certs::load_native_certs().certs } else { Vec::new() };
    let trusted: Vec<Certificate<'static>> =
        trusted.iter().map(|one| Certificate::from_der(one).to_owned()).collect();
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::new_with_certs(&trusted))
        .unversioned_rustls_crypto_provider(provider)
        .build();
    let config = Agent::config_builder()
        .tls_config(tls)
        .http_status_as_error(false)
        // A signature is good for one host.
        .max_redirects(0)
        .timeout_connect(Some(CONNECT))
        .max_idle_connections(IDLE)
        .max_idle_connections_per_host(IDLE);
    config.build().into()
}

/// The objects that a page lists, and the word for the next page.
fn listed(text: &str, prefix: &str) -> Option<(Vec<Entry>, Option<String>)> {
    let document = roxmltree::Document::parse(text).ok()?;
    let root = document.root_element();
    if root.tag_name().name() != "ListBucketResult" {
        return None;
    }
    let child = |node: roxmltree::Node<'_, '_>, name: &str| {
        node.children().find(|n| n.tag_name().name() == name).and_then(|n| n.text().map(str::to_owned))
    };
    let objects = root.children().filter(|node| node.tag_name().name() == "Contents");
    let entries = objects.filter_map(|node| {
        Some(Entry {
            name: child(node, "Key")?.strip_prefix(prefix)?.to_owned(),
            bytes: child(node, "Size")?.parse().ok()?,
            used: utc_time::parsed(&child(node, "LastModified")?).unwrap_or_else(SystemTime::now),
        })
    });
    let is_more = child(root, "IsTruncated").is_some_and(|word| word == "true");
    Some((entries.collect(), child(root, "NextContinuationToken").filter(|_| is_more)))
}

/// What an answer says is wrong.
fn says(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let document = roxmltree::Document::parse(&text).ok();
    let child = |name: &str| {
        document.as_ref()?.descendants().find(|n| n.tag_name().name() == name)?.text().map(str::to_owned)
    };
    [child("Code"), child("Message")].into_iter().flatten().collect::<Vec<String>>().join(": ")
}

fn failure(status: StatusCode, body: &[u8]) -> Failure {
    let why = format!("status {} {}", status.as_u16(), says(body)).trim_end().to_owned();
    if status.is_client_error() && status.as_u16() != 429 {
        Failure::Refused(why)
    } else {
        Failure::Silent(why)
    }
}

fn silent(why: &ureq::Error) -> Failure {
    Failure::Silent(match why {
        ureq::Error::Timeout(_) => format!("its time of {} s is over", REQUEST.as_secs()),
        _ => why.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(rest: &str, endpoint: Option<&str>) -> Result<S3, String> {
        let value = |name: &str| match name {
            "AWS_ENDPOINT_URL" => endpoint.map(str::to_owned),
            "AWS_REGION" => Some("eu-central-1".to_owned()),
            "AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY" => Some("key".to_owned()),
            _ => None,
        };
        S3::at(rest, &value)
    }

    #[test]
    fn a_bucket_is_in_the_path_or_in_the_host() {
        let own = at("bucket/a b/c/", Some("http://localhost:9000/")).unwrap();
        assert_eq!((&*own.origin, &*own.host), ("http://localhost:9000", "localhost:9000"));
        assert_eq!(own.object("x.cover"), "/bucket/a%20b/c/x.cover");
        let amazon = at("bucket", None).unwrap();
        assert_eq!(amazon.origin, "https://bucket.s3.eu-central-1.amazonaws.com");
        assert_eq!(amazon.object("x.cover"), "/x.cover");
        assert_eq!(at("bucket", Some("https://host:443")).unwrap().host, "host");
    }

    #[test]
    fn what_is_missing_is_named() {
        let why = |found: Result<S3, String>| found.map(|s3| s3.host).unwrap_err();
        assert!(why(at("", None)).contains("no name of a bucket"));
        assert!(why(at("bucket", Some("localhost"))).contains("AWS_ENDPOINT_URL is `localhost`"));
        assert_eq!(why(S3::at("bucket", &|_| None)), "the variable AWS_ACCESS_KEY_ID is not set");
    }

    #[test]
    fn a_list_is_read() {
        let text = "<?xml version='1.0'?><ListBucketResult xmlns='http://s3.amazonaws.com/doc/2006-03-01/'>\
            <IsTruncated>true</IsTruncated><NextContinuationToken>on</NextContinuationToken>\
            <Contents><Key>p/a.cover</Key><LastModified>1970-01-01T00:00:09.000Z</LastModified><Size>3</Size></Contents>\
            </ListBucketResult>";
        let used = SystemTime::UNIX_EPOCH + Duration::from_secs(9);
        let entry = Entry { name: "a.cover".to_owned(), bytes: 3, used };
        assert_eq!(listed(text, "p/"), Some((vec![entry], Some("on".to_owned()))));
        assert_eq!(listed("<html/>", ""), None);
    }
}
