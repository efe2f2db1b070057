"""A linear query's pages name what was asked and what was measured, and offer no payment that would be refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from tests.service.conftest import COUNTS, make_study
from tests.service.console.conftest import browser_of
from tests.service.console.test_release_page import Trial, table

if TYPE_CHECKING:
    from tests.harness.server import Server


@pytest.fixture(scope="module")
def trial(sqlite_server: Server) -> Trial:
    return Trial(sqlite_server)


def path(trial: Trial, **typed: str) -> str:
    return f"/console/datasets/{trial.data['id']}/query?{urlencode({'ask': 'yes', 'outcome_1': 'yes'} | typed)}"


def test_a_query_that_would_be_refused_has_no_button_and_says_what_is_missing(trial: Trial) -> None:
    page = browser_of(trial.analyst).get(path(trial, half_width="2"))
    assert page.status == 200, page.text
    assert "at most 0.2 on it" in page.text  # 0.8 of the grant of 1 is spent
    assert re.search(r"It can't be measured now\. It costs ε = [\d.]+, and .* [\d.]+ is missing", page.text), page.text
    assert not any(form.get("action").endswith("/queries") for form in page.forms)


def test_a_confidence_is_a_percentage(trial: Trial) -> None:
    browser = browser_of(trial.analyst)
    for typed in ("95", "95 %", "0.95", "0,95"):
        page = browser.get(path(trial, confidence=typed, half_width="20,5"))
        assert "with 95 % confidence" in page.text, typed
        # The boxes have what was used.
        assert (page.by_id("confidence").get("value"), page.by_id("half_width").get("value")) == ("95", "20.5")
    refused = browser.get(path(trial, confidence="100"))
    assert "between 0 and 100" in refused.error_at("confidence")
    assert "Nothing was changed" not in refused.text


def test_a_free_answer_is_about_these_records_and_asks_for_no_payment_unasked(trial: Trial) -> None:
    page = browser_of(trial.analyst).get(path(trial))
    assert "count in these records" in page.text
    assert "nothing to pay" not in page.text
    pattern = r"(\S+), between (\S+) and (\S+) with 95 % confidence \(± (\S+)\)"
    texts = re.findall(pattern, page.text)[0]
    estimate, low, high, half = (float(each.replace("\u2212", "-")) for each in texts)
    assert half > 2
    assert not any("." in each for each in texts[:3])  # decimals of a count would mean nothing
    assert [estimate - low, high - estimate] == pytest.approx([half, half], abs=1.1)


def test_a_paid_answer_shows_the_measured_value_its_noise_and_what_it_was_combined_with(trial: Trial) -> None:
    browser = browser_of(trial.analyst)
    owner = trial.owner
    grants = owner.get("/v1/grants", dataset_id=trial.data["id"]).json()["items"]
    changed = owner.patch(f"/v1/grants/{grants[0]['id']}", {"epsilon": "1.9"})
    assert changed.status_code == 200, changed.text
    quote = browser.get(path(trial, half_width="2.8"))
    assert "Laplace noise" in quote.text
    assert "combines it with the earlier releases" in quote.text
    answers = browser.send(quote, "/queries")
    assert answers.path.startswith("/console/queries/"), answers.text
    found = trial.analyst.get(f"/v1/releases/{answers.path.rpartition('/')[2]}").json()
    [query], [estimate], [measured] = found["queries"], found["answers"], found["measured"]
    assert query["of"] == {"where": {"ill": ["yes"]}}
    assert table(answers)[0][0] == "count of ill yes, to ± 2.8"
    assert table(answers)[0][5] == "what was measured and 1 earlier release"
    shown = float(table(answers, 1)[0][1].replace("\u202f", "").replace("\u2212", "-"))
    assert shown == pytest.approx(measured["answer"], abs=0.06)
    assert shown != pytest.approx(estimate["estimate"], abs=1e-9)
    scale, reach = map(float, re.findall(r"scale ([\d.]+): within ± ([\d.]+)", table(answers, 1)[0][2])[0])
    assert scale == pytest.approx(1 / float(measured["rate"]), rel=0.01)
    assert reach == pytest.approx(2.9957 * scale, rel=0.02)
    listed = browser.get("/console/releases")
    assert "count of ill yes, to ± 2.8" in listed.text
    assert re.search(r"ε = [\d.]+ spent, [\d.]+ left of 1\.9", listed.text)


def test_the_number_of_records_is_asked_for_where_it_is_private(sqlite_server: Server) -> None:
    """By choosing every category. The page does not offer the number as public."""
    study = make_study(sqlite_server.new("owner"), sqlite_server.new("analyst"), n_is_public=False)
    browser = browser_of(study.analyst)
    asked = urlencode({"ask": "yes", "outcome_0": ["case", "none"], "half_width": "20"}, doseq=True)
    quote = browser.get(f"/console/datasets/{study.dataset_id}/query?{asked}")
    assert "to estimate it, choose every category" in quote.text
    assert "The releases that you can read don't answer this." in quote.text
    answers = browser.send(quote, "/queries")
    assert answers.path.startswith("/console/queries/"), answers.text
    [answer] = study.analyst.get(f"/v1/releases/{answers.path.rpartition('/')[2]}").json()["answers"]
    assert abs(answer["estimate"] - sum(COUNTS)) < 200
    assert "adding or removing one record" in answers.text
