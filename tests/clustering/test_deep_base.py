"""What the clusterers that train a network on X as given refuse."""

import numpy as np
import pytest

from sslviz import DEC, IMSAT, SEDC


@pytest.mark.parametrize("Method", [DEC, IMSAT, SEDC])
def test_values_too_large_for_single_precision_are_refused(Method: type) -> None:
    X = np.random.default_rng(0).normal(size=(40, 3)) * 1e20
    model = Method(2, epochs=1, random_state=0)
    for attempt in (model.fit, model.training):
        with pytest.raises(ValueError, match=rf"{Method.__name__}: X holds .*e\+20.*; scale X"):
            attempt(X)
