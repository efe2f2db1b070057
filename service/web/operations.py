"""Words of the published document for each operation, beside its description: a summary, the roles that may use it, and
the meaning of a success.
"""

from __future__ import annotations

from typing import Final, NamedTuple

ANYONE: Final = "anyone, without a key"
ANY_ROLE: Final = "any role"
ADMIN: Final = "admin"
OWNER: Final = "owner"
ANALYST: Final = "analyst"
OWNER_OR_ADMIN: Final = "owner; an admin only to freeze"
OWNER_OR_ANALYST: Final = "owner or analyst"


class OperationWords(NamedTuple):
    """The summary of an operation, the roles of the keys that may use it, and what a success returns."""

    summary: str
    role: str
    returns: str


OPERATIONS: Final = {
    # data sets
    "create_dataset": OperationWords(
        "Register a data set", OWNER, "The data set, with its commitment and the nonce that opens it."
    ),
    "list_datasets": OperationWords("List data sets", ANY_ROLE, "A page of the data sets that the caller may see."),
    "get_dataset": OperationWords("Read a data set", OWNER_OR_ANALYST, "The public facts of the data set."),
    "change_dataset": OperationWords(
        "Rename or list a data set, or replace its counts",
        OWNER,
        "The data set after the change. If counts were replaced, with the nonce of their commitment.",
    ),
    "delete_dataset": OperationWords(
        "Destroy the counts of a data set", OWNER, "The counts are destroyed. The ledger stays."
    ),
    "get_allowance": OperationWords(
        "Read what you can still release", OWNER_OR_ANALYST, "What the caller can still spend on the data set."
    ),
    "get_statement": OperationWords(
        "Report the guarantee and what was spent", OWNER, "The guarantee of the data set, and who spent what of it."
    ),
    "get_statement_in_words": OperationWords(
        "Report the guarantee and what was spent, as text", OWNER, "The statement as plain text."
    ),
    "get_registry_entry": OperationWords("Write an entry for the Deployments Registry", OWNER, "The entry as YAML."),
    # access
    "list_listed_datasets": OperationWords(
        "List data sets that you can request access to", ANALYST, "A page of the listed data sets."
    ),
    "get_listed_dataset": OperationWords("Read a listed data set", ANALYST, "The listed facts of the data set."),
    "create_access_request": OperationWords("Request access to a data set", ANALYST, "The request, which is open."),
    "list_access_requests": OperationWords(
        "List your access requests", ANY_ROLE, "A page of the requests that the caller made or received."
    ),
    "get_access_request": OperationWords("Read an access request", OWNER_OR_ANALYST, "The request."),
    "change_access_request": OperationWords(
        "Approve, decline or withdraw an access request",
        "owner to approve or decline, analyst to withdraw",
        "The request in its final state.",
    ),
    # budgets and grants
    "create_budget": OperationWords("Open a budget", OWNER, "The budget, of which nothing is spent."),
    "list_budgets": OperationWords("List budgets", ANY_ROLE, "A page of the caller's budgets."),
    "get_budget": OperationWords("Read a budget", OWNER, "The budget, with what is spent and what remains."),
    "change_budget": OperationWords(
        "Change, freeze or restrict a budget", OWNER_OR_ADMIN, "The budget after the change."
    ),
    "transfer_budget": OperationWords(
        "Transfer a budget to another owner", ADMIN, "The budget is the new owner's. The answer has no body."
    ),
    "list_principal_budgets": OperationWords(
        "List the ids of a principal's budgets", ADMIN, "A page of ids, and nothing else of the budgets."
    ),
    "list_ledger": OperationWords("Read the ledger of a budget", OWNER, "A page of entries, in their order."),
    "export_ledger_csv": OperationWords("Export a ledger as CSV", OWNER, "All entries as CSV."),
    "export_ledger_json_lines": OperationWords(
        "Export a ledger as JSON lines", OWNER, "All entries and the signed head, a JSON document a line."
    ),
    "get_head": OperationWords(
        "Read the signed head of a ledger", OWNER, "The signed head: the hash of the last entry."
    ),
    "create_write_off": OperationWords(
        "Write off charges that may be lost", OWNER, "The write-off, which is charged to the budget."
    ),
    "get_burn_rate": OperationWords(
        "Read the burn rate of a budget", OWNER, "Recent spending, and the time for which the remainder lasts."
    ),
    "create_grant": OperationWords("Give an analyst a grant", OWNER, "The grant, of which nothing is spent."),
    "list_grants": OperationWords("List your grants", ANY_ROLE, "A page of the grants that the caller gave or holds."),
    "get_grant": OperationWords("Read a grant", OWNER_OR_ANALYST, "The grant, its cap, its end and what it spent."),
    "change_grant": OperationWords("Change, close or reopen a grant", OWNER, "The grant after the change."),
    # plans and certificates
    "create_plan": OperationWords(
        "Compare mechanisms at made-up counts", OWNER_OR_ANALYST, "Each mechanism at each ε, and a recommendation."
    ),
    "create_certificate": OperationWords(
        "Compute a certificate", OWNER_OR_ANALYST, "The certificate, with the calibrated event."
    ),
    # jobs
    "get_job": OperationWords("Read a job", OWNER_OR_ANALYST, "The job and its state."),
    "get_job_result": OperationWords(
        "Fetch the result of a job", OWNER_OR_ANALYST, "What the operation that became the job returns."
    ),
    "delete_job": OperationWords("End a job", OWNER_OR_ANALYST, "The job has ended, and its result is gone."),
    # releases
    "create_release": OperationWords(
        "Release a posterior, margins or answers to queries",
        OWNER_OR_ANALYST,
        "The release, with its certificate and the receipt of its charge.",
    ),
    "create_quote": OperationWords(
        "Quote a release", OWNER_OR_ANALYST, "The cost of the release, and whether it would be granted."
    ),
    "list_releases": OperationWords(
        "List releases", ANY_ROLE, "A page of the releases that the caller paid for, or may read from the data set."
    ),
    "get_release": OperationWords(
        "Read a release", OWNER_OR_ANALYST, "The release, byte for byte as it was first returned."
    ),
    "get_release_signature": OperationWords(
        "Read the signature of a release",
        OWNER_OR_ANALYST,
        "The signed hashes of its bytes and of what was drawn.",
    ),
    "get_release_evidence": OperationWords(
        "Read the evidence of a release",
        OWNER_OR_ANALYST,
        "The stored spec and drawn values, and the signed hashes, charge and ledger entry.",
    ),
    "change_release": OperationWords(
        "Publish a release, or make it private again", OWNER, "The release as lists show it."
    ),
    "get_public_release": OperationWords("Read a public release", ANYONE, "The release, signed by the service."),
    "get_public_release_evidence": OperationWords(
        "Read the evidence of a public release",
        ANYONE,
        "The stored spec and drawn values, and the signed hashes, charge and ledger entry.",
    ),
    # margins
    "compute_estimates": OperationWords(
        "Estimate weighted sums or tables from all releases",
        OWNER_OR_ANALYST,
        "The estimates, with their intervals.",
    ),
    # posteriors
    "compute_posterior": OperationWords(
        "Compute a posterior from releases or a noisy table",
        ANY_ROLE,
        "The noise-aware posterior, or the reason why there is none.",
    ),
    "plot_release": OperationWords("Plot a release", OWNER_OR_ANALYST, "The picture as SVG."),
    "plot_public_release": OperationWords("Plot a public release", ANYONE, "The picture as SVG."),
    "compute_public_posterior": OperationWords(
        "Compute the posterior from public releases",
        ANYONE,
        "The noise-aware posterior, or the reason why there is none.",
    ),
    "compare_shares": OperationWords(
        "Compare a share between two posteriors",
        ANY_ROLE,
        "The probability that the first share is greater, and the contrast of the two.",
    ),
    # queries
    # people and keys
    "create_principal": OperationWords(
        "Add a principal", ADMIN, "The principal, with an invitation to hand to the person."
    ),
    "get_me": OperationWords("Read your own principal and key", ANY_ROLE, "The caller's principal and key."),
    "list_principals": OperationWords(
        "List principals", ANY_ROLE, "A page of all principals for an admin, otherwise the caller alone."
    ),
    "list_analysts": OperationWords("List analysts", OWNER, "A page of the ids and names of all analysts."),
    "revoke_principal": OperationWords("Revoke a principal", ADMIN, "The principal is revoked, and so are its keys."),
    "list_principal_entries": OperationWords(
        "List the changes of a principal's keys", ANY_ROLE, "A page of entries, in their order."
    ),
    "create_enrolment_token": OperationWords("Issue an invitation", ADMIN, "The token, which is shown this one time."),
    "veto_recovery": OperationWords("Veto a recovery", ANY_ROLE, "The recovery has ended."),
    "create_enrolment": OperationWords(
        "Exchange a token for a key", ANYONE, "The key, which is shown this one time, and a recovery code."
    ),
    "get_quotas": OperationWords("Read your quotas", ANY_ROLE, "The caller's limits, and how much of each is used."),
    "create_key": OperationWords("Issue a key", ANY_ROLE, "The key, which is shown this one time."),
    "list_keys": OperationWords("List keys", ANY_ROLE, "A page of the caller's keys, without their secrets."),
    "confirm_session": OperationWords(
        "Confirm a session for ten minutes", ANY_ROLE, "The time until which the session is confirmed."
    ),
    "replace_key": OperationWords(
        "Replace a key by its successor", ANY_ROLE, "The successor, which is shown this one time."
    ),
    "revoke_key": OperationWords("End a key", ANY_ROLE, "The key has ended, and so have the keys that it issued."),
    # service
    "livez": OperationWords("Is the process alive?", ANYONE, "The process is alive."),
    "readyz": OperationWords("Can the process serve?", ANYONE, "The process can serve."),
    "get_public_key": OperationWords(
        "Read the public key of receipts and heads", ANYONE, "The public key, and the earlier ones."
    ),
    "list_mechanisms": OperationWords("List mechanisms", ANYONE, "All mechanisms, the recommended one first."),
    "list_problems": OperationWords("List problem types", ANYONE, "All types of problems."),
    "get_problem": OperationWords("Read a problem type", ANYONE, "The type, and what to do about it."),
}
"""By operation id."""
