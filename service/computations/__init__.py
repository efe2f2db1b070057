"""Free computations on public facts, in processes that can be killed."""
