/* Decodes one character of UTF-8. */

static int is_tail(unsigned char byte)
{
    return (byte & 0xc0) == 0x80; //@ covered
}

/* The code point at the start of four bytes, or -1. */
long decode(const unsigned char bytes[4])
{
    unsigned char first = bytes[0];

    if (first < 0x80)
        return first; //@ covered
    if (first < 0xc2)
        return -1; //@ covered
    if (first < 0xe0) {
        if (!is_tail(bytes[1]))
            return -1; //@ covered
        return (long)(first & 0x1f) << 6 | (bytes[1] & 0x3f); //@ covered
    }
    if (first < 0xf0) {
        if (!is_tail(bytes[1]) || !is_tail(bytes[2]))
            return -1; //@ covered
        long point = (long)(first & 0x0f) << 12 | (long)(bytes[1] & 0x3f) << 6 | (bytes[2] & 0x3f);
        if (point < 0x800 || (point >= 0xd800 && point <= 0xdfff))
            return -1; //@ covered
        if (point > 0xffff)
            return -1; //@ unreachable
        return point; //@ covered
    }
    return -1; //@ covered
}
