"""The convolutional network: torch's own layers as a peer, shapes of images, labelled rows only."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from sslviz import ConvNet, data, labels
from sslviz.network.stages.convolutions import (
    LAYOUTS,
    ConvolutionalNetwork,
    as_images,
    convolution_weights,
    padded_shape,
)

ACTIVATIONS: dict[str, Any] = {"relu": nn.ReLU, "tanh": nn.Tanh}


def peer(name: str, shape: tuple[int, int], parts: list[torch.Tensor]) -> nn.Module:
    """The layout in torch's modules, with the given parameters."""
    layout, modules, inputs = LAYOUTS[name], [], 1
    for layer in layout.convolutions:
        modules += [nn.Conv2d(inputs, layer.channels, 3), ACTIVATIONS[layer.activation]()]
        modules += [nn.MaxPool2d(2)] if layer.pooled else []
        modules.append(nn.BatchNorm2d(layer.channels))
        inputs = layer.channels
    left = inputs * int(np.prod(layout.sides(shape)))
    modules += [nn.Flatten(), nn.Linear(left, layout.units), ACTIVATIONS[layout.activation]()]
    modules += [nn.BatchNorm1d(layout.units), nn.Linear(layout.units, len(parts[-1]))]
    net = nn.Sequential(*modules).double()
    with torch.no_grad():
        for own, given in zip(net.parameters(), parts, strict=True):
            own.copy_(given)
    return net


@pytest.mark.parametrize("name, shape", [("mnist", (16, 18)), ("usps", (9, 6))])
def test_it_is_the_network_of_the_table(name: str, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    arrays = convolution_weights(LAYOUTS[name], shape, 4, rng)
    parts = [torch.as_tensor(a + 0.1 * rng.normal(size=a.shape)) for a in arrays]
    net, other = ConvolutionalNetwork(LAYOUTS[name], parts), peer(name, shape, parts)
    images = torch.as_tensor(rng.random((6, 1, *shape)))
    with torch.no_grad():
        for averages in ("moved", "moved", "used"):
            other.train(averages == "moved")
            found = net.logits(images, averages)  # type: ignore[arg-type]
            torch.testing.assert_close(found, other(images), rtol=1e-9, atol=1e-10)


def test_weights_begin_as_those_of_torch() -> None:
    """Uniform within ±1/√fan-in: wider normal ones cost 1.6 points on USPS, 10 on digits."""
    arrays = convolution_weights(LAYOUTS["usps"], (16, 16), 10, np.random.default_rng(0))
    for W, bias in ((arrays[4], arrays[5]), (arrays[8], arrays[9]), (arrays[-2], arrays[-1])):
        bound = 1 / np.sqrt(W[0].size)
        assert 0.95 * bound < np.abs(W).max() <= bound and np.abs(bias).max() <= bound
        np.testing.assert_allclose(W.std(), bound / np.sqrt(3), rtol=0.06)


def test_dropout_keeps_the_mean() -> None:
    net = ConvolutionalNetwork(
        LAYOUTS["usps"],
        [torch.as_tensor(a) for a in convolution_weights(
            LAYOUTS["usps"], (8, 8), 3, np.random.default_rng(0))],
    )  # fmt: skip
    images = torch.as_tensor(np.random.default_rng(1).random((1, 1, 8, 8)))
    rng = np.random.default_rng(2)
    kept = [torch.as_tensor(rng.random((1, 128)) >= 0.25) for _ in range(3000)]
    mean = torch.stack([net.logits(images, "used", k) for k in kept]).mean(dim=0)
    torch.testing.assert_close(mean, net.logits(images, "used"), rtol=0, atol=0.05)


def test_small_and_incomplete_images_are_padded_with_zeros() -> None:
    assert [LAYOUTS[name].smallest_side for name in ("mnist", "usps")] == [16, 6]
    for name, least in (("mnist", 16), ("usps", 6)):
        assert LAYOUTS[name].sides((least, least)) == (1, 1)
    assert padded_shape(7, None, LAYOUTS["usps"]) == ((3, 3), (6, 6))
    assert padded_shape(40, (20, 2), LAYOUTS["usps"]) == ((20, 2), (20, 6))
    assert padded_shape(784, None, LAYOUTS["mnist"]) == ((28, 28), (28, 28))
    images = as_images(torch.arange(1.0, 8.0)[None], (3, 3), (6, 6))
    assert images.shape == (1, 1, 6, 6) and images.sum() == 28
    np.testing.assert_array_equal(images[0, 0, 1:4, 1:4], [[1, 2, 3], [4, 5, 6], [7, 0, 0]])


@pytest.fixture(scope="module")
def digits() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    d = data.load("digits", n_samples=400)
    return d.X, labels.hide(d.y, per_class=8, random_state=0), d.y


def test_unlabelled_images_are_not_used(digits: tuple) -> None:
    X, y, _ = digits
    options: dict[str, Any] = dict(layout="usps", epochs=4, random_state=0)
    whole = ConvNet(**options).fit(X, y)
    alone = ConvNet(**options).fit(X[y >= 0], y[y >= 0])
    assert X[y >= 0].min() == X.min() and X[y >= 0].max() == X.max()
    np.testing.assert_array_equal(whole.predict_proba(X), alone.predict_proba(X))
    np.testing.assert_array_equal(whole.losses_, alone.losses_)


def test_it_learns_digits_in_any_unit(digits: tuple) -> None:
    X, y, truth = digits
    options: dict[str, Any] = dict(layout="usps", epochs=12, random_state=0)
    model = ConvNet(**options).fit(X, y)
    hidden = y < 0
    assert (model.transduction_[hidden] == truth[hidden]).mean() > 0.75
    assert (model.transduction_[~hidden] == y[~hidden]).all()
    again = ConvNet(**options).fit(X / 16 - 1, y)
    assert (again.transduction_ == model.transduction_).mean() > 0.97


def test_images_that_are_not_square(digits: tuple) -> None:
    X, y, _ = digits
    tall = ConvNet(image_shape=(16, 4), layout="usps", epochs=1, random_state=0).fit(X, y)
    assert tall.predict(X[:3]).shape == (3,)
    with pytest.raises(ValueError, match=r"image_shape=\(8, 9\) has 72 pixels, but X has 64"):
        ConvNet(image_shape=(8, 9)).fit(X, y)
    for wrong in ((8,), (8.0, 8.0), (0, 64), "square"):
        with pytest.raises(ValueError, match="ConvNet: image_shape"):
            ConvNet(image_shape=wrong).fit(X, y)  # type: ignore[arg-type]
