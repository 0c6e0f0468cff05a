"""Look-ups that a CPU uses instead of comparing all pairs: a hash table and packed bits."""
