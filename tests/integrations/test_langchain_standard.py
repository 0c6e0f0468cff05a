"""LangChain's own tests for retrievers."""

import pytest

pytest.importorskip("langchain_core")
pytest.importorskip("langchain_tests")

from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_tests.integration_tests import RetrieversIntegrationTests

from grapher_jax.integrations.langchain import GraphRetriever


# anyio, which httpx brings, runs coroutines alone; asyncio's mark would complain of the others.
@pytest.mark.anyio
class TestGraphRetriever(RetrieversIntegrationTests):
    @pytest.fixture
    def anyio_backend(self):
        return "asyncio"

    @property
    def retriever_constructor(self):
        return GraphRetriever

    @property
    def retriever_constructor_params(self):
        store = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))
        store.add_documents(
            [Document(name, id=name, metadata={"entities": ["x"]}) for name in "abcd"]
        )
        return {"vector_store": store, "ranker": "gcs", "scores": "shift"}

    @property
    def retriever_query_example(self):
        return "Which is it?"

    @property
    def num_results_arg_name(self):
        return "top_k"
