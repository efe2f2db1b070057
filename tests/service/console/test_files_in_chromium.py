"""The modules of the console read the files of `tests/files/cases.json` in a real browser, as the command and the text
field do (`tests/test_files.py`).
"""

from __future__ import annotations

import base64
from typing import Any, Final

import pytest
from playwright.sync_api import Browser

from service.console.tabular import TOTALS
from tests.harness.chromium import Visitor
from tests.harness.server import Server
from tests.test_files import CASES, FILES

pytestmark = pytest.mark.long
_READ: Final = """async ({ kase, bytes, pasted, totals: words }) => {
    const load = (name) => import(`/console/static/${name}.js`);
    const [files, tabular, counting, groups, paste] = await Promise.all(
        ["files", "tabular", "counting", "groups", "pasted"].map(load));
    const totals = new Set(words);
    const blob = new Blob([Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0))]);
    const parting = { comma: ",", semicolon: ";", tab: "\\t", bar: "|", space: " " };
    const nothing = () => {};
    const open = ({ encoding, separator, names_line: line, sheet }) => files.openFile(blob, {
        encoding: encoding ?? null, separator: parting[separator] ?? null, namesLine: line ?? null,
        sheet: sheet ?? null,
    });
    const sentence = (error) => {
        if (!(error instanceof tabular.FileError)) throw error;
        return { error: error.message };
    };
    const read = async (how) => {
        const opened = await open(how);
        let columns;
        const rows = [];
        const begin = (names) => { columns = names.map(() => tabular.columnOf()); };
        const found = await opened.rows(begin, (row) => {
            rows.push(row);
            row.forEach((value, place) => tabular.addValue(columns[place], value, opened.separator));
        }, nothing);
        const seen = tabular.study(found.names, columns, rows, totals, opened.separator);
        const name = (place) => (place === null ? null : found.names[place]);
        const facts = {
            encoding: opened.encoding, sheet: opened.sheet, separator: opened.separator, names: found.names,
            short: found.short, blank: found.blank, counts: name(seen.counts), unfolded: seen.unfolded.map(name),
            asked: seen.asked.map(name), person: name(seen.person),
            sheets: opened.sheets.length > 1 ? opened.sheets : [],
        };
        const full = Object.entries(facts).filter(([, value]) => (Array.isArray(value) ? value.length : value));
        return { ...Object.fromEntries(full), names_line: found.namesLine, rows: rows.length };
    };
    const count = async (table) => {
        const opened = await open(table.how);
        let names;
        await opened.rows((given) => { names = given; }, nothing, nothing);
        const columns = table.columns.map((each) => {
            const made = each.groups ? groups.groupsOf(each.groups) : null;
            const levels = made ? made.groups.map((group) => [group.name]) : each.values.map((value) => [value]);
            const groupLevels = levels.map((_, level) => level);
            const place = names.indexOf(each.name);
            return { place, levels, size: levels.length, groups: made, groupLevels, missing: -1 };
        });
        const counted = counting.counter({
            columns, totals, separator: opened.separator,
            weight: table.counts_in ? names.indexOf(table.counts_in) : null,
            unfold: table.unfold ? table.unfold.columns.map((name) => names.indexOf(name)) : null,
        });
        await opened.rows(nothing, counted.add, nothing);
        const left = Object.fromEntries(Object.entries(counted.left).filter(([, records]) => records));
        return { counts: counted.counts, left };
    };
    const take = ({ how }) => {
        const given = { totals, unfold: how.unfold ?? "" };
        const { names, lines } = paste.pastedTable(pasted, given);
        return { attributes: names, lines: lines.length, records: lines.reduce((sum, line) => sum + line.count, 0) };
    };
    const result = { read: [], tables: [], paste: null };
    for (const { how } of kase.read) result.read.push(await read(how).catch(sentence));
    for (const table of kase.tables ?? []) result.tables.push(await count(table));
    if (kase.paste) {
        try {
            result.paste = take(kase.paste);
        } catch (error) {
            result.paste = sentence(error);
        }
    }
    return result;
}"""


def test_a_browser_reads_each_file_as_the_table_says(chromium: Browser, sqlite_server: Server) -> None:
    visitor = Visitor.at(chromium, sqlite_server.url)
    visitor.sign_in(sqlite_server.new("owner").key)
    visitor.go("/console/data/new")
    visitor.requests.clear()
    for case in CASES:
        content = (FILES / case["file"]).read_bytes()
        found = visitor.page.evaluate(
            _READ,
            {
                "kase": case,
                "bytes": base64.b64encode(content).decode(),
                "pasted": content.decode() if "paste" in case else "",
                "totals": list(TOTALS),
            },
        )
        name = case["file"]
        assert found["read"] == [each["found"] for each in case["read"]], name
        tables: list[dict[str, Any]] = [
            {"counts": table["counts"], "left": table["left"]} for table in case.get("tables", [])
        ]
        assert found["tables"] == tables, name
        if "paste" not in case:
            continue
        expected = case["paste"]["found"]
        repeated = "that is on an earlier line already" in expected.get("error", "")
        if "error" in expected and not repeated:
            assert found["paste"] == expected, name
        elif not repeated:
            assert (found["paste"]["attributes"], found["paste"]["records"]) == (
                expected["attributes"],
                expected["records"],
            ), name
    assert not [request for request in visitor.requests if "/static/" not in request.url], "nothing leaves the browser"
    visitor.context.close()
