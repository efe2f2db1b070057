"""Product distributions on the count simplex {r ∈ Z^m : Σ r_i = n}, P(r) ∝ Π f_i(r_i).

The mixture components of the Hellinger mechanism and the noise-aware posterior of the counts have this form. None of
these objects prints its content, as weights made from private counts are private.
"""

from core.count_simplex.product_distribution import DEFAULT_TOLERANCE, Marginal, ProductDistribution, condition_on_total
from core.count_simplex.window import CountSimplexError, Window, in_groups

__all__ = [
    "DEFAULT_TOLERANCE",
    "CountSimplexError",
    "Marginal",
    "ProductDistribution",
    "Window",
    "condition_on_total",
    "in_groups",
]
