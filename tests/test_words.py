"""Refuses words and calques in texts that people read: pages, docstrings, comments, problems, descriptions, help texts,
console pages, and names of tests.
"""

from __future__ import annotations

import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).parent.parent
REFUSED = re.compile(r"\b(whoever|whom|hangs\s+on|so\s+many|told)\b", re.IGNORECASE)
CALQUE = re.compile(
    r"\b(?:(?<!there )(?:is|are|was|were)\s+no\s+"
    r"(?!longer\b|more\b|less\b|larger\b|smaller\b|wider\b|better\b|greater\b|later\b|earlier\b)\w+"
    r"|(?:which|that|is|are)\s+none\s+of\b|speaks\s+no\b|put\s+out\b|laid\s+end\s+to\s+end\b"
    r"|closed\s+to\s+others\b|stays\s+spent\b|by\s+the\s+function\s+of\b|what\s+answers\b"
    r"|(?:from|up\s+to)\s+which\s+on\b|(?:is|are)\s+the\s+most[,;.]|found\s+if\s+left\s+out\b"
    r"|stood?\s+above\s+already\b|stands\s+above\s+already\b|of\s+what\s+(?:creates|reads|changes|needs|spends)\b"
    r"|hand(?:s|ed)?\s+(?:out|over)\b|(?:anyone|anybody|nobody)\s+can[.,;:]"
    r"|but\s+for\s+(?:an?|the|its)\b|pays?\s+off\b|this\s+very\b|dearer\b"
    r"|others\s+than\b|once\s+at\s+most\b|enrolment\s+tokens?\b|one\s+of\s+both\b|right\s+to\s+(?:about\b|\d))|,\s+or\s+end\s+that\b",
    re.IGNORECASE,
)
"""Turns that a reader has to translate: "is no X" for "is not a X", a verb where a noun belongs, an unfinished clause,
and homely verbs for terms.
"""
PAGE_CALQUE = re.compile(r"\banother\s+\w+(?:\s+\w+)?\s+than\b|(?:^|[.!?]\s+)Without,", re.IGNORECASE | re.MULTILINE)
"""Turns that pages and the console may not have: a comparison of "another", and a pronoun's noun left out."""
CHECKED = (
    "core",
    "client",
    "benchmarks",
    "migrations",
    "deploy",
    "service",
    "tests",
)
"""Folders of code without any of the words."""
FORMULA = re.compile(r"[=≤≥<>Σ∝√∈∞^∂∫∑∏≈‖⌊⌈]|\|\||ln |exp\(")
MOST_WORDS = 25
LONG_SENTENCES = 0.022
"""The largest share of prose sentences of docs/explanation above `MOST_WORDS`: 1.9 % on 27 November 2026, and 20 %
before. What is left is mostly in the page that `benchmarks.papers` writes. Lower it, never raise it.
"""
LEFT_OUT = {"client/private_posterior/models.py", "tests/test_words.py", "tests/test_commit_hook.py"}
"""Generated code, and tests of this check and of the hook, which quote the words."""


def names(paths: list[Path]) -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


PAGES = names([*ROOT.glob("*.md"), ROOT / "client" / "README.md", *(ROOT / "docs").rglob("*.md")])
TEMPLATES = names([*(ROOT / "service").rglob("*.html")])
MODULES = names([path for folder in CHECKED for path in (ROOT / folder).rglob("*.py")])


def refused(text: str) -> list[str]:
    """Each refused word of a text, with its line."""
    return [f"{text[: found.start()].count(chr(10)) + 1}: {found[0]}" for found in REFUSED.finditer(text)]


def prose(path: Path) -> str:
    """The comments and strings of a module, each at its line. Names are left out."""
    lines: dict[int, str] = {}
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type in {tokenize.COMMENT, tokenize.STRING}:
                for offset, line in enumerate(token.string.splitlines()):
                    lines[token.start[0] + offset] = lines.get(token.start[0] + offset, "") + line
    return "\n".join(lines.get(number, "") for number in range(1, max(lines, default=0) + 1))


def sentences(page: str) -> list[str]:
    """The prose sentences of a page: without code blocks, tables, headings, pictures and sentences with a formula."""
    blocks, page = [""], re.sub(r"```.*?```", "\n\n", page, flags=re.DOTALL)
    for line in map(str.strip, page.splitlines()):
        if not line or line.startswith(("|", "#", "<", "!")):
            blocks.append("")
        elif item := re.match(r"(?:[-*]|\d+\.) ", line):
            blocks.append(line[item.end() :])
        else:
            blocks[-1] += " " + line
    found = []
    for block in blocks:
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]*`", "CODE", block)).replace("*", "")
        found += re.split(r"(?<=[.!?])\s+(?=[A-Z“\"(])", text.strip())
    return [sentence for sentence in found if sentence and not FORMULA.search(sentence)]


def word_count(sentence: str) -> int:
    return sum(bool(re.search(r"\w", word)) for word in sentence.split())


def test_a_sentence_of_an_explanation_has_25_words_at_most() -> None:
    pages = [page for page in PAGES if page.startswith("docs/explanation/")]
    found = [sentence for page in pages for sentence in sentences((ROOT / page).read_text(encoding="utf-8"))]
    long = [sentence for sentence in found if word_count(sentence) > MOST_WORDS]
    assert len(found) > 600
    assert len(long) <= LONG_SENTENCES * len(found), long


def test_the_check_of_sentences_leaves_code_tables_and_formulas() -> None:
    page = "# One\n\n| a |\n|---|\n\nTwo `x = 1`. Then y = 2.\n\n```sh\nls\n```\n\n- Three\n  [four](five.md).\n- Six."
    assert sentences(page) == ["Two CODE.", "Three four.", "Six."]


def test_the_check_finds_each_word_and_no_part_of_one() -> None:
    assert refused("Tell whoever asks\nfor whom it hangs\non so many, as told.") == [
        "1: whoever",
        "2: whom",
        "2: hangs\non",
        "3: so many",
        "3: told",
    ]
    assert refused("untold, wholesome") == []


def test_the_prose_of_a_module_is_its_comments_and_strings(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""Tells\nwhoever."""\ntold = 1  # so many\n', encoding="utf-8")
    assert refused(prose(module)) == ["2: whoever", "3: so many"]


def test_a_page_has_none_of_the_words() -> None:
    found = {page: refused((ROOT / page).read_text(encoding="utf-8")) for page in PAGES}
    assert {page: words for page, words in found.items() if words} == {}


def test_the_prose_of_a_module_has_none_of_the_words() -> None:
    suspected = [
        module
        for module in MODULES
        if module not in LEFT_OUT and refused((ROOT / module).read_text(encoding="utf-8"))  # names too, but quick
    ]
    found = {module: refused(prose(ROOT / module)) for module in suspected}
    assert {module: words for module, words in found.items() if words} == {}


def test_a_text_has_none_of_the_calques() -> None:
    products = [module for module in MODULES if not module.startswith("tests/") and module not in LEFT_OUT]
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in (*PAGES, *TEMPLATES, *products)}
    texts |= {module: prose(ROOT / module) for module in products if CALQUE.search(texts[module])}
    found = {name: [each[0] for each in CALQUE.finditer(text)] for name, text in texts.items()}
    for name in (*PAGES, *TEMPLATES):
        found[name] += [each[0] for each in PAGE_CALQUE.finditer(texts[name])]
    assert {name: words for name, words in found.items() if words} == {}


def test_the_check_finds_each_calque_and_leaves_plain_sentences() -> None:
    calques = [
        "text that is no number", "a key that is none of ours", "the server speaks no JSON", "was put out",
        "laid end to end", "closed to others", "What is charged stays spent.", "by the function of dates",
        "what answers at this address", "handed over", "Without it nobody can.", "the size from which on it wins",
        "has 12 groups, and 10 is the most.", "Encoding; found if left out", "this cell stood above already",
        "Problems of what creates something.", "The margins can be others than these.", "Give one of both.",
        "sums are right to 1e-9", "Publish a release, or end that.",
        "It is charged once at most.", "Exchange the enrolment token.",
        "never, but for a\nprobability of 1e-6", "ρ pays off", "about this very file", "a dearer release",
    ]  # fmt: skip
    assert [each for each in calques if not CALQUE.search(each)] == []
    plain = "There is no job. It is no longer there. Nobody can read it. A digit is no more than noise."
    assert CALQUE.search(plain) is None
    for each in ("on another disk than the database", "It is free. Without, it is charged."):
        assert PAGE_CALQUE.search(each), each
    assert PAGE_CALQUE.search("on another disk. Without an amount it is free, not more than that.") is None


def test_the_name_of_a_test_has_none_of_the_words() -> None:
    named = re.compile(r"def (test_\w+)")
    modules = [module for module in MODULES if module.startswith("tests/")]
    names = {module: named.findall((ROOT / module).read_text(encoding="utf-8")) for module in modules}
    assert {name: module for module in modules for name in names[module] if refused(name.replace("_", " "))} == {}
