"""Semi-supervised learning you can watch.

`import sslviz` is light: a method's module, and torch or numba with it, is imported when its name
is first used. To add a method, name it and its module here.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_MODULES = {
    "LabelPropagation": "sslviz.propagation.label_propagation",
    "LabelSpreading": "sslviz.propagation.label_spreading",
    "GeodesicKNN": "sslviz.propagation.geodesic_knn",
    "RobustLabelPrediction": "sslviz.propagation.robust_label_prediction",
    "MinCut": "sslviz.propagation.min_cut",
    "FLP": "sslviz.embedding.flp",
    "SSRLPL": "sslviz.embedding.ssrl_pl",
    "SDA": "sslviz.embedding.sda",
    "LabelledLDA": "sslviz.embedding.lda",
    "LabelledNCA": "sslviz.embedding.nca",
    "LabelledPCA": "sslviz.embedding.pca",
    "SSDR": "sslviz.inductive.ssdr",
    "SDSC": "sslviz.inductive.sdsc",
    "LapRLS": "sslviz.inductive.lap_rls",
    "LapSVM": "sslviz.inductive.lap_svm",
    "S3VM": "sslviz.inductive.s3vm",
    "SemiKSC": "sslviz.inductive.semi_ksc",
    "SemiSupervisedGMM": "sslviz.inductive.gaussian_mixture",
    "LLReg": "sslviz.inductive.ll_reg",
    "SSDLGA": "sslviz.dictionary.ssdl_ga",
    "USSDL": "sslviz.dictionary.ussdl",
    "DKSVD": "sslviz.dictionary.dksvd",
    "LCKSVD": "sslviz.dictionary.lcksvd",
    "JDL": "sslviz.dictionary.jdl",
    "SupGraphDL": "sslviz.dictionary.sup_graph_dl",
    "OSSDL": "sslviz.dictionary.ossdl",
    "LCRLSDLA": "sslviz.dictionary.lc_rls_dla",
    "SRC": "sslviz.dictionary.src",
    "Metaface": "sslviz.dictionary.metaface",
    "FDDL": "sslviz.dictionary.fddl",
    "S2D2": "sslviz.dictionary.s2d2",
    "SSDLP": "sslviz.dictionary.ssd_lp",
    "SSRD": "sslviz.dictionary.ssr_d",
    "SSPDL": "sslviz.dictionary.ssp_dl",
    "PSSDL": "sslviz.dictionary.pssdl",
    "LadderNetwork": "sslviz.network.ladder_network",
    "VATClassifier": "sslviz.network.vat_classifier",
    "ConvNet": "sslviz.network.conv_net",
    "DoublingCover": "sslviz.stream.doubling_cover",
    "OnlineQLP": "sslviz.stream.qlp",
    "OnlineQRLP": "sslviz.stream.qrlp",
    "TemporalLabelPropagation": "sslviz.stream.temporal_label_propagation",
    "SGSC": "sslviz.clustering.sgsc",
    "SEDC": "sslviz.clustering.sedc",
    "IMSAT": "sslviz.clustering.imsat",
    "DEC": "sslviz.clustering.dec",
    "SpectralNet": "sslviz.clustering.spectral_net",
    "VaDE": "sslviz.clustering.vade",
    "CatGAN": "sslviz.clustering.cat_gan",
    "JULE": "sslviz.clustering.jule",
    "KMeans": "sslviz.clustering.kmeans",
    "KernelKMeans": "sslviz.clustering.kernel_kmeans",
    "GaussianMixture": "sslviz.clustering.gaussian_mixture",
    "SpectralClustering": "sslviz.clustering.spectral_clustering",
}
_FUNCTIONS = {
    "clustering_accuracy": "sslviz.metrics",
    "performance_bound": "sslviz.embedding.stages.performance_bound",
    "transfer_tuning": "sslviz.experiments.transfer_tuning",
}
_PACKAGES = ("data", "graph", "labels", "memo")

__all__ = ["METHODS", *_MODULES, *_FUNCTIONS, *_PACKAGES]


def __getattr__(name: str) -> Any:
    if name == "METHODS":
        return tuple(getattr(import_module(m), n) for n, m in _MODULES.items())
    if module := _MODULES.get(name) or _FUNCTIONS.get(name):
        return getattr(import_module(module), name)
    if name in _PACKAGES:
        return import_module(f"sslviz.{name}")
    raise AttributeError(f"module 'sslviz' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
