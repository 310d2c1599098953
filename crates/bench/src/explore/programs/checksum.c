/* Packets: a length, a kind, data, and a check over all of it. */

enum { HEADER = 3, MOST = 8 };

static unsigned char crc(const unsigned char *data, int n)
{
    unsigned char check = 0xff;

    for (int i = 0; i < n; i++) {
        check ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            check = check & 0x80 ? (unsigned char)(check << 1 ^ 0x31) : (unsigned char)(check << 1);
    }
    return check;
}

static unsigned sum(const unsigned char *data, int n)
{
    unsigned a = 1, b = 0;

    for (int i = 0; i < n; i++) {
        a = (a + data[i]) % 251;
        b = (b + a) % 251;
    }
    return b << 8 | a;
}

int packet(const unsigned char *data, int size)
{
    int length;

    if (!data || size < HEADER || size > MOST)
        return -1;
    if (data[0] != 0xa5)
        return -2;
    length = data[1];
    if (length + HEADER > size)
        return -3;
    switch (data[2]) {
    case 0:
        return length == 0 ? 0 : -4;
    case 1:
        if (length < 2 || crc(data + HEADER, length - 1) != data[HEADER + length - 1])
            return -5;
        return data[HEADER] == 'Q' ? 11 : 1;
    case 2:
        if (length < 3 || sum(data + HEADER, length - 2) != (unsigned)(data[size - 2] << 8 | data[size - 1]))
            return -6;
        return 2;
    default:
        return -7;
    }
}
