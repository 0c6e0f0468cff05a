"""The verbs, one per file. A verb imports heavy modules only when called: `--help` stays fast."""
