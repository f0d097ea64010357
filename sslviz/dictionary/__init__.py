"""Methods that write every point as a sparse mixture of learnt atoms."""
