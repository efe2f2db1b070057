"""The published description of the API is complete and true: its references resolve, its examples run, and a client
generated from it works.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.metadata import version
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any

import pytest
from fastapi.routing import APIRoute, iter_route_contexts
from jsonschema import Draft202012Validator
from pydantic import BaseModel, TypeAdapter, ValidationError
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from service.api.app import create_app
from service.errors import PROBLEMS
from service.schemas.model import Request as RequestBody
from service.settings.settings import Settings
from tests.harness.bodies import unique
from tests.harness.deadlines import until
from tests.harness.published import DOCUMENT, MADE_UP, OPERATIONS, bodies, body_schema
from tests.harness.rows import assert_each
from tests.harness.server import Party, Server, problem_code
from tests.service.conftest import Study, make_study

ADDRESS = "urn:openapi"
REGISTRY: Registry[Any] = Registry().with_resource(ADDRESS, DRAFT202012.create_resource(DOCUMENT))


OPEN = {
    "livez",
    "readyz",
    "list_mechanisms",
    "list_problems",
    "get_problem",
    "compute_public_posterior",
    "get_public_key",
    "get_public_margins",
    "get_public_release",
    "get_public_release_evidence",
    "plot_public_release",
    "create_enrolment",
}
"""Operations that anyone may use without a key."""
EXAMPLES = [
    (f"{name} {number}", name, body)
    for name, (_, _, operation) in OPERATIONS.items()
    if "requestBody" in operation
    for number, body in enumerate(bodies(body_schema(operation)), start=1)
]


def test_every_schema_is_a_schema_and_every_reference_leads_somewhere() -> None:
    assert DOCUMENT["openapi"].startswith("3.1")
    assert DOCUMENT["info"]["version"] == version("private-posterior")
    for schema in DOCUMENT["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    text = json.dumps(DOCUMENT)
    resolver = REGISTRY.resolver(ADDRESS)
    for reference in set(re.findall(r'"\$ref": "([^"]+)"', text)):
        resolver.lookup(reference)
    unused = [name for name in DOCUMENT["components"]["schemas"] if f'#/components/schemas/{name}"' not in text]
    assert unused == []


def test_every_integer_has_64_bits() -> None:
    """Java reads 32 bits of an integer without a format, and fails on the units of a receipt: after the charge."""
    integers = list(_schemas_of("integer", DOCUMENT))
    assert len(integers) > 100
    assert {each.get("format") for each in integers} == {"int64"}
    assert max(each.get("maximum", 0) for each in integers) < 2**63


def _schemas_of(kind: str, value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if value.get("type") == kind:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _schemas_of(kind, each)


def test_every_operation_has_the_stable_name_of_its_function() -> None:
    functions = [route.endpoint.__name__ for route in routes() if route.include_in_schema]
    assert sorted(functions) == sorted(OPERATIONS)


def routes() -> list[APIRoute]:
    return [
        context.route
        for context in iter_route_contexts(create_app(Settings()).routes)
        if isinstance(context.route, APIRoute)
    ]


def test_every_operation_says_what_it_is() -> None:
    assert_each(OPERATIONS, assert_says_what_it_is)


def assert_says_what_it_is(name: str) -> None:
    method, path, operation = OPERATIONS[name]
    described = {tag["name"] for tag in DOCUMENT["tags"]}
    assert len(operation["tags"]) == 1
    assert set(operation["tags"]) <= described
    assert operation["summary"]
    assert operation["description"].endswith(".")
    assert operation["security"] == ([] if name in OPEN else [{"ApiKey": []}])
    placeholders = set(re.findall(r"\{(\w+)\}", path))
    assert placeholders == {each["name"] for each in operation.get("parameters", ()) if each["in"] == "path"}
    assert method in {"GET", "POST", "PUT", "PATCH", "DELETE"}


def test_every_operation_lists_its_problems() -> None:
    assert_each(OPERATIONS, assert_lists_its_problems)


def assert_lists_its_problems(name: str) -> None:
    _, _, operation = OPERATIONS[name]
    titles = {problem.code: problem for problem in PROBLEMS}
    assert operation["responses"].keys() >= ({"500"} if name in OPEN else {"401", "422", "429", "500", "503"})
    for status, response in operation["responses"].items():
        if int(status) < 400:
            continue
        content = response["content"]["application/problem+json"]
        assert content["schema"] == {"$ref": "#/components/schemas/ProblemDocument"}
        for code, example in content["examples"].items():
            assert str(titles[code].status) == status
            assert_fits(example["value"], content["schema"])


def test_a_release_needs_its_idempotency_key_in_the_document_too() -> None:
    parameters = {each["name"]: each for each in OPERATIONS["create_release"][2]["parameters"]}
    assert parameters["Idempotency-Key"]["required"] is True


def test_every_body_has_an_example() -> None:
    with_body = {name: operation for name, (_, _, operation) in OPERATIONS.items() if "requestBody" in operation}
    assert with_body
    assert [name for name, operation in with_body.items() if not bodies(body_schema(operation))] == []


INVISIBLE = "a\0b"
SHAPES: list[Any] = [
    INVISIBLE, [INVISIBLE], [[INVISIBLE]], {INVISIBLE: 1}, {INVISIBLE: ["x"]}, {"x": INVISIBLE}, {"x": [INVISIBLE]},
]  # fmt: skip


def request_models(model: type[BaseModel] = RequestBody) -> Iterator[type[BaseModel]]:
    for each in model.__subclasses__():
        yield each
        yield from request_models(each)


def test_no_field_of_a_body_takes_a_text_with_a_character_that_nobody_sees() -> None:
    """PostgreSQL refuses some characters, and people's terminals and tables are misled by others."""
    assert_each(request_models(), assert_refuses_invisible_characters)


def assert_refuses_invisible_characters(model: type[BaseModel]) -> None:
    for name, field in model.model_fields.items():
        annotated: Any = Annotated[field.annotation, field]
        adapter = TypeAdapter[object](annotated)
        for shape in SHAPES:
            with pytest.raises(ValidationError):
                pytest.fail(f"{name} takes {adapter.validate_python(shape)!r}")


LONGEST_PATTERN = 40


def test_every_pattern_is_short_and_every_amount_a_decimal_text() -> None:
    """Clients are generated from them, and people read them."""
    text = json.dumps(DOCUMENT)
    patterns = {json.loads(f'"{each}"') for each in re.findall(r'"pattern": "((?:[^"\\]|\\.)*)"', text)}
    assert patterns
    for pattern in patterns:
        assert len(pattern) <= LONGEST_PATTERN, pattern
        assert not re.search(r"\(\?|\\[upPsSwWdD]", pattern), pattern
    amounts = re.findall(r'"(?:nominal_epsilon|epsilon|delta|rho)": (\{[^{}]*\})', text)
    assert amounts
    for amount in map(json.loads, amounts):
        assert (amount["type"], amount["format"]) == ("string", "decimal")


def test_every_example_fits_its_schema() -> None:
    assert_each(EXAMPLES, lambda row: assert_fits(row[2], body_schema(OPERATIONS[row[1]][2])), name=itemgetter(0))


def assert_fits(instance: object, schema: dict[str, Any]) -> None:
    here = json.loads(json.dumps(schema).replace('"#/', f'"{ADDRESS}#/'))
    Draft202012Validator(here, registry=REGISTRY).validate(instance)


# Against a running service


@pytest.mark.every(3)
@pytest.mark.parametrize(("name", "body"), [pytest.param(*example, id=name) for name, *example in EXAMPLES])
def test_every_example_runs(server: Server, owner: Party, analyst: Party, name: str, body: dict[str, Any]) -> None:
    """Each about a new data set, by a person without jobs."""
    method, path, operation = OPERATIONS[name]
    table: dict[str, Any] = {"counts": [33, 200_712], "labels": ["paralytic polio", "none"]}
    is_of_tables = name == "compute_estimates" and "queries" not in body
    if body.get("kind") == "margins" or is_of_tables:
        levels = {"age": ["young", "old"], "smoker": ["no", "yes"], "ward": ["A", "B"]}
        attributes = [{"name": attribute, "levels": named} for attribute, named in levels.items()]
        table = {"counts": [1000] * 8, "labels": None, "attributes": attributes}
    study = make_study(owner, analyst, **table)
    if is_of_tables:
        paid = {"all": 2, "epsilon": "0.5"}
        study.owner.post(
            f"/v1/datasets/{study.dataset_id}/releases", paid, idempotency_key=unique("margins").replace(" ", "-")
        )
    ids: dict[str, Callable[[], str]] = {
        "dataset_id": lambda: study.dataset_id,
        "budget_id": lambda: study.budget_id,
        "id": lambda: study.budget_id,
        "grant_id": lambda: study.grant_id,
        "principal_id": lambda: server.new("analyst").principal_id,
        "token": lambda: str(
            server.admin.post("/v1/principals", {"role": "owner", "name": unique("owner")}).json()["enrolment"]["token"]
        ),
        "release_id": lambda: readable_release(study, public=name == "compute_public_posterior"),
    }
    caller = server.admin if operation["tags"] == ["principals"] else study.owner
    if "access" in operation["tags"]:
        asker = server.new("analyst")
        assert study.owner.patch(f"/v1/datasets/{study.dataset_id}", {"listed": True}).is_success
        asked = {"epsilon": "0.1", "delta": "0", "purpose": "to see"}
        path_of_requests = f"/v1/datasets/{study.dataset_id}/access-requests"
        ids["access_request_id"] = lambda: str(asker.post(path_of_requests, asked).json()["id"])
        if name == "create_access_request" or body.get("state") == "withdrawn":
            caller = asker
    if name == "compare_shares":
        # Both releases are of one data set here.
        body = body | {"second": body["second"] | {"of": {"labels": ["none"]}}}
    if name == "create_enrolment":
        invited = server.admin.post("/v1/principals", {"role": "owner", "name": "x"}).json()
        body = body | {"token": invited["enrolment"]["token"]}
    if name == "transfer_budget":
        caller, study = server.admin, make_study(server.new("owner"), analyst)
        assert caller.delete(f"/v1/principals/{study.owner.principal_id}").is_success
        ids["principal_id"] = lambda: owner.principal_id
    filled = re.sub(r"\{(\w+)\}", lambda found: ids[found[1]](), path)
    send = partial(
        caller.request,
        method,
        filled,
        json=with_ids(body, ids),
        headers={"Idempotency-Key": unique("example").replace(" ", "-")},
    )
    answers = [send()]

    def is_settled() -> bool:
        """On a busy machine, margins are planned and releases are drawn after the request."""
        if answers[-1].is_success or problem_code(answers[-1]) not in {"preparation-pending", "release-in-progress"}:
            return True
        answers.append(send())
        return False

    until(is_settled)
    answer = answers[-1]
    if name == "compute_public_posterior" and body["sources"][0]["kind"] == "table":  # this one needs a key
        assert answer.json()["errors"][0]["location"] == "body.sources[0].kind"
        return
    assert answer.is_success, answer.text
    response = operation["responses"][str(answer.status_code)]
    if "application/json" in response.get("content", {}):
        assert_fits(answer.json(), response["content"]["application/json"]["schema"])


def readable_release(study: Study, *, public: bool) -> str:
    """A new release of the study, which anyone may read if it is public."""
    release_id = str(study.owner.release(study.dataset_id).json()["id"])
    if public:
        study.owner.patch(f"/v1/releases/{release_id}", {"public": True})
    return release_id


def with_ids(value: Any, ids: Mapping[str, Callable[[], str]]) -> Any:
    """The example with real ids instead of placeholders."""
    match value:
        case dict():
            return {
                name: ids[name]() if name in ids and isinstance(item, str) else with_ids(item, ids)
                for name, item in value.items()
            }
        case list():
            return [with_ids(item, ids) for item in value]
        case _:
            return value


@pytest.fixture(scope="module")
def client_package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of the package that openapi-python-client makes of the document."""
    directory = tmp_path_factory.mktemp("client")
    (directory / "openapi.json").write_text(json.dumps(DOCUMENT))
    binaries = Path(sys.executable).parent
    done = subprocess.run(
        [
            binaries / "openapi-python-client",
            "generate",
            "--path=openapi.json",
            "--output-path=generated_client",
            "--meta=none",
        ],
        cwd=directory,
        env=os.environ | {"PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    # Pictures and tables are beyond that generator; whatever else it can't make a client of is our mistake.
    assert said.count("Cannot parse") == said.count("Unsupported content_type"), said
    assert "Unable to parse" not in said, said
    sys.path.insert(0, str(directory))
    yield "generated_client"
    sys.path.remove(str(directory))
    for name in [name for name in sys.modules if name.split(".")[0] == "generated_client"]:
        del sys.modules[name]


@pytest.mark.long
def test_a_generated_client_has_names_that_a_person_would_give(client_package: str) -> None:
    names: list[str] = importlib.import_module(f"{client_package}.models").__all__
    assert {"Cells", "Share", "ShareQuestion", "Loss"} <= set(names)
    assert [name for name in names if MADE_UP.search(name)] == []


@pytest.mark.long
def test_a_generated_client_makes_a_release(client_package: str, server: Server, study: Study) -> None:
    def module(name: str) -> Any:
        return importlib.import_module(f"{client_package}.{name}")

    models = module("models")
    with module("client").AuthenticatedClient(base_url=server.url, token=study.analyst.key) as client:
        body = models.CountsCreate(
            kind="counts", prior=[1.0, 1.0], mechanism=models.SimplexGeometric(kind="simplex_geometric", epsilon="0.1")
        )
        create = module("api.releases.create_release").sync
        release = create(study.dataset_id, client=client, body=body, idempotency_key=unique("key").replace(" ", "-"))
        assert isinstance(release, models.CountsRelease)
        assert release.charged.epsilon == "0.1"
        assert release.certificate.method == "theorem"
        read = module("api.releases.get_release").sync(release.id, client=client)
        assert read.to_dict() == release.to_dict()
        refused = create(study.dataset_id, client=client, body=body, idempotency_key="two words")
        assert isinstance(refused, models.ProblemDocument)
        assert (refused.type_, refused.charged) == ("/problems/idempotency-key-missing", False)
        listed = module("api.releases.list_releases").sync(client=client, dataset_id=study.dataset_id)
        assert [each.id for each in listed.items] == [release.id]
    with module("client").AuthenticatedClient(base_url=server.url, token=study.owner.key) as client:
        budget = module("api.budgets.get_budget").sync(study.budget_id, client=client)
        assert budget.spent.to_dict() == release.charged.to_dict()
        assert len(module("api.budgets.list_ledger").sync(study.budget_id, client=client).items) == budget.sequence


def test_the_server_publishes_this_document(server: Server, owner: Party) -> None:
    assert server.http.get("/openapi.json").json() == json.loads(json.dumps(DOCUMENT))


def test_the_document_is_compressed_and_sent_once(server: Server) -> None:
    plain = server.http.get("/openapi.json", headers={"Accept-Encoding": "identity"})
    packed = server.http.get("/openapi.json", headers={"Accept-Encoding": "gzip"})
    assert (packed.headers["content-encoding"], "content-encoding" in plain.headers) == ("gzip", False)
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < len(plain.content) / 5
    tag = packed.headers["etag"]
    known = server.http.get("/openapi.json", headers={"If-None-Match": f'"other", {tag}'})
    assert (known.status_code, known.content, known.headers["etag"]) == (304, b"", tag)
    assert server.http.get("/openapi.json", headers={"If-None-Match": '"other"'}).status_code == 200
