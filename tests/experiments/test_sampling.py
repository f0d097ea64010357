"""Draws of a row: which points are labelled, which are used, which are for testing."""

import numpy as np
import pytest
from experiments.majority import always, quietly, tiny
from sklearn.base import BaseEstimator

from sslviz import data
from sslviz.experiments.report import text
from sslviz.experiments.sampling import Sample, draw, points
from sslviz.experiments.table import Known, Row, TableMethod
from sslviz.labels import UNLABELLED


def drawn(seed: int = 0, **row) -> Sample:
    declared = Row("a row", row.pop("dataset", "wine"), **row)
    return draw(points(declared), declared, seed)


def labelled(sample: Sample) -> np.ndarray:
    return np.bincount(sample.given[sample.given != UNLABELLED])


def rows_of(X: np.ndarray) -> set[bytes]:
    return {row.tobytes() for row in np.ascontiguousarray(X)}


def test_a_draw_has_the_declared_numbers_and_depends_on_the_seed():
    whole = rows_of(data.load("wine").X)
    samples = [drawn(seed, per_class=2, unlabelled=60) for seed in (0, 0, 1)]
    for sample in samples:
        shown = sample.given != UNLABELLED
        assert (labelled(sample) == 2).all() and (sample.given[shown] == sample.y[shown]).all()
        assert len(sample.X) == len(rows_of(sample.X)) == 66 and rows_of(sample.X) <= whole
    assert (samples[0].X == samples[1].X).all() and not (samples[0].X == samples[2].X).all()
    sample = drawn(3, labelled=11)
    assert labelled(sample).sum() == 11 and rows_of(sample.X) == whole


def test_labelled_unlabelled_and_test_points_per_class():
    sample = drawn(per_class=2, unlabelled_per_class=20, test="rest")
    assert sample.X_test is not None and sample.y_test is not None
    assert (labelled(sample) == 2).all() and (np.bincount(sample.y) == 22).all()
    whole = data.load("wine")
    assert len(sample.X) + len(sample.X_test) == len(whole.X)
    assert not rows_of(sample.X) & rows_of(sample.X_test)
    assert rows_of(sample.X) | rows_of(sample.X_test) == rows_of(whole.X)
    few = drawn(per_class=2, unlabelled_per_class=20, test=5)
    assert few.y_test is not None and (np.bincount(few.y_test) == 5).all()
    assert rows_of(few.X) == rows_of(sample.X), "the test takes nothing away"


def test_a_class_with_too_few_points_gives_all_it_has():
    sample = drawn(per_class=2, unlabelled_per_class=50, test="rest")
    assert np.bincount(sample.y).tolist() == [52, 52, 48]


def test_a_share_for_training_leaves_the_rest_for_the_test():
    sample = drawn(fraction=0.2, train=0.5, test="rest")
    assert sample.X_test is not None
    assert len(sample.X) == 89 and len(sample.X_test) == 89
    assert labelled(sample).sum() == round(0.2 * 89)
    assert not rows_of(sample.X) & rows_of(sample.X_test)


def test_a_pool_holds_all_that_is_drawn(real):
    whole = data.load("wine")
    first = np.concatenate([np.flatnonzero(whole.y == c)[:10] for c in range(3)])
    sample = drawn(per_class=2, unlabelled_per_class=3, test="rest", pool=10)
    assert rows_of(sample.X) | rows_of(sample.X_test) == rows_of(whole.X[first])
    assert (labelled(sample) == 2).all() and (np.bincount(sample.y) == 5).all()
    half = drawn(fraction=0.2, train=0.5, test="rest", pool=10)
    assert len(half.X) == 15 and rows_of(half.X) | rows_of(half.X_test) == rows_of(whole.X[first])
    usps = real("usps")
    sample = drawn(dataset="usps", per_class=20, unlabelled_per_class=40, test=50, pool="train")
    train = rows_of(usps.X[: usps.splits["train_n"]])
    assert rows_of(sample.X) <= train and rows_of(sample.X_test) <= train
    with pytest.raises(ValueError, match="wine has no official training part"):
        drawn(per_class=2, test=5, pool="train")


def test_a_pool_of_everything_is_the_set_and_keeps_stored_results():
    rest = {"per_class": 2, "unlabelled_per_class": 20, "test": 5}
    everything, plain = drawn(pool=1000, **rest), drawn(**rest)
    for ours, theirs in zip(everything, plain, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert "pool" not in Row("a row", "wine", **rest).protocol()
    assert Row("a row", "wine", pool=10, **rest).protocol()["pool"] == 10


def test_a_fraction_of_the_labels():
    sample = drawn(fraction=0.1)
    assert len(sample.X) == 178 and labelled(sample).sum() == 18 and sample.X_test is None


def test_official_splits_are_taken_in_their_order(real):
    whole = real("g241c")
    for seed in (0, 11):
        sample = drawn(seed, dataset="g241c", split="10")
        shown = np.flatnonzero(sample.given != UNLABELLED)
        assert len(sample.X) == len(whole.X)
        assert sorted(whole.splits["idxLabs_10"][seed]) == shown.tolist()
    with pytest.raises(ValueError, match="g241c has 12 splits with 10 labels"):
        drawn(12, dataset="g241c", split="10")
    with pytest.raises(ValueError, match="has 0 splits with 7 labels"):
        drawn(dataset="g241c", split="7")


def test_small_classes_can_be_dropped_before_preprocessing():
    dataset = points(Row("a row", "wine", per_class=2, drop_smallest=1, prepare=("standardise",)))
    assert np.unique(dataset.y).tolist() == [0, 1], "class 2 has 48 points, the fewest"
    np.testing.assert_allclose(dataset.X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(dataset.X.std(axis=0), 1, rtol=1e-12)


class Raw(BaseEstimator):
    """The data as an embedding of themselves."""

    def fit(self, X, y):
        self.embedding_ = X
        return self

    def transform(self, X):
        return X


def test_test_points_are_scored_and_reported_on_a_line_of_their_own(tmp_path):
    known = {"all 0": Known(0.5)}
    row = Row("wine", "wine", per_class=2, unlabelled_per_class=20, test="rest", paper_test=known)
    table = tiny(always(0), TableMethod("raw", f"{__name__}:Raw"), rows=(row,), draws=2)
    done = quietly(table, tmp_path)
    for seed, result in enumerate(done.found["wine", "all 0"]):
        sample = draw(points(row), row, seed)
        assert sample.y_test is not None
        assert result.test == np.mean(sample.y_test == 0) and result.accuracy == 1 / 3
    assert all(0.4 < (r.test or 0) < 0.9 for r in done.found["wine", "raw"]), "1-NN of raw wine"
    lines = text(done).splitlines()
    line = next(line for line in lines if "all 0, new points" in line)
    assert "0.500" in line and f"{done.found['wine', 'all 0'][0].test:.3f}"[:3] in line
    assert quietly(table, tmp_path).found == done.found, "stored and read"
