"""What is learned from labelled questions, on train splits alone."""

from grapher_jax.training.alpha_grid import ALPHAS, alpha_grid
from grapher_jax.training.diffusion_fit import DiffusionNumbers, diffusion_loss

__all__ = ["ALPHAS", "DiffusionNumbers", "alpha_grid", "diffusion_loss"]
