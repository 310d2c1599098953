// What another tool claims of checks is a hypothesis: a test refutes it, and where nothing is found out, that is told.
int half(int a, int b)
{
    if (a > 10)
        return a / b; //@ fails division
    return b; //@ covered
}

int rest(unsigned a, unsigned b)
{
    return (int)(a % (b | 1)); //@ holds division
}

//@ run: test --results claims_of_tools.sarif
//@ exit: 0
//@ says: claim of prover refuted by test
//@ says: the check at claims_of_tools.c:5:18 can fail, which prover says is proved
//@ says: prover: `bounds` at claims_of_tools.c:6 matches no check that is verified; it is ignored
//@ never says: claims_of_tools.c:11
