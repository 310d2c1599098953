/* What a program can tell Footpath. In a normal build all of it compiles to nothing; Footpath compiles with FOOTPATH
   defined. Each of these is a statement. */
#ifndef FOOTPATH_H
#define FOOTPATH_H

#ifdef FOOTPATH

#ifdef __cplusplus
extern "C" {
#endif
void footpath_assume(int holds);
void footpath_assert(int holds);
void footpath_fails_if(int fails);
void footpath_assumed(int holds, const char *assumption);
void footpath_verified(int holds, const char *premise);
void footpath_input_bytes(void *object, __SIZE_TYPE__ size);
unsigned char __footpath_any_1(void);
unsigned short __footpath_any_2(void);
unsigned int __footpath_any_4(void);
unsigned long long __footpath_any_8(void);
#ifdef __cplusplus
}
#endif

/* Runs in which P is false do not count: no test is made for them, and nothing is proved about them. */
#define footpath_assume(P) footpath_assume((P) ? 1 : 0)

/* P should hold here. A run in which it does not is a failure. */
#define footpath_assert(P) footpath_assert((P) ? 1 : 0)

/* A run in which P holds here is a failure. */
#define footpath_fails_if(P) footpath_fails_if((P) ? 1 : 0)

/* The variable X, of any type without pointers, gets any value: it is an input. */
#define footpath_input(X)                                                             \
    (sizeof(X) == 1   ? (void)(*(unsigned char *)(void *)&(X) = __footpath_any_1())      \
     : sizeof(X) == 2 ? (void)(*(unsigned short *)(void *)&(X) = __footpath_any_2())     \
     : sizeof(X) == 4 ? (void)(*(unsigned int *)(void *)&(X) = __footpath_any_4())       \
     : sizeof(X) == 8 ? (void)(*(unsigned long long *)(void *)&(X) = __footpath_any_8()) \
                      : footpath_input_bytes(&(X), sizeof(X)))

/* Some analysis assumed that P holds here, and called that assumption A, a name. */
#define footpath_assumed(P, A) footpath_assumed((P) ? 1 : 0, #A)

/* Some analysis proved that P holds here, provided that PREMISE: a text such as "a && b || c" over the names of
   assumptions; "true" if nothing was assumed. */
#define footpath_verified(P, PREMISE) footpath_verified((P) ? 1 : 0, PREMISE)

#else

#define footpath_assume(P) ((void)0)
#define footpath_assert(P) ((void)0)
#define footpath_fails_if(P) ((void)0)
#define footpath_input(X) ((void)0)
#define footpath_assumed(P, A) ((void)0)
#define footpath_verified(P, PREMISE) ((void)0)

#endif
#endif
