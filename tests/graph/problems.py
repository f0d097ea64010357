"""Small sets with ties, equal points and an outlier."""

import numpy as np
from sklearn.datasets import load_digits

rng = np.random.default_rng(2)
cloud = rng.normal(size=(120, 3))
twins = np.repeat(rng.normal(size=(30, 3)), 4, axis=0)
outlier = np.concatenate([cloud, [[1e6, 0.0, 0.0]]])
digits = load_digits().data[:400]
SETS = {"cloud": cloud, "twins": twins, "outlier": outlier, "digits": digits}
