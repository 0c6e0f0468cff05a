"""Questions about the shop and its zoo, and what two models say to them."""

import json

ANIMALS = "How many animals are there?"
ORDERS = "Which orders were placed in stores of Boston?"
ELSEWHERE = "Who discovered penicillin in 1928?"


def shown(body):
    """The question of a request, then its passages."""
    return [json.loads(line) for line in body["messages"][1]["content"].split("\n")]


REPLIES = {ORDERS: "The order 1 [1], I think.", ANIMALS: "There are seven big animals [1][2]."}
VERDICTS = {"The order 1, I think.": "No.", "There are seven big animals.": "yes"}


def knowing(body):
    """Answers as model m, judges as model j."""
    asked = shown(body)[0]
    if body["model"] == "j":
        return VERDICTS[asked["program's answer"]]
    return REPLIES[asked["question"]]
