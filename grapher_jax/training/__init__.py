"""Training from labelled questions, only on training splits."""

from grapher_jax.training.alpha_grid import ALPHAS, alpha_grid
from grapher_jax.training.diffusion_fit import DiffusionNumbers, diffusion_loss

__all__ = ["ALPHAS", "DiffusionNumbers", "alpha_grid", "diffusion_loss"]
