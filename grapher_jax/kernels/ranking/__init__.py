"""From scores to a ranking: fusion, the best k, diversity, and how good the ranking is."""
