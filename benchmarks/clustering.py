"""SGSC compared with scikit-learn's spectral clustering, training speed, memory at full size.

    python -m benchmarks.clustering

Both cluster the same points from X with ten neighbours; accuracy is that on all points, for SGSC
also that on its hubs. Training is that of SEDC with two hidden layers of 128 units on 2000 points
of the plane. Memory is the peak of a process that runs SGSC on all of MNIST, where all pairs would
take 39 GB.
"""

import os
import resource
import subprocess
import sys
import warnings
from time import perf_counter

import sklearn.cluster

from benchmarks.timing import medians, verdict
from sslviz import SEDC, SGSC, clustering_accuracy, data

N_CLUSTERS = {"four_clusters": 4, "two_moons": 2, "three_rings": 3}
SIZES, MIN_RATIO, MIN_STEPS_PER_SECOND, MAX_GIGABYTES = (2000, 10_000), 1.0, 200, 4.0


def main() -> None:
    warnings.simplefilter("ignore", UserWarning)  # both warn of several components
    compare()
    train()
    if "mnist" in data.names():
        measure()
    else:
        print("mnist.npz is missing: memory is not measured")


def compare() -> None:
    """The target holds for the larger size and the default σ; all pairs of hubs take longer."""
    print("SGSC and scikit-learn's SpectralClustering from X, median of 3")
    print(f"{'set':14} {'n':>6} {'sslviz':>8} {'sklearn':>8} {'ratio':>6}          accuracy")
    SGSC(2, random_state=0).fit(data.load("two_moons", n_samples=500).X)  # compile first
    for n in SIZES:
        for name, C in N_CLUSTERS.items():
            beside(data.load(name, n_samples=n, random_state=0), C)


def beside(d: data.Dataset, C: int) -> None:
    peer = sklearn.cluster.SpectralClustering(
        C, affinity="nearest_neighbors", n_neighbors=10, n_init=10, random_state=0
    )
    edges, pairs = (SGSC(C, sigma=sigma, random_state=0) for sigma in ("edges", "all"))
    *ours, theirs = medians(lambda: edges.fit(d.X), lambda: pairs.fit(d.X), lambda: peer.fit(d.X))
    for model, mine in zip((edges, pairs), ours, strict=True):
        hubs = clustering_accuracy(d.y[model.hubs_], model.hub_labels_)
        with_target = len(d.X) == SIZES[-1] and model is edges
        met = verdict(theirs / mine >= MIN_RATIO) if with_target else ""
        print(
            f"{d.name:14} {len(d.X):6} {mine:6.2f} s {theirs:6.2f} s {theirs / mine:6.1f} {met:6}"
            f"  σ {model.sigma:5}  {clustering_accuracy(d.y, model.labels_):.3f} (hubs {hubs:.3f}),"
            f" sklearn {clustering_accuracy(d.y, peer.labels_):.3f}"
        )


def train() -> None:
    X = data.load("four_clusters", n_samples=2000, random_state=0).X
    run = SEDC(4, hidden=(128, 128), random_state=0).training(X)
    run.advance(100)
    speeds = []
    for _ in range(5):
        start = perf_counter()
        run.advance(200)
        speeds.append(200 / (perf_counter() - start))
    middle = sorted(speeds)[2]
    print(
        f"SEDC, n=2000, 128-128: {middle:.0f} iterations per second, >= {MIN_STEPS_PER_SECOND} "
        f"{verdict(middle >= MIN_STEPS_PER_SECOND)}"
    )


def measure() -> None:
    start = perf_counter()
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.clustering", "whole"]
    told = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)
    hubs, points, peak = map(float, told.stdout.split())
    print(
        f"SGSC on 70 000 digits: {perf_counter() - start:.0f} s, accuracy {points:.3f} (hubs "
        f"{hubs:.3f}), peak {peak:.1f} GB, <= {MAX_GIGABYTES:g} {verdict(peak <= MAX_GIGABYTES)}"
    )


def whole() -> None:
    """Peak memory of SGSC in its own process."""
    d = data.load("mnist")
    model = SGSC(10, random_state=0).fit(d.X)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    hubs = clustering_accuracy(d.y[model.hubs_], model.hub_labels_)
    print(hubs, clustering_accuracy(d.y, model.labels_), peak)


if __name__ == "__main__":
    whole() if sys.argv[1:] == ["whole"] else main()
