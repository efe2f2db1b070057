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
acc_zeqxzx6g6ekozbnkftmpeh2kdi	dat_z5v3fetztqtudlxmfpkza6wm7i	pri_xbkhwbkynstyb6cffayt73a2tm	pri_lw5vcs42k7yeyznnwbzslwnuii	100000000	0	0	The report of 1955	declined	Ask for less	\N	1795534664	1795534664	1795534664294309674
acc_r6ljwablnjthwkaiwbmx6havp4	dat_z5v3fetztqtudlxmfpkza6wm7i	pri_xbkhwbkynstyb6cffayt73a2tm	pri_lw5vcs42k7yeyznnwbzslwnuii	50000000	0	0	The report of 1955	open	\N	\N	1795534664	\N	1795534664339034691
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
key_ukxyajxtflsnbjelblutrl4ory	pri_kcpldjmeajlsuyaxqxrpb3dw3i	pp_H5YfSf9u	8a4a413748f636604554aad11f5ddc5c96c0789f4f58fac1ab7b018e601442e7	command-line	1795534656	\N	\N	1795534659	\N	\N	key	1795534656311631708
key_2yznlkveptironbr3v775lniq4	pri_lw5vcs42k7yeyznnwbzslwnuii	pp_FMZAZYdk	0eacbdfdceadf75aca5910eacc3f2d93ebdcc41117b203a6d69bdf3c746a99d5	pri_kcpldjmeajlsuyaxqxrpb3dw3i	1795534659	\N	\N	1795534659	\N	enr_s7qcxxspuhke5767lbcxaltbg4	key	1795534659118226141
key_tll5lkmvd7z3xxf6a2sbzyfn7m	pri_d7vh4rcimkc7rnhmvd562mdqtm	pp_Mizte1_d	a155965e0633d7c199cd547a2f41a1f51a95002e0d159fb856091118267573c4	pri_kcpldjmeajlsuyaxqxrpb3dw3i	1795534659	\N	\N	1795534659	\N	enr_ilo5teyixonw5utckniipv4lli	key	1795534659142077585
key_t43p2yvv76rpjgr52czqg7w2ve	pri_xbkhwbkynstyb6cffayt73a2tm	pp_uQxoPW-A	f4e7bde0bc7bc805600a780a455c7d9bcd0efb9fd676e05a651019f997aac405	pri_kcpldjmeajlsuyaxqxrpb3dw3i	1795534664	\N	\N	1795534664	\N	enr_67q3hbwqb4pr7eucuh4uxvyapm	key	1795534664282251820
key_3yw2l3ekmp74nl544we2tbm2um	pri_boeyifv7rtqekgrtou3u266jre	pp_lTICcHga	48d450ffaf32cd2155fce67e67f507c4664d221b50e8627a2edbb68d6375a0de	pri_kcpldjmeajlsuyaxqxrpb3dw3i	1795534664	\N	\N	\N	\N	enr_cfb6jxzajth74rcsn4l6tor5hm	key	1795534664384034357
key_7yvdu5hnkxn5m5ehfg7d55pr3m	pri_bqdh7x2a5xrypex35smrpvkuxa	pp_COqNREXu	89f370de31ef32a6f24d54fe3c6e76417a2b62b998f4f3ec9572e77e738dac30	pri_kcpldjmeajlsuyaxqxrpb3dw3i	1795534664	\N	\N	1795534664	\N	enr_x7aogs6nraglrfwaez6xaojite	key	1795534664601250222
\.


--
-- Data for Name: budgets; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.budgets (id, owner_id, name, accountant, guaranteed_epsilon, guaranteed_delta, delta_conversion, epsilon_limit, delta_limit, rho_limit, epsilon_spent, delta_spent, rho_spent, epsilon_release_cap, delta_release_cap, rho_release_cap, allowed_mechanisms, frozen_at, low_budget_percent, sequence, head_hash, created_at, created_nanoseconds, stored_bytes) FROM stdin;
bud_sstduxevzridvv5qs7e3urkosq	pri_lw5vcs42k7yeyznnwbzslwnuii	budget 12	basic	1000000000	1000000000000	0	1000000000	1000000000000	0	299997009	100000000000	0	\N	\N	\N	\N	\N	10	12	912d04844df23db46c82a1fe91591d2cba2da5f8fa4dcb98f41bcd1b081cabde	1795534659	1795534659157699815	60396
bud_fbfayhmq53gtb7a56dmbyys2fi	pri_bqdh7x2a5xrypex35smrpvkuxa	budget 20	basic	1000000000	1000000000000	0	1000000000	1000000000000	0	200000000	0	0	\N	\N	\N	\N	\N	10	3	cb7eb9065631ffec36d788c009862a8bef3b9f8b5ddc4ea39d28301908ef82d2	1795534664	1795534664611772566	19792
bud_pp5eqyse2hiutemax7efvcrdi4	pri_lw5vcs42k7yeyznnwbzslwnuii	Many looks	zcdp	3000000000	10000000000000	9000000000000	0	1000000000000	222112455378	0	0	33964384706	\N	\N	\N	\N	\N	10	10	d1b45deb5f08a727681ce4821752ebf52398a0b31657d1a39c25df95dcfeec94	1795534659	1795534659204426027	105383
\.


--
-- Data for Name: certificate_requests; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.certificate_requests (certificate_key, principal_id, created_at, id) FROM stdin;
fbaf9913582f83a3e06fbb87495af13eeadcfa0ad6501b5441f62d719465742e	pri_d7vh4rcimkc7rnhmvd562mdqtm	1795534662	cer_aiuq35omt7bz5ixaijsm6uyrcq
2781f561a3dd5da4a3c60da815abea8c06997f2f4b4b011ab408544c3e0d58f6	pri_d7vh4rcimkc7rnhmvd562mdqtm	1795534662	cer_dh4mnswtwknjw3uim67dpvh67u
cd8127786ab6fc97cab3601ccf993b5e06627f7fce88aab8a5c11e085156d24b	pri_d7vh4rcimkc7rnhmvd562mdqtm	1795534663	cer_flkxfnl3y5poct4ct6ljzmg46a
16b4415c69e4b4e51c27ac2054afd57b731267e984bcbe902d047df1a4358510	pri_d7vh4rcimkc7rnhmvd562mdqtm	1795534663	cer_2pur5fnt43st3hax2dont5k4fu
\.


--
-- Data for Name: certificates; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.certificates (key, id, parameters, state, certified, created_at, leased_until, leased_by, used_at, tries) FROM stdin;
fbaf9913582f83a3e06fbb87495af13eeadcfa0ad6501b5441f62d719465742e	cer_v2afiwykbvw2xaimmfql3btlw4	{"mechanism": {"calibration": "certified", "delta": "0.0000001", "epsilon": "0.1", "kind": "exponential"}, "n": 240, "prior": ["1.0", "1.0"], "version": 4}	ready	{"certificate": {"details": {"loss": "0.099997008", "loss_range": "0.148875720", "rounding": "2.771e-11"}, "loss": {"delta": "0.0000001", "epsilon": "0.099997009", "rho": "0.001009435228", "rho_delta": "0"}, "method": "exact_channel", "relation": "replace_one", "statement": "(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel."}, "event": {"calibration": "certified", "delta": "0.0000001", "epsilon0": "0.146859191", "event": "exponential", "gamma": "0.0265", "n": 240, "prior": ["1.0", "1.0"], "uniform_admixture": null}}	1795534662	\N	\N	1795534662	0
2781f561a3dd5da4a3c60da815abea8c06997f2f4b4b011ab408544c3e0d58f6	cer_oawsfofdnqg46em5qxd27jfy6i	{"mechanism": {"calibration": "proven", "delta": "0.0000001", "epsilon": "0.1", "kind": "exponential"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"change_of_rate": "0.044264479", "draw": "rejection", "excess_by_ratio": "0.059336596", "excess_by_tail": "1.355692916", "normalisers": "0.001824692", "rounding": "4.214e-11", "score": "0.053909420"}, "loss": {"delta": "0", "epsilon": "0.099998592", "rho": "0.002321993715", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3."}, "event": {"calibration": "proven", "delta": "0.0000001", "epsilon0": "0.10781884", "event": "exponential", "gamma": "0.0342", "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	1795534662	\N	\N	1795534662	0
cd8127786ab6fc97cab3601ccf993b5e06627f7fce88aab8a5c11e085156d24b	cer_6hoaagi3zffumudlvsdyfuxgba	{"mechanism": {"delta": "0.0000001", "kind": "exponential_published", "nominal_epsilon": "0.2"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"change_of_rate": "0.013980835", "draw": "rejection", "excess_by_ratio": "0.013980835", "excess_by_tail": "0.167125342", "normalisers": "0.005005989", "rounding": "6.634e-11", "score": "0.100000000"}, "loss": {"delta": "0", "epsilon": "0.118986825", "rho": "0.00509726344", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3."}, "event": {"calibration": "published", "delta": "0.0000001", "epsilon0": "0.2", "event": "exponential", "gamma": "0.004279815109635818", "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	1795534663	\N	\N	1795534663	0
16b4415c69e4b4e51c27ac2054afd57b731267e984bcbe902d047df1a4358510	cer_aqr64vs2yo2skydes7nlnoc37q	{"mechanism": {"delta": "0.0000001", "epsilon": "0.3", "kind": "exponential_global"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"draw": "rejection", "normalisers": "0.002500479", "rounding": "1.782e-11", "score": "0.150000000"}, "loss": {"delta": "0", "epsilon": "0.15250048", "rho": "0.011249999939", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2."}, "event": {"calibration": "global", "delta": "0.0000001", "epsilon0": "0.299999999", "event": "exponential", "gamma": null, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	1795534663	\N	\N	1795534663	0
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
dat_z5v3fetztqtudlxmfpkza6wm7i	pri_lw5vcs42k7yeyznnwbzslwnuii	bud_sstduxevzridvv5qs7e3urkosq	Trial	["category 0", "category 1"]	\N	2	240	one person	1	1	1	replace_one	605a949f7042a4ac4ddd9c99f4d2f775c840eae080be435da51b7851cd9d1e83	1	1795534659	\N	1795534659177585024	0	1
dat_uzlwfuond24j2il4hxggsyktv4	pri_lw5vcs42k7yeyznnwbzslwnuii	bud_pp5eqyse2hiutemax7efvcrdi4	Clinics	["female · yes", "female · no", "female · unknown", "male · yes", "male · no"]	[{"name": "sex", "levels": ["female", "male"]}, {"name": "ill", "levels": ["yes", "no", "unknown"]}]	5	667	one person	1	1	1	replace_one	a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97	1	1795534659	\N	1795534659213050169	0	0
dat_tz32egum7okgj6pvgmnw264ile	pri_lw5vcs42k7yeyznnwbzslwnuii	bud_sstduxevzridvv5qs7e3urkosq	Visits	["category 0", "category 1"]	\N	2	21	one person	0	2	1	replace_one	e24c82ecee24001ec047119511d2d9f3bab661516ae4f00104c9a040cd22cb33	1	1795534659	\N	1795534659226681601	0	0
dat_u7lgddjofgd5fqsxssleoihuqa	pri_lw5vcs42k7yeyznnwbzslwnuii	bud_sstduxevzridvv5qs7e3urkosq	Gone	["category 0", "category 1"]	\N	2	3	one person	1	1	1	replace_one	6d4d10f68ad34f8fc599f25da549dccae902e4194bf997a2834aa02f4c043ca0	0	1795534664	1795534664	1795534664355176907	0	0
dat_7lbyqix2vovzewhytvbxgttv4q	pri_bqdh7x2a5xrypex35smrpvkuxa	bud_fbfayhmq53gtb7a56dmbyys2fi	Paid and not drawn	["category 0", "category 1"]	\N	2	11	one person	1	1	1	replace_one	cda327a6022a879a0ccfb45e67b838c95a0309030d5f52689442dfe2b5f2ec02	1	1795534664	\N	1795534664617174733	0	0
\.


--
-- Data for Name: encrypted_counts; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.encrypted_counts (dataset_id, key_id, ciphertext) FROM stdin;
dat_z5v3fetztqtudlxmfpkza6wm7i	k1	\\x0f7583d99e34280f5a16745a1e4cc4459d61e6ff50b3e2b55e13e391c227a85af5f9ea46157ac1bb847bb9e7
dat_uzlwfuond24j2il4hxggsyktv4	k1	\\xd1e98401aa9c82eab932ecfb7b92eeff7d4f05fbb4353462d16e38ca3f7b39c0b2c74f73d219c9372e24eebf193692bd4a6df2272b1ed0c05d12a9077b1031976667eb06
dat_tz32egum7okgj6pvgmnw264ile	k1	\\xbdac854614af3cad6f25c43b2d2b3ce2a15e8f4478530d60bcd4976383f9547748ca213a2367d97f99171f7a
dat_7lbyqix2vovzewhytvbxgttv4q	k1	\\x4f4961867d05284c03c9a46320994ebdbfbe91693bc2f377aee28fb30bf6ac8860ae3e9b0da447512fd70ac3
\.


--
-- Data for Name: enrolments; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.enrolments (id, principal_id, kind, secret_hash, issued_by, made_by, created_at, expires_at, used_at, ended_at) FROM stdin;
enr_s7qcxxspuhke5767lbcxaltbg4	pri_lw5vcs42k7yeyznnwbzslwnuii	token	adc83dfe31e733eb1f753ffff50f0ed3cbd957d5bd16a1842dc935a8e2657d14	pri_kcpldjmeajlsuyaxqxrpb3dw3i	\N	1795534659	1795621059	1795534659	\N
enr_b4onsep66n62girfosvjm3gjuq	pri_lw5vcs42k7yeyznnwbzslwnuii	recovery_code	cd3b47f4c1a6be8fa577bf4ccf3e8e6a559714cfa8cb7d567554adb00d2bbe21	pri_kcpldjmeajlsuyaxqxrpb3dw3i	enr_s7qcxxspuhke5767lbcxaltbg4	1795534659	\N	\N	\N
enr_ilo5teyixonw5utckniipv4lli	pri_d7vh4rcimkc7rnhmvd562mdqtm	token	1a68c0288c0c44daa860668b207c02dbd5becff792fd7e357d7b1ad56464dc71	pri_kcpldjmeajlsuyaxqxrpb3dw3i	\N	1795534659	1795621059	1795534659	\N
enr_lqf65cbag652raj2t4jtotpfbm	pri_d7vh4rcimkc7rnhmvd562mdqtm	recovery_code	af2aebaba8eba8196bdfef0dec4c687d1bcc3ad7c2cea895f110a73e60ad768d	pri_kcpldjmeajlsuyaxqxrpb3dw3i	enr_ilo5teyixonw5utckniipv4lli	1795534659	\N	\N	\N
enr_67q3hbwqb4pr7eucuh4uxvyapm	pri_xbkhwbkynstyb6cffayt73a2tm	token	8375f1603f9147861617be1a3681e56f66df3efee04803897ebecf152d866411	pri_kcpldjmeajlsuyaxqxrpb3dw3i	\N	1795534664	1795621064	1795534664	\N
enr_gbltpcojxqb6cjhaf63hbieqoa	pri_xbkhwbkynstyb6cffayt73a2tm	recovery_code	3cce9e0ce46a4f346a1d5d759c6a4eb195bec612c7051a6f512cd1e175ccd71b	pri_kcpldjmeajlsuyaxqxrpb3dw3i	enr_67q3hbwqb4pr7eucuh4uxvyapm	1795534664	\N	\N	\N
enr_cfb6jxzajth74rcsn4l6tor5hm	pri_boeyifv7rtqekgrtou3u266jre	token	8946a1ec501f0c40db53383ca4ef4c166878581a6b57e26bf341299c18043c14	pri_kcpldjmeajlsuyaxqxrpb3dw3i	\N	1795534664	1795621064	1795534664	\N
enr_6xeasd4fbf5ubtyl5r3xoitvai	pri_boeyifv7rtqekgrtou3u266jre	recovery_code	2d4bdc29c1871abd7c925416a61de1ec25aeeb8871ac50886b9c6158c4c1140d	pri_kcpldjmeajlsuyaxqxrpb3dw3i	enr_cfb6jxzajth74rcsn4l6tor5hm	1795534664	\N	\N	\N
enr_x7aogs6nraglrfwaez6xaojite	pri_bqdh7x2a5xrypex35smrpvkuxa	token	bcf09a059f2780a84b819764371ddb968f2100f28d22a8494ca4554a407629d2	pri_kcpldjmeajlsuyaxqxrpb3dw3i	\N	1795534664	1795621064	1795534664	\N
enr_k2ayw3ekys3syobw2gyqtcfpou	pri_bqdh7x2a5xrypex35smrpvkuxa	recovery_code	7811a36ad4c54f203d7bde27e785f43f3e22f78926a23b34ecb1eb09eb3ceef0	pri_kcpldjmeajlsuyaxqxrpb3dw3i	enr_x7aogs6nraglrfwaez6xaojite	1795534664	\N	\N	\N
\.


--
-- Data for Name: entries; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.entries (budget_id, sequence, kind, epsilon, delta, rho, principal_id, subject_id, detail, created_at, previous_hash, hash) FROM stdin;
bud_sstduxevzridvv5qs7e3urkosq	1	budget_opened	1000000000	1000000000000	0	pri_lw5vcs42k7yeyznnwbzslwnuii	bud_sstduxevzridvv5qs7e3urkosq	{"accountant":"basic","api_key_id":"key_2yznlkveptironbr3v775lniq4","delta":"0.000001","delta_conversion":"0","epsilon":"1","principal_head":{"hash":"f42290e0667b57295d236f731a9c027730744d5f8076c607603c4a79ac7451a0","sequence":2}}	1795534659	075527fee57de59d0a26d340da217b32a82e66a9a10d00a728ee59cea90efc5e	70f2b0de9ef6aa593d3ffefc8636dac8f0a954e37ca15f261a24d8c74692f0a8
bud_sstduxevzridvv5qs7e3urkosq	2	dataset_registered	0	0	0	pri_lw5vcs42k7yeyznnwbzslwnuii	dat_z5v3fetztqtudlxmfpkza6wm7i	{"api_key_id":"key_2yznlkveptironbr3v775lniq4","category_count":2,"commitment":"605a949f7042a4ac4ddd9c99f4d2f775c840eae080be435da51b7851cd9d1e83","principal_head":{"hash":"f42290e0667b57295d236f731a9c027730744d5f8076c607603c4a79ac7451a0","sequence":2},"record_count":240,"records_per_unit":1,"relation":"replace_one"}	1795534659	70f2b0de9ef6aa593d3ffefc8636dac8f0a954e37ca15f261a24d8c74692f0a8	551d60de2557506f93221244a7bb1bf7ec7859d49fe307ddb823e9b1c5b9ade7
bud_pp5eqyse2hiutemax7efvcrdi4	1	budget_opened	0	1000000000000	222112455378	pri_lw5vcs42k7yeyznnwbzslwnuii	bud_pp5eqyse2hiutemax7efvcrdi4	{"accountant":"zcdp","api_key_id":"key_2yznlkveptironbr3v775lniq4","delta":"0.00001","delta_conversion":"0.000009","epsilon":"3","principal_head":{"hash":"f42290e0667b57295d236f731a9c027730744d5f8076c607603c4a79ac7451a0","sequence":2}}	1795534659	e20406727d348867481136375ca3d9fd787c87ce918938a5e804ee1b005ac4f3	d9957d19fff7e55bee3ce6a6aa6e9c1710111b97b6c1d101d72ca7c358187e89
bud_pp5eqyse2hiutemax7efvcrdi4	2	dataset_registered	0	0	0	pri_lw5vcs42k7yeyznnwbzslwnuii	dat_uzlwfuond24j2il4hxggsyktv4	{"api_key_id":"key_2yznlkveptironbr3v775lniq4","category_count":5,"commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","principal_head":{"hash":"f42290e0667b57295d236f731a9c027730744d5f8076c607603c4a79ac7451a0","sequence":2},"record_count":667,"records_per_unit":1,"relation":"replace_one"}	1795534659	d9957d19fff7e55bee3ce6a6aa6e9c1710111b97b6c1d101d72ca7c358187e89	fc5bd861afd78702e587a72168dfc481141cd8f0a433f85cabf5810e9de030cf
bud_sstduxevzridvv5qs7e3urkosq	3	dataset_registered	0	0	0	pri_lw5vcs42k7yeyznnwbzslwnuii	dat_tz32egum7okgj6pvgmnw264ile	{"api_key_id":"key_2yznlkveptironbr3v775lniq4","category_count":2,"commitment":"e24c82ecee24001ec047119511d2d9f3bab661516ae4f00104c9a040cd22cb33","principal_head":{"hash":"f42290e0667b57295d236f731a9c027730744d5f8076c607603c4a79ac7451a0","sequence":2},"record_count":21,"records_per_unit":2,"relation":"replace_one"}	1795534659	551d60de2557506f93221244a7bb1bf7ec7859d49fe307ddb823e9b1c5b9ade7	e1b20ba1daa29f8c522a8ad788b539a2fffbe1d3b23610582886e72b0a3b8631
bud_sstduxevzridvv5qs7e3urkosq	4	dataset_listed	0	0	0	pri_lw5vcs42k7yeyznnwbzslwnuii	dat_z5v3fetztqtudlxmfpkza6wm7i	{"api_key_id":"key_2yznlkveptironbr3v775lniq4","principal_head":{"hash":"f42290e0667b57295d236f731a9c027730744d5f8076c607603c4a79ac7451a0","sequence":2}}	1795534659	e1b20ba1daa29f8c522a8ad788b539a2fffbe1d3b23610582886e72b0a3b8631	fdaa1041937a72297aa52ab678bac632c73b5a444276d378da4beabcf8418ce0
bud_sstduxevzridvv5qs7e3urkosq	5	grant_opened	900000000	800000000000	0	pri_lw5vcs42k7yeyznnwbzslwnuii	gra_xeqxojhogxbudp7gownm3ytmve	{"analyst_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","api_key_id":"key_2yznlkveptironbr3v775lniq4","dataset_id":"dat_z5v3fetztqtudlxmfpkza6wm7i","expires_at":32472144000,"principal_head":{"hash":"f42290e0667b57295d236f731a9c027730744d5f8076c607603c4a79ac7451a0","sequence":2}}	1795534659	fdaa1041937a72297aa52ab678bac632c73b5a444276d378da4beabcf8418ce0	a332ce99b1341c7fc4928d1a3f0047395c1c5c93965f094e84d79907226bef61
bud_pp5eqyse2hiutemax7efvcrdi4	3	grant_opened	0	800000000000	140000000000	pri_lw5vcs42k7yeyznnwbzslwnuii	gra_s6wxbziuyszrm2qyl6m5qo3fmi	{"analyst_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","api_key_id":"key_2yznlkveptironbr3v775lniq4","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","expires_at":32472144000,"principal_head":{"hash":"f42290e0667b57295d236f731a9c027730744d5f8076c607603c4a79ac7451a0","sequence":2}}	1795534659	fc5bd861afd78702e587a72168dfc481141cd8f0a433f85cabf5810e9de030cf	70b2c4f6e728a28a500da6c289952f73aaf5610f1ee6386cf4a4f9e36e50e2f1
bud_sstduxevzridvv5qs7e3urkosq	6	release_charged	100000000	0	0	pri_d7vh4rcimkc7rnhmvd562mdqtm	rel_sbdvrmjdqmlk3dlfdcp4tznwgm	{"api_key_id":"key_tll5lkmvd7z3xxf6a2sbzyfn7m","commitment":"605a949f7042a4ac4ddd9c99f4d2f775c840eae080be435da51b7851cd9d1e83","dataset_id":"dat_z5v3fetztqtudlxmfpkza6wm7i","grant_id":"gra_xeqxojhogxbudp7gownm3ytmve","key_hash":"90c5aaa147044234a6fe6f504a22ba0c393bfeb4f05eef3d71318ba2eb37ae74","mechanism":"simplex_geometric","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"59d549afb762c2bef524d91bc695860476d11abbd8f3c67fbe48cd1626f58b6d","principal_head":{"hash":"a9a6e3a3701e79cc904182e1c519ec56d7f6268c82b886d0e74b1cc51f93f2da","sequence":2},"spec_sha256":"de23c21283969e8a7000e4101d77422108c94bf38f1395765fbe9ee364a73c5f"}	1795534659	a332ce99b1341c7fc4928d1a3f0047395c1c5c93965f094e84d79907226bef61	9e6c4d6eddb841e74a72496dfb885d7ab49fa350fbad3b621bb010a361fd8861
bud_sstduxevzridvv5qs7e3urkosq	7	release_charged	99997009	100000000000	0	pri_d7vh4rcimkc7rnhmvd562mdqtm	rel_cl3uewdsisvsnckojgwmgki6ri	{"api_key_id":"key_tll5lkmvd7z3xxf6a2sbzyfn7m","commitment":"605a949f7042a4ac4ddd9c99f4d2f775c840eae080be435da51b7851cd9d1e83","dataset_id":"dat_z5v3fetztqtudlxmfpkza6wm7i","grant_id":"gra_xeqxojhogxbudp7gownm3ytmve","key_hash":"83f887b172e0932a9644af9e7bd26c1ff6e12164eac663b3a6d02f399b7368d1","mechanism":"exponential","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"efabf0c01806212da04492a44eef75cb8176370b44fbde889a6db4a060b69e82","principal_head":{"hash":"a9a6e3a3701e79cc904182e1c519ec56d7f6268c82b886d0e74b1cc51f93f2da","sequence":2},"spec_sha256":"d562b3d089d97de00fbe881c70a3fb1385131a7fab59c40dcad9e306deb16471"}	1795534662	9e6c4d6eddb841e74a72496dfb885d7ab49fa350fbad3b621bb010a361fd8861	c79c4a3be6106139aa678d66598bb9832536d1de324a3ca67edfef3d83fc2265
bud_pp5eqyse2hiutemax7efvcrdi4	4	release_charged	0	0	2856598834	pri_d7vh4rcimkc7rnhmvd562mdqtm	rel_nuzavxf7t3ij56cb6cdlpzgfum	{"api_key_id":"key_tll5lkmvd7z3xxf6a2sbzyfn7m","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"82c71783d6258ccbf64b340c660bbf2d346514d2ec809f1529229e9cd77e6ca3","mechanism":"simplex_geometric","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"a924dcd9dc48d43cee4eeb47a8b9fc140bebbd21deb97bbe3342e4edfc11168d","principal_head":{"hash":"a9a6e3a3701e79cc904182e1c519ec56d7f6268c82b886d0e74b1cc51f93f2da","sequence":2},"spec_sha256":"705536b46c468eb1bd505605a907892056015c07f9acb55ccc9f2fa868066fbb"}	1795534662	70b2c4f6e728a28a500da6c289952f73aaf5610f1ee6386cf4a4f9e36e50e2f1	253e988a8e5fca32e67f0f36884b7b61c90c92cdbe8989015c4669dfc0e8e1f0
bud_sstduxevzridvv5qs7e3urkosq	9	release_published	0	0	0	pri_lw5vcs42k7yeyznnwbzslwnuii	rel_sbdvrmjdqmlk3dlfdcp4tznwgm	{"api_key_id":"key_2yznlkveptironbr3v775lniq4","principal_head":{"hash":"f42290e0667b57295d236f731a9c027730744d5f8076c607603c4a79ac7451a0","sequence":2}}	1795534664	779dd1d0ea6079594b710b937d61c5fc8bef84a26b6a6fa1ca5ec111206b90b8	2d1f46d1e67bc1f05c3e3bdee740a5fb2157dc7e09c1a6ed74ca590c062a47f3
bud_pp5eqyse2hiutemax7efvcrdi4	5	release_charged	0	0	2438528778	pri_d7vh4rcimkc7rnhmvd562mdqtm	rel_ikfou6cerqqyfaqffed5t5d5di	{"api_key_id":"key_tll5lkmvd7z3xxf6a2sbzyfn7m","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"6c06fd68d0cda0f3a6959e9ad7dd6256106e08014c74daeb8294c4def483f97f","mechanism":"laplace","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"d2ce50d6d8a7431c6b9e0ffe595c452daa7b7cf20bb9545cac723bff4c265714","principal_head":{"hash":"a9a6e3a3701e79cc904182e1c519ec56d7f6268c82b886d0e74b1cc51f93f2da","sequence":2},"spec_sha256":"33593e2b3f7e3439f184624c894c653507cdb6d46bbfd6147907f220af7a3e40"}	1795534662	253e988a8e5fca32e67f0f36884b7b61c90c92cdbe8989015c4669dfc0e8e1f0	c725f08f32149dcb75083854dd3f82060abe88dfdf51f0f21dc9cb05604da8f6
bud_pp5eqyse2hiutemax7efvcrdi4	6	release_charged	0	0	10000000000	pri_d7vh4rcimkc7rnhmvd562mdqtm	rel_tg3yb2zwslify22isp5vzuyj74	{"api_key_id":"key_tll5lkmvd7z3xxf6a2sbzyfn7m","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"ced10827cd1a28c1f9245e14598bcd7ff13c0b05b8eedd02552358d7f3dfcbb2","mechanism":"gaussian","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"642dd6c69aa6f2ac03a7ea4d46540d63717674267ccf305039ec5aa8f335ddc9","principal_head":{"hash":"a9a6e3a3701e79cc904182e1c519ec56d7f6268c82b886d0e74b1cc51f93f2da","sequence":2},"spec_sha256":"c305371bdcf35959541f899d4224fc40346c2eb39baadde048ca07e459d08a04"}	1795534662	c725f08f32149dcb75083854dd3f82060abe88dfdf51f0f21dc9cb05604da8f6	dc34beafde72107f057d4c1722613ca43abc38ca8e2dc19c5957d7f003c0d125
bud_pp5eqyse2hiutemax7efvcrdi4	7	release_charged	0	0	2321993715	pri_d7vh4rcimkc7rnhmvd562mdqtm	rel_jx2sgihnahma7zn2lm5swpdrbm	{"api_key_id":"key_tll5lkmvd7z3xxf6a2sbzyfn7m","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"f867d01ee48563281b28771888893ff48c422028fa525ded256b079511cd63b5","mechanism":"exponential","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"bf1a5b74433de8dd7f1d4a2b674aaf5c8a103201dd334b036623dc9bb76ef6d9","principal_head":{"hash":"a9a6e3a3701e79cc904182e1c519ec56d7f6268c82b886d0e74b1cc51f93f2da","sequence":2},"spec_sha256":"e0e1ba13a14ab1e0ad49104747d307fc8fcdc22d2bc432f8f52bbfaea01b9cb2"}	1795534662	dc34beafde72107f057d4c1722613ca43abc38ca8e2dc19c5957d7f003c0d125	7816a28f7413de946898347255a82e3f5c64b5be2ace1ea06b862579696d667a
bud_pp5eqyse2hiutemax7efvcrdi4	8	release_charged	0	0	5097263440	pri_d7vh4rcimkc7rnhmvd562mdqtm	rel_tp6vt6ximj2vr5ddgvrt4qny2i	{"api_key_id":"key_tll5lkmvd7z3xxf6a2sbzyfn7m","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"e61f79fff881a69bf225be514fba18e49fd43b7889f85b66b4262f29e8b38acb","mechanism":"exponential_published","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"014a07bc882104d1c5a1185f78e7998c48e7f59a984213ea6505781952164190","principal_head":{"hash":"a9a6e3a3701e79cc904182e1c519ec56d7f6268c82b886d0e74b1cc51f93f2da","sequence":2},"spec_sha256":"38cf248e19022ae7950c0a70982c17cb5ac1cc5e08cab6c8f6b0abce4271d3ba"}	1795534663	7816a28f7413de946898347255a82e3f5c64b5be2ace1ea06b862579696d667a	cd21146dcd589da4fba47d0e7fe5b6545e130d499ff95dfa4c1fe2786222fe62
bud_pp5eqyse2hiutemax7efvcrdi4	9	release_charged	0	0	11249999939	pri_d7vh4rcimkc7rnhmvd562mdqtm	rel_jcqvqefb33egeh4yjpghmexqsq	{"api_key_id":"key_tll5lkmvd7z3xxf6a2sbzyfn7m","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"dc80cc1392b3eb0442863dcfd6885de70423dcf71ce8e004ff425be8d6134eae","mechanism":"exponential_global","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"4305dad09da03d83290a97f7c897eed67d8a2b4e4686cb011bd8cd6f9527d67c","principal_head":{"hash":"a9a6e3a3701e79cc904182e1c519ec56d7f6268c82b886d0e74b1cc51f93f2da","sequence":2},"spec_sha256":"762ca2a9fc23a54fac5ae3ebbda6354f8df5e3a15be643cef8e21dc0f4627968"}	1795534663	cd21146dcd589da4fba47d0e7fe5b6545e130d499ff95dfa4c1fe2786222fe62	08156a9e9862331493af9f36ecccc50ba671272335ecc2261c18a87256e66274
bud_sstduxevzridvv5qs7e3urkosq	8	release_charged	100000000	0	0	pri_lw5vcs42k7yeyznnwbzslwnuii	rel_gh4c76mg5glphbatmnc7pmcvxe	{"api_key_id":"key_2yznlkveptironbr3v775lniq4","commitment":"e24c82ecee24001ec047119511d2d9f3bab661516ae4f00104c9a040cd22cb33","dataset_id":"dat_tz32egum7okgj6pvgmnw264ile","key_hash":"95630335142eab98523aca10ad9d942096b43a3550b4a66b0fccb1cba1a43f26","mechanism":"simplex_geometric","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"3379068c83db3fc26421970cb95a4b6801f5e78afefe723537e4b3786f48d2d8","principal_head":{"hash":"f42290e0667b57295d236f731a9c027730744d5f8076c607603c4a79ac7451a0","sequence":2},"spec_sha256":"cb4699f722245f875dea7176be782ce4524262cf221171fd2b6cf52fa808283c"}	1795534663	c79c4a3be6106139aa678d66598bb9832536d1de324a3ca67edfef3d83fc2265	779dd1d0ea6079594b710b937d61c5fc8bef84a26b6a6fa1ca5ec111206b90b8
bud_pp5eqyse2hiutemax7efvcrdi4	10	query_charged	0	0	0	pri_d7vh4rcimkc7rnhmvd562mdqtm	qry_qzqtol5fma2kbq2nzbzf42axaq	{"alone":[0,0,0],"api_key_id":"key_tll5lkmvd7z3xxf6a2sbzyfn7m","blind":"bld_dg523ebm3doui4cnur2ontqapy","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","granted":[0,0,0],"key_hash":"8ad3a6f89ead59058996281f09bdc1cb7d35ed3160f476f6f53ae561f4275cce","measured":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945","mechanism":"linear","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"0af518f16c1cc2524f3cca650cc32f1d56d85bb3cded18f6fb89c5c26897c8a3","principal_head":{"hash":"a9a6e3a3701e79cc904182e1c519ec56d7f6268c82b886d0e74b1cc51f93f2da","sequence":2},"spec_sha256":"44abd9a77e31a51f1252397bde16bb6784e7a63ef900ba9afa309c5a0a956cc6"}	1795534664	08156a9e9862331493af9f36ecccc50ba671272335ecc2261c18a87256e66274	d1b45deb5f08a727681ce4821752ebf52398a0b31657d1a39c25df95dcfeec94
bud_sstduxevzridvv5qs7e3urkosq	10	access_declined	0	0	0	pri_lw5vcs42k7yeyznnwbzslwnuii	acc_zeqxzx6g6ekozbnkftmpeh2kdi	{"analyst_id":"pri_xbkhwbkynstyb6cffayt73a2tm","api_key_id":"key_2yznlkveptironbr3v775lniq4","dataset_id":"dat_z5v3fetztqtudlxmfpkza6wm7i","principal_head":{"hash":"f42290e0667b57295d236f731a9c027730744d5f8076c607603c4a79ac7451a0","sequence":2}}	1795534664	2d1f46d1e67bc1f05c3e3bdee740a5fb2157dc7e09c1a6ed74ca590c062a47f3	9db2bf00c34e823557689d03dbd66261e9b71eba61be2ea38dba83b35c18657d
bud_sstduxevzridvv5qs7e3urkosq	11	dataset_registered	0	0	0	pri_lw5vcs42k7yeyznnwbzslwnuii	dat_u7lgddjofgd5fqsxssleoihuqa	{"api_key_id":"key_2yznlkveptironbr3v775lniq4","category_count":2,"commitment":"6d4d10f68ad34f8fc599f25da549dccae902e4194bf997a2834aa02f4c043ca0","principal_head":{"hash":"f42290e0667b57295d236f731a9c027730744d5f8076c607603c4a79ac7451a0","sequence":2},"record_count":3,"records_per_unit":1,"relation":"replace_one"}	1795534664	9db2bf00c34e823557689d03dbd66261e9b71eba61be2ea38dba83b35c18657d	76c62fe39cca61915f519df89a38c6f7d2a7800f5aa03572559629970a049ac4
bud_sstduxevzridvv5qs7e3urkosq	12	dataset_deleted	0	0	0	pri_lw5vcs42k7yeyznnwbzslwnuii	dat_u7lgddjofgd5fqsxssleoihuqa	{"api_key_id":"key_2yznlkveptironbr3v775lniq4","principal_head":{"hash":"f42290e0667b57295d236f731a9c027730744d5f8076c607603c4a79ac7451a0","sequence":2}}	1795534664	76c62fe39cca61915f519df89a38c6f7d2a7800f5aa03572559629970a049ac4	912d04844df23db46c82a1fe91591d2cba2da5f8fa4dcb98f41bcd1b081cabde
bud_fbfayhmq53gtb7a56dmbyys2fi	1	budget_opened	1000000000	1000000000000	0	pri_bqdh7x2a5xrypex35smrpvkuxa	bud_fbfayhmq53gtb7a56dmbyys2fi	{"accountant":"basic","api_key_id":"key_7yvdu5hnkxn5m5ehfg7d55pr3m","delta":"0.000001","delta_conversion":"0","epsilon":"1","principal_head":{"hash":"46bc0df93ce1fc02db81ada353f590e11f96f999cb2de50c005b10825f8b42ce","sequence":2}}	1795534664	c528aad5ef26942394b53f0ff73a14c8b3a2337535ff1d3e12f28c8cdba5e6ed	938aefecb538081be5a52b87a211feebc18cc2e92691987a391ed1e564803d41
bud_fbfayhmq53gtb7a56dmbyys2fi	2	dataset_registered	0	0	0	pri_bqdh7x2a5xrypex35smrpvkuxa	dat_7lbyqix2vovzewhytvbxgttv4q	{"api_key_id":"key_7yvdu5hnkxn5m5ehfg7d55pr3m","category_count":2,"commitment":"cda327a6022a879a0ccfb45e67b838c95a0309030d5f52689442dfe2b5f2ec02","principal_head":{"hash":"46bc0df93ce1fc02db81ada353f590e11f96f999cb2de50c005b10825f8b42ce","sequence":2},"record_count":11,"records_per_unit":1,"relation":"replace_one"}	1795534664	938aefecb538081be5a52b87a211feebc18cc2e92691987a391ed1e564803d41	f2f0b74a78a535a6eb78f3acc772376461b3f258b48b6a35c710014b390f4e23
bud_fbfayhmq53gtb7a56dmbyys2fi	3	release_charged	200000000	0	0	pri_bqdh7x2a5xrypex35smrpvkuxa	rel_lkutwybemwsrmjtvt2elvw32cm	{"api_key_id":"key_7yvdu5hnkxn5m5ehfg7d55pr3m","commitment":"cda327a6022a879a0ccfb45e67b838c95a0309030d5f52689442dfe2b5f2ec02","dataset_id":"dat_7lbyqix2vovzewhytvbxgttv4q","key_hash":"6c4e0d01d680d058802e65fb3246555075938fcd7056bf898e510b1567417ef1","mechanism":"simplex_geometric","owner_id":"pri_bqdh7x2a5xrypex35smrpvkuxa","payload_hash":"ee8011923dd067f1bb5e3acd94fbf54f3bb11700e5ab9155d72296314f88c36c","principal_head":{"hash":"46bc0df93ce1fc02db81ada353f590e11f96f999cb2de50c005b10825f8b42ce","sequence":2},"spec_sha256":"0c9622671794f49132a4655778ba6ef40481137dcfdf5c057f48134a2b4ea117"}	1795534669	f2f0b74a78a535a6eb78f3acc772376461b3f258b48b6a35c710014b390f4e23	cb7eb9065631ffec36d788c009862a8bef3b9f8b5ddc4ea39d28301908ef82d2
\.


--
-- Data for Name: grants; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.grants (id, dataset_id, principal_id, epsilon_cap, delta_cap, rho_cap, epsilon_spent, delta_spent, rho_spent, expires_at, closed_at, created_at, created_nanoseconds, stored_bytes, owner_id, dataset_nanoseconds) FROM stdin;
gra_xeqxojhogxbudp7gownm3ytmve	dat_z5v3fetztqtudlxmfpkza6wm7i	pri_d7vh4rcimkc7rnhmvd562mdqtm	900000000	800000000000	0	199997009	100000000000	0	32472144000	\N	1795534659	1795534659257127470	23864	pri_lw5vcs42k7yeyznnwbzslwnuii	1795534659177585024
gra_s6wxbziuyszrm2qyl6m5qo3fmi	dat_uzlwfuond24j2il4hxggsyktv4	pri_d7vh4rcimkc7rnhmvd562mdqtm	0	800000000000	140000000000	0	0	33964384706	32472144000	\N	1795534659	1795534659278812343	97160	pri_lw5vcs42k7yeyznnwbzslwnuii	1795534659213050169
\.


--
-- Data for Name: holdings; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.holdings (owner_id, budgets, datasets, grants) FROM stdin;
pri_lw5vcs42k7yeyznnwbzslwnuii	2	3	2
pri_bqdh7x2a5xrypex35smrpvkuxa	1	1	0
\.


--
-- Data for Name: hourly_spending; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.hourly_spending (budget_id, hour, releases, epsilon, delta, rho) FROM stdin;
bud_sstduxevzridvv5qs7e3urkosq	498759	3	299997009	100000000000	0
bud_pp5eqyse2hiutemax7efvcrdi4	498759	6	0	0	33964384706
bud_fbfayhmq53gtb7a56dmbyys2fi	498759	1	200000000	0	0
\.


--
-- Data for Name: installation; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.installation (id, identity, created_at, restore_pending_since, restores) FROM stdin;
1	e306c07d99ce0c31b6afae5e18a7b89a	1795534655	\N	0
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
counts	k1	f522ac82754c352661661a5acc1c991766bc05de7d6ae91245ed185928313541	1795534657	\N
receipts	139e3940e64b5491	O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik	1795534657	\N
\.


--
-- Data for Name: principal_entries; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principal_entries (principal_id, sequence, kind, actor_id, subject_id, detail, created_at, previous_hash, hash) FROM stdin;
pri_kcpldjmeajlsuyaxqxrpb3dw3i	1	key_issued	command-line	key_ukxyajxtflsnbjelblutrl4ory	{}	1795534656	a651f1bfb2a0a87b903ab877a821751b530d349a2a6d5043502b91de2b486fc9	22ef845d7dc701fd8328ad835977df577c8ccda6781673d18e923c2aec85126e
pri_lw5vcs42k7yeyznnwbzslwnuii	1	token_issued	pri_kcpldjmeajlsuyaxqxrpb3dw3i	enr_s7qcxxspuhke5767lbcxaltbg4	{"recovers":false}	1795534659	afbcdeecee35600dea32d069b796d535b133d940529a6a7116b695bafe17f460	411f618b2b83c4fdb659b04592787fafe986295e95cc4dc9d0ac26ea66d47a02
pri_lw5vcs42k7yeyznnwbzslwnuii	2	enrolled	pri_lw5vcs42k7yeyznnwbzslwnuii	enr_s7qcxxspuhke5767lbcxaltbg4	{"issued_by":"pri_kcpldjmeajlsuyaxqxrpb3dw3i","key_id":"key_2yznlkveptironbr3v775lniq4"}	1795534659	411f618b2b83c4fdb659b04592787fafe986295e95cc4dc9d0ac26ea66d47a02	f42290e0667b57295d236f731a9c027730744d5f8076c607603c4a79ac7451a0
pri_d7vh4rcimkc7rnhmvd562mdqtm	1	token_issued	pri_kcpldjmeajlsuyaxqxrpb3dw3i	enr_ilo5teyixonw5utckniipv4lli	{"recovers":false}	1795534659	81522934347abe02f2c64f8b18fa949cf0560d92cba53522086cbdbccbc43c2a	beb728c5568e350b5db6773a78510ab6906d9a84f21fee8fcc5c6f1c574c5667
pri_d7vh4rcimkc7rnhmvd562mdqtm	2	enrolled	pri_d7vh4rcimkc7rnhmvd562mdqtm	enr_ilo5teyixonw5utckniipv4lli	{"issued_by":"pri_kcpldjmeajlsuyaxqxrpb3dw3i","key_id":"key_tll5lkmvd7z3xxf6a2sbzyfn7m"}	1795534659	beb728c5568e350b5db6773a78510ab6906d9a84f21fee8fcc5c6f1c574c5667	a9a6e3a3701e79cc904182e1c519ec56d7f6268c82b886d0e74b1cc51f93f2da
pri_xbkhwbkynstyb6cffayt73a2tm	1	token_issued	pri_kcpldjmeajlsuyaxqxrpb3dw3i	enr_67q3hbwqb4pr7eucuh4uxvyapm	{"recovers":false}	1795534664	00d024d595e6f5492b58d86cd4d0501280234db120fc1034c5f2459fcf504a09	8713d3550cba5c7d6046abf3f715e16cf1db838e3d3693c703933ba2c513a85b
pri_xbkhwbkynstyb6cffayt73a2tm	2	enrolled	pri_xbkhwbkynstyb6cffayt73a2tm	enr_67q3hbwqb4pr7eucuh4uxvyapm	{"issued_by":"pri_kcpldjmeajlsuyaxqxrpb3dw3i","key_id":"key_t43p2yvv76rpjgr52czqg7w2ve"}	1795534664	8713d3550cba5c7d6046abf3f715e16cf1db838e3d3693c703933ba2c513a85b	c3ff5d1d962a2836578a915126e2ac75b7479b6585d4c28bd083fabfb94f5431
pri_xbkhwbkynstyb6cffayt73a2tm	3	access_requested	pri_xbkhwbkynstyb6cffayt73a2tm	acc_zeqxzx6g6ekozbnkftmpeh2kdi	{"api_key_id":"key_t43p2yvv76rpjgr52czqg7w2ve","dataset_id":"dat_z5v3fetztqtudlxmfpkza6wm7i","requested":[100000000,0,0]}	1795534664	c3ff5d1d962a2836578a915126e2ac75b7479b6585d4c28bd083fabfb94f5431	71a81f73d9768a9a6307848615745e3e65760d0b502fea21f0cf51f5afc7c956
pri_xbkhwbkynstyb6cffayt73a2tm	4	access_requested	pri_xbkhwbkynstyb6cffayt73a2tm	acc_r6ljwablnjthwkaiwbmx6havp4	{"api_key_id":"key_t43p2yvv76rpjgr52czqg7w2ve","dataset_id":"dat_z5v3fetztqtudlxmfpkza6wm7i","requested":[50000000,0,0]}	1795534664	71a81f73d9768a9a6307848615745e3e65760d0b502fea21f0cf51f5afc7c956	20b5985c5b0460b4175f82e246d55d74d93020e47f158ad1808ab61b1c59e549
pri_boeyifv7rtqekgrtou3u266jre	1	token_issued	pri_kcpldjmeajlsuyaxqxrpb3dw3i	enr_cfb6jxzajth74rcsn4l6tor5hm	{"recovers":false}	1795534664	9841cd700af4377c7a47699fa1edc3bcc34b93f3d406ce64d64dbfa15961ac93	650b4355734b15433acd0d058a5cc9cde6b46cf8154591d6d07365ee5753ff22
pri_boeyifv7rtqekgrtou3u266jre	2	enrolled	pri_boeyifv7rtqekgrtou3u266jre	enr_cfb6jxzajth74rcsn4l6tor5hm	{"issued_by":"pri_kcpldjmeajlsuyaxqxrpb3dw3i","key_id":"key_3yw2l3ekmp74nl544we2tbm2um"}	1795534664	650b4355734b15433acd0d058a5cc9cde6b46cf8154591d6d07365ee5753ff22	2279da4460fbc9719d0d38224bf3d58063ee4c51b4ff851930c9c58b8c7dc01e
pri_boeyifv7rtqekgrtou3u266jre	3	principal_revoked	pri_kcpldjmeajlsuyaxqxrpb3dw3i	pri_boeyifv7rtqekgrtou3u266jre	{}	1795534664	2279da4460fbc9719d0d38224bf3d58063ee4c51b4ff851930c9c58b8c7dc01e	e87264eec5877d245a622e27486ceb00721f10fa1da744a56c85403ad0634f31
pri_bqdh7x2a5xrypex35smrpvkuxa	1	token_issued	pri_kcpldjmeajlsuyaxqxrpb3dw3i	enr_x7aogs6nraglrfwaez6xaojite	{"recovers":false}	1795534664	c6a7ddae7449d2b53102dfe015701f215b502e15ed096d4cefcf8698a690a457	3be6f1e3e457593288c880fd9df2d64b9a0c3f08690613b35bccbb9dce4db732
pri_bqdh7x2a5xrypex35smrpvkuxa	2	enrolled	pri_bqdh7x2a5xrypex35smrpvkuxa	enr_x7aogs6nraglrfwaez6xaojite	{"issued_by":"pri_kcpldjmeajlsuyaxqxrpb3dw3i","key_id":"key_7yvdu5hnkxn5m5ehfg7d55pr3m"}	1795534664	3be6f1e3e457593288c880fd9df2d64b9a0c3f08690613b35bccbb9dce4db732	46bc0df93ce1fc02db81ada353f590e11f96f999cb2de50c005b10825f8b42ce
\.


--
-- Data for Name: principal_names; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principal_names (principal_id, name) FROM stdin;
pri_kcpldjmeajlsuyaxqxrpb3dw3i	first admin
pri_lw5vcs42k7yeyznnwbzslwnuii	owner
pri_d7vh4rcimkc7rnhmvd562mdqtm	analyst
pri_xbkhwbkynstyb6cffayt73a2tm	another
pri_boeyifv7rtqekgrtou3u266jre	gone
pri_bqdh7x2a5xrypex35smrpvkuxa	late
\.


--
-- Data for Name: principals; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principals (id, role, created_at, revoked_at, frozen_until, recovery_id, sequence, head_hash, created_nanoseconds) FROM stdin;
pri_kcpldjmeajlsuyaxqxrpb3dw3i	admin	1795534656	\N	\N	\N	1	22ef845d7dc701fd8328ad835977df577c8ccda6781673d18e923c2aec85126e	1795534656307961043
pri_lw5vcs42k7yeyznnwbzslwnuii	owner	1795534659	\N	\N	\N	2	f42290e0667b57295d236f731a9c027730744d5f8076c607603c4a79ac7451a0	1795534659077279664
pri_d7vh4rcimkc7rnhmvd562mdqtm	analyst	1795534659	\N	\N	\N	2	a9a6e3a3701e79cc904182e1c519ec56d7f6268c82b886d0e74b1cc51f93f2da	1795534659129919481
pri_xbkhwbkynstyb6cffayt73a2tm	analyst	1795534664	\N	\N	\N	4	20b5985c5b0460b4175f82e246d55d74d93020e47f158ad1808ab61b1c59e549	1795534664258627283
pri_boeyifv7rtqekgrtou3u266jre	analyst	1795534664	1795534664	\N	\N	3	e87264eec5877d245a622e27486ceb00721f10fa1da744a56c85403ad0634f31	1795534664373505874
pri_bqdh7x2a5xrypex35smrpvkuxa	owner	1795534664	\N	\N	\N	2	46bc0df93ce1fc02db81ada353f590e11f96f999cb2de50c005b10825f8b42ce	1795534664591991854
\.


--
-- Data for Name: public_texts; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.public_texts (release_id, text, created_at) FROM stdin;
rel_sbdvrmjdqmlk3dlfdcp4tznwgm	{"id":"rel_sbdvrmjdqmlk3dlfdcp4tznwgm","dataset_id":"dat_z5v3fetztqtudlxmfpkza6wm7i","budget_id":"bud_sstduxevzridvv5qs7e3urkosq","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[34.0,208.0],"noisy_counts":[33,207],"released_counts":[33,207],"categories":[{"label":"category 0","mean":0.14049586776859505,"standard_deviation":0.022292184213080043,"naive_interval":{"level":0.95,"low":0.09972043219897529,"high":0.1868934689108822}},{"label":"category 1","mean":0.859504132231405,"standard_deviation":0.022292184213080043,"naive_interval":{"level":0.95,"low":0.8131065310891178,"high":0.9002795678010247}}]},"created_at":"2026-11-24T15:37:39Z","signature":{"body":{"kind":"private-posterior release signature 1","release_id":"rel_sbdvrmjdqmlk3dlfdcp4tznwgm","sha256":"297a605586b720942fdf486a6211b9ed19c0ceab711ac0f1886d7bdbf395c65c"},"key_id":"139e3940e64b5491","signature":"CDADsegIvQH70oOKcuZ9Gifa_3_5rEX7OWVl_rmj7MD8vQBS4tcisjc4BC5yMkmSUDI7aff17Pl7Y7boOVK-Cw"}}	1795534664
\.


--
-- Data for Name: query_charges; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.query_charges (release_id, dataset_id, budget_id, sequence, grant_id, measured, apart, epsilon_alone, delta_alone, rho_alone, epsilon_granted, delta_granted, rho_granted) FROM stdin;
qry_qzqtol5fma2kbq2nzbzf42axaq	dat_uzlwfuond24j2il4hxggsyktv4	bud_pp5eqyse2hiutemax7efvcrdi4	10	gra_s6wxbziuyszrm2qyl6m5qo3fmi	[]	[]	0	0	0	0	0	0
\.


--
-- Data for Name: releases; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.releases (id, dataset_id, budget_id, sequence, principal_id, key_hash, payload_hash, spec, epsilon_charged, delta_charged, rho_charged, epsilon_remaining, delta_remaining, rho_remaining, receipt, created_at, state, leased_until, drawn, result, public_since, kind, owner_id) FROM stdin;
rel_cl3uewdsisvsnckojgwmgki6ri	dat_z5v3fetztqtudlxmfpkza6wm7i	bud_sstduxevzridvv5qs7e3urkosq	7	pri_d7vh4rcimkc7rnhmvd562mdqtm	83f887b172e0932a9644af9e7bd26c1ff6e12164eac663b3a6d02f399b7368d1	efabf0c01806212da04492a44eef75cb8176370b44fbde889a6db4a060b69e82	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"exponential","calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"exponential","n":240,"prior":["1.0","1.0"],"epsilon0":"0.146859191","gamma":"0.0265","uniform_admixture":null,"calibration":"certified","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"method":"exact_channel","statement":"(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel.","relation":"replace_one","details":{"loss":"0.099997008","loss_range":"0.148875720","rounding":"2.771e-11"}}}	99997009	100000000000	0	700002991	700000000000	0	{"body":{"accountant":"basic","at":1795534662,"budget_id":"bud_sstduxevzridvv5qs7e3urkosq","chain_hash":"c79c4a3be6106139aa678d66598bb9832536d1de324a3ca67edfef3d83fc2265","commitment":"605a949f7042a4ac4ddd9c99f4d2f775c840eae080be435da51b7851cd9d1e83","dataset_id":"dat_z5v3fetztqtudlxmfpkza6wm7i","delta_units":100000000000,"epsilon_units":99997009,"grant_id":"gra_xeqxojhogxbudp7gownm3ytmve","key_hash":"83f887b172e0932a9644af9e7bd26c1ff6e12164eac663b3a6d02f399b7368d1","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"efabf0c01806212da04492a44eef75cb8176370b44fbde889a6db4a060b69e82","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"rel_cl3uewdsisvsnckojgwmgki6ri","rho_units":0,"sequence":7,"spec_sha256":"d562b3d089d97de00fbe881c70a3fb1385131a7fab59c40dcad9e306deb16471"},"key_id":"139e3940e64b5491","signature":"F9u7_Tuzkcb_N3X_hD2zqC-MOG76N5th8K0UrmegpGMfKmx6gfw4qqFx8RXcz0s1gAEpLmxV4Rv7pTbEkc1lDg"}	1795534662	complete	1795534683	{"noisy": [114, 126], "on_simplex": [114, 126]}	{"id":"rel_cl3uewdsisvsnckojgwmgki6ri","dataset_id":"dat_z5v3fetztqtudlxmfpkza6wm7i","budget_id":"bud_sstduxevzridvv5qs7e3urkosq","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"exponential","n":240,"prior":["1.0","1.0"],"epsilon0":"0.146859191","gamma":"0.0265","uniform_admixture":null,"calibration":"certified","delta":"0.0000001"},"prior":[1.0,1.0],"mechanism":{"kind":"exponential","calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"requested":{"calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"certified":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.099997009","delta":"0.0000001"},"remaining_after":{"accountant":"basic","epsilon":"0.700002991","delta":"0.0000007"},"certificate":{"method":"exact_channel","statement":"(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"details":{"loss":"0.099997008","loss_range":"0.148875720","rounding":"2.771e-11"}},"posterior":{"concentration":[115.0,127.0],"noisy_counts":[114,126],"released_counts":[114,126],"categories":[{"label":"category 0","mean":0.47520661157024796,"standard_deviation":0.032035556884465494,"naive_interval":{"level":0.95,"low":0.4126675093496859,"high":0.5381339521215263}},{"label":"category 1","mean":0.5247933884297521,"standard_deviation":0.032035556884465494,"naive_interval":{"level":0.95,"low":0.46186604787847374,"high":0.5873324906503141}}]},"created_at":"2026-11-24T15:37:42Z","receipt":{"body":{"accountant":"basic","at":1795534662,"budget_id":"bud_sstduxevzridvv5qs7e3urkosq","chain_hash":"c79c4a3be6106139aa678d66598bb9832536d1de324a3ca67edfef3d83fc2265","commitment":"605a949f7042a4ac4ddd9c99f4d2f775c840eae080be435da51b7851cd9d1e83","dataset_id":"dat_z5v3fetztqtudlxmfpkza6wm7i","delta_units":100000000000,"epsilon_units":99997009,"grant_id":"gra_xeqxojhogxbudp7gownm3ytmve","key_hash":"83f887b172e0932a9644af9e7bd26c1ff6e12164eac663b3a6d02f399b7368d1","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"efabf0c01806212da04492a44eef75cb8176370b44fbde889a6db4a060b69e82","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"rel_cl3uewdsisvsnckojgwmgki6ri","rho_units":0,"sequence":7,"spec_sha256":"d562b3d089d97de00fbe881c70a3fb1385131a7fab59c40dcad9e306deb16471"},"key_id":"139e3940e64b5491","signature":"F9u7_Tuzkcb_N3X_hD2zqC-MOG76N5th8K0UrmegpGMfKmx6gfw4qqFx8RXcz0s1gAEpLmxV4Rv7pTbEkc1lDg"}}	\N	posterior	pri_lw5vcs42k7yeyznnwbzslwnuii
rel_nuzavxf7t3ij56cb6cdlpzgfum	dat_uzlwfuond24j2il4hxggsyktv4	bud_pp5eqyse2hiutemax7efvcrdi4	4	pri_d7vh4rcimkc7rnhmvd562mdqtm	82c71783d6258ccbf64b340c660bbf2d346514d2ec809f1529229e9cd77e6ca3	a924dcd9dc48d43cee4eeb47a8b9fc140bebbd21deb97bbe3342e4edfc11168d	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"simplex_geometric","n":667,"m":5,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}}}	0	0	2856598834	0	800000000000	137143401166	{"body":{"accountant":"zcdp","at":1795534662,"budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","chain_hash":"253e988a8e5fca32e67f0f36884b7b61c90c92cdbe8989015c4669dfc0e8e1f0","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","delta_units":0,"epsilon_units":0,"grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"82c71783d6258ccbf64b340c660bbf2d346514d2ec809f1529229e9cd77e6ca3","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"a924dcd9dc48d43cee4eeb47a8b9fc140bebbd21deb97bbe3342e4edfc11168d","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"rel_nuzavxf7t3ij56cb6cdlpzgfum","rho_units":2856598834,"sequence":4,"spec_sha256":"705536b46c468eb1bd505605a907892056015c07f9acb55ccc9f2fa868066fbb"},"key_id":"139e3940e64b5491","signature":"_YBQjBMPr0lXV41O3LCETcaacUJWGEK_f5xQJ4HL4xUxbZ2czTu8HMU9rR54TlHgIQHdudCOD5Z6HvjCiHkfCQ"}	1795534662	complete	1795534683	{"noisy": [68, 288, -2, 60, 253], "on_simplex": [68, 287, 0, 60, 252]}	{"id":"rel_nuzavxf7t3ij56cb6cdlpzgfum","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"simplex_geometric","n":667,"m":5,"epsilon":"0.1"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002856598834","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.137143401166","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[68.5,287.5,0.5,60.5,252.5],"noisy_counts":[68,288,-2,60,253],"released_counts":[68,287,0,60,252],"categories":[{"label":"female · yes","mean":0.10231516056758776,"standard_deviation":0.01170395246633601,"naive_interval":{"level":0.95,"low":0.08052815007507921,"high":0.12635113061981026}},{"label":"female · no","mean":0.4294249439880508,"standard_deviation":0.019116158973066084,"naive_interval":{"level":0.95,"low":0.392169874472607,"high":0.46707941916028256}},{"label":"female · unknown","mean":0.0007468259895444362,"standard_deviation":0.0010549893818436278,"naive_interval":{"level":0.95,"low":7.342569629795003e-7,"high":0.0037491302822801123}},{"label":"male · yes","mean":0.09036594473487677,"standard_deviation":0.011072262187932266,"naive_interval":{"level":0.95,"low":0.06985275490028592,"high":0.11319534619612792}},{"label":"male · no","mean":0.3771471247199403,"standard_deviation":0.018717538981563697,"naive_interval":{"level":0.95,"low":0.34082184494735956,"high":0.4141676530045182}}]},"created_at":"2026-11-24T15:37:42Z","receipt":{"body":{"accountant":"zcdp","at":1795534662,"budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","chain_hash":"253e988a8e5fca32e67f0f36884b7b61c90c92cdbe8989015c4669dfc0e8e1f0","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","delta_units":0,"epsilon_units":0,"grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"82c71783d6258ccbf64b340c660bbf2d346514d2ec809f1529229e9cd77e6ca3","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"a924dcd9dc48d43cee4eeb47a8b9fc140bebbd21deb97bbe3342e4edfc11168d","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"rel_nuzavxf7t3ij56cb6cdlpzgfum","rho_units":2856598834,"sequence":4,"spec_sha256":"705536b46c468eb1bd505605a907892056015c07f9acb55ccc9f2fa868066fbb"},"key_id":"139e3940e64b5491","signature":"_YBQjBMPr0lXV41O3LCETcaacUJWGEK_f5xQJ4HL4xUxbZ2czTu8HMU9rR54TlHgIQHdudCOD5Z6HvjCiHkfCQ"}}	\N	posterior	pri_lw5vcs42k7yeyznnwbzslwnuii
rel_ikfou6cerqqyfaqffed5t5d5di	dat_uzlwfuond24j2il4hxggsyktv4	bud_pp5eqyse2hiutemax7efvcrdi4	5	pri_d7vh4rcimkc7rnhmvd562mdqtm	6c06fd68d0cda0f3a6959e9ad7dd6256106e08014c74daeb8294c4def483f97f	d2ce50d6d8a7431c6b9e0ffe595c452daa7b7cf20bb9545cac723bff4c265714	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"laplace","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"laplace","n":667,"m":5,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: Laplace noise of scale 2/0.1 on all counts but the last, which one replaced record changes by 2 in all.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_scale":"2/0.1"}}}	0	0	2438528778	0	800000000000	134704872388	{"body":{"accountant":"zcdp","at":1795534662,"budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","chain_hash":"c725f08f32149dcb75083854dd3f82060abe88dfdf51f0f21dc9cb05604da8f6","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","delta_units":0,"epsilon_units":0,"grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"6c06fd68d0cda0f3a6959e9ad7dd6256106e08014c74daeb8294c4def483f97f","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"d2ce50d6d8a7431c6b9e0ffe595c452daa7b7cf20bb9545cac723bff4c265714","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"rel_ikfou6cerqqyfaqffed5t5d5di","rho_units":2438528778,"sequence":5,"spec_sha256":"33593e2b3f7e3439f184624c894c653507cdb6d46bbfd6147907f220af7a3e40"},"key_id":"139e3940e64b5491","signature":"TnRC9BKjLIWCLgMjgWoW3Esw6xof0suekODTdW5gkI7XV1-79fjolY7UjjuCl9QH-kQq4oE18ZUYc9nYrzsSCg"}	1795534662	complete	1795534683	{"noisy": [28, 282, -13, 32], "on_simplex": [28, 282, 0, 32, 325]}	{"id":"rel_ikfou6cerqqyfaqffed5t5d5di","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"laplace","n":667,"m":5,"epsilon":"0.1"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"laplace","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002438528778","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.134704872388","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: Laplace noise of scale 2/0.1 on all counts but the last, which one replaced record changes by 2 in all.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_scale":"2/0.1"}},"posterior":{"concentration":[28.5,282.5,0.5,32.5,325.5],"noisy_counts":[28,282,-13,32],"released_counts":[28,282,0,32,325],"categories":[{"label":"female · yes","mean":0.04256908140403286,"standard_deviation":0.007796532118097795,"naive_interval":{"level":0.95,"low":0.028625205033120712,"high":0.05909591954534077}},{"label":"female · no","mean":0.42195668409260645,"standard_deviation":0.019072812358915957,"naive_interval":{"level":0.95,"low":0.38480776753837703,"high":0.45954727056701067}},{"label":"female · unknown","mean":0.0007468259895444362,"standard_deviation":0.0010549893818436278,"naive_interval":{"level":0.95,"low":7.342569629795003e-7,"high":0.0037491302822801123}},{"label":"male · yes","mean":0.04854368932038835,"standard_deviation":0.008299681453286701,"naive_interval":{"level":0.95,"low":0.03359407684508264,"high":0.06604333874819265}},{"label":"male · no","mean":0.48618371919342795,"standard_deviation":0.019302108178673102,"naive_interval":{"level":0.95,"low":0.4484033206250728,"high":0.5240423089476823}}]},"created_at":"2026-11-24T15:37:42Z","receipt":{"body":{"accountant":"zcdp","at":1795534662,"budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","chain_hash":"c725f08f32149dcb75083854dd3f82060abe88dfdf51f0f21dc9cb05604da8f6","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","delta_units":0,"epsilon_units":0,"grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"6c06fd68d0cda0f3a6959e9ad7dd6256106e08014c74daeb8294c4def483f97f","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"d2ce50d6d8a7431c6b9e0ffe595c452daa7b7cf20bb9545cac723bff4c265714","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"rel_ikfou6cerqqyfaqffed5t5d5di","rho_units":2438528778,"sequence":5,"spec_sha256":"33593e2b3f7e3439f184624c894c653507cdb6d46bbfd6147907f220af7a3e40"},"key_id":"139e3940e64b5491","signature":"TnRC9BKjLIWCLgMjgWoW3Esw6xof0suekODTdW5gkI7XV1-79fjolY7UjjuCl9QH-kQq4oE18ZUYc9nYrzsSCg"}}	\N	posterior	pri_lw5vcs42k7yeyznnwbzslwnuii
rel_tg3yb2zwslify22isp5vzuyj74	dat_uzlwfuond24j2il4hxggsyktv4	bud_pp5eqyse2hiutemax7efvcrdi4	6	pri_d7vh4rcimkc7rnhmvd562mdqtm	ced10827cd1a28c1f9245e14598bcd7ff13c0b05b8eedd02552358d7f3dfcbb2	642dd6c69aa6f2ac03a7ea4d46540d63717674267ccf305039ec5aa8f335ddc9	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"gaussian","rho":"0.01","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"gaussian","n":667,"m":5,"rho":"0.01","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"method":"theorem","statement":"The release is 0.01-zCDP: discrete Gaussian noise with sigma^2 = 1/0.01 on every count, and replacing one record moves two counts by 1. Hence it is (0.689914956, 0.0000001)-differentially private.","relation":"replace_one","details":{"l2_sensitivity_squared":"2","noise_variance":"1/0.01"}}}	0	0	10000000000	0	800000000000	124704872388	{"body":{"accountant":"zcdp","at":1795534662,"budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","chain_hash":"dc34beafde72107f057d4c1722613ca43abc38ca8e2dc19c5957d7f003c0d125","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","delta_units":0,"epsilon_units":0,"grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"ced10827cd1a28c1f9245e14598bcd7ff13c0b05b8eedd02552358d7f3dfcbb2","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"642dd6c69aa6f2ac03a7ea4d46540d63717674267ccf305039ec5aa8f335ddc9","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"rel_tg3yb2zwslify22isp5vzuyj74","rho_units":10000000000,"sequence":6,"spec_sha256":"c305371bdcf35959541f899d4224fc40346c2eb39baadde048ca07e459d08a04"},"key_id":"139e3940e64b5491","signature":"ZSwd6k-C3DphBLy71gB5rXFEeRkbnTHxXSsDxDbUsV_3EFggblCudpaX_tUep-NwnZH2OtkjQYEItmKB_bkMBg"}	1795534662	complete	1795534683	{"noisy": [36, 323, -2, 6, 279], "on_simplex": [41, 328, 3, 11, 284]}	{"id":"rel_tg3yb2zwslify22isp5vzuyj74","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"gaussian","n":667,"m":5,"rho":"0.01","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"gaussian","rho":"0.01","delta":"0.0000001"},"requested":{"rho":"0.01","delta":"0.0000001"},"certified":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.01","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.124704872388","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.01-zCDP: discrete Gaussian noise with sigma^2 = 1/0.01 on every count, and replacing one record moves two counts by 1. Hence it is (0.689914956, 0.0000001)-differentially private.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"details":{"l2_sensitivity_squared":"2","noise_variance":"1/0.01"}},"posterior":{"concentration":[41.5,328.5,3.5,11.5,284.5],"noisy_counts":[36,323,-2,6,279],"released_counts":[41,328,3,11,284],"categories":[{"label":"female · yes","mean":0.0619865571321882,"standard_deviation":0.009312234370656088,"naive_interval":{"level":0.95,"low":0.045009677164592816,"high":0.08143875343790714}},{"label":"female · no","mean":0.49066467513069456,"standard_deviation":0.019306115675483373,"naive_interval":{"level":0.95,"low":0.45286373662915097,"high":0.5285184455240785}},{"label":"female · unknown","mean":0.005227781926811053,"standard_deviation":0.002784974123651072,"naive_interval":{"level":0.95,"low":0.001265494048119132,"high":0.011927406890634026}},{"label":"male · yes","mean":0.01717699775952203,"standard_deviation":0.005017783216510228,"naive_interval":{"level":0.95,"low":0.008773024474914728,"high":0.028296661018775707}},{"label":"male · no","mean":0.42494398805078415,"standard_deviation":0.01909068569990576,"naive_interval":{"level":0.95,"low":0.387751561541934,"high":0.46256117880600034}}]},"created_at":"2026-11-24T15:37:42Z","receipt":{"body":{"accountant":"zcdp","at":1795534662,"budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","chain_hash":"dc34beafde72107f057d4c1722613ca43abc38ca8e2dc19c5957d7f003c0d125","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","delta_units":0,"epsilon_units":0,"grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"ced10827cd1a28c1f9245e14598bcd7ff13c0b05b8eedd02552358d7f3dfcbb2","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"642dd6c69aa6f2ac03a7ea4d46540d63717674267ccf305039ec5aa8f335ddc9","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"rel_tg3yb2zwslify22isp5vzuyj74","rho_units":10000000000,"sequence":6,"spec_sha256":"c305371bdcf35959541f899d4224fc40346c2eb39baadde048ca07e459d08a04"},"key_id":"139e3940e64b5491","signature":"ZSwd6k-C3DphBLy71gB5rXFEeRkbnTHxXSsDxDbUsV_3EFggblCudpaX_tUep-NwnZH2OtkjQYEItmKB_bkMBg"}}	\N	posterior	pri_lw5vcs42k7yeyznnwbzslwnuii
rel_sbdvrmjdqmlk3dlfdcp4tznwgm	dat_z5v3fetztqtudlxmfpkza6wm7i	bud_sstduxevzridvv5qs7e3urkosq	6	pri_d7vh4rcimkc7rnhmvd562mdqtm	90c5aaa147044234a6fe6f504a22ba0c393bfeb4f05eef3d71318ba2eb37ae74	59d549afb762c2bef524d91bc695860476d11abbd8f3c67fbe48cd1626f58b6d	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}}}	100000000	0	0	800000000	800000000000	0	{"body":{"accountant":"basic","at":1795534659,"budget_id":"bud_sstduxevzridvv5qs7e3urkosq","chain_hash":"9e6c4d6eddb841e74a72496dfb885d7ab49fa350fbad3b621bb010a361fd8861","commitment":"605a949f7042a4ac4ddd9c99f4d2f775c840eae080be435da51b7851cd9d1e83","dataset_id":"dat_z5v3fetztqtudlxmfpkza6wm7i","delta_units":0,"epsilon_units":100000000,"grant_id":"gra_xeqxojhogxbudp7gownm3ytmve","key_hash":"90c5aaa147044234a6fe6f504a22ba0c393bfeb4f05eef3d71318ba2eb37ae74","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"59d549afb762c2bef524d91bc695860476d11abbd8f3c67fbe48cd1626f58b6d","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"rel_sbdvrmjdqmlk3dlfdcp4tznwgm","rho_units":0,"sequence":6,"spec_sha256":"de23c21283969e8a7000e4101d77422108c94bf38f1395765fbe9ee364a73c5f"},"key_id":"139e3940e64b5491","signature":"xUTHrysnnqRmHpBkmxMTYsdVrGsKnJ0BdVTCueAGT2z7nvAoSMglCIxow8uFKFt3s7kIiFZL-vrj1QWj0kB-Bw"}	1795534659	complete	1795534680	{"noisy": [33, 207], "on_simplex": [33, 207]}	{"id":"rel_sbdvrmjdqmlk3dlfdcp4tznwgm","dataset_id":"dat_z5v3fetztqtudlxmfpkza6wm7i","budget_id":"bud_sstduxevzridvv5qs7e3urkosq","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.8","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[34.0,208.0],"noisy_counts":[33,207],"released_counts":[33,207],"categories":[{"label":"category 0","mean":0.14049586776859505,"standard_deviation":0.022292184213080043,"naive_interval":{"level":0.95,"low":0.09972043219897529,"high":0.1868934689108822}},{"label":"category 1","mean":0.859504132231405,"standard_deviation":0.022292184213080043,"naive_interval":{"level":0.95,"low":0.8131065310891178,"high":0.9002795678010247}}]},"created_at":"2026-11-24T15:37:39Z","receipt":{"body":{"accountant":"basic","at":1795534659,"budget_id":"bud_sstduxevzridvv5qs7e3urkosq","chain_hash":"9e6c4d6eddb841e74a72496dfb885d7ab49fa350fbad3b621bb010a361fd8861","commitment":"605a949f7042a4ac4ddd9c99f4d2f775c840eae080be435da51b7851cd9d1e83","dataset_id":"dat_z5v3fetztqtudlxmfpkza6wm7i","delta_units":0,"epsilon_units":100000000,"grant_id":"gra_xeqxojhogxbudp7gownm3ytmve","key_hash":"90c5aaa147044234a6fe6f504a22ba0c393bfeb4f05eef3d71318ba2eb37ae74","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"59d549afb762c2bef524d91bc695860476d11abbd8f3c67fbe48cd1626f58b6d","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"rel_sbdvrmjdqmlk3dlfdcp4tznwgm","rho_units":0,"sequence":6,"spec_sha256":"de23c21283969e8a7000e4101d77422108c94bf38f1395765fbe9ee364a73c5f"},"key_id":"139e3940e64b5491","signature":"xUTHrysnnqRmHpBkmxMTYsdVrGsKnJ0BdVTCueAGT2z7nvAoSMglCIxow8uFKFt3s7kIiFZL-vrj1QWj0kB-Bw"}}	1795534664	posterior	pri_lw5vcs42k7yeyznnwbzslwnuii
rel_jx2sgihnahma7zn2lm5swpdrbm	dat_uzlwfuond24j2il4hxggsyktv4	bud_pp5eqyse2hiutemax7efvcrdi4	7	pri_d7vh4rcimkc7rnhmvd562mdqtm	f867d01ee48563281b28771888893ff48c422028fa525ded256b079511cd63b5	bf1a5b74433de8dd7f1d4a2b674aaf5c8a103201dd334b036623dc9bb76ef6d9	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential","calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.10781884","gamma":"0.0342","uniform_admixture":null,"calibration":"proven","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"method":"theorem","statement":"(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","details":{"change_of_rate":"0.044264479","draw":"rejection","excess_by_ratio":"0.059336596","excess_by_tail":"1.355692916","normalisers":"0.001824692","rounding":"4.214e-11","score":"0.053909420"}}}	0	0	2321993715	0	800000000000	122382878673	{"body":{"accountant":"zcdp","at":1795534662,"budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","chain_hash":"7816a28f7413de946898347255a82e3f5c64b5be2ace1ea06b862579696d667a","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","delta_units":0,"epsilon_units":0,"grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"f867d01ee48563281b28771888893ff48c422028fa525ded256b079511cd63b5","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"bf1a5b74433de8dd7f1d4a2b674aaf5c8a103201dd334b036623dc9bb76ef6d9","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"rel_jx2sgihnahma7zn2lm5swpdrbm","rho_units":2321993715,"sequence":7,"spec_sha256":"e0e1ba13a14ab1e0ad49104747d307fc8fcdc22d2bc432f8f52bbfaea01b9cb2"},"key_id":"139e3940e64b5491","signature":"7VLv5FBqWqUg2T6sSPOo6D5fkwgv5pHNz7-_ma5yyBfSbUthFbVkM1oq04bEr-eobDMgA_pRlNjM_rzTKhaXCg"}	1795534662	complete	1795534683	{"noisy": [53, 7, 224, 268, 115], "on_simplex": [53, 7, 224, 268, 115]}	{"id":"rel_jx2sgihnahma7zn2lm5swpdrbm","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.10781884","gamma":"0.0342","uniform_admixture":null,"calibration":"proven","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential","calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"requested":{"calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"certified":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002321993715","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.122382878673","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"details":{"change_of_rate":"0.044264479","draw":"rejection","excess_by_ratio":"0.059336596","excess_by_tail":"1.355692916","normalisers":"0.001824692","rounding":"4.214e-11","score":"0.053909420"}},"posterior":{"concentration":[53.5,7.5,224.5,268.5,115.5],"noisy_counts":[53,7,224,268,115],"released_counts":[53,7,224,268,115],"categories":[{"label":"female · yes","mean":0.07991038088125467,"standard_deviation":0.01047170199834933,"naive_interval":null},{"label":"female · no","mean":0.011202389843166542,"standard_deviation":0.004064523641335389,"naive_interval":null},{"label":"female · unknown","mean":0.33532486930545186,"standard_deviation":0.018232163454640783,"naive_interval":null},{"label":"male · yes","mean":0.4010455563853622,"standard_deviation":0.018927548116084075,"naive_interval":null},{"label":"male · no","mean":0.17251680358476476,"standard_deviation":0.014591364350029699,"naive_interval":null}]},"created_at":"2026-11-24T15:37:42Z","receipt":{"body":{"accountant":"zcdp","at":1795534662,"budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","chain_hash":"7816a28f7413de946898347255a82e3f5c64b5be2ace1ea06b862579696d667a","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","delta_units":0,"epsilon_units":0,"grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"f867d01ee48563281b28771888893ff48c422028fa525ded256b079511cd63b5","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"bf1a5b74433de8dd7f1d4a2b674aaf5c8a103201dd334b036623dc9bb76ef6d9","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"rel_jx2sgihnahma7zn2lm5swpdrbm","rho_units":2321993715,"sequence":7,"spec_sha256":"e0e1ba13a14ab1e0ad49104747d307fc8fcdc22d2bc432f8f52bbfaea01b9cb2"},"key_id":"139e3940e64b5491","signature":"7VLv5FBqWqUg2T6sSPOo6D5fkwgv5pHNz7-_ma5yyBfSbUthFbVkM1oq04bEr-eobDMgA_pRlNjM_rzTKhaXCg"}}	\N	posterior	pri_lw5vcs42k7yeyznnwbzslwnuii
rel_tp6vt6ximj2vr5ddgvrt4qny2i	dat_uzlwfuond24j2il4hxggsyktv4	bud_pp5eqyse2hiutemax7efvcrdi4	8	pri_d7vh4rcimkc7rnhmvd562mdqtm	e61f79fff881a69bf225be514fba18e49fd43b7889f85b66b4262f29e8b38acb	014a07bc882104d1c5a1185f78e7998c48e7f59a984213ea6505781952164190	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_published","nominal_epsilon":"0.2","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.2","gamma":"0.004279815109635818","uniform_admixture":null,"calibration":"published","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"method":"theorem","statement":"(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","details":{"change_of_rate":"0.013980835","draw":"rejection","excess_by_ratio":"0.013980835","excess_by_tail":"0.167125342","normalisers":"0.005005989","rounding":"6.634e-11","score":"0.100000000"}}}	0	0	5097263440	0	800000000000	117285615233	{"body":{"accountant":"zcdp","at":1795534663,"budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","chain_hash":"cd21146dcd589da4fba47d0e7fe5b6545e130d499ff95dfa4c1fe2786222fe62","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","delta_units":0,"epsilon_units":0,"grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"e61f79fff881a69bf225be514fba18e49fd43b7889f85b66b4262f29e8b38acb","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"014a07bc882104d1c5a1185f78e7998c48e7f59a984213ea6505781952164190","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"rel_tp6vt6ximj2vr5ddgvrt4qny2i","rho_units":5097263440,"sequence":8,"spec_sha256":"38cf248e19022ae7950c0a70982c17cb5ac1cc5e08cab6c8f6b0abce4271d3ba"},"key_id":"139e3940e64b5491","signature":"-GlhpkiFqs-3JCAXX3BJJxV5sSN6AsWquY-psBIo3AHPy8oE5BfRRnxGzKTOvH85W2nb1feGnQv2jT93vrx9DQ"}	1795534663	complete	1795534684	{"noisy": [8, 47, 62, 509, 41], "on_simplex": [8, 47, 62, 509, 41]}	{"id":"rel_tp6vt6ximj2vr5ddgvrt4qny2i","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.2","gamma":"0.004279815109635818","uniform_admixture":null,"calibration":"published","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_published","nominal_epsilon":"0.2","delta":"0.0000001"},"requested":{"nominal_epsilon":"0.2","delta":"0.0000001"},"certified":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.00509726344","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.117285615233","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"details":{"change_of_rate":"0.013980835","draw":"rejection","excess_by_ratio":"0.013980835","excess_by_tail":"0.167125342","normalisers":"0.005005989","rounding":"6.634e-11","score":"0.100000000"}},"posterior":{"concentration":[8.5,47.5,62.5,509.5,41.5],"noisy_counts":[8,47,62,509,41],"released_counts":[8,47,62,509,41],"categories":[{"label":"female · yes","mean":0.012696041822255415,"standard_deviation":0.004323746467042751,"naive_interval":null},{"label":"female · no","mean":0.07094846900672143,"standard_deviation":0.009914984159889673,"naive_interval":null},{"label":"female · unknown","mean":0.09335324869305452,"standard_deviation":0.01123529245932402,"naive_interval":null},{"label":"male · yes","mean":0.7610156833457804,"standard_deviation":0.01646956441129789,"naive_interval":null},{"label":"male · no","mean":0.0619865571321882,"standard_deviation":0.009312234370656088,"naive_interval":null}]},"created_at":"2026-11-24T15:37:43Z","receipt":{"body":{"accountant":"zcdp","at":1795534663,"budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","chain_hash":"cd21146dcd589da4fba47d0e7fe5b6545e130d499ff95dfa4c1fe2786222fe62","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","delta_units":0,"epsilon_units":0,"grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"e61f79fff881a69bf225be514fba18e49fd43b7889f85b66b4262f29e8b38acb","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"014a07bc882104d1c5a1185f78e7998c48e7f59a984213ea6505781952164190","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"rel_tp6vt6ximj2vr5ddgvrt4qny2i","rho_units":5097263440,"sequence":8,"spec_sha256":"38cf248e19022ae7950c0a70982c17cb5ac1cc5e08cab6c8f6b0abce4271d3ba"},"key_id":"139e3940e64b5491","signature":"-GlhpkiFqs-3JCAXX3BJJxV5sSN6AsWquY-psBIo3AHPy8oE5BfRRnxGzKTOvH85W2nb1feGnQv2jT93vrx9DQ"}}	\N	posterior	pri_lw5vcs42k7yeyznnwbzslwnuii
rel_jcqvqefb33egeh4yjpghmexqsq	dat_uzlwfuond24j2il4hxggsyktv4	bud_pp5eqyse2hiutemax7efvcrdi4	9	pri_d7vh4rcimkc7rnhmvd562mdqtm	dc80cc1392b3eb0442863dcfd6885de70423dcf71ce8e004ff425be8d6134eae	4305dad09da03d83290a97f7c897eed67d8a2b4e4686cb011bd8cd6f9527d67c	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_global","epsilon":"0.3","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.299999999","gamma":null,"uniform_admixture":null,"calibration":"global","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"method":"theorem","statement":"(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2.","relation":"replace_one","details":{"draw":"rejection","normalisers":"0.002500479","rounding":"1.782e-11","score":"0.150000000"}}}	0	0	11249999939	0	800000000000	106035615294	{"body":{"accountant":"zcdp","at":1795534663,"budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","chain_hash":"08156a9e9862331493af9f36ecccc50ba671272335ecc2261c18a87256e66274","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","delta_units":0,"epsilon_units":0,"grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"dc80cc1392b3eb0442863dcfd6885de70423dcf71ce8e004ff425be8d6134eae","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"4305dad09da03d83290a97f7c897eed67d8a2b4e4686cb011bd8cd6f9527d67c","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"rel_jcqvqefb33egeh4yjpghmexqsq","rho_units":11249999939,"sequence":9,"spec_sha256":"762ca2a9fc23a54fac5ae3ebbda6354f8df5e3a15be643cef8e21dc0f4627968"},"key_id":"139e3940e64b5491","signature":"F2MlrUFGL0wFhd2_-8D_20412ju6jWMeCcbu1JYhfwbcuQL4SuYeE4oAwr576UMn5fPOrH3tb1aznorxu6ICCA"}	1795534663	complete	1795534684	{"noisy": [60, 89, 21, 79, 418], "on_simplex": [60, 89, 21, 79, 418]}	{"id":"rel_jcqvqefb33egeh4yjpghmexqsq","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.299999999","gamma":null,"uniform_admixture":null,"calibration":"global","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_global","epsilon":"0.3","delta":"0.0000001"},"requested":{"epsilon":"0.3","delta":"0.0000001"},"certified":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.011249999939","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.106035615294","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"details":{"draw":"rejection","normalisers":"0.002500479","rounding":"1.782e-11","score":"0.150000000"}},"posterior":{"concentration":[60.5,89.5,21.5,79.5,418.5],"noisy_counts":[60,89,21,79,418],"released_counts":[60,89,21,79,418],"categories":[{"label":"female · yes","mean":0.09036594473487677,"standard_deviation":0.011072262187932266,"naive_interval":null},{"label":"female · no","mean":0.13368185212845407,"standard_deviation":0.013142426049847306,"naive_interval":null},{"label":"female · unknown","mean":0.03211351755041075,"standard_deviation":0.006808583381830476,"naive_interval":null},{"label":"male · yes","mean":0.11874533233756535,"standard_deviation":0.012492794545813889,"naive_interval":null},{"label":"male · no","mean":0.6250933532486931,"standard_deviation":0.018695393881469645,"naive_interval":null}]},"created_at":"2026-11-24T15:37:43Z","receipt":{"body":{"accountant":"zcdp","at":1795534663,"budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","chain_hash":"08156a9e9862331493af9f36ecccc50ba671272335ecc2261c18a87256e66274","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","delta_units":0,"epsilon_units":0,"grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"dc80cc1392b3eb0442863dcfd6885de70423dcf71ce8e004ff425be8d6134eae","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"4305dad09da03d83290a97f7c897eed67d8a2b4e4686cb011bd8cd6f9527d67c","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"rel_jcqvqefb33egeh4yjpghmexqsq","rho_units":11249999939,"sequence":9,"spec_sha256":"762ca2a9fc23a54fac5ae3ebbda6354f8df5e3a15be643cef8e21dc0f4627968"},"key_id":"139e3940e64b5491","signature":"F2MlrUFGL0wFhd2_-8D_20412ju6jWMeCcbu1JYhfwbcuQL4SuYeE4oAwr576UMn5fPOrH3tb1aznorxu6ICCA"}}	\N	posterior	pri_lw5vcs42k7yeyznnwbzslwnuii
rel_gh4c76mg5glphbatmnc7pmcvxe	dat_tz32egum7okgj6pvgmnw264ile	bud_sstduxevzridvv5qs7e3urkosq	8	pri_lw5vcs42k7yeyznnwbzslwnuii	95630335142eab98523aca10ad9d942096b43a3550b4a66b0fccb1cba1a43f26	3379068c83db3fc26421970cb95a4b6801f5e78afefe723537e4b3786f48d2d8	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":2,"accountant":"basic","event":{"event":"simplex_geometric","n":21,"m":2,"epsilon":"0.05"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"method":"theorem","statement":"(0.1, 0)-differentially private when 2 records change their categories, by group privacy from one record: The release is 0.05-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.05/2","support":"lattice","records_per_unit":"2","epsilon_of_one_record":"0.05"}}}	100000000	0	0	700002991	900000000000	0	{"body":{"accountant":"basic","at":1795534663,"budget_id":"bud_sstduxevzridvv5qs7e3urkosq","chain_hash":"779dd1d0ea6079594b710b937d61c5fc8bef84a26b6a6fa1ca5ec111206b90b8","commitment":"e24c82ecee24001ec047119511d2d9f3bab661516ae4f00104c9a040cd22cb33","dataset_id":"dat_tz32egum7okgj6pvgmnw264ile","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"95630335142eab98523aca10ad9d942096b43a3550b4a66b0fccb1cba1a43f26","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"3379068c83db3fc26421970cb95a4b6801f5e78afefe723537e4b3786f48d2d8","principal_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","release_id":"rel_gh4c76mg5glphbatmnc7pmcvxe","rho_units":0,"sequence":8,"spec_sha256":"cb4699f722245f875dea7176be782ce4524262cf221171fd2b6cf52fa808283c"},"key_id":"139e3940e64b5491","signature":"sJWSCNjqNOWrH0yavXQdAqXlmZRqrlTvBpLUPjTYsSuzghQwjGY3y6JMlOMbrZRBBpUtlogS_sFvUKR8SP3QBw"}	1795534663	complete	1795534684	{"noisy": [27, -6], "on_simplex": [21, 0]}	{"id":"rel_gh4c76mg5glphbatmnc7pmcvxe","dataset_id":"dat_tz32egum7okgj6pvgmnw264ile","budget_id":"bud_sstduxevzridvv5qs7e3urkosq","principal_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":21,"category_count":2,"records_per_unit":2,"event":{"event":"simplex_geometric","n":21,"m":2,"epsilon":"0.05"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.700002991","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"(0.1, 0)-differentially private when 2 records change their categories, by group privacy from one record: The release is 0.05-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.05/2","support":"lattice","records_per_unit":"2","epsilon_of_one_record":"0.05"}},"posterior":{"concentration":[22.0,1.0],"noisy_counts":[27,-6],"released_counts":[21,0],"categories":[{"label":"category 0","mean":0.9565217391304348,"standard_deviation":0.04162726555462339,"naive_interval":{"level":0.95,"low":0.8456274871844255,"high":0.9988498524734264}},{"label":"category 1","mean":0.043478260869565216,"standard_deviation":0.04162726555462339,"naive_interval":{"level":0.95,"low":0.0011501475265735762,"high":0.15437251281557457}}]},"created_at":"2026-11-24T15:37:43Z","receipt":{"body":{"accountant":"basic","at":1795534663,"budget_id":"bud_sstduxevzridvv5qs7e3urkosq","chain_hash":"779dd1d0ea6079594b710b937d61c5fc8bef84a26b6a6fa1ca5ec111206b90b8","commitment":"e24c82ecee24001ec047119511d2d9f3bab661516ae4f00104c9a040cd22cb33","dataset_id":"dat_tz32egum7okgj6pvgmnw264ile","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"95630335142eab98523aca10ad9d942096b43a3550b4a66b0fccb1cba1a43f26","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"3379068c83db3fc26421970cb95a4b6801f5e78afefe723537e4b3786f48d2d8","principal_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","release_id":"rel_gh4c76mg5glphbatmnc7pmcvxe","rho_units":0,"sequence":8,"spec_sha256":"cb4699f722245f875dea7176be782ce4524262cf221171fd2b6cf52fa808283c"},"key_id":"139e3940e64b5491","signature":"sJWSCNjqNOWrH0yavXQdAqXlmZRqrlTvBpLUPjTYsSuzghQwjGY3y6JMlOMbrZRBBpUtlogS_sFvUKR8SP3QBw"}}	\N	posterior	pri_lw5vcs42k7yeyznnwbzslwnuii
qry_qzqtol5fma2kbq2nzbzf42axaq	dat_uzlwfuond24j2il4hxggsyktv4	bud_pp5eqyse2hiutemax7efvcrdi4	10	pri_d7vh4rcimkc7rnhmvd562mdqtm	8ad3a6f89ead59058996281f09bdc1cb7d35ed3160f476f6f53ae561f4275cce	0af518f16c1cc2524f3cca650cc32f1d56d85bb3cded18f6fb89c5c26897c8a3	{"kind":"query","request":{"queries":[{"weights":null,"labels":null,"where":{"sex":["female"]},"half_width":60.0,"confidence":0.95,"between":null},{"weights":null,"labels":null,"where":{"ill":["yes"]},"half_width":null,"confidence":0.95,"between":null}],"constraints":null,"max_charge":null},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"record_count":667,"accountant":"zcdp","rests_on":["rel_tg3yb2zwslify22isp5vzuyj74","rel_ikfou6cerqqyfaqffed5t5d5di","rel_nuzavxf7t3ij56cb6cdlpzgfum"],"numbers":112,"event":null,"certificate":null,"errors":[[9.788915081308065,20.181351330445253],[9.70561597680938,20.010691429893903]]}	0	0	0	0	800000000000	106035615294	{"body":{"accountant":"zcdp","at":1795534664,"budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","chain_hash":"d1b45deb5f08a727681ce4821752ebf52398a0b31657d1a39c25df95dcfeec94","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","delta_units":0,"epsilon_units":0,"grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"8ad3a6f89ead59058996281f09bdc1cb7d35ed3160f476f6f53ae561f4275cce","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"0af518f16c1cc2524f3cca650cc32f1d56d85bb3cded18f6fb89c5c26897c8a3","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"qry_qzqtol5fma2kbq2nzbzf42axaq","rho_units":0,"sequence":10,"spec_sha256":"44abd9a77e31a51f1252397bde16bb6784e7a63ef900ba9afa309c5a0a956cc6"},"key_id":"139e3940e64b5491","signature":"_nq9AkHl_d-VEMVhK2rvvQOnNkHasLLzNmx3PV1zKF91j2u_YYVp77XRFROZCuYic6bqirR99PcFp894OgIyCw"}	1795534664	complete	1795534664	[]	{"id":"qry_qzqtol5fma2kbq2nzbzf42axaq","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","state":"complete","answers":[{"estimate":365.7721650130601,"standard_deviation":9.788915081308065,"interval":{"low":345.5908136826107,"high":385.9535163435095,"half_width":20.181351330449374,"confidence":0.95},"probability":null,"used":[{"release_id":"rel_tg3yb2zwslify22isp5vzuyj74","weights":[0.3194095282302017,0.3194095282302017,0.3194095282302017,-0.4547561376488579,-0.5034724470417472]},{"release_id":"rel_ikfou6cerqqyfaqffed5t5d5di","weights":[0.039922031444299975,0.039922031444299975,0.039922031444299975,-0.05683859503909906]},{"release_id":"rel_nuzavxf7t3ij56cb6cdlpzgfum","weights":[0.05325394018425851,0.05325394018425851,0.05325394018425851,-0.07581976745328295,-0.08394205309949258]}],"with_constraints":null},{"estimate":64.81871261684748,"standard_deviation":9.70561597680938,"interval":{"low":44.80802118694896,"high":84.82940404674599,"half_width":20.01069142989851,"confidence":0.95},"probability":null,"used":[{"release_id":"rel_tg3yb2zwslify22isp5vzuyj74","weights":[0.4709949074464876,-0.30317075843257196,-0.30317075843257185,0.4709949074464876,-0.3356482980278314]},{"release_id":"rel_ikfou6cerqqyfaqffed5t5d5di","weights":[0.058868229790666325,-0.03789239669273271,-0.0378923966927327,0.05886822979066633]},{"release_id":"rel_nuzavxf7t3ij56cb6cdlpzgfum","weights":[0.07852719600201948,-0.05054651163552197,-0.05054651163552196,0.07852719600201948,-0.05596136873299505]}],"with_constraints":null}],"covariance":[[95.82285846906049,-13.534660941865624],[-13.534660941865624,94.19898148929752]],"measured":[],"charged":{"accountant":"zcdp","rho":"0","delta":"0"},"standalone_cost":{"accountant":"zcdp","rho":"0","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.106035615294","delta":"0.0000008"},"record_count":667,"category_count":5,"records_per_unit":1,"event":null,"certificate":null,"created_at":"2026-11-24T15:37:44Z","receipt":{"body":{"accountant":"zcdp","at":1795534664,"budget_id":"bud_pp5eqyse2hiutemax7efvcrdi4","chain_hash":"d1b45deb5f08a727681ce4821752ebf52398a0b31657d1a39c25df95dcfeec94","commitment":"a6ecdb8113c5d8fe85ddd2241399574f5856d1030e75bb00150562d4bf506f97","dataset_id":"dat_uzlwfuond24j2il4hxggsyktv4","delta_units":0,"epsilon_units":0,"grant_id":"gra_s6wxbziuyszrm2qyl6m5qo3fmi","key_hash":"8ad3a6f89ead59058996281f09bdc1cb7d35ed3160f476f6f53ae561f4275cce","kind":"private-posterior receipt 1","owner_id":"pri_lw5vcs42k7yeyznnwbzslwnuii","payload_hash":"0af518f16c1cc2524f3cca650cc32f1d56d85bb3cded18f6fb89c5c26897c8a3","principal_id":"pri_d7vh4rcimkc7rnhmvd562mdqtm","release_id":"qry_qzqtol5fma2kbq2nzbzf42axaq","rho_units":0,"sequence":10,"spec_sha256":"44abd9a77e31a51f1252397bde16bb6784e7a63ef900ba9afa309c5a0a956cc6"},"key_id":"139e3940e64b5491","signature":"_nq9AkHl_d-VEMVhK2rvvQOnNkHasLLzNmx3PV1zKF91j2u_YYVp77XRFROZCuYic6bqirR99PcFp894OgIyCw"}}	\N	query	pri_lw5vcs42k7yeyznnwbzslwnuii
rel_lkutwybemwsrmjtvt2elvw32cm	dat_7lbyqix2vovzewhytvbxgttv4q	bud_fbfayhmq53gtb7a56dmbyys2fi	3	pri_bqdh7x2a5xrypex35smrpvkuxa	6c4e0d01d680d058802e65fb3246555075938fcd7056bf898e510b1567417ef1	ee8011923dd067f1bb5e3acd94fbf54f3bb11700e5ab9155d72296314f88c36c	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.2"},"max_charge":null,"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":11,"m":2,"epsilon":"0.2"},"certificate":{"loss":{"epsilon":"0.2","delta":"0","rho":"0.019933598925","rho_delta":"0"},"method":"theorem","statement":"The release is 0.2-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.2/2","support":"lattice"}}}	200000000	0	0	800000000	1000000000000	0	{"body":{"accountant":"basic","at":1795534669,"budget_id":"bud_fbfayhmq53gtb7a56dmbyys2fi","chain_hash":"cb7eb9065631ffec36d788c009862a8bef3b9f8b5ddc4ea39d28301908ef82d2","commitment":"cda327a6022a879a0ccfb45e67b838c95a0309030d5f52689442dfe2b5f2ec02","dataset_id":"dat_7lbyqix2vovzewhytvbxgttv4q","delta_units":0,"epsilon_units":200000000,"grant_id":"","key_hash":"6c4e0d01d680d058802e65fb3246555075938fcd7056bf898e510b1567417ef1","kind":"private-posterior receipt 1","owner_id":"pri_bqdh7x2a5xrypex35smrpvkuxa","payload_hash":"ee8011923dd067f1bb5e3acd94fbf54f3bb11700e5ab9155d72296314f88c36c","principal_id":"pri_bqdh7x2a5xrypex35smrpvkuxa","release_id":"rel_lkutwybemwsrmjtvt2elvw32cm","rho_units":0,"sequence":3,"spec_sha256":"0c9622671794f49132a4655778ba6ef40481137dcfdf5c057f48134a2b4ea117"},"key_id":"139e3940e64b5491","signature":"lj4g-Kdyn5z5gO0PPLtTz6v2aFeMKPbjBeBeaCZvr-QNsMxU7f6Yqqaj_zlfGsHJsRXpG-AuHRCtERWEaLI7BQ"}	1795534669	paid	1795534690	\N	\N	\N	posterior	pri_bqdh7x2a5xrypex35smrpvkuxa
\.


--
-- Data for Name: spending; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.spending (budget_id, dataset_id, principal_id, kind, releases, epsilon, delta, rho) FROM stdin;
bud_sstduxevzridvv5qs7e3urkosq	dat_z5v3fetztqtudlxmfpkza6wm7i	pri_d7vh4rcimkc7rnhmvd562mdqtm	posterior	2	199997009	100000000000	0
bud_pp5eqyse2hiutemax7efvcrdi4	dat_uzlwfuond24j2il4hxggsyktv4	pri_d7vh4rcimkc7rnhmvd562mdqtm	posterior	6	0	0	33964384706
bud_sstduxevzridvv5qs7e3urkosq	dat_tz32egum7okgj6pvgmnw264ile	pri_lw5vcs42k7yeyznnwbzslwnuii	posterior	1	100000000	0	0
bud_pp5eqyse2hiutemax7efvcrdi4	dat_uzlwfuond24j2il4hxggsyktv4	pri_d7vh4rcimkc7rnhmvd562mdqtm	query	0	0	0	0
bud_fbfayhmq53gtb7a56dmbyys2fi	dat_7lbyqix2vovzewhytvbxgttv4q	pri_bqdh7x2a5xrypex35smrpvkuxa	posterior	1	200000000	0	0
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


