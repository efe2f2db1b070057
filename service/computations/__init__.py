"""Free computations, on public facts alone, in processes that can be killed."""
