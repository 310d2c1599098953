//! Stores on servers: real ones, Redis and moto's S3, on this machine. They need both, and a clang.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Barrier;
use std::time::{Duration, Instant};

use footpath_summaries::{Place, Pruning, Remote, Storage, Texts, digest};

use super::store::{MANY, are_all, recalled, said};
use super::testing::servers::{Server, free_port};
use super::testing::{folder, verdicts, write};

/// The folder with the program, as another machine has it, at the same place.
fn machine(all: &Path) -> PathBuf {
    let folder = all.join("machine");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("the last machine's folder can be removed");
    }
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    write(&folder, "many.c", MANY);
    write(&folder, "limit.h", "#define LIMIT 9\n");
    folder
}

/// The key of all machines, and of this process.
fn key(all: &Path) -> String {
    write(all, "key", "0123456789abcdef0123456789abcdef");
    let key = all.join("key");
    footpath_summaries::use_store_key(&key).expect("a key");
    key.display().to_string()
}

fn args<'a>(url: &'a str, key: &'a str) -> Vec<&'a str> {
    let args = ["test", "many.c", "--timeout", "4", "-o", "out", "--format", "json", "--store"];
    [&args[..], &[url, "--store-key", key]].concat()
}

/// What a second machine takes from a server is what the first one has found, and what somebody changed there is not believed.
fn two_machines_share_what_they_find(all: &Path, server: &Server) {
    let key = key(all);
    let args = args(&server.url, &key);
    let first = server.check(&machine(all), &args, 0, &[]);
    assert!(are_all(&recalled(&first), false));
    assert!(!String::from_utf8_lossy(&first.stdout).contains("came from the store"));
    let other = machine(all);
    let second = server.check(
        &other,
        &args,
        0,
        &["6 of 6 functions", " texts that an earlier run left there came from the store"],
    );
    assert!(are_all(&recalled(&second), true), "{:?}", recalled(&second));
    assert_eq!(said(&first), said(&second));
    // What came once is in the folder from then on.
    let again = server.check(&other, &args, 0, &["6 of 6 functions"]);
    assert!(!String::from_utf8_lossy(&again.stdout).contains("came from the store"));

    let store = |action: &str, more: &[&str], code, words: &[&str]| {
        let args = [&["store", action, "--store", &server.url], more].concat();
        server.check(all, &args, code, words);
    };
    store("size", &[], 0, &[" files (", "used last less than a day ago"]);
    store("verify", &["--store-key", &key], 0, &["are sound"]);
    write(all, "other.key", &"k".repeat(32));
    let mine = all.join("other.key").display().to_string();
    store("verify", &["--store-key", &mine], 2, &["was written with another key", "are not sound"]);
    store("prune", &["--max-size", "0"], 0, &["removed 0 files (0 KiB), left "]);

    server.change_all(" covered", " unreachable");
    store("verify", &["--store-key", &key], 2, &["is damaged"]);
    let doubted = server.check(
        &machine(all),
        &args,
        0,
        &["damaged or written with another key (--store-key), and not used"],
    );
    assert!(are_all(&recalled(&doubted), false), "{:?}", recalled(&doubted));
    assert_eq!(verdicts(&first), verdicts(&doubted));
}

#[test]
fn two_machines_share_what_they_find_through_redis() {
    let all = folder("network-redis");
    two_machines_share_what_they_find(&all, &Server::redis(&all, "secret"));
}

#[test]
fn two_machines_share_what_they_find_through_object_storage() {
    let all = folder("network-s3");
    two_machines_share_what_they_find(&all, &Server::s3(&all));
}

/// By this variable a process that a test below has started knows that it is a writer, and of which store.
const STORE: &str = "FOOTPATH_TEST_STORE";
const WRITERS: usize = 20;
const RESULTS: usize = 12;

/// A result: a text whose length and content follow from its number.
fn result(number: usize) -> (String, String) {
    (digest(format!("result {number}")), format!("value {number}\n").repeat(1 + number * 40))
}

/// Writes and reads all results in an order of its own, twice. What it reads has to be what some process wrote. Where so many of them ask a server
/// that is slow on a busy machine, a request may take too long: who is told so begins again.
fn write_and_read(url: &str, folder: &Path) {
    footpath_summaries::use_store_key(&folder.join("key")).expect("a key");
    let mut order: Vec<usize> = (0..RESULTS).collect();
    let mut random = fastrand::Rng::with_seed(u64::from(std::process::id()));
    let (mut complete, mut begun) = (0, 0);
    while complete < 2 {
        let mine = folder.join(format!("{}-{begun}", std::process::id()));
        begun += 1;
        assert!(begun < 50, "the server never had time");
        let storage = Storage::behind(Some(mine), Remote::at(url).expect("a URL")).expect("a server");
        let texts = Texts::new(storage.clone(), Duration::from_secs(1));
        random.shuffle(&mut order);
        for &number in &order {
            let (key, text) = result(number);
            if let Some(found) = texts.read(&key) {
                assert_eq!(found.text, text, "result {number} is another one");
            }
            texts.write(&key, &text, true);
        }
        assert_eq!(texts.warnings(), [""; 0]);
        match &*storage.warnings() {
            [] => complete += 1,
            [late] => assert!(late.ends_with("it does not answer: its time of 10 s is over"), "{late}"),
            more => panic!("{more:?}"),
        }
    }
}

/// Starts the test of a name as a writer, many times at once; all results are on the server then.
fn twenty_processes_write(test: &str, folder: &Path, server: &Server) {
    let key = key(folder);
    let start = || {
        let mut process = Command::new(std::env::current_exe().expect("its path"));
        process.args(["--exact", test]).env(STORE, &server.url).envs(server.environment.iter().cloned());
        process.current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
    };
    let writers: Vec<_> = (0..WRITERS).map(|_| start()).collect();
    for writer in writers {
        let output = writer.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
    }
    let words = [&*format!("{RESULTS} files ("), "are sound"];
    server.check(folder, &["store", "verify", "--store", &server.url, "--store-key", &key], 0, &words);
}

#[test]
fn twenty_processes_write_to_redis_at_once() {
    if let Ok(url) = std::env::var(STORE) {
        return write_and_read(&url, &std::env::current_dir().expect("a folder"));
    }
    let folder = folder("network-redis-writers");
    let server = Server::redis(&folder, "");
    twenty_processes_write("network_store::twenty_processes_write_to_redis_at_once", &folder, &server);
    // Who only looks at ages and sizes does not use what is there.
    server.make_older(3 * 24 * 3600);
    let store = |args: &[&str], words: &[&str]| {
        server.check(&folder, &[&["store"], args, &["--store", &server.url]].concat(), 0, words);
    };
    store(&["size"], &["the oldest file 3 days ago"]);
    store(&["prune", "--older-than", "4"], &["removed 0 files"]);
    store(&["prune", "--older-than", "2"], &[&*format!("removed {RESULTS} files"), "left 0 files"]);
}

#[test]
fn twenty_processes_write_to_object_storage_at_once() {
    if let Ok(url) = std::env::var(STORE) {
        return write_and_read(&url, &std::env::current_dir().expect("a folder"));
    }
    let folder = folder("network-s3-writers");
    let server = Server::s3(&folder);
    twenty_processes_write(
        "network_store::twenty_processes_write_to_object_storage_at_once",
        &folder,
        &server,
    );
}

/// A run whose server goes away says so once, and finds what it finds otherwise.
#[test]
fn a_server_that_goes_away_costs_a_warning() {
    let all = folder("network-killed");
    let key = key(&all);
    let mut server = Server::redis(&all, "");
    let expected = server.check(&machine(&all), &args("kept", &key), 0, &[]);
    let other = machine(&all);
    let url = server.url.clone();
    let remote = Remote::at(&url).expect("a URL");
    let run =
        server.footpath(&other, &args(&url, &key)).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut run = run.expect("footpath starts");
    // The loop without an end takes all of its time, so the first result is there long before the last one.
    let until = Instant::now() + Duration::from_secs(120);
    while remote.list(Duration::from_secs(60)).expect("a list").is_empty() {
        assert!(Instant::now() < until && run.try_wait().expect("a state").is_none(), "no result came");
        std::thread::sleep(Duration::from_millis(5));
    }
    server.kill();
    let output = run.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert_eq!(text.matches("is not used any more in this run, as it does not answer").count(), 1, "{text}");
    assert_eq!(verdicts(&expected), verdicts(&output));
}

/// A server that takes connections and says nothing costs the time of one request.
#[test]
fn a_server_that_says_nothing_costs_a_warning_and_seconds() {
    let all = folder("network-silent");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("redis://{}", listener.local_addr().expect("an address"));
    let start = Instant::now();
    let storage =
        Storage::behind(Some(all.join("kept")), Remote::at(&url).expect("a URL")).expect("it goes on");
    let texts = Texts::new(storage.clone(), Duration::from_secs(1));
    let ready = Barrier::new(8);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (texts, ready) = (&texts, &ready);
            scope.spawn(move || {
                ready.wait();
                for number in 0..100 {
                    let key = digest(format!("{thread} {number}"));
                    assert_eq!(texts.read(&key), None);
                    texts.write(&key, "found", true);
                    assert_eq!(texts.read(&key).map(|kept| kept.text), Some("found\n".to_owned()));
                }
            });
        }
    });
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert_eq!(
        storage.warnings(),
        [format!(
            "the store {url} is not used any more in this run, as it does not answer: its time of 10 s is over"
        )]
    );
    assert_eq!(storage.warnings(), [""; 0]);
}

#[test]
fn who_is_not_let_in_is_told_so() {
    let all = folder("network-refused");
    let here = machine(&all);
    let redis = Server::redis(&all, "secret");
    let port = redis.url.rsplit(':').next().expect("a port").to_owned();
    let key = key(&all);
    let refused = |url: &str, words: &[&str]| drop(redis.check(&here, &args(url, &key), 2, words));
    refused(
        &format!("redis://127.0.0.1:{port}"),
        &["error: --store redis://127.0.0.1:", "it refuses: NOAUTH"],
    );
    let output = redis.check(
        &here,
        &args(&format!("redis://:wrong@127.0.0.1:{port}"), &key),
        2,
        &["it refuses: WRONGPASS"],
    );
    assert!(!String::from_utf8_lossy(&output.stderr).contains("wrong@"), "the password is told");
    refused("redis://127.0.0.1:none", &["is no port"]);
    refused("gs://bucket", &["a store on a server begins with `redis://` or `s3://`"]);
    refused(
        "rediss://:secret@127.0.0.1",
        &["error: --store rediss://:***@127.0.0.1: Redis over TLS (`rediss://`) is not supported"],
    );
    refused("s3://bucket", &["the variable AWS_ACCESS_KEY_ID is not set"]);
    let nobody = format!("redis://127.0.0.1:{}", free_port());
    redis.check(&here, &["store", "size", "--store", &nobody], 2, &["cannot be read: it does not answer"]);

    let mut s3 = Server::s3(&all);
    s3.check(
        &here,
        &args("s3://other", &key),
        2,
        &["error: --store s3://other: it refuses: status 404 NoSuchBucket"],
    );
    s3.environment[2].1 = "wrong".to_owned();
    s3.check(&here, &args(&s3.url, &key), 2, &["it refuses: status 403 SignatureDoesNotMatch"]);
    // With a project comes no server.
    write(&here, "footpath.toml", "store = \"redis://127.0.0.1\"\n");
    redis.check(
        &here,
        &["test", "many.c"],
        2,
        &["footpath.toml:1:9: a store on a server is only taken from the command line"],
    );
}

/// A report does not have the password of the store that it was made with.
#[test]
fn reports_do_not_tell_passwords() {
    let all = folder("network-password");
    let key = key(&all);
    let here = machine(&all);
    let server = Server::redis(&all, "sesame");
    let output = server.check(&here, &args(&server.url, &key), 0, &["redis://:***@127.0.0.1"]);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("sesame"));
    let place = Place::Server(Remote::at(&server.url).expect("a URL"));
    let pruning = Pruning { older_than: None, most_bytes: Some(0), spared: Duration::ZERO };
    let files = place.files().expect("a list");
    assert!(!files.is_empty());
    let later = std::time::SystemTime::now() + Duration::from_secs(60);
    assert_eq!(place.prune(later, pruning).expect("pruned").len(), files.len());
}
