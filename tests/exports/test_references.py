"""Every method has its papers as BibTeX."""

import re

import pytest

import sslviz
from sslviz.exports.references import bibtex_of, references_of


@pytest.mark.parametrize("Method", sslviz.METHODS, ids=lambda m: m.__name__)
def test_every_method_names_its_papers_in_full(Method):
    found = references_of(Method)
    assert found, "the docstring ends with: Author, Author. Title. Venue year."
    assert all(r.authors and len(r.title) > 8 and re.fullmatch(r"\d{4}", r.year) for r in found)
    known = " ".join(" ".join(r.authors) + r.year for r in found)
    first = re.match(r"[\w-]+", Method.paper)
    assert first is not None and first[0] in known, (Method.paper, known)


def test_an_entry_has_authors_title_place_and_year():
    text = bibtex_of([sslviz.LabelPropagation, sslviz.SSDLGA, sslviz.LabelPropagation])
    assert text.count("@") >= 3 and text.count("{") == text.count("}")
    assert "@inproceedings{zhu2003semi,\n  author = {Zhu and Ghahramani and Lafferty}," in text
    assert "booktitle = {ICML},\n  year = {2003}" in text
    assert "{Ngolè Mboula}" in text and "journal = {SIAM J. Imaging Sciences}" in text
    assert "2019" in bibtex_of([sslviz.OnlineQLP])  # "2019, section 3.2.3." is one reference
