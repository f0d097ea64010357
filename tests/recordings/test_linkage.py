"""Recorded merges end where a fit ends, with frames that grow sparser towards many clusters."""

import numpy as np

from sslviz import JULE, data
from sslviz.data.plane_grid import plane_of
from sslviz.metrics import clustering_accuracy
from sslviz.recordings import linkage as module
from sslviz.recordings.linkage import LinkageRun

MOONS = data.load("two_moons", n_samples=300)
PLACES = plane_of(MOONS.X, 2, 200).places


def run_of(**options) -> LinkageRun:
    model = JULE(2, random_state=0, hidden=(8, 4), **options)
    return LinkageRun(model, MOONS.X, MOONS.y, 2, PLACES)


def test_the_merges_end_with_the_clusters_of_a_fit():
    for learn in (False, True):
        run = run_of(learn=learn)
        assert not run.has_clusters and run.settle() is None and run.share == 0
        run.finish()
        fitted = JULE(2, random_state=0, hidden=(8, 4), learn=learn).fit(MOONS.X)
        np.testing.assert_array_equal(run.moment.P.argmax(axis=1), fitted.labels_)
        np.testing.assert_array_equal(run.settle().labels_, fitted.labels_)
        np.testing.assert_array_equal(run.moment.field.argmax(axis=1), fitted.predict(PLACES))
        last = run.losses.frames[-1]
        assert last.n_clusters == 2 and last.accuracy == clustering_accuracy(
            MOONS.y, fitted.labels_
        )
        assert learn == any(s.loss >= 0 for s in run.losses.frames)
        assert "Merged from" in run.status() and run.share == 1


def test_frames_have_falling_numbers_of_clusters_and_grey_points_in_small_ones():
    run = run_of(learn=False)
    run.finish()
    names = [m.name for m in run.frames.frames]
    counts = [int(name.split()[0]) for name in names]
    assert counts == sorted(set(counts), reverse=True) and counts[-1] == 2
    first = run.frames.frames[0]
    assert first.P.any() and not first.P.any(axis=1).all() and not first.field.any()
    assert run.frames.frames[-1].P.any(axis=1).all()


def test_features_are_drawn_where_they_put_the_points_at_every_moment(monkeypatch):
    monkeypatch.setattr(module, "SHORTEST_VIEW", 0.0)
    run = run_of(learn=True, share=0.5)
    while "Learning" not in run.status():
        run.take_for(1e-9)  # a step
    before, clusters = run.moment.picture["features"], run.moment.P
    run.take_for(1e-9)
    assert "Learning" in run.status() and (run.moment.P == clusters).all()
    assert not np.allclose(run.moment.picture["features"], before), "they move while learnt"
    run.finish()
    Z = run.settle().features_
    centred = Z - Z.mean(axis=0)
    drawn = run.frames.frames[-1].picture["features"]
    U, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    exact = U[:, :2] * sizes[:2]  # on the principal axes, but for a turn and a size
    inner = drawn.astype(float) @ drawn.T.astype(float)
    np.testing.assert_allclose(
        inner / np.trace(inner), exact @ exact.T / (sizes[:2] ** 2).sum(), atol=1e-6
    )
    first = run.frames.frames[0].picture["features"]
    scale = np.abs(MOONS.X - MOONS.X.mean(axis=0)).max()
    np.testing.assert_allclose(first, (MOONS.X - MOONS.X.mean(axis=0)) / scale, atol=1e-6)


def test_a_pause_stops_between_two_merges():
    run = run_of(learn=False)
    run.take_for(1e-9)  # a step
    run.pause()
    at = run.iteration
    run.finish()
    assert run.iteration == at == 1 and "Stopped at" in run.status()
    assert run.accuracy < 0.2, "of all clusters, each of which is one class at most"
    run.resume()
    run.finish()
    assert run.done
