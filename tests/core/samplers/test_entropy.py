import os

import pytest

from core.samplers.entropy import SeededEntropy, SystemEntropy


@pytest.mark.parametrize("count", [0, 1, 7, 64, 255, 256, 257, 5000, 100_000])
def test_bits_lie_below_two_to_the_count_and_reach_its_upper_half(count: int) -> None:
    entropy = SystemEntropy()
    values = [entropy.bits(count) for _ in range(64)]
    assert all(0 <= value < 1 << count for value in values)
    if count:
        # All 64 in the lower half: probability 2^-64.
        assert max(values).bit_length() == count


def test_every_bit_position_of_a_small_word_is_fair() -> None:
    entropy = SystemEntropy()
    ones = [0] * 11
    draws = 20_000
    for _ in range(draws):
        value = entropy.bits(11)
        for place in range(11):
            ones[place] += value >> place & 1
    # Eleven normal deviates beyond 6.5 standard deviations: probability below 1e-9.
    assert all(abs(count - draws / 2) < 6.5 * (draws / 4) ** 0.5 for count in ones)


def test_two_sources_do_not_repeat_each_other() -> None:
    assert SystemEntropy().bits(128) != SystemEntropy().bits(128)


def test_a_forked_child_draws_other_bits_than_its_parent() -> None:
    entropy = SystemEntropy()
    entropy.bits(1)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, entropy.bits(128).to_bytes(16))
        os._exit(0)
    os.waitpid(child, 0)
    from_child = int.from_bytes(os.read(reader, 16))
    os.close(reader)
    os.close(writer)
    assert from_child != entropy.bits(128)


def test_a_seed_repeats_its_bits() -> None:
    assert [SeededEntropy(7).bits(64) for _ in range(2)] == [SeededEntropy(7).bits(64) for _ in range(2)]
    assert SeededEntropy(7).bits(64) != SeededEntropy(8).bits(64)
