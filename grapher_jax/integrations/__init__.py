"""Reranking inside LangChain, LlamaIndex and Haystack, a module each."""
