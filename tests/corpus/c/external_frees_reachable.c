/* An external function may free what it was given or can reach, which is assumed away, and is not where it could reach nothing. */
#include <netdb.h>
#include <stdlib.h>
void destroy(int *p);
void look(int n);

int given(int *p)
{
    if (!p)
        return 0; //@ covered
    destroy(p);
    return *p; //@ may fail use_after_free
}

int kept(int *p)
{
    if (!p)
        return 0; //@ covered
    look(3);
    return *p; //@ may fail use_after_free
}

int own(void)
{
    int *p = malloc(4);
    if (!p)
        return 0; //@ covered
    *p = 4; //@ holds use_after_free
    look(1);
    int r = *p; //@ holds use_after_free
    free(p); //@ holds free
    return r; //@ covered
}

int passed(void)
{
    int *p = malloc(4);
    if (!p)
        return 0; //@ covered
    *p = 4; //@ holds use_after_free
    destroy(p);
    return *p; //@ may fail use_after_free
}

int found(struct addrinfo *a)
{
    if (!a)
        return 0; //@ covered
    freeaddrinfo(a);
    return a->ai_flags; //@ may fail use_after_free
}

void done(int *p)
{
    destroy(p);
    free(p); //@ may fail free
}

//@ run: verify --function own --sound
//@ exit: 0
//@ says: 0 unverified

//@ run: verify --function given --function kept --function passed --function found
//@ exit: 0
//@ says: callees-keep at external_frees_reachable.c:11:
//@ says: callees-keep at external_frees_reachable.c:19:
//@ says: callees-keep at external_frees_reachable.c:41:
//@ says: callees-keep at external_frees_reachable.c:49:
