"""Problems that several tests of embeddings run on."""

import pytest
from embedding.problems import blobs, digits


@pytest.fixture(params=[blobs, digits], ids=["blobs", "digits"])
def problem(request: pytest.FixtureRequest) -> tuple:
    """X, y with -1 for hidden labels, and all labels."""
    return request.param()
