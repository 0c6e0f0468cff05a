import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from grapher_jax.corpus import Object, parse_amr, read_objects, read_queries
from grapher_jax.enrich import EnrichmentError, enrich
from grapher_jax.enrich import amr as module
from grapher_jax.enrich.amr import AmrGraphs
from grapher_jax.errors import InputError, MissingExtraError


@pytest.fixture(autouse=True)
def nothing_loaded():
    module._parser.cache_clear()


@pytest.fixture
def parser(monkeypatch, tmp_path):
    """A library in the place of amrlib that knows some sentences, and the folder of its model."""
    graphs = {
        "Birds sing.": "(s / sing-01 :ARG0 (b / bird))",
        "It dawns.": "(d / dawn-01)",
        "Mr. Finch": "(p / person)",
        "Broken.": "(b / break-01 :ARG1 (b / bread))",
        "Longer.": "(a / and" + "".join(f" :op{n} x" for n in range(6000)) + ")",
        "Which birds sing?": "(s / sing-01 :ARG0 (b / bird :mod (a / amr-unknown)))",
    }

    def parse_sents(sentences, *, add_metadata):
        assert not add_metadata
        return [graphs.get(sentence) for sentence in sentences]

    library = ModuleType("amrlib")
    library.load_stog_model = lambda folder: SimpleNamespace(parse_sents=parse_sents)
    monkeypatch.setitem(sys.modules, "amrlib", library)
    monkeypatch.setitem(sys.modules, "unidecode", library)
    monkeypatch.setattr(module, "version", lambda name: "0")
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "amrlib_meta.json").write_text('{"model_type": "stog"}')
    return AmrGraphs(tmp_path / "model")


def test_title_and_text_are_parsed_sentence_by_sentence(parser):
    item = Object("a", "Birds sing. It dawns.\n", "Mr. Finch", {"entities": ["x"], "amr": "old"})
    found = parser(item)
    assert found.metadata["amr"].count("\n\n") == 2
    assert found.metadata["entities"] == ["x"]
    graph = parse_amr(found.metadata["amr"], "here")
    assert graph.nodes == {"person", "sing-01", "bird", "dawn-01"}


def test_what_cannot_be_parsed_is_left_out(parser):
    found = parser(Object("a", "Broken. Birds sing. Gibberish."))
    assert found.metadata["amr"] == "(s / sing-01 :ARG0 (b / bird))"
    with pytest.raises(EnrichmentError, match=r"the model parsed none of its sentences \(2\)"):
        parser(Object("a", "Broken. Gibberish."))
    with pytest.raises(EnrichmentError, match="has 12,002 triples, and 10,000 are read"):
        parser(Object("a", "Longer. Longer."))


@pytest.mark.parametrize("text", ["", " \n "])
def test_what_has_no_text_stays_as_it_is(parser, text):
    item = Object("a", text, metadata={"db": "x"})
    assert parser(item) == item


def test_questions_get_graphs_too(parser, beir, tmp_path):
    (beir / "queries.jsonl").write_text(
        '{"_id": "q1", "text": "Which birds sing?", "metadata": {"filter": {"db": "x"}}}\n'
        '{"_id": "q2", "text": "Gibberish?"}\n'
    )
    items = [Object("a", "Birds sing."), Object("b", "Gibberish.")]
    done = enrich(items, tmp_path / "out", [parser], source=beir)
    assert (done.objects, done.failures) == (2, 2)
    assert next(read_objects(tmp_path / "out")).metadata["amr"].startswith("(s / sing-01")
    asked, failed = read_queries(tmp_path / "out")
    assert "amr-unknown" in asked.metadata["amr"]
    assert asked.metadata["filter"] == {"db": "x"}
    assert (failed.id, failed.metadata) == ("q2", {})
    lines = (tmp_path / "out" / "failures.jsonl").read_text().splitlines()
    assert [json.loads(line)["_id"] for line in lines] == ["b", "q2"]
    assert json.loads(lines[1])["enricher"] == "amr"


def test_settings_name_the_model(parser, tmp_path):
    assert json.loads(json.dumps(dict(parser.settings))) == {
        "model": str(tmp_path / "model"),
        "versions": ["0"],
    }


@pytest.mark.parametrize(
    ("meta", "complaint"),
    [
        (None, "has no amrlib_meta.json of a model"),
        ("{", "has no amrlib_meta.json of a model"),
        ("[]", "has no amrlib_meta.json of a model"),
        ("{}", "has no amrlib_meta.json of a model"),
        ('{"model_type": "gtos"}', "holds a model of the type 'gtos', no parser"),
    ],
)
def test_a_folder_that_is_no_parser_is_named(parser, tmp_path, meta, complaint):
    folder = tmp_path / "other"
    folder.mkdir()
    if meta:
        (folder / "amrlib_meta.json").write_text(meta)
    with pytest.raises(InputError, match=f"other {complaint}; give the folder of a parser"):
        AmrGraphs(folder)


def test_a_model_that_cannot_be_loaded_is_named(parser, monkeypatch):
    def broken(folder):
        raise OSError("no weights\nand a page of advice")

    module._parser.cache_clear()
    monkeypatch.setattr(sys.modules["amrlib"], "load_stog_model", broken)
    with pytest.raises(InputError, match=r"model cannot be loaded \(no weights\); give"):
        AmrGraphs(parser.model)


def test_without_amrlib_the_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "amrlib", None)
    with pytest.raises(MissingExtraError, match=r'pip install "grapher-jax\[amr\]"'):
        AmrGraphs(tmp_path)


def test_the_command_names_a_folder_without_a_model(parser, beir, capsys, tmp_path):
    from grapher_jax.command_line import main

    arguments = ["enrich", str(beir), "--out", str(tmp_path / "out"), "--amr"]
    with pytest.raises(SystemExit) as stopped:
        main([*arguments, str(beir)])
    captured = capsys.readouterr()
    assert (stopped.value.code, captured.out) == (2, "")
    assert "shop has no amrlib_meta.json of a model" in captured.err
    assert not (tmp_path / "out").exists()


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> Path:
    """A tiny BART that has learnt one sentence by heart, in a folder as amrlib reads it."""
    pytest.importorskip("amrlib", reason="amrlib is not installed: the extra `amr`")
    pytest.importorskip("unidecode", reason="Unidecode is not installed: the extra `amr`")
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BartConfig, BartForConditionalGeneration, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("model")
    words = ["<s>", "<pad>", "</s>", "<unk>", *"()", ":ARG0", "sing-01", "bird", "Birds", "sing."]
    tokenizer = Tokenizer(models.WordLevel({w: n for n, w in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
    )
    fast.save_pretrained(folder)
    layers = {
        "encoder_layers": 1,
        "decoder_layers": 1,
        "encoder_ffn_dim": 16,
        "decoder_ffn_dim": 16,
    }
    tokens = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}
    parse = {"model_name_or_path": "nowhere", "max_in_len": 32, "max_out_len": 16}
    torch.manual_seed(0)
    model = BartForConditionalGeneration(
        BartConfig(
            vocab_size=len(words),
            d_model=32,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            max_position_embeddings=64,
            dropout=0.0,
            task_specific_params={"parse_amr": parse},
            **layers,
            **tokens,
        )
    )
    pairs = [("Birds sing.", "( sing-01 :ARG0 ( bird ) )"), ("Birds Birds", ":ARG0 :ARG0")]
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    for _ in range(50):
        for sentence, graph in pairs:
            optimizer.zero_grad()
            labels = fast(graph, return_tensors="pt").input_ids
            model(**fast(sentence, return_tensors="pt"), labels=labels).loss.backward()
            optimizer.step()
    model.save_pretrained(folder)
    meta = {"model_type": "stog", "inference_module": ".parse_xfm.inference"}
    meta |= {
        "inference_class": "Inference",
        "model_fn": "model.safetensors",
        "kwargs": {"num_beams": 1},
    }
    (folder / "amrlib_meta.json").write_text(json.dumps(meta))
    return folder


def test_amrlib_parses(trained):
    found = AmrGraphs(trained)(Object("a", "Birds sing. Birds Birds"))
    assert parse_amr(found.metadata["amr"], "here").edges == {("sing-01", ":ARG0", "bird")}
