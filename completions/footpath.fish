# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_footpath_global_optspecs
    string join \n V/version no-config memory= h/help
end

function __fish_footpath_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_footpath_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_footpath_using_subcommand
    set -l cmd (__fish_footpath_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c footpath -n "__fish_footpath_needs_command" -l memory -d 'Limit on the memory of the process, in bytes or with K, M or G behind the number; what was found until it is met is reported, and the exit code is 2; 0 for none [default: three quarters of the machine\'s memory]' -r
complete -c footpath -n "__fish_footpath_needs_command" -s V -l version -d 'Print the versions of footpath and of its solver'
complete -c footpath -n "__fish_footpath_needs_command" -l no-config -d 'Leave out footpath.toml, from which flags are taken that are not typed'
complete -c footpath -n "__fish_footpath_needs_command" -s h -l help -d 'Print help'
complete -c footpath -n "__fish_footpath_needs_command" -f -a "test" -d 'Test C functions: tests that really ran, and proofs for what no test can reach'
complete -c footpath -n "__fish_footpath_needs_command" -f -a "merge" -d 'Make one report of those of all parts of a run, of `footpath test --shard K/N` or `--unit FILE`'
complete -c footpath -n "__fish_footpath_needs_command" -f -a "cover" -d 'Cover every statement, branch and assertion: a test, or a proof that there is none'
complete -c footpath -n "__fish_footpath_needs_command" -f -a "verify" -d 'Verify checks for all inputs, and list the assumptions that the proofs need'
complete -c footpath -n "__fish_footpath_needs_command" -f -a "explore" -d 'Explore paths by dynamic symbolic execution, from the entry and as far as the bounds allow'
complete -c footpath -n "__fish_footpath_needs_command" -f -a "failures" -d 'Say under which inputs functions fail'
complete -c footpath -n "__fish_footpath_needs_command" -f -a "reach" -d 'Say whether single places can be reached, with any number of loop iterations'
complete -c footpath -n "__fish_footpath_needs_command" -f -a "check" -d 'Read and type-check files, and say what is wrong with them'
complete -c footpath -n "__fish_footpath_needs_command" -f -a "header" -d 'Print `footpath.h`, with which a C program says what it assumes, asserts and takes as input'
complete -c footpath -n "__fish_footpath_needs_command" -f -a "init" -d 'Write `footpath.toml`, in which a project has its flags, with all of them as comments'
complete -c footpath -n "__fish_footpath_needs_command" -f -a "store" -d 'Say how large a store is, remove what nobody uses, or look whether it is whole'
complete -c footpath -n "__fish_footpath_needs_command" -f -a "bench" -d 'Measure: run an experiment, most of them from papers, and compare algorithms'
complete -c footpath -n "__fish_footpath_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c footpath -n "__fish_footpath_using_subcommand test" -l function -d 'Test only the function of this name; may be given several times' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l coverage-from -d 'Look only for what this coverage report calls missed: lcov\'s tracefile, JSON of gcovr, gcov or `llvm-cov export`, or Cobertura\'s XML. Functions without a missed line are left out, and so is what stands on lines that were executed' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand test" -l since -d 'Only functions with lines that changed since this commit of the git repository, and those that call them, directly or not; files that git does not track are new' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l diff -d 'The same for the lines that a unified diff changes, which the files already have' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand test" -l shard -d 'Do the K-th of N parts of the functions, which go to parts by their files and names. `footpath merge` makes one report of those of all parts, for which each of them needs --emit json or --format json' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l balance-by -d 'Give parts of --shard the same work, by what functions cost in this JSON report of an earlier run; all parts need the same report' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand test" -l unit -d 'Do only the functions in this list, as one part of a run over all: a file as `--list --format json` prints it. `footpath merge` makes one report of those of parts that have each function at least once' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand test" -l entry -d 'With `main` or a function that takes nothing, test the whole program from there, called as the system calls `main`: global variables have their initial values, and what `__VERIFIER_nondet_*` and other external functions return is input. With other or several names, the ways into a library: only these are called, with any arguments, and what they reach counts in all functions; `public` are all functions that are not `static`' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l arguments -d 'The most command-line arguments of the program, with --entry' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l criterion -d 'What is to be covered besides checks: blocks and arms of branches; each condition of a Boolean expression true and false; or each deciding the outcome alone (MC/DC, masking form). With conditions nothing is taken from the store. With `path` each path has a test, and nothing is proved but that there is no further one' -r -f -a "branch\t'Blocks and the arms of branches'
condition\t'These, and each condition true and false'
mcdc\t'These, and each condition deciding its decision alone'
path\t'Paths that return to the head of a loop at most as often as --unwind says, each with a test'"
complete -c footpath -n "__fish_footpath_using_subcommand test" -l timeout -d 'Time limit for each function, in seconds, or with --entry for the program or each way into a library; what is not decided by then is unknown; 0 for none' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l total-timeout -d 'Time limit for all functions together, in seconds; functions that were not begun by then are left out; 0 for none' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l jobs -d 'How many functions are analysed at the same time; by default one for each core' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l unwind -d 'The most iterations of each loop that are unwound, in proofs, and on paths with --criterion path' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l calls -d 'What stands for a call in proofs: the callee\'s body, or a summary of the callee that is refined where a verdict depends on it. All of them give the same verdicts; a summary may prove without a bound what is otherwise proved within it' -r -f -a "inline\t'The bodies of all callees'
concrete\t'A few inputs of each callee with what it does on them, more where they do not suffice, and in the end its paths'
symbolic\t'The paths of each callee, each with its condition and its effect'
auto\t'The bodies of small callees, the paths of the others'
conditions\t'The condition under which each callee fails, and what it does otherwise, where both are known exactly, for any number of loop iterations; the bodies of the others'"
complete -c footpath -n "__fish_footpath_using_subcommand test" -l store -d 'Keep summaries, verdicts and tests in this folder, for later runs with the same flags; several processes may share it. For C it is by default `.footpath`, beside footpath.toml or else in the working folder. A URL names a server behind that folder, for many machines: `redis://host:port/database`, or `s3://bucket/prefix` with the variables AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand test" -l store-key -d 'Believe what is stored only if it was written with the key in this file, of 32 bytes or more, instead of a key of the user that is made when it is first needed' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand test" -l recheck -d 'Analyse this share of the functions anew, whatever is stored of them, and compare: a stored proof that a run contradicts is an internal error, and is removed. Which functions these are follows from their names' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l array-length -d 'The most elements that an array behind a pointer has, in tests' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l pointer-depth -d 'The most pointers that are followed one after the other from a parameter or global variable, in tests' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l check -d 'Which undefined behaviour and failures are looked for: `all`, `none`, or a list of null, bounds, subobject, alignment, use_after_free, closed_stream, free, constant, overlap, nonnull, vla_length, call_type, division, overflow, float_cast, shift, bool, builtin, unreachable, uninitialised, assert and abort; by default all but bool and uninitialised' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l results -d 'What other tools found, as SARIF. A check that they say is proved is looked at like any other: a test refutes the claim, and where nothing is found out, the check is told to hold if the claim is right; may be given several times' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand test" -l guide -d 'Verify first, under assumptions, and let what was proved guide the search for tests; by default may-must for functions with code that the program says is verified, otherwise none' -r -f -a "none\t'Not at all'
annotations\t'By what was proved of each check'
may\t'Also by giving up executions in which everything is verified'
must\t'Also by preferring executions in which nothing is verified'
may-must\t'By both of these'"
complete -c footpath -n "__fish_footpath_using_subcommand test" -l fails-when -d 'Also print, for each function that fails, the condition over its inputs under which it does; within S seconds each, 10 without a number' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l run-externals -d 'Run external functions from a library that is given behind `--` to learn their results, so that tests call them instead of stubs: those of these names, or all whose parameters and results are numbers. Only tests depend on the results, never proofs' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l fuzz-runs -d 'Run each function with loops that a short search does not cover up to N times for each second of `--timeout`, compiled and on changing inputs, before the search goes on with what reached new code (greybox fuzzing); 0 for none' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l seeds -d 'Begin with what other tools found: a file, or a folder of them. A file is a test case of KLEE (`.ktest`), or the bytes of a corpus of libFuzzer or AFL++: what a buffer holds, or all inputs one after the other. With FUNCTION= they are for one function, otherwise for each; may be given several times. Nothing is taken from the store then' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l seed -d 'The seed of all random choices' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l format -d 'How results are printed; schema/test.schema.json describes the JSON' -r -f -a "text\t'For people'
json\t'For programs, in the format that the schema describes'"
complete -c footpath -n "__fish_footpath_using_subcommand test" -l emit -d 'What is written into the folder' -r -f -a "c\t'The tests as C, with a Makefile and a CMakeLists.txt'
json\t'report.json, as `--format json` prints it'
html\t'report.html, a page for a browser'
sarif\t'report.sarif, for code scanning'
markdown\t'report.md, for a comment on a change'
lcov\t'report.info, for coverage viewers; with --coverage-from that report and what the tests add'
exclusions\t'exclusions.txt, the lines that no input executes, with markers for coverage tools; with --coverage-from'
fuzz\t'fuzz_FUNCTION.c, a harness for libFuzzer, fuzz_FUNCTION_corpus/ with its tests, and fuzz.mk, which builds them'
ktest\t'ktest_FUNCTION/, the tests as KLEE has test cases'
testcomp\t'test-suite/metadata.xml and testcase-N.xml, as Test-Comp takes them; with --entry'"
complete -c footpath -n "__fish_footpath_using_subcommand test" -l framework -d 'The framework that the tests are written for' -r -f -a "plain\t'None: each suite is a program that runs itself'
googletest\t'GoogleTest'
unity\t'Unity, by ThrowTheSwitch'
cmocka\t'cmocka'
check\t'Check'"
complete -c footpath -n "__fish_footpath_using_subcommand test" -s o -l output -d 'The folder for tests and reports' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand test" -l deny -d 'End with exit code 1 if one of these verdicts is found' -r -f -a "infeasible\t'Code that no input executes, shown for all inputs or within bounds'
failing\t'Checks that a test makes fail'
unknown\t'Code or a check about which nothing was found out'"
complete -c footpath -n "__fish_footpath_using_subcommand test" -l baseline -d 'Leave out the findings in this file; those on lines that have changed since are shown again' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand test" -l write-baseline -d 'Write all findings of this run into a file for --baseline' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand test" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c footpath -n "__fish_footpath_using_subcommand test" -l compile-commands -d 'Take files and their flags from this compilation database, or from compile_commands.json in this folder, as build systems write it; files that are named are those of it that are wanted' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand test" -l clang -d 'The C compiler; by default the newest clang on the search path' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l memory -d 'Limit on the memory of the process, in bytes or with K, M or G behind the number; what was found until it is met is reported, and the exit code is 2; 0 for none [default: three quarters of the machine\'s memory]' -r
complete -c footpath -n "__fish_footpath_using_subcommand test" -l list -d 'Print the functions that would be tested, with their places and how many blocks they have, and test none'
complete -c footpath -n "__fish_footpath_using_subcommand test" -l watch -d 'Go on after the run: run again whenever one of the files or of their headers changes, until Ctrl-C, which ends it with the exit code of the last run. Functions that did not change are taken from the store'
complete -c footpath -n "__fish_footpath_using_subcommand test" -l no-store -d 'Neither read nor write a store'
complete -c footpath -n "__fish_footpath_using_subcommand test" -l no-null -d 'Make no test in which a parameter is a null pointer'
complete -c footpath -n "__fish_footpath_using_subcommand test" -l no-aliasing -d 'Make no test in which two pointers lead into the same object (aliasing)'
complete -c footpath -n "__fish_footpath_using_subcommand test" -l verbose -d 'Print all there is to say, instead of what fits on a screen'
complete -c footpath -n "__fish_footpath_using_subcommand test" -l strict -d 'Count every check that a test makes fail as failing, also where callers can avoid it, which otherwise makes it a precondition of the function'
complete -c footpath -n "__fish_footpath_using_subcommand test" -l no-config -d 'Leave out footpath.toml, from which flags are taken that are not typed'
complete -c footpath -n "__fish_footpath_using_subcommand test" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c footpath -n "__fish_footpath_using_subcommand merge" -l format -d 'How results are printed; schema/test.schema.json describes the JSON' -r -f -a "text\t'For people'
json\t'For programs, in the format that the schema describes'"
complete -c footpath -n "__fish_footpath_using_subcommand merge" -l emit -d 'What is written into the folder; nothing by default' -r -f -a "json\t'report.json, as `--format json` prints it'
html\t'report.html, a page for a browser'
sarif\t'report.sarif, for code scanning'
markdown\t'report.md, for a comment on a change'
lcov\t'report.info, for coverage viewers; of runs with --coverage-from that report and what the tests add'
exclusions\t'exclusions.txt, the lines that no input executes, with markers for coverage tools; of runs with --coverage-from'"
complete -c footpath -n "__fish_footpath_using_subcommand merge" -s o -l output -d 'The folder for reports' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand merge" -l deny -d 'End with exit code 1 if one of these verdicts is found' -r -f -a "infeasible\t'Code that no input executes, shown for all inputs or within bounds'
failing\t'Checks that a test makes fail'
unknown\t'Code or a check about which nothing was found out'"
complete -c footpath -n "__fish_footpath_using_subcommand merge" -l baseline -d 'Leave out the findings in this file; those on lines that have changed since are shown again' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand merge" -l write-baseline -d 'Write all findings of the shards into a file for --baseline' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand merge" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c footpath -n "__fish_footpath_using_subcommand merge" -l memory -d 'Limit on the memory of the process, in bytes or with K, M or G behind the number; what was found until it is met is reported, and the exit code is 2; 0 for none [default: three quarters of the machine\'s memory]' -r
complete -c footpath -n "__fish_footpath_using_subcommand merge" -l verbose -d 'Print all there is to say, instead of what fits on a screen'
complete -c footpath -n "__fish_footpath_using_subcommand merge" -l no-config -d 'Leave out footpath.toml, from which flags are taken that are not typed'
complete -c footpath -n "__fish_footpath_using_subcommand merge" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l procedure -l function -d 'Analyse only the function or procedure of this name; may be given several times' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l criterion -d 'What is to be covered' -r -f -a "statement\t'Every statement and branch, and every assertion\'s failure'
path\t'Every complete path within the bounds'"
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l algorithm -d 'How the cover is computed; all algorithms give the same verdicts' -r -f -a "auto\t'The best known combination for the criterion'
statement\t'The paper\'s statement cover: enabling clauses'
path\t'The paper\'s path cover: blocking clauses'
worst-case\t'One question for each minimal block'
query-optimal\t'Each question covers as many blocks as possible'
states\t'States are explored path by path, equal ones once'
single-goal\t'One question for each block, about the paths to it and nothing else'"
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l encoding -d 'How a procedure becomes a formula; both encodings give the same verdicts' -r -f -a "merged\t'A graph of shared terms, merged where control flow joins'
paper\t'The paper\'s: two variables for each block'"
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l calls -d 'What stands for a call in proofs: the callee\'s body, or a summary of the callee that is refined where a verdict depends on it. All of them give the same verdicts; a summary may prove without a bound what is otherwise proved within it' -r -f -a "inline\t'The bodies of all callees'
concrete\t'A few inputs of each callee with what it does on them, more where they do not suffice, and in the end its paths'
symbolic\t'The paths of each callee, each with its condition and its effect'
auto\t'The bodies of small callees, the paths of the others'
conditions\t'The condition under which each callee fails, and what it does otherwise, where both are known exactly, for any number of loop iterations; the bodies of the others'"
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l store -d 'Keep summaries, verdicts and tests in this folder, for later runs with the same flags; several processes may share it. For C it is by default `.footpath`, beside footpath.toml or else in the working folder. A URL names a server behind that folder, for many machines: `redis://host:port/database`, or `s3://bucket/prefix` with the variables AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l store-key -d 'Believe what is stored only if it was written with the key in this file, of 32 bytes or more, instead of a key of the user that is made when it is first needed' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l recheck -d 'Analyse this share of the functions anew, whatever is stored of them, and compare: a stored proof that a run contradicts is an internal error, and is removed. Which functions these are follows from their names' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l unwind -d 'The most iterations of each loop that are unwound' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l recursion -d 'The most times that a procedure calls itself, directly or through others' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l timeout -d 'Time limit for each procedure, in seconds; what is not decided by then is unknown; 0 for none' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l query-timeout -d 'Time limit for each question to the solver, in seconds; 0 for none' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l loop-proofs -d 'Time limit for proving, by loop summaries, that what is unreachable within the bound is unreachable without it; in seconds for each procedure, 0 to prove nothing' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l array-length -d 'The most elements that an array behind a pointer has, in tests' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l pointer-depth -d 'The most pointers that are followed one after the other from a parameter or global variable, in tests' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l check -d 'Which undefined behaviour and failures are looked for: `all`, `none`, or a list of null, bounds, subobject, alignment, use_after_free, closed_stream, free, constant, overlap, nonnull, vla_length, call_type, division, overflow, float_cast, shift, bool, builtin, unreachable, uninitialised, assert and abort; by default all but bool and uninitialised' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l format -d 'How results are printed; schema/cover.schema.json describes the JSON for Boogie programs, schema/test.schema.json that for C files' -r -f -a "text\t'For people'
json\t'For programs, in the format that the schema describes'"
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l deny -d 'End with exit code 1 if one of these verdicts is found' -r -f -a "infeasible\t'Code that no execution reaches, shown for all executions or within the bounds'
doomed\t'Code after which every execution fails or blocks'
unknown\t'Code or an assertion about which nothing was found out'"
complete -c footpath -n "__fish_footpath_using_subcommand cover" -s o -l output -d 'Write report.json, report.txt and tests/*.json into this folder; for C files the tests as C, by default into footpath-out' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l solver -d 'The solver: `z3`, or `cmd:` and the command line of any SMT-LIB 2 solver, such as \'cmd:cvc5 --incremental\'' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l cross-check -d 'Ask a second solver every question again; an answer on which the two disagree is not used' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l dump-smt -d 'Write each question to the solver into this folder, as SMT-LIB 2' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l dump-stage -d 'Write the program after a pass as .bpl, to FILE or the standard output, and cover nothing; the stages are parsed, prepared, inlined, split, unwound and sliced' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l max-blocks -d 'The most blocks of a procedure once calls are inlined and loops unwound; the rest is cut and counts as beyond the bound' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l max-tests -d 'The most tests for each procedure; what is not decided by then is unknown' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l seed -d 'The seed of all random choices' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l random-runs -d 'How many concrete runs on random inputs are tried for each procedure before the first question to the solver' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l jobs -d 'How many functions are analysed at the same time; by default one for each core' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l compile-commands -d 'Take files and their flags from this compilation database, or from compile_commands.json in this folder, as build systems write it; files that are named are those of it that are wanted' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l clang -d 'The C compiler; by default the newest clang on the search path' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l memory -d 'Limit on the memory of the process, in bytes or with K, M or G behind the number; what was found until it is met is reported, and the exit code is 2; 0 for none [default: three quarters of the machine\'s memory]' -r
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l no-store -d 'Neither read nor write a store'
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l no-null -d 'Make no test in which a parameter is a null pointer'
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l no-aliasing -d 'Make no test in which two pointers lead into the same object (aliasing)'
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l verbose -d 'Print all there is to say, instead of what fits on a screen'
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l strict -d 'Count every check that a test makes fail as failing, also where callers can avoid it, which otherwise makes it a precondition of the function'
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l infer-modifies -d 'Add globals that a procedure changes to its modifies clause, as Boogie does with /inferModifies'
complete -c footpath -n "__fish_footpath_using_subcommand cover" -l no-config -d 'Leave out footpath.toml, from which flags are taken that are not typed'
complete -c footpath -n "__fish_footpath_using_subcommand cover" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l function -l procedure -d 'Verify only the function or procedure of this name; may be given several times' -r
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l assume -d 'What may be assumed: `all`, `none`, or a list of few-rounds, no-overflow, allocation-succeeds, parameter-lengths, valid-parameters, valid-pointers, terminated-strings, distinct-parameters and callees-keep' -r
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l iterations -d 'The most iterations of a loop under the assumption few-rounds' -r
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l timeout -d 'Time limit for each function, in seconds; what is not proved by then is unverified; 0 for none [default: 20, or twice --solver-timeout if that is more]' -r
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l total-timeout -d 'Time limit for all functions together, in seconds; functions that were not begun by then are left out; 0 for none' -r
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l jobs -d 'How many functions are analysed at the same time; by default one for each core' -r
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l solver-timeout -d 'Time limit for proving, by a solver, what abstract interpretation leaves open, in seconds for each function: a part of --timeout, at most half; a tenth of it is for induction over loops; 0 to ask no solver' -r
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l partitions -d 'The most abstract states that are kept apart at a point where paths join' -r
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l results -d 'What other tools found: SARIF, or a correctness witness of SV-COMP (YAML 2.0, GraphML). Their verdicts are shown as theirs, and their invariants are used if they can be proved; may be given several times' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l guide -d 'How the annotated program guides a search for tests' -r -f -a "none\t'Not at all'
annotations\t'By what was proved of each check'
may\t'Also by giving up executions in which everything is verified'
must\t'Also by preferring executions in which nothing is verified'
may-must\t'By both of these'"
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l format -d 'How results are printed; schema/verify.schema.json describes the JSON' -r -f -a "text\t'For people'
json\t'For programs, in the format that the schema describes'"
complete -c footpath -n "__fish_footpath_using_subcommand verify" -s o -l output -d 'Write the annotated program to this file, as Boogie' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l sarif -d 'Write all verdicts to this file, as SARIF: a verified check is `pass`, others are `review`, `open` or `fail`' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l html -d 'Write a page for a browser to this file: the source with verdicts and assumptions below its lines' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l deny -d 'End with exit code 1 if one of these verdicts is found' -r -f -a "failing\t'Checks that fail whenever they are reached'
unverified\t'Checks about which nothing was found out, and which no other tool says are verified'
assumed\t'Checks that hold under assumptions only'"
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l compile-commands -d 'Take files and their flags from this compilation database, or from compile_commands.json in this folder, as build systems write it; files that are named are those of it that are wanted' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l clang -d 'The C compiler; by default the newest clang on the search path' -r
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l memory -d 'Limit on the memory of the process, in bytes or with K, M or G behind the number; what was found until it is met is reported, and the exit code is 2; 0 for none [default: three quarters of the machine\'s memory]' -r
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l sound -d 'Assume nothing'
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l modular -d 'Take callees by their contracts, even if they have bodies'
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l verbose -d 'Print all there is to say, instead of what fits on a screen'
complete -c footpath -n "__fish_footpath_using_subcommand verify" -l no-config -d 'Leave out footpath.toml, from which flags are taken that are not typed'
complete -c footpath -n "__fish_footpath_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l function -l procedure -d 'Explore only the function or procedure of this name; may be given several times' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l entry -d 'Explore the whole C program from this function, called as the system calls `main`' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l guide -d 'Verify first, under assumptions, and let what was proved guide the exploration; by default may-must where the program says that something is verified, otherwise none' -r -f -a "none\t'Not at all'
annotations\t'By what was proved of each check'
may\t'Also by giving up executions in which everything is verified'
must\t'Also by preferring executions in which nothing is verified'
may-must\t'By both of these'"
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l calls -d 'What stands for a call: the callee\'s body, or the condition under which it fails' -r -f -a "inline\t'The bodies of all callees'
conditions\t'The condition under which each callee fails, and what it does otherwise, where both are known exactly; the bodies of the others. The inputs that are found are run through the bodies'"
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l strategy -d 'Which open branch is tried next' -r -f -a "mix\t'The other strategies in turn, those that look for uncovered code more often'
dfs\t'The deepest branch of the latest run'
bfs\t'The branch nearest to the entry'
random-path\t'A random walk from the entry, with equal chances at each branch'
generational\t'All branches of the run that covered most'
coverage\t'The branch nearest to uncovered code'
fitness\t'A branch of the run that came nearest to uncovered code, by branch distance'"
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l keep -d 'Which runs become tests' -r -f -a "new\t'Those that cover something first, or fail in a new place'
all\t'One for each path'"
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l loop-summaries-after -d 'Ask loop summaries about uncovered code after N questions in a row that covered nothing new: they may prove it unreachable, propose inputs, or say which branches cannot lead there; 0 for never' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l snapshots -d 'Whether a run starts from a stored state of an earlier run with the same decisions; this changes only the time that an exploration takes' -r -f -a "on\t'Do so'
off\t'Do not do so'"
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l seed -d 'The seed of all random choices' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l random-runs -d 'The most runs on random inputs before the first question to the solver' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l timeout -d 'Time limit for each function or procedure, in seconds; 0 for none' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l query-timeout -d 'Time limit for each question to the solver, in seconds; 0 for none' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l retries -d 'How often a question that ran out of time is asked again' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l retry-factor -d 'By what factor the time limit of a question grows when it is asked again' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l max-branches -d 'The most branches on one path that depend on inputs; later ones are followed, but not negated' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l max-iterations -d 'The most times that a path returns to the head of a loop before it leaves it; with --keep all this is path coverage within a bound. Runs that go further are followed, but not varied [default: any number]' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l max-calls -d 'The most calls that are open at the same time' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l max-runs -d 'The most symbolic runs' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l max-steps -d 'The most statements and jumps in one run' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l max-interrupts -d 'The most runs that `tryfirst` may interrupt; beyond that it has no effect' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l max-nodes -d 'The most nodes of the execution tree' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l max-terms -d 'The most symbolic terms that are built' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l save -d 'Keep the exploration in this folder, so that --resume can continue it, even if this process is killed' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l resume -d 'Continue the exploration that --save keeps in this folder, and keep it there' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l solver -d 'The solver: `z3`, or `cmd:` and the command line of any SMT-LIB 2 solver, such as \'cmd:cvc5 --incremental\'' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l dump-smt -d 'Write each question to the solver into this folder, as SMT-LIB 2' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l results -d 'What other tools found, as SARIF. A check that they say is proved is looked at like any other: a test refutes the claim, and where nothing is found out, the check is told to hold if the claim is right; may be given several times' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l array-length -d 'The most elements that an array behind a pointer has, in tests' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l pointer-depth -d 'The most pointers that are followed one after the other from a parameter or global variable, in tests' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l check -d 'Which undefined behaviour and failures are looked for: `all`, `none`, or a list of null, bounds, subobject, alignment, use_after_free, closed_stream, free, constant, overlap, nonnull, vla_length, call_type, division, overflow, float_cast, shift, bool, builtin, unreachable, uninitialised, assert and abort; by default all but bool and uninitialised' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l jobs -d 'How many C functions are explored at the same time; by default one for each core' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l format -d 'How results are printed; schema/cover.schema.json describes the JSON for Boogie programs, schema/test.schema.json that for C files' -r -f -a "text\t'For people'
json\t'For programs, in the format that the schema describes'"
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l emit -d 'What is written into the folder, for C files' -r -f -a "c\t'The tests as C, with a Makefile and a CMakeLists.txt'
json\t'report.json, as `--format json` prints it'
html\t'report.html, a page for a browser'
sarif\t'report.sarif, for code scanning'
markdown\t'report.md, for a comment on a change'
lcov\t'report.info, for coverage viewers; with --coverage-from that report and what the tests add'
exclusions\t'exclusions.txt, the lines that no input executes, with markers for coverage tools; with --coverage-from'
fuzz\t'fuzz_FUNCTION.c, a harness for libFuzzer, fuzz_FUNCTION_corpus/ with its tests, and fuzz.mk, which builds them'
ktest\t'ktest_FUNCTION/, the tests as KLEE has test cases'
testcomp\t'test-suite/metadata.xml and testcase-N.xml, as Test-Comp takes them; with --entry'"
complete -c footpath -n "__fish_footpath_using_subcommand explore" -s o -l output -d 'The folder for tests and reports; for C files footpath-out by default' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l compile-commands -d 'Take files and their flags from this compilation database, or from compile_commands.json in this folder, as build systems write it; files that are named are those of it that are wanted' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l clang -d 'The C compiler; by default the newest clang on the search path' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l memory -d 'Limit on the memory of the process, in bytes or with K, M or G behind the number; what was found until it is met is reported, and the exit code is 2; 0 for none [default: three quarters of the machine\'s memory]' -r
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l merge -d 'Merge the two sides of a short branch into one path where everything on both is covered; everything reachable is still found, but not every path is run'
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l subsume -d 'Leave out branches behind which nothing is uncovered; not with --keep all'
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l until-covered -d 'Stop when everything is covered, although paths are left'
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l infer-modifies -d 'Add globals that a procedure changes to its modifies clause, as Boogie does with /inferModifies'
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l no-null -d 'Make no test in which a parameter is a null pointer'
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l no-aliasing -d 'Make no test in which two pointers lead into the same object (aliasing)'
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l verbose -d 'Print all there is to say, instead of what fits on a screen'
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l strict -d 'Count every check that a test makes fail as failing, also where callers can avoid it, which otherwise makes it a precondition of the function'
complete -c footpath -n "__fish_footpath_using_subcommand explore" -l no-config -d 'Leave out footpath.toml, from which flags are taken that are not typed'
complete -c footpath -n "__fish_footpath_using_subcommand explore" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l function -l procedure -d 'Analyse only the function or procedure of this name; may be given several times' -r
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l segments -d 'Where a function is cut into segments: `branch`, at joins behind which there is still a branch; `loop`, at loops only; a number, at joins after that many branches; `none`, nowhere, so that whole paths are run; `auto`, as `branch` where whole paths take more than a small part of the time' -r
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l effort -d 'How much is done to make conditions short; it does not change their meaning' -r -f -a "none\t'Nothing'
syntactic\t'What can be seen without a solver'
prime\t'No literal and no disjunct can be left out'
thorough\t'The shortest of several such results'"
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l iterations -d 'The most iterations of a loop after which its conditions are given up' -r
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l calls -d 'What stands for a call of a function that is called often or calls itself' -r -f -a "instantiated\t'The condition under which it fails, if that is exact, and what its runs do that somebody may read'
inlined\t'Its body'"
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l recursion -d 'The most times that an inlined function calls itself, directly or through others' -r
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l runs -d 'The most runs of each segment; beyond that the condition is sufficient, but not necessary' -r
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l timeout -d 'Time limit for each function, in seconds; 0 for none' -r
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l jobs -d 'How many C functions are analysed at the same time; by default one for each core' -r
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l query-timeout -d 'Time limit for each question to the solver, in seconds; 0 for none' -r
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l solver -d 'The solver: `z3`, or `cmd:` and the command line of any SMT-LIB 2 solver, such as \'cmd:cvc5 --incremental\'' -r
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l format -d 'How results are printed; schema/failures.schema.json describes the JSON' -r -f -a "text\t'For people'
json\t'For programs, in the format that the schema describes'"
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l array-length -d 'The most elements that an array behind a pointer has, in tests' -r
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l pointer-depth -d 'The most pointers that are followed one after the other from a parameter or global variable, in tests' -r
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l check -d 'Which undefined behaviour and failures are looked for: `all`, `none`, or a list of null, bounds, subobject, alignment, use_after_free, closed_stream, free, constant, overlap, nonnull, vla_length, call_type, division, overflow, float_cast, shift, bool, builtin, unreachable, uninitialised, assert and abort; by default all but bool and uninitialised' -r
complete -c footpath -n "__fish_footpath_using_subcommand failures" -s o -l output -d 'Keep the tests of C functions in this folder' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l compile-commands -d 'Take files and their flags from this compilation database, or from compile_commands.json in this folder, as build systems write it; files that are named are those of it that are wanted' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l clang -d 'The C compiler; by default the newest clang on the search path' -r
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l memory -d 'Limit on the memory of the process, in bytes or with K, M or G behind the number; what was found until it is met is reported, and the exit code is 2; 0 for none [default: three quarters of the machine\'s memory]' -r
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l infer-modifies -d 'Add globals that a procedure changes to its modifies clause, as Boogie does with /inferModifies'
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l no-null -d 'Make no test in which a parameter is a null pointer'
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l no-aliasing -d 'Make no test in which two pointers lead into the same object (aliasing)'
complete -c footpath -n "__fish_footpath_using_subcommand failures" -l no-config -d 'Leave out footpath.toml, from which flags are taken that are not typed'
complete -c footpath -n "__fish_footpath_using_subcommand failures" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l target -d 'The place that is asked about: FILE:LINE, FILE:LINE:COLUMN, a label, or the name of a function; for an external C function, each of its calls. May be given several times' -r
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l function -d 'The function or procedure in which runs start. By default, runs to a line start in the one that contains it. If any target is a name, all runs start in main if there is one; else runs to a name start in the functions that nothing calls. Global variables of a C program have their initial values if it is main, and any values otherwise' -r
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l timeout -d 'Time limit for each target, in seconds; a target that is not decided by then is unknown; 0 for none' -r
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l max-unfold -d 'The most iterations of a loop that are unfolded; the others are described by a summary' -r
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l recursion -d 'The most times that a procedure calls itself before its calls are cut' -r
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l format -d 'How results are printed; schema/reach.schema.json describes the JSON' -r -f -a "text\t'For people'
json\t'For programs, in the format that the schema describes'"
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l dump-tree -d 'Write the backbone tree of the target into this file: the ways to it, and the loops on them, in the source\'s terms; as a drawing if the name ends in `.svg`. Of several targets, the others\' files have their numbers' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l deny -d 'End with exit code 1 if one of these verdicts is found' -r -f -a "unreachable\t'No run reaches a target'
reached\t'A test reaches a target'
unknown\t'Nothing was found out about a target'"
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l solver -d 'The solver: `z3`, or `cmd:` and the command line of any SMT-LIB 2 solver, such as \'cmd:cvc5 --incremental\'' -r
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l cross-check -d 'Ask a second solver every question again; an answer on which the two disagree is not used' -r
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l dump-smt -d 'Write each question to the solver into this folder, as SMT-LIB 2, necessary conditions among them' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l array-length -d 'The most elements that an array behind a pointer has, in tests' -r
complete -c footpath -n "__fish_footpath_using_subcommand reach" -s o -l output -d 'The folder for tests of C functions' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l compile-commands -d 'Take files and their flags from this compilation database, or from compile_commands.json in this folder, as build systems write it; files that are named are those of it that are wanted' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l clang -d 'The C compiler; by default the newest clang on the search path' -r
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l memory -d 'Limit on the memory of the process, in bytes or with K, M or G behind the number; what was found until it is met is reported, and the exit code is 2; 0 for none [default: three quarters of the machine\'s memory]' -r
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l show-condition -d 'Show the necessary condition also of targets that were decided'
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l infer-modifies -d 'Add globals that a procedure changes to its modifies clause, as Boogie does with /inferModifies'
complete -c footpath -n "__fish_footpath_using_subcommand reach" -l no-config -d 'Leave out footpath.toml, from which flags are taken that are not typed'
complete -c footpath -n "__fish_footpath_using_subcommand reach" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c footpath -n "__fish_footpath_using_subcommand check" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c footpath -n "__fish_footpath_using_subcommand check" -l compile-commands -d 'Take files and their flags from this compilation database, or from compile_commands.json in this folder, as build systems write it; files that are named are those of it that are wanted' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand check" -l clang -d 'The C compiler; by default the newest clang on the search path' -r
complete -c footpath -n "__fish_footpath_using_subcommand check" -l memory -d 'Limit on the memory of the process, in bytes or with K, M or G behind the number; what was found until it is met is reported, and the exit code is 2; 0 for none [default: three quarters of the machine\'s memory]' -r
complete -c footpath -n "__fish_footpath_using_subcommand check" -l print -d 'Print the program as Footpath understands it, as .bpl'
complete -c footpath -n "__fish_footpath_using_subcommand check" -l infer-modifies -d 'Add globals that a procedure changes to its modifies clause, as Boogie does with /inferModifies'
complete -c footpath -n "__fish_footpath_using_subcommand check" -l no-config -d 'Leave out footpath.toml, from which flags are taken that are not typed'
complete -c footpath -n "__fish_footpath_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c footpath -n "__fish_footpath_using_subcommand header" -l memory -d 'Limit on the memory of the process, in bytes or with K, M or G behind the number; what was found until it is met is reported, and the exit code is 2; 0 for none [default: three quarters of the machine\'s memory]' -r
complete -c footpath -n "__fish_footpath_using_subcommand header" -l no-config -d 'Leave out footpath.toml, from which flags are taken that are not typed'
complete -c footpath -n "__fish_footpath_using_subcommand header" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c footpath -n "__fish_footpath_using_subcommand init" -l memory -d 'Limit on the memory of the process, in bytes or with K, M or G behind the number; what was found until it is met is reported, and the exit code is 2; 0 for none [default: three quarters of the machine\'s memory]' -r
complete -c footpath -n "__fish_footpath_using_subcommand init" -l no-config -d 'Leave out footpath.toml, from which flags are taken that are not typed'
complete -c footpath -n "__fish_footpath_using_subcommand init" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c footpath -n "__fish_footpath_using_subcommand store" -l store -d 'The store, a folder or a server as for `footpath test`; by default `.footpath`, beside footpath.toml or else in the working folder' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand store" -l store-key -d 'The key that it was written with, as for `footpath test`' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand store" -l older-than -d 'With `prune`: remove what nobody used for so many days; of object storage, what was written so long ago' -r
complete -c footpath -n "__fish_footpath_using_subcommand store" -l max-size -d 'With `prune`: remove what was used longest ago until the rest has no more than so many bytes, with K, M or G behind the number. What was used within an hour stays' -r
complete -c footpath -n "__fish_footpath_using_subcommand store" -l memory -d 'Limit on the memory of the process, in bytes or with K, M or G behind the number; what was found until it is met is reported, and the exit code is 2; 0 for none [default: three quarters of the machine\'s memory]' -r
complete -c footpath -n "__fish_footpath_using_subcommand store" -l no-config -d 'Leave out footpath.toml, from which flags are taken that are not typed'
complete -c footpath -n "__fish_footpath_using_subcommand store" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c footpath -n "__fish_footpath_using_subcommand bench" -l runs -d 'For `guide`: runs of each function in each configuration' -r
complete -c footpath -n "__fish_footpath_using_subcommand bench" -l seed -d 'The seed of the first program of each size; the others follow' -r
complete -c footpath -n "__fish_footpath_using_subcommand bench" -s o -l out -d 'Write tables, measurements and plots into this folder' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand bench" -l diamonds -d 'Sizes of the programs: one number, or the first and the last' -r
complete -c footpath -n "__fish_footpath_using_subcommand bench" -l per-size -d 'How many programs of each size' -r
complete -c footpath -n "__fish_footpath_using_subcommand bench" -l timeout -d 'Seconds for each program and algorithm; 0 for no limit' -r
complete -c footpath -n "__fish_footpath_using_subcommand bench" -l published-timeout -d 'Seconds for each program and each published algorithm, if that is less, with `rvc`; 0 for no other limit' -r
complete -c footpath -n "__fish_footpath_using_subcommand bench" -l algorithms -d 'The algorithms, by name; also `default`, `paper` (the four of the paper) and `all`' -r
complete -c footpath -n "__fish_footpath_using_subcommand bench" -l write-bpl -d 'Also write the programs as .bpl files into this folder' -r -F
complete -c footpath -n "__fish_footpath_using_subcommand bench" -l jobs -d 'How many programs are measured at a time; more than one disturbs the times' -r
complete -c footpath -n "__fish_footpath_using_subcommand bench" -l threads -d 'Threads for each program, with `rvc`' -r
complete -c footpath -n "__fish_footpath_using_subcommand bench" -l unwind -d 'For `tools`: iterations of each loop, in CBMC and in Footpath\'s proofs' -r
complete -c footpath -n "__fish_footpath_using_subcommand bench" -l cbmc -d 'For `tools`: how CBMC is called' -r
complete -c footpath -n "__fish_footpath_using_subcommand bench" -l memory -d 'Limit on the memory of the process, in bytes or with K, M or G behind the number; what was found until it is met is reported, and the exit code is 2; 0 for none [default: three quarters of the machine\'s memory]' -r
complete -c footpath -n "__fish_footpath_using_subcommand bench" -l no-config -d 'Leave out footpath.toml, from which flags are taken that are not typed'
complete -c footpath -n "__fish_footpath_using_subcommand bench" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c footpath -n "__fish_footpath_using_subcommand help; and not __fish_seen_subcommand_from test merge cover verify explore failures reach check header init store bench help" -f -a "test" -d 'Test C functions: tests that really ran, and proofs for what no test can reach'
complete -c footpath -n "__fish_footpath_using_subcommand help; and not __fish_seen_subcommand_from test merge cover verify explore failures reach check header init store bench help" -f -a "merge" -d 'Make one report of those of all parts of a run, of `footpath test --shard K/N` or `--unit FILE`'
complete -c footpath -n "__fish_footpath_using_subcommand help; and not __fish_seen_subcommand_from test merge cover verify explore failures reach check header init store bench help" -f -a "cover" -d 'Cover every statement, branch and assertion: a test, or a proof that there is none'
complete -c footpath -n "__fish_footpath_using_subcommand help; and not __fish_seen_subcommand_from test merge cover verify explore failures reach check header init store bench help" -f -a "verify" -d 'Verify checks for all inputs, and list the assumptions that the proofs need'
complete -c footpath -n "__fish_footpath_using_subcommand help; and not __fish_seen_subcommand_from test merge cover verify explore failures reach check header init store bench help" -f -a "explore" -d 'Explore paths by dynamic symbolic execution, from the entry and as far as the bounds allow'
complete -c footpath -n "__fish_footpath_using_subcommand help; and not __fish_seen_subcommand_from test merge cover verify explore failures reach check header init store bench help" -f -a "failures" -d 'Say under which inputs functions fail'
complete -c footpath -n "__fish_footpath_using_subcommand help; and not __fish_seen_subcommand_from test merge cover verify explore failures reach check header init store bench help" -f -a "reach" -d 'Say whether single places can be reached, with any number of loop iterations'
complete -c footpath -n "__fish_footpath_using_subcommand help; and not __fish_seen_subcommand_from test merge cover verify explore failures reach check header init store bench help" -f -a "check" -d 'Read and type-check files, and say what is wrong with them'
complete -c footpath -n "__fish_footpath_using_subcommand help; and not __fish_seen_subcommand_from test merge cover verify explore failures reach check header init store bench help" -f -a "header" -d 'Print `footpath.h`, with which a C program says what it assumes, asserts and takes as input'
complete -c footpath -n "__fish_footpath_using_subcommand help; and not __fish_seen_subcommand_from test merge cover verify explore failures reach check header init store bench help" -f -a "init" -d 'Write `footpath.toml`, in which a project has its flags, with all of them as comments'
complete -c footpath -n "__fish_footpath_using_subcommand help; and not __fish_seen_subcommand_from test merge cover verify explore failures reach check header init store bench help" -f -a "store" -d 'Say how large a store is, remove what nobody uses, or look whether it is whole'
complete -c footpath -n "__fish_footpath_using_subcommand help; and not __fish_seen_subcommand_from test merge cover verify explore failures reach check header init store bench help" -f -a "bench" -d 'Measure: run an experiment, most of them from papers, and compare algorithms'
complete -c footpath -n "__fish_footpath_using_subcommand help; and not __fish_seen_subcommand_from test merge cover verify explore failures reach check header init store bench help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
