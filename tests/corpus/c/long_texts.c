/* Fifteen characters and the end are more than tests have at first. */
int is_address(const char *s)
{
    int dots = 0, digits = 0;
    for (; *s; s++) {
        if (*s == '.') {
            if (digits != 3)
                return -1; //@ covered
            dots++; //@ covered
            digits = 0;
        } else if (*s >= '0' && *s <= '9')
            digits++; //@ covered
        else
            return -2; //@ covered
    }
    if (dots == 3 && digits == 3)
        return 1; //@ covered 15
    return 0; //@ covered
}
