/* Dates as text, `240229`, in a century: checked, with the day of the week and of the year. */

static int is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

static int days_in(int month, int year)
{
    switch (month) {
    case 2:
        return is_leap(year) ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    default:
        return 31;
    }
}

static int digits(const char *text, int count)
{
    int value = 0;

    for (int i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

/* 0 Sunday … 6 Saturday (Sakamoto). */
static int weekday(int day, int month, int year)
{
    static const int shift[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};

    if (month < 3)
        year--;
    return (year + year / 4 - year / 100 + year / 400 + shift[month - 1] + day) % 7;
}

int date(const char *text, int century)
{
    int day, month, year, of_year = 0;

    if (!text || century < 15 || century > 99)
        return -1;
    year = digits(text, 2);
    if (year < 0)
        return -2;
    year += 100 * century;
    month = digits(text + 2, 2);
    if (month < 1 || month > 12)
        return -3;
    day = digits(text + 4, 2);
    if (day < 1 || day > days_in(month, year))
        return -4;
    for (int m = 1; m < month; m++)
        of_year += days_in(m, year);
    of_year += day;
    if (of_year == 366)
        return 1;
    if (day == 13 && weekday(day, month, year) == 5)
        return 2;
    if (is_leap(year) && month == 2 && day == 29 && weekday(day, month, year) == 0)
        return 3;
    return 4;
}
