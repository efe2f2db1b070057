// The main job of the service, done with a client that was generated from its description: node main_job.js <address> <owner key> <analyst key> <analyst id>
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

const [address, ownerKey, analystKey, analystId] = process.argv.slice(2) as [string, string, string, string];
const client = (key: string) => createClient<paths>({ baseUrl: address, headers: { Authorization: `Bearer ${key}` } });
const owner = client(ownerKey);
const analyst = client(analystKey);

function told<T>(answer: { data?: T; error?: unknown }): T {
  assert.ok(answer.data !== undefined, JSON.stringify(answer.error));
  return answer.data;
}

// Register, and once more as after a lost answer.
const body: components["schemas"]["DatasetCreate"] = {
  name: "Vaccinated, from TypeScript",
  labels: ["paralytic polio", "none"],
  counts: [33, 200712],
  unit: "one child",
  one_record_per_unit: true,
  n_is_public: true,
  budget: { kind: "new", budget: { accountant: "basic", name: "Polio 1954, from TypeScript", epsilon: "1", delta: "1e-6" } },
};
const named = { header: { "Idempotency-Key": "registration-1" } };
const dataset = told(await owner.POST("/v1/datasets", { body, params: named }));
const repeated = await owner.POST("/v1/datasets", { body, params: named });
assert.deepEqual(told(repeated), dataset);
assert.equal(repeated.response.headers.get("Idempotency-Replayed"), "true");

// Grant.
const path = { dataset_id: dataset.id };
const grant = told(
  await owner.POST("/v1/datasets/{dataset_id}/grants", {
    params: { path },
    body: { principal_id: analystId, epsilon: "0.5", delta: "0", expires_at: "2099-12-31T23:59:59Z" },
  }),
);
assert.ok(grant.cap.accountant === "basic" && grant.cap.epsilon === "0.5");

// Release, replay, and a refusal as a typed problem.
const release = (key: string) =>
  analyst.POST("/v1/datasets/{dataset_id}/releases", {
    params: { path, header: { "Idempotency-Key": key } },
    body: { kind: "counts", prior: [1, 1], mechanism: { kind: "simplex_geometric", epsilon: "0.4" } },
  });
const first = told(await release("vaccinated-1"));
assert.ok(first.kind === "counts");
assert.ok(first.mechanism.kind === "simplex_geometric" && first.mechanism.epsilon === "0.4");
assert.deepEqual(told(await release("vaccinated-1")), first);
const refused = (await release("vaccinated-2")).error;
assert.ok(refused);
assert.equal(refused.type, "/problems/grant-exhausted");
assert.ok(!refused.retryable && refused.charged === false);
assert.ok(refused.largest_possible_charge?.accountant === "basic" && refused.largest_possible_charge.epsilon === "0.1");

// Pages.
const listed: string[] = [];
for (let cursor: string | null = ""; cursor !== null; ) {
  const page: components["schemas"]["LedgerEntryPage"] = told(
    await owner.GET("/v1/budgets/{budget_id}/ledger", {
      params: { path: { budget_id: dataset.budget_id }, query: { limit: 2, cursor } },
    }),
  );
  listed.push(...page.items.map((entry) => entry.kind));
  cursor = page.next_cursor;
}
assert.deepEqual(listed, ["budget_opened", "dataset_registered", "grant_opened", "release_charged"]);

// The posterior, with nothing asked for but what it gives by itself; the picture; the ledger.
const of_release = { path: { release_id: first.id } };
const posterior = told(
  await analyst.POST("/v1/posteriors", { body: { sources: [{ kind: "release", release_id: first.id }] } }),
);
assert.ok(posterior.kind === "noise_aware", posterior.kind === "unavailable" ? posterior.reason : "");
assert.equal(posterior.categories[0]?.interval.level, 0.95);
const picture = told(await analyst.GET("/v1/releases/{release_id}/plot.svg", { params: of_release, parseAs: "text" }));
assert.ok(picture.includes("<svg"));
const exported = told(
  await owner.GET("/v1/budgets/{budget_id}/ledger.jsonl", {
    params: { path: { budget_id: dataset.budget_id } },
    parseAs: "text",
  }),
);
assert.equal(exported.trim().split("\n").length, 5);

// A plan, a quote and a release of a cross table; one question in each stratum; a wrong one, as a typed problem.
const table: components["schemas"]["DatasetCreate"] = {
  name: "Admissions, from TypeScript",
  attributes: [
    { name: "sex", levels: ["men", "women"] },
    { name: "admitted", levels: ["yes", "no"] },
  ],
  counts: [1198, 1493, 557, 1278],
  unit: "one person",
  one_record_per_unit: true,
  n_is_public: true,
  budget: { kind: "existing", id: dataset.budget_id },
};
const registered = { header: { "Idempotency-Key": "registration-2" } };
const admissions = told(await owner.POST("/v1/datasets", { body: table, params: registered }));
const of_table = { path: { dataset_id: admissions.id } };
const cap = { principal_id: analystId, epsilon: "0.5", delta: "0" };
told(await owner.POST("/v1/datasets/{dataset_id}/grants", { params: of_table, body: cap }));
const by: components["schemas"]["StratifiedQuestion"] = {
  attributes: ["sex"],
  question: { kind: "share", of: { where: { admitted: ["yes"] } } },
};
const plan = told(
  await analyst.POST("/v1/plans", {
    body: {
      prior: [1, 1, 1, 1],
      data: { kind: "counts", counts: [1200, 1500, 560, 1280] },
      epsilons: ["0.4"],
      attributes: table.attributes,
      by,
    },
  }),
);
assert.ok("without_noise" in plan);
assert.deepEqual(plan.without_noise.map((each) => each.stratum), [null, "men", "women"]);
const bought: components["schemas"]["ReleaseCreate"] = {
  kind: "counts",
  prior: [1, 1, 1, 1],
  mechanism: { kind: "simplex_geometric", epsilon: "0.4" },
};
const quote = told(await analyst.POST("/v1/datasets/{dataset_id}/quotes", { params: of_table, body: bought }));
assert.ok(quote.would_charge.accountant === "basic" && quote.would_charge.epsilon === "0.4");
const paid = { ...of_table, header: { "Idempotency-Key": "admissions-1" } };
const second = told(await analyst.POST("/v1/datasets/{dataset_id}/releases", { params: paid, body: bought }));
assert.equal(second.kind, "counts");

// Margins and queries at the same address: the kind of the body is that of the answer.
const pay = async (key: string, body: components["schemas"]["ReleaseCreate"]) =>
  told(
    await analyst.POST("/v1/datasets/{dataset_id}/releases", {
      params: { ...of_table, header: { "Idempotency-Key": key } },
      body,
    }),
  );
const margins = await pay("margins-1", { kind: "margins", all: 1, epsilon: "0.05" });
assert.ok(margins.kind === "margins" && margins.tables[0]?.estimates.length === 2);
const counted = await pay("queries-1", {
  kind: "queries",
  queries: [{ of: { where: { admitted: ["yes"] } }, half_width: 30 }],
  max_charge: { epsilon: "0.05" },
});
assert.ok(counted.kind === "queries" && counted.answers[0]!.interval.half_width <= 30);
const sources: components["schemas"]["PosteriorCreate"]["sources"] = [{ kind: "release", release_id: second.id }];
const answered = told(
  await analyst.POST("/v1/posteriors", { body: { sources, by } }),
);
assert.ok("kind" in answered && answered.kind === "noise_aware");
assert.deepEqual(answered.by?.strata.map((each) => each.label), ["men", "women"]);
const wrong = await analyst.POST("/v1/posteriors", { body: { sources, by: { ...by, attributes: ["age"] } } });
assert.equal(wrong.error?.type, "/problems/invalid-request");
assert.ok(wrong.error?.errors?.[0]?.location.includes("by.attributes"));
const noisy = told(
  await analyst.POST("/v1/posteriors", {
    body: {
      sources: [
        {
          kind: "table",
          cells: [{ label: "yes", value: 41 }, { label: "no", value: 112 }],
          noise: { law: "geometric", epsilon: 1 },
        },
      ],
      picture: { width: 400 },
    },
  }),
);
assert.ok(noisy.kind === "noise_aware" && noisy.picture?.includes("<svg"));
console.log(`released ${first.id}`);
