//! AWS Signature Version 4: who sends a request shows that it has a secret key, without sending the key.
//!
//! **Idea.** The request is written down in a canonical form: method, path, query, headers, hash of the body. Its hash, the time and the
//! scope (day, region, service) are authenticated with a key that is derived from the secret and the scope (HMAC-SHA-256). So a
//! signature is good for this request and a few minutes only.
//!
//! **Example.** The requests of the document itself, with their signatures, are the tests of this file.
//!
//! **Paper.** "Signature Calculations for the Authorization Header: Transferring Payload in a Single Chunk", Amazon S3 API Reference. Crates that do
//! this bring a parser of URLs, one of times and second versions of the hashes along, or sign URLs only, of which the body is no part.
//!
//! **Direction of error.** A wrong signature is refused by the server.

use std::fmt::Write as _;

use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

/// Who asks.
pub struct Credentials {
    /// The name of the key.
    pub id: String,
    /// The key.
    pub secret: String,
    /// What belongs to a key that is only good for a while.
    pub token: Option<String>,
    /// Where the store is, such as `eu-central-1`.
    pub region: String,
}

/// What is signed of a request.
pub struct Request<'a> {
    /// `GET` and the like.
    pub method: &'a str,
    /// The host as in the header, with a port that is not the usual one.
    pub host: &'a str,
    /// The path, encoded.
    pub path: &'a str,
    /// The query, encoded, in order of names.
    pub query: &'a str,
    /// The body.
    pub body: &'a [u8],
    /// Further headers, in small letters.
    pub headers: &'a [(&'a str, &'a str)],
}

/// The headers that a request needs to be believed; `time` as `YYYYMMDDThhmmssZ`.
pub fn headers(request: &Request<'_>, credentials: &Credentials, time: &str) -> Vec<(&'static str, String)> {
    let hash = hex(&Sha256::digest(request.body));
    let mut added = vec![("x-amz-content-sha256", hash.clone()), ("x-amz-date", time.to_owned())];
    added.extend(credentials.token.clone().map(|token| ("x-amz-security-token", token)));
    let mut all: Vec<(&str, &str)> = added.iter().map(|(name, value)| (*name, &**value)).collect();
    all.push(("host", request.host));
    all.extend(request.headers);
    all.sort_unstable();
    let names = all.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(";");
    let mut canonical = format!("{}\n{}\n{}\n", request.method, request.path, request.query);
    for (name, value) in &all {
        let _ = writeln!(canonical, "{name}:{}", value.trim());
    }
    let _ = write!(canonical, "\n{names}\n{hash}");

    let day = time.get(..8).unwrap_or_default();
    let scope = format!("{day}/{}/s3/aws4_request", credentials.region);
    let text = format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{}", hex(&Sha256::digest(canonical)));
    let first = format!("AWS4{}", credentials.secret).into_bytes();
    let key = [day, &credentials.region, "s3", "aws4_request"]
        .iter()
        .fold(first, |key, part| mac(&key, part.as_bytes()));
    let signature = hex(&mac(&key, text.as_bytes()));
    let id = &credentials.id;
    let authorization =
        format!("AWS4-HMAC-SHA256 Credential={id}/{scope},SignedHeaders={names},Signature={signature}");
    added.push(("authorization", authorization));
    added
}

/// A text with all but `A-Z a-z 0-9 - . _ ~` as `%XX`.
pub fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut all, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            all.push(char::from(byte));
        } else {
            let _ = write!(all, "%{byte:02X}");
        }
        all
    })
}

fn mac(key: &[u8], text: &[u8]) -> Vec<u8> {
    // Any length will do.
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap_or_else(|_| Hmac::new(&Default::default()));
    mac.update(text);
    mac.finalize().into_bytes().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The signature of a request of the document's examples.
    fn signature(request: &Request<'_>) -> String {
        let credentials = Credentials {
            id: "AKIAIOSFODNN7EXAMPLE".to_owned(),
            secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".to_owned(),
            token: None,
            region: "us-east-1".to_owned(),
        };
        let all = headers(request, &credentials, "20130524T000000Z");
        let (_, authorization) = all.iter().find(|(name, _)| *name == "authorization").unwrap();
        authorization.rsplit_once('=').unwrap().1.to_owned()
    }

    #[test]
    fn requests_are_signed_as_the_document_signs_them() {
        let plain = Request {
            method: "GET",
            host: "examplebucket.s3.amazonaws.com",
            path: "/",
            query: "",
            body: b"",
            headers: &[],
        };
        let get = Request { path: "/test.txt", headers: &[("range", "bytes=0-9")], ..plain };
        assert_eq!(signature(&get), "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
        let put = Request {
            method: "PUT",
            path: "/test%24file.text",
            body: b"Welcome to Amazon S3.",
            headers: &[
                ("date", "Fri, 24 May 2013 00:00:00 GMT"),
                ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ],
            ..plain
        };
        assert_eq!(signature(&put), "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
        let list = Request { query: "max-keys=2&prefix=J", ..plain };
        assert_eq!(signature(&list), "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
    }

    #[test]
    fn what_is_special_in_a_url_is_encoded() {
        assert_eq!(encoded("a b/ü~"), "a%20b%2F%C3%BC~");
    }
}
