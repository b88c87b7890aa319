"""Quantiles by numpy, for the test `definitions_numpy.rs`.

In: nothing but the seed below. Out: JSON on standard output: the version of numpy, the quantiles asked for, and for each
sample its values in ascending order and what every method of numpy says of them.

    pip install numpy
    python numpy_quantiles.py > numpy_quantiles.json
"""

import json

import numpy

SEED = 20261130
QUANTILES = [0.0, 0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.97, 0.99, 0.999, 1.0]
METHODS = [
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "linear",
    "median_unbiased",
    "normal_unbiased",
    "lower",
    "higher",
    "midpoint",
    "nearest",
]


def samples(random):
    """Samples of few and of many values; frame times have a long tail, and clocks with a coarse step make ties."""
    for n in (1, 2, 3, 10, 97, 1000):
        yield f"{n} values with a long tail", numpy.round(random.lognormal(2.0, 0.6, n), 3)
    for n in (10, 97):
        yield f"{n} values with many ties", numpy.round(random.lognormal(1.0, 0.5, n))


def main():
    random = numpy.random.default_rng(SEED)
    found = []
    for name, values in samples(random):
        values = numpy.sort(values)
        by_method = {method: numpy.quantile(values, QUANTILES, method=method).tolist() for method in METHODS}
        found.append({"name": name, "values": values.tolist(), "by_method": by_method})
    print(json.dumps({"numpy": numpy.__version__, "quantiles": QUANTILES, "samples": found}))


if __name__ == "__main__":
    main()
