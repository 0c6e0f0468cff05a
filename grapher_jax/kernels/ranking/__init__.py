"""From scores to a ranking: fusion, the best k, diversity, and metrics."""
