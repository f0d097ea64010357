"""Declarations of tables: estimators and parameters exist, contradictions are refused."""

from pkgutil import resolve_name

import pytest
from experiments.majority import tiny

import sslviz
from sslviz.experiments.estimators.tuned import Tuned
from sslviz.experiments.papers import TABLES
from sslviz.experiments.table import Known, Row
from sslviz.params import params_of


@pytest.mark.parametrize("name", TABLES)
def test_every_table_names_estimators_and_parameters_that_exist(name):
    table = TABLES[name]
    assert table.name == name
    for method in table.methods:
        cls, params = resolve_name(method.estimator), dict(method.params)
        values = {key: [value] for key, value in params.items()}
        if cls is Tuned:
            cls = resolve_name(params["estimator"])
            fixed = {key: [value] for key, value in params.get("params", {}).items()}
            values = fixed | dict(params.get("grid", {}))
        declared = {p.name: p for p in params_of(cls)}
        for parameter, tried in values.items():
            assert parameter in cls._get_param_names(), method.title
            if cls in sslviz.METHODS:
                assert all(map(declared[parameter].accepts, tried)), (method.title, parameter)


def test_a_number_for_an_unknown_method_is_refused():
    row = Row("iris", "iris", per_class=1, paper={"nobody": Known(0.5)})
    with pytest.raises(ValueError, match="'nobody' is not one of"):
        tiny(rows=(row,))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({}, "give one of per_class, labelled"),
        ({"labelled": 8, "per_class": 2}, "give one of per_class, labelled"),
        ({"fraction": 0.1, "per_class": 2}, "give one of"),
        ({"per_class": 2, "unlabelled": 9, "unlabelled_per_class": 3}, "not both"),
        ({"per_class": 2, "train": 0.5}, "give test"),
        ({"per_class": 2, "prepare": ("whiten",)}, "'whiten' is not one of standardise"),
        ({"per_class": 2, "prepare": ("pca",)}, "needs 1 positive numbers"),
        ({"per_class": 2, "test": "all"}, "neither a number nor 'rest'"),
        ({"per_class": 2, "pool": "test"}, "neither a number nor 'train'"),
    ],
)
def test_a_protocol_that_contradicts_itself_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        Row("a row", "wine", **wrong)
