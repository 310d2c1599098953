/* Vectors of the compiler's extension, and complex numbers, which are passed as vectors. */
typedef int four __attribute__((vector_size(16)));
typedef unsigned char sixteen __attribute__((vector_size(16)));
typedef long long two __attribute__((vector_size(16)));

static four rotate(four v, int by)
{
    for (int i = 0; i < by; i++)
        v = __builtin_shufflevector(v, v, 1, 2, 3, 0);
    return v;
}

static _Complex float turn(_Complex float z) { return z * 1.0fi; }

int main(void)
{
    four a = {1, 2, 3, 4}, b = {10, 20, 30, 40};
    four c = rotate(a * b + (four){1, 1, 1, 1}, 3);
    four less = a < (four){2, 2, 9, 0};
    sixteen bytes = (sixteen)c;
    two wide = (two)bytes;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum = sum * 7 + c[i] + less[i];
    c[sum & 3] = 5;
    _Complex float z = turn(3.0f + 4.0fi);
    sum += bytes[4] + (int)(wide[1] >> 32) + c[2] + (int)__real__ z * 3 + (int)__imag__ z;
    return (unsigned)sum % 251;
}
