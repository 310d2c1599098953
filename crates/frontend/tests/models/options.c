/* Compares the model of getopt with the library's, call by call, on random command lines; see harness.c. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned below(unsigned n);
void forget_answers(void);
void answer(int n);

extern char *model_optarg;
extern int model_optind, model_opterr, model_optopt;

int model_getopt(int, char *const *, const char *);
int model_getopt_long(int, char *const *, const char *, const struct option *, int *);
int model_getopt_long_only(int, char *const *, const char *, const struct option *, int *);

enum { MOST = 7, CALLS = 12 };

static void show(const char *whose, char **arguments, int count)
{
    printf("%s:", whose);
    for (int i = 0; i < count; i++)
        printf(" %s", arguments[i]);
    printf("\n");
}

/* The number of calls compared; it ends the program where they differ. */
int compare_options(void)
{
    static char *const some[] = {"-a", "-b", "-bx", "-c", "-cx", "-ab", "-acb", "--", "x", "-", "--alpha", "--al",
        "--alp", "--beta=3", "--beta", "--be", "--b=", "--gamma", "--gamma=", "--gam", "--ga", "-alpha", "-beta=4",
        "--alpha=1", "", "-:", "--=", "-z", "---", "-gam"};
    static const char *const known[] = {"ab:c::", "+ab:", "-ab:c", "", ":ab:c::", "+:b:", "-:ab:"};
    static int flags[2];
    static const struct option names[2][6] = {
        {{"alpha", 0, 0, 1}, {"alps", 0, 0, 2}, {"beta", 1, 0, 3}, {"gamma", 2, 0, 4}, {"gam", 0, flags, 5}},
        {{"alpha", 0, 0, 1}, {"alps", 0, 0, 2}, {"beta", 1, 0, 3}, {"gamma", 2, 0, 4}, {"gam", 0, flags + 1, 5}},
    };
    char *mine[MOST + 1] = {"program"}, *real[MOST + 1] = {"program"};
    const char *options = known[below(sizeof known / sizeof *known)];
    int count = 1 + (int)below(MOST - 1), way = (int)below(3), calls = 0, more = 1;
    for (int i = 1; i < count; i++)
        mine[i] = real[i] = some[below(sizeof some / sizeof *some)];
    /* The environment does not ask for another way. */
    forget_answers();
    answer(-1);
    optind = model_optind = 0;
    opterr = 0;
    flags[0] = flags[1] = 0;
    while (more && calls++ < CALLS) {
        int indices[2] = {-1, -1}, results[2];
        switch (way) {
        case 0:
            results[0] = model_getopt(count, mine, options);
            results[1] = getopt(count, real, options);
            break;
        case 1:
            results[0] = model_getopt_long(count, mine, options, names[0], indices);
            results[1] = getopt_long(count, real, options, names[1], indices + 1);
            break;
        default:
            results[0] = model_getopt_long_only(count, mine, options, names[0], indices);
            results[1] = getopt_long_only(count, real, options, names[1], indices + 1);
        }
        more = results[1] != -1;
        if (results[0] != results[1] || indices[0] != indices[1] || model_optind != optind || model_optarg != optarg
            || (results[1] == '?' && model_optopt != optopt) || flags[0] != flags[1]
            || memcmp(mine, real, sizeof mine)) {
            printf("getopt %d of %s: %d, %d; at %d, %d; argument %s, %s; %d, %d\n", way, options, results[0], results[1],
                model_optind, optind, model_optarg, optarg, model_optopt, optopt);
            show("mine", mine, count);
            show("real", real, count);
            exit(1);
        }
    }
    forget_answers();
    return calls;
}
