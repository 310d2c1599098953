/* The rotations of an AVL tree, and what to do after an insertion. */
#include <stddef.h>

struct node {
    int key;
    int height;
    struct node *left, *right;
};

static int height(const struct node *node)
{
    return node ? node->height : 0; //@ covered
}

struct node *rotate_right(struct node *node)
{
    struct node *left;

    if (!node || !node->left)
        return node; //@ covered
    left = node->left;
    node->left = left->right;
    left->right = node;
    left->height = height(node) > height(left->left) ? 1 : 2;
    return left; //@ covered
}

/* -2: rotate right; 2: rotate left; 1, -1: first the child the other way; 0: nothing. */
int imbalance(int left, int right, int child_left, int child_right)
{
    int balance;

    if (left < 0 || right < 0 || left > 100 || right > 100)
        return 0; //@ covered
    balance = left - right;
    if (balance > 1)
        return child_left >= child_right ? -2 : -1; //@ covered
    if (balance < -1)
        return child_right >= child_left ? 2 : 1; //@ covered
    if (balance == 3)
        return 3; //@ unreachable
    return 0; //@ covered
}
