--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: access_requests_decided_once(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.access_requests_decided_once() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a request is decided once'; END $$;


ALTER FUNCTION public.access_requests_decided_once() OWNER TO posterior_owner;

--
-- Name: access_requests_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.access_requests_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'requests are never deleted'; END $$;


ALTER FUNCTION public.access_requests_kept() OWNER TO posterior_owner;

--
-- Name: access_requests_only_erased(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.access_requests_only_erased() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a text is only erased'; END $$;


ALTER FUNCTION public.access_requests_only_erased() OWNER TO posterior_owner;

--
-- Name: access_requests_unchanged(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.access_requests_unchanged() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a request stays as it was made'; END $$;


ALTER FUNCTION public.access_requests_unchanged() OWNER TO posterior_owner;

--
-- Name: budgets_counted(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.budgets_counted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$ BEGIN INSERT INTO holdings (owner_id, budgets, datasets, grants) VALUES (NEW.owner_id, 1, 0, 0) ON CONFLICT (owner_id) DO UPDATE SET budgets = holdings.budgets + 1; RETURN NULL; END $$;


ALTER FUNCTION public.budgets_counted() OWNER TO posterior_owner;

--
-- Name: budgets_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.budgets_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'budgets are never deleted'; END $$;


ALTER FUNCTION public.budgets_kept() OWNER TO posterior_owner;

--
-- Name: budgets_spends_never_fall(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.budgets_spends_never_fall() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a spend never falls'; END $$;


ALTER FUNCTION public.budgets_spends_never_fall() OWNER TO posterior_owner;

--
-- Name: datasets_brought_back(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.datasets_brought_back() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$ BEGIN INSERT INTO holdings (owner_id, budgets, datasets, grants) VALUES (NEW.owner_id, 0, 1, 0) ON CONFLICT (owner_id) DO UPDATE SET datasets = holdings.datasets + 1; RETURN NULL; END $$;


ALTER FUNCTION public.datasets_brought_back() OWNER TO posterior_owner;

--
-- Name: datasets_counted(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.datasets_counted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$ BEGIN INSERT INTO holdings (owner_id, budgets, datasets, grants) VALUES (NEW.owner_id, 0, 1, 0) ON CONFLICT (owner_id) DO UPDATE SET datasets = holdings.datasets + 1; RETURN NULL; END $$;


ALTER FUNCTION public.datasets_counted() OWNER TO posterior_owner;

--
-- Name: datasets_deleted(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.datasets_deleted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$ BEGIN UPDATE holdings SET datasets = datasets - 1 WHERE owner_id = NEW.owner_id; RETURN NULL; END $$;


ALTER FUNCTION public.datasets_deleted() OWNER TO posterior_owner;

--
-- Name: enrolments_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.enrolments_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'enrolments are never deleted'; END $$;


ALTER FUNCTION public.enrolments_kept() OWNER TO posterior_owner;

--
-- Name: enrolments_used_once(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.enrolments_used_once() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a token is used once'; END $$;


ALTER FUNCTION public.enrolments_used_once() OWNER TO posterior_owner;

--
-- Name: entries_added_up(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.entries_added_up() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$ BEGIN INSERT INTO hourly_spending (budget_id, hour, releases, epsilon, delta, rho) VALUES (NEW.budget_id, NEW.created_at / 3600, CASE WHEN NEW.kind = 'written_off' OR (NEW.kind = 'query_charged' AND NOT (NEW.epsilon > 0 OR NEW.delta > 0 OR NEW.rho > 0)) THEN 0 ELSE 1 END, NEW.epsilon, NEW.delta, NEW.rho) ON CONFLICT (budget_id, hour) DO UPDATE SET releases = hourly_spending.releases + excluded.releases, epsilon = hourly_spending.epsilon + excluded.epsilon, delta = hourly_spending.delta + excluded.delta, rho = hourly_spending.rho + excluded.rho; RETURN NULL; END $$;


ALTER FUNCTION public.entries_added_up() OWNER TO posterior_owner;

--
-- Name: entries_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.entries_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'ledger entries are append-only'; END $$;


ALTER FUNCTION public.entries_kept() OWNER TO posterior_owner;

--
-- Name: entries_unchanged(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.entries_unchanged() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'ledger entries are append-only'; END $$;


ALTER FUNCTION public.entries_unchanged() OWNER TO posterior_owner;

--
-- Name: grants_counted(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.grants_counted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$ BEGIN INSERT INTO holdings (owner_id, budgets, datasets, grants) VALUES ((SELECT owner_id FROM datasets WHERE id = NEW.dataset_id), 0, 0, 1) ON CONFLICT (owner_id) DO UPDATE SET grants = holdings.grants + 1; RETURN NULL; END $$;


ALTER FUNCTION public.grants_counted() OWNER TO posterior_owner;

--
-- Name: grants_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.grants_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'grants are never deleted'; END $$;


ALTER FUNCTION public.grants_kept() OWNER TO posterior_owner;

--
-- Name: grants_spends_never_fall(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.grants_spends_never_fall() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a spend never falls'; END $$;


ALTER FUNCTION public.grants_spends_never_fall() OWNER TO posterior_owner;

--
-- Name: holdings_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.holdings_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'what was counted stays'; END $$;


ALTER FUNCTION public.holdings_kept() OWNER TO posterior_owner;

--
-- Name: hourly_spending_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.hourly_spending_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a spend never falls'; END $$;


ALTER FUNCTION public.hourly_spending_kept() OWNER TO posterior_owner;

--
-- Name: hourly_spending_never_falls(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.hourly_spending_never_falls() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a spend never falls'; END $$;


ALTER FUNCTION public.hourly_spending_never_falls() OWNER TO posterior_owner;

--
-- Name: principal_entries_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.principal_entries_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'entries of a principal are append-only'; END $$;


ALTER FUNCTION public.principal_entries_kept() OWNER TO posterior_owner;

--
-- Name: principal_entries_unchanged(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.principal_entries_unchanged() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'entries of a principal are append-only'; END $$;


ALTER FUNCTION public.principal_entries_unchanged() OWNER TO posterior_owner;

--
-- Name: principals_chain_never_goes_back(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.principals_chain_never_goes_back() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a chain never goes back'; END $$;


ALTER FUNCTION public.principals_chain_never_goes_back() OWNER TO posterior_owner;

--
-- Name: principals_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.principals_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'principals are never deleted'; END $$;


ALTER FUNCTION public.principals_kept() OWNER TO posterior_owner;

--
-- Name: public_texts_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.public_texts_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a public text stays'; END $$;


ALTER FUNCTION public.public_texts_kept() OWNER TO posterior_owner;

--
-- Name: public_texts_unchanged(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.public_texts_unchanged() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a public text stays'; END $$;


ALTER FUNCTION public.public_texts_unchanged() OWNER TO posterior_owner;

--
-- Name: query_charges_added_up(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.query_charges_added_up() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$ BEGIN UPDATE spending SET releases = releases - 1 WHERE budget_id = NEW.budget_id AND dataset_id = NEW.dataset_id AND principal_id = (SELECT principal_id FROM releases WHERE id = NEW.release_id) AND kind = 'query'; RETURN NULL; END $$;


ALTER FUNCTION public.query_charges_added_up() OWNER TO posterior_owner;

--
-- Name: query_charges_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.query_charges_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'what was measured stays'; END $$;


ALTER FUNCTION public.query_charges_kept() OWNER TO posterior_owner;

--
-- Name: query_charges_unchanged(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.query_charges_unchanged() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'what was measured stays'; END $$;


ALTER FUNCTION public.query_charges_unchanged() OWNER TO posterior_owner;

--
-- Name: releases_added_up(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.releases_added_up() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$ BEGIN INSERT INTO spending (budget_id, dataset_id, principal_id, kind, releases, epsilon, delta, rho) VALUES (NEW.budget_id, NEW.dataset_id, NEW.principal_id, NEW.kind, 1, NEW.epsilon_charged, NEW.delta_charged, NEW.rho_charged) ON CONFLICT (budget_id, dataset_id, principal_id, kind) DO UPDATE SET releases = spending.releases + excluded.releases, epsilon = spending.epsilon + excluded.epsilon, delta = spending.delta + excluded.delta, rho = spending.rho + excluded.rho; RETURN NULL; END $$;


ALTER FUNCTION public.releases_added_up() OWNER TO posterior_owner;

--
-- Name: releases_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.releases_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'releases are never deleted'; END $$;


ALTER FUNCTION public.releases_kept() OWNER TO posterior_owner;

--
-- Name: releases_settled_once(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.releases_settled_once() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a release is settled once'; END $$;


ALTER FUNCTION public.releases_settled_once() OWNER TO posterior_owner;

--
-- Name: releases_stay_as_paid(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.releases_stay_as_paid() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'what was paid stays as it was paid'; END $$;


ALTER FUNCTION public.releases_stay_as_paid() OWNER TO posterior_owner;

--
-- Name: spending_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.spending_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a spend never falls'; END $$;


ALTER FUNCTION public.spending_kept() OWNER TO posterior_owner;

--
-- Name: spending_never_falls(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.spending_never_falls() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a spend never falls'; END $$;


ALTER FUNCTION public.spending_never_falls() OWNER TO posterior_owner;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: access_requests; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.access_requests (
    id character varying(40) NOT NULL,
    dataset_id character varying(40) NOT NULL,
    principal_id character varying(40) NOT NULL,
    owner_id character varying(40) NOT NULL,
    epsilon_requested bigint NOT NULL,
    delta_requested bigint NOT NULL,
    rho_requested bigint NOT NULL,
    purpose character varying(500),
    state character varying(10) NOT NULL,
    reason character varying(500),
    grant_id character varying(40),
    created_at bigint NOT NULL,
    decided_at bigint,
    created_nanoseconds bigint NOT NULL,
    CONSTRAINT ck_access_requests_approved_has_grant CHECK ((((state)::text = 'approved'::text) = (grant_id IS NOT NULL))),
    CONSTRAINT ck_access_requests_decided_has_time CHECK ((((state)::text = 'open'::text) = (decided_at IS NULL))),
    CONSTRAINT ck_access_requests_state CHECK (((state)::text = ANY ((ARRAY['open'::character varying, 'approved'::character varying, 'declined'::character varying, 'withdrawn'::character varying])::text[])))
);


ALTER TABLE public.access_requests OWNER TO posterior_owner;

--
-- Name: alembic_version; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);


ALTER TABLE public.alembic_version OWNER TO posterior_owner;

--
-- Name: api_keys; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.api_keys (
    id character varying(40) NOT NULL,
    principal_id character varying(40) NOT NULL,
    prefix character varying(16) NOT NULL,
    secret_hash character varying(64) NOT NULL,
    issued_by character varying(40) NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    last_used_at bigint,
    parent_id character varying(40),
    enrolment_id character varying(40),
    kind character varying(10) NOT NULL,
    created_nanoseconds bigint NOT NULL,
    CONSTRAINT ck_api_keys_kind CHECK (((kind)::text = ANY ((ARRAY['key'::character varying, 'session'::character varying])::text[])))
);


ALTER TABLE public.api_keys OWNER TO posterior_owner;

--
-- Name: budgets; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.budgets (
    id character varying(40) NOT NULL,
    owner_id character varying(40) NOT NULL,
    name character varying(200) NOT NULL,
    accountant character varying(10) NOT NULL,
    guaranteed_epsilon bigint NOT NULL,
    guaranteed_delta bigint NOT NULL,
    delta_conversion bigint NOT NULL,
    epsilon_limit bigint NOT NULL,
    delta_limit bigint NOT NULL,
    rho_limit bigint NOT NULL,
    epsilon_spent bigint NOT NULL,
    delta_spent bigint NOT NULL,
    rho_spent bigint NOT NULL,
    epsilon_release_cap bigint,
    delta_release_cap bigint,
    rho_release_cap bigint,
    allowed_mechanisms text,
    frozen_at bigint,
    low_budget_percent bigint NOT NULL,
    sequence bigint NOT NULL,
    head_hash character varying(64) NOT NULL,
    created_at bigint NOT NULL,
    created_nanoseconds bigint NOT NULL,
    stored_bytes bigint NOT NULL,
    CONSTRAINT ck_budgets_accountant CHECK (((accountant)::text = ANY ((ARRAY['basic'::character varying, 'zcdp'::character varying])::text[]))),
    CONSTRAINT ck_budgets_delta_within_limit CHECK (((delta_spent >= 0) AND (delta_spent <= delta_limit))),
    CONSTRAINT ck_budgets_epsilon_within_limit CHECK (((epsilon_spent >= 0) AND (epsilon_spent <= epsilon_limit))),
    CONSTRAINT ck_budgets_low_budget_percent CHECK (((low_budget_percent >= 0) AND (low_budget_percent <= 100))),
    CONSTRAINT ck_budgets_rho_within_limit CHECK (((rho_spent >= 0) AND (rho_spent <= rho_limit))),
    CONSTRAINT ck_budgets_sequence CHECK ((sequence >= 0))
);


ALTER TABLE public.budgets OWNER TO posterior_owner;

--
-- Name: certificate_requests; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.certificate_requests (
    certificate_key character varying(64) NOT NULL,
    principal_id character varying(40) NOT NULL,
    created_at bigint NOT NULL,
    id character varying(40) NOT NULL
);


ALTER TABLE public.certificate_requests OWNER TO posterior_owner;

--
-- Name: certificates; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.certificates (
    key character varying(64) NOT NULL,
    id character varying(40) NOT NULL,
    parameters text NOT NULL,
    state character varying(10) NOT NULL,
    certified text,
    created_at bigint NOT NULL,
    leased_until bigint,
    leased_by character varying(40),
    used_at bigint,
    tries bigint NOT NULL,
    CONSTRAINT ck_certificates_ready_is_certified CHECK ((((state)::text = 'ready'::text) = (certified IS NOT NULL))),
    CONSTRAINT ck_certificates_state CHECK (((state)::text = ANY ((ARRAY['pending'::character varying, 'ready'::character varying, 'failed'::character varying])::text[])))
);


ALTER TABLE public.certificates OWNER TO posterior_owner;

--
-- Name: creations; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.creations (
    key_hash character varying(64) NOT NULL,
    fingerprint character varying(64) NOT NULL,
    subject_id character varying(40) NOT NULL,
    sealed_secret bytea,
    created_at bigint NOT NULL
);


ALTER TABLE public.creations OWNER TO posterior_owner;

--
-- Name: datasets; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.datasets (
    id character varying(40) NOT NULL,
    owner_id character varying(40) NOT NULL,
    budget_id character varying(40) NOT NULL,
    name character varying(200) NOT NULL,
    labels text NOT NULL,
    attributes text,
    category_count bigint NOT NULL,
    record_count bigint NOT NULL,
    unit character varying(500) NOT NULL,
    one_record_per_unit bigint NOT NULL,
    records_per_unit bigint NOT NULL,
    n_is_public bigint NOT NULL,
    relation character varying(20) NOT NULL,
    commitment character varying(64) NOT NULL,
    charged bigint NOT NULL,
    created_at bigint NOT NULL,
    deleted_at bigint,
    created_nanoseconds bigint NOT NULL,
    history_shared bigint NOT NULL,
    listed bigint NOT NULL,
    CONSTRAINT ck_datasets_relation CHECK (((relation)::text = ANY ((ARRAY['replace_one'::character varying, 'add_remove'::character varying])::text[]))),
    CONSTRAINT ck_datasets_sizes CHECK (((category_count >= 2) AND (record_count >= 1)))
);


ALTER TABLE public.datasets OWNER TO posterior_owner;

--
-- Name: encrypted_counts; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.encrypted_counts (
    dataset_id character varying(40) NOT NULL,
    key_id character varying(40) NOT NULL,
    ciphertext bytea NOT NULL
);


ALTER TABLE public.encrypted_counts OWNER TO posterior_owner;

--
-- Name: enrolments; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.enrolments (
    id character varying(40) NOT NULL,
    principal_id character varying(40) NOT NULL,
    kind character varying(20) NOT NULL,
    secret_hash character varying(64) NOT NULL,
    issued_by character varying(40) NOT NULL,
    made_by character varying(40),
    created_at bigint NOT NULL,
    expires_at bigint,
    used_at bigint,
    ended_at bigint,
    CONSTRAINT ck_enrolments_kind CHECK (((kind)::text = ANY ((ARRAY['token'::character varying, 'recovery_code'::character varying])::text[])))
);


ALTER TABLE public.enrolments OWNER TO posterior_owner;

--
-- Name: entries; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.entries (
    budget_id character varying(40) NOT NULL,
    sequence bigint NOT NULL,
    kind character varying(40) NOT NULL,
    epsilon bigint NOT NULL,
    delta bigint NOT NULL,
    rho bigint NOT NULL,
    principal_id character varying(40) NOT NULL,
    subject_id character varying(40) NOT NULL,
    detail text NOT NULL,
    created_at bigint NOT NULL,
    previous_hash character varying(64) NOT NULL,
    hash character varying(64) NOT NULL,
    CONSTRAINT ck_entries_no_refunds CHECK (((epsilon >= 0) AND (delta >= 0) AND (rho >= 0)))
);


ALTER TABLE public.entries OWNER TO posterior_owner;

--
-- Name: grants; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.grants (
    id character varying(40) NOT NULL,
    dataset_id character varying(40) NOT NULL,
    principal_id character varying(40) NOT NULL,
    epsilon_cap bigint NOT NULL,
    delta_cap bigint NOT NULL,
    rho_cap bigint NOT NULL,
    epsilon_spent bigint NOT NULL,
    delta_spent bigint NOT NULL,
    rho_spent bigint NOT NULL,
    expires_at bigint,
    closed_at bigint,
    created_at bigint NOT NULL,
    created_nanoseconds bigint NOT NULL,
    stored_bytes bigint NOT NULL,
    owner_id character varying(40) NOT NULL,
    dataset_nanoseconds bigint NOT NULL,
    CONSTRAINT ck_grants_delta_within_cap CHECK (((delta_spent >= 0) AND (delta_spent <= delta_cap))),
    CONSTRAINT ck_grants_epsilon_within_cap CHECK (((epsilon_spent >= 0) AND (epsilon_spent <= epsilon_cap))),
    CONSTRAINT ck_grants_rho_within_cap CHECK (((rho_spent >= 0) AND (rho_spent <= rho_cap)))
);


ALTER TABLE public.grants OWNER TO posterior_owner;

--
-- Name: holdings; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.holdings (
    owner_id character varying(40) NOT NULL,
    budgets bigint NOT NULL,
    datasets bigint NOT NULL,
    grants bigint NOT NULL,
    CONSTRAINT ck_holdings_counted CHECK (((budgets >= 0) AND (datasets >= 0) AND (grants >= 0)))
);


ALTER TABLE public.holdings OWNER TO posterior_owner;

--
-- Name: hourly_spending; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.hourly_spending (
    budget_id character varying(40) NOT NULL,
    hour bigint NOT NULL,
    releases bigint NOT NULL,
    epsilon bigint NOT NULL,
    delta bigint NOT NULL,
    rho bigint NOT NULL
);


ALTER TABLE public.hourly_spending OWNER TO posterior_owner;

--
-- Name: installation; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.installation (
    id integer NOT NULL,
    identity character varying(40) NOT NULL,
    created_at bigint NOT NULL,
    restore_pending_since bigint,
    restores integer NOT NULL,
    CONSTRAINT ck_installation_single_row CHECK ((id = 1))
);


ALTER TABLE public.installation OWNER TO posterior_owner;

--
-- Name: installation_id_seq; Type: SEQUENCE; Schema: public; Owner: posterior_owner
--

CREATE SEQUENCE public.installation_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.installation_id_seq OWNER TO posterior_owner;

--
-- Name: installation_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: posterior_owner
--

ALTER SEQUENCE public.installation_id_seq OWNED BY public.installation.id;


--
-- Name: jobs; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.jobs (
    id character varying(40) NOT NULL,
    principal_id character varying(40) NOT NULL,
    key character varying(64) NOT NULL,
    kind character varying(20) NOT NULL,
    input text NOT NULL,
    state character varying(10) NOT NULL,
    result text,
    problem text,
    created_at bigint NOT NULL,
    finished_at bigint,
    leased_until bigint,
    tries bigint NOT NULL,
    created_nanoseconds bigint NOT NULL,
    CONSTRAINT ck_jobs_ready_has_result CHECK ((((state)::text = 'ready'::text) = (result IS NOT NULL))),
    CONSTRAINT ck_jobs_state CHECK (((state)::text = ANY ((ARRAY['pending'::character varying, 'ready'::character varying, 'failed'::character varying])::text[])))
);


ALTER TABLE public.jobs OWNER TO posterior_owner;

--
-- Name: key_checks; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.key_checks (
    kind character varying(10) NOT NULL,
    key_id character varying(64) NOT NULL,
    check_value character varying(64) NOT NULL,
    created_at bigint NOT NULL,
    retired_at bigint,
    CONSTRAINT ck_key_checks_kind CHECK (((kind)::text = ANY ((ARRAY['counts'::character varying, 'receipts'::character varying])::text[])))
);


ALTER TABLE public.key_checks OWNER TO posterior_owner;

--
-- Name: principal_entries; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.principal_entries (
    principal_id character varying(40) NOT NULL,
    sequence bigint NOT NULL,
    kind character varying(40) NOT NULL,
    actor_id character varying(40) NOT NULL,
    subject_id character varying(40) NOT NULL,
    detail text NOT NULL,
    created_at bigint NOT NULL,
    previous_hash character varying(64) NOT NULL,
    hash character varying(64) NOT NULL
);


ALTER TABLE public.principal_entries OWNER TO posterior_owner;

--
-- Name: principal_names; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.principal_names (
    principal_id character varying(40) NOT NULL,
    name character varying(200) NOT NULL
);


ALTER TABLE public.principal_names OWNER TO posterior_owner;

--
-- Name: principals; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.principals (
    id character varying(40) NOT NULL,
    role character varying(10) NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint,
    frozen_until bigint,
    recovery_id character varying(40),
    sequence bigint NOT NULL,
    head_hash character varying(64),
    created_nanoseconds bigint NOT NULL,
    CONSTRAINT ck_principals_role CHECK (((role)::text = ANY ((ARRAY['admin'::character varying, 'owner'::character varying, 'analyst'::character varying])::text[])))
);


ALTER TABLE public.principals OWNER TO posterior_owner;

--
-- Name: public_texts; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.public_texts (
    release_id character varying(40) NOT NULL,
    text text NOT NULL,
    created_at bigint NOT NULL
);


ALTER TABLE public.public_texts OWNER TO posterior_owner;

--
-- Name: query_charges; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.query_charges (
    release_id character varying(40) NOT NULL,
    dataset_id character varying(40) NOT NULL,
    budget_id character varying(40) NOT NULL,
    sequence bigint NOT NULL,
    grant_id character varying(40),
    measured text NOT NULL,
    apart text NOT NULL,
    epsilon_alone bigint NOT NULL,
    delta_alone bigint NOT NULL,
    rho_alone bigint NOT NULL,
    epsilon_granted bigint NOT NULL,
    delta_granted bigint NOT NULL,
    rho_granted bigint NOT NULL,
    CONSTRAINT ck_query_charges_alone CHECK (((epsilon_alone >= 0) AND (delta_alone >= 0) AND (rho_alone >= 0))),
    CONSTRAINT ck_query_charges_granted CHECK (((epsilon_granted >= 0) AND (delta_granted >= 0) AND (rho_granted >= 0)))
);


ALTER TABLE public.query_charges OWNER TO posterior_owner;

--
-- Name: releases; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.releases (
    id character varying(40) NOT NULL,
    dataset_id character varying(40) NOT NULL,
    budget_id character varying(40) NOT NULL,
    sequence bigint NOT NULL,
    principal_id character varying(40) NOT NULL,
    key_hash character varying(64) NOT NULL,
    payload_hash character varying(64) NOT NULL,
    spec text NOT NULL,
    epsilon_charged bigint NOT NULL,
    delta_charged bigint NOT NULL,
    rho_charged bigint NOT NULL,
    epsilon_remaining bigint NOT NULL,
    delta_remaining bigint NOT NULL,
    rho_remaining bigint NOT NULL,
    receipt text NOT NULL,
    created_at bigint NOT NULL,
    state character varying(10) NOT NULL,
    leased_until bigint NOT NULL,
    drawn text,
    result text,
    public_since bigint,
    kind character varying(10) NOT NULL,
    owner_id character varying(40) NOT NULL,
    CONSTRAINT ck_releases_complete_has_result CHECK ((((state)::text = 'complete'::text) = (result IS NOT NULL))),
    CONSTRAINT ck_releases_drawn_has_values CHECK ((((state)::text = ANY ((ARRAY['drawn'::character varying, 'complete'::character varying])::text[])) = (drawn IS NOT NULL))),
    CONSTRAINT ck_releases_state CHECK (((state)::text = ANY ((ARRAY['paid'::character varying, 'drawn'::character varying, 'complete'::character varying, 'failed'::character varying, 'lost'::character varying])::text[])))
);


ALTER TABLE public.releases OWNER TO posterior_owner;

--
-- Name: spending; Type: TABLE; Schema: public; Owner: posterior_owner
--

CREATE TABLE public.spending (
    budget_id character varying(40) NOT NULL,
    dataset_id character varying(40) NOT NULL,
    principal_id character varying(40) NOT NULL,
    kind character varying(10) NOT NULL,
    releases bigint NOT NULL,
    epsilon bigint NOT NULL,
    delta bigint NOT NULL,
    rho bigint NOT NULL
);


ALTER TABLE public.spending OWNER TO posterior_owner;

--
-- Name: installation id; Type: DEFAULT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.installation ALTER COLUMN id SET DEFAULT nextval('public.installation_id_seq'::regclass);


--
-- Data for Name: access_requests; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.access_requests (id, dataset_id, principal_id, owner_id, epsilon_requested, delta_requested, rho_requested, purpose, state, reason, grant_id, created_at, decided_at, created_nanoseconds) FROM stdin;
acc_zks47n2jtoxml3biygvaqyi6v4	dat_pxrcqupjjykhrxjve7rsacv4jy	pri_2hrqwtihcjzwdp37qmrmavsjku	pri_bucegxpm2jhmcvpde23wf547wi	100000000	0	0	The report of 1955	declined	Ask for less	\N	1795541125	1795541125	1795541125375912434
acc_kb6cy4vx7npyrsjnx6pfx6ctla	dat_pxrcqupjjykhrxjve7rsacv4jy	pri_2hrqwtihcjzwdp37qmrmavsjku	pri_bucegxpm2jhmcvpde23wf547wi	50000000	0	0	The report of 1955	open	\N	\N	1795541125	\N	1795541125477313112
\.


--
-- Data for Name: alembic_version; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.alembic_version (version_num) FROM stdin;
r0001
\.


--
-- Data for Name: api_keys; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.api_keys (id, principal_id, prefix, secret_hash, issued_by, created_at, expires_at, revoked_at, last_used_at, parent_id, enrolment_id, kind, created_nanoseconds) FROM stdin;
key_5wygfysurwobmqmxb74l3zht5e	pri_2tcijxz5q2d5wsxyaiurf2r53y	pp_VMcLNDVX	752e875eccd8f5b9272127f4a7974f0ab226e3508b496ac968c7d2231f27173c	command-line	1795541108	\N	\N	1795541114	\N	\N	key	1795541108691792127
key_3aymozqkkbnlvafwwbsnarmaxa	pri_bucegxpm2jhmcvpde23wf547wi	pp_u_LuxpO0	966d5f95360971ca5694a2e2080f73470f19500637d756484484ce8f44f29edb	pri_2tcijxz5q2d5wsxyaiurf2r53y	1795541114	\N	\N	1795541114	\N	enr_ee5x5uhyqjloxmb454bn3spbni	key	1795541114701079098
key_pekysmdc74dz33ukdr363vj4vm	pri_pp4ywljwgc4ch5t3j66d7u5u5a	pp_PmJ3BNXI	4b0a002922e76e6428c41c315fc87708b2d440e09672b9405314d4dfd1a6b233	pri_2tcijxz5q2d5wsxyaiurf2r53y	1795541114	\N	\N	1795541115	\N	enr_g6zymc6lm7ghqwpeaz3fyxuhbq	key	1795541114753043823
key_gfstq3akafyel62mxcteuonmau	pri_2hrqwtihcjzwdp37qmrmavsjku	pp_nDb5qXs9	bc01aa265de7710855bdc2b5525a92b1e16e563d375edef447236a066ccad8b8	pri_2tcijxz5q2d5wsxyaiurf2r53y	1795541125	\N	\N	1795541125	\N	enr_kx52fch6pqkt65eodkroe2f67u	key	1795541125343600776
key_oxyb2uldxsxn72fwppwesx3jji	pri_xpjgflpfxma4qkgzoniuf63vzq	pp_HEPyb6VV	7bd5d85e1193925e5324de3eb622cf83efb21fe6d1c16d7fe68bfa11d5135d20	pri_2tcijxz5q2d5wsxyaiurf2r53y	1795541125	\N	\N	\N	\N	enr_lvhxxc4g2u75edunersrokdfqe	key	1795541125614450060
key_lrt2fj6cwstinncnsrd7wzbkti	pri_jxrq554xlkahhj4rznndo3y2u4	pp_4r65hnEU	5a3a2026297bd0e050684a1733e51bd211fc4ea3488f757d4c2d3073d7b4b107	pri_2tcijxz5q2d5wsxyaiurf2r53y	1795541125	\N	\N	1795541125	\N	enr_tveuoikcm574yxycdwwtu6qbti	key	1795541125968885847
\.


--
-- Data for Name: budgets; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.budgets (id, owner_id, name, accountant, guaranteed_epsilon, guaranteed_delta, delta_conversion, epsilon_limit, delta_limit, rho_limit, epsilon_spent, delta_spent, rho_spent, epsilon_release_cap, delta_release_cap, rho_release_cap, allowed_mechanisms, frozen_at, low_budget_percent, sequence, head_hash, created_at, created_nanoseconds, stored_bytes) FROM stdin;
bud_oipz4gq4brf4l2dcws2yeau4nm	pri_bucegxpm2jhmcvpde23wf547wi	budget 12	basic	1000000000	1000000000000	0	1000000000	1000000000000	0	299997009	100000000000	0	\N	\N	\N	\N	\N	10	12	135c09bd0c2c16005ca35a9183f6976f3428d9d1e951a4d029da069f8837ed09	1795541114	1795541114778643264	60396
bud_s7ds4p7nypjh5kdrvgljbfed6a	pri_jxrq554xlkahhj4rznndo3y2u4	budget 20	basic	1000000000	1000000000000	0	1000000000	1000000000000	0	200000000	0	0	\N	\N	\N	\N	\N	10	3	4beeb699718511bb644e02f90dcf365dcb920e76ab55bbb9cc8d76b208a9d830	1795541125	1795541125986432277	19792
bud_z56r2lfe2c67dfc6l3cmlew45e	pri_bucegxpm2jhmcvpde23wf547wi	Many looks	zcdp	3000000000	10000000000000	9000000000000	0	1000000000000	222112455378	0	0	33964384706	\N	\N	\N	\N	\N	10	10	a7d209feb7900ccb5f4cfdef4c585389f88f95f78b9c1089953aa5b2a12f74f6	1795541114	1795541114875515538	105648
\.


--
-- Data for Name: certificate_requests; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.certificate_requests (certificate_key, principal_id, created_at, id) FROM stdin;
fbaf9913582f83a3e06fbb87495af13eeadcfa0ad6501b5441f62d719465742e	pri_pp4ywljwgc4ch5t3j66d7u5u5a	1795541120	cer_hbndblalauldndi4xybn56snby
2781f561a3dd5da4a3c60da815abea8c06997f2f4b4b011ab408544c3e0d58f6	pri_pp4ywljwgc4ch5t3j66d7u5u5a	1795541120	cer_erxfqugvt52cly3qbxxwsjmuce
cd8127786ab6fc97cab3601ccf993b5e06627f7fce88aab8a5c11e085156d24b	pri_pp4ywljwgc4ch5t3j66d7u5u5a	1795541121	cer_xzdpg5klspcg5bmbv2y6db5y4y
16b4415c69e4b4e51c27ac2054afd57b731267e984bcbe902d047df1a4358510	pri_pp4ywljwgc4ch5t3j66d7u5u5a	1795541123	cer_suz2hazqfwgvlzmbewtgwbepqe
\.


--
-- Data for Name: certificates; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.certificates (key, id, parameters, state, certified, created_at, leased_until, leased_by, used_at, tries) FROM stdin;
fbaf9913582f83a3e06fbb87495af13eeadcfa0ad6501b5441f62d719465742e	cer_xbvqlgdiikruevkqh23cvjsunm	{"mechanism": {"calibration": "certified", "delta": "0.0000001", "epsilon": "0.1", "kind": "exponential"}, "n": 240, "prior": ["1.0", "1.0"], "version": 4}	ready	{"certificate": {"details": {"loss": "0.099997008", "loss_range": "0.148875720", "rounding": "2.771e-11"}, "loss": {"delta": "0.0000001", "epsilon": "0.099997009", "rho": "0.001009435228", "rho_delta": "0"}, "method": "exact_channel", "relation": "replace_one", "statement": "(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel."}, "event": {"calibration": "certified", "delta": "0.0000001", "epsilon0": "0.146859191", "event": "exponential", "gamma": "0.0265", "n": 240, "prior": ["1.0", "1.0"], "uniform_admixture": null}}	1795541120	\N	\N	1795541120	0
2781f561a3dd5da4a3c60da815abea8c06997f2f4b4b011ab408544c3e0d58f6	cer_gxqk7gpk4aktxag55l5wejtfgq	{"mechanism": {"calibration": "proven", "delta": "0.0000001", "epsilon": "0.1", "kind": "exponential"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"change_of_rate": "0.044264479", "draw": "rejection", "excess_by_ratio": "0.059336596", "excess_by_tail": "1.355692916", "normalisers": "0.001824692", "rounding": "4.214e-11", "score": "0.053909420"}, "loss": {"delta": "0", "epsilon": "0.099998592", "rho": "0.002321993715", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3."}, "event": {"calibration": "proven", "delta": "0.0000001", "epsilon0": "0.10781884", "event": "exponential", "gamma": "0.0342", "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	1795541120	\N	\N	1795541120	0
cd8127786ab6fc97cab3601ccf993b5e06627f7fce88aab8a5c11e085156d24b	cer_m4lr3qtu3scnkrrn6jedfkmwzy	{"mechanism": {"delta": "0.0000001", "kind": "exponential_published", "nominal_epsilon": "0.2"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"change_of_rate": "0.013980835", "draw": "rejection", "excess_by_ratio": "0.013980835", "excess_by_tail": "0.167125342", "normalisers": "0.005005989", "rounding": "6.634e-11", "score": "0.100000000"}, "loss": {"delta": "0", "epsilon": "0.118986825", "rho": "0.00509726344", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3."}, "event": {"calibration": "published", "delta": "0.0000001", "epsilon0": "0.2", "event": "exponential", "gamma": "0.004279815109635818", "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	1795541121	\N	\N	1795541121	0
16b4415c69e4b4e51c27ac2054afd57b731267e984bcbe902d047df1a4358510	cer_5uc7svbsvuu3chhqbqdkni63be	{"mechanism": {"delta": "0.0000001", "epsilon": "0.3", "kind": "exponential_global"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"draw": "rejection", "normalisers": "0.002500479", "rounding": "1.782e-11", "score": "0.150000000"}, "loss": {"delta": "0", "epsilon": "0.15250048", "rho": "0.011249999939", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2."}, "event": {"calibration": "global", "delta": "0.0000001", "epsilon0": "0.299999999", "event": "exponential", "gamma": null, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	1795541123	\N	\N	1795541123	0
\.


--
-- Data for Name: creations; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.creations (key_hash, fingerprint, subject_id, sealed_secret, created_at) FROM stdin;
\.


--
-- Data for Name: datasets; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.datasets (id, owner_id, budget_id, name, labels, attributes, category_count, record_count, unit, one_record_per_unit, records_per_unit, n_is_public, relation, commitment, charged, created_at, deleted_at, created_nanoseconds, history_shared, listed) FROM stdin;
dat_pxrcqupjjykhrxjve7rsacv4jy	pri_bucegxpm2jhmcvpde23wf547wi	bud_oipz4gq4brf4l2dcws2yeau4nm	Trial	["category 0", "category 1"]	\N	2	240	one person	1	1	1	replace_one	f105acd4d82d3f6f50b3b7d9b3d25030d7e5e4fb1bb56dd7e3f961775da1860e	1	1795541114	\N	1795541114807479473	0	1
dat_4fhcqpnfu7bwaorjoqqgbez2fa	pri_bucegxpm2jhmcvpde23wf547wi	bud_z56r2lfe2c67dfc6l3cmlew45e	Clinics	["female · yes", "female · no", "female · unknown", "male · yes", "male · no"]	[{"name": "sex", "levels": ["female", "male"]}, {"name": "ill", "levels": ["yes", "no", "unknown"]}]	5	667	one person	1	1	1	replace_one	54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375	1	1795541114	\N	1795541114885336236	0	0
dat_ddphqc2vt4gb3b47us777bkoyy	pri_bucegxpm2jhmcvpde23wf547wi	bud_oipz4gq4brf4l2dcws2yeau4nm	Visits	["category 0", "category 1"]	\N	2	21	one person	0	2	1	replace_one	1d9c16084167c2731a41276f04b0d449bf8bfe7ea7ffc488afd1b1dc5e8eb8ec	1	1795541114	\N	1795541114921706111	0	0
dat_hejxmof2tivhajtm4euriynpbm	pri_bucegxpm2jhmcvpde23wf547wi	bud_oipz4gq4brf4l2dcws2yeau4nm	Gone	["category 0", "category 1"]	\N	2	3	one person	1	1	1	replace_one	c8929d15ff80f1dd4ddb59910767b025c065944d89bbd0fdd4ad138fc0e660d6	0	1795541125	1795541125	1795541125495449271	0	0
dat_tempn4fx3rd4pv5nbpuyt5ia5a	pri_jxrq554xlkahhj4rznndo3y2u4	bud_s7ds4p7nypjh5kdrvgljbfed6a	Paid and not drawn	["category 0", "category 1"]	\N	2	11	one person	1	1	1	replace_one	709718096f84a20ee5624b434a1f35df9a2a6cfe66ee609cf86d1ee1269c1d38	1	1795541125	\N	1795541125992703771	0	0
\.


--
-- Data for Name: encrypted_counts; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.encrypted_counts (dataset_id, key_id, ciphertext) FROM stdin;
dat_pxrcqupjjykhrxjve7rsacv4jy	k1	\\x23259551f42338475f28e9e58a2c1da2551bdc4cf36e07d22488bec27f67cd0f94c4747e814d36761eacb4b4
dat_4fhcqpnfu7bwaorjoqqgbez2fa	k1	\\x8739cc5ce693c55b1fd9073ef7b626baad7ffa4eb27927fb1b22cc1fa0618766152add1dc697c94abedf7751fe854f8031c36aaf7f970ef8b8f051f6115c562a911a73dc
dat_ddphqc2vt4gb3b47us777bkoyy	k1	\\x1a8924aad9fbbe163cb58f93c7090b10cc8d43dee48252d126759cf18389aadd20d32fdc4bcb62c250d274a9
dat_tempn4fx3rd4pv5nbpuyt5ia5a	k1	\\x6c63ad5aed90e4a7a37b716c368c0faaacf9a94b8efaa589d238b8342afdd5cd4e3016a9c080b284f9297dc4
\.


--
-- Data for Name: enrolments; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.enrolments (id, principal_id, kind, secret_hash, issued_by, made_by, created_at, expires_at, used_at, ended_at) FROM stdin;
enr_ee5x5uhyqjloxmb454bn3spbni	pri_bucegxpm2jhmcvpde23wf547wi	token	96dde8977b56be25fc55eef0c176dc62d65ca5f7a756d0d3378bb0ebde6cf010	pri_2tcijxz5q2d5wsxyaiurf2r53y	\N	1795541114	1795627514	1795541114	\N
enr_62c4n36tq5g4hxaijhe2zcwply	pri_bucegxpm2jhmcvpde23wf547wi	recovery_code	7e75ee270652bc027f5739776c62790a9fe87497f72b99e4529d9e1784fcc85a	pri_2tcijxz5q2d5wsxyaiurf2r53y	enr_ee5x5uhyqjloxmb454bn3spbni	1795541114	\N	\N	\N
enr_g6zymc6lm7ghqwpeaz3fyxuhbq	pri_pp4ywljwgc4ch5t3j66d7u5u5a	token	601ea59252deaa53a91e5e1835bed66e50ad718614b5257a216f63c01284d068	pri_2tcijxz5q2d5wsxyaiurf2r53y	\N	1795541114	1795627514	1795541114	\N
enr_h7isusgmsgrjmqfngidduugluu	pri_pp4ywljwgc4ch5t3j66d7u5u5a	recovery_code	81ef80f8a284781ea901fae886ae150a19644c20f180040be1ff6e853bacbf51	pri_2tcijxz5q2d5wsxyaiurf2r53y	enr_g6zymc6lm7ghqwpeaz3fyxuhbq	1795541114	\N	\N	\N
enr_kx52fch6pqkt65eodkroe2f67u	pri_2hrqwtihcjzwdp37qmrmavsjku	token	b6b969538f2ccb9f2b99561176cdd0ee8ac0a7ef22d440311e3faa0925c800fd	pri_2tcijxz5q2d5wsxyaiurf2r53y	\N	1795541125	1795627525	1795541125	\N
enr_ju4xfgfcbzsl3aeh3xdrwb2rtm	pri_2hrqwtihcjzwdp37qmrmavsjku	recovery_code	d49b608decd82f2567fbb2056ea666884cc7234c37547ff6de7fcb6169731d4a	pri_2tcijxz5q2d5wsxyaiurf2r53y	enr_kx52fch6pqkt65eodkroe2f67u	1795541125	\N	\N	\N
enr_lvhxxc4g2u75edunersrokdfqe	pri_xpjgflpfxma4qkgzoniuf63vzq	token	9f91d90f1c2f265f75be909f54805712b823e92b7944a60dc4ad1427bbfaeb83	pri_2tcijxz5q2d5wsxyaiurf2r53y	\N	1795541125	1795627525	1795541125	\N
enr_sydayepzjyvzburjhgjyowc3bi	pri_xpjgflpfxma4qkgzoniuf63vzq	recovery_code	e314fe50b10ebc638d134878a6c8fa12411380cd807bb6131b33780c0194ee25	pri_2tcijxz5q2d5wsxyaiurf2r53y	enr_lvhxxc4g2u75edunersrokdfqe	1795541125	\N	\N	\N
enr_tveuoikcm574yxycdwwtu6qbti	pri_jxrq554xlkahhj4rznndo3y2u4	token	850477c8d9dc0f34f3481058d77f861010efe5eddca3532486a0abb94035d45b	pri_2tcijxz5q2d5wsxyaiurf2r53y	\N	1795541125	1795627525	1795541125	\N
enr_vucqqo2vvxm24ksxyy5o5jz7hu	pri_jxrq554xlkahhj4rznndo3y2u4	recovery_code	066b5a55481f22b9a99178291ff4381f0e465663b1f16096b8ccaf5147cb809b	pri_2tcijxz5q2d5wsxyaiurf2r53y	enr_tveuoikcm574yxycdwwtu6qbti	1795541125	\N	\N	\N
\.


--
-- Data for Name: entries; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.entries (budget_id, sequence, kind, epsilon, delta, rho, principal_id, subject_id, detail, created_at, previous_hash, hash) FROM stdin;
bud_oipz4gq4brf4l2dcws2yeau4nm	1	budget_opened	1000000000	1000000000000	0	pri_bucegxpm2jhmcvpde23wf547wi	bud_oipz4gq4brf4l2dcws2yeau4nm	{"accountant":"basic","api_key_id":"key_3aymozqkkbnlvafwwbsnarmaxa","delta":"0.000001","delta_conversion":"0","epsilon":"1","principal_head":{"hash":"3e2c8f48c7d39c7c18cddaa33ab9d757365c40a69095a2ee99ab7068cb075e8e","sequence":2}}	1795541114	98744c53d1277ec9348378357f178d525993d847a8f244bd4875d4c28a8980d2	e5cc5f905763869b4b12b74847377448420dbdc798cb7765d6caa213079a15b0
bud_oipz4gq4brf4l2dcws2yeau4nm	2	dataset_registered	0	0	0	pri_bucegxpm2jhmcvpde23wf547wi	dat_pxrcqupjjykhrxjve7rsacv4jy	{"api_key_id":"key_3aymozqkkbnlvafwwbsnarmaxa","category_count":2,"commitment":"f105acd4d82d3f6f50b3b7d9b3d25030d7e5e4fb1bb56dd7e3f961775da1860e","principal_head":{"hash":"3e2c8f48c7d39c7c18cddaa33ab9d757365c40a69095a2ee99ab7068cb075e8e","sequence":2},"record_count":240,"records_per_unit":1,"relation":"replace_one"}	1795541114	e5cc5f905763869b4b12b74847377448420dbdc798cb7765d6caa213079a15b0	52c67730eaaa4006f60f8f7d85eaabb53ce9fb211126b9d196eb7fb89d25074d
bud_z56r2lfe2c67dfc6l3cmlew45e	1	budget_opened	0	1000000000000	222112455378	pri_bucegxpm2jhmcvpde23wf547wi	bud_z56r2lfe2c67dfc6l3cmlew45e	{"accountant":"zcdp","api_key_id":"key_3aymozqkkbnlvafwwbsnarmaxa","delta":"0.00001","delta_conversion":"0.000009","epsilon":"3","principal_head":{"hash":"3e2c8f48c7d39c7c18cddaa33ab9d757365c40a69095a2ee99ab7068cb075e8e","sequence":2}}	1795541114	5ffea2b1bc1aedf41c20e73db08ab22e6bd377929693866ce57a360d582142eb	8c267f4b0be959e195fec223e8d1af6a9b123b7b7ba3b85bb9243eabc1f94307
bud_z56r2lfe2c67dfc6l3cmlew45e	2	dataset_registered	0	0	0	pri_bucegxpm2jhmcvpde23wf547wi	dat_4fhcqpnfu7bwaorjoqqgbez2fa	{"api_key_id":"key_3aymozqkkbnlvafwwbsnarmaxa","category_count":5,"commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","principal_head":{"hash":"3e2c8f48c7d39c7c18cddaa33ab9d757365c40a69095a2ee99ab7068cb075e8e","sequence":2},"record_count":667,"records_per_unit":1,"relation":"replace_one"}	1795541114	8c267f4b0be959e195fec223e8d1af6a9b123b7b7ba3b85bb9243eabc1f94307	7faf624418fc6ab066102dd3dc73ffd9971805f7ff3e34d6c5d488057dd3e37f
bud_oipz4gq4brf4l2dcws2yeau4nm	3	dataset_registered	0	0	0	pri_bucegxpm2jhmcvpde23wf547wi	dat_ddphqc2vt4gb3b47us777bkoyy	{"api_key_id":"key_3aymozqkkbnlvafwwbsnarmaxa","category_count":2,"commitment":"1d9c16084167c2731a41276f04b0d449bf8bfe7ea7ffc488afd1b1dc5e8eb8ec","principal_head":{"hash":"3e2c8f48c7d39c7c18cddaa33ab9d757365c40a69095a2ee99ab7068cb075e8e","sequence":2},"record_count":21,"records_per_unit":2,"relation":"replace_one"}	1795541114	52c67730eaaa4006f60f8f7d85eaabb53ce9fb211126b9d196eb7fb89d25074d	73ef6448f887443d37eca2b8b90e0719f7d8a9c2c0c752dca933d336fe8270f2
bud_oipz4gq4brf4l2dcws2yeau4nm	4	dataset_listed	0	0	0	pri_bucegxpm2jhmcvpde23wf547wi	dat_pxrcqupjjykhrxjve7rsacv4jy	{"api_key_id":"key_3aymozqkkbnlvafwwbsnarmaxa","principal_head":{"hash":"3e2c8f48c7d39c7c18cddaa33ab9d757365c40a69095a2ee99ab7068cb075e8e","sequence":2}}	1795541114	73ef6448f887443d37eca2b8b90e0719f7d8a9c2c0c752dca933d336fe8270f2	60dc811d5878db964b5b05befada19dbe0c3a5c8d801286374038d314bfd14e6
bud_oipz4gq4brf4l2dcws2yeau4nm	5	grant_opened	900000000	800000000000	0	pri_bucegxpm2jhmcvpde23wf547wi	gra_tgn4c656lesroprkidllml6ju4	{"analyst_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","api_key_id":"key_3aymozqkkbnlvafwwbsnarmaxa","dataset_id":"dat_pxrcqupjjykhrxjve7rsacv4jy","expires_at":32472144000,"principal_head":{"hash":"3e2c8f48c7d39c7c18cddaa33ab9d757365c40a69095a2ee99ab7068cb075e8e","sequence":2}}	1795541114	60dc811d5878db964b5b05befada19dbe0c3a5c8d801286374038d314bfd14e6	e37f43155ec39772063ad44d10d9f3bb72ac1a04cd1864ba6418b3804b6f9604
bud_z56r2lfe2c67dfc6l3cmlew45e	3	grant_opened	0	800000000000	140000000000	pri_bucegxpm2jhmcvpde23wf547wi	gra_3gmllgddjtecgsrhzumvxcx7dq	{"analyst_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","api_key_id":"key_3aymozqkkbnlvafwwbsnarmaxa","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","expires_at":32472144000,"principal_head":{"hash":"3e2c8f48c7d39c7c18cddaa33ab9d757365c40a69095a2ee99ab7068cb075e8e","sequence":2}}	1795541115	7faf624418fc6ab066102dd3dc73ffd9971805f7ff3e34d6c5d488057dd3e37f	13e4d03944a09f7707324e2195c7f6efc9765c6a452e30623ecc27182e6748b7
bud_oipz4gq4brf4l2dcws2yeau4nm	6	release_charged	100000000	0	0	pri_pp4ywljwgc4ch5t3j66d7u5u5a	rel_urwionsxyps6e2zwcjhkmozh5y	{"api_key_id":"key_pekysmdc74dz33ukdr363vj4vm","commitment":"f105acd4d82d3f6f50b3b7d9b3d25030d7e5e4fb1bb56dd7e3f961775da1860e","dataset_id":"dat_pxrcqupjjykhrxjve7rsacv4jy","grant_id":"gra_tgn4c656lesroprkidllml6ju4","key_hash":"67e442fe7abd1e2024e11150f2aec332abc601bc860c2b24cd40d22a1eff03c5","mechanism":"simplex_geometric","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"92a812c1566512a2e0b1c08117472ca2e33dfcbfc924057b25e7c70d0e3c14b4","principal_head":{"hash":"c016062cf19b94e6a2fb74fd829a53f1c7e6d0c244853caf0a020068dace98e9","sequence":2},"spec_sha256":"de23c21283969e8a7000e4101d77422108c94bf38f1395765fbe9ee364a73c5f"}	1795541115	e37f43155ec39772063ad44d10d9f3bb72ac1a04cd1864ba6418b3804b6f9604	f67c93b576cd38a53d30aa273135f52ec024c766cd09e2169a07cd2ddabf79cb
bud_oipz4gq4brf4l2dcws2yeau4nm	7	release_charged	99997009	100000000000	0	pri_pp4ywljwgc4ch5t3j66d7u5u5a	rel_y5m65kfjeapgbibciky4er4wba	{"api_key_id":"key_pekysmdc74dz33ukdr363vj4vm","commitment":"f105acd4d82d3f6f50b3b7d9b3d25030d7e5e4fb1bb56dd7e3f961775da1860e","dataset_id":"dat_pxrcqupjjykhrxjve7rsacv4jy","grant_id":"gra_tgn4c656lesroprkidllml6ju4","key_hash":"93fb993d544453a7b1f311413a680ea104c1b53751f580ec5f194a0b058c6bae","mechanism":"exponential","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"3649d3baa0398549914b68ef885c9285915b0f81500dbe5e8b842f74bf4a8c11","principal_head":{"hash":"c016062cf19b94e6a2fb74fd829a53f1c7e6d0c244853caf0a020068dace98e9","sequence":2},"spec_sha256":"d562b3d089d97de00fbe881c70a3fb1385131a7fab59c40dcad9e306deb16471"}	1795541120	f67c93b576cd38a53d30aa273135f52ec024c766cd09e2169a07cd2ddabf79cb	a0769381dbdbbbf6f3f783caed2702cb2a5d422f8fb971202ebceb182daf092c
bud_z56r2lfe2c67dfc6l3cmlew45e	4	release_charged	0	0	2856598834	pri_pp4ywljwgc4ch5t3j66d7u5u5a	rel_huqjwy6pzdlei7o4zj6cqber4e	{"api_key_id":"key_pekysmdc74dz33ukdr363vj4vm","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"cb14b364c4614f301ee6f3205788769ecbecd68b6fabfe9b935d2ab17e16ad23","mechanism":"simplex_geometric","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"cbf682110143924d5d5cab1b0f11fc383988aa0393f8bec1b3ce0677edbe8c15","principal_head":{"hash":"c016062cf19b94e6a2fb74fd829a53f1c7e6d0c244853caf0a020068dace98e9","sequence":2},"spec_sha256":"705536b46c468eb1bd505605a907892056015c07f9acb55ccc9f2fa868066fbb"}	1795541120	13e4d03944a09f7707324e2195c7f6efc9765c6a452e30623ecc27182e6748b7	87ddb775ff1d5e268982dee4a12e2d005fc8a01222aca8b4b081fbc16de90e4d
bud_oipz4gq4brf4l2dcws2yeau4nm	9	release_published	0	0	0	pri_bucegxpm2jhmcvpde23wf547wi	rel_urwionsxyps6e2zwcjhkmozh5y	{"api_key_id":"key_3aymozqkkbnlvafwwbsnarmaxa","principal_head":{"hash":"3e2c8f48c7d39c7c18cddaa33ab9d757365c40a69095a2ee99ab7068cb075e8e","sequence":2}}	1795541124	8d646d8f020ca9c24e08b7f0e8c5ef41205fd8339580ffb1040d3237e6a66aba	51cfbca255a8d0153adccfde7367bb8f6cdee18d98e2abb94c9dbee1bcffdae5
bud_z56r2lfe2c67dfc6l3cmlew45e	5	release_charged	0	0	2438528778	pri_pp4ywljwgc4ch5t3j66d7u5u5a	rel_5zszl44hrugsi7rbdz6u4gjmte	{"api_key_id":"key_pekysmdc74dz33ukdr363vj4vm","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"a323b128a473df677fc103b99b0224ab8114a9ef614536d4ea4cfca5a8158c87","mechanism":"laplace","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"e39f136bc2951758d34c1f11ff4e55b8f4f5a87f76ad5843b91e3a122e866fe6","principal_head":{"hash":"c016062cf19b94e6a2fb74fd829a53f1c7e6d0c244853caf0a020068dace98e9","sequence":2},"spec_sha256":"33593e2b3f7e3439f184624c894c653507cdb6d46bbfd6147907f220af7a3e40"}	1795541120	87ddb775ff1d5e268982dee4a12e2d005fc8a01222aca8b4b081fbc16de90e4d	f168b346cba0e562162d86feb0f769100aa251af2f61a359be730e74563b7c70
bud_z56r2lfe2c67dfc6l3cmlew45e	6	release_charged	0	0	10000000000	pri_pp4ywljwgc4ch5t3j66d7u5u5a	rel_e6agy3xsar6bspt7cazjglkzwm	{"api_key_id":"key_pekysmdc74dz33ukdr363vj4vm","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"0be485b2082d5e0209898e1c32ad9fa76cc66e9af42e1d64181e1779a319c161","mechanism":"gaussian","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"62a3e97f57fc6ca1f125f91309239b3dc4eca052071a0e45ceb7aaeab14f2d91","principal_head":{"hash":"c016062cf19b94e6a2fb74fd829a53f1c7e6d0c244853caf0a020068dace98e9","sequence":2},"spec_sha256":"c305371bdcf35959541f899d4224fc40346c2eb39baadde048ca07e459d08a04"}	1795541120	f168b346cba0e562162d86feb0f769100aa251af2f61a359be730e74563b7c70	0f4a2b72b28448fa929a46573116862ca98003d33218e36494b5a454735e03c0
bud_z56r2lfe2c67dfc6l3cmlew45e	7	release_charged	0	0	2321993715	pri_pp4ywljwgc4ch5t3j66d7u5u5a	rel_kio4rpsgili7ct42pydtm4rowa	{"api_key_id":"key_pekysmdc74dz33ukdr363vj4vm","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"99febf3b9e7b3e33f46c6fd2a4104f622439f6a03f1ce85a3a73481e2725ce9a","mechanism":"exponential","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"2d681bdecf6124c372ead0794dbea8bf2eff30d012ebe1f614283b8ce5dc3449","principal_head":{"hash":"c016062cf19b94e6a2fb74fd829a53f1c7e6d0c244853caf0a020068dace98e9","sequence":2},"spec_sha256":"e0e1ba13a14ab1e0ad49104747d307fc8fcdc22d2bc432f8f52bbfaea01b9cb2"}	1795541120	0f4a2b72b28448fa929a46573116862ca98003d33218e36494b5a454735e03c0	b6edd4240169109cbdaa30b79a120fe0f59dafa80068750dc9a859ad0c0d5a6a
bud_z56r2lfe2c67dfc6l3cmlew45e	8	release_charged	0	0	5097263440	pri_pp4ywljwgc4ch5t3j66d7u5u5a	rel_al5mcccydbvlsbi3tqdi77ax6q	{"api_key_id":"key_pekysmdc74dz33ukdr363vj4vm","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"da1f765a1e7ad3ba42a261f56ce7fdf17698ed542343afae62ee5769dd59d43f","mechanism":"exponential_published","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"327dbbbe3565bcd44ba7e543b18a729a433220aa27b7dad6b2d7f62cfb836f85","principal_head":{"hash":"c016062cf19b94e6a2fb74fd829a53f1c7e6d0c244853caf0a020068dace98e9","sequence":2},"spec_sha256":"38cf248e19022ae7950c0a70982c17cb5ac1cc5e08cab6c8f6b0abce4271d3ba"}	1795541121	b6edd4240169109cbdaa30b79a120fe0f59dafa80068750dc9a859ad0c0d5a6a	411d79ec2d210ea270e44ffdd49f17b9d1d00eeb04adf34645a721f842ac8edd
bud_z56r2lfe2c67dfc6l3cmlew45e	9	release_charged	0	0	11249999939	pri_pp4ywljwgc4ch5t3j66d7u5u5a	rel_aopqdua2syohisyoln6lxiivfe	{"api_key_id":"key_pekysmdc74dz33ukdr363vj4vm","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"802ada258d9d61e4653c97d7d6b14b1fde1f6231b703ea2ae6798cf57ee5ee34","mechanism":"exponential_global","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"93f3e0994f63b1fe2513b9563fcb72347ed9704730e037f189cea009ddd38a20","principal_head":{"hash":"c016062cf19b94e6a2fb74fd829a53f1c7e6d0c244853caf0a020068dace98e9","sequence":2},"spec_sha256":"762ca2a9fc23a54fac5ae3ebbda6354f8df5e3a15be643cef8e21dc0f4627968"}	1795541123	411d79ec2d210ea270e44ffdd49f17b9d1d00eeb04adf34645a721f842ac8edd	72ac80da75ada8c87aca2420f1277d620c9648f51ca5db7bab5d455f6b70abc9
bud_oipz4gq4brf4l2dcws2yeau4nm	8	release_charged	100000000	0	0	pri_bucegxpm2jhmcvpde23wf547wi	rel_xpk4v3mvaixh6cibqtxiggmthe	{"api_key_id":"key_3aymozqkkbnlvafwwbsnarmaxa","commitment":"1d9c16084167c2731a41276f04b0d449bf8bfe7ea7ffc488afd1b1dc5e8eb8ec","dataset_id":"dat_ddphqc2vt4gb3b47us777bkoyy","key_hash":"9301850b645614064d3aeff30189b41c16180a988d94fc6bb9f2b7cacb6a1436","mechanism":"simplex_geometric","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"b37461494d2826210049d8435122c51cb7e20b746d654547e7fbbd3b612df994","principal_head":{"hash":"3e2c8f48c7d39c7c18cddaa33ab9d757365c40a69095a2ee99ab7068cb075e8e","sequence":2},"spec_sha256":"cb4699f722245f875dea7176be782ce4524262cf221171fd2b6cf52fa808283c"}	1795541124	a0769381dbdbbbf6f3f783caed2702cb2a5d422f8fb971202ebceb182daf092c	8d646d8f020ca9c24e08b7f0e8c5ef41205fd8339580ffb1040d3237e6a66aba
bud_z56r2lfe2c67dfc6l3cmlew45e	10	query_charged	0	0	0	pri_pp4ywljwgc4ch5t3j66d7u5u5a	qry_shxhi4hb2llr5ymsec5tox5v2y	{"alone":[0,0,0],"api_key_id":"key_pekysmdc74dz33ukdr363vj4vm","blind":"bld_jbe7lcznirsa4kwswx5kkzsnhu","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","granted":[0,0,0],"key_hash":"4fe0a82f42086dd2a8ff0e395dd893de357dc2b322723af4951157d174c7f87d","measured":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945","mechanism":"linear","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"23f3c6cd08f96c8c9ff63c74474c5aacc8b88b3d22cae9bc41a4e86f7fc718f6","principal_head":{"hash":"c016062cf19b94e6a2fb74fd829a53f1c7e6d0c244853caf0a020068dace98e9","sequence":2},"spec_sha256":"36444f11e18d07f71da5a00cb6dde93e0d6782702ca4c73b89160fd529270d96"}	1795541125	72ac80da75ada8c87aca2420f1277d620c9648f51ca5db7bab5d455f6b70abc9	a7d209feb7900ccb5f4cfdef4c585389f88f95f78b9c1089953aa5b2a12f74f6
bud_oipz4gq4brf4l2dcws2yeau4nm	10	access_declined	0	0	0	pri_bucegxpm2jhmcvpde23wf547wi	acc_zks47n2jtoxml3biygvaqyi6v4	{"analyst_id":"pri_2hrqwtihcjzwdp37qmrmavsjku","api_key_id":"key_3aymozqkkbnlvafwwbsnarmaxa","dataset_id":"dat_pxrcqupjjykhrxjve7rsacv4jy","principal_head":{"hash":"3e2c8f48c7d39c7c18cddaa33ab9d757365c40a69095a2ee99ab7068cb075e8e","sequence":2}}	1795541125	51cfbca255a8d0153adccfde7367bb8f6cdee18d98e2abb94c9dbee1bcffdae5	9e479cc881a3fc15e8f2bdf7433d3cf8ae70d82d6d7f51c556f2ac53a0fe906c
bud_oipz4gq4brf4l2dcws2yeau4nm	11	dataset_registered	0	0	0	pri_bucegxpm2jhmcvpde23wf547wi	dat_hejxmof2tivhajtm4euriynpbm	{"api_key_id":"key_3aymozqkkbnlvafwwbsnarmaxa","category_count":2,"commitment":"c8929d15ff80f1dd4ddb59910767b025c065944d89bbd0fdd4ad138fc0e660d6","principal_head":{"hash":"3e2c8f48c7d39c7c18cddaa33ab9d757365c40a69095a2ee99ab7068cb075e8e","sequence":2},"record_count":3,"records_per_unit":1,"relation":"replace_one"}	1795541125	9e479cc881a3fc15e8f2bdf7433d3cf8ae70d82d6d7f51c556f2ac53a0fe906c	001fbd25889bde1ad52f6b5681f9d34365e42fc3bf776304971ac26ac67fa5e8
bud_oipz4gq4brf4l2dcws2yeau4nm	12	dataset_deleted	0	0	0	pri_bucegxpm2jhmcvpde23wf547wi	dat_hejxmof2tivhajtm4euriynpbm	{"api_key_id":"key_3aymozqkkbnlvafwwbsnarmaxa","principal_head":{"hash":"3e2c8f48c7d39c7c18cddaa33ab9d757365c40a69095a2ee99ab7068cb075e8e","sequence":2}}	1795541125	001fbd25889bde1ad52f6b5681f9d34365e42fc3bf776304971ac26ac67fa5e8	135c09bd0c2c16005ca35a9183f6976f3428d9d1e951a4d029da069f8837ed09
bud_s7ds4p7nypjh5kdrvgljbfed6a	1	budget_opened	1000000000	1000000000000	0	pri_jxrq554xlkahhj4rznndo3y2u4	bud_s7ds4p7nypjh5kdrvgljbfed6a	{"accountant":"basic","api_key_id":"key_lrt2fj6cwstinncnsrd7wzbkti","delta":"0.000001","delta_conversion":"0","epsilon":"1","principal_head":{"hash":"ff4fb9148aab9c9dea82dd1452177a38c3a3594614be85f3811b7edc42358b07","sequence":2}}	1795541125	77e7d2fa0f2626f3a70d45efc75ac3bfb1d6e46cb900bdabcddf5a6d0eda11c1	75d62f2d7cf711af8e844fe7c6a94f461f313e14324f7bf52e44c67749b66240
bud_s7ds4p7nypjh5kdrvgljbfed6a	2	dataset_registered	0	0	0	pri_jxrq554xlkahhj4rznndo3y2u4	dat_tempn4fx3rd4pv5nbpuyt5ia5a	{"api_key_id":"key_lrt2fj6cwstinncnsrd7wzbkti","category_count":2,"commitment":"709718096f84a20ee5624b434a1f35df9a2a6cfe66ee609cf86d1ee1269c1d38","principal_head":{"hash":"ff4fb9148aab9c9dea82dd1452177a38c3a3594614be85f3811b7edc42358b07","sequence":2},"record_count":11,"records_per_unit":1,"relation":"replace_one"}	1795541126	75d62f2d7cf711af8e844fe7c6a94f461f313e14324f7bf52e44c67749b66240	c47d8514a471b05d3127d0945a979e3a84eac6f15849d5229282d6efd53d24db
bud_s7ds4p7nypjh5kdrvgljbfed6a	3	release_charged	200000000	0	0	pri_jxrq554xlkahhj4rznndo3y2u4	rel_v36kbxo7r6dzopuna2iow5ifme	{"api_key_id":"key_lrt2fj6cwstinncnsrd7wzbkti","commitment":"709718096f84a20ee5624b434a1f35df9a2a6cfe66ee609cf86d1ee1269c1d38","dataset_id":"dat_tempn4fx3rd4pv5nbpuyt5ia5a","key_hash":"1e55b6f935587e8eb527edc49cf5872a1fbb9202c6bd3f646ada94e8b6f38415","mechanism":"simplex_geometric","owner_id":"pri_jxrq554xlkahhj4rznndo3y2u4","payload_hash":"deb41179bb47c7f7651d66ec803a0bfa14897043e78997868d5c3f6b6aa74027","principal_head":{"hash":"ff4fb9148aab9c9dea82dd1452177a38c3a3594614be85f3811b7edc42358b07","sequence":2},"spec_sha256":"0c9622671794f49132a4655778ba6ef40481137dcfdf5c057f48134a2b4ea117"}	1795541135	c47d8514a471b05d3127d0945a979e3a84eac6f15849d5229282d6efd53d24db	4beeb699718511bb644e02f90dcf365dcb920e76ab55bbb9cc8d76b208a9d830
\.


--
-- Data for Name: grants; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.grants (id, dataset_id, principal_id, epsilon_cap, delta_cap, rho_cap, epsilon_spent, delta_spent, rho_spent, expires_at, closed_at, created_at, created_nanoseconds, stored_bytes, owner_id, dataset_nanoseconds) FROM stdin;
gra_tgn4c656lesroprkidllml6ju4	dat_pxrcqupjjykhrxjve7rsacv4jy	pri_pp4ywljwgc4ch5t3j66d7u5u5a	900000000	800000000000	0	199997009	100000000000	0	32472144000	\N	1795541114	1795541114991802098	23864	pri_bucegxpm2jhmcvpde23wf547wi	1795541114807479473
gra_3gmllgddjtecgsrhzumvxcx7dq	dat_4fhcqpnfu7bwaorjoqqgbez2fa	pri_pp4ywljwgc4ch5t3j66d7u5u5a	0	800000000000	140000000000	0	0	33964384706	32472144000	\N	1795541115	1795541115033903442	97425	pri_bucegxpm2jhmcvpde23wf547wi	1795541114885336236
\.


--
-- Data for Name: holdings; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.holdings (owner_id, budgets, datasets, grants) FROM stdin;
pri_bucegxpm2jhmcvpde23wf547wi	2	3	2
pri_jxrq554xlkahhj4rznndo3y2u4	1	1	0
\.


--
-- Data for Name: hourly_spending; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.hourly_spending (budget_id, hour, releases, epsilon, delta, rho) FROM stdin;
bud_oipz4gq4brf4l2dcws2yeau4nm	498761	3	299997009	100000000000	0
bud_z56r2lfe2c67dfc6l3cmlew45e	498761	6	0	0	33964384706
bud_s7ds4p7nypjh5kdrvgljbfed6a	498761	1	200000000	0	0
\.


--
-- Data for Name: installation; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.installation (id, identity, created_at, restore_pending_since, restores) FROM stdin;
1	e1d98daa6b4384fe40917eef7217bec8	1795541107	\N	0
\.


--
-- Data for Name: jobs; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.jobs (id, principal_id, key, kind, input, state, result, problem, created_at, finished_at, leased_until, tries, created_nanoseconds) FROM stdin;
\.


--
-- Data for Name: key_checks; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.key_checks (kind, key_id, check_value, created_at, retired_at) FROM stdin;
counts	k1	f522ac82754c352661661a5acc1c991766bc05de7d6ae91245ed185928313541	1795541110	\N
receipts	139e3940e64b5491	O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik	1795541110	\N
\.


--
-- Data for Name: principal_entries; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principal_entries (principal_id, sequence, kind, actor_id, subject_id, detail, created_at, previous_hash, hash) FROM stdin;
pri_2tcijxz5q2d5wsxyaiurf2r53y	1	key_issued	command-line	key_5wygfysurwobmqmxb74l3zht5e	{}	1795541108	0bdd00bd93f69cc5995865b124b0a37d8508b41884460457be48f6da3929917b	e256270c8897269950b1dcd42ec59017257906960dcb3d3dee00385afdacbfb9
pri_bucegxpm2jhmcvpde23wf547wi	1	token_issued	pri_2tcijxz5q2d5wsxyaiurf2r53y	enr_ee5x5uhyqjloxmb454bn3spbni	{"recovers":false}	1795541114	7a4ccfde51585f8cf1f4fe36c36aad0b9be2801f6bba3f56a30a980063fb3158	3839fee8a98232512aa43c48f4a1774f9bb1ddf859e9ec27274f5a3129832333
pri_bucegxpm2jhmcvpde23wf547wi	2	enrolled	pri_bucegxpm2jhmcvpde23wf547wi	enr_ee5x5uhyqjloxmb454bn3spbni	{"issued_by":"pri_2tcijxz5q2d5wsxyaiurf2r53y","key_id":"key_3aymozqkkbnlvafwwbsnarmaxa"}	1795541114	3839fee8a98232512aa43c48f4a1774f9bb1ddf859e9ec27274f5a3129832333	3e2c8f48c7d39c7c18cddaa33ab9d757365c40a69095a2ee99ab7068cb075e8e
pri_pp4ywljwgc4ch5t3j66d7u5u5a	1	token_issued	pri_2tcijxz5q2d5wsxyaiurf2r53y	enr_g6zymc6lm7ghqwpeaz3fyxuhbq	{"recovers":false}	1795541114	51191f9c703c592bb830033a28ffcb8a17d29b8d4460fdda0127bc90b57d3f10	3cfd3a5bc73409c358eac511e13dbe8d40b41e0f81ab6333c8b967ddf919b321
pri_pp4ywljwgc4ch5t3j66d7u5u5a	2	enrolled	pri_pp4ywljwgc4ch5t3j66d7u5u5a	enr_g6zymc6lm7ghqwpeaz3fyxuhbq	{"issued_by":"pri_2tcijxz5q2d5wsxyaiurf2r53y","key_id":"key_pekysmdc74dz33ukdr363vj4vm"}	1795541114	3cfd3a5bc73409c358eac511e13dbe8d40b41e0f81ab6333c8b967ddf919b321	c016062cf19b94e6a2fb74fd829a53f1c7e6d0c244853caf0a020068dace98e9
pri_2hrqwtihcjzwdp37qmrmavsjku	1	token_issued	pri_2tcijxz5q2d5wsxyaiurf2r53y	enr_kx52fch6pqkt65eodkroe2f67u	{"recovers":false}	1795541125	de12a951056a0e82a325e4b56f471439a4264de4347237c1d4ae5e38da9ea530	b2f058e7e176986e7c53e5f6daee0d625203e66765a4075b7e7879e81dc40991
pri_2hrqwtihcjzwdp37qmrmavsjku	2	enrolled	pri_2hrqwtihcjzwdp37qmrmavsjku	enr_kx52fch6pqkt65eodkroe2f67u	{"issued_by":"pri_2tcijxz5q2d5wsxyaiurf2r53y","key_id":"key_gfstq3akafyel62mxcteuonmau"}	1795541125	b2f058e7e176986e7c53e5f6daee0d625203e66765a4075b7e7879e81dc40991	2a80d410d7f67dfdff321e210ae1282b9bb9d624e686356676954458a2c80126
pri_2hrqwtihcjzwdp37qmrmavsjku	3	access_requested	pri_2hrqwtihcjzwdp37qmrmavsjku	acc_zks47n2jtoxml3biygvaqyi6v4	{"api_key_id":"key_gfstq3akafyel62mxcteuonmau","dataset_id":"dat_pxrcqupjjykhrxjve7rsacv4jy","requested":[100000000,0,0]}	1795541125	2a80d410d7f67dfdff321e210ae1282b9bb9d624e686356676954458a2c80126	7d5f85b265295d1e03b6560737664f339dfee9848d5284729a4ac000b4ce6202
pri_2hrqwtihcjzwdp37qmrmavsjku	4	access_requested	pri_2hrqwtihcjzwdp37qmrmavsjku	acc_kb6cy4vx7npyrsjnx6pfx6ctla	{"api_key_id":"key_gfstq3akafyel62mxcteuonmau","dataset_id":"dat_pxrcqupjjykhrxjve7rsacv4jy","requested":[50000000,0,0]}	1795541125	7d5f85b265295d1e03b6560737664f339dfee9848d5284729a4ac000b4ce6202	674ff292e314d4f148e569e7008a233c0104c0b6c5ddbeed350aa38c709d4129
pri_xpjgflpfxma4qkgzoniuf63vzq	1	token_issued	pri_2tcijxz5q2d5wsxyaiurf2r53y	enr_lvhxxc4g2u75edunersrokdfqe	{"recovers":false}	1795541125	e373d9caea2b212ed2c02351c24a4873ff7bb91a5987bb3cd754f62e9340ff89	65fba69b55f2db87da7e37b86fa9ca654d8586dbb709a2717dab9b7c2066ae22
pri_xpjgflpfxma4qkgzoniuf63vzq	2	enrolled	pri_xpjgflpfxma4qkgzoniuf63vzq	enr_lvhxxc4g2u75edunersrokdfqe	{"issued_by":"pri_2tcijxz5q2d5wsxyaiurf2r53y","key_id":"key_oxyb2uldxsxn72fwppwesx3jji"}	1795541125	65fba69b55f2db87da7e37b86fa9ca654d8586dbb709a2717dab9b7c2066ae22	48d6334da5a7321f4f585795761783b0a323ea8e1aea9b5be5f45ae69ee0da58
pri_xpjgflpfxma4qkgzoniuf63vzq	3	principal_revoked	pri_2tcijxz5q2d5wsxyaiurf2r53y	pri_xpjgflpfxma4qkgzoniuf63vzq	{}	1795541125	48d6334da5a7321f4f585795761783b0a323ea8e1aea9b5be5f45ae69ee0da58	9e40cf8702bc301673bdd1677f976f64cf3b9b43f2bad0451f8dafa02054b047
pri_jxrq554xlkahhj4rznndo3y2u4	1	token_issued	pri_2tcijxz5q2d5wsxyaiurf2r53y	enr_tveuoikcm574yxycdwwtu6qbti	{"recovers":false}	1795541125	6eed17de84d481c6e16a703d5546f09c5c7b4aa085a6c55381b851b32730e4c4	3204f236068657543539def3d8b0e2b98883319a7ebffba509e46eb848addd53
pri_jxrq554xlkahhj4rznndo3y2u4	2	enrolled	pri_jxrq554xlkahhj4rznndo3y2u4	enr_tveuoikcm574yxycdwwtu6qbti	{"issued_by":"pri_2tcijxz5q2d5wsxyaiurf2r53y","key_id":"key_lrt2fj6cwstinncnsrd7wzbkti"}	1795541125	3204f236068657543539def3d8b0e2b98883319a7ebffba509e46eb848addd53	ff4fb9148aab9c9dea82dd1452177a38c3a3594614be85f3811b7edc42358b07
\.


--
-- Data for Name: principal_names; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principal_names (principal_id, name) FROM stdin;
pri_2tcijxz5q2d5wsxyaiurf2r53y	first admin
pri_bucegxpm2jhmcvpde23wf547wi	owner
pri_pp4ywljwgc4ch5t3j66d7u5u5a	analyst
pri_2hrqwtihcjzwdp37qmrmavsjku	another
pri_xpjgflpfxma4qkgzoniuf63vzq	gone
pri_jxrq554xlkahhj4rznndo3y2u4	late
\.


--
-- Data for Name: principals; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principals (id, role, created_at, revoked_at, frozen_until, recovery_id, sequence, head_hash, created_nanoseconds) FROM stdin;
pri_2tcijxz5q2d5wsxyaiurf2r53y	admin	1795541108	\N	\N	\N	1	e256270c8897269950b1dcd42ec59017257906960dcb3d3dee00385afdacbfb9	1795541108678123982
pri_bucegxpm2jhmcvpde23wf547wi	owner	1795541114	\N	\N	\N	2	3e2c8f48c7d39c7c18cddaa33ab9d757365c40a69095a2ee99ab7068cb075e8e	1795541114656375964
pri_pp4ywljwgc4ch5t3j66d7u5u5a	analyst	1795541114	\N	\N	\N	2	c016062cf19b94e6a2fb74fd829a53f1c7e6d0c244853caf0a020068dace98e9	1795541114727164394
pri_2hrqwtihcjzwdp37qmrmavsjku	analyst	1795541125	\N	\N	\N	4	674ff292e314d4f148e569e7008a233c0104c0b6c5ddbeed350aa38c709d4129	1795541125319663819
pri_xpjgflpfxma4qkgzoniuf63vzq	analyst	1795541125	1795541125	\N	\N	3	9e40cf8702bc301673bdd1677f976f64cf3b9b43f2bad0451f8dafa02054b047	1795541125564399690
pri_jxrq554xlkahhj4rznndo3y2u4	owner	1795541125	\N	\N	\N	2	ff4fb9148aab9c9dea82dd1452177a38c3a3594614be85f3811b7edc42358b07	1795541125941727450
\.


--
-- Data for Name: public_texts; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.public_texts (release_id, text, created_at) FROM stdin;
rel_urwionsxyps6e2zwcjhkmozh5y	{"id":"rel_urwionsxyps6e2zwcjhkmozh5y","dataset_id":"dat_pxrcqupjjykhrxjve7rsacv4jy","budget_id":"bud_oipz4gq4brf4l2dcws2yeau4nm","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[58.0,184.0],"noisy_counts":[57,183],"released_counts":[57,183],"categories":[{"label":"category 0","mean":0.2396694214876033,"standard_deviation":0.027384474130817314,"naive_interval":{"level":0.95,"low":0.18810995368471223,"high":0.29530357276791724}},{"label":"category 1","mean":0.7603305785123967,"standard_deviation":0.027384474130817314,"naive_interval":{"level":0.95,"low":0.7046964272320828,"high":0.8118900463152878}}]},"created_at":"2026-11-24T17:25:15Z","signature":{"body":{"kind":"private-posterior release signature 1","release_id":"rel_urwionsxyps6e2zwcjhkmozh5y","sha256":"9da3330915a206b1ae7912df2de4c050b5930faae2c54c8ce888386129e32a2d"},"key_id":"139e3940e64b5491","signature":"YtRnYEUoEV8QTtqBlouXdeGNGoyZG5dFInhzxqW65yS1QsV9lpcsli0yk6B-hSm3cavBJnmpdu3djB-RNIU8BA"}}	1795541124
\.


--
-- Data for Name: query_charges; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.query_charges (release_id, dataset_id, budget_id, sequence, grant_id, measured, apart, epsilon_alone, delta_alone, rho_alone, epsilon_granted, delta_granted, rho_granted) FROM stdin;
qry_shxhi4hb2llr5ymsec5tox5v2y	dat_4fhcqpnfu7bwaorjoqqgbez2fa	bud_z56r2lfe2c67dfc6l3cmlew45e	10	gra_3gmllgddjtecgsrhzumvxcx7dq	[]	[]	0	0	0	0	0	0
\.


--
-- Data for Name: releases; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.releases (id, dataset_id, budget_id, sequence, principal_id, key_hash, payload_hash, spec, epsilon_charged, delta_charged, rho_charged, epsilon_remaining, delta_remaining, rho_remaining, receipt, created_at, state, leased_until, drawn, result, public_since, kind, owner_id) FROM stdin;
rel_y5m65kfjeapgbibciky4er4wba	dat_pxrcqupjjykhrxjve7rsacv4jy	bud_oipz4gq4brf4l2dcws2yeau4nm	7	pri_pp4ywljwgc4ch5t3j66d7u5u5a	93fb993d544453a7b1f311413a680ea104c1b53751f580ec5f194a0b058c6bae	3649d3baa0398549914b68ef885c9285915b0f81500dbe5e8b842f74bf4a8c11	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"exponential","calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"exponential","n":240,"prior":["1.0","1.0"],"epsilon0":"0.146859191","gamma":"0.0265","uniform_admixture":null,"calibration":"certified","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"method":"exact_channel","statement":"(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel.","relation":"replace_one","details":{"loss":"0.099997008","loss_range":"0.148875720","rounding":"2.771e-11"}}}	99997009	100000000000	0	700002991	700000000000	0	{"body":{"accountant":"basic","at":1795541120,"budget_id":"bud_oipz4gq4brf4l2dcws2yeau4nm","chain_hash":"a0769381dbdbbbf6f3f783caed2702cb2a5d422f8fb971202ebceb182daf092c","commitment":"f105acd4d82d3f6f50b3b7d9b3d25030d7e5e4fb1bb56dd7e3f961775da1860e","dataset_id":"dat_pxrcqupjjykhrxjve7rsacv4jy","delta_units":100000000000,"epsilon_units":99997009,"grant_id":"gra_tgn4c656lesroprkidllml6ju4","key_hash":"93fb993d544453a7b1f311413a680ea104c1b53751f580ec5f194a0b058c6bae","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"3649d3baa0398549914b68ef885c9285915b0f81500dbe5e8b842f74bf4a8c11","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"rel_y5m65kfjeapgbibciky4er4wba","rho_units":0,"sequence":7,"spec_sha256":"d562b3d089d97de00fbe881c70a3fb1385131a7fab59c40dcad9e306deb16471"},"key_id":"139e3940e64b5491","signature":"HFwe2y28ELvaKtjckOk-LJr8fTbEB55biW6oIeD3mN-AXGveT512Z1vVOXJO6cdOy-sGtKe2djTWzFPwK0tKBw"}	1795541120	complete	1795541141	{"noisy": [103, 137], "on_simplex": [103, 137]}	{"id":"rel_y5m65kfjeapgbibciky4er4wba","dataset_id":"dat_pxrcqupjjykhrxjve7rsacv4jy","budget_id":"bud_oipz4gq4brf4l2dcws2yeau4nm","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"exponential","n":240,"prior":["1.0","1.0"],"epsilon0":"0.146859191","gamma":"0.0265","uniform_admixture":null,"calibration":"certified","delta":"0.0000001"},"prior":[1.0,1.0],"mechanism":{"kind":"exponential","calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"requested":{"calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"certified":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.099997009","delta":"0.0000001"},"remaining_after":{"accountant":"basic","epsilon":"0.700002991","delta":"0.0000007"},"certificate":{"method":"exact_channel","statement":"(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"details":{"loss":"0.099997008","loss_range":"0.148875720","rounding":"2.771e-11"}},"posterior":{"concentration":[104.0,138.0],"noisy_counts":[103,137],"released_counts":[103,137],"categories":[{"label":"category 0","mean":0.4297520661157025,"standard_deviation":0.03175687137886241,"naive_interval":{"level":0.95,"low":0.36811615182353036,"high":0.4924879655816438}},{"label":"category 1","mean":0.5702479338842975,"standard_deviation":0.03175687137886241,"naive_interval":{"level":0.95,"low":0.5075120344183561,"high":0.6318838481764697}}]},"created_at":"2026-11-24T17:25:20Z","receipt":{"body":{"accountant":"basic","at":1795541120,"budget_id":"bud_oipz4gq4brf4l2dcws2yeau4nm","chain_hash":"a0769381dbdbbbf6f3f783caed2702cb2a5d422f8fb971202ebceb182daf092c","commitment":"f105acd4d82d3f6f50b3b7d9b3d25030d7e5e4fb1bb56dd7e3f961775da1860e","dataset_id":"dat_pxrcqupjjykhrxjve7rsacv4jy","delta_units":100000000000,"epsilon_units":99997009,"grant_id":"gra_tgn4c656lesroprkidllml6ju4","key_hash":"93fb993d544453a7b1f311413a680ea104c1b53751f580ec5f194a0b058c6bae","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"3649d3baa0398549914b68ef885c9285915b0f81500dbe5e8b842f74bf4a8c11","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"rel_y5m65kfjeapgbibciky4er4wba","rho_units":0,"sequence":7,"spec_sha256":"d562b3d089d97de00fbe881c70a3fb1385131a7fab59c40dcad9e306deb16471"},"key_id":"139e3940e64b5491","signature":"HFwe2y28ELvaKtjckOk-LJr8fTbEB55biW6oIeD3mN-AXGveT512Z1vVOXJO6cdOy-sGtKe2djTWzFPwK0tKBw"}}	\N	posterior	pri_bucegxpm2jhmcvpde23wf547wi
rel_huqjwy6pzdlei7o4zj6cqber4e	dat_4fhcqpnfu7bwaorjoqqgbez2fa	bud_z56r2lfe2c67dfc6l3cmlew45e	4	pri_pp4ywljwgc4ch5t3j66d7u5u5a	cb14b364c4614f301ee6f3205788769ecbecd68b6fabfe9b935d2ab17e16ad23	cbf682110143924d5d5cab1b0f11fc383988aa0393f8bec1b3ce0677edbe8c15	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"simplex_geometric","n":667,"m":5,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}}}	0	0	2856598834	0	800000000000	137143401166	{"body":{"accountant":"zcdp","at":1795541120,"budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","chain_hash":"87ddb775ff1d5e268982dee4a12e2d005fc8a01222aca8b4b081fbc16de90e4d","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","delta_units":0,"epsilon_units":0,"grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"cb14b364c4614f301ee6f3205788769ecbecd68b6fabfe9b935d2ab17e16ad23","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"cbf682110143924d5d5cab1b0f11fc383988aa0393f8bec1b3ce0677edbe8c15","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"rel_huqjwy6pzdlei7o4zj6cqber4e","rho_units":2856598834,"sequence":4,"spec_sha256":"705536b46c468eb1bd505605a907892056015c07f9acb55ccc9f2fa868066fbb"},"key_id":"139e3940e64b5491","signature":"I3gG72WWaazIydJJyfeejm4uewGhTolDY-yD8VHV7yaCs3s17h4IsboeK3cZFLHEmCpFy-16c83j06ob6kKUDw"}	1795541120	complete	1795541141	{"noisy": [32, 314, 16, 69, 236], "on_simplex": [32, 314, 16, 69, 236]}	{"id":"rel_huqjwy6pzdlei7o4zj6cqber4e","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"simplex_geometric","n":667,"m":5,"epsilon":"0.1"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002856598834","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.137143401166","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[32.5,314.5,16.5,69.5,236.5],"noisy_counts":[32,314,16,69,236],"released_counts":[32,314,16,69,236],"categories":[{"label":"female · yes","mean":0.04854368932038835,"standard_deviation":0.008299681453286701,"naive_interval":{"level":0.95,"low":0.03359407684508264,"high":0.06604333874819265}},{"label":"female · no","mean":0.4697535474234503,"standard_deviation":0.019274118687130668,"naive_interval":{"level":0.95,"low":0.43207453931389156,"high":0.5076037306169021}},{"label":"female · unknown","mean":0.024645257654966394,"standard_deviation":0.005987542241030401,"naive_interval":{"level":0.95,"low":0.014310109873604149,"high":0.03765946673340031}},{"label":"male · yes","mean":0.10380881254667662,"standard_deviation":0.011779261277688937,"naive_interval":{"level":0.95,"low":0.08186975520749573,"high":0.12798841647913115}},{"label":"male · no","mean":0.3532486930545183,"standard_deviation":0.01845905858952787,"naive_interval":{"level":0.95,"low":0.3174980338344133,"high":0.3898298359319262}}]},"created_at":"2026-11-24T17:25:20Z","receipt":{"body":{"accountant":"zcdp","at":1795541120,"budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","chain_hash":"87ddb775ff1d5e268982dee4a12e2d005fc8a01222aca8b4b081fbc16de90e4d","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","delta_units":0,"epsilon_units":0,"grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"cb14b364c4614f301ee6f3205788769ecbecd68b6fabfe9b935d2ab17e16ad23","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"cbf682110143924d5d5cab1b0f11fc383988aa0393f8bec1b3ce0677edbe8c15","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"rel_huqjwy6pzdlei7o4zj6cqber4e","rho_units":2856598834,"sequence":4,"spec_sha256":"705536b46c468eb1bd505605a907892056015c07f9acb55ccc9f2fa868066fbb"},"key_id":"139e3940e64b5491","signature":"I3gG72WWaazIydJJyfeejm4uewGhTolDY-yD8VHV7yaCs3s17h4IsboeK3cZFLHEmCpFy-16c83j06ob6kKUDw"}}	\N	posterior	pri_bucegxpm2jhmcvpde23wf547wi
rel_5zszl44hrugsi7rbdz6u4gjmte	dat_4fhcqpnfu7bwaorjoqqgbez2fa	bud_z56r2lfe2c67dfc6l3cmlew45e	5	pri_pp4ywljwgc4ch5t3j66d7u5u5a	a323b128a473df677fc103b99b0224ab8114a9ef614536d4ea4cfca5a8158c87	e39f136bc2951758d34c1f11ff4e55b8f4f5a87f76ad5843b91e3a122e866fe6	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"laplace","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"laplace","n":667,"m":5,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: Laplace noise of scale 2/0.1 on all counts but the last, which one replaced record changes by 2 in all.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_scale":"2/0.1"}}}	0	0	2438528778	0	800000000000	134704872388	{"body":{"accountant":"zcdp","at":1795541120,"budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","chain_hash":"f168b346cba0e562162d86feb0f769100aa251af2f61a359be730e74563b7c70","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","delta_units":0,"epsilon_units":0,"grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"a323b128a473df677fc103b99b0224ab8114a9ef614536d4ea4cfca5a8158c87","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"e39f136bc2951758d34c1f11ff4e55b8f4f5a87f76ad5843b91e3a122e866fe6","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"rel_5zszl44hrugsi7rbdz6u4gjmte","rho_units":2438528778,"sequence":5,"spec_sha256":"33593e2b3f7e3439f184624c894c653507cdb6d46bbfd6147907f220af7a3e40"},"key_id":"139e3940e64b5491","signature":"g99pZ6D_wM1w7u9ewIpnvMTHpp4rV4XtqE5-qeS3iQdHB2pqHp2P4CL63xeyN5ALqtozRi42S_HAdOYt9bTSCQ"}	1795541120	complete	1795541141	{"noisy": [68, 334, 15, 53], "on_simplex": [68, 334, 15, 53, 197]}	{"id":"rel_5zszl44hrugsi7rbdz6u4gjmte","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"laplace","n":667,"m":5,"epsilon":"0.1"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"laplace","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002438528778","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.134704872388","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: Laplace noise of scale 2/0.1 on all counts but the last, which one replaced record changes by 2 in all.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_scale":"2/0.1"}},"posterior":{"concentration":[68.5,334.5,15.5,53.5,197.5],"noisy_counts":[68,334,15,53],"released_counts":[68,334,15,53,197],"categories":[{"label":"female · yes","mean":0.10231516056758776,"standard_deviation":0.01170395246633601,"naive_interval":{"level":0.95,"low":0.08052815007507921,"high":0.12635113061981026}},{"label":"female · no","mean":0.4996265870052278,"standard_deviation":0.01930947616052641,"naive_interval":{"level":0.95,"low":0.4617936979568691,"high":0.5374615893295778}},{"label":"female · unknown","mean":0.02315160567587752,"standard_deviation":0.005807707706157256,"naive_interval":{"level":0.95,"low":0.013174712786911057,"high":0.035815183899287145}},{"label":"male · yes","mean":0.07991038088125467,"standard_deviation":0.01047170199834933,"naive_interval":{"level":0.95,"low":0.06060584600200907,"high":0.10158987488713833}},{"label":"male · no","mean":0.2949962658700523,"standard_deviation":0.0176118337357538,"naive_interval":{"level":0.95,"low":0.26107227778697384,"high":0.3300803412070153}}]},"created_at":"2026-11-24T17:25:20Z","receipt":{"body":{"accountant":"zcdp","at":1795541120,"budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","chain_hash":"f168b346cba0e562162d86feb0f769100aa251af2f61a359be730e74563b7c70","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","delta_units":0,"epsilon_units":0,"grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"a323b128a473df677fc103b99b0224ab8114a9ef614536d4ea4cfca5a8158c87","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"e39f136bc2951758d34c1f11ff4e55b8f4f5a87f76ad5843b91e3a122e866fe6","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"rel_5zszl44hrugsi7rbdz6u4gjmte","rho_units":2438528778,"sequence":5,"spec_sha256":"33593e2b3f7e3439f184624c894c653507cdb6d46bbfd6147907f220af7a3e40"},"key_id":"139e3940e64b5491","signature":"g99pZ6D_wM1w7u9ewIpnvMTHpp4rV4XtqE5-qeS3iQdHB2pqHp2P4CL63xeyN5ALqtozRi42S_HAdOYt9bTSCQ"}}	\N	posterior	pri_bucegxpm2jhmcvpde23wf547wi
rel_e6agy3xsar6bspt7cazjglkzwm	dat_4fhcqpnfu7bwaorjoqqgbez2fa	bud_z56r2lfe2c67dfc6l3cmlew45e	6	pri_pp4ywljwgc4ch5t3j66d7u5u5a	0be485b2082d5e0209898e1c32ad9fa76cc66e9af42e1d64181e1779a319c161	62a3e97f57fc6ca1f125f91309239b3dc4eca052071a0e45ceb7aaeab14f2d91	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"gaussian","rho":"0.01","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"gaussian","n":667,"m":5,"rho":"0.01","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"method":"theorem","statement":"The release is 0.01-zCDP: discrete Gaussian noise with sigma^2 = 1/0.01 on every count, and replacing one record moves two counts by 1. Hence it is (0.689914956, 0.0000001)-differentially private.","relation":"replace_one","details":{"l2_sensitivity_squared":"2","noise_variance":"1/0.01"}}}	0	0	10000000000	0	800000000000	124704872388	{"body":{"accountant":"zcdp","at":1795541120,"budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","chain_hash":"0f4a2b72b28448fa929a46573116862ca98003d33218e36494b5a454735e03c0","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","delta_units":0,"epsilon_units":0,"grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"0be485b2082d5e0209898e1c32ad9fa76cc66e9af42e1d64181e1779a319c161","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"62a3e97f57fc6ca1f125f91309239b3dc4eca052071a0e45ceb7aaeab14f2d91","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"rel_e6agy3xsar6bspt7cazjglkzwm","rho_units":10000000000,"sequence":6,"spec_sha256":"c305371bdcf35959541f899d4224fc40346c2eb39baadde048ca07e459d08a04"},"key_id":"139e3940e64b5491","signature":"ddnS0_nFcs1Ybc1ktyLA5OeNuaBowZRPzKYyLHy6NFWJ4Kexefgj-3dvCp9IhsOAMttz4EmcIzn-YmMnh_AfBg"}	1795541120	complete	1795541141	{"noisy": [54, 303, 10, 25, 298], "on_simplex": [49, 298, 6, 21, 293]}	{"id":"rel_e6agy3xsar6bspt7cazjglkzwm","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"gaussian","n":667,"m":5,"rho":"0.01","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"gaussian","rho":"0.01","delta":"0.0000001"},"requested":{"rho":"0.01","delta":"0.0000001"},"certified":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.01","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.124704872388","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.01-zCDP: discrete Gaussian noise with sigma^2 = 1/0.01 on every count, and replacing one record moves two counts by 1. Hence it is (0.689914956, 0.0000001)-differentially private.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"details":{"l2_sensitivity_squared":"2","noise_variance":"1/0.01"}},"posterior":{"concentration":[49.5,298.5,6.5,21.5,293.5],"noisy_counts":[54,303,10,25,298],"released_counts":[49,298,6,21,293],"categories":[{"label":"female · yes","mean":0.07393577296489919,"standard_deviation":0.010105282796841919,"naive_interval":{"level":0.95,"low":0.05536762121115993,"high":0.09491239685188567}},{"label":"female · no","mean":0.4458551157580284,"standard_deviation":0.01919592967009451,"naive_interval":{"level":0.95,"low":0.4083970919904403,"high":0.48361956297455605}},{"label":"female · unknown","mean":0.009708737864077669,"standard_deviation":0.0037867224121452634,"naive_interval":{"level":0.95,"low":0.0037546881927759362,"high":0.018405941246022694}},{"label":"male · yes","mean":0.03211351755041075,"standard_deviation":0.006808583381830476,"naive_interval":{"level":0.95,"low":0.020141727212790467,"high":0.04672506888221772}},{"label":"male · no","mean":0.438386855862584,"standard_deviation":0.019162316225246206,"naive_interval":{"level":0.95,"low":0.4010158941865779,"high":0.47610650575590474}}]},"created_at":"2026-11-24T17:25:20Z","receipt":{"body":{"accountant":"zcdp","at":1795541120,"budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","chain_hash":"0f4a2b72b28448fa929a46573116862ca98003d33218e36494b5a454735e03c0","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","delta_units":0,"epsilon_units":0,"grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"0be485b2082d5e0209898e1c32ad9fa76cc66e9af42e1d64181e1779a319c161","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"62a3e97f57fc6ca1f125f91309239b3dc4eca052071a0e45ceb7aaeab14f2d91","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"rel_e6agy3xsar6bspt7cazjglkzwm","rho_units":10000000000,"sequence":6,"spec_sha256":"c305371bdcf35959541f899d4224fc40346c2eb39baadde048ca07e459d08a04"},"key_id":"139e3940e64b5491","signature":"ddnS0_nFcs1Ybc1ktyLA5OeNuaBowZRPzKYyLHy6NFWJ4Kexefgj-3dvCp9IhsOAMttz4EmcIzn-YmMnh_AfBg"}}	\N	posterior	pri_bucegxpm2jhmcvpde23wf547wi
rel_urwionsxyps6e2zwcjhkmozh5y	dat_pxrcqupjjykhrxjve7rsacv4jy	bud_oipz4gq4brf4l2dcws2yeau4nm	6	pri_pp4ywljwgc4ch5t3j66d7u5u5a	67e442fe7abd1e2024e11150f2aec332abc601bc860c2b24cd40d22a1eff03c5	92a812c1566512a2e0b1c08117472ca2e33dfcbfc924057b25e7c70d0e3c14b4	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}}}	100000000	0	0	800000000	800000000000	0	{"body":{"accountant":"basic","at":1795541115,"budget_id":"bud_oipz4gq4brf4l2dcws2yeau4nm","chain_hash":"f67c93b576cd38a53d30aa273135f52ec024c766cd09e2169a07cd2ddabf79cb","commitment":"f105acd4d82d3f6f50b3b7d9b3d25030d7e5e4fb1bb56dd7e3f961775da1860e","dataset_id":"dat_pxrcqupjjykhrxjve7rsacv4jy","delta_units":0,"epsilon_units":100000000,"grant_id":"gra_tgn4c656lesroprkidllml6ju4","key_hash":"67e442fe7abd1e2024e11150f2aec332abc601bc860c2b24cd40d22a1eff03c5","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"92a812c1566512a2e0b1c08117472ca2e33dfcbfc924057b25e7c70d0e3c14b4","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"rel_urwionsxyps6e2zwcjhkmozh5y","rho_units":0,"sequence":6,"spec_sha256":"de23c21283969e8a7000e4101d77422108c94bf38f1395765fbe9ee364a73c5f"},"key_id":"139e3940e64b5491","signature":"ew1aFNoYXZ7J6iV5ugjAJVYxrVvk4ycWQxMCCT9td1zEnmyhjdH1m4y-1toiDvQgPxt83Mc8nK5mAemTUYNdBQ"}	1795541115	complete	1795541136	{"noisy": [57, 183], "on_simplex": [57, 183]}	{"id":"rel_urwionsxyps6e2zwcjhkmozh5y","dataset_id":"dat_pxrcqupjjykhrxjve7rsacv4jy","budget_id":"bud_oipz4gq4brf4l2dcws2yeau4nm","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.8","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[58.0,184.0],"noisy_counts":[57,183],"released_counts":[57,183],"categories":[{"label":"category 0","mean":0.2396694214876033,"standard_deviation":0.027384474130817314,"naive_interval":{"level":0.95,"low":0.18810995368471223,"high":0.29530357276791724}},{"label":"category 1","mean":0.7603305785123967,"standard_deviation":0.027384474130817314,"naive_interval":{"level":0.95,"low":0.7046964272320828,"high":0.8118900463152878}}]},"created_at":"2026-11-24T17:25:15Z","receipt":{"body":{"accountant":"basic","at":1795541115,"budget_id":"bud_oipz4gq4brf4l2dcws2yeau4nm","chain_hash":"f67c93b576cd38a53d30aa273135f52ec024c766cd09e2169a07cd2ddabf79cb","commitment":"f105acd4d82d3f6f50b3b7d9b3d25030d7e5e4fb1bb56dd7e3f961775da1860e","dataset_id":"dat_pxrcqupjjykhrxjve7rsacv4jy","delta_units":0,"epsilon_units":100000000,"grant_id":"gra_tgn4c656lesroprkidllml6ju4","key_hash":"67e442fe7abd1e2024e11150f2aec332abc601bc860c2b24cd40d22a1eff03c5","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"92a812c1566512a2e0b1c08117472ca2e33dfcbfc924057b25e7c70d0e3c14b4","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"rel_urwionsxyps6e2zwcjhkmozh5y","rho_units":0,"sequence":6,"spec_sha256":"de23c21283969e8a7000e4101d77422108c94bf38f1395765fbe9ee364a73c5f"},"key_id":"139e3940e64b5491","signature":"ew1aFNoYXZ7J6iV5ugjAJVYxrVvk4ycWQxMCCT9td1zEnmyhjdH1m4y-1toiDvQgPxt83Mc8nK5mAemTUYNdBQ"}}	1795541124	posterior	pri_bucegxpm2jhmcvpde23wf547wi
rel_kio4rpsgili7ct42pydtm4rowa	dat_4fhcqpnfu7bwaorjoqqgbez2fa	bud_z56r2lfe2c67dfc6l3cmlew45e	7	pri_pp4ywljwgc4ch5t3j66d7u5u5a	99febf3b9e7b3e33f46c6fd2a4104f622439f6a03f1ce85a3a73481e2725ce9a	2d681bdecf6124c372ead0794dbea8bf2eff30d012ebe1f614283b8ce5dc3449	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential","calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.10781884","gamma":"0.0342","uniform_admixture":null,"calibration":"proven","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"method":"theorem","statement":"(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","details":{"change_of_rate":"0.044264479","draw":"rejection","excess_by_ratio":"0.059336596","excess_by_tail":"1.355692916","normalisers":"0.001824692","rounding":"4.214e-11","score":"0.053909420"}}}	0	0	2321993715	0	800000000000	122382878673	{"body":{"accountant":"zcdp","at":1795541120,"budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","chain_hash":"b6edd4240169109cbdaa30b79a120fe0f59dafa80068750dc9a859ad0c0d5a6a","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","delta_units":0,"epsilon_units":0,"grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"99febf3b9e7b3e33f46c6fd2a4104f622439f6a03f1ce85a3a73481e2725ce9a","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"2d681bdecf6124c372ead0794dbea8bf2eff30d012ebe1f614283b8ce5dc3449","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"rel_kio4rpsgili7ct42pydtm4rowa","rho_units":2321993715,"sequence":7,"spec_sha256":"e0e1ba13a14ab1e0ad49104747d307fc8fcdc22d2bc432f8f52bbfaea01b9cb2"},"key_id":"139e3940e64b5491","signature":"nLDDX6yBaKn2yaGkQ3jDl7A0YzD9Mj52o8LedEWEkSryU37RAyitPBuQGHsuNUvcDhLgrh5cegK_BNDUf3L5Bw"}	1795541120	complete	1795541141	{"noisy": [129, 152, 7, 317, 62], "on_simplex": [129, 152, 7, 317, 62]}	{"id":"rel_kio4rpsgili7ct42pydtm4rowa","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.10781884","gamma":"0.0342","uniform_admixture":null,"calibration":"proven","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential","calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"requested":{"calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"certified":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002321993715","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.122382878673","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"details":{"change_of_rate":"0.044264479","draw":"rejection","excess_by_ratio":"0.059336596","excess_by_tail":"1.355692916","normalisers":"0.001824692","rounding":"4.214e-11","score":"0.053909420"}},"posterior":{"concentration":[129.5,152.5,7.5,317.5,62.5],"noisy_counts":[129,152,7,317,62],"released_counts":[129,152,7,317,62],"categories":[{"label":"female · yes","mean":0.19342793129200897,"standard_deviation":0.015253931495918738,"naive_interval":null},{"label":"female · no","mean":0.22778192681105303,"standard_deviation":0.016196837348335543,"naive_interval":null},{"label":"female · unknown","mean":0.011202389843166542,"standard_deviation":0.004064523641335389,"naive_interval":null},{"label":"male · yes","mean":0.47423450336071693,"standard_deviation":0.019283826886613755,"naive_interval":null},{"label":"male · no","mean":0.09335324869305452,"standard_deviation":0.01123529245932402,"naive_interval":null}]},"created_at":"2026-11-24T17:25:20Z","receipt":{"body":{"accountant":"zcdp","at":1795541120,"budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","chain_hash":"b6edd4240169109cbdaa30b79a120fe0f59dafa80068750dc9a859ad0c0d5a6a","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","delta_units":0,"epsilon_units":0,"grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"99febf3b9e7b3e33f46c6fd2a4104f622439f6a03f1ce85a3a73481e2725ce9a","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"2d681bdecf6124c372ead0794dbea8bf2eff30d012ebe1f614283b8ce5dc3449","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"rel_kio4rpsgili7ct42pydtm4rowa","rho_units":2321993715,"sequence":7,"spec_sha256":"e0e1ba13a14ab1e0ad49104747d307fc8fcdc22d2bc432f8f52bbfaea01b9cb2"},"key_id":"139e3940e64b5491","signature":"nLDDX6yBaKn2yaGkQ3jDl7A0YzD9Mj52o8LedEWEkSryU37RAyitPBuQGHsuNUvcDhLgrh5cegK_BNDUf3L5Bw"}}	\N	posterior	pri_bucegxpm2jhmcvpde23wf547wi
rel_al5mcccydbvlsbi3tqdi77ax6q	dat_4fhcqpnfu7bwaorjoqqgbez2fa	bud_z56r2lfe2c67dfc6l3cmlew45e	8	pri_pp4ywljwgc4ch5t3j66d7u5u5a	da1f765a1e7ad3ba42a261f56ce7fdf17698ed542343afae62ee5769dd59d43f	327dbbbe3565bcd44ba7e543b18a729a433220aa27b7dad6b2d7f62cfb836f85	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_published","nominal_epsilon":"0.2","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.2","gamma":"0.004279815109635818","uniform_admixture":null,"calibration":"published","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"method":"theorem","statement":"(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","details":{"change_of_rate":"0.013980835","draw":"rejection","excess_by_ratio":"0.013980835","excess_by_tail":"0.167125342","normalisers":"0.005005989","rounding":"6.634e-11","score":"0.100000000"}}}	0	0	5097263440	0	800000000000	117285615233	{"body":{"accountant":"zcdp","at":1795541121,"budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","chain_hash":"411d79ec2d210ea270e44ffdd49f17b9d1d00eeb04adf34645a721f842ac8edd","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","delta_units":0,"epsilon_units":0,"grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"da1f765a1e7ad3ba42a261f56ce7fdf17698ed542343afae62ee5769dd59d43f","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"327dbbbe3565bcd44ba7e543b18a729a433220aa27b7dad6b2d7f62cfb836f85","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"rel_al5mcccydbvlsbi3tqdi77ax6q","rho_units":5097263440,"sequence":8,"spec_sha256":"38cf248e19022ae7950c0a70982c17cb5ac1cc5e08cab6c8f6b0abce4271d3ba"},"key_id":"139e3940e64b5491","signature":"8Pw3XwHFtwpdlUiUCzxQ8hpVXR_LqVgfamrpr3DePTc8bsu8bzdnYNa_6lJ-2EalsQBistcump8lVeybAJ7FDA"}	1795541121	complete	1795541142	{"noisy": [77, 72, 33, 54, 431], "on_simplex": [77, 72, 33, 54, 431]}	{"id":"rel_al5mcccydbvlsbi3tqdi77ax6q","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.2","gamma":"0.004279815109635818","uniform_admixture":null,"calibration":"published","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_published","nominal_epsilon":"0.2","delta":"0.0000001"},"requested":{"nominal_epsilon":"0.2","delta":"0.0000001"},"certified":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.00509726344","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.117285615233","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"details":{"change_of_rate":"0.013980835","draw":"rejection","excess_by_ratio":"0.013980835","excess_by_tail":"0.167125342","normalisers":"0.005005989","rounding":"6.634e-11","score":"0.100000000"}},"posterior":{"concentration":[77.5,72.5,33.5,54.5,431.5],"noisy_counts":[77,72,33,54,431],"released_counts":[77,72,33,54,431],"categories":[{"label":"female · yes","mean":0.1157580283793876,"standard_deviation":0.012355540032433695,"naive_interval":null},{"label":"female · no","mean":0.10828976848394324,"standard_deviation":0.012000689423747523,"naive_interval":null},{"label":"female · unknown","mean":0.05003734129947722,"standard_deviation":0.008419784748157449,"naive_interval":null},{"label":"male · yes","mean":0.08140403286034353,"standard_deviation":0.010560532965558733,"naive_interval":null},{"label":"male · no","mean":0.6445108289768484,"standard_deviation":0.018485402278624375,"naive_interval":null}]},"created_at":"2026-11-24T17:25:21Z","receipt":{"body":{"accountant":"zcdp","at":1795541121,"budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","chain_hash":"411d79ec2d210ea270e44ffdd49f17b9d1d00eeb04adf34645a721f842ac8edd","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","delta_units":0,"epsilon_units":0,"grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"da1f765a1e7ad3ba42a261f56ce7fdf17698ed542343afae62ee5769dd59d43f","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"327dbbbe3565bcd44ba7e543b18a729a433220aa27b7dad6b2d7f62cfb836f85","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"rel_al5mcccydbvlsbi3tqdi77ax6q","rho_units":5097263440,"sequence":8,"spec_sha256":"38cf248e19022ae7950c0a70982c17cb5ac1cc5e08cab6c8f6b0abce4271d3ba"},"key_id":"139e3940e64b5491","signature":"8Pw3XwHFtwpdlUiUCzxQ8hpVXR_LqVgfamrpr3DePTc8bsu8bzdnYNa_6lJ-2EalsQBistcump8lVeybAJ7FDA"}}	\N	posterior	pri_bucegxpm2jhmcvpde23wf547wi
rel_aopqdua2syohisyoln6lxiivfe	dat_4fhcqpnfu7bwaorjoqqgbez2fa	bud_z56r2lfe2c67dfc6l3cmlew45e	9	pri_pp4ywljwgc4ch5t3j66d7u5u5a	802ada258d9d61e4653c97d7d6b14b1fde1f6231b703ea2ae6798cf57ee5ee34	93f3e0994f63b1fe2513b9563fcb72347ed9704730e037f189cea009ddd38a20	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_global","epsilon":"0.3","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.299999999","gamma":null,"uniform_admixture":null,"calibration":"global","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"method":"theorem","statement":"(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2.","relation":"replace_one","details":{"draw":"rejection","normalisers":"0.002500479","rounding":"1.782e-11","score":"0.150000000"}}}	0	0	11249999939	0	800000000000	106035615294	{"body":{"accountant":"zcdp","at":1795541123,"budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","chain_hash":"72ac80da75ada8c87aca2420f1277d620c9648f51ca5db7bab5d455f6b70abc9","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","delta_units":0,"epsilon_units":0,"grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"802ada258d9d61e4653c97d7d6b14b1fde1f6231b703ea2ae6798cf57ee5ee34","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"93f3e0994f63b1fe2513b9563fcb72347ed9704730e037f189cea009ddd38a20","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"rel_aopqdua2syohisyoln6lxiivfe","rho_units":11249999939,"sequence":9,"spec_sha256":"762ca2a9fc23a54fac5ae3ebbda6354f8df5e3a15be643cef8e21dc0f4627968"},"key_id":"139e3940e64b5491","signature":"0yiNfG31iqgJgrqZND1kSPeZUQnrPBwIF9ct1w8g9k6lGrEj9l76Eq3h0UneMkKWX8GksZd-4czl-0ZyX9vUDw"}	1795541123	complete	1795541144	{"noisy": [337, 60, 208, 40, 22], "on_simplex": [337, 60, 208, 40, 22]}	{"id":"rel_aopqdua2syohisyoln6lxiivfe","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.299999999","gamma":null,"uniform_admixture":null,"calibration":"global","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_global","epsilon":"0.3","delta":"0.0000001"},"requested":{"epsilon":"0.3","delta":"0.0000001"},"certified":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.011249999939","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.106035615294","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"details":{"draw":"rejection","normalisers":"0.002500479","rounding":"1.782e-11","score":"0.150000000"}},"posterior":{"concentration":[337.5,60.5,208.5,40.5,22.5],"noisy_counts":[337,60,208,40,22],"released_counts":[337,60,208,40,22],"categories":[{"label":"female · yes","mean":0.5041075429424944,"standard_deviation":0.01930882995882416,"naive_interval":null},{"label":"female · no","mean":0.09036594473487677,"standard_deviation":0.011072262187932266,"naive_interval":null},{"label":"female · unknown","mean":0.31142643764002986,"standard_deviation":0.01788354121397054,"naive_interval":null},{"label":"male · yes","mean":0.060492905153099324,"standard_deviation":0.009206676044429958,"naive_interval":null},{"label":"male · no","mean":0.033607169529499624,"standard_deviation":0.006959746591008832,"naive_interval":null}]},"created_at":"2026-11-24T17:25:23Z","receipt":{"body":{"accountant":"zcdp","at":1795541123,"budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","chain_hash":"72ac80da75ada8c87aca2420f1277d620c9648f51ca5db7bab5d455f6b70abc9","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","delta_units":0,"epsilon_units":0,"grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"802ada258d9d61e4653c97d7d6b14b1fde1f6231b703ea2ae6798cf57ee5ee34","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"93f3e0994f63b1fe2513b9563fcb72347ed9704730e037f189cea009ddd38a20","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"rel_aopqdua2syohisyoln6lxiivfe","rho_units":11249999939,"sequence":9,"spec_sha256":"762ca2a9fc23a54fac5ae3ebbda6354f8df5e3a15be643cef8e21dc0f4627968"},"key_id":"139e3940e64b5491","signature":"0yiNfG31iqgJgrqZND1kSPeZUQnrPBwIF9ct1w8g9k6lGrEj9l76Eq3h0UneMkKWX8GksZd-4czl-0ZyX9vUDw"}}	\N	posterior	pri_bucegxpm2jhmcvpde23wf547wi
rel_xpk4v3mvaixh6cibqtxiggmthe	dat_ddphqc2vt4gb3b47us777bkoyy	bud_oipz4gq4brf4l2dcws2yeau4nm	8	pri_bucegxpm2jhmcvpde23wf547wi	9301850b645614064d3aeff30189b41c16180a988d94fc6bb9f2b7cacb6a1436	b37461494d2826210049d8435122c51cb7e20b746d654547e7fbbd3b612df994	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":2,"accountant":"basic","event":{"event":"simplex_geometric","n":21,"m":2,"epsilon":"0.05"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"method":"theorem","statement":"(0.1, 0)-differentially private when 2 records change their categories, by group privacy from one record: The release is 0.05-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.05/2","support":"lattice","records_per_unit":"2","epsilon_of_one_record":"0.05"}}}	100000000	0	0	700002991	900000000000	0	{"body":{"accountant":"basic","at":1795541124,"budget_id":"bud_oipz4gq4brf4l2dcws2yeau4nm","chain_hash":"8d646d8f020ca9c24e08b7f0e8c5ef41205fd8339580ffb1040d3237e6a66aba","commitment":"1d9c16084167c2731a41276f04b0d449bf8bfe7ea7ffc488afd1b1dc5e8eb8ec","dataset_id":"dat_ddphqc2vt4gb3b47us777bkoyy","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"9301850b645614064d3aeff30189b41c16180a988d94fc6bb9f2b7cacb6a1436","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"b37461494d2826210049d8435122c51cb7e20b746d654547e7fbbd3b612df994","principal_id":"pri_bucegxpm2jhmcvpde23wf547wi","release_id":"rel_xpk4v3mvaixh6cibqtxiggmthe","rho_units":0,"sequence":8,"spec_sha256":"cb4699f722245f875dea7176be782ce4524262cf221171fd2b6cf52fa808283c"},"key_id":"139e3940e64b5491","signature":"GfH5DqgMvAriaEkq_PzJKm-r5gvtCDeVVOpeVb8UEmB46Xx3nCcR5ylipSZfcXYm-y5DQTFEwnLqaXkf2sN3Dw"}	1795541124	complete	1795541145	{"noisy": [6, 15], "on_simplex": [6, 15]}	{"id":"rel_xpk4v3mvaixh6cibqtxiggmthe","dataset_id":"dat_ddphqc2vt4gb3b47us777bkoyy","budget_id":"bud_oipz4gq4brf4l2dcws2yeau4nm","principal_id":"pri_bucegxpm2jhmcvpde23wf547wi","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":21,"category_count":2,"records_per_unit":2,"event":{"event":"simplex_geometric","n":21,"m":2,"epsilon":"0.05"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.700002991","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"(0.1, 0)-differentially private when 2 records change their categories, by group privacy from one record: The release is 0.05-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.05/2","support":"lattice","records_per_unit":"2","epsilon_of_one_record":"0.05"}},"posterior":{"concentration":[7.0,16.0],"noisy_counts":[6,15],"released_counts":[6,15],"categories":[{"label":"category 0","mean":0.30434782608695654,"standard_deviation":0.09392377823779509,"naive_interval":{"level":0.95,"low":0.13864652155379784,"high":0.5022212012663488}},{"label":"category 1","mean":0.6956521739130435,"standard_deviation":0.09392377823779509,"naive_interval":{"level":0.95,"low":0.49777879873365116,"high":0.8613534784462021}}]},"created_at":"2026-11-24T17:25:24Z","receipt":{"body":{"accountant":"basic","at":1795541124,"budget_id":"bud_oipz4gq4brf4l2dcws2yeau4nm","chain_hash":"8d646d8f020ca9c24e08b7f0e8c5ef41205fd8339580ffb1040d3237e6a66aba","commitment":"1d9c16084167c2731a41276f04b0d449bf8bfe7ea7ffc488afd1b1dc5e8eb8ec","dataset_id":"dat_ddphqc2vt4gb3b47us777bkoyy","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"9301850b645614064d3aeff30189b41c16180a988d94fc6bb9f2b7cacb6a1436","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"b37461494d2826210049d8435122c51cb7e20b746d654547e7fbbd3b612df994","principal_id":"pri_bucegxpm2jhmcvpde23wf547wi","release_id":"rel_xpk4v3mvaixh6cibqtxiggmthe","rho_units":0,"sequence":8,"spec_sha256":"cb4699f722245f875dea7176be782ce4524262cf221171fd2b6cf52fa808283c"},"key_id":"139e3940e64b5491","signature":"GfH5DqgMvAriaEkq_PzJKm-r5gvtCDeVVOpeVb8UEmB46Xx3nCcR5ylipSZfcXYm-y5DQTFEwnLqaXkf2sN3Dw"}}	\N	posterior	pri_bucegxpm2jhmcvpde23wf547wi
qry_shxhi4hb2llr5ymsec5tox5v2y	dat_4fhcqpnfu7bwaorjoqqgbez2fa	bud_z56r2lfe2c67dfc6l3cmlew45e	10	pri_pp4ywljwgc4ch5t3j66d7u5u5a	4fe0a82f42086dd2a8ff0e395dd893de357dc2b322723af4951157d174c7f87d	23f3c6cd08f96c8c9ff63c74474c5aacc8b88b3d22cae9bc41a4e86f7fc718f6	{"kind":"query","request":{"queries":[{"weights":null,"labels":null,"where":{"sex":["female"]},"half_width":60.0,"confidence":0.95,"between":null},{"weights":null,"labels":null,"where":{"ill":["yes"]},"half_width":null,"confidence":0.95,"between":null}],"constraints":null,"max_charge":null},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"record_count":667,"accountant":"zcdp","rests_on":["rel_e6agy3xsar6bspt7cazjglkzwm","rel_5zszl44hrugsi7rbdz6u4gjmte","rel_huqjwy6pzdlei7o4zj6cqber4e"],"numbers":112,"event":null,"certificate":null,"errors":[[9.788915081308065,20.181351330445253],[9.70561597680938,20.010691429893903]]}	0	0	0	0	800000000000	106035615294	{"body":{"accountant":"zcdp","at":1795541125,"budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","chain_hash":"a7d209feb7900ccb5f4cfdef4c585389f88f95f78b9c1089953aa5b2a12f74f6","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","delta_units":0,"epsilon_units":0,"grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"4fe0a82f42086dd2a8ff0e395dd893de357dc2b322723af4951157d174c7f87d","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"23f3c6cd08f96c8c9ff63c74474c5aacc8b88b3d22cae9bc41a4e86f7fc718f6","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"qry_shxhi4hb2llr5ymsec5tox5v2y","rho_units":0,"sequence":10,"spec_sha256":"36444f11e18d07f71da5a00cb6dde93e0d6782702ca4c73b89160fd529270d96"},"key_id":"139e3940e64b5491","signature":"DGkxehwrJ-aie9Cbm3oxs1XNuiBmZQPkJtNmiJe6rUMGc-2H0uoLynKjnAXgVW4qNKbN0b7xu5oUxNWxX479Dw"}	1795541125	complete	1795541125	[]	{"id":"qry_shxhi4hb2llr5ymsec5tox5v2y","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","state":"complete","queries":[{"weights":null,"labels":null,"where":{"sex":["female"]},"half_width":60.0,"confidence":0.95,"between":null},{"weights":null,"labels":null,"where":{"ill":["yes"]},"half_width":null,"confidence":0.95,"between":null}],"answers":[{"estimate":355.52761898082144,"standard_deviation":9.788915081308065,"interval":{"low":335.34626765037206,"high":375.70897031127083,"half_width":20.1813513304494,"confidence":0.95},"probability":null,"used":[{"release_id":"rel_e6agy3xsar6bspt7cazjglkzwm","weights":[0.3194095282302017,0.3194095282302017,0.3194095282302017,-0.4547561376488579,-0.5034724470417472]},{"release_id":"rel_5zszl44hrugsi7rbdz6u4gjmte","weights":[0.039922031444299975,0.039922031444299975,0.039922031444299975,-0.05683859503909906]},{"release_id":"rel_huqjwy6pzdlei7o4zj6cqber4e","weights":[0.05325394018425851,0.05325394018425851,0.05325394018425851,-0.07581976745328295,-0.08394205309949258]}],"with_constraints":null},{"estimate":75.46020534355478,"standard_deviation":9.70561597680938,"interval":{"low":55.44951391365624,"high":95.47089677345332,"half_width":20.010691429898536,"confidence":0.95},"probability":null,"used":[{"release_id":"rel_e6agy3xsar6bspt7cazjglkzwm","weights":[0.4709949074464876,-0.30317075843257196,-0.30317075843257185,0.4709949074464876,-0.3356482980278314]},{"release_id":"rel_5zszl44hrugsi7rbdz6u4gjmte","weights":[0.058868229790666325,-0.03789239669273271,-0.0378923966927327,0.05886822979066633]},{"release_id":"rel_huqjwy6pzdlei7o4zj6cqber4e","weights":[0.07852719600201948,-0.05054651163552197,-0.05054651163552196,0.07852719600201948,-0.05596136873299505]}],"with_constraints":null}],"covariance":[[95.82285846906049,-13.534660941865624],[-13.534660941865624,94.19898148929752]],"measured":[],"charged":{"accountant":"zcdp","rho":"0","delta":"0"},"standalone_cost":{"accountant":"zcdp","rho":"0","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.106035615294","delta":"0.0000008"},"record_count":667,"category_count":5,"records_per_unit":1,"event":null,"certificate":null,"created_at":"2026-11-24T17:25:25Z","receipt":{"body":{"accountant":"zcdp","at":1795541125,"budget_id":"bud_z56r2lfe2c67dfc6l3cmlew45e","chain_hash":"a7d209feb7900ccb5f4cfdef4c585389f88f95f78b9c1089953aa5b2a12f74f6","commitment":"54ad2004ef62a79d47325da3e7179eae81f69dc17b79d96c301d772358437375","dataset_id":"dat_4fhcqpnfu7bwaorjoqqgbez2fa","delta_units":0,"epsilon_units":0,"grant_id":"gra_3gmllgddjtecgsrhzumvxcx7dq","key_hash":"4fe0a82f42086dd2a8ff0e395dd893de357dc2b322723af4951157d174c7f87d","kind":"private-posterior receipt 1","owner_id":"pri_bucegxpm2jhmcvpde23wf547wi","payload_hash":"23f3c6cd08f96c8c9ff63c74474c5aacc8b88b3d22cae9bc41a4e86f7fc718f6","principal_id":"pri_pp4ywljwgc4ch5t3j66d7u5u5a","release_id":"qry_shxhi4hb2llr5ymsec5tox5v2y","rho_units":0,"sequence":10,"spec_sha256":"36444f11e18d07f71da5a00cb6dde93e0d6782702ca4c73b89160fd529270d96"},"key_id":"139e3940e64b5491","signature":"DGkxehwrJ-aie9Cbm3oxs1XNuiBmZQPkJtNmiJe6rUMGc-2H0uoLynKjnAXgVW4qNKbN0b7xu5oUxNWxX479Dw"}}	\N	query	pri_bucegxpm2jhmcvpde23wf547wi
rel_v36kbxo7r6dzopuna2iow5ifme	dat_tempn4fx3rd4pv5nbpuyt5ia5a	bud_s7ds4p7nypjh5kdrvgljbfed6a	3	pri_jxrq554xlkahhj4rznndo3y2u4	1e55b6f935587e8eb527edc49cf5872a1fbb9202c6bd3f646ada94e8b6f38415	deb41179bb47c7f7651d66ec803a0bfa14897043e78997868d5c3f6b6aa74027	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.2"},"max_charge":null,"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":11,"m":2,"epsilon":"0.2"},"certificate":{"loss":{"epsilon":"0.2","delta":"0","rho":"0.019933598925","rho_delta":"0"},"method":"theorem","statement":"The release is 0.2-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.2/2","support":"lattice"}}}	200000000	0	0	800000000	1000000000000	0	{"body":{"accountant":"basic","at":1795541135,"budget_id":"bud_s7ds4p7nypjh5kdrvgljbfed6a","chain_hash":"4beeb699718511bb644e02f90dcf365dcb920e76ab55bbb9cc8d76b208a9d830","commitment":"709718096f84a20ee5624b434a1f35df9a2a6cfe66ee609cf86d1ee1269c1d38","dataset_id":"dat_tempn4fx3rd4pv5nbpuyt5ia5a","delta_units":0,"epsilon_units":200000000,"grant_id":"","key_hash":"1e55b6f935587e8eb527edc49cf5872a1fbb9202c6bd3f646ada94e8b6f38415","kind":"private-posterior receipt 1","owner_id":"pri_jxrq554xlkahhj4rznndo3y2u4","payload_hash":"deb41179bb47c7f7651d66ec803a0bfa14897043e78997868d5c3f6b6aa74027","principal_id":"pri_jxrq554xlkahhj4rznndo3y2u4","release_id":"rel_v36kbxo7r6dzopuna2iow5ifme","rho_units":0,"sequence":3,"spec_sha256":"0c9622671794f49132a4655778ba6ef40481137dcfdf5c057f48134a2b4ea117"},"key_id":"139e3940e64b5491","signature":"x69b1ltEKFgQ-hRbt0XfjlttgWcsXYTGcj2wD_8Lk7CtQ9t-EY1dlMW1aiciDdZCTUZdCZxUxmRcIjtD5ph6CA"}	1795541135	paid	1795541156	\N	\N	\N	posterior	pri_jxrq554xlkahhj4rznndo3y2u4
\.


--
-- Data for Name: spending; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.spending (budget_id, dataset_id, principal_id, kind, releases, epsilon, delta, rho) FROM stdin;
bud_oipz4gq4brf4l2dcws2yeau4nm	dat_pxrcqupjjykhrxjve7rsacv4jy	pri_pp4ywljwgc4ch5t3j66d7u5u5a	posterior	2	199997009	100000000000	0
bud_z56r2lfe2c67dfc6l3cmlew45e	dat_4fhcqpnfu7bwaorjoqqgbez2fa	pri_pp4ywljwgc4ch5t3j66d7u5u5a	posterior	6	0	0	33964384706
bud_oipz4gq4brf4l2dcws2yeau4nm	dat_ddphqc2vt4gb3b47us777bkoyy	pri_bucegxpm2jhmcvpde23wf547wi	posterior	1	100000000	0	0
bud_z56r2lfe2c67dfc6l3cmlew45e	dat_4fhcqpnfu7bwaorjoqqgbez2fa	pri_pp4ywljwgc4ch5t3j66d7u5u5a	query	0	0	0	0
bud_s7ds4p7nypjh5kdrvgljbfed6a	dat_tempn4fx3rd4pv5nbpuyt5ia5a	pri_jxrq554xlkahhj4rznndo3y2u4	posterior	1	200000000	0	0
\.


--
-- Name: installation_id_seq; Type: SEQUENCE SET; Schema: public; Owner: posterior_owner
--

SELECT pg_catalog.setval('public.installation_id_seq', 1, false);


--
-- Name: alembic_version alembic_version_pkc; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);


--
-- Name: access_requests pk_access_requests; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.access_requests
    ADD CONSTRAINT pk_access_requests PRIMARY KEY (id);


--
-- Name: api_keys pk_api_keys; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT pk_api_keys PRIMARY KEY (id);


--
-- Name: budgets pk_budgets; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.budgets
    ADD CONSTRAINT pk_budgets PRIMARY KEY (id);


--
-- Name: certificate_requests pk_certificate_requests; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.certificate_requests
    ADD CONSTRAINT pk_certificate_requests PRIMARY KEY (certificate_key, principal_id);


--
-- Name: certificates pk_certificates; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.certificates
    ADD CONSTRAINT pk_certificates PRIMARY KEY (key);


--
-- Name: creations pk_creations; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.creations
    ADD CONSTRAINT pk_creations PRIMARY KEY (key_hash);


--
-- Name: datasets pk_datasets; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.datasets
    ADD CONSTRAINT pk_datasets PRIMARY KEY (id);


--
-- Name: encrypted_counts pk_encrypted_counts; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.encrypted_counts
    ADD CONSTRAINT pk_encrypted_counts PRIMARY KEY (dataset_id);


--
-- Name: enrolments pk_enrolments; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.enrolments
    ADD CONSTRAINT pk_enrolments PRIMARY KEY (id);


--
-- Name: entries pk_entries; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.entries
    ADD CONSTRAINT pk_entries PRIMARY KEY (budget_id, sequence);


--
-- Name: grants pk_grants; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT pk_grants PRIMARY KEY (id);


--
-- Name: holdings pk_holdings; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.holdings
    ADD CONSTRAINT pk_holdings PRIMARY KEY (owner_id);


--
-- Name: hourly_spending pk_hourly_spending; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.hourly_spending
    ADD CONSTRAINT pk_hourly_spending PRIMARY KEY (budget_id, hour);


--
-- Name: installation pk_installation; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.installation
    ADD CONSTRAINT pk_installation PRIMARY KEY (id);


--
-- Name: jobs pk_jobs; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT pk_jobs PRIMARY KEY (id);


--
-- Name: key_checks pk_key_checks; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.key_checks
    ADD CONSTRAINT pk_key_checks PRIMARY KEY (kind, key_id);


--
-- Name: principal_entries pk_principal_entries; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.principal_entries
    ADD CONSTRAINT pk_principal_entries PRIMARY KEY (principal_id, sequence);


--
-- Name: principal_names pk_principal_names; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.principal_names
    ADD CONSTRAINT pk_principal_names PRIMARY KEY (principal_id);


--
-- Name: principals pk_principals; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.principals
    ADD CONSTRAINT pk_principals PRIMARY KEY (id);


--
-- Name: public_texts pk_public_texts; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.public_texts
    ADD CONSTRAINT pk_public_texts PRIMARY KEY (release_id);


--
-- Name: query_charges pk_query_charges; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.query_charges
    ADD CONSTRAINT pk_query_charges PRIMARY KEY (release_id);


--
-- Name: releases pk_releases; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.releases
    ADD CONSTRAINT pk_releases PRIMARY KEY (id);


--
-- Name: spending pk_spending; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.spending
    ADD CONSTRAINT pk_spending PRIMARY KEY (budget_id, dataset_id, principal_id, kind);


--
-- Name: api_keys uq_api_keys_secret_hash; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT uq_api_keys_secret_hash UNIQUE (secret_hash);


--
-- Name: budgets uq_budgets_owner_id; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.budgets
    ADD CONSTRAINT uq_budgets_owner_id UNIQUE (owner_id, name);


--
-- Name: certificates uq_certificates_id; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.certificates
    ADD CONSTRAINT uq_certificates_id UNIQUE (id);


--
-- Name: enrolments uq_enrolments_secret_hash; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.enrolments
    ADD CONSTRAINT uq_enrolments_secret_hash UNIQUE (secret_hash);


--
-- Name: grants uq_grants_dataset_id; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT uq_grants_dataset_id UNIQUE (dataset_id, principal_id);


--
-- Name: jobs uq_jobs_principal_id; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT uq_jobs_principal_id UNIQUE (principal_id, key);


--
-- Name: query_charges uq_query_charges_dataset_id; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.query_charges
    ADD CONSTRAINT uq_query_charges_dataset_id UNIQUE (dataset_id, sequence);


--
-- Name: releases uq_releases_budget_id; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.releases
    ADD CONSTRAINT uq_releases_budget_id UNIQUE (budget_id, sequence);


--
-- Name: releases uq_releases_key_hash; Type: CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.releases
    ADD CONSTRAINT uq_releases_key_hash UNIQUE (key_hash);


--
-- Name: ix_access_requests_dataset_created; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_access_requests_dataset_created ON public.access_requests USING btree (dataset_id, created_nanoseconds, id);


--
-- Name: ix_access_requests_owner_created; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_access_requests_owner_created ON public.access_requests USING btree (owner_id, created_nanoseconds, id);


--
-- Name: ix_access_requests_principal_created; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_access_requests_principal_created ON public.access_requests USING btree (principal_id, created_nanoseconds, id);


--
-- Name: ix_api_keys_principal_id; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_api_keys_principal_id ON public.api_keys USING btree (principal_id);


--
-- Name: ix_budgets_owner_created; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_budgets_owner_created ON public.budgets USING btree (owner_id, created_nanoseconds, id);


--
-- Name: ix_certificate_requests_id; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE UNIQUE INDEX ix_certificate_requests_id ON public.certificate_requests USING btree (id);


--
-- Name: ix_creations_sealed; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_creations_sealed ON public.creations USING btree (created_at) WHERE (sealed_secret IS NOT NULL);


--
-- Name: ix_creations_subject_id; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_creations_subject_id ON public.creations USING btree (subject_id);


--
-- Name: ix_datasets_budget_id; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_datasets_budget_id ON public.datasets USING btree (budget_id);


--
-- Name: ix_datasets_listed; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_datasets_listed ON public.datasets USING btree (created_nanoseconds, id) WHERE ((listed = 1) AND (deleted_at IS NULL));


--
-- Name: ix_datasets_owner_created; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_datasets_owner_created ON public.datasets USING btree (owner_id, created_nanoseconds, id) WHERE (deleted_at IS NULL);


--
-- Name: ix_encrypted_counts_key_id; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_encrypted_counts_key_id ON public.encrypted_counts USING btree (key_id);


--
-- Name: ix_enrolments_principal_id; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_enrolments_principal_id ON public.enrolments USING btree (principal_id);


--
-- Name: ix_entries_counts; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_entries_counts ON public.entries USING btree (subject_id, sequence) WHERE ((kind)::text = ANY ((ARRAY['dataset_registered'::character varying, 'dataset_replaced'::character varying])::text[]));


--
-- Name: ix_entries_restores; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_entries_restores ON public.entries USING btree (budget_id, sequence) WHERE ((kind)::text = ANY ((ARRAY['receipt_reconciled'::character varying, 'restore_ended'::character varying, 'restore_noticed'::character varying, 'written_off'::character varying])::text[]));


--
-- Name: ix_entries_shared_histories; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_entries_shared_histories ON public.entries USING btree (subject_id) WHERE ((kind)::text = 'history_shared'::text);


--
-- Name: ix_grants_dataset_created; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_grants_dataset_created ON public.grants USING btree (dataset_id, created_nanoseconds, id);


--
-- Name: ix_grants_owner_created; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_grants_owner_created ON public.grants USING btree (owner_id, created_nanoseconds, id);


--
-- Name: ix_grants_principal_created; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_grants_principal_created ON public.grants USING btree (principal_id, created_nanoseconds, id);


--
-- Name: ix_grants_principal_dataset; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_grants_principal_dataset ON public.grants USING btree (principal_id, dataset_nanoseconds, dataset_id);


--
-- Name: ix_principals_created; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_principals_created ON public.principals USING btree (created_nanoseconds, id);


--
-- Name: ix_query_charges_free; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_query_charges_free ON public.query_charges USING btree (grant_id, budget_id) WHERE ((epsilon_granted = 0) AND (rho_granted = 0));


--
-- Name: ix_releases_dataset_principal; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_releases_dataset_principal ON public.releases USING btree (dataset_id, principal_id, sequence);


--
-- Name: ix_releases_dataset_sequence; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_releases_dataset_sequence ON public.releases USING btree (dataset_id, sequence);


--
-- Name: ix_releases_owner_created; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_releases_owner_created ON public.releases USING btree (owner_id, created_at, budget_id, sequence);


--
-- Name: ix_releases_principal_created; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_releases_principal_created ON public.releases USING btree (principal_id, created_at, budget_id, sequence);


--
-- Name: ix_releases_public; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_releases_public ON public.releases USING btree (dataset_id, sequence) WHERE (public_since IS NOT NULL);


--
-- Name: ix_releases_queries_payload; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_releases_queries_payload ON public.releases USING btree (payload_hash, principal_id, sequence) WHERE ((kind)::text = 'query'::text);


--
-- Name: ix_releases_unfinished; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_releases_unfinished ON public.releases USING btree (id) WHERE ((state)::text = ANY ((ARRAY['paid'::character varying, 'drawn'::character varying])::text[]));


--
-- Name: uq_access_requests_open; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE UNIQUE INDEX uq_access_requests_open ON public.access_requests USING btree (dataset_id, principal_id) WHERE ((state)::text = 'open'::text);


--
-- Name: uq_datasets_live_name; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE UNIQUE INDEX uq_datasets_live_name ON public.datasets USING btree (owner_id, name) WHERE (deleted_at IS NULL);


--
-- Name: uq_entries_booked_once; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE UNIQUE INDEX uq_entries_booked_once ON public.entries USING btree (subject_id) WHERE ((kind)::text = ANY ((ARRAY['receipt_reconciled'::character varying, 'written_off'::character varying])::text[]));


--
-- Name: access_requests access_requests_decided_once; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER access_requests_decided_once BEFORE UPDATE ON public.access_requests FOR EACH ROW WHEN ((((old.state)::text <> 'open'::text) AND ((new.state)::text <> (old.state)::text))) EXECUTE FUNCTION public.access_requests_decided_once();


--
-- Name: access_requests access_requests_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER access_requests_kept BEFORE DELETE ON public.access_requests FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.access_requests_kept();


--
-- Name: access_requests access_requests_only_erased; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER access_requests_only_erased BEFORE UPDATE ON public.access_requests FOR EACH ROW WHEN ((((new.purpose IS NOT NULL) AND ((old.purpose IS NULL) OR ((new.purpose)::text <> (old.purpose)::text))) OR ((new.reason IS NOT NULL) AND ((old.state)::text <> 'open'::text) AND ((old.reason IS NULL) OR ((new.reason)::text <> (old.reason)::text))))) EXECUTE FUNCTION public.access_requests_only_erased();


--
-- Name: access_requests access_requests_unchanged; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER access_requests_unchanged BEFORE UPDATE ON public.access_requests FOR EACH ROW WHEN ((((new.id)::text <> (old.id)::text) OR ((new.dataset_id)::text <> (old.dataset_id)::text) OR ((new.principal_id)::text <> (old.principal_id)::text) OR ((new.owner_id)::text <> (old.owner_id)::text) OR (new.created_at <> old.created_at) OR (new.epsilon_requested <> old.epsilon_requested) OR (new.delta_requested <> old.delta_requested) OR (new.rho_requested <> old.rho_requested))) EXECUTE FUNCTION public.access_requests_unchanged();


--
-- Name: budgets budgets_counted; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER budgets_counted AFTER INSERT ON public.budgets FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.budgets_counted();


--
-- Name: budgets budgets_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER budgets_kept BEFORE DELETE ON public.budgets FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.budgets_kept();


--
-- Name: budgets budgets_spends_never_fall; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER budgets_spends_never_fall BEFORE UPDATE ON public.budgets FOR EACH ROW WHEN (((new.epsilon_spent < old.epsilon_spent) OR (new.delta_spent < old.delta_spent) OR (new.rho_spent < old.rho_spent) OR (new.sequence < old.sequence))) EXECUTE FUNCTION public.budgets_spends_never_fall();


--
-- Name: datasets datasets_brought_back; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER datasets_brought_back AFTER UPDATE OF deleted_at ON public.datasets FOR EACH ROW WHEN (((old.deleted_at IS NOT NULL) AND (new.deleted_at IS NULL))) EXECUTE FUNCTION public.datasets_brought_back();


--
-- Name: datasets datasets_counted; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER datasets_counted AFTER INSERT ON public.datasets FOR EACH ROW WHEN ((new.deleted_at IS NULL)) EXECUTE FUNCTION public.datasets_counted();


--
-- Name: datasets datasets_deleted; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER datasets_deleted AFTER UPDATE OF deleted_at ON public.datasets FOR EACH ROW WHEN (((new.deleted_at IS NOT NULL) AND (old.deleted_at IS NULL))) EXECUTE FUNCTION public.datasets_deleted();


--
-- Name: enrolments enrolments_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER enrolments_kept BEFORE DELETE ON public.enrolments FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.enrolments_kept();


--
-- Name: enrolments enrolments_used_once; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER enrolments_used_once BEFORE UPDATE ON public.enrolments FOR EACH ROW WHEN (((old.used_at IS NOT NULL) AND (COALESCE(new.used_at, (0)::bigint) <> old.used_at))) EXECUTE FUNCTION public.enrolments_used_once();


--
-- Name: entries entries_added_up; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER entries_added_up AFTER INSERT ON public.entries FOR EACH ROW WHEN (((new.kind)::text = ANY ((ARRAY['release_charged'::character varying, 'query_charged'::character varying, 'receipt_reconciled'::character varying, 'written_off'::character varying])::text[]))) EXECUTE FUNCTION public.entries_added_up();


--
-- Name: entries entries_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER entries_kept BEFORE DELETE ON public.entries FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.entries_kept();


--
-- Name: entries entries_unchanged; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER entries_unchanged BEFORE UPDATE ON public.entries FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.entries_unchanged();


--
-- Name: grants grants_counted; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER grants_counted AFTER INSERT ON public.grants FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.grants_counted();


--
-- Name: grants grants_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER grants_kept BEFORE DELETE ON public.grants FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.grants_kept();


--
-- Name: grants grants_spends_never_fall; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER grants_spends_never_fall BEFORE UPDATE ON public.grants FOR EACH ROW WHEN (((new.epsilon_spent < old.epsilon_spent) OR (new.delta_spent < old.delta_spent) OR (new.rho_spent < old.rho_spent))) EXECUTE FUNCTION public.grants_spends_never_fall();


--
-- Name: holdings holdings_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER holdings_kept BEFORE DELETE ON public.holdings FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.holdings_kept();


--
-- Name: hourly_spending hourly_spending_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER hourly_spending_kept BEFORE DELETE ON public.hourly_spending FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.hourly_spending_kept();


--
-- Name: hourly_spending hourly_spending_never_falls; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER hourly_spending_never_falls BEFORE UPDATE ON public.hourly_spending FOR EACH ROW WHEN (((new.epsilon < old.epsilon) OR (new.delta < old.delta) OR (new.rho < old.rho))) EXECUTE FUNCTION public.hourly_spending_never_falls();


--
-- Name: principal_entries principal_entries_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER principal_entries_kept BEFORE DELETE ON public.principal_entries FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.principal_entries_kept();


--
-- Name: principal_entries principal_entries_unchanged; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER principal_entries_unchanged BEFORE UPDATE ON public.principal_entries FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.principal_entries_unchanged();


--
-- Name: principals principals_chain_never_goes_back; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER principals_chain_never_goes_back BEFORE UPDATE ON public.principals FOR EACH ROW WHEN ((new.sequence < old.sequence)) EXECUTE FUNCTION public.principals_chain_never_goes_back();


--
-- Name: principals principals_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER principals_kept BEFORE DELETE ON public.principals FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.principals_kept();


--
-- Name: public_texts public_texts_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER public_texts_kept BEFORE DELETE ON public.public_texts FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.public_texts_kept();


--
-- Name: public_texts public_texts_unchanged; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER public_texts_unchanged BEFORE UPDATE ON public.public_texts FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.public_texts_unchanged();


--
-- Name: query_charges query_charges_added_up; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER query_charges_added_up AFTER INSERT ON public.query_charges FOR EACH ROW WHEN ((new.measured = '[]'::text)) EXECUTE FUNCTION public.query_charges_added_up();


--
-- Name: query_charges query_charges_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER query_charges_kept BEFORE DELETE ON public.query_charges FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.query_charges_kept();


--
-- Name: query_charges query_charges_unchanged; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER query_charges_unchanged BEFORE UPDATE ON public.query_charges FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.query_charges_unchanged();


--
-- Name: releases releases_added_up; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER releases_added_up AFTER INSERT ON public.releases FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.releases_added_up();


--
-- Name: releases releases_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER releases_kept BEFORE DELETE ON public.releases FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.releases_kept();


--
-- Name: releases releases_settled_once; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER releases_settled_once BEFORE UPDATE ON public.releases FOR EACH ROW WHEN (((((old.state)::text <> 'paid'::text) AND (NOT (((old.state)::text = 'drawn'::text) AND ((new.state)::text = 'complete'::text))) AND (((new.state)::text <> (old.state)::text) OR (COALESCE(new.result, ''::text) <> COALESCE(old.result, ''::text)))) OR (((old.state)::text <> 'paid'::text) AND (COALESCE(new.drawn, ''::text) <> COALESCE(old.drawn, ''::text))))) EXECUTE FUNCTION public.releases_settled_once();


--
-- Name: releases releases_stay_as_paid; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER releases_stay_as_paid BEFORE UPDATE ON public.releases FOR EACH ROW WHEN ((((new.id)::text <> (old.id)::text) OR ((new.dataset_id)::text <> (old.dataset_id)::text) OR ((new.budget_id)::text <> (old.budget_id)::text) OR (new.sequence <> old.sequence) OR ((new.principal_id)::text <> (old.principal_id)::text) OR ((new.key_hash)::text <> (old.key_hash)::text) OR ((new.payload_hash)::text <> (old.payload_hash)::text) OR (new.spec <> old.spec) OR (new.epsilon_charged <> old.epsilon_charged) OR (new.delta_charged <> old.delta_charged) OR (new.rho_charged <> old.rho_charged) OR (new.receipt <> old.receipt) OR (new.created_at <> old.created_at))) EXECUTE FUNCTION public.releases_stay_as_paid();


--
-- Name: spending spending_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER spending_kept BEFORE DELETE ON public.spending FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.spending_kept();


--
-- Name: spending spending_never_falls; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER spending_never_falls BEFORE UPDATE ON public.spending FOR EACH ROW WHEN (((new.epsilon < old.epsilon) OR (new.delta < old.delta) OR (new.rho < old.rho))) EXECUTE FUNCTION public.spending_never_falls();


--
-- Name: access_requests fk_access_requests_dataset_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.access_requests
    ADD CONSTRAINT fk_access_requests_dataset_id FOREIGN KEY (dataset_id) REFERENCES public.datasets(id);


--
-- Name: access_requests fk_access_requests_principal_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.access_requests
    ADD CONSTRAINT fk_access_requests_principal_id FOREIGN KEY (principal_id) REFERENCES public.principals(id);


--
-- Name: api_keys fk_api_keys_principal_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT fk_api_keys_principal_id FOREIGN KEY (principal_id) REFERENCES public.principals(id);


--
-- Name: budgets fk_budgets_owner_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.budgets
    ADD CONSTRAINT fk_budgets_owner_id FOREIGN KEY (owner_id) REFERENCES public.principals(id);


--
-- Name: certificate_requests fk_certificate_requests_certificate_key; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.certificate_requests
    ADD CONSTRAINT fk_certificate_requests_certificate_key FOREIGN KEY (certificate_key) REFERENCES public.certificates(key);


--
-- Name: certificate_requests fk_certificate_requests_principal_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.certificate_requests
    ADD CONSTRAINT fk_certificate_requests_principal_id FOREIGN KEY (principal_id) REFERENCES public.principals(id);


--
-- Name: datasets fk_datasets_budget_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.datasets
    ADD CONSTRAINT fk_datasets_budget_id FOREIGN KEY (budget_id) REFERENCES public.budgets(id);


--
-- Name: datasets fk_datasets_owner_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.datasets
    ADD CONSTRAINT fk_datasets_owner_id FOREIGN KEY (owner_id) REFERENCES public.principals(id);


--
-- Name: encrypted_counts fk_encrypted_counts_dataset_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.encrypted_counts
    ADD CONSTRAINT fk_encrypted_counts_dataset_id FOREIGN KEY (dataset_id) REFERENCES public.datasets(id);


--
-- Name: enrolments fk_enrolments_principal_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.enrolments
    ADD CONSTRAINT fk_enrolments_principal_id FOREIGN KEY (principal_id) REFERENCES public.principals(id);


--
-- Name: entries fk_entries_budget_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.entries
    ADD CONSTRAINT fk_entries_budget_id FOREIGN KEY (budget_id) REFERENCES public.budgets(id);


--
-- Name: grants fk_grants_dataset_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT fk_grants_dataset_id FOREIGN KEY (dataset_id) REFERENCES public.datasets(id);


--
-- Name: grants fk_grants_principal_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.grants
    ADD CONSTRAINT fk_grants_principal_id FOREIGN KEY (principal_id) REFERENCES public.principals(id);


--
-- Name: jobs fk_jobs_principal_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT fk_jobs_principal_id FOREIGN KEY (principal_id) REFERENCES public.principals(id);


--
-- Name: principal_entries fk_principal_entries_principal_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.principal_entries
    ADD CONSTRAINT fk_principal_entries_principal_id FOREIGN KEY (principal_id) REFERENCES public.principals(id);


--
-- Name: principal_names fk_principal_names_principal_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.principal_names
    ADD CONSTRAINT fk_principal_names_principal_id FOREIGN KEY (principal_id) REFERENCES public.principals(id);


--
-- Name: public_texts fk_public_texts_release_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.public_texts
    ADD CONSTRAINT fk_public_texts_release_id FOREIGN KEY (release_id) REFERENCES public.releases(id);


--
-- Name: query_charges fk_query_charges_budget_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.query_charges
    ADD CONSTRAINT fk_query_charges_budget_id FOREIGN KEY (budget_id) REFERENCES public.budgets(id);


--
-- Name: query_charges fk_query_charges_dataset_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.query_charges
    ADD CONSTRAINT fk_query_charges_dataset_id FOREIGN KEY (dataset_id) REFERENCES public.datasets(id);


--
-- Name: query_charges fk_query_charges_release_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.query_charges
    ADD CONSTRAINT fk_query_charges_release_id FOREIGN KEY (release_id) REFERENCES public.releases(id);


--
-- Name: releases fk_releases_budget_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.releases
    ADD CONSTRAINT fk_releases_budget_id FOREIGN KEY (budget_id) REFERENCES public.budgets(id);


--
-- Name: releases fk_releases_dataset_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.releases
    ADD CONSTRAINT fk_releases_dataset_id FOREIGN KEY (dataset_id) REFERENCES public.datasets(id);


--
-- Name: releases fk_releases_principal_id; Type: FK CONSTRAINT; Schema: public; Owner: posterior_owner
--

ALTER TABLE ONLY public.releases
    ADD CONSTRAINT fk_releases_principal_id FOREIGN KEY (principal_id) REFERENCES public.principals(id);


--
-- Name: SCHEMA public; Type: ACL; Schema: -; Owner: pg_database_owner
--

GRANT USAGE ON SCHEMA public TO posterior_service;


--
-- Name: TABLE access_requests; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.access_requests TO posterior_service;


--
-- Name: TABLE alembic_version; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT ON TABLE public.alembic_version TO posterior_service;


--
-- Name: TABLE api_keys; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.api_keys TO posterior_service;


--
-- Name: TABLE budgets; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.budgets TO posterior_service;


--
-- Name: TABLE certificate_requests; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.certificate_requests TO posterior_service;


--
-- Name: TABLE certificates; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.certificates TO posterior_service;


--
-- Name: TABLE creations; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.creations TO posterior_service;


--
-- Name: TABLE datasets; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.datasets TO posterior_service;


--
-- Name: TABLE encrypted_counts; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.encrypted_counts TO posterior_service;


--
-- Name: TABLE enrolments; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.enrolments TO posterior_service;


--
-- Name: TABLE entries; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT ON TABLE public.entries TO posterior_service;


--
-- Name: TABLE grants; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.grants TO posterior_service;


--
-- Name: TABLE holdings; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT ON TABLE public.holdings TO posterior_service;


--
-- Name: TABLE hourly_spending; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT ON TABLE public.hourly_spending TO posterior_service;


--
-- Name: TABLE installation; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,UPDATE ON TABLE public.installation TO posterior_service;


--
-- Name: TABLE jobs; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.jobs TO posterior_service;


--
-- Name: TABLE key_checks; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.key_checks TO posterior_service;


--
-- Name: TABLE principal_entries; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT ON TABLE public.principal_entries TO posterior_service;


--
-- Name: TABLE principal_names; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.principal_names TO posterior_service;


--
-- Name: TABLE principals; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.principals TO posterior_service;


--
-- Name: TABLE public_texts; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT ON TABLE public.public_texts TO posterior_service;


--
-- Name: TABLE query_charges; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT ON TABLE public.query_charges TO posterior_service;


--
-- Name: TABLE releases; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.releases TO posterior_service;


--
-- Name: TABLE spending; Type: ACL; Schema: public; Owner: posterior_owner
--

GRANT SELECT ON TABLE public.spending TO posterior_service;


--
-- PostgreSQL database dump complete
--


