"""The text of a release, composed from parts, equals the text that an encoder writes of the whole."""

import pytest
from pydantic_core import to_json

from core.dirichlet import posterior
from core.mechanisms.geometric.mechanism import SimplexGeometric
from core.mechanisms.noisy_counts import NoisyCounts
from core.privacy import Epsilon
from service.releases.document import posterior_response, posterior_text

LABELS = ["yes", 'no, "never",', "é\u2028\\", "tab\tand\nline,\n", '","', "yes "]


@pytest.mark.parametrize("size", [2, 6])
def test_a_posterior_is_written_as_an_encoder_writes_it(size: int) -> None:
    labels, prior = LABELS[-size:], [1.0, 1.0, 0.1, 1e-7, 3.0, 1.0][-size:]
    on_simplex = (5, 5, 0, 0, 2**40, 5)[-size:]
    counts = NoisyCounts(tuple(count - 3 for count in on_simplex), on_simplex)
    law = posterior(prior, counts.on_simplex)
    summaries = law.summaries(0.9)
    columns = ((label, *summaries[marginal]) for label, marginal in zip(labels, law.marginals, strict=True))
    whole = {
        "concentration": law.concentration,
        "noisy_counts": counts.noisy,
        "released_counts": counts.on_simplex,
        "categories": [
            {
                "label": label,
                "mean": mean,
                "standard_deviation": deviation,
                "naive_interval": {"level": 0.9, "low": low, "high": high},
            }
            for label, mean, deviation, (low, high) in columns
        ],
    }
    event = SimplexGeometric(sum(on_simplex), size, Epsilon.parse("1"))
    assert posterior_text(event, labels, prior, 0.9, counts).encode() == to_json(whole)
    assert posterior_response(event, labels, prior, 0.9, counts).model_dump() == whole | {
        name: list(whole[name]) for name in ("concentration", "noisy_counts", "released_counts")
    }
