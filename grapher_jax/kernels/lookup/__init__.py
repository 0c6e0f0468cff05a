"""What a CPU does instead of comparing all pairs: one hashed look-up and one bit packing."""
