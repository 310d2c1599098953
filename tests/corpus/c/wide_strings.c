/* Strings of wide characters are what those of bytes are. */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int prefix(wchar_t *to, int is_unix)
{
    const wchar_t *scheme = is_unix ? L"file://" : L"file:///";
    size_t length = wcslen(scheme);
    if (length > 8)
        return 0; //@ unreachable
    memcpy(to, scheme, length * sizeof *to); //@ fails bounds
    return 1; //@ covered
}

int is_magic(const wchar_t *name)
{
    if (wcscmp(name, L"magic") == 0) //@ fails bounds
        return 1; //@ covered
    if (wcscmp(name, L"n\x2014") > 1)
        return 2; //@ unreachable
    return 0; //@ covered
}

int extension(const wchar_t name[static 4])
{
    wchar_t copy[4];
    wcsncpy(copy, name, 3);
    copy[3] = 0;
    wchar_t *dot = wcsrchr(copy, L'.');
    if (!dot)
        return 0; //@ covered
    if (dot - copy > 2)
        return 1; //@ unreachable?
    return wcsspn(dot + 1, L"ch") == 1 ? 2 : 3; //@ covered
}

int four(void)
{
    wchar_t b4[4];
    wcscpy(b4, L"four"); //@ fails bounds
    return b4[0]; //@ may run
}
