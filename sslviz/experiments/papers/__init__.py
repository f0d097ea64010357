"""Tables of the papers, one module each. To add one, write its module and name it here."""

from sslviz.experiments.papers import (
    dictionary_faces,
    dictionary_halves,
    dictionary_mnist,
    dictionary_usps,
    discriminative,
    flp,
    ssdl_graphs,
    ssdl_mnist,
    ssdl_usps,
    ssrl_pl,
    ssrl_pl_splits,
    thesis_clustering,
    thesis_clustering_full,
    thesis_lp,
    thesis_sedc_sizes,
    thesis_sgsc,
    thesis_sgsc_grid,
    thesis_stream,
    thesis_stream_sizes,
    thesis_unlabelled,
)
from sslviz.experiments.table import Table

MODULES = (
    thesis_lp,
    thesis_unlabelled,
    ssrl_pl,
    ssrl_pl_splits,
    flp,
    discriminative,
    ssdl_usps,
    ssdl_mnist,
    ssdl_graphs,
    dictionary_usps,
    dictionary_mnist,
    dictionary_faces,
    dictionary_halves,
    thesis_stream,
    thesis_stream_sizes,
    thesis_sgsc_grid,
    thesis_sgsc,
    thesis_clustering,
    thesis_clustering_full,
    thesis_sedc_sizes,
)
TABLES: dict[str, Table] = {module.TABLE.name: module.TABLE for module in MODULES}
