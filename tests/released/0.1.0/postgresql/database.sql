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
acc_qi2qa7phwftrjks7aikswgrjqm	dat_ngft5drwizxr3nzcbdy2kkashi	pri_mwmokqw3zhviefu5rfxnbensrm	pri_qt5xn2ggh2rm7mt6njl6re2ori	100000000	0	0	The report of 1955	declined	Ask for less	\N	1795554908	1795554908	1795554908073947667
acc_mrye4t3ev2x5lwaagjk3bvn7oy	dat_ngft5drwizxr3nzcbdy2kkashi	pri_mwmokqw3zhviefu5rfxnbensrm	pri_qt5xn2ggh2rm7mt6njl6re2ori	50000000	0	0	The report of 1955	open	\N	\N	1795554908	\N	1795554908148137450
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
key_ma5ic7bjzzbf3hi4qblw2numwm	pri_cfvii6p4jlomb3ujd2fax42ifq	pp_gkXofwVW	248ed3457bd5ce13177a032172b45fb9e01b7cab2c4efafca52138c8974462b3	command-line	1795554897	\N	\N	1795554901	\N	\N	key	1795554897609257762
key_ru2irrs2svz7f7rxtmjrefmmgu	pri_qt5xn2ggh2rm7mt6njl6re2ori	pp_DDdpJl9q	36e066f04ff8226150336fbe101185a275017c3ea5fdcfa686729f6a7feb1b47	pri_cfvii6p4jlomb3ujd2fax42ifq	1795554901	\N	\N	1795554901	\N	enr_efitmkvi54ztjtnscg4ny4ka6m	key	1795554901659721393
key_u3zq2a3k2zl6k74tejmpmzh3dy	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	pp_q-vENFi-	ff736e04beccccc068e0a3d5649544ee7dd91447b3a1e63e36b2ccee28badd44	pri_cfvii6p4jlomb3ujd2fax42ifq	1795554901	\N	\N	1795554901	\N	enr_6xb76nnjruza5tfyyclbp22lrm	key	1795554901700534094
key_ogyidmy6fgh5tabhwnuyyoqrt4	pri_mwmokqw3zhviefu5rfxnbensrm	pp_o3RYkBbL	4f7879fa78ecabd85abbba2878b4d11781e44ef53d711888bb0d4539bf216285	pri_cfvii6p4jlomb3ujd2fax42ifq	1795554908	\N	\N	1795554908	\N	enr_y2gbtmfwlfgrbqnjwqmligwe7i	key	1795554908061585699
key_74by4gtnqdywnpky5sxxpqxsiu	pri_f2uoxbqbw6lsh3isqsadkc7nhq	pp_KC8JC2kR	8c6b891ea4eda840b6a4b2c97ae7b8de4db78a599a4a61847eae4f7d107e2af0	pri_cfvii6p4jlomb3ujd2fax42ifq	1795554908	\N	\N	\N	\N	enr_mzftfhj3tq2c3rpa534tipjdkq	key	1795554908196632459
key_ldjvlmd2l2rxkbke5me2rpj2dm	pri_6nky4zpfnfyxpkjmtlvejkowba	pp_vGOS_AAa	527069b270b519d87b109ae130a9f2bf6035d6ccb3b21d5ffc02239ec23331c7	pri_cfvii6p4jlomb3ujd2fax42ifq	1795554908	\N	\N	1795554908	\N	enr_qxltmx3mf6ntgg52h7nqgntknq	key	1795554908457942400
\.


--
-- Data for Name: budgets; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.budgets (id, owner_id, name, accountant, guaranteed_epsilon, guaranteed_delta, delta_conversion, epsilon_limit, delta_limit, rho_limit, epsilon_spent, delta_spent, rho_spent, epsilon_release_cap, delta_release_cap, rho_release_cap, allowed_mechanisms, frozen_at, low_budget_percent, sequence, head_hash, created_at, created_nanoseconds, stored_bytes) FROM stdin;
bud_iafhhwsys4pqura6s3pf5ltvsi	pri_qt5xn2ggh2rm7mt6njl6re2ori	budget 12	basic	1000000000	1000000000000	0	1000000000	1000000000000	0	299997009	100000000000	0	\N	\N	\N	\N	\N	10	12	66e939a7e116866b397059d16ea3719c7a8aaeaefe3c988d09399a20db70ee3f	1795554901	1795554901722915796	60396
bud_olb6ijs5armjelbjzes7f4s4iu	pri_6nky4zpfnfyxpkjmtlvejkowba	budget 20	basic	1000000000	1000000000000	0	1000000000	1000000000000	0	200000000	0	0	\N	\N	\N	\N	\N	10	3	934fa10bb47710dba88087e59656f1fdd4067d6ddd4c12e3ca5d375706c6c85b	1795554908	1795554908476715310	19792
bud_owevoujooeqzz5emxhr2fy7xpe	pri_qt5xn2ggh2rm7mt6njl6re2ori	Many looks	zcdp	3000000000	10000000000000	9000000000000	0	1000000000000	222112455378	0	0	33964384706	\N	\N	\N	\N	\N	10	10	a29054c049bf92707ddf9c93901451b07ed365051d38e5a971e12bac387d6de4	1795554901	1795554901849051166	105648
\.


--
-- Data for Name: certificate_requests; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.certificate_requests (certificate_key, principal_id, created_at, id) FROM stdin;
fbaf9913582f83a3e06fbb87495af13eeadcfa0ad6501b5441f62d719465742e	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	1795554904	cer_kpabrjetog5nh2ltxugmdcka5e
2781f561a3dd5da4a3c60da815abea8c06997f2f4b4b011ab408544c3e0d58f6	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	1795554905	cer_zduty3zj2ywoz34nh54opbnk7a
cd8127786ab6fc97cab3601ccf993b5e06627f7fce88aab8a5c11e085156d24b	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	1795554906	cer_24s4w3xyniauy3veuhvw7chtvm
16b4415c69e4b4e51c27ac2054afd57b731267e984bcbe902d047df1a4358510	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	1795554907	cer_2uifavpu5tbuigi4fjesiq2x3q
\.


--
-- Data for Name: certificates; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.certificates (key, id, parameters, state, certified, created_at, leased_until, leased_by, used_at, tries) FROM stdin;
fbaf9913582f83a3e06fbb87495af13eeadcfa0ad6501b5441f62d719465742e	cer_wajs4h7qz2md2omnbafkapkc5q	{"mechanism": {"calibration": "certified", "delta": "0.0000001", "epsilon": "0.1", "kind": "exponential"}, "n": 240, "prior": ["1.0", "1.0"], "version": 4}	ready	{"certificate": {"details": {"loss": "0.099997008", "loss_range": "0.148875720", "rounding": "2.771e-11"}, "loss": {"delta": "0.0000001", "epsilon": "0.099997009", "rho": "0.001009435228", "rho_delta": "0"}, "method": "exact_channel", "relation": "replace_one", "statement": "(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel."}, "event": {"calibration": "certified", "delta": "0.0000001", "epsilon0": "0.146859191", "event": "exponential", "gamma": "0.0265", "n": 240, "prior": ["1.0", "1.0"], "uniform_admixture": null}}	1795554904	\N	\N	1795554904	0
2781f561a3dd5da4a3c60da815abea8c06997f2f4b4b011ab408544c3e0d58f6	cer_ne2v4bz3cbua6v2ad7vjeozf2i	{"mechanism": {"calibration": "proven", "delta": "0.0000001", "epsilon": "0.1", "kind": "exponential"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"change_of_rate": "0.044264479", "draw": "rejection", "excess_by_ratio": "0.059336596", "excess_by_tail": "1.355692916", "normalisers": "0.001824692", "rounding": "4.214e-11", "score": "0.053909420"}, "loss": {"delta": "0", "epsilon": "0.099998592", "rho": "0.002321993715", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3."}, "event": {"calibration": "proven", "delta": "0.0000001", "epsilon0": "0.10781884", "event": "exponential", "gamma": "0.0342", "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	1795554905	\N	\N	1795554905	0
cd8127786ab6fc97cab3601ccf993b5e06627f7fce88aab8a5c11e085156d24b	cer_alprnz6dyptoudatirpc2usz6q	{"mechanism": {"delta": "0.0000001", "kind": "exponential_published", "nominal_epsilon": "0.2"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"change_of_rate": "0.013980835", "draw": "rejection", "excess_by_ratio": "0.013980835", "excess_by_tail": "0.167125342", "normalisers": "0.005005989", "rounding": "6.634e-11", "score": "0.100000000"}, "loss": {"delta": "0", "epsilon": "0.118986825", "rho": "0.00509726344", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3."}, "event": {"calibration": "published", "delta": "0.0000001", "epsilon0": "0.2", "event": "exponential", "gamma": "0.004279815109635818", "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	1795554906	\N	\N	1795554906	0
16b4415c69e4b4e51c27ac2054afd57b731267e984bcbe902d047df1a4358510	cer_25zw7k3h4witxj2ca5bxh5d3i4	{"mechanism": {"delta": "0.0000001", "epsilon": "0.3", "kind": "exponential_global"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"draw": "rejection", "normalisers": "0.002500479", "rounding": "1.782e-11", "score": "0.150000000"}, "loss": {"delta": "0", "epsilon": "0.15250048", "rho": "0.011249999939", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2."}, "event": {"calibration": "global", "delta": "0.0000001", "epsilon0": "0.299999999", "event": "exponential", "gamma": null, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	1795554907	\N	\N	1795554907	0
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
dat_ngft5drwizxr3nzcbdy2kkashi	pri_qt5xn2ggh2rm7mt6njl6re2ori	bud_iafhhwsys4pqura6s3pf5ltvsi	Trial	["category 0", "category 1"]	\N	2	240	one person	1	1	1	replace_one	bb7b5eba1a0337c71c9123d61ae50b6ae70640ad539a2dd5b02cb6a5886e3dee	1	1795554901	\N	1795554901741000870	0	1
dat_4j5vypohyc5uscl57lzjnjngse	pri_qt5xn2ggh2rm7mt6njl6re2ori	bud_owevoujooeqzz5emxhr2fy7xpe	Clinics	["female · yes", "female · no", "female · unknown", "male · yes", "male · no"]	[{"name": "sex", "levels": ["female", "male"]}, {"name": "ill", "levels": ["yes", "no", "unknown"]}]	5	667	one person	1	1	1	replace_one	d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd	1	1795554901	\N	1795554901868020068	0	0
dat_czi5457rojholp6orcowlpyr7y	pri_qt5xn2ggh2rm7mt6njl6re2ori	bud_iafhhwsys4pqura6s3pf5ltvsi	Visits	["category 0", "category 1"]	\N	2	21	one person	0	2	1	replace_one	3ccb42f4d6ca0803232dcba51e9f467b3e5de96b5b39ed321a638903d723d2a1	1	1795554901	\N	1795554901881401716	0	0
dat_flhiksigkvw3axqufwipnso4p4	pri_qt5xn2ggh2rm7mt6njl6re2ori	bud_iafhhwsys4pqura6s3pf5ltvsi	Gone	["category 0", "category 1"]	\N	2	3	one person	1	1	1	replace_one	0a5be22bf262bdc477f52499896cf9cd8c008792f0d1595a0adf904db6bc956c	0	1795554908	1795554908	1795554908160725635	0	0
dat_q6fgzcoq66nkop3z3rumemliba	pri_6nky4zpfnfyxpkjmtlvejkowba	bud_olb6ijs5armjelbjzes7f4s4iu	Paid and not drawn	["category 0", "category 1"]	\N	2	11	one person	1	1	1	replace_one	ca778fef9d75133feed521b74cf60cd41c9b112d1554721fdea65aa938b5d20b	1	1795554908	\N	1795554908483336035	0	0
\.


--
-- Data for Name: encrypted_counts; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.encrypted_counts (dataset_id, key_id, ciphertext) FROM stdin;
dat_ngft5drwizxr3nzcbdy2kkashi	k1	\\xfc32171199c1844b7147ea555f758898553c0a65e6cfc4a9c46dba75f298bf191a4b5e4c70d18de88b9ffc2f
dat_4j5vypohyc5uscl57lzjnjngse	k1	\\x8743c8669faa27b90b7ea9c61db87edf8bdf77116571c35eb8b8d341ee5d2498fe25f451aeb9578234274a467760504b6401f106c6056364abb4aab38d9e51ed77d4dd81
dat_czi5457rojholp6orcowlpyr7y	k1	\\x02f1aa66ae2fe01b8d06ffb3b9b6638ecc3c5c58149b83abf2cfb4bc9456fb255c0bddbfc75af23fb762e238
dat_q6fgzcoq66nkop3z3rumemliba	k1	\\xef67eefdf76a34fdbe999485319acc23db3773e610635c57386f16df3b36a03066573ab763723e47d8b37710
\.


--
-- Data for Name: enrolments; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.enrolments (id, principal_id, kind, secret_hash, issued_by, made_by, created_at, expires_at, used_at, ended_at) FROM stdin;
enr_efitmkvi54ztjtnscg4ny4ka6m	pri_qt5xn2ggh2rm7mt6njl6re2ori	token	c52533124024365d218b4cb658325b4854d439b8d6761f2f17a13f4347557328	pri_cfvii6p4jlomb3ujd2fax42ifq	\N	1795554901	1795641301	1795554901	\N
enr_x6m77ymdvyyg5j333dxsce6ey4	pri_qt5xn2ggh2rm7mt6njl6re2ori	recovery_code	49184666d7046cac81dc9518459f4f45b3f690bb926e29e3569c27b596efbb6d	pri_cfvii6p4jlomb3ujd2fax42ifq	enr_efitmkvi54ztjtnscg4ny4ka6m	1795554901	\N	\N	\N
enr_6xb76nnjruza5tfyyclbp22lrm	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	token	19b0898835c6a83886671aee62ffa9811c8909aed019feb58d63624d1a4b57de	pri_cfvii6p4jlomb3ujd2fax42ifq	\N	1795554901	1795641301	1795554901	\N
enr_eny3mrx4cwnm44mmmgqbdqqpbe	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	recovery_code	83d2d7cbda023523e82eb73e4855aa40a75e13c60d07c99c9c048f1a59d25849	pri_cfvii6p4jlomb3ujd2fax42ifq	enr_6xb76nnjruza5tfyyclbp22lrm	1795554901	\N	\N	\N
enr_y2gbtmfwlfgrbqnjwqmligwe7i	pri_mwmokqw3zhviefu5rfxnbensrm	token	edd74da55db94b119fe89f0850faf1ed9126d10ea84c5aba96624709a97ba068	pri_cfvii6p4jlomb3ujd2fax42ifq	\N	1795554908	1795641308	1795554908	\N
enr_wd5xwznasuo7yfopy3tse5trte	pri_mwmokqw3zhviefu5rfxnbensrm	recovery_code	940d8320a68855f9b98fce546bae0a8f86d595bdc8aa4180cebe77cca392f8fc	pri_cfvii6p4jlomb3ujd2fax42ifq	enr_y2gbtmfwlfgrbqnjwqmligwe7i	1795554908	\N	\N	\N
enr_mzftfhj3tq2c3rpa534tipjdkq	pri_f2uoxbqbw6lsh3isqsadkc7nhq	token	f99b58284be61d1f6819aad0f9e855848a62848e508ff3a1138e09fc93e8764e	pri_cfvii6p4jlomb3ujd2fax42ifq	\N	1795554908	1795641308	1795554908	\N
enr_mnkdqh2dcatdqo42yopdvsmg7i	pri_f2uoxbqbw6lsh3isqsadkc7nhq	recovery_code	e3c6c7c622b63da29bf3cb0b6fcd12e0e92331ede94564d04eafdf717b488fec	pri_cfvii6p4jlomb3ujd2fax42ifq	enr_mzftfhj3tq2c3rpa534tipjdkq	1795554908	\N	\N	\N
enr_qxltmx3mf6ntgg52h7nqgntknq	pri_6nky4zpfnfyxpkjmtlvejkowba	token	f907803893445721584285a4828a4149acc4da33a7455264b04d8b319d131999	pri_cfvii6p4jlomb3ujd2fax42ifq	\N	1795554908	1795641308	1795554908	\N
enr_vbxdrlqmw3ox3hpyl3ot7fg2ku	pri_6nky4zpfnfyxpkjmtlvejkowba	recovery_code	45a8757aa1324824ad032d3f872b5af74ab2f42aaa9e42d019978389e9f9d7ca	pri_cfvii6p4jlomb3ujd2fax42ifq	enr_qxltmx3mf6ntgg52h7nqgntknq	1795554908	\N	\N	\N
\.


--
-- Data for Name: entries; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.entries (budget_id, sequence, kind, epsilon, delta, rho, principal_id, subject_id, detail, created_at, previous_hash, hash) FROM stdin;
bud_iafhhwsys4pqura6s3pf5ltvsi	1	budget_opened	1000000000	1000000000000	0	pri_qt5xn2ggh2rm7mt6njl6re2ori	bud_iafhhwsys4pqura6s3pf5ltvsi	{"accountant":"basic","api_key_id":"key_ru2irrs2svz7f7rxtmjrefmmgu","delta":"0.000001","delta_conversion":"0","epsilon":"1","principal_head":{"hash":"0410c0ef6f1bec40d8303a887df03dcf336054e3fae4c27deb2811a73d2c39a5","sequence":2}}	1795554901	c851de6fbc79c6522924796885561b655d1dba19333f7c7418c12962d1f4e9ad	c77eaf5cc4b3e1f22b8733a59835598f36a89e2ce246c13dfb0396277554c347
bud_iafhhwsys4pqura6s3pf5ltvsi	2	dataset_registered	0	0	0	pri_qt5xn2ggh2rm7mt6njl6re2ori	dat_ngft5drwizxr3nzcbdy2kkashi	{"api_key_id":"key_ru2irrs2svz7f7rxtmjrefmmgu","category_count":2,"commitment":"bb7b5eba1a0337c71c9123d61ae50b6ae70640ad539a2dd5b02cb6a5886e3dee","principal_head":{"hash":"0410c0ef6f1bec40d8303a887df03dcf336054e3fae4c27deb2811a73d2c39a5","sequence":2},"record_count":240,"records_per_unit":1,"relation":"replace_one"}	1795554901	c77eaf5cc4b3e1f22b8733a59835598f36a89e2ce246c13dfb0396277554c347	22986a65d69495f6e265942b9eb2d0b530ba4ab39a3049ecdb7374d0c1ec1171
bud_owevoujooeqzz5emxhr2fy7xpe	1	budget_opened	0	1000000000000	222112455378	pri_qt5xn2ggh2rm7mt6njl6re2ori	bud_owevoujooeqzz5emxhr2fy7xpe	{"accountant":"zcdp","api_key_id":"key_ru2irrs2svz7f7rxtmjrefmmgu","delta":"0.00001","delta_conversion":"0.000009","epsilon":"3","principal_head":{"hash":"0410c0ef6f1bec40d8303a887df03dcf336054e3fae4c27deb2811a73d2c39a5","sequence":2}}	1795554901	bd01cbe0803c36977cb86c13f375fce083cc8921fbd7847202d580601b9c775e	df62d40baa6e3c8a751fe898879762d40d6ceb6710e486698657a59ca8364d25
bud_owevoujooeqzz5emxhr2fy7xpe	2	dataset_registered	0	0	0	pri_qt5xn2ggh2rm7mt6njl6re2ori	dat_4j5vypohyc5uscl57lzjnjngse	{"api_key_id":"key_ru2irrs2svz7f7rxtmjrefmmgu","category_count":5,"commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","principal_head":{"hash":"0410c0ef6f1bec40d8303a887df03dcf336054e3fae4c27deb2811a73d2c39a5","sequence":2},"record_count":667,"records_per_unit":1,"relation":"replace_one"}	1795554901	df62d40baa6e3c8a751fe898879762d40d6ceb6710e486698657a59ca8364d25	6bbc4e1a6cf1e40a39e91786b8c373b45a20a56ad232707f48f08a1f4e2e64a3
bud_iafhhwsys4pqura6s3pf5ltvsi	3	dataset_registered	0	0	0	pri_qt5xn2ggh2rm7mt6njl6re2ori	dat_czi5457rojholp6orcowlpyr7y	{"api_key_id":"key_ru2irrs2svz7f7rxtmjrefmmgu","category_count":2,"commitment":"3ccb42f4d6ca0803232dcba51e9f467b3e5de96b5b39ed321a638903d723d2a1","principal_head":{"hash":"0410c0ef6f1bec40d8303a887df03dcf336054e3fae4c27deb2811a73d2c39a5","sequence":2},"record_count":21,"records_per_unit":2,"relation":"replace_one"}	1795554901	22986a65d69495f6e265942b9eb2d0b530ba4ab39a3049ecdb7374d0c1ec1171	49dc443c6b94c993b6d541afac1e6431b6e50d58cf1d47feb8410cb2f5a3ab8f
bud_iafhhwsys4pqura6s3pf5ltvsi	4	dataset_listed	0	0	0	pri_qt5xn2ggh2rm7mt6njl6re2ori	dat_ngft5drwizxr3nzcbdy2kkashi	{"api_key_id":"key_ru2irrs2svz7f7rxtmjrefmmgu","principal_head":{"hash":"0410c0ef6f1bec40d8303a887df03dcf336054e3fae4c27deb2811a73d2c39a5","sequence":2}}	1795554901	49dc443c6b94c993b6d541afac1e6431b6e50d58cf1d47feb8410cb2f5a3ab8f	410545c6811cb170e8f1d90414476278835bbfb6c77fa2cb87e5f2ccaa384662
bud_iafhhwsys4pqura6s3pf5ltvsi	5	grant_opened	900000000	800000000000	0	pri_qt5xn2ggh2rm7mt6njl6re2ori	gra_fnmb222a26jkg5lesuk5fm5qta	{"analyst_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","api_key_id":"key_ru2irrs2svz7f7rxtmjrefmmgu","dataset_id":"dat_ngft5drwizxr3nzcbdy2kkashi","expires_at":32472144000,"principal_head":{"hash":"0410c0ef6f1bec40d8303a887df03dcf336054e3fae4c27deb2811a73d2c39a5","sequence":2}}	1795554901	410545c6811cb170e8f1d90414476278835bbfb6c77fa2cb87e5f2ccaa384662	eb66ecb9f87d46b39b0fb3d56bb15405a76b6fca5798c1adbe470aca6176ff92
bud_owevoujooeqzz5emxhr2fy7xpe	3	grant_opened	0	800000000000	140000000000	pri_qt5xn2ggh2rm7mt6njl6re2ori	gra_ecnp4xu4h6wczwpkylbz3laigi	{"analyst_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","api_key_id":"key_ru2irrs2svz7f7rxtmjrefmmgu","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","expires_at":32472144000,"principal_head":{"hash":"0410c0ef6f1bec40d8303a887df03dcf336054e3fae4c27deb2811a73d2c39a5","sequence":2}}	1795554901	6bbc4e1a6cf1e40a39e91786b8c373b45a20a56ad232707f48f08a1f4e2e64a3	aa29ab762e9fd6ff15b24b5c0169ec1372ecd2b294fefdf7f7d6731156d48cc9
bud_iafhhwsys4pqura6s3pf5ltvsi	6	release_charged	100000000	0	0	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	rel_wuslyic5n5rqtaqr5cil5ux5ha	{"api_key_id":"key_u3zq2a3k2zl6k74tejmpmzh3dy","commitment":"bb7b5eba1a0337c71c9123d61ae50b6ae70640ad539a2dd5b02cb6a5886e3dee","dataset_id":"dat_ngft5drwizxr3nzcbdy2kkashi","grant_id":"gra_fnmb222a26jkg5lesuk5fm5qta","key_hash":"7561561efefce4edeb4a8f505f60d5562f1cd991c3762e3437db33afca39e8df","mechanism":"simplex_geometric","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"9e5a6f907a5eb06dc4fb75b368701e4330aa4a9b361055116f1d3b7a8e8286ec","principal_head":{"hash":"e41de4c29ee735585a63966064d9e3ea087edaed08bd64075b8d21d7ae637382","sequence":2},"spec_sha256":"de23c21283969e8a7000e4101d77422108c94bf38f1395765fbe9ee364a73c5f"}	1795554902	eb66ecb9f87d46b39b0fb3d56bb15405a76b6fca5798c1adbe470aca6176ff92	eacb52df9325494cc38f075096c20c38bb3e547774ec877257770978ecd75ebd
bud_iafhhwsys4pqura6s3pf5ltvsi	7	release_charged	99997009	100000000000	0	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	rel_e2rpra4biuangsmuw4tbvy5cr4	{"api_key_id":"key_u3zq2a3k2zl6k74tejmpmzh3dy","commitment":"bb7b5eba1a0337c71c9123d61ae50b6ae70640ad539a2dd5b02cb6a5886e3dee","dataset_id":"dat_ngft5drwizxr3nzcbdy2kkashi","grant_id":"gra_fnmb222a26jkg5lesuk5fm5qta","key_hash":"8da6693619bfdbb92c8971f4b68324b8187a13fa4b381fed92d23e24b0945687","mechanism":"exponential","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"e300b9a4737cf4d60d7e0f98926d30321f0b3d2ba783be0f1178daf400dbb226","principal_head":{"hash":"e41de4c29ee735585a63966064d9e3ea087edaed08bd64075b8d21d7ae637382","sequence":2},"spec_sha256":"d562b3d089d97de00fbe881c70a3fb1385131a7fab59c40dcad9e306deb16471"}	1795554904	eacb52df9325494cc38f075096c20c38bb3e547774ec877257770978ecd75ebd	80561e0704a5eec85d22a7fc354a9db14c906e70b58774239f33c0f603adc29d
bud_owevoujooeqzz5emxhr2fy7xpe	4	release_charged	0	0	2856598834	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	rel_fwmugpb4szhoyas5rodzuhz33m	{"api_key_id":"key_u3zq2a3k2zl6k74tejmpmzh3dy","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"345e46fa8d71621a65ffe51a0556a72e30af2b605430637e19f31dcf1216f4b0","mechanism":"simplex_geometric","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"7f607df13346bab5c468ce80ab8242da738a36321c51781ab1b867ae954d9cbd","principal_head":{"hash":"e41de4c29ee735585a63966064d9e3ea087edaed08bd64075b8d21d7ae637382","sequence":2},"spec_sha256":"705536b46c468eb1bd505605a907892056015c07f9acb55ccc9f2fa868066fbb"}	1795554904	aa29ab762e9fd6ff15b24b5c0169ec1372ecd2b294fefdf7f7d6731156d48cc9	97f230a3ebf327c9cc2688677dccd4c265f767eaf5c5f20f52fad301d400f2ae
bud_iafhhwsys4pqura6s3pf5ltvsi	9	release_published	0	0	0	pri_qt5xn2ggh2rm7mt6njl6re2ori	rel_wuslyic5n5rqtaqr5cil5ux5ha	{"api_key_id":"key_ru2irrs2svz7f7rxtmjrefmmgu","principal_head":{"hash":"0410c0ef6f1bec40d8303a887df03dcf336054e3fae4c27deb2811a73d2c39a5","sequence":2}}	1795554907	66ef6e0d3f8b5ca79d5d1b2c2b8a2f75e3dacf00eb3e298b5aa8718f1d77f3a9	9425ee5463d92944bebd8aa6620c29a7d8796b2162d21b1de05e41d6910a1433
bud_owevoujooeqzz5emxhr2fy7xpe	5	release_charged	0	0	2438528778	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	rel_u3oy2mtb5lhp7zbmspk5kpsiry	{"api_key_id":"key_u3zq2a3k2zl6k74tejmpmzh3dy","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"fd87314f4d3328ba60cc2fab01a04d34f82c18b06dd9d650d2f25a7c3da80192","mechanism":"laplace","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"8ef1c3abac61dc840a491d11251245829a2cd95e82d5201e568c9e8c25d79604","principal_head":{"hash":"e41de4c29ee735585a63966064d9e3ea087edaed08bd64075b8d21d7ae637382","sequence":2},"spec_sha256":"33593e2b3f7e3439f184624c894c653507cdb6d46bbfd6147907f220af7a3e40"}	1795554904	97f230a3ebf327c9cc2688677dccd4c265f767eaf5c5f20f52fad301d400f2ae	ad6514b54050c33cdc0a5ed6f1c33446e570bb6ae25dc0a92434f7ced2f54f8c
bud_owevoujooeqzz5emxhr2fy7xpe	6	release_charged	0	0	10000000000	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	rel_evlyzkpmsrfz2pnizgdejbppiu	{"api_key_id":"key_u3zq2a3k2zl6k74tejmpmzh3dy","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"e1bd6a92c81dae4bd377f29f566107cef4709412635a18adb23c8abe09405798","mechanism":"gaussian","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"b876c12a7a013b226f83809b309740175de16228dbf4699be9a886127d375428","principal_head":{"hash":"e41de4c29ee735585a63966064d9e3ea087edaed08bd64075b8d21d7ae637382","sequence":2},"spec_sha256":"c305371bdcf35959541f899d4224fc40346c2eb39baadde048ca07e459d08a04"}	1795554905	ad6514b54050c33cdc0a5ed6f1c33446e570bb6ae25dc0a92434f7ced2f54f8c	e910f0eb276b5050935c702f499fae481f1167b7db1ad47f276c3061f6575c41
bud_owevoujooeqzz5emxhr2fy7xpe	7	release_charged	0	0	2321993715	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	rel_yqbjrypi5ml7t6frglutesmcxe	{"api_key_id":"key_u3zq2a3k2zl6k74tejmpmzh3dy","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"6b3031b81799a4c704252a2d72961f60c428a9ea54e9d7ba749b02c4a55ca841","mechanism":"exponential","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"f4969480ef6c1e31814ac6be7db47925775fa211b0b5d280aecc40a7733d54b2","principal_head":{"hash":"e41de4c29ee735585a63966064d9e3ea087edaed08bd64075b8d21d7ae637382","sequence":2},"spec_sha256":"e0e1ba13a14ab1e0ad49104747d307fc8fcdc22d2bc432f8f52bbfaea01b9cb2"}	1795554905	e910f0eb276b5050935c702f499fae481f1167b7db1ad47f276c3061f6575c41	e60fda2897f3dea2a2d20250fa78ebce1e3960296eb7c1c7c25ee9e242fe7155
bud_owevoujooeqzz5emxhr2fy7xpe	8	release_charged	0	0	5097263440	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	rel_2ihxrpso7bzo6as5uht6bdr7ji	{"api_key_id":"key_u3zq2a3k2zl6k74tejmpmzh3dy","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"2370b147b5aea6599f38daefec7f7b6a028f44e3a7bb966e79a3f157bce57062","mechanism":"exponential_published","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"4574d373b57d4a99da6db8c44a5641f8c485c5cb4f3b499e1b7711899927218d","principal_head":{"hash":"e41de4c29ee735585a63966064d9e3ea087edaed08bd64075b8d21d7ae637382","sequence":2},"spec_sha256":"38cf248e19022ae7950c0a70982c17cb5ac1cc5e08cab6c8f6b0abce4271d3ba"}	1795554906	e60fda2897f3dea2a2d20250fa78ebce1e3960296eb7c1c7c25ee9e242fe7155	61e79d3618d7f3dfe3d87a5e5f02bba779a26147499d732d7f606cbe45adf051
bud_owevoujooeqzz5emxhr2fy7xpe	9	release_charged	0	0	11249999939	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	rel_4udasieuhwgxkqnfhqpwime36q	{"api_key_id":"key_u3zq2a3k2zl6k74tejmpmzh3dy","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"655bf9a7e6bc45de7369a4b4b8d7180643577c0f1450e642c7ce8e43c92cea05","mechanism":"exponential_global","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"075d1d570707ddfed1ee3406228d87dda02c15a27a3ef18d31f7ed5d58dc6646","principal_head":{"hash":"e41de4c29ee735585a63966064d9e3ea087edaed08bd64075b8d21d7ae637382","sequence":2},"spec_sha256":"762ca2a9fc23a54fac5ae3ebbda6354f8df5e3a15be643cef8e21dc0f4627968"}	1795554907	61e79d3618d7f3dfe3d87a5e5f02bba779a26147499d732d7f606cbe45adf051	bc9e217909a72a3d683cea19d0685c2fe54f76e77d1d99206e3b0831bc9a1d82
bud_iafhhwsys4pqura6s3pf5ltvsi	8	release_charged	100000000	0	0	pri_qt5xn2ggh2rm7mt6njl6re2ori	rel_bm37aubiehz4b4ylxlum3dmxb4	{"api_key_id":"key_ru2irrs2svz7f7rxtmjrefmmgu","commitment":"3ccb42f4d6ca0803232dcba51e9f467b3e5de96b5b39ed321a638903d723d2a1","dataset_id":"dat_czi5457rojholp6orcowlpyr7y","key_hash":"2a0cf85193c8170dc60b1541155e68873bdab23e42f979224318c0256a8a06f8","mechanism":"simplex_geometric","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"62318dfe465dda003db460e7292739245e07d663d64e0d2ca454e6a764be275f","principal_head":{"hash":"0410c0ef6f1bec40d8303a887df03dcf336054e3fae4c27deb2811a73d2c39a5","sequence":2},"spec_sha256":"cb4699f722245f875dea7176be782ce4524262cf221171fd2b6cf52fa808283c"}	1795554907	80561e0704a5eec85d22a7fc354a9db14c906e70b58774239f33c0f603adc29d	66ef6e0d3f8b5ca79d5d1b2c2b8a2f75e3dacf00eb3e298b5aa8718f1d77f3a9
bud_owevoujooeqzz5emxhr2fy7xpe	10	query_charged	0	0	0	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	qry_r7ppdlodhxtiudtixofoau3adm	{"alone":[0,0,0],"api_key_id":"key_u3zq2a3k2zl6k74tejmpmzh3dy","blind":"bld_t7gb6s7yssa7dyo553o32os3de","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","granted":[0,0,0],"key_hash":"4a783824483808a85300ced548d8b9482a8b8fe12fbf85857fe9e1411a757def","measured":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945","mechanism":"linear","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"bbc9fd327a0ee27650ff041599d6e7485b0bd5cd2396efc8295df76948a145fc","principal_head":{"hash":"e41de4c29ee735585a63966064d9e3ea087edaed08bd64075b8d21d7ae637382","sequence":2},"spec_sha256":"d13c8abd3bf3939eda6c6fed0c7ab791fe85237817c14d773e67e345d1724d3a"}	1795554907	bc9e217909a72a3d683cea19d0685c2fe54f76e77d1d99206e3b0831bc9a1d82	a29054c049bf92707ddf9c93901451b07ed365051d38e5a971e12bac387d6de4
bud_iafhhwsys4pqura6s3pf5ltvsi	10	access_declined	0	0	0	pri_qt5xn2ggh2rm7mt6njl6re2ori	acc_qi2qa7phwftrjks7aikswgrjqm	{"analyst_id":"pri_mwmokqw3zhviefu5rfxnbensrm","api_key_id":"key_ru2irrs2svz7f7rxtmjrefmmgu","dataset_id":"dat_ngft5drwizxr3nzcbdy2kkashi","principal_head":{"hash":"0410c0ef6f1bec40d8303a887df03dcf336054e3fae4c27deb2811a73d2c39a5","sequence":2}}	1795554908	9425ee5463d92944bebd8aa6620c29a7d8796b2162d21b1de05e41d6910a1433	3f18a88b74405c32d2da2e28a5499e75f0614ff029bf3a0bf15c78d46c65d3a8
bud_iafhhwsys4pqura6s3pf5ltvsi	11	dataset_registered	0	0	0	pri_qt5xn2ggh2rm7mt6njl6re2ori	dat_flhiksigkvw3axqufwipnso4p4	{"api_key_id":"key_ru2irrs2svz7f7rxtmjrefmmgu","category_count":2,"commitment":"0a5be22bf262bdc477f52499896cf9cd8c008792f0d1595a0adf904db6bc956c","principal_head":{"hash":"0410c0ef6f1bec40d8303a887df03dcf336054e3fae4c27deb2811a73d2c39a5","sequence":2},"record_count":3,"records_per_unit":1,"relation":"replace_one"}	1795554908	3f18a88b74405c32d2da2e28a5499e75f0614ff029bf3a0bf15c78d46c65d3a8	aee1adb4e615b50351e41785d078cf697057e1049901daab89359fc42570c0ce
bud_iafhhwsys4pqura6s3pf5ltvsi	12	dataset_deleted	0	0	0	pri_qt5xn2ggh2rm7mt6njl6re2ori	dat_flhiksigkvw3axqufwipnso4p4	{"api_key_id":"key_ru2irrs2svz7f7rxtmjrefmmgu","principal_head":{"hash":"0410c0ef6f1bec40d8303a887df03dcf336054e3fae4c27deb2811a73d2c39a5","sequence":2}}	1795554908	aee1adb4e615b50351e41785d078cf697057e1049901daab89359fc42570c0ce	66e939a7e116866b397059d16ea3719c7a8aaeaefe3c988d09399a20db70ee3f
bud_olb6ijs5armjelbjzes7f4s4iu	1	budget_opened	1000000000	1000000000000	0	pri_6nky4zpfnfyxpkjmtlvejkowba	bud_olb6ijs5armjelbjzes7f4s4iu	{"accountant":"basic","api_key_id":"key_ldjvlmd2l2rxkbke5me2rpj2dm","delta":"0.000001","delta_conversion":"0","epsilon":"1","principal_head":{"hash":"ec079c93e51c0a139cf7aab5a2544b9fde335b64f587f57ef5c37c2b33b23bca","sequence":2}}	1795554908	401eb07394b23f9c60f42fc542e64ead05b78539c1f24e7533d419be8e9c526e	7463b2642133d78599ba9cad8cc68b00da0470611716999525e5d66f362daf38
bud_olb6ijs5armjelbjzes7f4s4iu	2	dataset_registered	0	0	0	pri_6nky4zpfnfyxpkjmtlvejkowba	dat_q6fgzcoq66nkop3z3rumemliba	{"api_key_id":"key_ldjvlmd2l2rxkbke5me2rpj2dm","category_count":2,"commitment":"ca778fef9d75133feed521b74cf60cd41c9b112d1554721fdea65aa938b5d20b","principal_head":{"hash":"ec079c93e51c0a139cf7aab5a2544b9fde335b64f587f57ef5c37c2b33b23bca","sequence":2},"record_count":11,"records_per_unit":1,"relation":"replace_one"}	1795554908	7463b2642133d78599ba9cad8cc68b00da0470611716999525e5d66f362daf38	f198687aa94b268ab51f7bb70204f7690c64a236b272425cccbc5bcc1e509471
bud_olb6ijs5armjelbjzes7f4s4iu	3	release_charged	200000000	0	0	pri_6nky4zpfnfyxpkjmtlvejkowba	rel_vnobr4henbitee6lsighh67qra	{"api_key_id":"key_ldjvlmd2l2rxkbke5me2rpj2dm","commitment":"ca778fef9d75133feed521b74cf60cd41c9b112d1554721fdea65aa938b5d20b","dataset_id":"dat_q6fgzcoq66nkop3z3rumemliba","key_hash":"94625ee83b1eafb8e6168aa574a15960f3ab21301edf6416f38998c0b9af12a3","mechanism":"simplex_geometric","owner_id":"pri_6nky4zpfnfyxpkjmtlvejkowba","payload_hash":"6a502e1d0b9818b30bdf57357acb0461185e9d9449850d2512d2bd7781a96e68","principal_head":{"hash":"ec079c93e51c0a139cf7aab5a2544b9fde335b64f587f57ef5c37c2b33b23bca","sequence":2},"spec_sha256":"0c9622671794f49132a4655778ba6ef40481137dcfdf5c057f48134a2b4ea117"}	1795554915	f198687aa94b268ab51f7bb70204f7690c64a236b272425cccbc5bcc1e509471	934fa10bb47710dba88087e59656f1fdd4067d6ddd4c12e3ca5d375706c6c85b
\.


--
-- Data for Name: grants; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.grants (id, dataset_id, principal_id, epsilon_cap, delta_cap, rho_cap, epsilon_spent, delta_spent, rho_spent, expires_at, closed_at, created_at, created_nanoseconds, stored_bytes, owner_id, dataset_nanoseconds) FROM stdin;
gra_fnmb222a26jkg5lesuk5fm5qta	dat_ngft5drwizxr3nzcbdy2kkashi	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	900000000	800000000000	0	199997009	100000000000	0	32472144000	\N	1795554901	1795554901933013154	23864	pri_qt5xn2ggh2rm7mt6njl6re2ori	1795554901741000870
gra_ecnp4xu4h6wczwpkylbz3laigi	dat_4j5vypohyc5uscl57lzjnjngse	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	0	800000000000	140000000000	0	0	33964384706	32472144000	\N	1795554901	1795554901968947390	97425	pri_qt5xn2ggh2rm7mt6njl6re2ori	1795554901868020068
\.


--
-- Data for Name: holdings; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.holdings (owner_id, budgets, datasets, grants) FROM stdin;
pri_qt5xn2ggh2rm7mt6njl6re2ori	2	3	2
pri_6nky4zpfnfyxpkjmtlvejkowba	1	1	0
\.


--
-- Data for Name: hourly_spending; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.hourly_spending (budget_id, hour, releases, epsilon, delta, rho) FROM stdin;
bud_iafhhwsys4pqura6s3pf5ltvsi	498765	3	299997009	100000000000	0
bud_owevoujooeqzz5emxhr2fy7xpe	498765	6	0	0	33964384706
bud_olb6ijs5armjelbjzes7f4s4iu	498765	1	200000000	0	0
\.


--
-- Data for Name: installation; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.installation (id, identity, created_at, restore_pending_since, restores) FROM stdin;
1	3fea08c8c01fd736977309c498dcc5be	1795554896	\N	0
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
counts	k1	f522ac82754c352661661a5acc1c991766bc05de7d6ae91245ed185928313541	1795554899	\N
receipts	139e3940e64b5491	O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik	1795554899	\N
\.


--
-- Data for Name: principal_entries; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principal_entries (principal_id, sequence, kind, actor_id, subject_id, detail, created_at, previous_hash, hash) FROM stdin;
pri_cfvii6p4jlomb3ujd2fax42ifq	1	key_issued	command-line	key_ma5ic7bjzzbf3hi4qblw2numwm	{}	1795554897	34906487c697b19cb6c7335a2413b60680e218cbf56d7b651fcddc59cfe8dafe	f03560c71cac2152606134c38dd76131ef5edc5b45bae554c5f0aa2aa3fb5d20
pri_qt5xn2ggh2rm7mt6njl6re2ori	1	token_issued	pri_cfvii6p4jlomb3ujd2fax42ifq	enr_efitmkvi54ztjtnscg4ny4ka6m	{"recovers":false}	1795554901	3098ff095598b8683b0bb53ad64c33dc33ee75753f86764391439f3562b05934	1c0ee3cb07a5002afa17a1d8c264999f59dbd935275972ab4344e20b351864fe
pri_qt5xn2ggh2rm7mt6njl6re2ori	2	enrolled	pri_qt5xn2ggh2rm7mt6njl6re2ori	enr_efitmkvi54ztjtnscg4ny4ka6m	{"issued_by":"pri_cfvii6p4jlomb3ujd2fax42ifq","key_id":"key_ru2irrs2svz7f7rxtmjrefmmgu"}	1795554901	1c0ee3cb07a5002afa17a1d8c264999f59dbd935275972ab4344e20b351864fe	0410c0ef6f1bec40d8303a887df03dcf336054e3fae4c27deb2811a73d2c39a5
pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	1	token_issued	pri_cfvii6p4jlomb3ujd2fax42ifq	enr_6xb76nnjruza5tfyyclbp22lrm	{"recovers":false}	1795554901	9ca6866dd062479276a44142e82d49715f87957f405b459896a6dfcd753c3036	97e11bdc2958380dff8f8b1a50b3c1ca99ea581812571fb1fbb101c38bb56930
pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	2	enrolled	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	enr_6xb76nnjruza5tfyyclbp22lrm	{"issued_by":"pri_cfvii6p4jlomb3ujd2fax42ifq","key_id":"key_u3zq2a3k2zl6k74tejmpmzh3dy"}	1795554901	97e11bdc2958380dff8f8b1a50b3c1ca99ea581812571fb1fbb101c38bb56930	e41de4c29ee735585a63966064d9e3ea087edaed08bd64075b8d21d7ae637382
pri_mwmokqw3zhviefu5rfxnbensrm	1	token_issued	pri_cfvii6p4jlomb3ujd2fax42ifq	enr_y2gbtmfwlfgrbqnjwqmligwe7i	{"recovers":false}	1795554908	6dab20da2f2b251027b688a687cc064e10de645273ccf33eb28a89ba5fc004e4	566424a498405aff5fb3db55c01328c380551413fceee932338b424eb62ef325
pri_mwmokqw3zhviefu5rfxnbensrm	2	enrolled	pri_mwmokqw3zhviefu5rfxnbensrm	enr_y2gbtmfwlfgrbqnjwqmligwe7i	{"issued_by":"pri_cfvii6p4jlomb3ujd2fax42ifq","key_id":"key_ogyidmy6fgh5tabhwnuyyoqrt4"}	1795554908	566424a498405aff5fb3db55c01328c380551413fceee932338b424eb62ef325	62158cac5d1c55627539e214be11a0b2d9703f3e3c91c2b1e2d5ddf8ec26a884
pri_mwmokqw3zhviefu5rfxnbensrm	3	access_requested	pri_mwmokqw3zhviefu5rfxnbensrm	acc_qi2qa7phwftrjks7aikswgrjqm	{"api_key_id":"key_ogyidmy6fgh5tabhwnuyyoqrt4","dataset_id":"dat_ngft5drwizxr3nzcbdy2kkashi","requested":[100000000,0,0]}	1795554908	62158cac5d1c55627539e214be11a0b2d9703f3e3c91c2b1e2d5ddf8ec26a884	c300720c3674c318af84bfa1f4d67c1136c4865ca2b2b419c284725d7a9f38b2
pri_mwmokqw3zhviefu5rfxnbensrm	4	access_requested	pri_mwmokqw3zhviefu5rfxnbensrm	acc_mrye4t3ev2x5lwaagjk3bvn7oy	{"api_key_id":"key_ogyidmy6fgh5tabhwnuyyoqrt4","dataset_id":"dat_ngft5drwizxr3nzcbdy2kkashi","requested":[50000000,0,0]}	1795554908	c300720c3674c318af84bfa1f4d67c1136c4865ca2b2b419c284725d7a9f38b2	a5448126074b613788019e5147b67c593144a43108b5048e20a652e76bb9e48a
pri_f2uoxbqbw6lsh3isqsadkc7nhq	1	token_issued	pri_cfvii6p4jlomb3ujd2fax42ifq	enr_mzftfhj3tq2c3rpa534tipjdkq	{"recovers":false}	1795554908	d4ef159c9a2e6cf7e3cbffd88df3b0950800a853f60675bf4fb2d53567fe9f8d	be5d1f02df776f884a8f5368b5cfebff16b20134fa3ff7101ad6e64b950167d5
pri_f2uoxbqbw6lsh3isqsadkc7nhq	2	enrolled	pri_f2uoxbqbw6lsh3isqsadkc7nhq	enr_mzftfhj3tq2c3rpa534tipjdkq	{"issued_by":"pri_cfvii6p4jlomb3ujd2fax42ifq","key_id":"key_74by4gtnqdywnpky5sxxpqxsiu"}	1795554908	be5d1f02df776f884a8f5368b5cfebff16b20134fa3ff7101ad6e64b950167d5	4c55212fd4e89ec924b43d0d952a73addd34551f1c02b368bd477da24dbf969a
pri_f2uoxbqbw6lsh3isqsadkc7nhq	3	principal_revoked	pri_cfvii6p4jlomb3ujd2fax42ifq	pri_f2uoxbqbw6lsh3isqsadkc7nhq	{}	1795554908	4c55212fd4e89ec924b43d0d952a73addd34551f1c02b368bd477da24dbf969a	de1af21f1040a7ccef351d90685d46961eae3503ad44a9ed2f9a167fd1683327
pri_6nky4zpfnfyxpkjmtlvejkowba	1	token_issued	pri_cfvii6p4jlomb3ujd2fax42ifq	enr_qxltmx3mf6ntgg52h7nqgntknq	{"recovers":false}	1795554908	41143976c879772946d7bf7a0ce73ae7bf74bcbacf70ff0943917cf4a3b2bcd5	a1e6b7658a2a5f0a968d46d161319bcd9a1437ebc4b50ced6494329d60009e2a
pri_6nky4zpfnfyxpkjmtlvejkowba	2	enrolled	pri_6nky4zpfnfyxpkjmtlvejkowba	enr_qxltmx3mf6ntgg52h7nqgntknq	{"issued_by":"pri_cfvii6p4jlomb3ujd2fax42ifq","key_id":"key_ldjvlmd2l2rxkbke5me2rpj2dm"}	1795554908	a1e6b7658a2a5f0a968d46d161319bcd9a1437ebc4b50ced6494329d60009e2a	ec079c93e51c0a139cf7aab5a2544b9fde335b64f587f57ef5c37c2b33b23bca
\.


--
-- Data for Name: principal_names; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principal_names (principal_id, name) FROM stdin;
pri_cfvii6p4jlomb3ujd2fax42ifq	first admin
pri_qt5xn2ggh2rm7mt6njl6re2ori	owner
pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	analyst
pri_mwmokqw3zhviefu5rfxnbensrm	another
pri_f2uoxbqbw6lsh3isqsadkc7nhq	gone
pri_6nky4zpfnfyxpkjmtlvejkowba	late
\.


--
-- Data for Name: principals; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principals (id, role, created_at, revoked_at, frozen_until, recovery_id, sequence, head_hash, created_nanoseconds) FROM stdin;
pri_cfvii6p4jlomb3ujd2fax42ifq	admin	1795554897	\N	\N	\N	1	f03560c71cac2152606134c38dd76131ef5edc5b45bae554c5f0aa2aa3fb5d20	1795554897601565129
pri_qt5xn2ggh2rm7mt6njl6re2ori	owner	1795554901	\N	\N	\N	2	0410c0ef6f1bec40d8303a887df03dcf336054e3fae4c27deb2811a73d2c39a5	1795554901619953409
pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	analyst	1795554901	\N	\N	\N	2	e41de4c29ee735585a63966064d9e3ea087edaed08bd64075b8d21d7ae637382	1795554901679608023
pri_mwmokqw3zhviefu5rfxnbensrm	analyst	1795554908	\N	\N	\N	4	a5448126074b613788019e5147b67c593144a43108b5048e20a652e76bb9e48a	1795554908051015674
pri_f2uoxbqbw6lsh3isqsadkc7nhq	analyst	1795554908	1795554908	\N	\N	3	de1af21f1040a7ccef351d90685d46961eae3503ad44a9ed2f9a167fd1683327	1795554908187473729
pri_6nky4zpfnfyxpkjmtlvejkowba	owner	1795554908	\N	\N	\N	2	ec079c93e51c0a139cf7aab5a2544b9fde335b64f587f57ef5c37c2b33b23bca	1795554908441432816
\.


--
-- Data for Name: public_texts; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.public_texts (release_id, text, created_at) FROM stdin;
rel_wuslyic5n5rqtaqr5cil5ux5ha	{"id":"rel_wuslyic5n5rqtaqr5cil5ux5ha","dataset_id":"dat_ngft5drwizxr3nzcbdy2kkashi","budget_id":"bud_iafhhwsys4pqura6s3pf5ltvsi","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[47.0,195.0],"noisy_counts":[46,194],"released_counts":[46,194],"categories":[{"label":"category 0","mean":0.19421487603305784,"standard_deviation":0.025377435455345234,"naive_interval":{"level":0.95,"low":0.14695473712705695,"high":0.24625984190749564}},{"label":"category 1","mean":0.8057851239669421,"standard_deviation":0.025377435455345234,"naive_interval":{"level":0.95,"low":0.7537401580925044,"high":0.853045262872943}}]},"created_at":"2026-11-24T21:15:02Z","signature":{"body":{"kind":"private-posterior release signature 1","release_id":"rel_wuslyic5n5rqtaqr5cil5ux5ha","sha256":"0bd077e38f17eeb4235182589756088f5f8ed0e11e02edd6ecc42fb6178df0e0"},"key_id":"139e3940e64b5491","signature":"X2u1KUBg9jibqaA_inVQ96L4n0rDH2ebAdW3ba3Xpn9kVeiGpdvp4COvtXQPPQ1FlMuX_vK9LdSKeWCurCOvDQ"}}	1795554907
\.


--
-- Data for Name: query_charges; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.query_charges (release_id, dataset_id, budget_id, sequence, grant_id, measured, apart, epsilon_alone, delta_alone, rho_alone, epsilon_granted, delta_granted, rho_granted) FROM stdin;
qry_r7ppdlodhxtiudtixofoau3adm	dat_4j5vypohyc5uscl57lzjnjngse	bud_owevoujooeqzz5emxhr2fy7xpe	10	gra_ecnp4xu4h6wczwpkylbz3laigi	[]	[]	0	0	0	0	0	0
\.


--
-- Data for Name: releases; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.releases (id, dataset_id, budget_id, sequence, principal_id, key_hash, payload_hash, spec, epsilon_charged, delta_charged, rho_charged, epsilon_remaining, delta_remaining, rho_remaining, receipt, created_at, state, leased_until, drawn, result, public_since, kind, owner_id) FROM stdin;
rel_e2rpra4biuangsmuw4tbvy5cr4	dat_ngft5drwizxr3nzcbdy2kkashi	bud_iafhhwsys4pqura6s3pf5ltvsi	7	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	8da6693619bfdbb92c8971f4b68324b8187a13fa4b381fed92d23e24b0945687	e300b9a4737cf4d60d7e0f98926d30321f0b3d2ba783be0f1178daf400dbb226	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"exponential","calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"exponential","n":240,"prior":["1.0","1.0"],"epsilon0":"0.146859191","gamma":"0.0265","uniform_admixture":null,"calibration":"certified","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"method":"exact_channel","statement":"(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel.","relation":"replace_one","details":{"loss":"0.099997008","loss_range":"0.148875720","rounding":"2.771e-11"}}}	99997009	100000000000	0	700002991	700000000000	0	{"body":{"accountant":"basic","at":1795554904,"budget_id":"bud_iafhhwsys4pqura6s3pf5ltvsi","chain_hash":"80561e0704a5eec85d22a7fc354a9db14c906e70b58774239f33c0f603adc29d","commitment":"bb7b5eba1a0337c71c9123d61ae50b6ae70640ad539a2dd5b02cb6a5886e3dee","dataset_id":"dat_ngft5drwizxr3nzcbdy2kkashi","delta_units":100000000000,"epsilon_units":99997009,"grant_id":"gra_fnmb222a26jkg5lesuk5fm5qta","key_hash":"8da6693619bfdbb92c8971f4b68324b8187a13fa4b381fed92d23e24b0945687","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"e300b9a4737cf4d60d7e0f98926d30321f0b3d2ba783be0f1178daf400dbb226","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"rel_e2rpra4biuangsmuw4tbvy5cr4","rho_units":0,"sequence":7,"spec_sha256":"d562b3d089d97de00fbe881c70a3fb1385131a7fab59c40dcad9e306deb16471"},"key_id":"139e3940e64b5491","signature":"MpPBVB4RGmOKkPxV-pS_Jk6SOK2L1vPSzIOMqLG2SYHVLlN-ciBYaZ4j9TLSU_tU2DBza8yczgkDhSwlYPrkAg"}	1795554904	complete	1795554925	{"noisy": [212, 28], "on_simplex": [212, 28]}	{"id":"rel_e2rpra4biuangsmuw4tbvy5cr4","dataset_id":"dat_ngft5drwizxr3nzcbdy2kkashi","budget_id":"bud_iafhhwsys4pqura6s3pf5ltvsi","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"exponential","n":240,"prior":["1.0","1.0"],"epsilon0":"0.146859191","gamma":"0.0265","uniform_admixture":null,"calibration":"certified","delta":"0.0000001"},"prior":[1.0,1.0],"mechanism":{"kind":"exponential","calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"requested":{"calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"certified":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.099997009","delta":"0.0000001"},"remaining_after":{"accountant":"basic","epsilon":"0.700002991","delta":"0.0000007"},"certificate":{"method":"exact_channel","statement":"(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"details":{"loss":"0.099997008","loss_range":"0.148875720","rounding":"2.771e-11"}},"posterior":{"concentration":[213.0,29.0],"noisy_counts":[212,28],"released_counts":[212,28],"categories":[{"label":"category 0","mean":0.8801652892561983,"standard_deviation":0.020833886693367176,"naive_interval":{"level":0.95,"low":0.8364760133549459,"high":0.9179114696834842}},{"label":"category 1","mean":0.11983471074380166,"standard_deviation":0.020833886693367176,"naive_interval":{"level":0.95,"low":0.08208853031651579,"high":0.16352398664505408}}]},"created_at":"2026-11-24T21:15:04Z","receipt":{"body":{"accountant":"basic","at":1795554904,"budget_id":"bud_iafhhwsys4pqura6s3pf5ltvsi","chain_hash":"80561e0704a5eec85d22a7fc354a9db14c906e70b58774239f33c0f603adc29d","commitment":"bb7b5eba1a0337c71c9123d61ae50b6ae70640ad539a2dd5b02cb6a5886e3dee","dataset_id":"dat_ngft5drwizxr3nzcbdy2kkashi","delta_units":100000000000,"epsilon_units":99997009,"grant_id":"gra_fnmb222a26jkg5lesuk5fm5qta","key_hash":"8da6693619bfdbb92c8971f4b68324b8187a13fa4b381fed92d23e24b0945687","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"e300b9a4737cf4d60d7e0f98926d30321f0b3d2ba783be0f1178daf400dbb226","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"rel_e2rpra4biuangsmuw4tbvy5cr4","rho_units":0,"sequence":7,"spec_sha256":"d562b3d089d97de00fbe881c70a3fb1385131a7fab59c40dcad9e306deb16471"},"key_id":"139e3940e64b5491","signature":"MpPBVB4RGmOKkPxV-pS_Jk6SOK2L1vPSzIOMqLG2SYHVLlN-ciBYaZ4j9TLSU_tU2DBza8yczgkDhSwlYPrkAg"}}	\N	posterior	pri_qt5xn2ggh2rm7mt6njl6re2ori
rel_fwmugpb4szhoyas5rodzuhz33m	dat_4j5vypohyc5uscl57lzjnjngse	bud_owevoujooeqzz5emxhr2fy7xpe	4	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	345e46fa8d71621a65ffe51a0556a72e30af2b605430637e19f31dcf1216f4b0	7f607df13346bab5c468ce80ab8242da738a36321c51781ab1b867ae954d9cbd	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"simplex_geometric","n":667,"m":5,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}}}	0	0	2856598834	0	800000000000	137143401166	{"body":{"accountant":"zcdp","at":1795554904,"budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","chain_hash":"97f230a3ebf327c9cc2688677dccd4c265f767eaf5c5f20f52fad301d400f2ae","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","delta_units":0,"epsilon_units":0,"grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"345e46fa8d71621a65ffe51a0556a72e30af2b605430637e19f31dcf1216f4b0","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"7f607df13346bab5c468ce80ab8242da738a36321c51781ab1b867ae954d9cbd","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"rel_fwmugpb4szhoyas5rodzuhz33m","rho_units":2856598834,"sequence":4,"spec_sha256":"705536b46c468eb1bd505605a907892056015c07f9acb55ccc9f2fa868066fbb"},"key_id":"139e3940e64b5491","signature":"SHPwf2SBg6YYK_ag3-WpUDrr6a7BcDcwuHgmvDLP--UscTeMTV3esdDw7_H9j53YgxEPLWWxkase83hd5JQWCQ"}	1795554904	complete	1795554925	{"noisy": [44, 307, 52, 22, 242], "on_simplex": [44, 307, 52, 22, 242]}	{"id":"rel_fwmugpb4szhoyas5rodzuhz33m","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"simplex_geometric","n":667,"m":5,"epsilon":"0.1"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002856598834","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.137143401166","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[44.5,307.5,52.5,22.5,242.5],"noisy_counts":[44,307,52,22,242],"released_counts":[44,307,52,22,242],"categories":[{"label":"female · yes","mean":0.06646751306945482,"standard_deviation":0.00961988857475121,"naive_interval":{"level":0.95,"low":0.04887370537138222,"high":0.08651160473023077}},{"label":"female · no","mean":0.4592979835698282,"standard_deviation":0.019245396937809245,"naive_interval":{"level":0.95,"low":0.4217048959727738,"high":0.4971214175865516}},{"label":"female · unknown","mean":0.07841672890216579,"standard_deviation":0.010381790512419973,"naive_interval":{"level":0.95,"low":0.05929295802974626,"high":0.09992384163536423}},{"label":"male · yes","mean":0.033607169529499624,"standard_deviation":0.006959746591008832,"naive_interval":{"level":0.95,"low":0.021333846608655487,"high":0.048512231919366426}},{"label":"male · no","mean":0.36221060492905155,"standard_deviation":0.018561789213350853,"naive_interval":{"level":0.95,"low":0.3262330849045375,"high":0.3989678961198724}}]},"created_at":"2026-11-24T21:15:04Z","receipt":{"body":{"accountant":"zcdp","at":1795554904,"budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","chain_hash":"97f230a3ebf327c9cc2688677dccd4c265f767eaf5c5f20f52fad301d400f2ae","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","delta_units":0,"epsilon_units":0,"grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"345e46fa8d71621a65ffe51a0556a72e30af2b605430637e19f31dcf1216f4b0","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"7f607df13346bab5c468ce80ab8242da738a36321c51781ab1b867ae954d9cbd","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"rel_fwmugpb4szhoyas5rodzuhz33m","rho_units":2856598834,"sequence":4,"spec_sha256":"705536b46c468eb1bd505605a907892056015c07f9acb55ccc9f2fa868066fbb"},"key_id":"139e3940e64b5491","signature":"SHPwf2SBg6YYK_ag3-WpUDrr6a7BcDcwuHgmvDLP--UscTeMTV3esdDw7_H9j53YgxEPLWWxkase83hd5JQWCQ"}}	\N	posterior	pri_qt5xn2ggh2rm7mt6njl6re2ori
rel_u3oy2mtb5lhp7zbmspk5kpsiry	dat_4j5vypohyc5uscl57lzjnjngse	bud_owevoujooeqzz5emxhr2fy7xpe	5	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	fd87314f4d3328ba60cc2fab01a04d34f82c18b06dd9d650d2f25a7c3da80192	8ef1c3abac61dc840a491d11251245829a2cd95e82d5201e568c9e8c25d79604	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"laplace","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"laplace","n":667,"m":5,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: Laplace noise of scale 2/0.1 on all counts but the last, which one replaced record changes by 2 in all.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_scale":"2/0.1"}}}	0	0	2438528778	0	800000000000	134704872388	{"body":{"accountant":"zcdp","at":1795554904,"budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","chain_hash":"ad6514b54050c33cdc0a5ed6f1c33446e570bb6ae25dc0a92434f7ced2f54f8c","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","delta_units":0,"epsilon_units":0,"grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"fd87314f4d3328ba60cc2fab01a04d34f82c18b06dd9d650d2f25a7c3da80192","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"8ef1c3abac61dc840a491d11251245829a2cd95e82d5201e568c9e8c25d79604","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"rel_u3oy2mtb5lhp7zbmspk5kpsiry","rho_units":2438528778,"sequence":5,"spec_sha256":"33593e2b3f7e3439f184624c894c653507cdb6d46bbfd6147907f220af7a3e40"},"key_id":"139e3940e64b5491","signature":"R0vYg2g9HOn9qtR4nqitmdLGs0MLmiI_1Npyh6BOP6AeF4OMwWTRTK5HZHh0RmimWbjfw6427JsDnRrcsQFXAA"}	1795554904	complete	1795554925	{"noisy": [46, 296, 12, -13], "on_simplex": [46, 296, 12, 0, 313]}	{"id":"rel_u3oy2mtb5lhp7zbmspk5kpsiry","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"laplace","n":667,"m":5,"epsilon":"0.1"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"laplace","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002438528778","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.134704872388","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: Laplace noise of scale 2/0.1 on all counts but the last, which one replaced record changes by 2 in all.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_scale":"2/0.1"}},"posterior":{"concentration":[46.5,296.5,12.5,0.5,313.5],"noisy_counts":[46,296,12,-13],"released_counts":[46,296,12,0,313],"categories":[{"label":"female · yes","mean":0.06945481702763256,"standard_deviation":0.009817943473465257,"naive_interval":{"level":0.95,"low":0.05146360050756195,"high":0.08987960497638182}},{"label":"female · no","mean":0.44286781179985063,"standard_deviation":0.01918301172804168,"naive_interval":{"level":0.95,"low":0.4054435783489191,"high":0.48061537463072584}},{"label":"female · unknown","mean":0.018670649738610903,"standard_deviation":0.005227423896339324,"naive_interval":{"level":0.95,"low":0.009849331499276522,"high":0.0302007040752163}},{"label":"male · yes","mean":0.0007468259895444362,"standard_deviation":0.0010549893818436278,"naive_interval":{"level":0.95,"low":7.342569629795003e-7,"high":0.0037491302822801123}},{"label":"male · no","mean":0.4682598954443615,"standard_deviation":0.019270536205351307,"naive_interval":{"level":0.95,"low":0.4305921405412704,"high":0.5061072784929637}}]},"created_at":"2026-11-24T21:15:04Z","receipt":{"body":{"accountant":"zcdp","at":1795554904,"budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","chain_hash":"ad6514b54050c33cdc0a5ed6f1c33446e570bb6ae25dc0a92434f7ced2f54f8c","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","delta_units":0,"epsilon_units":0,"grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"fd87314f4d3328ba60cc2fab01a04d34f82c18b06dd9d650d2f25a7c3da80192","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"8ef1c3abac61dc840a491d11251245829a2cd95e82d5201e568c9e8c25d79604","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"rel_u3oy2mtb5lhp7zbmspk5kpsiry","rho_units":2438528778,"sequence":5,"spec_sha256":"33593e2b3f7e3439f184624c894c653507cdb6d46bbfd6147907f220af7a3e40"},"key_id":"139e3940e64b5491","signature":"R0vYg2g9HOn9qtR4nqitmdLGs0MLmiI_1Npyh6BOP6AeF4OMwWTRTK5HZHh0RmimWbjfw6427JsDnRrcsQFXAA"}}	\N	posterior	pri_qt5xn2ggh2rm7mt6njl6re2ori
rel_evlyzkpmsrfz2pnizgdejbppiu	dat_4j5vypohyc5uscl57lzjnjngse	bud_owevoujooeqzz5emxhr2fy7xpe	6	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	e1bd6a92c81dae4bd377f29f566107cef4709412635a18adb23c8abe09405798	b876c12a7a013b226f83809b309740175de16228dbf4699be9a886127d375428	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"gaussian","rho":"0.01","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"gaussian","n":667,"m":5,"rho":"0.01","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"method":"theorem","statement":"The release is 0.01-zCDP: discrete Gaussian noise with sigma^2 = 1/0.01 on every count, and replacing one record moves two counts by 1. Hence it is (0.689914956, 0.0000001)-differentially private.","relation":"replace_one","details":{"l2_sensitivity_squared":"2","noise_variance":"1/0.01"}}}	0	0	10000000000	0	800000000000	124704872388	{"body":{"accountant":"zcdp","at":1795554905,"budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","chain_hash":"e910f0eb276b5050935c702f499fae481f1167b7db1ad47f276c3061f6575c41","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","delta_units":0,"epsilon_units":0,"grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"e1bd6a92c81dae4bd377f29f566107cef4709412635a18adb23c8abe09405798","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"b876c12a7a013b226f83809b309740175de16228dbf4699be9a886127d375428","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"rel_evlyzkpmsrfz2pnizgdejbppiu","rho_units":10000000000,"sequence":6,"spec_sha256":"c305371bdcf35959541f899d4224fc40346c2eb39baadde048ca07e459d08a04"},"key_id":"139e3940e64b5491","signature":"QQSKZ7b5FxnzjNbT1YhAYFRbI2p5nYutDSWiaBAE5cozm41-uMywzb8z8Rhr2bQAdWhOhOXvx3hizM6TuqycCQ"}	1795554905	complete	1795554926	{"noisy": [31, 290, 10, 3, 282], "on_simplex": [41, 300, 20, 14, 292]}	{"id":"rel_evlyzkpmsrfz2pnizgdejbppiu","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"gaussian","n":667,"m":5,"rho":"0.01","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"gaussian","rho":"0.01","delta":"0.0000001"},"requested":{"rho":"0.01","delta":"0.0000001"},"certified":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.01","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.124704872388","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.01-zCDP: discrete Gaussian noise with sigma^2 = 1/0.01 on every count, and replacing one record moves two counts by 1. Hence it is (0.689914956, 0.0000001)-differentially private.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"details":{"l2_sensitivity_squared":"2","noise_variance":"1/0.01"}},"posterior":{"concentration":[41.5,300.5,20.5,14.5,292.5],"noisy_counts":[31,290,10,3,282],"released_counts":[41,300,20,14,292],"categories":[{"label":"female · yes","mean":0.0619865571321882,"standard_deviation":0.009312234370656088,"naive_interval":{"level":0.95,"low":0.045009677164592816,"high":0.08143875343790714}},{"label":"female · no","mean":0.44884241971620614,"standard_deviation":0.019208146030892267,"naive_interval":{"level":0.95,"low":0.41135198172060755,"high":0.4866223752002653}},{"label":"female · unknown","mean":0.030619865571321882,"standard_deviation":0.006653486905343432,"naive_interval":{"level":0.95,"low":0.018957381940911216,"high":0.04493008857963238}},{"label":"male · yes","mean":0.021657953696788648,"standard_deviation":0.0056215318898101725,"naive_interval":{"level":0.95,"low":0.012051877288910665,"high":0.03395822191359607}},{"label":"male · no","mean":0.4368932038834951,"standard_deviation":0.019155065345428504,"naive_interval":{"level":0.95,"low":0.3995406906277048,"high":0.47460285828572474}}]},"created_at":"2026-11-24T21:15:05Z","receipt":{"body":{"accountant":"zcdp","at":1795554905,"budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","chain_hash":"e910f0eb276b5050935c702f499fae481f1167b7db1ad47f276c3061f6575c41","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","delta_units":0,"epsilon_units":0,"grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"e1bd6a92c81dae4bd377f29f566107cef4709412635a18adb23c8abe09405798","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"b876c12a7a013b226f83809b309740175de16228dbf4699be9a886127d375428","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"rel_evlyzkpmsrfz2pnizgdejbppiu","rho_units":10000000000,"sequence":6,"spec_sha256":"c305371bdcf35959541f899d4224fc40346c2eb39baadde048ca07e459d08a04"},"key_id":"139e3940e64b5491","signature":"QQSKZ7b5FxnzjNbT1YhAYFRbI2p5nYutDSWiaBAE5cozm41-uMywzb8z8Rhr2bQAdWhOhOXvx3hizM6TuqycCQ"}}	\N	posterior	pri_qt5xn2ggh2rm7mt6njl6re2ori
rel_wuslyic5n5rqtaqr5cil5ux5ha	dat_ngft5drwizxr3nzcbdy2kkashi	bud_iafhhwsys4pqura6s3pf5ltvsi	6	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	7561561efefce4edeb4a8f505f60d5562f1cd991c3762e3437db33afca39e8df	9e5a6f907a5eb06dc4fb75b368701e4330aa4a9b361055116f1d3b7a8e8286ec	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}}}	100000000	0	0	800000000	800000000000	0	{"body":{"accountant":"basic","at":1795554902,"budget_id":"bud_iafhhwsys4pqura6s3pf5ltvsi","chain_hash":"eacb52df9325494cc38f075096c20c38bb3e547774ec877257770978ecd75ebd","commitment":"bb7b5eba1a0337c71c9123d61ae50b6ae70640ad539a2dd5b02cb6a5886e3dee","dataset_id":"dat_ngft5drwizxr3nzcbdy2kkashi","delta_units":0,"epsilon_units":100000000,"grant_id":"gra_fnmb222a26jkg5lesuk5fm5qta","key_hash":"7561561efefce4edeb4a8f505f60d5562f1cd991c3762e3437db33afca39e8df","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"9e5a6f907a5eb06dc4fb75b368701e4330aa4a9b361055116f1d3b7a8e8286ec","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"rel_wuslyic5n5rqtaqr5cil5ux5ha","rho_units":0,"sequence":6,"spec_sha256":"de23c21283969e8a7000e4101d77422108c94bf38f1395765fbe9ee364a73c5f"},"key_id":"139e3940e64b5491","signature":"IGLYiJyXfI2COrNNpFjKCaNN2mAcarBinrsaEKxlPDOys_RfEL8QYFKsocY5e3gNkALGKgVi-Kb2Lvyb-p_0Bg"}	1795554902	complete	1795554923	{"noisy": [46, 194], "on_simplex": [46, 194]}	{"id":"rel_wuslyic5n5rqtaqr5cil5ux5ha","dataset_id":"dat_ngft5drwizxr3nzcbdy2kkashi","budget_id":"bud_iafhhwsys4pqura6s3pf5ltvsi","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.8","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[47.0,195.0],"noisy_counts":[46,194],"released_counts":[46,194],"categories":[{"label":"category 0","mean":0.19421487603305784,"standard_deviation":0.025377435455345234,"naive_interval":{"level":0.95,"low":0.14695473712705695,"high":0.24625984190749564}},{"label":"category 1","mean":0.8057851239669421,"standard_deviation":0.025377435455345234,"naive_interval":{"level":0.95,"low":0.7537401580925044,"high":0.853045262872943}}]},"created_at":"2026-11-24T21:15:02Z","receipt":{"body":{"accountant":"basic","at":1795554902,"budget_id":"bud_iafhhwsys4pqura6s3pf5ltvsi","chain_hash":"eacb52df9325494cc38f075096c20c38bb3e547774ec877257770978ecd75ebd","commitment":"bb7b5eba1a0337c71c9123d61ae50b6ae70640ad539a2dd5b02cb6a5886e3dee","dataset_id":"dat_ngft5drwizxr3nzcbdy2kkashi","delta_units":0,"epsilon_units":100000000,"grant_id":"gra_fnmb222a26jkg5lesuk5fm5qta","key_hash":"7561561efefce4edeb4a8f505f60d5562f1cd991c3762e3437db33afca39e8df","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"9e5a6f907a5eb06dc4fb75b368701e4330aa4a9b361055116f1d3b7a8e8286ec","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"rel_wuslyic5n5rqtaqr5cil5ux5ha","rho_units":0,"sequence":6,"spec_sha256":"de23c21283969e8a7000e4101d77422108c94bf38f1395765fbe9ee364a73c5f"},"key_id":"139e3940e64b5491","signature":"IGLYiJyXfI2COrNNpFjKCaNN2mAcarBinrsaEKxlPDOys_RfEL8QYFKsocY5e3gNkALGKgVi-Kb2Lvyb-p_0Bg"}}	1795554907	posterior	pri_qt5xn2ggh2rm7mt6njl6re2ori
rel_yqbjrypi5ml7t6frglutesmcxe	dat_4j5vypohyc5uscl57lzjnjngse	bud_owevoujooeqzz5emxhr2fy7xpe	7	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	6b3031b81799a4c704252a2d72961f60c428a9ea54e9d7ba749b02c4a55ca841	f4969480ef6c1e31814ac6be7db47925775fa211b0b5d280aecc40a7733d54b2	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential","calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.10781884","gamma":"0.0342","uniform_admixture":null,"calibration":"proven","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"method":"theorem","statement":"(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","details":{"change_of_rate":"0.044264479","draw":"rejection","excess_by_ratio":"0.059336596","excess_by_tail":"1.355692916","normalisers":"0.001824692","rounding":"4.214e-11","score":"0.053909420"}}}	0	0	2321993715	0	800000000000	122382878673	{"body":{"accountant":"zcdp","at":1795554905,"budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","chain_hash":"e60fda2897f3dea2a2d20250fa78ebce1e3960296eb7c1c7c25ee9e242fe7155","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","delta_units":0,"epsilon_units":0,"grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"6b3031b81799a4c704252a2d72961f60c428a9ea54e9d7ba749b02c4a55ca841","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"f4969480ef6c1e31814ac6be7db47925775fa211b0b5d280aecc40a7733d54b2","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"rel_yqbjrypi5ml7t6frglutesmcxe","rho_units":2321993715,"sequence":7,"spec_sha256":"e0e1ba13a14ab1e0ad49104747d307fc8fcdc22d2bc432f8f52bbfaea01b9cb2"},"key_id":"139e3940e64b5491","signature":"BlrOb7bolwuHEbrKKYeEs1BypWbsH-ikuBaXdpkRf9SKcrEZNloLVKmeWJeQm2qPSHgKIvF6GFZ613vGCtnnBQ"}	1795554905	complete	1795554926	{"noisy": [132, 193, 16, 114, 212], "on_simplex": [132, 193, 16, 114, 212]}	{"id":"rel_yqbjrypi5ml7t6frglutesmcxe","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.10781884","gamma":"0.0342","uniform_admixture":null,"calibration":"proven","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential","calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"requested":{"calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"certified":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002321993715","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.122382878673","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"details":{"change_of_rate":"0.044264479","draw":"rejection","excess_by_ratio":"0.059336596","excess_by_tail":"1.355692916","normalisers":"0.001824692","rounding":"4.214e-11","score":"0.053909420"}},"posterior":{"concentration":[132.5,193.5,16.5,114.5,212.5],"noisy_counts":[132,193,16,114,212],"released_counts":[132,193,16,114,212],"categories":[{"label":"female · yes","mean":0.19790888722927558,"standard_deviation":0.01538668665281918,"naive_interval":null},{"label":"female · no","mean":0.2890216579536968,"standard_deviation":0.01750628476419768,"naive_interval":null},{"label":"female · unknown","mean":0.024645257654966394,"standard_deviation":0.005987542241030401,"naive_interval":null},{"label":"male · yes","mean":0.17102315160567588,"standard_deviation":0.014541167009128922,"naive_interval":null},{"label":"male · no","mean":0.3174010455563854,"standard_deviation":0.017975773813663717,"naive_interval":null}]},"created_at":"2026-11-24T21:15:05Z","receipt":{"body":{"accountant":"zcdp","at":1795554905,"budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","chain_hash":"e60fda2897f3dea2a2d20250fa78ebce1e3960296eb7c1c7c25ee9e242fe7155","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","delta_units":0,"epsilon_units":0,"grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"6b3031b81799a4c704252a2d72961f60c428a9ea54e9d7ba749b02c4a55ca841","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"f4969480ef6c1e31814ac6be7db47925775fa211b0b5d280aecc40a7733d54b2","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"rel_yqbjrypi5ml7t6frglutesmcxe","rho_units":2321993715,"sequence":7,"spec_sha256":"e0e1ba13a14ab1e0ad49104747d307fc8fcdc22d2bc432f8f52bbfaea01b9cb2"},"key_id":"139e3940e64b5491","signature":"BlrOb7bolwuHEbrKKYeEs1BypWbsH-ikuBaXdpkRf9SKcrEZNloLVKmeWJeQm2qPSHgKIvF6GFZ613vGCtnnBQ"}}	\N	posterior	pri_qt5xn2ggh2rm7mt6njl6re2ori
rel_2ihxrpso7bzo6as5uht6bdr7ji	dat_4j5vypohyc5uscl57lzjnjngse	bud_owevoujooeqzz5emxhr2fy7xpe	8	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	2370b147b5aea6599f38daefec7f7b6a028f44e3a7bb966e79a3f157bce57062	4574d373b57d4a99da6db8c44a5641f8c485c5cb4f3b499e1b7711899927218d	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_published","nominal_epsilon":"0.2","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.2","gamma":"0.004279815109635818","uniform_admixture":null,"calibration":"published","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"method":"theorem","statement":"(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","details":{"change_of_rate":"0.013980835","draw":"rejection","excess_by_ratio":"0.013980835","excess_by_tail":"0.167125342","normalisers":"0.005005989","rounding":"6.634e-11","score":"0.100000000"}}}	0	0	5097263440	0	800000000000	117285615233	{"body":{"accountant":"zcdp","at":1795554906,"budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","chain_hash":"61e79d3618d7f3dfe3d87a5e5f02bba779a26147499d732d7f606cbe45adf051","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","delta_units":0,"epsilon_units":0,"grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"2370b147b5aea6599f38daefec7f7b6a028f44e3a7bb966e79a3f157bce57062","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"4574d373b57d4a99da6db8c44a5641f8c485c5cb4f3b499e1b7711899927218d","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"rel_2ihxrpso7bzo6as5uht6bdr7ji","rho_units":5097263440,"sequence":8,"spec_sha256":"38cf248e19022ae7950c0a70982c17cb5ac1cc5e08cab6c8f6b0abce4271d3ba"},"key_id":"139e3940e64b5491","signature":"we5ha-SVheTEYP6757z3-gLvwgdmNFCCVifgw-Vctmdvnpx0HrbOC86oFPTEv1DqbjeFBP8cQ2L93Lw4SdNjAg"}	1795554906	complete	1795554927	{"noisy": [119, 144, 91, 41, 272], "on_simplex": [119, 144, 91, 41, 272]}	{"id":"rel_2ihxrpso7bzo6as5uht6bdr7ji","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.2","gamma":"0.004279815109635818","uniform_admixture":null,"calibration":"published","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_published","nominal_epsilon":"0.2","delta":"0.0000001"},"requested":{"nominal_epsilon":"0.2","delta":"0.0000001"},"certified":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.00509726344","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.117285615233","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"details":{"change_of_rate":"0.013980835","draw":"rejection","excess_by_ratio":"0.013980835","excess_by_tail":"0.167125342","normalisers":"0.005005989","rounding":"6.634e-11","score":"0.100000000"}},"posterior":{"concentration":[119.5,144.5,91.5,41.5,272.5],"noisy_counts":[119,144,91,41,272],"released_counts":[119,144,91,41,272],"categories":[{"label":"female · yes","mean":0.17849141150112025,"standard_deviation":0.014788200322779771,"naive_interval":null},{"label":"female · no","mean":0.21583271097834206,"standard_deviation":0.015887794096973697,"naive_interval":null},{"label":"female · unknown","mean":0.13666915608663183,"standard_deviation":0.013265526569630565,"naive_interval":null},{"label":"male · yes","mean":0.0619865571321882,"standard_deviation":0.009312234370656088,"naive_interval":null},{"label":"male · no","mean":0.4070201643017177,"standard_deviation":0.01897267355343287,"naive_interval":null}]},"created_at":"2026-11-24T21:15:06Z","receipt":{"body":{"accountant":"zcdp","at":1795554906,"budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","chain_hash":"61e79d3618d7f3dfe3d87a5e5f02bba779a26147499d732d7f606cbe45adf051","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","delta_units":0,"epsilon_units":0,"grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"2370b147b5aea6599f38daefec7f7b6a028f44e3a7bb966e79a3f157bce57062","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"4574d373b57d4a99da6db8c44a5641f8c485c5cb4f3b499e1b7711899927218d","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"rel_2ihxrpso7bzo6as5uht6bdr7ji","rho_units":5097263440,"sequence":8,"spec_sha256":"38cf248e19022ae7950c0a70982c17cb5ac1cc5e08cab6c8f6b0abce4271d3ba"},"key_id":"139e3940e64b5491","signature":"we5ha-SVheTEYP6757z3-gLvwgdmNFCCVifgw-Vctmdvnpx0HrbOC86oFPTEv1DqbjeFBP8cQ2L93Lw4SdNjAg"}}	\N	posterior	pri_qt5xn2ggh2rm7mt6njl6re2ori
rel_4udasieuhwgxkqnfhqpwime36q	dat_4j5vypohyc5uscl57lzjnjngse	bud_owevoujooeqzz5emxhr2fy7xpe	9	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	655bf9a7e6bc45de7369a4b4b8d7180643577c0f1450e642c7ce8e43c92cea05	075d1d570707ddfed1ee3406228d87dda02c15a27a3ef18d31f7ed5d58dc6646	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_global","epsilon":"0.3","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.299999999","gamma":null,"uniform_admixture":null,"calibration":"global","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"method":"theorem","statement":"(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2.","relation":"replace_one","details":{"draw":"rejection","normalisers":"0.002500479","rounding":"1.782e-11","score":"0.150000000"}}}	0	0	11249999939	0	800000000000	106035615294	{"body":{"accountant":"zcdp","at":1795554907,"budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","chain_hash":"bc9e217909a72a3d683cea19d0685c2fe54f76e77d1d99206e3b0831bc9a1d82","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","delta_units":0,"epsilon_units":0,"grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"655bf9a7e6bc45de7369a4b4b8d7180643577c0f1450e642c7ce8e43c92cea05","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"075d1d570707ddfed1ee3406228d87dda02c15a27a3ef18d31f7ed5d58dc6646","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"rel_4udasieuhwgxkqnfhqpwime36q","rho_units":11249999939,"sequence":9,"spec_sha256":"762ca2a9fc23a54fac5ae3ebbda6354f8df5e3a15be643cef8e21dc0f4627968"},"key_id":"139e3940e64b5491","signature":"-pJFTeJe4MQVxXIgH82lQCgp5hFqwhd01nycWqyxfSH965FTEvnxjdjWc6-fPZAea3WosVXPSvzafTaJ0j_2Dw"}	1795554907	complete	1795554928	{"noisy": [203, 39, 193, 206, 26], "on_simplex": [203, 39, 193, 206, 26]}	{"id":"rel_4udasieuhwgxkqnfhqpwime36q","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.299999999","gamma":null,"uniform_admixture":null,"calibration":"global","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_global","epsilon":"0.3","delta":"0.0000001"},"requested":{"epsilon":"0.3","delta":"0.0000001"},"certified":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.011249999939","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.106035615294","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"details":{"draw":"rejection","normalisers":"0.002500479","rounding":"1.782e-11","score":"0.150000000"}},"posterior":{"concentration":[203.5,39.5,193.5,206.5,26.5],"noisy_counts":[203,39,193,206,26],"released_counts":[203,39,193,206,26],"categories":[{"label":"female · yes","mean":0.3039581777445855,"standard_deviation":0.01776336307545952,"naive_interval":null},{"label":"female · no","mean":0.05899925317401045,"standard_deviation":0.00909952767324171,"naive_interval":null},{"label":"female · unknown","mean":0.2890216579536968,"standard_deviation":0.01750628476419768,"naive_interval":null},{"label":"male · yes","mean":0.3084391336818521,"standard_deviation":0.017836126796012392,"naive_interval":null},{"label":"male · no","mean":0.039581777445855115,"standard_deviation":0.007529713483628446,"naive_interval":null}]},"created_at":"2026-11-24T21:15:07Z","receipt":{"body":{"accountant":"zcdp","at":1795554907,"budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","chain_hash":"bc9e217909a72a3d683cea19d0685c2fe54f76e77d1d99206e3b0831bc9a1d82","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","delta_units":0,"epsilon_units":0,"grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"655bf9a7e6bc45de7369a4b4b8d7180643577c0f1450e642c7ce8e43c92cea05","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"075d1d570707ddfed1ee3406228d87dda02c15a27a3ef18d31f7ed5d58dc6646","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"rel_4udasieuhwgxkqnfhqpwime36q","rho_units":11249999939,"sequence":9,"spec_sha256":"762ca2a9fc23a54fac5ae3ebbda6354f8df5e3a15be643cef8e21dc0f4627968"},"key_id":"139e3940e64b5491","signature":"-pJFTeJe4MQVxXIgH82lQCgp5hFqwhd01nycWqyxfSH965FTEvnxjdjWc6-fPZAea3WosVXPSvzafTaJ0j_2Dw"}}	\N	posterior	pri_qt5xn2ggh2rm7mt6njl6re2ori
rel_bm37aubiehz4b4ylxlum3dmxb4	dat_czi5457rojholp6orcowlpyr7y	bud_iafhhwsys4pqura6s3pf5ltvsi	8	pri_qt5xn2ggh2rm7mt6njl6re2ori	2a0cf85193c8170dc60b1541155e68873bdab23e42f979224318c0256a8a06f8	62318dfe465dda003db460e7292739245e07d663d64e0d2ca454e6a764be275f	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":2,"accountant":"basic","event":{"event":"simplex_geometric","n":21,"m":2,"epsilon":"0.05"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"method":"theorem","statement":"(0.1, 0)-differentially private when 2 records change their categories, by group privacy from one record: The release is 0.05-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.05/2","support":"lattice","records_per_unit":"2","epsilon_of_one_record":"0.05"}}}	100000000	0	0	700002991	900000000000	0	{"body":{"accountant":"basic","at":1795554907,"budget_id":"bud_iafhhwsys4pqura6s3pf5ltvsi","chain_hash":"66ef6e0d3f8b5ca79d5d1b2c2b8a2f75e3dacf00eb3e298b5aa8718f1d77f3a9","commitment":"3ccb42f4d6ca0803232dcba51e9f467b3e5de96b5b39ed321a638903d723d2a1","dataset_id":"dat_czi5457rojholp6orcowlpyr7y","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"2a0cf85193c8170dc60b1541155e68873bdab23e42f979224318c0256a8a06f8","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"62318dfe465dda003db460e7292739245e07d663d64e0d2ca454e6a764be275f","principal_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","release_id":"rel_bm37aubiehz4b4ylxlum3dmxb4","rho_units":0,"sequence":8,"spec_sha256":"cb4699f722245f875dea7176be782ce4524262cf221171fd2b6cf52fa808283c"},"key_id":"139e3940e64b5491","signature":"f9OVEimw76-PMNgOQZBVLL4-y_AtQba78zJEhHBufOFEPdxalxpEkKlDjVa6P6KIwMqKbKMqMD8EWwNJHp6aDg"}	1795554907	complete	1795554928	{"noisy": [23, -2], "on_simplex": [21, 0]}	{"id":"rel_bm37aubiehz4b4ylxlum3dmxb4","dataset_id":"dat_czi5457rojholp6orcowlpyr7y","budget_id":"bud_iafhhwsys4pqura6s3pf5ltvsi","principal_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":21,"category_count":2,"records_per_unit":2,"event":{"event":"simplex_geometric","n":21,"m":2,"epsilon":"0.05"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.700002991","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"(0.1, 0)-differentially private when 2 records change their categories, by group privacy from one record: The release is 0.05-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.05/2","support":"lattice","records_per_unit":"2","epsilon_of_one_record":"0.05"}},"posterior":{"concentration":[22.0,1.0],"noisy_counts":[23,-2],"released_counts":[21,0],"categories":[{"label":"category 0","mean":0.9565217391304348,"standard_deviation":0.04162726555462339,"naive_interval":{"level":0.95,"low":0.8456274871844255,"high":0.9988498524734264}},{"label":"category 1","mean":0.043478260869565216,"standard_deviation":0.04162726555462339,"naive_interval":{"level":0.95,"low":0.0011501475265735762,"high":0.15437251281557457}}]},"created_at":"2026-11-24T21:15:07Z","receipt":{"body":{"accountant":"basic","at":1795554907,"budget_id":"bud_iafhhwsys4pqura6s3pf5ltvsi","chain_hash":"66ef6e0d3f8b5ca79d5d1b2c2b8a2f75e3dacf00eb3e298b5aa8718f1d77f3a9","commitment":"3ccb42f4d6ca0803232dcba51e9f467b3e5de96b5b39ed321a638903d723d2a1","dataset_id":"dat_czi5457rojholp6orcowlpyr7y","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"2a0cf85193c8170dc60b1541155e68873bdab23e42f979224318c0256a8a06f8","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"62318dfe465dda003db460e7292739245e07d663d64e0d2ca454e6a764be275f","principal_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","release_id":"rel_bm37aubiehz4b4ylxlum3dmxb4","rho_units":0,"sequence":8,"spec_sha256":"cb4699f722245f875dea7176be782ce4524262cf221171fd2b6cf52fa808283c"},"key_id":"139e3940e64b5491","signature":"f9OVEimw76-PMNgOQZBVLL4-y_AtQba78zJEhHBufOFEPdxalxpEkKlDjVa6P6KIwMqKbKMqMD8EWwNJHp6aDg"}}	\N	posterior	pri_qt5xn2ggh2rm7mt6njl6re2ori
qry_r7ppdlodhxtiudtixofoau3adm	dat_4j5vypohyc5uscl57lzjnjngse	bud_owevoujooeqzz5emxhr2fy7xpe	10	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	4a783824483808a85300ced548d8b9482a8b8fe12fbf85857fe9e1411a757def	bbc9fd327a0ee27650ff041599d6e7485b0bd5cd2396efc8295df76948a145fc	{"kind":"query","request":{"queries":[{"weights":null,"labels":null,"where":{"sex":["female"]},"half_width":60.0,"confidence":0.95,"between":null},{"weights":null,"labels":null,"where":{"ill":["yes"]},"half_width":null,"confidence":0.95,"between":null}],"constraints":null,"max_charge":null},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"record_count":667,"accountant":"zcdp","rests_on":["rel_evlyzkpmsrfz2pnizgdejbppiu","rel_u3oy2mtb5lhp7zbmspk5kpsiry","rel_fwmugpb4szhoyas5rodzuhz33m"],"numbers":112,"event":null,"certificate":null,"errors":[[9.788915081308065,20.181351330445253],[9.70561597680938,20.010691429893903]]}	0	0	0	0	800000000000	106035615294	{"body":{"accountant":"zcdp","at":1795554907,"budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","chain_hash":"a29054c049bf92707ddf9c93901451b07ed365051d38e5a971e12bac387d6de4","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","delta_units":0,"epsilon_units":0,"grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"4a783824483808a85300ced548d8b9482a8b8fe12fbf85857fe9e1411a757def","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"bbc9fd327a0ee27650ff041599d6e7485b0bd5cd2396efc8295df76948a145fc","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"qry_r7ppdlodhxtiudtixofoau3adm","rho_units":0,"sequence":10,"spec_sha256":"d13c8abd3bf3939eda6c6fed0c7ab791fe85237817c14d773e67e345d1724d3a"},"key_id":"139e3940e64b5491","signature":"7YO83ulvmIcrB0zgqONVsWqfN47PXhkVmDdzSGLfpeKPJla9-XWWFdlbwZdh3Sf7fRrEJ62HArTVz9iFCInFDw"}	1795554907	complete	1795554907	[]	{"id":"qry_r7ppdlodhxtiudtixofoau3adm","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","state":"complete","queries":[{"weights":null,"labels":null,"where":{"sex":["female"]},"half_width":60.0,"confidence":0.95,"between":null},{"weights":null,"labels":null,"where":{"ill":["yes"]},"half_width":null,"confidence":0.95,"between":null}],"answers":[{"estimate":368.5686177363286,"standard_deviation":9.788915081308065,"interval":{"low":348.3872664058792,"high":388.74996906677796,"half_width":20.181351330449363,"confidence":0.95},"probability":null,"used":[{"release_id":"rel_evlyzkpmsrfz2pnizgdejbppiu","weights":[0.3194095282302017,0.3194095282302017,0.3194095282302017,-0.4547561376488579,-0.5034724470417472]},{"release_id":"rel_u3oy2mtb5lhp7zbmspk5kpsiry","weights":[0.039922031444299975,0.039922031444299975,0.039922031444299975,-0.05683859503909906]},{"release_id":"rel_fwmugpb4szhoyas5rodzuhz33m","weights":[0.05325394018425851,0.05325394018425851,0.05325394018425851,-0.07581976745328295,-0.08394205309949258]}],"with_constraints":null},{"estimate":55.400142269456154,"standard_deviation":9.70561597680938,"interval":{"low":35.389450839557654,"high":75.41083369935465,"half_width":20.0106914298985,"confidence":0.95},"probability":null,"used":[{"release_id":"rel_evlyzkpmsrfz2pnizgdejbppiu","weights":[0.4709949074464876,-0.30317075843257196,-0.30317075843257185,0.4709949074464876,-0.3356482980278314]},{"release_id":"rel_u3oy2mtb5lhp7zbmspk5kpsiry","weights":[0.058868229790666325,-0.03789239669273271,-0.0378923966927327,0.05886822979066633]},{"release_id":"rel_fwmugpb4szhoyas5rodzuhz33m","weights":[0.07852719600201948,-0.05054651163552197,-0.05054651163552196,0.07852719600201948,-0.05596136873299505]}],"with_constraints":null}],"covariance":[[95.82285846906049,-13.534660941865624],[-13.534660941865624,94.19898148929752]],"measured":[],"charged":{"accountant":"zcdp","rho":"0","delta":"0"},"standalone_cost":{"accountant":"zcdp","rho":"0","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.106035615294","delta":"0.0000008"},"record_count":667,"category_count":5,"records_per_unit":1,"event":null,"certificate":null,"created_at":"2026-11-24T21:15:07Z","receipt":{"body":{"accountant":"zcdp","at":1795554907,"budget_id":"bud_owevoujooeqzz5emxhr2fy7xpe","chain_hash":"a29054c049bf92707ddf9c93901451b07ed365051d38e5a971e12bac387d6de4","commitment":"d6aa18b26ca50f943556a99c9ca44e2035ec9c8278292f4240e6258d026084dd","dataset_id":"dat_4j5vypohyc5uscl57lzjnjngse","delta_units":0,"epsilon_units":0,"grant_id":"gra_ecnp4xu4h6wczwpkylbz3laigi","key_hash":"4a783824483808a85300ced548d8b9482a8b8fe12fbf85857fe9e1411a757def","kind":"private-posterior receipt 1","owner_id":"pri_qt5xn2ggh2rm7mt6njl6re2ori","payload_hash":"bbc9fd327a0ee27650ff041599d6e7485b0bd5cd2396efc8295df76948a145fc","principal_id":"pri_zqwa4qs7xa4ztgbnlhy5jgwmxq","release_id":"qry_r7ppdlodhxtiudtixofoau3adm","rho_units":0,"sequence":10,"spec_sha256":"d13c8abd3bf3939eda6c6fed0c7ab791fe85237817c14d773e67e345d1724d3a"},"key_id":"139e3940e64b5491","signature":"7YO83ulvmIcrB0zgqONVsWqfN47PXhkVmDdzSGLfpeKPJla9-XWWFdlbwZdh3Sf7fRrEJ62HArTVz9iFCInFDw"}}	\N	query	pri_qt5xn2ggh2rm7mt6njl6re2ori
rel_vnobr4henbitee6lsighh67qra	dat_q6fgzcoq66nkop3z3rumemliba	bud_olb6ijs5armjelbjzes7f4s4iu	3	pri_6nky4zpfnfyxpkjmtlvejkowba	94625ee83b1eafb8e6168aa574a15960f3ab21301edf6416f38998c0b9af12a3	6a502e1d0b9818b30bdf57357acb0461185e9d9449850d2512d2bd7781a96e68	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.2"},"max_charge":null,"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":11,"m":2,"epsilon":"0.2"},"certificate":{"loss":{"epsilon":"0.2","delta":"0","rho":"0.019933598925","rho_delta":"0"},"method":"theorem","statement":"The release is 0.2-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.2/2","support":"lattice"}}}	200000000	0	0	800000000	1000000000000	0	{"body":{"accountant":"basic","at":1795554915,"budget_id":"bud_olb6ijs5armjelbjzes7f4s4iu","chain_hash":"934fa10bb47710dba88087e59656f1fdd4067d6ddd4c12e3ca5d375706c6c85b","commitment":"ca778fef9d75133feed521b74cf60cd41c9b112d1554721fdea65aa938b5d20b","dataset_id":"dat_q6fgzcoq66nkop3z3rumemliba","delta_units":0,"epsilon_units":200000000,"grant_id":"","key_hash":"94625ee83b1eafb8e6168aa574a15960f3ab21301edf6416f38998c0b9af12a3","kind":"private-posterior receipt 1","owner_id":"pri_6nky4zpfnfyxpkjmtlvejkowba","payload_hash":"6a502e1d0b9818b30bdf57357acb0461185e9d9449850d2512d2bd7781a96e68","principal_id":"pri_6nky4zpfnfyxpkjmtlvejkowba","release_id":"rel_vnobr4henbitee6lsighh67qra","rho_units":0,"sequence":3,"spec_sha256":"0c9622671794f49132a4655778ba6ef40481137dcfdf5c057f48134a2b4ea117"},"key_id":"139e3940e64b5491","signature":"UhdS7W9dP44bRCLQuaGGyIIDnA8_qP_rvOaVculp6ksROLeIRe4GfD7DslykYSdyC7Edj3DRukfuHPo5ixMaAA"}	1795554915	paid	1795554936	\N	\N	\N	posterior	pri_6nky4zpfnfyxpkjmtlvejkowba
\.


--
-- Data for Name: spending; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.spending (budget_id, dataset_id, principal_id, kind, releases, epsilon, delta, rho) FROM stdin;
bud_iafhhwsys4pqura6s3pf5ltvsi	dat_ngft5drwizxr3nzcbdy2kkashi	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	posterior	2	199997009	100000000000	0
bud_owevoujooeqzz5emxhr2fy7xpe	dat_4j5vypohyc5uscl57lzjnjngse	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	posterior	6	0	0	33964384706
bud_iafhhwsys4pqura6s3pf5ltvsi	dat_czi5457rojholp6orcowlpyr7y	pri_qt5xn2ggh2rm7mt6njl6re2ori	posterior	1	100000000	0	0
bud_owevoujooeqzz5emxhr2fy7xpe	dat_4j5vypohyc5uscl57lzjnjngse	pri_zqwa4qs7xa4ztgbnlhy5jgwmxq	query	0	0	0	0
bud_olb6ijs5armjelbjzes7f4s4iu	dat_q6fgzcoq66nkop3z3rumemliba	pri_6nky4zpfnfyxpkjmtlvejkowba	posterior	1	200000000	0	0
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
-- Name: ix_entries_decisions; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_entries_decisions ON public.entries USING btree (budget_id, sequence) WHERE ((kind)::text = ANY ((ARRAY['budget_changed'::character varying, 'budget_frozen'::character varying, 'budget_opened'::character varying, 'budget_unfrozen'::character varying, 'dataset_deleted'::character varying, 'dataset_listed'::character varying, 'dataset_registered'::character varying, 'dataset_replaced'::character varying, 'dataset_unlisted'::character varying, 'history_shared'::character varying, 'history_unshared'::character varying])::text[]));


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


