//! A client of Redis: seven commands in RESP2, the protocol that Redis and its relatives speak.
//!
//! **Idea.** A command is an array of strings with their lengths before them, and so is the answer. Connections are kept for the next command; one
//! that the server has closed meanwhile is replaced once. Nothing is locked while a command runs.
//!
//! **Example.** `GET footpath:abc.cover` is sent as `*2\r\n$3\r\nGET\r\n$18\r\nfootpath:abc.cover\r\n`, and answered by `$5\r\nhello\r\n`, or by
//! `$-1\r\n` where there is no such key.
//!
//! **Deviation.** It is written here because a server that is not trusted needs two bounds that the crate `redis` does not have: one deadline
//! for a whole command (its limits are those of single reads, which a server can stretch for ever), and a largest answer.
//!
//! **Direction of error.** What is no answer of such a server is silence.

use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant, SystemTime};

use crate::{CONNECT, Entry, Failure, MOST, REQUEST};

/// How all keys of this program begin.
const PREFIX: &str = "footpath:";
const PORT: u16 = 6379;
/// The bytes of the longest line of an answer.
const LINE: usize = 1 << 16;
/// The elements of the longest list of an answer.
const ELEMENTS: usize = 1 << 20;
/// How many keys are asked for at once when all are listed.
const PAGE: &str = "1000";

/// A database of a Redis server.
pub struct Redis {
    host: String,
    port: u16,
    user: Option<String>,
    password: Option<String>,
    database: u32,
    /// Whether what is read does not count as used.
    pub leaves_ages: bool,
    idle: Mutex<Vec<Connection>>,
}

impl Redis {
    /// The database that the rest of a URL names. Without a password there, that of `REDISCLI_AUTH` is taken, as by `redis-cli`.
    pub fn at(rest: &str) -> Result<Redis, String> {
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (login, place) =
            authority.rsplit_once('@').map_or((None, authority), |(login, place)| (Some(login), place));
        let (user, password) = login.map_or((None, None), |login| match login.split_once(':') {
            Some((user, password)) => (Some(user).filter(|user| !user.is_empty()), Some(password)),
            None => (Some(login), None),
        });
        let password = password.map(decoded).transpose()?;
        let bracket = place.rfind(']').unwrap_or(0);
        let (host, port) = match place.rfind(':').filter(|&colon| colon > bracket) {
            Some(colon) => (
                &place[..colon],
                place[colon + 1..].parse().map_err(|_| format!("`{}` is no port", &place[colon + 1..]))?,
            ),
            None => (place, PORT),
        };
        if host.is_empty() {
            return Err("it names no host".to_owned());
        }
        let database = match path.trim_end_matches('/') {
            "" => 0,
            number => number.parse().map_err(|_| format!("`{number}` is no number of a database"))?,
        };
        Ok(Redis {
            host: host.trim_matches(['[', ']']).to_owned(),
            port,
            user: user.map(decoded).transpose()?,
            password: password.or_else(|| std::env::var("REDISCLI_AUTH").ok()),
            database,
            leaves_ages: false,
            idle: Mutex::default(),
        })
    }

    pub fn check(&self) -> Result<(), Failure> {
        self.get("no such name").map(drop)
    }

    pub fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        match self.ask(&[b"GET", &key(name)])? {
            Reply::Text(text) => Ok(text),
            _ => Err(no_redis()),
        }
    }

    pub fn put(&self, name: &str, text: &[u8]) -> Result<(), Failure> {
        self.ask(&[b"SET", &key(name), text]).map(drop)
    }

    pub fn delete(&self, name: &str) -> Result<(), Failure> {
        self.ask(&[b"DEL", &key(name)]).map(drop)
    }

    /// All keys of this program. What asks for their sizes and ages does not count as a use of them.
    pub fn list(&self, limit: Duration) -> Result<Vec<Entry>, Failure> {
        let until = Instant::now() + limit;
        let pattern = format!("{PREFIX}*");
        let (mut cursor, mut all) = (b"0".to_vec(), std::collections::BTreeMap::new());
        loop {
            let page =
                self.ask(&[b"SCAN", &cursor, b"MATCH", pattern.as_bytes(), b"COUNT", PAGE.as_bytes()])?;
            let (next, keys) = page.scanned().ok_or_else(no_redis)?;
            for key in keys {
                let name =
                    key.strip_prefix(PREFIX.as_bytes()).and_then(|name| std::str::from_utf8(name).ok());
                let Some(name) = name else { continue };
                if let Some(entry) = self.entry(name)? {
                    // A key may be listed twice.
                    all.insert(name.to_owned(), entry);
                }
                if Instant::now() > until {
                    return Err(Failure::Silent(format!(
                        "it did not list its keys within {} s",
                        limit.as_secs()
                    )));
                }
            }
            if next == b"0" {
                return Ok(all.into_values().collect());
            }
            cursor = next;
        }
    }

    /// What is known of a key; `None` if it is there no more.
    fn entry(&self, name: &str) -> Result<Option<Entry>, Failure> {
        let (Reply::Number(bytes), Reply::Number(idle)) =
            (self.ask(&[b"MEMORY", b"USAGE", &key(name)])?, self.ask(&[b"OBJECT", b"IDLETIME", &key(name)])?)
        else {
            return Ok(None);
        };
        let idle = Duration::from_secs(u64::try_from(idle).unwrap_or(0));
        let used = SystemTime::now().checked_sub(idle).unwrap_or(SystemTime::UNIX_EPOCH);
        Ok(Some(Entry { name: name.to_owned(), bytes: u64::try_from(bytes).unwrap_or(0), used }))
    }

    /// Sends a command and waits for its answer.
    fn ask(&self, words: &[&[u8]]) -> Result<Reply, Failure> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let until = Instant::now() + REQUEST;
        let kept = idle().pop();
        let is_kept = kept.is_some();
        let mut connection = kept.map_or_else(|| self.connected(until), Ok)?;
        let mut answer = connection.ask(words, until);
        if is_kept && answer.as_ref().is_err_and(is_closed) {
            connection = self.connected(until)?;
            answer = connection.ask(words, until);
        }
        match answer.map_err(|why| silent(&why))? {
            Reply::Error(why) => Err(refused(&why)),
            reply => {
                idle().push(connection);
                Ok(reply)
            }
        }
    }

    fn connected(&self, until: Instant) -> Result<Connection, Failure> {
        let mut found = Err(io::Error::new(io::ErrorKind::NotFound, "the host has no address"));
        for address in self.addresses().map_err(|why| silent(&why))? {
            found = TcpStream::connect_timeout(&address, CONNECT);
            if found.is_ok() {
                break;
            }
        }
        let socket = found.map_err(|why| silent(&why))?;
        // Without this, short commands wait for each other.
        let _ = socket.set_nodelay(true);
        let mut connection = Connection(BufReader::new(Timed { socket, until }));
        let mut ask = |words: &[&[u8]]| match connection.ask(words, until) {
            Ok(Reply::Error(why)) => Err(refused(&why)),
            Ok(_) => Ok(()),
            Err(why) => Err(silent(&why)),
        };
        match (&self.user, &self.password) {
            (Some(user), Some(password)) => ask(&[b"AUTH", user.as_bytes(), password.as_bytes()])?,
            (_, Some(password)) => ask(&[b"AUTH", password.as_bytes()])?,
            _ => {}
        }
        if self.database != 0 {
            ask(&[b"SELECT", self.database.to_string().as_bytes()])?;
        }
        if self.leaves_ages {
            // Before 7.2 there is no such command, and reading is a use.
            connection.ask(&[b"CLIENT", b"NO-TOUCH", b"ON"], until).map_err(|why| silent(&why))?;
        }
        Ok(connection)
    }

    /// The system has no limit of time for finding a host, so a thread of its own does it.
    fn addresses(&self) -> io::Result<Vec<SocketAddr>> {
        let (give, take) = mpsc::channel();
        let (host, port) = (self.host.clone(), self.port);
        std::thread::Builder::new().spawn(move || {
            let found = (&*host, port).to_socket_addrs().map(Iterator::collect);
            // Who waited may have given up.
            let _ = give.send(found);
        })?;
        take.recv_timeout(CONNECT).unwrap_or_else(|_| {
            Err(io::Error::new(io::ErrorKind::TimedOut, "the host was not found in time"))
        })
    }
}

fn key(name: &str) -> Vec<u8> {
    format!("{PREFIX}{name}").into_bytes()
}

/// A text of a URL with its `%XX` as they are meant.
fn decoded(text: &str) -> Result<String, String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        let digits = after.get(..2).and_then(|two| u8::from_str_radix(two, 16).ok());
        bytes.extend(before.as_bytes());
        bytes.push(digits.ok_or("a % of the user or the password is followed by no two hexadecimal digits")?);
        rest = &after[2..];
    }
    bytes.extend(rest.as_bytes());
    String::from_utf8(bytes).map_err(|_| "the user or the password is no UTF-8".to_owned())
}

fn is_closed(why: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(why.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
}

fn silent(why: &io::Error) -> Failure {
    Failure::Silent(match why.kind() {
        // What a socket with a limit of time says is not meant for users.
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            format!("its time of {} s is over", REQUEST.as_secs())
        }
        _ => why.to_string(),
    })
}

/// A server that is still loading its data will answer later.
fn refused(why: &str) -> Failure {
    if why.starts_with("LOADING") {
        Failure::Silent(why.to_owned())
    } else {
        Failure::Refused(why.to_owned())
    }
}

fn no_redis() -> Failure {
    Failure::Silent("what answers is no Redis".to_owned())
}

struct Connection(BufReader<Timed>);

impl Connection {
    fn ask(&mut self, words: &[&[u8]], until: Instant) -> io::Result<Reply> {
        self.0.get_mut().until = until;
        let mut command = format!("*{}\r\n", words.len()).into_bytes();
        for word in words {
            command.extend(format!("${}\r\n", word.len()).into_bytes());
            command.extend(*word);
            command.extend(b"\r\n");
        }
        self.0.get_mut().write_all(&command)?;
        reply(&mut self.0, 0)
    }
}

/// A socket with a deadline for all that is read and written.
struct Timed {
    socket: TcpStream,
    until: Instant,
}

impl Timed {
    fn left(&self) -> io::Result<Duration> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
    }
}

impl Read for Timed {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.socket.set_read_timeout(Some(self.left()?))?;
        self.socket.read(bytes)
    }
}

impl Write for Timed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.socket.set_write_timeout(Some(self.left()?))?;
        self.socket.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush()
    }
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Reply {
    Error(String),
    Number(i64),
    /// A text, or that there is none.
    Text(Option<Vec<u8>>),
    List(Vec<Reply>),
}

impl Reply {
    /// The cursor and the keys of an answer to SCAN.
    fn scanned(self) -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
        let text = |reply| match reply {
            Reply::Text(text) => text,
            _ => None,
        };
        let Reply::List(parts) = self else { return None };
        let [cursor, Reply::List(keys)] = <[Reply; 2]>::try_from(parts).ok()? else { return None };
        Some((text(cursor)?, keys.into_iter().map(text).collect::<Option<_>>()?))
    }
}

fn reply(from: &mut impl io::BufRead, depth: u32) -> io::Result<Reply> {
    let strange = || io::Error::new(io::ErrorKind::InvalidData, "what answers is no Redis");
    let mut line = Vec::new();
    from.take(LINE as u64).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let line = line.strip_suffix(b"\r\n").ok_or_else(strange)?;
    let (&kind, rest) = line.split_first().ok_or_else(strange)?;
    let rest = std::str::from_utf8(rest).map_err(|_| strange())?;
    let number = || rest.parse::<i64>().map_err(|_| strange());
    match kind {
        b'+' => Ok(Reply::Text(Some(rest.as_bytes().to_vec()))),
        b'-' => Ok(Reply::Error(rest.to_owned())),
        b':' => Ok(Reply::Number(number()?)),
        b'$' | b'*' if number()? == -1 => Ok(Reply::Text(None)),
        b'$' => {
            let length =
                u64::try_from(number()?).ok().filter(|length| *length <= MOST).ok_or_else(strange)?;
            let mut text = Vec::new();
            from.take(length + 2).read_to_end(&mut text)?;
            if text.len() as u64 != length + 2 || !text.ends_with(b"\r\n") {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            text.truncate(text.len() - 2);
            Ok(Reply::Text(Some(text)))
        }
        b'*' if depth < 2 => {
            let length = usize::try_from(number()?).ok().filter(|n| *n <= ELEMENTS).ok_or_else(strange)?;
            (0..length).map(|_| reply(from, depth + 1)).collect::<io::Result<_>>().map(Reply::List)
        }
        _ => Err(strange()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> io::Result<Reply> {
        reply(&mut io::Cursor::new(text), 0)
    }

    #[test]
    fn answers_are_read() {
        let text = |text: &str| Reply::Text(Some(text.as_bytes().to_vec()));
        assert_eq!(read(b"$5\r\nhello\r\n").unwrap(), text("hello"));
        assert_eq!(read(b"$-1\r\n").unwrap(), Reply::Text(None));
        assert_eq!(read(b":-7\r\n").unwrap(), Reply::Number(-7));
        assert_eq!(read(b"-ERR no\r\n").unwrap(), Reply::Error("ERR no".to_owned()));
        let page = read(b"*2\r\n$1\r\n0\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n").unwrap();
        assert_eq!(page.scanned(), Some((b"0".to_vec(), vec![b"a".to_vec(), b"b".to_vec()])));
    }

    #[test]
    fn what_is_too_long_too_short_or_something_else_is_no_answer() {
        let deep = b"*1\r\n".repeat(9);
        let long = format!("${}\r\n", MOST + 1).into_bytes();
        let line = b"+".repeat(2 * LINE);
        for text in
            [&b"$5\r\nhel"[..], b"$5\r\nhello!!", b"HTTP/1.1 400\r\n", b"", b"$-2\r\n", b"*99999999\r\n"]
                .into_iter()
                .chain([&*deep, &*long, &*line])
        {
            assert!(read(text).is_err(), "{}", String::from_utf8_lossy(&text[..text.len().min(20)]));
        }
    }

    #[test]
    fn a_url_has_its_parts() {
        let found = Redis::at("me:a%40b@[::1]:7/3").unwrap();
        assert_eq!((&*found.host, found.port, found.database), ("::1", 7, 3));
        assert_eq!((found.user.as_deref(), found.password.as_deref()), (Some("me"), Some("a@b")));
        let found = Redis::at(":only@host").unwrap();
        assert_eq!(
            (&*found.host, found.port, found.user, found.password.as_deref()),
            ("host", PORT, None, Some("only"))
        );
    }
}
