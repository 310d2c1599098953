/* Disjuncts stand in the order in which programs fail, null before lengths, and characters are written as such. */
#include <assert.h>
int get(const int *p, int k, int n) { if (k < n && n <= 4) return p[k]; return 0; } //@ fails null, fails bounds
void letter(char c, int n) { assert(c != 'x' || n != 7); } //@ fails assert

//@ ask: failures --timeout 20

//@ run: failures --timeout 20
//@ exit: 0
//@ says: fails when k < n && n <= 4 && (k < 0 || p == NULL || k >= length(p))
//@ says: nothing fails with: assume n <= k || n > 4 || (p != NULL && 0 <= k && k < length(p))
//@ says: fails, compiled and run too: p = NULL, k = 0, n = 1
//@ says: fails, compiled and run too: c = 'x', n = 7: assert
