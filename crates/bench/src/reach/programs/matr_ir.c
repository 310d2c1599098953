/* MatrIR: the target is reached if some row of the upper triangle of a large matrix has more than 15 elements between 10
   and 100. */

int matr_ir(int A[][32], int m, int n)
{
    int w = 0;

    if (!A || m < 0 || m > 32 || n < 0 || n > 32)
        return 0;
    for (int i = 0; i < m; i++) {
        int k = 0;

        for (int j = i; j < n; j++)
            if (10 < A[i][j] && A[i][j] < 100)
                ++k;
        if (k > 15) {
            w = 1;
            break;
        }
    }
    if (m > 20 && n > 20 && w == 1)
        return 1; /* target */
    return 0;
}
