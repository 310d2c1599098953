/* Loops that are entered in their middle: what they do first is never done, and one arm of a condition before a label leads nowhere. */
static int x = 1, sum;

static int into_a_loop(void)
{
    goto inside;
    for (x = 0; x <= 5; x += 1) {
        sum += x;
        if (sum > 3)
            break;
inside:
        sum += 2;
        if (sum < 7)
            continue;
        sum += 4;
    }
    return sum;
}

static int past_two_heads(int n)
{
    goto on;
    for (n = 0; n < 4; n++) {
        for (x = 0; x < 3; x++) {
on:
            sum += n;
        }
    }
    return n;
}

static int to_a_head(int n)
{
    goto head;
    while (1) {
        sum++;
head:
        while (n < 4)
            n++;
        if (n > 3)
            break;
    }
    goto on;
    for (n = 0; n < 4; n++)
on:
        sum += n;
    return n;
}

int main(void)
{
    return into_a_loop() + 10 * past_two_heads(1) + to_a_head(0);
}
