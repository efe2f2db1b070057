"""The service with one fault, which tests have to notice or survive:

python -m tests.harness.planted crash:debited serve

A parameter follows the name of the fault after a colon. With `draw` instead of `serve` this is the service's own draw
process. Workers and computation processes run this file again as `__mp_main__`; workers have no fault but `crash`,
computations none. So that they start as those of a sound service do, only the function of a fault imports the service.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Never

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from core.certificate import Certificate
    from core.mechanisms.catalogue import AnyEvent
    from core.mechanisms.geometric.mechanism import SimplexGeometric
    from core.mechanisms.private_size import PrivateSize
    from core.privacy import NeighbourRelation
    from core.private import Private
    from core.samplers.entropy import Entropy
    from service.datasets.cipher import KeyRing
    from service.ledger.counts_binding import CountsBinding
    from service.schemas.mechanisms import Mechanism

SHOUTED: Final = "SHOUTED COUNTS"
_CRASH_AT: Final = "CRASH_AT"
"""The variable by which `crash` reaches the workers."""


def halve_the_scale() -> None:
    """Simplex geometric noise for twice the epsilon."""
    from core.mechanisms.geometric import mechanism
    from core.privacy import Epsilon

    noise = mechanism.simplex_noise

    def halved(event: SimplexGeometric, entropy: Entropy) -> NDArray[np.int64]:
        return noise(mechanism.SimplexGeometric(event.n, event.m, Epsilon(2 * event.epsilon.units)), entropy)

    mechanism.simplex_noise = halved


def bound_the_support() -> None:
    """Noise of at most one record, so that the possible outputs depend on the counts."""
    from core.mechanisms.geometric import mechanism

    noise = mechanism.simplex_noise

    def bounded(event: SimplexGeometric, entropy: Entropy) -> NDArray[np.int64]:
        while abs((found := noise(event, entropy))[0]) > 1:
            pass
        return found

    mechanism.simplex_noise = bounded


def clip_before_noise() -> None:
    """Noise drawn again until the noisy counts lie in [0, n]: clipped before it is added, so that the normaliser
    depends on the counts.
    """

    def clipped(release: Callable[..., Any], *given: Any) -> Any:
        while min((released := release(*given)).value.noisy) < 0:
            pass
        return released

    _replace_release(clipped)


def forget_the_unit() -> None:
    """The noise and the certified loss of one record, for a unit of several."""
    from core.mechanisms.catalogue import certify
    from service.channels import certified, mechanisms
    from service.drawing import draw

    def for_one_record(mechanism: Mechanism, records: int) -> Mechanism:
        return mechanism

    def certify_one(event: AnyEvent, records: int) -> Certificate:
        return certify(event)

    mechanisms._mechanism_for_one_record = for_one_record
    certified.certify_unit = draw.certify_unit = certify_one  # type: ignore[attr-defined]  # imported there


def misprice_margins(variant: str) -> None:
    """Plant margins whose stated loss is too small: only that of the most expensive margin, as if each were about other
    people; or without the first margin; or noise for one record of a unit that has several.
    """
    from core.mechanisms import catalogue, margins

    sound = margins.certify

    def of_fewer(event: margins.Margins) -> Certificate:
        losses: Any = (max(event.losses),) if variant == "disjoint" else event.losses[1:]
        return sound(replace(event, margins=event.margins[: len(losses)], losses=losses))

    if variant == "one_record":
        _forget_the_records()
    else:
        margins.certify = of_fewer  # type: ignore[assignment]  # it has no cache
        catalogue._KIND_BY_EVENT[margins.Margins] = replace(catalogue.MARGINS, certify=of_fewer)


def _forget_the_records() -> None:
    """The noise of margins for one record, whatever the size of a unit."""
    from core.mechanisms import margins

    unit = margins.cost_of_unit_noise

    def of_one(relation: NeighbourRelation, records: int, *, gaussian: bool) -> Fraction:
        return unit(relation, 1, gaussian=gaussian)

    margins.cost_of_unit_noise = of_one


def misprice(variant: str) -> None:
    """A ledger that prices measured queries too low."""
    from tests.harness.ledger_faults import plant

    plant(variant)


def draw_at_any_price(_: str) -> None:
    """Draws for which every amount is enough: otherwise they refuse what was charged too little."""
    from core.accounting.accountants import NOTHING
    from service.drawing import draw

    draw.price = lambda *_: NOTHING  # type: ignore[attr-defined]  # imported there


def crash(at: str) -> None:
    """At this step of a release the process kills itself, as `kill -9` does: nothing is flushed or cleaned up."""
    from service.settings import faults

    def kill(step: str) -> None:
        if step == at:
            os.kill(os.getpid(), signal.SIGKILL)

    assert at in faults.CRASH_POINTS
    os.environ[_CRASH_AT] = at
    faults.hook = kill


def delay_by_the_counts(seconds: str) -> None:
    """Correct releases, delayed by these seconds times the share of the first category."""
    from core.mechanisms.unsealing import unseal

    def late(
        release: Callable[..., Any], counts: Private[NDArray[np.int64]], event: SimplexGeometric, *rest: Any
    ) -> Any:
        time.sleep(float(seconds) * unseal(counts)[0] / event.n)
        return release(counts, event, *rest)

    _replace_release(late)


def compute_before_draws(seconds: str) -> None:
    """Correct releases that compute for these seconds before noise is drawn."""

    def slow(release: Callable[..., Any], *given: Any) -> Any:
        until = time.process_time() + float(seconds)
        while time.process_time() < until:
            pass
        return release(*given)

    _replace_release(slow)


def sleep_in_plans() -> None:
    """Plans sleep forever, and become jobs at once if they have a target error."""
    from service.runtime.jobs import COMPUTATIONS

    COMPUTATIONS["plan"] = "tests.harness.computing:sleep_as_a_job_if_precise"


def shout_in_registrations() -> None:
    """The registration of three counts fails by an exception that contains them."""
    from service.datasets import counts as stored_counts

    store = stored_counts.store

    def store_or_raise(connection: Connection, counts: Sequence[int], binding: CountsBinding, ring: KeyRing) -> None:
        if len(counts) == 3:
            raise RuntimeError(f"{SHOUTED} {counts}")
        store(connection, counts, binding, ring)

    stored_counts.store = store_or_raise


def shout_in_draws() -> None:
    """Draws write the counts to standard error, and fail by an exception that contains them."""
    from core.mechanisms.unsealing import unseal

    def shout(_: object, counts: Private[NDArray[np.int64]], *__: object) -> Never:
        text = f"{SHOUTED} {unseal(counts).tolist()}"
        sys.stderr.write(text)
        raise RuntimeError(text)

    _replace_release(shout)


def double_the_rate() -> None:
    """Noise on counts of a private sum for twice the epsilon."""
    from core.mechanisms import private_size

    def doubled(noise: Callable[..., Any], event: PrivateSize, entropy: Entropy) -> Any:
        return noise(replace(event, loss=type(event.loss)(2 * event.loss.units)), entropy)

    private_size._noise = partial(doubled, private_size._noise)


def spare_a_cell() -> None:
    """Counts of a private sum of which the second gets no noise."""
    from core.mechanisms import private_size

    def spared(noise: Callable[..., Any], event: PrivateSize, entropy: Entropy) -> Any:
        drawn = noise(event, entropy)
        drawn[1] = 0
        return drawn

    private_size._noise = partial(spared, private_size._noise)


def price_rows_by_pairs() -> None:
    """Measured rows are priced by the largest pair of cells, as if the number of records were public."""
    from core.accounting.pairwise_loss import Row

    of_pairs = property(lambda row: tuple(value - min(row.coefficients) for value in row.coefficients))
    setattr(Row, "changes", of_pairs)  # noqa: B010  a property is planted


def forget_the_unit_of_a_private_size() -> None:
    """The noise of one record, for a unit of several."""
    from core.mechanisms import private_size

    def for_one(noise: Callable[..., Any], event: PrivateSize, entropy: Entropy) -> Any:
        return noise(replace(event, records_per_unit=1), entropy)

    private_size._noise = partial(for_one, private_size._noise)


def _replace_release(by: Callable[..., Any]) -> None:
    """Replaces the release of simplex geometric noise by a function that is given the sound one first."""
    from core.mechanisms.geometric import mechanism

    sound = mechanism.release
    mechanism.release = lambda *given: by(sound, *given)


def be_patient() -> None:
    """No limit of wall time is reached, however busy the machine is."""
    import pytest

    from tests.harness.out_of_reach import put_out_of_reach

    put_out_of_reach(pytest.MonkeyPatch())


def nothing(*_: str) -> None:
    """No fault."""


FAULTS: Final[dict[str, tuple[Callable[..., None], Callable[..., None] | None]]] = {
    "sound": (nothing, None),
    "half_the_scale": (halve_the_scale, halve_the_scale),
    "bounded_support": (bound_the_support, bound_the_support),
    "clip_before_noise": (clip_before_noise, clip_before_noise),
    "forgets_the_unit": (forget_the_unit, forget_the_unit),
    "twice_the_rate": (nothing, double_the_rate),
    "a_cell_without_noise": (nothing, spare_a_cell),
    "private_size_forgets_the_unit": (nothing, forget_the_unit_of_a_private_size),
    "rows_of_replaced_records": (price_rows_by_pairs, price_rows_by_pairs),
    "mispriced": (misprice, draw_at_any_price),
    "mispriced_margins": (misprice_margins, misprice_margins),
    "crash": (crash, None),
    "late_draws": (nothing, delay_by_the_counts),
    "slow_draws": (nothing, compute_before_draws),
    "sleeping_plans": (sleep_in_plans, None),
    "shouting": (shout_in_registrations, shout_in_draws),
}
"""By name: what is planted in the service, and in its draw processes; None where these are the service's usual ones."""


def draw_program(fault: str) -> tuple[str, ...]:
    """The program of draw processes with this fault."""
    return (sys.executable, "-m", "tests.harness.planted", fault, "draw")


def _draw_with(*program: str) -> None:
    """Makes the command `serve` of this process start another program as its draw processes."""
    from service.api.app import create_app
    from service.cli import serving

    serving._application = lambda settings: create_app(settings, program)


def main() -> None:
    fault = sys.argv.pop(1)
    name, *parameter = fault.split(":")
    in_service, in_draws = FAULTS[name]
    if sys.argv[1:] == ["draw"]:
        from service.drawing.__main__ import main as draw

        assert in_draws is not None
        in_draws(*parameter)
        draw()
    else:
        from service.cli.main import main as serve

        in_service(*parameter)
        if in_draws is not None:
            _draw_with(*draw_program(fault))
        be_patient()
        serve()


if __name__ == "__main__":
    main()
elif __name__ == "__mp_main__" and multiprocessing.current_process().name.startswith("Spawn"):
    # A worker of the service. Its computations come here too, each in a process of another kind.
    be_patient()
    if _CRASH_AT in os.environ:
        crash(os.environ[_CRASH_AT])
