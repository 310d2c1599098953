/* Options of the command line as glibc takes them apart: arguments that are none are moved behind the options, unless the
   first character of `options` or the environment asks for another way. Nothing is written about errors. */
typedef __SIZE_TYPE__ size_t;

char *getenv(const char *name);

struct option { const char *name; int has_arg; int *flag; int val; };

enum { NO_ARGUMENT, NEEDS_ARGUMENT };
enum { MOVE, STOP, GIVE };

__attribute__((weak)) char *optarg;
__attribute__((weak)) int optind = 1;
__attribute__((weak)) int opterr = 1;
__attribute__((weak)) int optopt = '?';

/* What was seen so far: the rest of an argument with several options, and the arguments that are none, which lie between
   options already taken and those to come. */
static struct { char *rest; int first, last, way; _Bool begun; } seen;

/* A command line as it was given. */
struct line { int count; char **arguments; const char *options; const struct option *names; int *index; _Bool only_names; };

static _Bool is_option(const char *argument)
{
    return argument[0] == '-' && argument[1];
}

static _Bool ends_options(const char *argument)
{
    return argument[0] == '-' && argument[1] == '-' && !argument[2];
}

static void begin(const char *options)
{
    if (optind == 0)
        optind = 1;
    seen.first = seen.last = optind;
    seen.rest = 0;
    seen.way = *options == '-' ? GIVE : *options == '+' || getenv("POSIXLY_CORRECT") ? STOP : MOVE;
    seen.begun = 1;
}

static void reverse(char **arguments, int from, int end)
{
    while (from < --end) {
        char *argument = arguments[from];
        arguments[from++] = arguments[end];
        arguments[end] = argument;
    }
}

/* Puts the options that were taken since before the arguments that are none. */
static void move_back(char **arguments)
{
    reverse(arguments, seen.first, seen.last);
    reverse(arguments, seen.last, optind);
    reverse(arguments, seen.first, optind);
    seen.first += optind - seen.last;
    seen.last = optind;
}

/* Goes to the next option: 0 if there is one, or else what the call gives. */
static int next_argument(const struct line *line)
{
    if (seen.last > optind)
        seen.last = optind;
    if (seen.first > optind)
        seen.first = optind;
    if (seen.way == MOVE) {
        if (seen.first != seen.last && seen.last != optind)
            move_back(line->arguments);
        else if (seen.last != optind)
            seen.first = optind;
        while (optind < line->count && !is_option(line->arguments[optind]))
            optind++;
        seen.last = optind;
    }
    if (optind != line->count && ends_options(line->arguments[optind])) {
        optind++;
        if (seen.first != seen.last && seen.last != optind)
            move_back(line->arguments);
        else if (seen.first == seen.last)
            seen.first = optind;
        seen.last = optind = line->count;
    }
    if (optind == line->count) {
        if (seen.first != seen.last)
            optind = seen.first;
        return -1;
    }
    if (is_option(line->arguments[optind]))
        return 0;
    if (seen.way == STOP)
        return -1;
    optarg = line->arguments[optind++];
    return 1;
}

/* How much of a text another one begins with, up to its end or an equals sign: 2 if that is all of it, 1 if it is some. */
static int fit(const char *name, const char *given)
{
    for (; *given && *given != '='; name++, given++)
        if (*name != *given)
            return 0;
    return *name ? 1 : 2;
}

/* The position of the option that an argument names, all of it or so much that it is the only one; -1 if there is none, -2
   if there are several. */
static int named(const struct line *line, const char *given)
{
    int found = -1;
    for (int i = 0; line->names[i].name; i++) {
        int fits = fit(line->names[i].name, given);
        if (fits == 2)
            return i;
        if (!fits)
            continue;
        const struct option *one = line->names + found, *this = line->names + i;
        if (found == -1)
            found = i;
        else if (found >= 0 && (line->only_names || one->has_arg != this->has_arg || one->flag != this->flag || one->val != this->val))
            found = -2;
    }
    /* All of a later name may be what fitted several in part. */
    return found;
}

static _Bool is_known(const char *options, char c)
{
    while (*options && *options != c)
        options++;
    return *options != 0;
}

static int missing_argument(const char *options)
{
    options += *options == '-' || *options == '+';
    return *options == ':' ? ':' : '?';
}

/* An option by its name. -1 if it is none, but may be options of one character. */
static int long_option(const struct line *line, char *given)
{
    const char *argument = line->arguments[optind];
    int found = named(line, given);
    if (found < 0) {
        if (found == -1 && line->only_names && argument[1] != '-' && is_known(line->options, *given))
            return -1;
        seen.rest = 0;
        optind++;
        optopt = 0;
        return '?';
    }
    const struct option *option = line->names + found;
    seen.rest = 0;
    optind++;
    while (*given && *given != '=')
        given++;
    if (*given) {
        if (option->has_arg == NO_ARGUMENT) {
            optopt = option->val;
            return '?';
        }
        optarg = given + 1;
    } else if (option->has_arg == NEEDS_ARGUMENT) {
        if (optind >= line->count) {
            optopt = option->val;
            return missing_argument(line->options);
        }
        optarg = line->arguments[optind++];
    }
    if (line->index)
        *line->index = found;
    if (!option->flag)
        return option->val;
    *option->flag = option->val;
    return 0;
}

/* An option of one character, at the rest of an argument. */
static int short_option(const struct line *line)
{
    const char *known = line->options;
    int c = *seen.rest++;
    known += *known == '-' || *known == '+';
    while (*known && *known != c)
        known++;
    if (!*seen.rest)
        optind++;
    if (!*known || c == ':' || c == ';') {
        optopt = c;
        return '?';
    }
    if (known[1] != ':')
        return c;
    if (*seen.rest) {
        optarg = seen.rest;
        optind++;
    } else if (known[2] != ':') {
        if (optind == line->count) {
            optopt = c;
            c = missing_argument(line->options);
        } else {
            optarg = line->arguments[optind++];
        }
    }
    seen.rest = 0;
    return c;
}

static int next_option(const struct line *line)
{
    if (line->count < 1)
        return -1;
    optarg = 0;
    if (optind == 0 || !seen.begun)
        begin(line->options);
    if (!seen.rest || !*seen.rest) {
        int end = next_argument(line);
        if (end)
            return end;
        char *argument = line->arguments[optind];
        _Bool is_name = argument[1] == '-' || (line->only_names && (argument[2] || !is_known(line->options, argument[1])));
        if (line->names && is_name) {
            int option = long_option(line, argument + (argument[1] == '-' ? 2 : 1));
            if (option != -1)
                return option;
        }
        seen.rest = argument + 1;
    }
    return short_option(line);
}

int getopt(int count, char *const *arguments, const char *options)
{
    struct line line = {count, (char **)arguments, options, 0, 0, 0};
    return next_option(&line);
}

int getopt_long(int count, char *const *arguments, const char *options, const struct option *names, int *index)
{
    struct line line = {count, (char **)arguments, options, names, index, 0};
    return next_option(&line);
}

int getopt_long_only(int count, char *const *arguments, const char *options, const struct option *names, int *index)
{
    struct line line = {count, (char **)arguments, options, names, index, 1};
    return next_option(&line);
}
