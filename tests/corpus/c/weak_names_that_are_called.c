// A weak name that no file defines is tested where there is one: that there is none, a linker decides.
extern void hook(void) __attribute__((weak));
extern int plugin(int) __attribute__((weak));
extern int setting __attribute__((weak));

int calls(void)
{
    if (hook) {
        hook();
        return 1; //@ covered
    }
    return 2; //@ may run
}

int forwards(int n)
{
    if (!plugin)
        return -1; //@ may run
    return plugin(n); //@ covered
}

int reads(void)
{
    if (&setting)
        return setting; //@ covered
    return -1; //@ may run
}

//@ run: test --timeout 20
//@ exit: 0
//| function  blocks  branches  failing  infeasible  unknown  tests
//| calls     3/4     1/2             0           0        2      1
//| forwards  3/4     1/2             0           0        2      1
//| reads     3/4     1/2             0           0        3      1
//| total     9/12    3/6             0           0        7      3
//|
//| calls (weak_names_that_are_called.c:6:5, tests in SCRATCH/out/test_weak_names_that_are_called.c)
//|
//|   unknown: 2 places: no test reaches it unless weak names are not defined, or defined by other files, which tests leave out [left-out-by-tests]
//|     8:9 `hook`, 12:5 `return`
//|
//| forwards (weak_names_that_are_called.c:15:5, tests in SCRATCH/out/test_weak_names_that_are_called.c)
//|
//|   unknown: 2 places: no test reaches it unless weak names are not defined, or defined by other files, which tests leave out [left-out-by-tests]
//|     17:9 `!`, 18:9 `return`
//|
//| reads (weak_names_that_are_called.c:22:5, tests in SCRATCH/out/test_weak_names_that_are_called.c)
//|
//|   unknown: 2 places: no test reaches it unless weak names are not defined, or defined by other files, which tests leave out [left-out-by-tests]
//|     24:9 `&`, 26:5 `return`
//|   unknown: 1 check: no test reaches it unless weak names are not defined, or defined by other files, which tests leave out [left-out-by-tests]
//|     25:16 `setting`
//|
//| 3 tests, T s
//| run the tests with `make -C SCRATCH/out`
