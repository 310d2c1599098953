//! What `footpath test` writes into the files of tests. Which inputs it finds is said by the programs of the corpus. It needs a clang.

use super::testing::{check, corpus, folder, make, verdicts, write};

/// Whatever is in the text that nobody fills, and which part of it is less.
#[test]
fn a_result_that_memory_decides_is_shown_and_not_expected() {
    let folder = folder("open");
    corpus(&folder, "external_results.c");
    check(&folder, &["external_results.c", "--function", "put", "-o", "out"], 0, &["put"]);
    let put = std::fs::read_to_string(folder.join("out/test_external_results.c")).expect("the tests of put");
    assert!(put.contains("FOOTPATH_SHOW_INT") && !put.contains("FOOTPATH_EXPECT_INT"), "{put}");
}

#[test]
fn pointers_lead_into_one_object_unless_that_is_switched_off() {
    let folder = folder("addresses");
    corpus(&folder, "pointer_ranges.c");
    let args = ["pointer_ranges.c", "-o", "out", "--function", "digits"];
    let tests = || std::fs::read_to_string(folder.join("out/test_pointer_ranges.c")).expect("tests");
    check(&folder, &args, 0, &[]);
    assert!(tests().contains("(void *)(p_object + "), "{}", tests());
    assert!(make(&folder).contains("ok digits_"));
    check(&folder, &[&args[..], &["--no-sharing"]].concat(), 0, &[]);
    assert!(!tests().contains("p_object + "), "{}", tests());
}

#[test]
fn what_is_another_files_own_is_not_set() {
    let folder = folder("own");
    write(
        &folder,
        "state.c",
        "static int state;\nint get(void) { return state; }\nvoid put(int n) { state = n; }\n",
    );
    let user =
        "int get(void);\nvoid put(int);\nint pass(int n) { put(n); if (get() == 7) return 2; return 0; }\n";
    write(&folder, "user.c", user);
    let output = check(&folder, &["user.c", "state.c", "-o", "out", "--format", "json"], 0, &[]);
    assert!(verdicts(&output).iter().all(|verdict| verdict.contains("covered")), "{:?}", verdicts(&output));
    assert!(make(&folder).contains("ok pass_returns_2"));
}

#[test]
fn structures_that_another_file_defines_have_their_pointers() {
    let folder = folder("opaque");
    write(
        &folder,
        "tree.h",
        "struct tree;\nint is_leaf(const struct tree *);\nconst struct tree *left(const struct tree *);\n",
    );
    write(
        &folder,
        "tree.c",
        "#include \"tree.h\"\nenum kind { LEAF = 5, INNER };\ntypedef struct tree link;\n\
         struct tree { enum kind kind; union { link *left; const char *name; }; link *rest[2]; };\n\
         int is_leaf(const struct tree *t) { return t->kind == LEAF; }\n\
         const struct tree *left(const struct tree *t) { return t->left; }\n",
    );
    let user = "#include \"tree.h\"\nint leans(const struct tree *t)\n{\n    if (is_leaf(t) || !left(t))\n        return 0;\n    \
                if (is_leaf(left(t)))\n        return 1;\n    return 2;\n}\n";
    write(&folder, "user.c", user);
    let output =
        check(&folder, &["user.c", "tree.c", "--function", "leans", "-o", "out", "--format", "json"], 0, &[]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let objectives = report["functions"][0]["objectives"].as_array().expect("objectives");
    let blocks: Vec<_> = objectives.iter().filter(|o| o["kind"] == "block").collect();
    assert!(blocks.len() > 4 && blocks.iter().all(|o| o["verdict"] == "covered"), "{blocks:?}");
    let made = make(&folder);
    assert!(made.contains("ok leans_returns_1") && made.contains("ok leans_returns_2"), "{made}");
}
