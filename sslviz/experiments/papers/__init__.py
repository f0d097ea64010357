"""Tables of the papers, one module each. To add one, write its module and name it here."""

from sslviz.experiments.papers import (
    discriminative,
    flp,
    flp_label_ratio,
    flp_sda_beta,
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
    flp_sda_beta,
    flp_label_ratio,
    discriminative,
    ssdl_usps,
    ssdl_mnist,
    ssdl_graphs,
    thesis_stream,
    thesis_stream_sizes,
    thesis_sgsc_grid,
    thesis_sgsc,
    thesis_clustering,
    thesis_clustering_full,
    thesis_sedc_sizes,
)
TABLES: dict[str, Table] = {module.TABLE.name: module.TABLE for module in MODULES}
