//! Two examples for each command, which stand below its flags in the help text and in the book.

pub const ROOT: &str = "\
Examples:
  footpath test list.c
      Tests of all functions in list.c, in the folder footpath-out.
  footpath cover search.bpl
      A verdict for each statement of a Boogie program.

Exit codes:
  0 done; 1 a verdict of --deny was found; 2 bad usage or input; 3 internal error; 130 interrupted";

pub const TEST: &str = "\
Examples:
  footpath test list.c --function insert -- -Iinclude -DNDEBUG
      Test one function, compiled with two flags.
  footpath test --compile-commands build --emit c,html --deny failing
      Test all files of a build, write a page, and end with exit code 1 if a check fails.";

pub const MERGE: &str = "\
Examples:
  footpath merge shard-1/report.json shard-2/report.json --deny failing
      What both shards found, and exit code 1 if a check fails.
  footpath merge shard-*/report.json --emit json,html,sarif --output merged
      Write the report of the whole run in three formats.";

pub const COVER: &str = "\
Examples:
  footpath cover search.bpl --procedure Find --unwind 8
      Cover one procedure, with up to 8 iterations of each loop.
  footpath cover search.bpl --deny infeasible,doomed --format json
      Print a report for programs, and end with exit code 1 if code cannot be executed normally.";

pub const VERIFY: &str = "\
Examples:
  footpath verify list.c --assume valid-parameters,no-overflow
      Verify all checks of a C file under two assumptions at most.
  footpath verify search.bpl --sound --deny unverified
      Verify without any assumption, and end with exit code 1 if a check is left open.";

pub const EXPLORE: &str = "\
Examples:
  footpath explore list.c --function insert --strategy bfs --timeout 300
      Explore one function breadth first, for five minutes.
  footpath explore search.bpl --save session
      Keep the exploration, so that `footpath explore search.bpl --resume session` continues it.";

pub const FAILURES: &str = "\
Examples:
  footpath failures list.c --function insert
      The condition over its inputs under which one function fails.
  footpath failures search.bpl --iterations 20 --format json
      The same for each procedure, with more iterations of each loop, for programs.";

pub const REACH: &str = "\
Examples:
  footpath reach list.c --target list.c:42
      Whether line 42 can be executed in its function.
  footpath reach main.c --target abort --deny reached
      Whether any call of `abort` can be executed in a whole program; exit code 1 if one can.";

pub const CHECK: &str = "\
Examples:
  footpath check search.bpl
      What is wrong with a Boogie program.
  footpath check list.c --print -- -Iinclude
      A C file as Footpath understands it, as a Boogie program.";

pub const STORE: &str = "\
Examples:
  footpath store prune --store /shared/results --older-than 30 --max-size 20G
      Remove what nobody used for a month, and the oldest of the rest until 20 GiB are left.
  footpath store verify --store redis://results:6379/0 --store-key team.key
      Look whether all that is on a server was written with this key.";

pub const HEADER: &str = "\
Examples:
  footpath header > footpath.h
      Keep a copy beside the sources, for builds without Footpath.
  footpath header | less
      Read what the header offers.";

pub const INIT: &str = "\
Examples:
  footpath init
      Write footpath.toml into the working folder, unless there is one.
  footpath init --no-config
      The same where a file above has mistakes.";

pub const BENCH: &str = "\
Examples:
  footpath bench rvc --diamonds 2..6 --out results
      Compare all algorithms on small random programs, and write tables and plots.
  footpath bench tools examples/c/list.c --timeout 30
      Compare Footpath with CBMC on the functions of a C file.";
