/* A queue of eight bytes that goes round. */
#include <stdbool.h>

#define SIZE 8u

struct ring {
    unsigned char data[SIZE];
    unsigned head;
    unsigned count;
};

bool ring_put(struct ring *ring, unsigned char byte)
{
    if (!ring || ring->head >= SIZE || ring->count > SIZE)
        return false; //@ covered
    if (ring->count == SIZE)
        return false; //@ covered
    unsigned at = (ring->head + ring->count) % SIZE;
    if (at >= SIZE)
        return false; //@ unreachable
    ring->data[at] = byte; //@ holds bounds
    ring->count++;
    return true; //@ covered
}

bool ring_get(struct ring *ring, unsigned char *byte)
{
    if (!ring || !byte || ring->head >= SIZE || ring->count > SIZE)
        return false; //@ covered
    if (ring->count == 0)
        return false; //@ covered
    *byte = ring->data[ring->head]; //@ holds bounds
    ring->head = (ring->head + 1) % SIZE;
    ring->count--;
    return true; //@ covered
}
