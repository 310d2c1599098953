/* A program of csmith as a function whose checksum is what `main` returns, and, where NATIVE is defined, prints. */
#include "csmith.h"

static unsigned footpath_checksum;

#define platform_main_end(crc, flag) (footpath_checksum = (unsigned)(crc))
#define main csmith_main
#include PROGRAM
#undef main

int main(void)
{
    csmith_main();
#ifdef NATIVE
    printf("%u\n", footpath_checksum);
    return 0;
#else
    return (int)footpath_checksum;
#endif
}
