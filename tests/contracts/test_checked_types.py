"""Types can be checked in tests, of arguments and of results, whether shapes agree too."""

import numpy as np
import pytest
from checked_types import check
from jaxtyping import Float, jaxtyped


def weigh(x: Float[np.ndarray, "n m"], by: Float[np.ndarray, " m"]) -> Float[np.ndarray, " n"]:
    return x @ by


def transposed(x: Float[np.ndarray, "n m"]) -> Float[np.ndarray, "n m"]:
    return x.T


def test_shapes_are_of_one_call():
    checked, x = jaxtyped(weigh, typechecker=check), np.ones((3, 2))
    assert checked(x, np.ones(2)).tolist() == [2, 2, 2]
    with pytest.raises(TypeError, match="parameter 'by'"):
        checked(x, np.ones(3))
    with pytest.raises(TypeError, match="parameter 'x'"):
        checked(x.astype(int), np.ones(2))
    with pytest.raises(TypeError, match="return value"):
        jaxtyped(transposed, typechecker=check)(x)


def test_functions_inside_of_others_are_checked_each_by_its_own_types():
    def within(kind):
        def name(value: kind, *values: list[kind]) -> str:
            return value if kind is str else str(value)

        return jaxtyped(name, typechecker=check)

    for kind, value, other in ((int, 1, "1"), (str, "1", 1), (int, 2, "2")):
        assert within(kind)(value, [value]) == str(value)
        for wrong in ((other,), (value, [other])):
            with pytest.raises(TypeError, match=r"parameter 'values?'"):
                within(kind)(*wrong)


def test_the_package_is_checked(request):
    from grapher_jax.text import readable

    if not request.config.getoption("--jaxtyping-packages"):
        pytest.skip("make typed-test checks types")

    with pytest.raises(TypeError, match="parameter"):
        readable(5)
