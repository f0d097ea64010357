"""Semi-supervised learning you can watch.

`import sslviz` is light: a method's module, and torch or numba with it, is imported when its name
is first used. To add a method, name it and its module here.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_MODULES = {
    "LabelPropagation": "sslviz.propagation.harmonic",
    "LabelSpreading": "sslviz.propagation.spreading",
    "GeodesicKNN": "sslviz.propagation.geodesic_knn",
    "RobustLabelPrediction": "sslviz.propagation.robust",
    "MinCut": "sslviz.propagation.cut",
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
    "SemiSupervisedGMM": "sslviz.inductive.mixture",
    "LLReg": "sslviz.inductive.local_regression",
    "SSDLGA": "sslviz.dictionary.ssdl_ga",
    "USSDL": "sslviz.dictionary.ussdl",
    "DoublingCover": "sslviz.stream.cover",
    "OnlineQLP": "sslviz.stream.qlp",
    "OnlineQRLP": "sslviz.stream.qrlp",
    "SGSC": "sslviz.clustering.sgsc",
    "SEDC": "sslviz.clustering.sedc",
    "IMSAT": "sslviz.clustering.imsat",
    "DEC": "sslviz.clustering.dec",
    "SpectralNet": "sslviz.clustering.spectral_net",
    "KMeans": "sslviz.clustering.kmeans",
    "SpectralClustering": "sslviz.clustering.spectral",
}
_FUNCTIONS = {
    "clustering_accuracy": "sslviz.clustering.accuracy",
    "performance_bound": "sslviz.embedding.bound",
    "transfer_tuning": "sslviz.clustering.transfer",
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
