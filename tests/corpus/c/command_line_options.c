/* Options of the command line are inputs. */
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int option, verbose = 0, count = 1;
    while ((option = getopt(argc, argv, "vn:")) != -1) {
        switch (option) {
        case 'v':
            verbose++; //@ covered
            break;
        case 'n':
            count = atoi(optarg); //@ covered
            if (count < 1)
                return 2; //@ covered
            break;
        default:
            return 1; //@ covered
        }
    }
    if (optind >= argc)
        return 3; //@ covered
    return count == 7; //@ covered
}

//@ ask: test --entry main --timeout 12
