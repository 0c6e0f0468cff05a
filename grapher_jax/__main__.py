"""`python -m grapher_jax` is the command line."""

from grapher_jax.command_line import main

main()
