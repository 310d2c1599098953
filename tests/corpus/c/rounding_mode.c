// Results are rounded as the program says; a proof holds for each mode that it may have set.
#include <assert.h>
#include <fenv.h>

void upward(void)
{
    fesetround(FE_UPWARD);
    volatile float small = 1e-10f;
    float sum = 1.0f + small;
    assert(sum == 1.0f); //@ fails? assert
}

int of_a_parameter(float small)
{
    if (!(small > 1e-12f && small < 1e-9f))
        return 0;
    fesetround(FE_UPWARD);
    float sum = 1.0f + small;
    if (sum > 1.0f)
        return 1; //@ covered?
    return 2;
}

void by_a_caller(float small)
{
    if (!(small > 1e-12f && small < 1e-9f))
        return;
    float sum = 1.0f + small;
    assert(sum == 1.0f); //@ may fail assert
}

int whatever_the_mode(float x)
{
    float half = x / 2;
    if (x > 1 && x < 2 && half > x)
        return 1; //@ unreachable?
    return 0;
}

//@ ask: verify --solver-seconds 1
//@ ask: verify --sound --solver-seconds 1
//@ ask: reach --timeout 3
//@ ask: failures --timeout 3 --query-timeout 0.5
