/* A loop with so many ways round that its states have to be explored. */
int input(void);

int main(void)
{
    int s = 0;
    while (1) {
        int in = input();
        if (s == 0 && in == 0) s = 1; else
        if (s == 1 && in == 7) s = 2; else
        if (s == 2 && in == 14) s = 3; else
        if (s == 3 && in == 21) s = 4; else
        if (s == 4 && in == 28) s = 5; else
        if (s == 5 && in == 5) s = 6; else
        if (s == 6 && in == 12) s = 7; else
        if (s == 7 && in == 19) s = 8; else
        if (s == 8 && in == 26) s = 9; else
        if (s == 9 && in == 3) s = 10; else
        if (s == 10 && in == 10) s = 11; else
        if (s == 11 && in == 17) s = 12; else
        if (s == 12 && in == 24) s = 13; else
        if (s == 13 && in == 1) s = 14; else
        if (s == 14 && in == 8) s = 15; else
        if (s == 15 && in == 15) s = 16; else
        if (s == 16 && in == 22) s = 17; else
        if (s == 17 && in == 29) s = 18; else
        if (s == 18 && in == 6) s = 19; else
        if (s == 19 && in == 13) s = 20; else
        if (s == 20 && in == 20) s = 21; else
        if (s == 21 && in == 27) s = 22; else
        if (s == 22 && in == 4) s = 23; else
        if (s == 23 && in == 11) s = 24; else
        if (s == 24 && in == 18) s = 25; else
        if (s == 25 && in == 25) s = 26; else
        if (s == 26 && in == 2) s = 27; else
        if (s == 27 && in == 9) s = 28; else
        if (s == 28 && in == 16) s = 29; else
        if (s == 29 && in == 23) s = 30; else
        if (s == 30) goto end;
    }
end:
    return 1; //@ covered
}

//@ ask: reach --function main --timeout 60
