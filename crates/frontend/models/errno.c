/* The number of the last error. It is an input where a function starts, and external functions may change it
   (`outside.rs` and `out_params.rs` in the frontend). */

int __footpath_errno = 0;

int *__errno_location(void)
{
    return &__footpath_errno;
}
