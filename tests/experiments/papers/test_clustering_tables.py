"""Tables of clusterings: no labels are given, hubs are scored alone, numbers are reached."""

from dataclasses import replace

import numpy as np
import pytest
from experiments.majority import quietly

from sslviz import DEC, SGSC, clustering_accuracy, data
from sslviz.experiments.estimators.dec_start import DECStart
from sslviz.experiments.estimators.hub_labels import HubLabels
from sslviz.experiments.papers import TABLES
from sslviz.experiments.sampling import Sample, draw, points
from sslviz.experiments.scoring import evaluate
from sslviz.experiments.table import Cell, Row, TableMethod
from sslviz.labels import UNLABELLED

CLUSTERINGS = ("thesis_sgsc_grid", "thesis_sgsc", "thesis_clustering", "thesis_clustering_full",
               "thesis_sedc_sizes")  # fmt: skip


def test_rows_without_labels_give_none() -> None:
    dataset = data.load("wine")
    for unlabelled, count in ((None, 178), (60, 60)):
        row = Row("wine", "wine", labelled=0, unlabelled=unlabelled)
        sample = draw(dataset, row, 3)
        assert (sample.given == UNLABELLED).all() and len(sample.X) == count
    assert not (draw(dataset, row, 0).X == draw(dataset, row, 1).X).all()


def test_no_clustering_table_of_the_thesis_gives_labels() -> None:
    for name in CLUSTERINGS:
        assert all(row.labelled == 0 for row in TABLES[name].rows), name


def test_draws_of_planar_data_share_few_points() -> None:
    row = TABLES["thesis_clustering"].rows[0]
    dataset = points(row)
    a, b = (draw(dataset, row, seed) for seed in (0, 1))
    assert len(a.X) == len(b.X) == 2000 and len(np.unique(a.y)) == 4
    both = np.unique(np.vstack([a.X, b.X]), axis=0)
    assert len(both) > 3950


def test_hubs_are_scored_alone() -> None:
    d = data.load("four_clusters", n_samples=600)
    sample = Sample(d.X, d.y, np.full(600, UNLABELLED))
    cell = Cell(
        Row("FC", "four_clusters", labelled=0),
        TableMethod("hubs", "sslviz.experiments.estimators.hub_labels:HubLabels", {"n_hubs": 60}),
        0,
    )
    result = evaluate(cell, sample, None)
    model = SGSC(4, n_hubs=60, random_state=0).fit(d.X)
    assert result.accuracy == clustering_accuracy(d.y[model.hubs_], model.hub_labels_)
    assert result.undetermined == pytest.approx(0.9)
    left_out = HubLabels(4, n_hubs=60, random_state=0).fit(d.X).labels_
    assert (np.flatnonzero(left_out != UNLABELLED) == np.sort(model.hubs_)).all()


def test_the_start_of_dec_is_k_means_on_the_codes_of_its_autoencoder() -> None:
    X = data.load("iris").X
    start = DECStart(3, hidden=(16,), epochs=1, random_state=0).fit(X)
    model = DEC(3, hidden=(16,), epochs=1, random_state=0)
    run = model.training(X)
    clusters = model.settle(run)
    away = np.square(clusters.codes_[:, None] - clusters.centres_).sum(axis=2)
    assert run.iteration == 0 and (start.labels_ == away.argmin(axis=1)).all()
    # Each centre is the mean of its codes: k-means has converged.
    for c in range(3):
        mean = clusters.codes_[start.labels_ == c].mean(axis=0)
        np.testing.assert_allclose(mean, clusters.centres_[c], atol=1e-2)


@pytest.mark.filterwarnings("ignore:the .* hubs fall into")
def test_moons_and_rings_reach_the_numbers_of_the_thesis(tmp_path) -> None:
    table = TABLES["thesis_sgsc"]
    small = replace(table, rows=table.rows[1:3], methods=table.methods[:2])
    done = quietly(small, tmp_path, draws=1)
    assert done.status == 0
    for row in small.rows:
        (found,) = done.found[row.title, table.methods[0].title]
        assert found.accuracy > row.paper[table.methods[0].title].mean
