"""The verbs, a file each. Heavy imports wait until one is called, so that `--help` is quick."""
