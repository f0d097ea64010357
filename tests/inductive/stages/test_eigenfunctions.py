"""What a page draws of SDSC and SSDR between the points agrees with them at the points."""

import pytest
from numpy.testing import assert_allclose

from sslviz import SDSC, SSDR, data, labels
from sslviz.inductive.stages.eigenfunctions import eigenfunctions


def problem(name: str, **options: int) -> tuple:
    dataset = data.load(name, **options)
    return dataset.X, dataset.y, labels.hide(dataset.y, per_class=3, random_state=0)


@pytest.mark.parametrize("centre", [True, False])
def test_eigenfunctions_between_the_points_pass_through_them(centre: bool) -> None:
    X, _, y = problem("two_moons", n_samples=150)
    model = SDSC(centre=centre).fit(X, y)
    assert_allclose(eigenfunctions(model, X, X), model.eigenfunctions_, atol=1e-9)
    psi = eigenfunctions(model, X, X[:20] + 0.1) @ model.mixing_
    assert_allclose(psi, model.parts(X[:20] + 0.1)[1], atol=1e-9)


def test_a_bump_is_what_the_page_takes_it_for() -> None:
    X, _, y = problem("two_moons", n_samples=150)
    model = SSDR().fit(X, y)
    k, bent = model.bump(3, X)
    assert k[3] == pytest.approx(1) and 0 < bent[3] < 1, "the right sign takes away"
    assert SSDR(as_printed=True).fit(X, y).bump(3, X)[1][3] > 1, "the printed one adds"
