"""Integrations with LangChain, LlamaIndex and Haystack, one module each."""
