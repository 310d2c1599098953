/* A machine with a stack that runs a program of bytes. */

enum { PUSH = 1, ADD, SUBTRACT, MULTIPLY, DUPLICATE, SWAP, JUMP_IF, STORE, LOAD, HALT };

/* The top of the stack when the program halts; negative for programs that go wrong. */
int interpret(const unsigned char *code, int length)
{
    int stack[8], cells[4] = {0}, top = 0, at = 0;

    if (!code || length < 1 || length > 8)
        return -1;
    for (int steps = 0; steps < 32; steps++) {
        if (at >= length)
            return -2;
        switch (code[at++]) {
        case PUSH:
            if (at >= length || top >= 8)
                return -3;
            stack[top++] = code[at++];
            break;
        case ADD:
            if (top < 2)
                return -4;
            top--;
            stack[top - 1] += stack[top];
            break;
        case SUBTRACT:
            if (top < 2)
                return -4;
            top--;
            stack[top - 1] -= stack[top];
            break;
        case MULTIPLY:
            if (top < 2)
                return -4;
            top--;
            stack[top - 1] = (int)((unsigned)stack[top - 1] * (unsigned)stack[top] & 0xffff);
            break;
        case DUPLICATE:
            if (top < 1 || top >= 8)
                return -4;
            stack[top] = stack[top - 1];
            top++;
            break;
        case SWAP: {
            int swap;
            if (top < 2)
                return -4;
            swap = stack[top - 1];
            stack[top - 1] = stack[top - 2];
            stack[top - 2] = swap;
            break;
        }
        case JUMP_IF:
            if (top < 1 || at >= length)
                return -5;
            if (stack[--top] != 0)
                at = code[at];
            else
                at++;
            break;
        case STORE:
            if (top < 2 || stack[top - 1] < 0 || stack[top - 1] > 3)
                return -6;
            cells[stack[top - 1]] = stack[top - 2];
            top -= 2;
            break;
        case LOAD:
            if (top < 1 || stack[top - 1] < 0 || stack[top - 1] > 3)
                return -6;
            stack[top - 1] = cells[stack[top - 1]];
            break;
        case HALT:
            if (top < 1)
                return -7;
            if (stack[top - 1] == 1764)
                return 42;
            return stack[top - 1] < 0 ? 0 : stack[top - 1];
        default:
            return -8;
        }
    }
    return -9;
}
