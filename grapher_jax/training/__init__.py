"""What is learned from labelled questions, on train splits alone."""

from grapher_jax.training.alpha_grid import ALPHAS, alpha_grid

__all__ = ["ALPHAS", "alpha_grid"]
