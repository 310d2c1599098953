/* The number of a day in its year. */

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; //@ covered
}

static int days_in(int month, int year)
{
    switch (month) {
    case 2:
        return is_leap(year) ? 29 : 28; //@ covered
    case 4:
    case 6:
    case 9:
    case 11:
        return 30; //@ covered
    default:
        return 31; //@ covered
    }
}

int day_of_year(int day, int month, int year)
{
    int total = day;

    if (year < 1583 || year > 9999 || month < 1 || month > 12)
        return -1; //@ covered
    if (day < 1 || day > days_in(month, year))
        return -1; //@ covered
    if (day > 31)
        return -2; //@ unreachable
    for (int m = 1; m < month; m++)
        total += days_in(m, year); //@ covered
    return total; //@ covered
}
