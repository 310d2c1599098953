/* Counters of instrumented code, in a file that outlives the process. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned char *counters;
static unsigned long size;

__attribute__((constructor)) static void start(void)
{
    const char *name = getenv("FOOTPATH_COUNTERS");
    struct stat status;
    int file = name ? open(name, O_RDWR) : -1;
    if (file < 0)
        return;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        void *map = mmap(0, (unsigned long)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (map != MAP_FAILED) {
            counters = map;
            size = (unsigned long)status.st_size;
        }
    }
    close(file);
}

void footpath_count(unsigned number)
{
    if (number < size)
        counters[number] = 1;
}

void footpath_count_branch(unsigned number, _Bool first)
{
    footpath_count(first ? number : number + 1);
}
