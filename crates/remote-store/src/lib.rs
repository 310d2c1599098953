//! A key-value store on a server: texts under names, in Redis or in object storage that speaks S3.
//!
//! **Idea.** What many machines share need not be more than four operations: get, put, list, delete. A text never changes its meaning under its name,
//! so there is nothing to lock, and of two writers the last one wins. Where the server is, a URL says:
//!
//! | URL | server | file |
//! |---|---|---|
//! | `redis://[[user]:password@]host[:port][/database]` | Redis, or what speaks its protocol | `redis.rs` |
//! | `s3://bucket[/prefix]` | object storage, with the usual variables `AWS_*` | `s3.rs`, `aws_signature.rs` |
//!
//! **Example.** `s3://results/footpath` with `AWS_ENDPOINT_URL=http://minio:9000` keeps `abc.cover` as the object `footpath/abc.cover`
//! of the bucket `results`.
//!
//! The server is not trusted: a request has one deadline for all of it, not one for each byte, an answer is read up to [`MOST`] bytes, and what
//! is found is only a text that whoever asked has to check.
//!
//! **Direction of error.** Towards "not there": whoever does not get a text can do without. A [`Failure`] says whether the server was silent,
//! or said no.

mod aws_signature;
mod redis;
mod s3;
mod utc_time;

use std::fmt;
use std::time::{Duration, SystemTime};

/// The bytes of the longest text that is written or read.
pub const MOST: u64 = 64 << 20;

/// Why Redis is not spoken to in secret.
const NO_TLS: &str = "Redis over TLS (`rediss://`) is not supported: let a tunnel such as stunnel listen on this machine and name that with \
                      `redis://`, or take object storage, which is spoken to over `https`";

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(3);
/// How long a request may take, from looking up the host to the last byte of the answer.
const REQUEST: Duration = Duration::from_secs(10);

/// A store on a server. Several threads may use it at once.
pub struct Remote {
    /// Without the password.
    url: String,
    server: Server,
}

enum Server {
    Redis(redis::Redis),
    S3(Box<s3::S3>),
}

/// A text of a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// What it takes on the server, in bytes.
    pub bytes: u64,
    /// When it was last read or written, in Redis, or last written, in object storage.
    pub used: SystemTime,
}

/// Why a request was of no use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// Nobody answered in time, or not as such a server does.
    Silent(String),
    /// The server said no.
    Refused(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Silent(why) => write!(f, "it does not answer: {why}"),
            Failure::Refused(why) => write!(f, "it refuses: {why}"),
        }
    }
}

impl fmt::Display for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Remote({})", self.url)
    }
}

impl Remote {
    /// The store at a URL. Nobody is asked yet.
    ///
    /// # Errors
    /// If it is no such URL, or what it needs besides is not in the environment.
    pub fn at(url: &str) -> Result<Remote, String> {
        let server = match url.split_once("://") {
            Some(("redis", rest)) => Server::Redis(redis::Redis::at(rest)?),
            Some(("s3", rest)) => Server::S3(Box::new(s3::S3::at(rest, &|name| std::env::var(name).ok())?)),
            Some(("rediss", _)) => return Err(NO_TLS.to_owned()),
            _ => return Err("a store on a server begins with `redis://` or `s3://`".to_owned()),
        };
        Ok(Remote { url: without_password(url), server })
    }

    /// The same store for who only looks after it: reading a text is no use of it, where the server can be told so.
    #[must_use]
    pub fn looked_after(mut self) -> Remote {
        if let Server::Redis(redis) = &mut self.server {
            redis.leaves_ages = true;
        }
        self
    }

    /// Whether a request takes so long that it is better to list all names first than to ask for one that is not there.
    pub fn is_far(&self) -> bool {
        matches!(self.server, Server::S3(_))
    }

    /// Asks whether the store is there and lets us in.
    ///
    /// # Errors
    /// If it is not so.
    pub fn check(&self) -> Result<(), Failure> {
        match &self.server {
            Server::Redis(redis) => redis.check(),
            Server::S3(s3) => s3.check(),
        }
    }

    /// The text of a name; `None` if there is none. What is no text is given as far as it is one, as who asks checks it anyway.
    ///
    /// # Errors
    /// If the server does not say.
    pub fn get(&self, name: &str) -> Result<Option<String>, Failure> {
        let found = match &self.server {
            Server::Redis(redis) => redis.get(name),
            Server::S3(s3) => s3.get(name),
        };
        Ok(found?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Puts a text under a name, in the place of what is there. A text of more than [`MOST`] bytes is left out.
    ///
    /// # Errors
    /// If the server does not take it.
    pub fn put(&self, name: &str, text: &str) -> Result<(), Failure> {
        if text.len() as u64 > MOST {
            return Ok(());
        }
        match &self.server {
            Server::Redis(redis) => redis.put(name, text.as_bytes()),
            Server::S3(s3) => s3.put(name, text.as_bytes()),
        }
    }

    /// All texts, in any order.
    ///
    /// # Errors
    /// If the server does not say within `limit`.
    pub fn list(&self, limit: Duration) -> Result<Vec<Entry>, Failure> {
        match &self.server {
            Server::Redis(redis) => redis.list(limit),
            Server::S3(s3) => s3.list(limit),
        }
    }

    /// Removes a text, if it is there.
    ///
    /// # Errors
    /// If the server does not do it.
    pub fn delete(&self, name: &str) -> Result<(), Failure> {
        match &self.server {
            Server::Redis(redis) => redis.delete(name),
            Server::S3(s3) => s3.delete(name),
        }
    }
}

/// A URL as it may be shown: with `***` in the place of a password.
pub fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find('/').unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    match authority.rsplit_once('@') {
        Some((user, host)) => {
            let user = user.split_once(':').map_or(user, |(user, _)| user);
            format!("{scheme}://{user}:***@{host}{path}")
        }
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_without_its_password() {
        assert_eq!(without_password("redis://:pass:w@rd@host:1/2"), "redis://:***@host:1/2");
        assert_eq!(without_password("redis://me:secret@host"), "redis://me:***@host");
        assert_eq!(without_password("redis://host/1"), "redis://host/1");
        assert_eq!(without_password("s3://bucket/a@b:c"), "s3://bucket/a@b:c");
        assert_eq!(
            Remote::at("redis://:secret@127.0.0.1:1").unwrap().to_string(),
            "redis://:***@127.0.0.1:1"
        );
    }

    #[test]
    fn a_url_that_is_none_is_refused_with_a_reason() {
        let why = |url: &str| Remote::at(url).map(|remote| remote.to_string()).unwrap_err();
        assert!(why("http://host").contains("begins with `redis://` or `s3://`"));
        assert!(why("rediss://:secret@host").contains("Redis over TLS (`rediss://`) is not supported"));
        assert!(!why("rediss://:secret@host").contains("secret"));
        assert!(why("redis://").contains("names no host"));
        assert!(why("redis://host:port").contains("`port` is no port"));
        assert!(why("redis://host/first").contains("`first` is no number of a database"));
        assert!(why("redis://:%zz@host").contains("%"));
    }
}
