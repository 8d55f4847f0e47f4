"""Samples for the tests of procedures: small, with ties where they matter, the same on every call."""

import numpy as np

DRAW = np.random.default_rng(20)
X = DRAW.normal(10.0, 1.0, 20)
Y = DRAW.normal(10.8, 1.5, 20)
Z = DRAW.lognormal(2.0, 0.3, 25)
TIED_X = np.round(X)
TIED_Y = np.round(Y)
BLOCKS = DRAW.normal(size=(20, 3)) + np.array([0.0, 0.3, 0.9])

# Every procedure of groups with the samples and the options that it is tested with.
CALLS = {
    "anderson_darling": ((X,), {}),
    "autocorrelation": ((X,), {}),
    "bandwidth": ((X,), {"rule": "nrd0"}),
    "block_bootstrap": ((X,), {"resamples": 200}),
    "bootstrap": ((X, Y), {"resamples": 500}),
    "brunner_munzel": ((X, Y), {}),
    "dip": ((X,), {}),
    "drift": ((X,), {}),
    "friedman": ((X, Y, X + 0.5), {}),
    "geometric_mean": ((Z,), {}),
    "harrell_davis": ((X,), {"levels": (0.25, 0.5)}),
    "hodges_lehmann": ((X, Y), {"confidence": 0.9}),
    "kruskal_wallis": ((X, Y, Z), {}),
    "mann_whitney": ((X, Y), {}),
    "mean": ((X,), {}),
    "median": ((X,), {"confidence": 0.99}),
    "modes": ((X,), {}),
    "moments": ((Z,), {}),
    "normality": ((X,), {}),
    "outliers": ((X,), {}),
    "quade": ((X, Y, X + 0.5), {}),
    "quantiles": ((X,), {"levels": (0.25, 0.5)}),
    "shapiro_wilk": ((X,), {}),
    "shift_function": ((X, Y), {"levels": (0.4, 0.5), "resamples": 200}),
    "sign_test": ((X, Y), {}),
    "signed_rank": ((X, Y), {"zeros": "pratt"}),
    "timer_resolution": ((TIED_X,), {}),
    "tost": ((X, Y), {"low": -2.0, "high": 2.0}),
    "trimmed_mean": ((X,), {"share": 0.1}),
    "variance_components": ((X, Y, Z), {}),
    "warm_up": ((X,), {}),
    "welch": ((X, Y), {}),
}
