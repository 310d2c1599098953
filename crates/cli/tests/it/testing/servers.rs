//! Servers for stores on a network: Redis and object storage, each a process of its own that ends with its test.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// How long a server may take to answer for the first time, on a busy machine.
const START: Duration = Duration::from_secs(120);

/// A server that runs, and what its users have to know.
pub struct Server {
    process: Child,
    pub url: String,
    pub environment: Vec<(&'static str, String)>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Server {
    /// A Redis server, with a password if there is one.
    pub fn redis(folder: &Path, password: &str) -> Server {
        let port = free_port();
        let mut command = Command::new("redis-server");
        command.args([
            "--bind",
            "127.0.0.1",
            "--port",
            &port.to_string(),
            "--save",
            "",
            "--appendonly",
            "no",
        ]);
        command.args(["--requirepass", password]).current_dir(folder);
        let login = if password.is_empty() { String::new() } else { format!(":{password}@") };
        started(command, port, format!("redis://{login}127.0.0.1:{port}/1"))
    }

    /// An S3 server with a bucket `results`, that lets in only who has the key.
    pub fn s3(folder: &Path) -> Server {
        /// Makes the bucket and a user, and prints the key.
        const PREPARE: &str = "\
import boto3, os
at = dict(endpoint_url=os.environ['ENDPOINT'], region_name='us-east-1', aws_access_key_id='a', aws_secret_access_key='b')
boto3.client('s3', **at).create_bucket(Bucket='results')
iam = boto3.client('iam', **at)
iam.create_user(UserName='tester')
policy = '{\"Version\": \"2012-10-17\", \"Statement\": [{\"Effect\": \"Allow\", \"Action\": \"s3:*\", \"Resource\": \"*\"}]}'
iam.put_user_policy(UserName='tester', PolicyName='all', PolicyDocument=policy)
key = iam.create_access_key(UserName='tester')['AccessKey']
print(key['AccessKeyId'], key['SecretAccessKey'])
";
        let port = free_port();
        let mut command = Command::new("python3");
        let port_text = port.to_string();
        command.args(["-m", "moto.server", "-H", "127.0.0.1", "-p", &port_text]).current_dir(folder);
        // All requests but the four that make the key have to be signed with it.
        command.env("PYTHONPATH", packages()).env("INITIAL_NO_AUTH_ACTION_COUNT", "4");
        let mut server = started(command, port, "s3://results/of this/team".to_owned());
        let endpoint = format!("http://127.0.0.1:{port}");
        let mut prepare = Command::new("python3");
        prepare.args(["-c", PREPARE]).env("PYTHONPATH", packages()).env("ENDPOINT", &endpoint);
        let prepared = without_proxies(&mut prepare).output().expect("python3 starts");
        let said = String::from_utf8_lossy(&prepared.stdout);
        let (id, secret) = said
            .trim()
            .split_once(' ')
            .unwrap_or_else(|| panic!("{said}{}", String::from_utf8_lossy(&prepared.stderr)));
        server.environment = vec![
            ("AWS_ENDPOINT_URL", endpoint),
            ("AWS_ACCESS_KEY_ID", id.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", secret.to_owned()),
        ];
        server
    }

    /// Replaces a text in all that it has.
    pub fn change_all(&self, from: &str, to: &str) {
        const OBJECTS: &str = "\
import boto3, os, sys
bucket = boto3.resource('s3', endpoint_url=os.environ['AWS_ENDPOINT_URL'], region_name='us-east-1').Bucket('results')
for entry in bucket.objects.all():
    text = entry.get()['Body'].read().decode()
    bucket.put_object(Key=entry.key, Body=text.replace(sys.argv[1], sys.argv[2]).encode())
";
        const TEXTS: &str = "\
for _, key in ipairs(redis.call('KEYS', '*')) do
    redis.call('SET', key, (string.gsub(redis.call('GET', key), ARGV[1], ARGV[2])))
end";
        if self.url.starts_with("redis") {
            return self.redis_cli(&["EVAL", TEXTS, "0", from, to]);
        }
        let mut command = Command::new("python3");
        command.args(["-c", OBJECTS, from, to]).env("PYTHONPATH", packages());
        succeeds(without_proxies(command.envs(self.environment.iter().cloned())));
    }

    /// Makes all that a Redis server has look as if nobody had used it for so many seconds.
    pub fn make_older(&self, seconds: u32) {
        const RESTORE: &str = "\
for _, key in ipairs(redis.call('KEYS', '*')) do
    redis.call('RESTORE', key, 0, redis.call('DUMP', key), 'REPLACE', 'IDLETIME', ARGV[1])
end";
        self.redis_cli(&["EVAL", RESTORE, "0", &seconds.to_string()]);
    }

    fn redis_cli(&self, args: &[&str]) {
        // Older ones do not understand a URL without a user.
        let place = self.url.trim_start_matches("redis://").trim_end_matches("/1");
        let (login, address) = place.split_once('@').unwrap_or(("", place));
        let port = address.rsplit(':').next().expect("a port");
        let mut command = Command::new("redis-cli");
        command.args(["-e", "-p", port, "-n", "1"]);
        if let Some(password) = login.strip_prefix(':') {
            command.env("REDISCLI_AUTH", password);
        }
        succeeds(command.args(args));
    }

    /// Ends it at once.
    pub fn kill(&mut self) {
        // It may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    /// What `footpath` does in a folder, for who knows the server.
    pub fn footpath(&self, folder: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_footpath"));
        command.args(args).current_dir(folder).envs(self.environment.iter().cloned());
        without_proxies(&mut command);
        command
    }

    /// The same, done; with the exit code and the words that are demanded.
    pub fn check(&self, folder: &Path, args: &[&str], code: i32, words: &[&str]) -> Output {
        let output = self.footpath(folder, args).output().expect("footpath starts");
        let said = [&*output.stdout, &*output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert_eq!(output.status.code(), Some(code), "{args:?}\n{said}");
        for word in words {
            assert!(said.contains(word), "`{word}` is not said: {args:?}\n{said}");
        }
        output
    }
}

/// Where scripts/setup has put moto and what it needs.
fn packages() -> PathBuf {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/moto");
    assert!(packages.is_dir(), "{} is missing: scripts/setup s3-server:python3", packages.display());
    packages
}

fn succeeds(command: &mut Command) {
    let output = command.output().unwrap_or_else(|why| panic!("{}: {why}", command.get_program().display()));
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn without_proxies(command: &mut Command) -> &mut Command {
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
        command.env_remove(name);
    }
    command
}

/// A port that nobody listens on.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("an address").port()
}

/// A server once it can be connected to.
fn started(mut command: Command, port: u16, url: String) -> Server {
    let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let process = process.unwrap_or_else(|why| panic!("{} starts: {why}", command.get_program().display()));
    let mut server = Server { process, url, environment: Vec::new() };
    let until = Instant::now() + START;
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        let ended = server.process.try_wait().expect("its state is known");
        assert!(ended.is_none() && Instant::now() < until, "the server does not answer: {ended:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
    server
}
