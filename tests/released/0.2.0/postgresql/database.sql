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
-- Name: api_keys_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.api_keys_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'keys are never deleted'; END $$;


ALTER FUNCTION public.api_keys_kept() OWNER TO posterior_owner;

--
-- Name: api_keys_never_change(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.api_keys_never_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a column of api_keys never changes'; END $$;


ALTER FUNCTION public.api_keys_never_change() OWNER TO posterior_owner;

--
-- Name: api_keys_stay_ended(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.api_keys_stay_ended() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'an end is never undone'; END $$;


ALTER FUNCTION public.api_keys_stay_ended() OWNER TO posterior_owner;

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
-- Name: budgets_never_change(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.budgets_never_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a column of budgets never changes'; END $$;


ALTER FUNCTION public.budgets_never_change() OWNER TO posterior_owner;

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
-- Name: datasets_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.datasets_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'data sets are never deleted'; END $$;


ALTER FUNCTION public.datasets_kept() OWNER TO posterior_owner;

--
-- Name: datasets_never_change(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.datasets_never_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a column of datasets never changes'; END $$;


ALTER FUNCTION public.datasets_never_change() OWNER TO posterior_owner;

--
-- Name: datasets_of_one_relation(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.datasets_of_one_relation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN IF EXISTS (SELECT 1 FROM datasets WHERE budget_id = NEW.budget_id AND relation <> NEW.relation) THEN RAISE EXCEPTION 'a budget has one neighbour relation'; END IF; RETURN NEW; END $$;


ALTER FUNCTION public.datasets_of_one_relation() OWNER TO posterior_owner;

--
-- Name: datasets_renamed_with_counts(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.datasets_renamed_with_counts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a value never changes without its counts'; END $$;


ALTER FUNCTION public.datasets_renamed_with_counts() OWNER TO posterior_owner;

--
-- Name: datasets_stay_charged(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.datasets_stay_charged() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a charged data set stays as it is'; END $$;


ALTER FUNCTION public.datasets_stay_charged() OWNER TO posterior_owner;

--
-- Name: datasets_stay_ended(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.datasets_stay_ended() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'an end is never undone'; END $$;


ALTER FUNCTION public.datasets_stay_ended() OWNER TO posterior_owner;

--
-- Name: enrolments_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.enrolments_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'enrolments are never deleted'; END $$;


ALTER FUNCTION public.enrolments_kept() OWNER TO posterior_owner;

--
-- Name: enrolments_never_change(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.enrolments_never_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a column of enrolments never changes'; END $$;


ALTER FUNCTION public.enrolments_never_change() OWNER TO posterior_owner;

--
-- Name: enrolments_stay_ended(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.enrolments_stay_ended() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'an end is never undone'; END $$;


ALTER FUNCTION public.enrolments_stay_ended() OWNER TO posterior_owner;

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
-- Name: grants_never_change(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.grants_never_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a column of grants never changes'; END $$;


ALTER FUNCTION public.grants_never_change() OWNER TO posterior_owner;

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
-- Name: installation_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.installation_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'the installation stays'; END $$;


ALTER FUNCTION public.installation_kept() OWNER TO posterior_owner;

--
-- Name: installation_never_change(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.installation_never_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a column of installation never changes'; END $$;


ALTER FUNCTION public.installation_never_change() OWNER TO posterior_owner;

--
-- Name: installation_restored(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.installation_restored() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a restore stays counted'; END $$;


ALTER FUNCTION public.installation_restored() OWNER TO posterior_owner;

--
-- Name: key_checks_kept(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.key_checks_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'key checks stay'; END $$;


ALTER FUNCTION public.key_checks_kept() OWNER TO posterior_owner;

--
-- Name: key_checks_of_counts(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.key_checks_of_counts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'receipt keys are in the settings'; END $$;


ALTER FUNCTION public.key_checks_of_counts() OWNER TO posterior_owner;

--
-- Name: key_checks_unchanged(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.key_checks_unchanged() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'key checks stay'; END $$;


ALTER FUNCTION public.key_checks_unchanged() OWNER TO posterior_owner;

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
-- Name: principals_never_change(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.principals_never_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a column of principals never changes'; END $$;


ALTER FUNCTION public.principals_never_change() OWNER TO posterior_owner;

--
-- Name: principals_stay_ended(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.principals_stay_ended() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'an end is never undone'; END $$;


ALTER FUNCTION public.principals_stay_ended() OWNER TO posterior_owner;

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
-- Name: releases_never_change(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.releases_never_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a column of releases never changes'; END $$;


ALTER FUNCTION public.releases_never_change() OWNER TO posterior_owner;

--
-- Name: releases_settled_once(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.releases_settled_once() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a release is settled once'; END $$;


ALTER FUNCTION public.releases_settled_once() OWNER TO posterior_owner;

--
-- Name: releases_signed(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.releases_signed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'an outcome is signed once'; END $$;


ALTER FUNCTION public.releases_signed() OWNER TO posterior_owner;

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
    record_count bigint,
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
    CONSTRAINT ck_datasets_sizes CHECK (((category_count >= 2) AND ((((relation)::text = 'replace_one'::text) AND (n_is_public = 1) AND (COALESCE(record_count, (0)::bigint) >= 1)) OR (((relation)::text = 'add_remove'::text) AND (n_is_public = 0) AND (record_count IS NULL)))))
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
    signature text,
    used_at bigint,
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
    signature text,
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
acc_su7g6izzy76dzevksur2q67z5a	dat_5ar46jh2eu26fovht4zygyyxqa	pri_6kcfdtaxzlggonkr4gbim7u6s4	pri_yjic7cnu7goh6wjsyd5rieeq6q	100000000	0	0	The report of 1955	declined	Ask for less	\N	1795797163	1795797163	1795797163758524761
acc_y6l6xkdspd5grxjprvgf5zjele	dat_5ar46jh2eu26fovht4zygyyxqa	pri_6kcfdtaxzlggonkr4gbim7u6s4	pri_yjic7cnu7goh6wjsyd5rieeq6q	50000000	0	0	The report of 1955	open	\N	\N	1795797163	\N	1795797163792454214
\.


--
-- Data for Name: alembic_version; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.alembic_version (version_num) FROM stdin;
r0002
\.


--
-- Data for Name: api_keys; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.api_keys (id, principal_id, prefix, secret_hash, issued_by, created_at, expires_at, revoked_at, last_used_at, parent_id, enrolment_id, kind, created_nanoseconds) FROM stdin;
key_vyk5ipqllxyxzqaz2revluijhy	pri_3bpho553wveez7i6mrihhra4fu	pp_wkg9jr9E	03ab229dbb3aff94724bb941b91b7952e5a713a0cd6c9596213c4ea74bc25066	command-line	1795797156	\N	\N	1795797159	\N	\N	key	1795797156825607954
key_a7dtrzbmw7kq77lk7ovcegd6hi	pri_yjic7cnu7goh6wjsyd5rieeq6q	pp_IxtEM8KR	f14654e851b7c7ef547cfb3f0923c015456c71673e943684dd98b56cfd732243	pri_3bpho553wveez7i6mrihhra4fu	1795797159	\N	\N	1795797159	\N	enr_din7esu3wh3o4fkyyvfxfxcvdi	key	1795797159486100732
key_5lpbdhfdy4t6qk3yn2iazqttu4	pri_2dn3t2korzm42gbbiborw7rua4	pp_qUQ32_CF	140dba3edc10c8418ff561c766552f29339b0cf66c5d63e97222954c6b58363f	pri_3bpho553wveez7i6mrihhra4fu	1795797159	\N	\N	1795797159	\N	enr_cxsrgf3q63vfyqlbwv5eej4smi	key	1795797159520581196
key_d2urkq55ipgeu7v36cdvojdrke	pri_6kcfdtaxzlggonkr4gbim7u6s4	pp_jotHIgRX	73925952f2cdd1c24aefc31896ee491445d1b87853cd8fe4dd29fcabdc5fa24a	pri_3bpho553wveez7i6mrihhra4fu	1795797163	\N	\N	1795797163	\N	enr_r5rl3ratq44kno442unamhg4re	key	1795797163745035062
key_jcbahsvzpasx664v6gxktao3ia	pri_dqyetedudsxn3ewyi24r225vn4	pp_0EjjAO52	488c50c70ec939e1c0b1e3a32b4d00303b8e2c127807ee30605b70c220859dcf	pri_3bpho553wveez7i6mrihhra4fu	1795797163	\N	\N	\N	\N	enr_ngglqfvtfl76xbnolfagek6ohq	key	1795797163846998883
key_vwkbwqtblofhl2nhxbbvxddjju	pri_2btvjfykxji4p6itb2zxkllksm	pp_180OJD3N	b6deacca881ed8dfffe89df26b43bee0691dd3c316ccf8e8a901f29660c6f9cd	pri_3bpho553wveez7i6mrihhra4fu	1795797164	\N	\N	1795797164	\N	enr_sicmz4wpnb7xaxugmlsusieayy	key	1795797164068852772
\.


--
-- Data for Name: budgets; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.budgets (id, owner_id, name, accountant, guaranteed_epsilon, guaranteed_delta, delta_conversion, epsilon_limit, delta_limit, rho_limit, epsilon_spent, delta_spent, rho_spent, epsilon_release_cap, delta_release_cap, rho_release_cap, allowed_mechanisms, frozen_at, low_budget_percent, sequence, head_hash, created_at, created_nanoseconds, stored_bytes) FROM stdin;
bud_hgyqlegmdutpkn4uxdobq2vez4	pri_yjic7cnu7goh6wjsyd5rieeq6q	Many looks	zcdp	3000000000	10000000000000	9000000000000	0	1000000000000	222112455378	0	0	43964384706	\N	\N	\N	\N	\N	10	11	a72b71bbf8b46a31faef4bada0efcfedebe890f14e16e04b16e3abcfb8e63c16	1795797159	1795797159580912486	119874
bud_ynamdscbkxruceo6224nsgfl34	pri_yjic7cnu7goh6wjsyd5rieeq6q	budget 20	basic	1000000000	1000000000000	0	1000000000	1000000000000	0	655504631	100000000000	0	\N	\N	\N	\N	\N	10	7	5a406020de278753fb3124cad8f9ebaf28ac25bd57514471190f9ce9d0ef85c9	1795797159	1795797159612829440	73017
bud_7rcwk5p45faje2hdi2ptokwj2e	pri_yjic7cnu7goh6wjsyd5rieeq6q	budget 14	basic	1000000000	1000000000000	0	1000000000	1000000000000	0	299997009	100000000000	0	\N	\N	\N	\N	\N	10	12	cfe91ac9e89150dc5580f3c2062245b30fe0701828ae67e88d8bdf565eb0f2f8	1795797159	1795797159539202520	60624
bud_wfjuyzcrgwvo5sccdlazadz4bq	pri_2btvjfykxji4p6itb2zxkllksm	budget 24	basic	1000000000	1000000000000	0	1000000000	1000000000000	0	200000000	0	0	\N	\N	\N	\N	\N	10	3	37eea9dc24b5e51e48eb6b89c3834e141c015f72c164004871eaf42db5072bba	1795797164	1795797164076527127	19868
\.


--
-- Data for Name: certificate_requests; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.certificate_requests (certificate_key, principal_id, created_at, id) FROM stdin;
\.


--
-- Data for Name: certificates; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.certificates (key, id, parameters, state, certified, created_at, leased_until, leased_by, used_at, tries) FROM stdin;
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
dat_5ar46jh2eu26fovht4zygyyxqa	pri_yjic7cnu7goh6wjsyd5rieeq6q	bud_7rcwk5p45faje2hdi2ptokwj2e	Trial	["category 0", "category 1"]	\N	2	240	one person	1	1	1	replace_one	5ad7f916bf4847192700477b33bc91e1a803ca76067d31151148b3a138058ec2	1	1795797159	\N	1795797159555481765	0	1
dat_iex2wsrqquufbu73afzasah4hu	pri_yjic7cnu7goh6wjsyd5rieeq6q	bud_hgyqlegmdutpkn4uxdobq2vez4	Clinics	["female · yes", "female · no", "female · unknown", "male · yes", "male · no"]	[{"name": "sex", "levels": ["female", "male"]}, {"name": "ill", "levels": ["yes", "no", "unknown"]}]	5	667	one person	1	1	1	replace_one	119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99	1	1795797159	\N	1795797159585994568	0	0
dat_rghw4vqtomowuc35addmisw2ga	pri_yjic7cnu7goh6wjsyd5rieeq6q	bud_7rcwk5p45faje2hdi2ptokwj2e	Visits	["category 0", "category 1"]	\N	2	21	one person	0	2	1	replace_one	78e3f5d2ce824ecc801c926c7229fcd9fea84aa35ca622b9a765834b5bc4be09	1	1795797159	\N	1795797159601986425	0	0
dat_wztq3a3jlu6uct5swm55xzfz7u	pri_yjic7cnu7goh6wjsyd5rieeq6q	bud_ynamdscbkxruceo6224nsgfl34	Patients	["female · no", "female · yes", "male · no", "male · yes"]	[{"name": "sex", "levels": ["female", "male"]}, {"name": "ill", "levels": ["no", "yes"]}]	4	\N	one person	1	1	0	add_remove	d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28	1	1795797159	\N	1795797159619779265	0	0
dat_g6tq3vx2ecz6sprbgpmsibdcp4	pri_yjic7cnu7goh6wjsyd5rieeq6q	bud_7rcwk5p45faje2hdi2ptokwj2e	Gone	["category 0", "category 1"]	\N	2	3	one person	1	1	1	replace_one	07c033f87d5abc41812cce9543604693da1d674e54ce219d515b731906a963e4	0	1795797163	1795797163	1795797163807816974	0	0
dat_njpwsu5xix7ktbb7prqyvlgr4y	pri_2btvjfykxji4p6itb2zxkllksm	bud_wfjuyzcrgwvo5sccdlazadz4bq	Paid and not drawn	["category 0", "category 1"]	\N	2	11	one person	1	1	1	replace_one	1653b957ddb92749b40a0e91dd564b67ef83c3b742f24696fb20cdcf662908f8	1	1795797164	\N	1795797164080422030	0	0
\.


--
-- Data for Name: encrypted_counts; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.encrypted_counts (dataset_id, key_id, ciphertext) FROM stdin;
dat_5ar46jh2eu26fovht4zygyyxqa	k1	\\x77352760922287bcd76f746aab8863d438ddd2e11ac92f35d82ec74784d089834435a9269d66e49a26a48253
dat_iex2wsrqquufbu73afzasah4hu	k1	\\x7ba3423be18a056c58f40d4987a037949b52ffb0242b44d8faeed23db1c5b2a90fc3dcd3e27c75d0bd67bceba96cf89bdf78dc749170e25bac92743c7a3c59e9d9fecff4
dat_rghw4vqtomowuc35addmisw2ga	k1	\\xe0003c3b4cfa43188cd4ef167e31c708421e226c795fb0dc2ac787479da8e17ea7a48941d934f35653d05860
dat_wztq3a3jlu6uct5swm55xzfz7u	k1	\\x955d115265a6540325bf99231eeee5dd2c6e8353d3a0dc77b90a8d3932ab15f109b7bcb4ea7dac617b037b3d3bfc7e4fc1920dfb66f57474eec54a65
dat_njpwsu5xix7ktbb7prqyvlgr4y	k1	\\x3fd65a6a37cf23bb43c0f32ec738fef05e4a4e56f139afebf433f27ae43c8377081a0d29077397468a003a39
\.


--
-- Data for Name: enrolments; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.enrolments (id, principal_id, kind, secret_hash, issued_by, made_by, created_at, expires_at, used_at, ended_at) FROM stdin;
enr_din7esu3wh3o4fkyyvfxfxcvdi	pri_yjic7cnu7goh6wjsyd5rieeq6q	token	a3e6db48850e438270d9a7b85abb72193b788905e3e36009048adc66615eca6a	pri_3bpho553wveez7i6mrihhra4fu	\N	1795797159	1795883559	1795797159	\N
enr_2f36nev4uduqenrznespsc4hri	pri_yjic7cnu7goh6wjsyd5rieeq6q	recovery_code	5fb0ec6b55eac29043910c207b2d6d3208b955547f5a73d55ac3829302466d79	pri_3bpho553wveez7i6mrihhra4fu	enr_din7esu3wh3o4fkyyvfxfxcvdi	1795797159	\N	\N	\N
enr_cxsrgf3q63vfyqlbwv5eej4smi	pri_2dn3t2korzm42gbbiborw7rua4	token	1b3843bc896efc629d70963847117f3f6234ba2e0b1c8ea0a4c5ab2459365d5c	pri_3bpho553wveez7i6mrihhra4fu	\N	1795797159	1795883559	1795797159	\N
enr_gfxt4eh4onjc5vtnjtkvjgtdgy	pri_2dn3t2korzm42gbbiborw7rua4	recovery_code	296e00eaf6e7f540d18494c83f2f3cb8480bbe897eb0c2da6dad525d832f4d25	pri_3bpho553wveez7i6mrihhra4fu	enr_cxsrgf3q63vfyqlbwv5eej4smi	1795797159	\N	\N	\N
enr_r5rl3ratq44kno442unamhg4re	pri_6kcfdtaxzlggonkr4gbim7u6s4	token	d79d0a5df34369db5fa59a74672b09ce1ae9f7699e945b35c765c0cdc3f717ce	pri_3bpho553wveez7i6mrihhra4fu	\N	1795797163	1795883563	1795797163	\N
enr_w3xtbzsvg2wob3gue5kdlfnawy	pri_6kcfdtaxzlggonkr4gbim7u6s4	recovery_code	e3760198d2636c9eaca720cc174a1462ef375b4bbe8837e2eb856d5018b1533c	pri_3bpho553wveez7i6mrihhra4fu	enr_r5rl3ratq44kno442unamhg4re	1795797163	\N	\N	\N
enr_ngglqfvtfl76xbnolfagek6ohq	pri_dqyetedudsxn3ewyi24r225vn4	token	fe29f132197c95bc203f79e7b712a5f71dfd636b34f0fb925b8a6d782cb5235f	pri_3bpho553wveez7i6mrihhra4fu	\N	1795797163	1795883563	1795797163	\N
enr_cwlcdyvcmpkcv6l7isiuusyote	pri_dqyetedudsxn3ewyi24r225vn4	recovery_code	64cb1f8ee950b572447a47abe1704618314f230aa5f9b19b39269087793c4ea1	pri_3bpho553wveez7i6mrihhra4fu	enr_ngglqfvtfl76xbnolfagek6ohq	1795797163	\N	\N	\N
enr_sicmz4wpnb7xaxugmlsusieayy	pri_2btvjfykxji4p6itb2zxkllksm	token	3ddeb54eb2cdad37bfbccb0ab04aa4954557bfaccc01ced97650072ca9c1a2da	pri_3bpho553wveez7i6mrihhra4fu	\N	1795797164	1795883564	1795797164	\N
enr_pf3vwzljlxtintovjkcxxizpua	pri_2btvjfykxji4p6itb2zxkllksm	recovery_code	528a991181a29de7ac25d6e954d263ebf007de12ffc1cca24b7d38d87f5c84c5	pri_3bpho553wveez7i6mrihhra4fu	enr_sicmz4wpnb7xaxugmlsusieayy	1795797164	\N	\N	\N
\.


--
-- Data for Name: entries; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.entries (budget_id, sequence, kind, epsilon, delta, rho, principal_id, subject_id, detail, created_at, previous_hash, hash) FROM stdin;
bud_7rcwk5p45faje2hdi2ptokwj2e	1	budget_opened	1000000000	1000000000000	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	bud_7rcwk5p45faje2hdi2ptokwj2e	{"accountant":"basic","api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","delta":"0.000001","delta_conversion":"0","epsilon":"1","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2}}	1795797159	47a5d0a00194f990ad6f9654b1f6756cd1061d7739e00f7451f409bf2db26990	da8e0225d0b0e07a333e301e19f816bfa84a147b316ebd64609c54b90c46d4db
bud_7rcwk5p45faje2hdi2ptokwj2e	2	dataset_registered	0	0	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	dat_5ar46jh2eu26fovht4zygyyxqa	{"api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","category_count":2,"commitment":"5ad7f916bf4847192700477b33bc91e1a803ca76067d31151148b3a138058ec2","description_sha256":"9c22a092edbb94054af17b0474fcce9e26eaafd83379799dd0f066543381605d","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2},"record_count":240,"records_per_unit":1,"relation":"replace_one"}	1795797159	da8e0225d0b0e07a333e301e19f816bfa84a147b316ebd64609c54b90c46d4db	562fe5a64e63767e4b58a8c41915863ee75b86850044544c4f6d9e3bb0708d3c
bud_hgyqlegmdutpkn4uxdobq2vez4	1	budget_opened	0	1000000000000	222112455378	pri_yjic7cnu7goh6wjsyd5rieeq6q	bud_hgyqlegmdutpkn4uxdobq2vez4	{"accountant":"zcdp","api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","delta":"0.00001","delta_conversion":"0.000009","epsilon":"3","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2}}	1795797159	92787b3f74334fba4fb9550692e20bfd54cf79227d28a81a8bce646e138426d1	9147142b661fb8a19ff0f60467a40f8a33fdd97543e3e5dffb413165c66af3d9
bud_hgyqlegmdutpkn4uxdobq2vez4	2	dataset_registered	0	0	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	dat_iex2wsrqquufbu73afzasah4hu	{"api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","category_count":5,"commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","description_sha256":"40fcae7512c61fd3b9a280b1e22bd5f99f742b40b44814aac5c3300e6c555c7f","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2},"record_count":667,"records_per_unit":1,"relation":"replace_one"}	1795797159	9147142b661fb8a19ff0f60467a40f8a33fdd97543e3e5dffb413165c66af3d9	3e5d7c5879fc658146b693c6a66b36e156a52b0c7432bb3094c31c1d5631d6d7
bud_7rcwk5p45faje2hdi2ptokwj2e	3	dataset_registered	0	0	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	dat_rghw4vqtomowuc35addmisw2ga	{"api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","category_count":2,"commitment":"78e3f5d2ce824ecc801c926c7229fcd9fea84aa35ca622b9a765834b5bc4be09","description_sha256":"9c22a092edbb94054af17b0474fcce9e26eaafd83379799dd0f066543381605d","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2},"record_count":21,"records_per_unit":2,"relation":"replace_one"}	1795797159	562fe5a64e63767e4b58a8c41915863ee75b86850044544c4f6d9e3bb0708d3c	e7ea4b3976020806f98ec9fdb4f2345d72a74eff337591d61de506ea3d880e48
bud_ynamdscbkxruceo6224nsgfl34	1	budget_opened	1000000000	1000000000000	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	bud_ynamdscbkxruceo6224nsgfl34	{"accountant":"basic","api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","delta":"0.000001","delta_conversion":"0","epsilon":"1","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2}}	1795797159	ea116b8c6b7d4039f04948d2631dd95265ef726668f9e6f90b9c640d0c3d0042	013b2d46fcb80f04ba92dfd5c0648c33e16dd45fcf0c3b8b00976601798a8741
bud_ynamdscbkxruceo6224nsgfl34	2	dataset_registered	0	0	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	dat_wztq3a3jlu6uct5swm55xzfz7u	{"api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","category_count":4,"commitment":"d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28","description_sha256":"b3f9120bc95faf691d4b32ffb7ecc2f9da1b9af0aeb87adc9c1c10d5c8152df0","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2},"record_count":null,"records_per_unit":1,"relation":"add_remove"}	1795797159	013b2d46fcb80f04ba92dfd5c0648c33e16dd45fcf0c3b8b00976601798a8741	2517d08adb5e86efc779641cfeb5dae13d33d76da0b32ba2053d02d46239c9b5
bud_7rcwk5p45faje2hdi2ptokwj2e	4	dataset_listed	0	0	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	dat_5ar46jh2eu26fovht4zygyyxqa	{"api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2}}	1795797159	e7ea4b3976020806f98ec9fdb4f2345d72a74eff337591d61de506ea3d880e48	59c986c2bbf975f6916bbaac1bb37606111a4ed5a75752d11471cc12c352bd86
bud_7rcwk5p45faje2hdi2ptokwj2e	5	grant_opened	900000000	800000000000	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	gra_slff3ckesenzmaxjheipxpohum	{"analyst_id":"pri_2dn3t2korzm42gbbiborw7rua4","api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","dataset_id":"dat_5ar46jh2eu26fovht4zygyyxqa","expires_at":32472144000,"principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2}}	1795797159	59c986c2bbf975f6916bbaac1bb37606111a4ed5a75752d11471cc12c352bd86	1157b0954295d254c3bdbc2998e0fcb89f0f51ffd614c37fb3527b5a03d0bd6d
bud_hgyqlegmdutpkn4uxdobq2vez4	3	grant_opened	0	800000000000	140000000000	pri_yjic7cnu7goh6wjsyd5rieeq6q	gra_55d6ovpldz4u47hbou446lhwxi	{"analyst_id":"pri_2dn3t2korzm42gbbiborw7rua4","api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","expires_at":32472144000,"principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2}}	1795797159	3e5d7c5879fc658146b693c6a66b36e156a52b0c7432bb3094c31c1d5631d6d7	9ceeb0756cd80914edca1822320bcd896de2c1bdf69e6dbcbc73a6b4cb212632
bud_7rcwk5p45faje2hdi2ptokwj2e	6	release_charged	100000000	0	0	pri_2dn3t2korzm42gbbiborw7rua4	rel_3bsqmci3y6bbmrlaujqt4f3gku	{"api_key_id":"key_5lpbdhfdy4t6qk3yn2iazqttu4","commitment":"5ad7f916bf4847192700477b33bc91e1a803ca76067d31151148b3a138058ec2","dataset_id":"dat_5ar46jh2eu26fovht4zygyyxqa","grant_id":"gra_slff3ckesenzmaxjheipxpohum","key_hash":"e9598a6b2fbf0cb4df7eca368bab790b9a77705bedee345977f25e69063fe2d0","mechanism":"simplex_geometric","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"657325fbb5bdfcadac22a8356e0182c66e4a64e037a11c1fef44ce3df376ee70","principal_head":{"hash":"dad313563d84e481bf304369eb8896a72070921540f3fbd5558b938c2355b39c","sequence":2},"spec_sha256":"9d33c6b4f014fd3f4f8bb8d54be9a1f986ed0a0229d56ce4e4862e68b4d585f2"}	1795797159	1157b0954295d254c3bdbc2998e0fcb89f0f51ffd614c37fb3527b5a03d0bd6d	43222543dfa3b73360733eb1deb642e4c21529c1555d5cb5e7a5b108b2a4404c
bud_7rcwk5p45faje2hdi2ptokwj2e	9	release_published	0	0	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	rel_3bsqmci3y6bbmrlaujqt4f3gku	{"api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2}}	1795797162	f05643bfb293f3f734f6031eab23369d71024210df00cb92c437a8e3c967d8d0	636156317f3135f44fa5c9ddd0047fc1fae4b87102315fd60a96c7f015685712
bud_7rcwk5p45faje2hdi2ptokwj2e	7	release_charged	99997009	100000000000	0	pri_2dn3t2korzm42gbbiborw7rua4	rel_gsp4zick2s4szbkqxxz6cxbejm	{"api_key_id":"key_5lpbdhfdy4t6qk3yn2iazqttu4","commitment":"5ad7f916bf4847192700477b33bc91e1a803ca76067d31151148b3a138058ec2","dataset_id":"dat_5ar46jh2eu26fovht4zygyyxqa","grant_id":"gra_slff3ckesenzmaxjheipxpohum","key_hash":"8de753ee2ec8c9a6c7ceb6f765e03dee20b12fc90d027e15084da5c2854d6d50","mechanism":"exponential","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"2559b33aa8980b40e91d7ea2e3460a26768c00dd1b744a8492cb92f63cf85146","principal_head":{"hash":"dad313563d84e481bf304369eb8896a72070921540f3fbd5558b938c2355b39c","sequence":2},"spec_sha256":"44b1703f7d2de929b26947e191351d4a7c425e2c36670684e37be7525ba5306a"}	1795797161	43222543dfa3b73360733eb1deb642e4c21529c1555d5cb5e7a5b108b2a4404c	f3c2a7235ee6b44dfb7d9101f1de63f8bf9a214203fa55c5c8190f61818c3101
bud_hgyqlegmdutpkn4uxdobq2vez4	4	release_charged	0	0	2856598834	pri_2dn3t2korzm42gbbiborw7rua4	rel_zwi2ntmqr2xsnkplxqr4m7xynq	{"api_key_id":"key_5lpbdhfdy4t6qk3yn2iazqttu4","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"c3b827c01c48c0f3c0f62cd52e26bfd02669aa9e3dec4f262f4a4ee732c484b5","mechanism":"simplex_geometric","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"00ac31bf50e59bff36a31a1f21d4858b459c4ca47c4b900857d6c1c784ebc7f6","principal_head":{"hash":"dad313563d84e481bf304369eb8896a72070921540f3fbd5558b938c2355b39c","sequence":2},"spec_sha256":"311fae0c4f1346369f487014ac026cfef121693167b6a0ce3c8f55934ba0eee2"}	1795797161	9ceeb0756cd80914edca1822320bcd896de2c1bdf69e6dbcbc73a6b4cb212632	c6961cb91bf188850df0e5e40b542515e59828a97badacb13f906993ed5a0754
bud_hgyqlegmdutpkn4uxdobq2vez4	5	release_charged	0	0	2438528778	pri_2dn3t2korzm42gbbiborw7rua4	rel_afaai2ijde6l7rhh2tjiksi2b4	{"api_key_id":"key_5lpbdhfdy4t6qk3yn2iazqttu4","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"32b3c2ba4a5c4a2ec133925343708e733827fcb3dc72f4f76ae022be7f3bf430","mechanism":"laplace","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"0d099933e2eac2904cf3acbc187c522ceacf485084ae178b93a57a8db9f6d9ea","principal_head":{"hash":"dad313563d84e481bf304369eb8896a72070921540f3fbd5558b938c2355b39c","sequence":2},"spec_sha256":"178b4c8f678ab434b84c0b9ed13701924fa3be640d3c342e205b2e4b5410bd4d"}	1795797161	c6961cb91bf188850df0e5e40b542515e59828a97badacb13f906993ed5a0754	f5b012712e3fd886422342d2fa774a1ae7913770eb25880c0c6eaae485fbe475
bud_hgyqlegmdutpkn4uxdobq2vez4	6	release_charged	0	0	10000000000	pri_2dn3t2korzm42gbbiborw7rua4	rel_espftwfwwrlbeejsg65xep5a5a	{"api_key_id":"key_5lpbdhfdy4t6qk3yn2iazqttu4","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"741604154267a6ce29e2cbdb5d3d0ea7f5a9224da790fccc0bbd17589a227d47","mechanism":"gaussian","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"6ab7622a13f64d9a7b650197673c4d93ee13967b85ecb66819be602dda03c674","principal_head":{"hash":"dad313563d84e481bf304369eb8896a72070921540f3fbd5558b938c2355b39c","sequence":2},"spec_sha256":"ab1efe081f42e3e42a05958cba438ceb3ee5e7a65d1a064171ce69268bd35088"}	1795797161	f5b012712e3fd886422342d2fa774a1ae7913770eb25880c0c6eaae485fbe475	0bb98480c69dd994d1c868430388fe04d24e85ef8d5072c073533ddf8925c344
bud_hgyqlegmdutpkn4uxdobq2vez4	7	release_charged	0	0	2321993715	pri_2dn3t2korzm42gbbiborw7rua4	rel_zhsw3b5sj3lu6o4zcmd4xlrnki	{"api_key_id":"key_5lpbdhfdy4t6qk3yn2iazqttu4","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"ff0c851b1b7acf4b6cebfd5a216d560168332a225a93008affdc93ecb47780a8","mechanism":"exponential","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"feb7c3868637597a27e1dd2a8ee41f361b16089339e3d39dc8a2ae157ef6f828","principal_head":{"hash":"dad313563d84e481bf304369eb8896a72070921540f3fbd5558b938c2355b39c","sequence":2},"spec_sha256":"f743071a4aaae3c6518105a609d1aae04fb09c0c23f408bad3a058576f5e95a7"}	1795797161	0bb98480c69dd994d1c868430388fe04d24e85ef8d5072c073533ddf8925c344	cd02b68dd2bf30a568624ec78c1a9b5d989fd72fc4e26ab706fdf14f80fc5068
bud_hgyqlegmdutpkn4uxdobq2vez4	8	release_charged	0	0	5097263440	pri_2dn3t2korzm42gbbiborw7rua4	rel_hkvkwrhf6zknvmlu4wthjhebey	{"api_key_id":"key_5lpbdhfdy4t6qk3yn2iazqttu4","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"bf336d73787b30f97a1cb12e8ef8ba96c024916cc41f97cc54eb4f128dd7acd4","mechanism":"exponential_published","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"04b3081cd1cb23badc90824615da2d67254459788459041c2b5f6d01aa27a477","principal_head":{"hash":"dad313563d84e481bf304369eb8896a72070921540f3fbd5558b938c2355b39c","sequence":2},"spec_sha256":"159400b5efe2a0a982f50f92346db3f67ba749dda6c97045031c618ee17921eb"}	1795797162	cd02b68dd2bf30a568624ec78c1a9b5d989fd72fc4e26ab706fdf14f80fc5068	3a5df627b3868815f8c62eb6de85ce3ac4c3528543f60ab83e32c07dae8b6eb0
bud_hgyqlegmdutpkn4uxdobq2vez4	9	release_charged	0	0	11249999939	pri_2dn3t2korzm42gbbiborw7rua4	rel_e5oxpvgrv3j3h4ijo4kf5lkd24	{"api_key_id":"key_5lpbdhfdy4t6qk3yn2iazqttu4","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"ab4264269c6623aebaf2700f2e9fa3d59c78896aa6992db845cd51667991a47b","mechanism":"exponential_global","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"b86aecb61808ffeb8437ad2c113896e3665bd0cfc7aa540d1410f54bfdb53664","principal_head":{"hash":"dad313563d84e481bf304369eb8896a72070921540f3fbd5558b938c2355b39c","sequence":2},"spec_sha256":"108e6ebdbe89a01b8428320357d64805897c49f792d1644bc8dc189fcc7459e9"}	1795797162	3a5df627b3868815f8c62eb6de85ce3ac4c3528543f60ab83e32c07dae8b6eb0	3ed0742d32c9f23a93c328582b57a5fb9b4d5edf2bb06acf34dc34926f14298d
bud_7rcwk5p45faje2hdi2ptokwj2e	8	release_charged	100000000	0	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	rel_qwg4xoy77h5pgbo6lio5nysvdu	{"api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","commitment":"78e3f5d2ce824ecc801c926c7229fcd9fea84aa35ca622b9a765834b5bc4be09","dataset_id":"dat_rghw4vqtomowuc35addmisw2ga","key_hash":"dc495113861e7919600aa470ad6e79e136e732b99dc866c8075218d688e05889","mechanism":"simplex_geometric","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"6788ffe6dcfb35c1e9f6436ab86608c97b963cd1cdc4e8b7fe7c2cd1b33e1a5e","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2},"spec_sha256":"f28f850518cc2c48be5558c86b69f64f69f074da2de19ecb734bc2fb244a0c95"}	1795797162	f3c2a7235ee6b44dfb7d9101f1de63f8bf9a214203fa55c5c8190f61818c3101	f05643bfb293f3f734f6031eab23369d71024210df00cb92c437a8e3c967d8d0
bud_hgyqlegmdutpkn4uxdobq2vez4	10	query_charged	0	0	0	pri_2dn3t2korzm42gbbiborw7rua4	qry_vryt5erjjsda6keb3jk7zbtdci	{"alone":[0,0,0],"api_key_id":"key_5lpbdhfdy4t6qk3yn2iazqttu4","blind":"bld_wjazsautxznbqomrrfskidxzja","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","granted":[0,0,0],"key_hash":"65b846d638e9343fe1f670f7c5c142756de60f4a0f05aa612a0223dde21d9e7f","measured":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945","mechanism":"linear","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"5b744251bcf20fbc70f0d68f3bc48355c3acc6ba70cf304a13be18919e25aca9","principal_head":{"hash":"dad313563d84e481bf304369eb8896a72070921540f3fbd5558b938c2355b39c","sequence":2},"spec_sha256":"623a8055606304014c53e13337d499a7459efac1b400204540d2c49bfdef5f20"}	1795797163	3ed0742d32c9f23a93c328582b57a5fb9b4d5edf2bb06acf34dc34926f14298d	244c9b4598a96c38419fd5b2a1b4f3563bd74b2f49e42ef8a390639550a772f1
bud_hgyqlegmdutpkn4uxdobq2vez4	11	release_charged	0	0	10000000000	pri_2dn3t2korzm42gbbiborw7rua4	rel_4cin6ihyxndg7sk4k4cviu3mde	{"api_key_id":"key_5lpbdhfdy4t6qk3yn2iazqttu4","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"da757d10a9f3f1dd5bebb16c295c5dcd5d615070a5a2da673eee355b4b867c6f","mechanism":"margins","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"8e277d6bbe009e433574f7968a9a5fa137ab048e27f35f4730d47bc5809f3c77","principal_head":{"hash":"dad313563d84e481bf304369eb8896a72070921540f3fbd5558b938c2355b39c","sequence":2},"spec_sha256":"b2285c7257c89d400829950a7329bcae365db5db468c958cb04eceb4f7e92e0b"}	1795797163	244c9b4598a96c38419fd5b2a1b4f3563bd74b2f49e42ef8a390639550a772f1	a72b71bbf8b46a31faef4bada0efcfedebe890f14e16e04b16e3abcfb8e63c16
bud_ynamdscbkxruceo6224nsgfl34	3	query_charged	49928884	0	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	qry_kj4lm6gpvhi5h4kouaquzoirfe	{"alone":[49928884,0,0],"api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","blind":"bld_tmjaqtrejohndtzlm67hphfkgy","commitment":"d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","granted":[49928884,0,0],"key_hash":"cedd1c7f0db8f196d5686b7d0935eb9c316447752a20f49acb2a3d8cb01be8e5","measured":"a2c4c48d16c750b16ed97a6dd4b903dbeb8c971638a1d99464691c8d6903945d","mechanism":"linear","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"86ec60f9716abd2c47dc21f2e1277642660b1ef4b770802da4002037885a1694","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2},"spec_sha256":"d44d3e633267058661ea4581274c6d4bf654e1eadb0791f466556c52639d8de5"}	1795797163	2517d08adb5e86efc779641cfeb5dae13d33d76da0b32ba2053d02d46239c9b5	286b9af8f13cf6922d4eacc1e7cf6e20cd0694517d540591855aefca04d7a146
bud_ynamdscbkxruceo6224nsgfl34	4	release_charged	100000000	0	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	rel_622oy3s3bnsgvtsu3lvlwsp2ua	{"api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","commitment":"d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","key_hash":"171f79e85a13a891b3a47905bb1c46dd07fcbefaa70672637a17c4f5d6986ad0","mechanism":"geometric","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"c835d974bc64708866655cb669444201f0702e70acee835cf70bd74be8ea49df","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2},"spec_sha256":"7b2657bf341d4c410c426640e206d283c1cc818f6beeca5f70eb8dbc4e81f2d1"}	1795797163	286b9af8f13cf6922d4eacc1e7cf6e20cd0694517d540591855aefca04d7a146	cec86eddaf5ed42cfee1aa1dca7d9edae7e90e1fada6974494c51522f7c8078d
bud_ynamdscbkxruceo6224nsgfl34	5	release_charged	100000000	0	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	rel_wu5sezrodoeqe3bgql2m2v3gz4	{"api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","commitment":"d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","key_hash":"f0be4de9c34de9e1d93fdfc00c7520f68de3d6a9855a52db5a04b73ba4c11b6a","mechanism":"laplace","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"b6fbb0e865bc6aba6ee786f96aeb7b124dc6abc6cc6546c6847ea8340da8c657","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2},"spec_sha256":"ee004404353db9c93e5b579cc786313a4919411c76a981f6502379bb294d37cc"}	1795797163	cec86eddaf5ed42cfee1aa1dca7d9edae7e90e1fada6974494c51522f7c8078d	ad3fb66af6a724cf16c91ca01b07ac03de0c5431cb2af2b7be156cf39f7cb5e4
bud_ynamdscbkxruceo6224nsgfl34	6	release_charged	205575747	100000000000	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	rel_3l66vp3biwbnxtr62vu4njejae	{"api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","commitment":"d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","key_hash":"792424afb470800e7114079d9c8e250eaa39fececa25e842241b1f625962d4d9","mechanism":"gaussian","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"ad28dbb98e28e5f77933df42e65adf358fd86c235bcce8615e2af8a214a60108","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2},"spec_sha256":"a855fe8cb6298d2468a59b694e05ab0439f382540bce03f6b8dd966f6e508e6b"}	1795797163	ad3fb66af6a724cf16c91ca01b07ac03de0c5431cb2af2b7be156cf39f7cb5e4	7bf06d6e8dfd8a3fd8868aac23c77bd442e00ba8ea048ad25cbad0d2e29cacc6
bud_ynamdscbkxruceo6224nsgfl34	7	release_charged	200000000	0	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	rel_75ylkdechljqjxlmqiz3bgyrg4	{"api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","commitment":"d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","key_hash":"4407ea7ba4d8e8a5f0fd5b56bbd775c9e17005b09a315215f8bae5e2fc1d2640","mechanism":"margins","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"ad421c2b5cf5930b820c1deae29b90b1c15deefb3c5cd78a635d0bede782dcb2","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2},"spec_sha256":"c2bc48e6ea085eb4bdce98edd88773f3bf1094c79653cc4516ce50287455a94f"}	1795797163	7bf06d6e8dfd8a3fd8868aac23c77bd442e00ba8ea048ad25cbad0d2e29cacc6	5a406020de278753fb3124cad8f9ebaf28ac25bd57514471190f9ce9d0ef85c9
bud_7rcwk5p45faje2hdi2ptokwj2e	10	access_declined	0	0	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	acc_su7g6izzy76dzevksur2q67z5a	{"analyst_id":"pri_6kcfdtaxzlggonkr4gbim7u6s4","api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","dataset_id":"dat_5ar46jh2eu26fovht4zygyyxqa","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2}}	1795797163	636156317f3135f44fa5c9ddd0047fc1fae4b87102315fd60a96c7f015685712	ac0f36108d2a8417b4f39bfd6e52599c5a713aeb6c9cd92f4d3962cdf1ab951a
bud_7rcwk5p45faje2hdi2ptokwj2e	11	dataset_registered	0	0	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	dat_g6tq3vx2ecz6sprbgpmsibdcp4	{"api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","category_count":2,"commitment":"07c033f87d5abc41812cce9543604693da1d674e54ce219d515b731906a963e4","description_sha256":"9c22a092edbb94054af17b0474fcce9e26eaafd83379799dd0f066543381605d","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2},"record_count":3,"records_per_unit":1,"relation":"replace_one"}	1795797163	ac0f36108d2a8417b4f39bfd6e52599c5a713aeb6c9cd92f4d3962cdf1ab951a	540b5f95cef2ec7d2115bfd0dbce0a3887ba7bde54787a9828911650d177969b
bud_7rcwk5p45faje2hdi2ptokwj2e	12	dataset_deleted	0	0	0	pri_yjic7cnu7goh6wjsyd5rieeq6q	dat_g6tq3vx2ecz6sprbgpmsibdcp4	{"api_key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi","principal_head":{"hash":"eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c","sequence":2}}	1795797163	540b5f95cef2ec7d2115bfd0dbce0a3887ba7bde54787a9828911650d177969b	cfe91ac9e89150dc5580f3c2062245b30fe0701828ae67e88d8bdf565eb0f2f8
bud_wfjuyzcrgwvo5sccdlazadz4bq	1	budget_opened	1000000000	1000000000000	0	pri_2btvjfykxji4p6itb2zxkllksm	bud_wfjuyzcrgwvo5sccdlazadz4bq	{"accountant":"basic","api_key_id":"key_vwkbwqtblofhl2nhxbbvxddjju","delta":"0.000001","delta_conversion":"0","epsilon":"1","principal_head":{"hash":"a862c53d2bc42e4f49e97da9c541f2700f58e5daecb3d8edfa1b0825092df88a","sequence":2}}	1795797164	773a1c8e3003b550ff29dfeb4dce8c53693508a4003d43c2c2ba09ff7b9b1183	71fea6fe8de536016e4fd17005a5c831601ca304e775875cc172fe42519ba328
bud_wfjuyzcrgwvo5sccdlazadz4bq	2	dataset_registered	0	0	0	pri_2btvjfykxji4p6itb2zxkllksm	dat_njpwsu5xix7ktbb7prqyvlgr4y	{"api_key_id":"key_vwkbwqtblofhl2nhxbbvxddjju","category_count":2,"commitment":"1653b957ddb92749b40a0e91dd564b67ef83c3b742f24696fb20cdcf662908f8","description_sha256":"9c22a092edbb94054af17b0474fcce9e26eaafd83379799dd0f066543381605d","principal_head":{"hash":"a862c53d2bc42e4f49e97da9c541f2700f58e5daecb3d8edfa1b0825092df88a","sequence":2},"record_count":11,"records_per_unit":1,"relation":"replace_one"}	1795797164	71fea6fe8de536016e4fd17005a5c831601ca304e775875cc172fe42519ba328	8ad0a1ca275e7bf8e2e447419ae060c3b018fdfab0adcb9efd62f2978e63dad9
bud_wfjuyzcrgwvo5sccdlazadz4bq	3	release_charged	200000000	0	0	pri_2btvjfykxji4p6itb2zxkllksm	rel_bt7lw22tbbyulk43w7o6lqig74	{"api_key_id":"key_vwkbwqtblofhl2nhxbbvxddjju","commitment":"1653b957ddb92749b40a0e91dd564b67ef83c3b742f24696fb20cdcf662908f8","dataset_id":"dat_njpwsu5xix7ktbb7prqyvlgr4y","key_hash":"fc403868fc9412739f8681f3e01a3ebdc31b9aff6784e6fca5c3cf101e870fdc","mechanism":"simplex_geometric","owner_id":"pri_2btvjfykxji4p6itb2zxkllksm","payload_hash":"c6d7df703438cfd76f7d56fbb16c402ec3b10a5bc92d4db1bf6061c49678e2b3","principal_head":{"hash":"a862c53d2bc42e4f49e97da9c541f2700f58e5daecb3d8edfa1b0825092df88a","sequence":2},"spec_sha256":"21e5312cfd3fc1cb474dc6aa199a948bf01e27d21372ce0ec44d503616e8263a"}	1795797168	8ad0a1ca275e7bf8e2e447419ae060c3b018fdfab0adcb9efd62f2978e63dad9	37eea9dc24b5e51e48eb6b89c3834e141c015f72c164004871eaf42db5072bba
\.


--
-- Data for Name: grants; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.grants (id, dataset_id, principal_id, epsilon_cap, delta_cap, rho_cap, epsilon_spent, delta_spent, rho_spent, expires_at, closed_at, created_at, created_nanoseconds, stored_bytes, owner_id, dataset_nanoseconds) FROM stdin;
gra_slff3ckesenzmaxjheipxpohum	dat_5ar46jh2eu26fovht4zygyyxqa	pri_2dn3t2korzm42gbbiborw7rua4	900000000	800000000000	0	199997009	100000000000	0	32472144000	\N	1795797159	1795797159659840964	24016	pri_yjic7cnu7goh6wjsyd5rieeq6q	1795797159555481765
gra_55d6ovpldz4u47hbou446lhwxi	dat_iex2wsrqquufbu73afzasah4hu	pri_2dn3t2korzm42gbbiborw7rua4	0	800000000000	140000000000	0	0	43964384706	32472144000	\N	1795797159	1795797159698572622	111651	pri_yjic7cnu7goh6wjsyd5rieeq6q	1795797159585994568
\.


--
-- Data for Name: holdings; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.holdings (owner_id, budgets, datasets, grants) FROM stdin;
pri_yjic7cnu7goh6wjsyd5rieeq6q	3	4	2
pri_2btvjfykxji4p6itb2zxkllksm	1	1	0
\.


--
-- Data for Name: hourly_spending; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.hourly_spending (budget_id, hour, releases, epsilon, delta, rho) FROM stdin;
bud_7rcwk5p45faje2hdi2ptokwj2e	498832	3	299997009	100000000000	0
bud_hgyqlegmdutpkn4uxdobq2vez4	498832	7	0	0	43964384706
bud_ynamdscbkxruceo6224nsgfl34	498832	5	655504631	100000000000	0
bud_wfjuyzcrgwvo5sccdlazadz4bq	498832	1	200000000	0	0
\.


--
-- Data for Name: installation; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.installation (id, identity, created_at, restore_pending_since, restores) FROM stdin;
1	561a37e8ad8e01a1fe53990a95c40609	1795797156	\N	0
\.


--
-- Data for Name: jobs; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.jobs (id, principal_id, key, kind, input, state, result, problem, created_at, finished_at, leased_until, tries, created_nanoseconds, signature, used_at) FROM stdin;
cer_ami5hnlufvxjrlhmd7looser74	pri_2dn3t2korzm42gbbiborw7rua4	4031337bf29654cc4dc47514234dba89e4e7e93020c0ba6e8c0216729007e063	certificate	{"mechanism": {"calibration": "certified", "delta": "0.0000001", "epsilon": "0.1", "kind": "exponential"}, "n": 240, "prior": ["1.0", "1.0"], "version": 4}	ready	{"certificate": {"details": {"loss": "0.099997008", "loss_range": "0.148875720", "rounding": "2.771e-11"}, "loss": {"delta": "0.0000001", "epsilon": "0.099997009", "rho": "0.001009435228", "rho_delta": "0"}, "method": "exact_channel", "relation": "replace_one", "statement": "(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel."}, "event": {"calibration": "certified", "delta": "0.0000001", "epsilon0": "0.146859191", "event": "exponential", "gamma": "0.0265", "n": 240, "prior": ["1.0", "1.0"], "uniform_admixture": null}}	\N	1795797161	1795797161	\N	0	1795797161557623613	{"body":{"computation":"certificate","input_sha256":"fbaf9913582f83a3e06fbb87495af13eeadcfa0ad6501b5441f62d719465742e","job_id":"cer_ami5hnlufvxjrlhmd7looser74","key":"4031337bf29654cc4dc47514234dba89e4e7e93020c0ba6e8c0216729007e063","kind":"private-posterior job 1","outcome_sha256":"874007bef745300889a8a02d4860f33454eaa5c32ec999e7800d704a78bc42bb","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4"},"key_id":"139e3940e64b5491","signature":"nLPCDNjkPxEY4wmbb9MZ2yX4KO_H39uwsKeHdS-t7_hDGSRzQtbKKBy3uxEtQM0pJqOyMv-LO_E-POgrhfhqBQ"}	1795797161
cer_uc5milo4k6tyw4igdqvogg3rhy	pri_2dn3t2korzm42gbbiborw7rua4	116bc72db34d25c0f9a0db166068ef62ec8a968e5d8d95110bd1128d08d6bdac	certificate	{"mechanism": {"calibration": "proven", "delta": "0.0000001", "epsilon": "0.1", "kind": "exponential"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"change_of_rate": "0.044264479", "draw": "rejection", "excess_by_ratio": "0.059336596", "excess_by_tail": "1.355692916", "normalisers": "0.001824692", "rounding": "4.214e-11", "score": "0.053909420"}, "loss": {"delta": "0", "epsilon": "0.099998592", "rho": "0.002321993715", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3."}, "event": {"calibration": "proven", "delta": "0.0000001", "epsilon0": "0.10781884", "event": "exponential", "gamma": "0.0342", "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	\N	1795797161	1795797161	\N	0	1795797161883376356	{"body":{"computation":"certificate","input_sha256":"2781f561a3dd5da4a3c60da815abea8c06997f2f4b4b011ab408544c3e0d58f6","job_id":"cer_uc5milo4k6tyw4igdqvogg3rhy","key":"116bc72db34d25c0f9a0db166068ef62ec8a968e5d8d95110bd1128d08d6bdac","kind":"private-posterior job 1","outcome_sha256":"9e575f9ddef8a9817b49d895f9646890759e0f13011249f0150f564410d563aa","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4"},"key_id":"139e3940e64b5491","signature":"smi4ghT9oca2XYd8M0KeeAthlgKtOHsEOhSdLkGTjeVwaVoAqFBTC89hrXn-J_63cHKjCT2fwXi_Q3z5NP5wCw"}	1795797161
cer_onkxjksmyqvbgp2pd7flztbtyu	pri_2dn3t2korzm42gbbiborw7rua4	a25e0502fec8106892833f732a280cb930adffa714474ded93453cfb3b853e38	certificate	{"mechanism": {"delta": "0.0000001", "kind": "exponential_published", "nominal_epsilon": "0.2"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"change_of_rate": "0.013980835", "draw": "rejection", "excess_by_ratio": "0.013980835", "excess_by_tail": "0.167125342", "normalisers": "0.005005989", "rounding": "6.634e-11", "score": "0.100000000"}, "loss": {"delta": "0", "epsilon": "0.118986825", "rho": "0.00509726344", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3."}, "event": {"calibration": "published", "delta": "0.0000001", "epsilon0": "0.2", "event": "exponential", "gamma": "0.004279815109635818", "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	\N	1795797162	1795797162	\N	0	1795797162300628178	{"body":{"computation":"certificate","input_sha256":"cd8127786ab6fc97cab3601ccf993b5e06627f7fce88aab8a5c11e085156d24b","job_id":"cer_onkxjksmyqvbgp2pd7flztbtyu","key":"a25e0502fec8106892833f732a280cb930adffa714474ded93453cfb3b853e38","kind":"private-posterior job 1","outcome_sha256":"34f6cfbbd7c3f0aa462956dbdf1a7670c38fe10bbfaff26c29bf61445d6eb763","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4"},"key_id":"139e3940e64b5491","signature":"1azta0go7KuDG8JoaDhnJq5dcNwzG-uNc8jgjOJZ1Ao8-JRnN8o06wjBgHT6bfNpGyETnL2KIiBQjy3eijssBg"}	1795797162
cer_647nk6vhb34qe24yj54d4kbdu4	pri_2dn3t2korzm42gbbiborw7rua4	469099b7acca9336f5c9388b7e6372b46896354dae0460b9a648d373284ba81e	certificate	{"mechanism": {"delta": "0.0000001", "epsilon": "0.3", "kind": "exponential_global"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"draw": "rejection", "normalisers": "0.002500479", "rounding": "1.782e-11", "score": "0.150000000"}, "loss": {"delta": "0", "epsilon": "0.15250048", "rho": "0.011249999939", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2."}, "event": {"calibration": "global", "delta": "0.0000001", "epsilon0": "0.299999999", "event": "exponential", "gamma": null, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	\N	1795797162	1795797162	\N	0	1795797162704323356	{"body":{"computation":"certificate","input_sha256":"16b4415c69e4b4e51c27ac2054afd57b731267e984bcbe902d047df1a4358510","job_id":"cer_647nk6vhb34qe24yj54d4kbdu4","key":"469099b7acca9336f5c9388b7e6372b46896354dae0460b9a648d373284ba81e","kind":"private-posterior job 1","outcome_sha256":"fbd90c1cc0dc5b798ba89715d11abbeec85c1ef5aeb499de633f430a08eb76f6","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4"},"key_id":"139e3940e64b5491","signature":"8Qek-5k_7X18Y971qcKdL5kqHghkD21bCS1jhf2QLoBPQx2BSNHS6SpZs4nrAg75m6a0hOJd07zrhka4MlIFAA"}	1795797162
\.


--
-- Data for Name: key_checks; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.key_checks (kind, key_id, check_value, created_at, retired_at) FROM stdin;
counts	k1	f522ac82754c352661661a5acc1c991766bc05de7d6ae91245ed185928313541	1795797157	\N
\.


--
-- Data for Name: principal_entries; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principal_entries (principal_id, sequence, kind, actor_id, subject_id, detail, created_at, previous_hash, hash) FROM stdin;
pri_3bpho553wveez7i6mrihhra4fu	1	key_issued	command-line	key_vyk5ipqllxyxzqaz2revluijhy	{"role":"admin"}	1795797156	4ca8a108bcda167b8a9c01fac711e4be650d8f02c3d777d3b452d1a94c6f59b8	be897c1880808f47f7c0f7b1ece67034c8081a0b9efd0af46d7ae91b26d990e6
pri_yjic7cnu7goh6wjsyd5rieeq6q	1	token_issued	pri_3bpho553wveez7i6mrihhra4fu	enr_din7esu3wh3o4fkyyvfxfxcvdi	{"recovers":false,"role":"owner"}	1795797159	46b2b0c5a50f36f06b7361d6a8238d74764d7d5ef005af4e41855ae06193fdbf	f072e3aba97e30f12b33246864be99784d9137bce7b69c4cd803c43dbb5e581f
pri_yjic7cnu7goh6wjsyd5rieeq6q	2	enrolled	pri_yjic7cnu7goh6wjsyd5rieeq6q	enr_din7esu3wh3o4fkyyvfxfxcvdi	{"issued_by":"pri_3bpho553wveez7i6mrihhra4fu","key_id":"key_a7dtrzbmw7kq77lk7ovcegd6hi"}	1795797159	f072e3aba97e30f12b33246864be99784d9137bce7b69c4cd803c43dbb5e581f	eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c
pri_2dn3t2korzm42gbbiborw7rua4	1	token_issued	pri_3bpho553wveez7i6mrihhra4fu	enr_cxsrgf3q63vfyqlbwv5eej4smi	{"recovers":false,"role":"analyst"}	1795797159	837eb4cec8901f9dfd4797533c8c6efab2539245485c3af858c69fadb0b7e9cd	e679395b9bc32b6134f35a0d835644bc7cd1fe69d4c8d0e779a263b7d3a41a9f
pri_2dn3t2korzm42gbbiborw7rua4	2	enrolled	pri_2dn3t2korzm42gbbiborw7rua4	enr_cxsrgf3q63vfyqlbwv5eej4smi	{"issued_by":"pri_3bpho553wveez7i6mrihhra4fu","key_id":"key_5lpbdhfdy4t6qk3yn2iazqttu4"}	1795797159	e679395b9bc32b6134f35a0d835644bc7cd1fe69d4c8d0e779a263b7d3a41a9f	dad313563d84e481bf304369eb8896a72070921540f3fbd5558b938c2355b39c
pri_6kcfdtaxzlggonkr4gbim7u6s4	1	token_issued	pri_3bpho553wveez7i6mrihhra4fu	enr_r5rl3ratq44kno442unamhg4re	{"recovers":false,"role":"analyst"}	1795797163	cad7d0b3d5895ec9548b6b37271a6d7ba29feb1917d11f41ed46bf7540f9388c	f97de0b856236f198c4c23e6f63d05d914980f940bfeb5ae70dc017a570082e6
pri_6kcfdtaxzlggonkr4gbim7u6s4	2	enrolled	pri_6kcfdtaxzlggonkr4gbim7u6s4	enr_r5rl3ratq44kno442unamhg4re	{"issued_by":"pri_3bpho553wveez7i6mrihhra4fu","key_id":"key_d2urkq55ipgeu7v36cdvojdrke"}	1795797163	f97de0b856236f198c4c23e6f63d05d914980f940bfeb5ae70dc017a570082e6	a19a0b4e3f4da7de05f1b446300cb03f401bfb06e1e846164cc5809dc1d576ac
pri_6kcfdtaxzlggonkr4gbim7u6s4	3	access_requested	pri_6kcfdtaxzlggonkr4gbim7u6s4	acc_su7g6izzy76dzevksur2q67z5a	{"api_key_id":"key_d2urkq55ipgeu7v36cdvojdrke","dataset_id":"dat_5ar46jh2eu26fovht4zygyyxqa","requested":[100000000,0,0]}	1795797163	a19a0b4e3f4da7de05f1b446300cb03f401bfb06e1e846164cc5809dc1d576ac	84e05d6a8271b2c0cd8da888a3fa5258c98081a4e70dbb3e4009e923220bbcd9
pri_6kcfdtaxzlggonkr4gbim7u6s4	4	access_requested	pri_6kcfdtaxzlggonkr4gbim7u6s4	acc_y6l6xkdspd5grxjprvgf5zjele	{"api_key_id":"key_d2urkq55ipgeu7v36cdvojdrke","dataset_id":"dat_5ar46jh2eu26fovht4zygyyxqa","requested":[50000000,0,0]}	1795797163	84e05d6a8271b2c0cd8da888a3fa5258c98081a4e70dbb3e4009e923220bbcd9	cb0d7d939220eb95836c72c75afa9bb77834289b66f4cb0e0fdd8eb83a977ecc
pri_dqyetedudsxn3ewyi24r225vn4	1	token_issued	pri_3bpho553wveez7i6mrihhra4fu	enr_ngglqfvtfl76xbnolfagek6ohq	{"recovers":false,"role":"analyst"}	1795797163	8d0c57290692a92d2908875f0b0dfa7fd942504ac80b5eb82d0a1b38374166cd	23a5d3fed3f34d95d0085341d282a273882e2862791b1cb6a355f8b78300d32d
pri_dqyetedudsxn3ewyi24r225vn4	2	enrolled	pri_dqyetedudsxn3ewyi24r225vn4	enr_ngglqfvtfl76xbnolfagek6ohq	{"issued_by":"pri_3bpho553wveez7i6mrihhra4fu","key_id":"key_jcbahsvzpasx664v6gxktao3ia"}	1795797163	23a5d3fed3f34d95d0085341d282a273882e2862791b1cb6a355f8b78300d32d	6d3fd7f118edbd5315de841c7a6acfad07f5719cb0dc2ab489c6d3f24a11fd4c
pri_dqyetedudsxn3ewyi24r225vn4	3	principal_revoked	pri_3bpho553wveez7i6mrihhra4fu	pri_dqyetedudsxn3ewyi24r225vn4	{}	1795797163	6d3fd7f118edbd5315de841c7a6acfad07f5719cb0dc2ab489c6d3f24a11fd4c	dc82ad8300f1068cae9c5221dac73efcf0b68b18c782699a2b3b448ec7ea1956
pri_2btvjfykxji4p6itb2zxkllksm	1	token_issued	pri_3bpho553wveez7i6mrihhra4fu	enr_sicmz4wpnb7xaxugmlsusieayy	{"recovers":false,"role":"owner"}	1795797164	384df9791cf44bc609399b6d05cdfc211ebfd9ae384d1a7284cfcfa06f998576	f0884b09e3566317944f441b476652cdad72f8acbed63a7583282ab77a1a37b9
pri_2btvjfykxji4p6itb2zxkllksm	2	enrolled	pri_2btvjfykxji4p6itb2zxkllksm	enr_sicmz4wpnb7xaxugmlsusieayy	{"issued_by":"pri_3bpho553wveez7i6mrihhra4fu","key_id":"key_vwkbwqtblofhl2nhxbbvxddjju"}	1795797164	f0884b09e3566317944f441b476652cdad72f8acbed63a7583282ab77a1a37b9	a862c53d2bc42e4f49e97da9c541f2700f58e5daecb3d8edfa1b0825092df88a
\.


--
-- Data for Name: principal_names; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principal_names (principal_id, name) FROM stdin;
pri_3bpho553wveez7i6mrihhra4fu	first admin
pri_yjic7cnu7goh6wjsyd5rieeq6q	owner
pri_2dn3t2korzm42gbbiborw7rua4	analyst
pri_6kcfdtaxzlggonkr4gbim7u6s4	another
pri_dqyetedudsxn3ewyi24r225vn4	gone
pri_2btvjfykxji4p6itb2zxkllksm	late
\.


--
-- Data for Name: principals; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principals (id, role, created_at, revoked_at, frozen_until, recovery_id, sequence, head_hash, created_nanoseconds) FROM stdin;
pri_3bpho553wveez7i6mrihhra4fu	admin	1795797156	\N	\N	\N	1	be897c1880808f47f7c0f7b1ece67034c8081a0b9efd0af46d7ae91b26d990e6	1795797156821479302
pri_yjic7cnu7goh6wjsyd5rieeq6q	owner	1795797159	\N	\N	\N	2	eefb858fcfbfcf9bfccb74f919aa3f02ccf3656722a9d8d5ed854b64634bde1c	1795797159455518726
pri_2dn3t2korzm42gbbiborw7rua4	analyst	1795797159	\N	\N	\N	2	dad313563d84e481bf304369eb8896a72070921540f3fbd5558b938c2355b39c	1795797159501201751
pri_6kcfdtaxzlggonkr4gbim7u6s4	analyst	1795797163	\N	\N	\N	4	cb0d7d939220eb95836c72c75afa9bb77834289b66f4cb0e0fdd8eb83a977ecc	1795797163731821976
pri_dqyetedudsxn3ewyi24r225vn4	analyst	1795797163	1795797163	\N	\N	3	dc82ad8300f1068cae9c5221dac73efcf0b68b18c782699a2b3b448ec7ea1956	1795797163834677585
pri_2btvjfykxji4p6itb2zxkllksm	owner	1795797164	\N	\N	\N	2	a862c53d2bc42e4f49e97da9c541f2700f58e5daecb3d8edfa1b0825092df88a	1795797164058137037
\.


--
-- Data for Name: public_texts; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.public_texts (release_id, text, created_at) FROM stdin;
rel_3bsqmci3y6bbmrlaujqt4f3gku	{"id":"rel_3bsqmci3y6bbmrlaujqt4f3gku","dataset_id":"dat_5ar46jh2eu26fovht4zygyyxqa","budget_id":"bud_7rcwk5p45faje2hdi2ptokwj2e","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[67.0,175.0],"noisy_counts":[66,174],"released_counts":[66,174],"categories":[{"label":"category 0","mean":0.2768595041322314,"standard_deviation":0.028703702683671645,"naive_interval":{"level":0.95,"low":0.22241730768820347,"high":0.33479480713650783}},{"label":"category 1","mean":0.7231404958677686,"standard_deviation":0.028703702683671645,"naive_interval":{"level":0.95,"low":0.6652051928634921,"high":0.7775826923117966}}]},"created_at":"2026-11-27T16:32:39Z","signature":{"body":{"kind":"private-posterior release signature 1","release_id":"rel_3bsqmci3y6bbmrlaujqt4f3gku","sha256":"77afd63f31655cc4f994b50dcabb9ad03eb4c33086fca3c3bbc46cf3dde4a1f0"},"key_id":"139e3940e64b5491","signature":"_mUylXQy_kYvOBxJmCZWP9hZWJc0MXLk4w1VO4_XyXgFzTDCbAi7MblXVJWwwG4QnNYetfWf9hdJlTZ5qj0sDw"}}	1795797162
\.


--
-- Data for Name: query_charges; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.query_charges (release_id, dataset_id, budget_id, sequence, grant_id, measured, apart, epsilon_alone, delta_alone, rho_alone, epsilon_granted, delta_granted, rho_granted) FROM stdin;
qry_vryt5erjjsda6keb3jk7zbtdci	dat_iex2wsrqquufbu73afzasah4hu	bud_hgyqlegmdutpkn4uxdobq2vez4	10	gra_55d6ovpldz4u47hbou446lhwxi	[]	[]	0	0	0	0	0	0
qry_kj4lm6gpvhi5h4kouaquzoirfe	dat_wztq3a3jlu6uct5swm55xzfz7u	bud_ynamdscbkxruceo6224nsgfl34	3	\N	[{"coefficients":[1,1,1,-1],"denominator":1,"rate":"0.049928884","relation":"add_remove"}]	[false]	49928884	0	0	49928884	0	0
\.


--
-- Data for Name: releases; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.releases (id, dataset_id, budget_id, sequence, principal_id, key_hash, payload_hash, spec, epsilon_charged, delta_charged, rho_charged, epsilon_remaining, delta_remaining, rho_remaining, receipt, created_at, state, leased_until, drawn, result, public_since, kind, owner_id, signature) FROM stdin;
rel_gsp4zick2s4szbkqxxz6cxbejm	dat_5ar46jh2eu26fovht4zygyyxqa	bud_7rcwk5p45faje2hdi2ptokwj2e	7	pri_2dn3t2korzm42gbbiborw7rua4	8de753ee2ec8c9a6c7ceb6f765e03dee20b12fc90d027e15084da5c2854d6d50	2559b33aa8980b40e91d7ea2e3460a26768c00dd1b744a8492cb92f63cf85146	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"exponential","calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"exponential","n":240,"prior":["1.0","1.0"],"epsilon0":"0.146859191","gamma":"0.0265","uniform_admixture":null,"calibration":"certified","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"method":"exact_channel","statement":"(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel.","relation":"replace_one","details":{"loss":"0.099997008","loss_range":"0.148875720","rounding":"2.771e-11"}},"outcome":"signed"}	99997009	100000000000	0	700002991	700000000000	0	{"body":{"accountant":"basic","at":1795797161,"budget_id":"bud_7rcwk5p45faje2hdi2ptokwj2e","chain_hash":"f3c2a7235ee6b44dfb7d9101f1de63f8bf9a214203fa55c5c8190f61818c3101","commitment":"5ad7f916bf4847192700477b33bc91e1a803ca76067d31151148b3a138058ec2","dataset_id":"dat_5ar46jh2eu26fovht4zygyyxqa","delta_units":100000000000,"epsilon_units":99997009,"grant_id":"gra_slff3ckesenzmaxjheipxpohum","key_hash":"8de753ee2ec8c9a6c7ceb6f765e03dee20b12fc90d027e15084da5c2854d6d50","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"2559b33aa8980b40e91d7ea2e3460a26768c00dd1b744a8492cb92f63cf85146","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_gsp4zick2s4szbkqxxz6cxbejm","rho_units":0,"sequence":7,"spec_sha256":"44b1703f7d2de929b26947e191351d4a7c425e2c36670684e37be7525ba5306a"},"key_id":"139e3940e64b5491","signature":"kIM2d9UPpNXFrWm9RwNerNJdiwUIEP2s48HcZhTSp1yeBgB9tWeJKFEwPJPB7UvKuhMWoc1kyWqkovM01zpyCA"}	1795797161	complete	1795797183	{"noisy": [21, 219], "on_simplex": [21, 219]}	{"id":"rel_gsp4zick2s4szbkqxxz6cxbejm","dataset_id":"dat_5ar46jh2eu26fovht4zygyyxqa","budget_id":"bud_7rcwk5p45faje2hdi2ptokwj2e","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"exponential","n":240,"prior":["1.0","1.0"],"epsilon0":"0.146859191","gamma":"0.0265","uniform_admixture":null,"calibration":"certified","delta":"0.0000001"},"prior":[1.0,1.0],"mechanism":{"kind":"exponential","calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"requested":{"calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"certified":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.099997009","delta":"0.0000001"},"remaining_after":{"accountant":"basic","epsilon":"0.700002991","delta":"0.0000007"},"certificate":{"method":"exact_channel","statement":"(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"details":{"loss":"0.099997008","loss_range":"0.148875720","rounding":"2.771e-11"}},"posterior":{"concentration":[22.0,220.0],"noisy_counts":[21,219],"released_counts":[21,219],"categories":[{"label":"category 0","mean":0.09090909090909091,"standard_deviation":0.018441836953035896,"naive_interval":{"level":0.95,"low":0.05809509215865578,"high":0.13011322086843344}},{"label":"category 1","mean":0.9090909090909091,"standard_deviation":0.018441836953035896,"naive_interval":{"level":0.95,"low":0.8698867791315665,"high":0.9419049078413442}}]},"created_at":"2026-11-27T16:32:41Z","receipt":{"body":{"accountant":"basic","at":1795797161,"budget_id":"bud_7rcwk5p45faje2hdi2ptokwj2e","chain_hash":"f3c2a7235ee6b44dfb7d9101f1de63f8bf9a214203fa55c5c8190f61818c3101","commitment":"5ad7f916bf4847192700477b33bc91e1a803ca76067d31151148b3a138058ec2","dataset_id":"dat_5ar46jh2eu26fovht4zygyyxqa","delta_units":100000000000,"epsilon_units":99997009,"grant_id":"gra_slff3ckesenzmaxjheipxpohum","key_hash":"8de753ee2ec8c9a6c7ceb6f765e03dee20b12fc90d027e15084da5c2854d6d50","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"2559b33aa8980b40e91d7ea2e3460a26768c00dd1b744a8492cb92f63cf85146","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_gsp4zick2s4szbkqxxz6cxbejm","rho_units":0,"sequence":7,"spec_sha256":"44b1703f7d2de929b26947e191351d4a7c425e2c36670684e37be7525ba5306a"},"key_id":"139e3940e64b5491","signature":"kIM2d9UPpNXFrWm9RwNerNJdiwUIEP2s48HcZhTSp1yeBgB9tWeJKFEwPJPB7UvKuhMWoc1kyWqkovM01zpyCA"}}	\N	posterior	pri_yjic7cnu7goh6wjsyd5rieeq6q	{"body":{"answer_sha256":"f522e6d4f0e3a3206ff02deb875e5c2c5c0f0c4dc462e5a307e80cf8eaacf5c9","drawn_sha256":"f4898c61216a53a8f9de9d78cd9ee53bf832095242846461b786c0344f2b899f","kind":"private-posterior outcome 1","release_id":"rel_gsp4zick2s4szbkqxxz6cxbejm"},"key_id":"139e3940e64b5491","signature":"rFj1l2wqx2D64jE6trpNBWqlolS4Nv1w7gTTN38OdgU3KT8FK-D_6DKCAxytZtiWij2cGTtD3QBvPEoaSbE6CA"}
rel_zwi2ntmqr2xsnkplxqr4m7xynq	dat_iex2wsrqquufbu73afzasah4hu	bud_hgyqlegmdutpkn4uxdobq2vez4	4	pri_2dn3t2korzm42gbbiborw7rua4	c3b827c01c48c0f3c0f62cd52e26bfd02669aa9e3dec4f262f4a4ee732c484b5	00ac31bf50e59bff36a31a1f21d4858b459c4ca47c4b900857d6c1c784ebc7f6	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"simplex_geometric","n":667,"m":5,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"outcome":"signed"}	0	0	2856598834	0	800000000000	137143401166	{"body":{"accountant":"zcdp","at":1795797161,"budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","chain_hash":"c6961cb91bf188850df0e5e40b542515e59828a97badacb13f906993ed5a0754","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","delta_units":0,"epsilon_units":0,"grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"c3b827c01c48c0f3c0f62cd52e26bfd02669aa9e3dec4f262f4a4ee732c484b5","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"00ac31bf50e59bff36a31a1f21d4858b459c4ca47c4b900857d6c1c784ebc7f6","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_zwi2ntmqr2xsnkplxqr4m7xynq","rho_units":2856598834,"sequence":4,"spec_sha256":"311fae0c4f1346369f487014ac026cfef121693167b6a0ce3c8f55934ba0eee2"},"key_id":"139e3940e64b5491","signature":"egMrG4a6BLJ-T-hM_jcwIVjhHGGVxyJ6dm07PCPc9l8NfR5cQC6jfe8m5ey-QO-rrhyZ3b5CtTb7W0SMRLVNBQ"}	1795797161	complete	1795797183	{"noisy": [66, 325, -26, 20, 282], "on_simplex": [60, 318, 0, 14, 275]}	{"id":"rel_zwi2ntmqr2xsnkplxqr4m7xynq","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"simplex_geometric","n":667,"m":5,"epsilon":"0.1"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002856598834","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.137143401166","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[60.5,318.5,0.5,14.5,275.5],"noisy_counts":[66,325,-26,20,282],"released_counts":[60,318,0,14,275],"categories":[{"label":"female · yes","mean":0.09036594473487677,"standard_deviation":0.011072262187932266,"naive_interval":{"level":0.95,"low":0.06985275490028592,"high":0.11319534619612792}},{"label":"female · no","mean":0.47572815533980584,"standard_deviation":0.01928671682844358,"naive_interval":{"level":0.95,"low":0.43800753111886603,"high":0.5135861423601262}},{"label":"female · unknown","mean":0.0007468259895444362,"standard_deviation":0.0010549893818436278,"naive_interval":{"level":0.95,"low":7.342569629795003e-7,"high":0.0037491302822801123}},{"label":"male · yes","mean":0.021657953696788648,"standard_deviation":0.0056215318898101725,"naive_interval":{"level":0.95,"low":0.012051877288910665,"high":0.03395822191359607}},{"label":"male · no","mean":0.41150112023898433,"standard_deviation":0.019004609052057454,"naive_interval":{"level":0.95,"low":0.37451556404418473,"high":0.44898751584986557}}]},"created_at":"2026-11-27T16:32:41Z","receipt":{"body":{"accountant":"zcdp","at":1795797161,"budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","chain_hash":"c6961cb91bf188850df0e5e40b542515e59828a97badacb13f906993ed5a0754","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","delta_units":0,"epsilon_units":0,"grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"c3b827c01c48c0f3c0f62cd52e26bfd02669aa9e3dec4f262f4a4ee732c484b5","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"00ac31bf50e59bff36a31a1f21d4858b459c4ca47c4b900857d6c1c784ebc7f6","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_zwi2ntmqr2xsnkplxqr4m7xynq","rho_units":2856598834,"sequence":4,"spec_sha256":"311fae0c4f1346369f487014ac026cfef121693167b6a0ce3c8f55934ba0eee2"},"key_id":"139e3940e64b5491","signature":"egMrG4a6BLJ-T-hM_jcwIVjhHGGVxyJ6dm07PCPc9l8NfR5cQC6jfe8m5ey-QO-rrhyZ3b5CtTb7W0SMRLVNBQ"}}	\N	posterior	pri_yjic7cnu7goh6wjsyd5rieeq6q	{"body":{"answer_sha256":"c287201b70c2342b0e82e7d128a002267b12e8f448ba22a70c50f350c4639d95","drawn_sha256":"df9491b05ba92452f48dee47a82f929c2b4fb9dc6361aab84bff0d05991e3612","kind":"private-posterior outcome 1","release_id":"rel_zwi2ntmqr2xsnkplxqr4m7xynq"},"key_id":"139e3940e64b5491","signature":"Kzoq78W_GTYp3IFq3hiePBYg0do_pEaz0YKnsuqR-7dAOBBURPMsOOz8fv52fAoihKq6S3BJakuyBHg0Ee3KBg"}
rel_afaai2ijde6l7rhh2tjiksi2b4	dat_iex2wsrqquufbu73afzasah4hu	bud_hgyqlegmdutpkn4uxdobq2vez4	5	pri_2dn3t2korzm42gbbiborw7rua4	32b3c2ba4a5c4a2ec133925343708e733827fcb3dc72f4f76ae022be7f3bf430	0d099933e2eac2904cf3acbc187c522ceacf485084ae178b93a57a8db9f6d9ea	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"laplace","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"laplace","n":667,"m":5,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: Laplace noise of scale 2/0.1 on all counts but the last, which one replaced record changes by 2 in all.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_scale":"2/0.1"}},"outcome":"signed"}	0	0	2438528778	0	800000000000	134704872388	{"body":{"accountant":"zcdp","at":1795797161,"budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","chain_hash":"f5b012712e3fd886422342d2fa774a1ae7913770eb25880c0c6eaae485fbe475","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","delta_units":0,"epsilon_units":0,"grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"32b3c2ba4a5c4a2ec133925343708e733827fcb3dc72f4f76ae022be7f3bf430","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"0d099933e2eac2904cf3acbc187c522ceacf485084ae178b93a57a8db9f6d9ea","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_afaai2ijde6l7rhh2tjiksi2b4","rho_units":2438528778,"sequence":5,"spec_sha256":"178b4c8f678ab434b84c0b9ed13701924fa3be640d3c342e205b2e4b5410bd4d"},"key_id":"139e3940e64b5491","signature":"FSAYaSji2K3LDOqzX041M79x6LJ6BE7vr1-vMYGvruMQ_TbXjHGD-ixeAbr2s1ulHQ88EDYBVbWPPrVSrH6TAQ"}	1795797161	complete	1795797183	{"noisy": [-34, 309, 24, 32], "on_simplex": [0, 309, 24, 32, 302]}	{"id":"rel_afaai2ijde6l7rhh2tjiksi2b4","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"laplace","n":667,"m":5,"epsilon":"0.1"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"laplace","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002438528778","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.134704872388","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: Laplace noise of scale 2/0.1 on all counts but the last, which one replaced record changes by 2 in all.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_scale":"2/0.1"}},"posterior":{"concentration":[0.5,309.5,24.5,32.5,302.5],"noisy_counts":[-34,309,24,32],"released_counts":[0,309,24,32,302],"categories":[{"label":"female · yes","mean":0.0007468259895444362,"standard_deviation":0.0010549893818436278,"naive_interval":{"level":0.95,"low":7.342569629795003e-7,"high":0.0037491302822801123}},{"label":"female · no","mean":0.46228528752800596,"standard_deviation":0.01925447159248918,"naive_interval":{"level":0.95,"low":0.42466594785612827,"high":0.5001180675477355}},{"label":"female · unknown","mean":0.03659447348767737,"standard_deviation":0.007251250811162092,"naive_interval":{"level":0.95,"low":0.023739467375195396,"high":0.052065068026162196}},{"label":"male · yes","mean":0.04854368932038835,"standard_deviation":0.008299681453286701,"naive_interval":{"level":0.95,"low":0.03359407684508264,"high":0.06604333874819265}},{"label":"male · no","mean":0.45182972367438384,"standard_deviation":0.019219662148247746,"naive_interval":{"level":0.95,"low":0.4143082449135099,"high":0.4896238139355089}}]},"created_at":"2026-11-27T16:32:41Z","receipt":{"body":{"accountant":"zcdp","at":1795797161,"budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","chain_hash":"f5b012712e3fd886422342d2fa774a1ae7913770eb25880c0c6eaae485fbe475","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","delta_units":0,"epsilon_units":0,"grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"32b3c2ba4a5c4a2ec133925343708e733827fcb3dc72f4f76ae022be7f3bf430","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"0d099933e2eac2904cf3acbc187c522ceacf485084ae178b93a57a8db9f6d9ea","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_afaai2ijde6l7rhh2tjiksi2b4","rho_units":2438528778,"sequence":5,"spec_sha256":"178b4c8f678ab434b84c0b9ed13701924fa3be640d3c342e205b2e4b5410bd4d"},"key_id":"139e3940e64b5491","signature":"FSAYaSji2K3LDOqzX041M79x6LJ6BE7vr1-vMYGvruMQ_TbXjHGD-ixeAbr2s1ulHQ88EDYBVbWPPrVSrH6TAQ"}}	\N	posterior	pri_yjic7cnu7goh6wjsyd5rieeq6q	{"body":{"answer_sha256":"ba82a167d154930820024695a5b9b9d2271fdcf7ed8732c8a167b4bf023a6f96","drawn_sha256":"f97712720e0b966d185480dc8734a9707eb857f1fb5509927a53a787c54415a3","kind":"private-posterior outcome 1","release_id":"rel_afaai2ijde6l7rhh2tjiksi2b4"},"key_id":"139e3940e64b5491","signature":"h2Qd9UEQMcQZCAYJWUtUhaCRsX6sIX496nK6S3lNS3TSVjPiXmrRrQNV0H43WcXRuNDdTiRa3Nrh_H0kERvEDA"}
rel_espftwfwwrlbeejsg65xep5a5a	dat_iex2wsrqquufbu73afzasah4hu	bud_hgyqlegmdutpkn4uxdobq2vez4	6	pri_2dn3t2korzm42gbbiborw7rua4	741604154267a6ce29e2cbdb5d3d0ea7f5a9224da790fccc0bbd17589a227d47	6ab7622a13f64d9a7b650197673c4d93ee13967b85ecb66819be602dda03c674	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"gaussian","rho":"0.01","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"gaussian","n":667,"m":5,"rho":"0.01","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"method":"theorem","statement":"The release is 0.01-zCDP: discrete Gaussian noise with sigma^2 = 1/0.01 on every count, and replacing one record moves two counts by 1. Hence it is (0.689914956, 0.0000001)-differentially private.","relation":"replace_one","details":{"l2_sensitivity_squared":"2","noise_variance":"1/0.01"}},"outcome":"signed"}	0	0	10000000000	0	800000000000	124704872388	{"body":{"accountant":"zcdp","at":1795797161,"budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","chain_hash":"0bb98480c69dd994d1c868430388fe04d24e85ef8d5072c073533ddf8925c344","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","delta_units":0,"epsilon_units":0,"grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"741604154267a6ce29e2cbdb5d3d0ea7f5a9224da790fccc0bbd17589a227d47","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"6ab7622a13f64d9a7b650197673c4d93ee13967b85ecb66819be602dda03c674","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_espftwfwwrlbeejsg65xep5a5a","rho_units":10000000000,"sequence":6,"spec_sha256":"ab1efe081f42e3e42a05958cba438ceb3ee5e7a65d1a064171ce69268bd35088"},"key_id":"139e3940e64b5491","signature":"1UN1raqw4oxMKj6FZqItGYreOTEYHJE5Z9LzFBCDHBmkU0wHUhyIoUXwZu1JhfUPntscipb9WY6StWWVlLIkCQ"}	1795797161	complete	1795797183	{"noisy": [25, 314, 8, 15, 276], "on_simplex": [31, 319, 14, 21, 282]}	{"id":"rel_espftwfwwrlbeejsg65xep5a5a","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"gaussian","n":667,"m":5,"rho":"0.01","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"gaussian","rho":"0.01","delta":"0.0000001"},"requested":{"rho":"0.01","delta":"0.0000001"},"certified":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.01","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.124704872388","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.01-zCDP: discrete Gaussian noise with sigma^2 = 1/0.01 on every count, and replacing one record moves two counts by 1. Hence it is (0.689914956, 0.0000001)-differentially private.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"details":{"l2_sensitivity_squared":"2","noise_variance":"1/0.01"}},"posterior":{"concentration":[31.5,319.5,14.5,21.5,282.5],"noisy_counts":[25,314,8,15,276],"released_counts":[31,319,14,21,282],"categories":[{"label":"female · yes","mean":0.04705003734129948,"standard_deviation":0.00817740756736003,"naive_interval":{"level":0.95,"low":0.03234492944895028,"high":0.06431343506189229}},{"label":"female · no","mean":0.4772218073188947,"standard_deviation":0.019289433841463813,"naive_interval":{"level":0.95,"low":0.4394916274164519,"high":0.5150808969410866}},{"label":"female · unknown","mean":0.021657953696788648,"standard_deviation":0.0056215318898101725,"naive_interval":{"level":0.95,"low":0.012051877288910665,"high":0.03395822191359607}},{"label":"male · yes","mean":0.03211351755041075,"standard_deviation":0.006808583381830476,"naive_interval":{"level":0.95,"low":0.020141727212790467,"high":0.04672506888221772}},{"label":"male · no","mean":0.42195668409260645,"standard_deviation":0.019072812358915957,"naive_interval":{"level":0.95,"low":0.38480776753837703,"high":0.45954727056701067}}]},"created_at":"2026-11-27T16:32:41Z","receipt":{"body":{"accountant":"zcdp","at":1795797161,"budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","chain_hash":"0bb98480c69dd994d1c868430388fe04d24e85ef8d5072c073533ddf8925c344","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","delta_units":0,"epsilon_units":0,"grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"741604154267a6ce29e2cbdb5d3d0ea7f5a9224da790fccc0bbd17589a227d47","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"6ab7622a13f64d9a7b650197673c4d93ee13967b85ecb66819be602dda03c674","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_espftwfwwrlbeejsg65xep5a5a","rho_units":10000000000,"sequence":6,"spec_sha256":"ab1efe081f42e3e42a05958cba438ceb3ee5e7a65d1a064171ce69268bd35088"},"key_id":"139e3940e64b5491","signature":"1UN1raqw4oxMKj6FZqItGYreOTEYHJE5Z9LzFBCDHBmkU0wHUhyIoUXwZu1JhfUPntscipb9WY6StWWVlLIkCQ"}}	\N	posterior	pri_yjic7cnu7goh6wjsyd5rieeq6q	{"body":{"answer_sha256":"af50e5393adb5f69f76db5dec5894c7246ce349e58676b1ec72be436a046e6a6","drawn_sha256":"f6be2194ab5d8664fa14218df1884f70b72bd641cc08d1ac33dfcbe980135cca","kind":"private-posterior outcome 1","release_id":"rel_espftwfwwrlbeejsg65xep5a5a"},"key_id":"139e3940e64b5491","signature":"J3bI6yonMxW_Qgd-qntd-itF08vQ-hC1J5kf3Jv3lf31MCLzx2rxcbLWBw35_6tV6I4BMnLgnGiF2BX7gkkIAg"}
rel_zhsw3b5sj3lu6o4zcmd4xlrnki	dat_iex2wsrqquufbu73afzasah4hu	bud_hgyqlegmdutpkn4uxdobq2vez4	7	pri_2dn3t2korzm42gbbiborw7rua4	ff0c851b1b7acf4b6cebfd5a216d560168332a225a93008affdc93ecb47780a8	feb7c3868637597a27e1dd2a8ee41f361b16089339e3d39dc8a2ae157ef6f828	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential","calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.10781884","gamma":"0.0342","uniform_admixture":null,"calibration":"proven","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"method":"theorem","statement":"(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","details":{"change_of_rate":"0.044264479","draw":"rejection","excess_by_ratio":"0.059336596","excess_by_tail":"1.355692916","normalisers":"0.001824692","rounding":"4.214e-11","score":"0.053909420"}},"outcome":"signed"}	0	0	2321993715	0	800000000000	122382878673	{"body":{"accountant":"zcdp","at":1795797161,"budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","chain_hash":"cd02b68dd2bf30a568624ec78c1a9b5d989fd72fc4e26ab706fdf14f80fc5068","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","delta_units":0,"epsilon_units":0,"grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"ff0c851b1b7acf4b6cebfd5a216d560168332a225a93008affdc93ecb47780a8","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"feb7c3868637597a27e1dd2a8ee41f361b16089339e3d39dc8a2ae157ef6f828","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_zhsw3b5sj3lu6o4zcmd4xlrnki","rho_units":2321993715,"sequence":7,"spec_sha256":"f743071a4aaae3c6518105a609d1aae04fb09c0c23f408bad3a058576f5e95a7"},"key_id":"139e3940e64b5491","signature":"OVMkTNAg8ulR81ilp0llI0J7pEcY7b8-XK6MzTFCpA2I6PplRNYk-G1qQgymw1k3AQZAGoiCPGTEzh292T1qCw"}	1795797161	complete	1795797183	{"noisy": [129, 488, 14, 33, 3], "on_simplex": [129, 488, 14, 33, 3]}	{"id":"rel_zhsw3b5sj3lu6o4zcmd4xlrnki","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.10781884","gamma":"0.0342","uniform_admixture":null,"calibration":"proven","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential","calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"requested":{"calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"certified":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002321993715","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.122382878673","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"details":{"change_of_rate":"0.044264479","draw":"rejection","excess_by_ratio":"0.059336596","excess_by_tail":"1.355692916","normalisers":"0.001824692","rounding":"4.214e-11","score":"0.053909420"}},"posterior":{"concentration":[129.5,488.5,14.5,33.5,3.5],"noisy_counts":[129,488,14,33,3],"released_counts":[129,488,14,33,3],"categories":[{"label":"female · yes","mean":0.19342793129200897,"standard_deviation":0.015253931495918738,"naive_interval":null},{"label":"female · no","mean":0.7296489917849142,"standard_deviation":0.017152269785517784,"naive_interval":null},{"label":"female · unknown","mean":0.021657953696788648,"standard_deviation":0.0056215318898101725,"naive_interval":null},{"label":"male · yes","mean":0.05003734129947722,"standard_deviation":0.008419784748157449,"naive_interval":null},{"label":"male · no","mean":0.005227781926811053,"standard_deviation":0.002784974123651072,"naive_interval":null}]},"created_at":"2026-11-27T16:32:41Z","receipt":{"body":{"accountant":"zcdp","at":1795797161,"budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","chain_hash":"cd02b68dd2bf30a568624ec78c1a9b5d989fd72fc4e26ab706fdf14f80fc5068","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","delta_units":0,"epsilon_units":0,"grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"ff0c851b1b7acf4b6cebfd5a216d560168332a225a93008affdc93ecb47780a8","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"feb7c3868637597a27e1dd2a8ee41f361b16089339e3d39dc8a2ae157ef6f828","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_zhsw3b5sj3lu6o4zcmd4xlrnki","rho_units":2321993715,"sequence":7,"spec_sha256":"f743071a4aaae3c6518105a609d1aae04fb09c0c23f408bad3a058576f5e95a7"},"key_id":"139e3940e64b5491","signature":"OVMkTNAg8ulR81ilp0llI0J7pEcY7b8-XK6MzTFCpA2I6PplRNYk-G1qQgymw1k3AQZAGoiCPGTEzh292T1qCw"}}	\N	posterior	pri_yjic7cnu7goh6wjsyd5rieeq6q	{"body":{"answer_sha256":"e7f3b179192cc9738722aa72ff46bdd125ce2760d8cd63628e38eba985967ff4","drawn_sha256":"e4a2fc2aef089c643b7020cf0f45808875313c30b1c688e5d14d104f384846a2","kind":"private-posterior outcome 1","release_id":"rel_zhsw3b5sj3lu6o4zcmd4xlrnki"},"key_id":"139e3940e64b5491","signature":"vNsQ4x-I3Ya5kxQw1dzYyhcwuWCpicxnZQZ8Z7-aUqrGWDjDThQZymz-QHtDnjZgS3h1U7RdwtlAJhNX8NBQCQ"}
rel_e5oxpvgrv3j3h4ijo4kf5lkd24	dat_iex2wsrqquufbu73afzasah4hu	bud_hgyqlegmdutpkn4uxdobq2vez4	9	pri_2dn3t2korzm42gbbiborw7rua4	ab4264269c6623aebaf2700f2e9fa3d59c78896aa6992db845cd51667991a47b	b86aecb61808ffeb8437ad2c113896e3665bd0cfc7aa540d1410f54bfdb53664	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_global","epsilon":"0.3","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.299999999","gamma":null,"uniform_admixture":null,"calibration":"global","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"method":"theorem","statement":"(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2.","relation":"replace_one","details":{"draw":"rejection","normalisers":"0.002500479","rounding":"1.782e-11","score":"0.150000000"}},"outcome":"signed"}	0	0	11249999939	0	800000000000	106035615294	{"body":{"accountant":"zcdp","at":1795797162,"budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","chain_hash":"3ed0742d32c9f23a93c328582b57a5fb9b4d5edf2bb06acf34dc34926f14298d","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","delta_units":0,"epsilon_units":0,"grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"ab4264269c6623aebaf2700f2e9fa3d59c78896aa6992db845cd51667991a47b","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"b86aecb61808ffeb8437ad2c113896e3665bd0cfc7aa540d1410f54bfdb53664","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_e5oxpvgrv3j3h4ijo4kf5lkd24","rho_units":11249999939,"sequence":9,"spec_sha256":"108e6ebdbe89a01b8428320357d64805897c49f792d1644bc8dc189fcc7459e9"},"key_id":"139e3940e64b5491","signature":"8DzKMQzXd3XKMP1Ci3tToHeeCPf9FSPU32KzINPHrfDvDbEgS17KJHWcZ8h7QYc349g4ba_M_YJyZYTEIF_vAg"}	1795797162	complete	1795797184	{"noisy": [105, 11, 17, 233, 301], "on_simplex": [105, 11, 17, 233, 301]}	{"id":"rel_e5oxpvgrv3j3h4ijo4kf5lkd24","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.299999999","gamma":null,"uniform_admixture":null,"calibration":"global","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_global","epsilon":"0.3","delta":"0.0000001"},"requested":{"epsilon":"0.3","delta":"0.0000001"},"certified":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.011249999939","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.106035615294","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"details":{"draw":"rejection","normalisers":"0.002500479","rounding":"1.782e-11","score":"0.150000000"}},"posterior":{"concentration":[105.5,11.5,17.5,233.5,301.5],"noisy_counts":[105,11,17,233,301],"released_counts":[105,11,17,233,301],"categories":[{"label":"female · yes","mean":0.15758028379387604,"standard_deviation":0.014070703427124926,"naive_interval":null},{"label":"female · no","mean":0.01717699775952203,"standard_deviation":0.005017783216510228,"naive_interval":null},{"label":"female · unknown","mean":0.026138909634055265,"standard_deviation":0.0061615907566185905,"naive_interval":null},{"label":"male · yes","mean":0.3487677371172517,"standard_deviation":0.018405037838658492,"naive_interval":null},{"label":"male · no","mean":0.450336071695295,"standard_deviation":0.019213991539512427,"naive_interval":null}]},"created_at":"2026-11-27T16:32:42Z","receipt":{"body":{"accountant":"zcdp","at":1795797162,"budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","chain_hash":"3ed0742d32c9f23a93c328582b57a5fb9b4d5edf2bb06acf34dc34926f14298d","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","delta_units":0,"epsilon_units":0,"grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"ab4264269c6623aebaf2700f2e9fa3d59c78896aa6992db845cd51667991a47b","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"b86aecb61808ffeb8437ad2c113896e3665bd0cfc7aa540d1410f54bfdb53664","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_e5oxpvgrv3j3h4ijo4kf5lkd24","rho_units":11249999939,"sequence":9,"spec_sha256":"108e6ebdbe89a01b8428320357d64805897c49f792d1644bc8dc189fcc7459e9"},"key_id":"139e3940e64b5491","signature":"8DzKMQzXd3XKMP1Ci3tToHeeCPf9FSPU32KzINPHrfDvDbEgS17KJHWcZ8h7QYc349g4ba_M_YJyZYTEIF_vAg"}}	\N	posterior	pri_yjic7cnu7goh6wjsyd5rieeq6q	{"body":{"answer_sha256":"e6f5151aa31215fe8fec7a355cd82947ba9e2591d022a3e0c2895e6576f4d8fb","drawn_sha256":"157f2a06be9b75a9f4044445538d18d41568766f36d2b9ffedf02023f5a2fd57","kind":"private-posterior outcome 1","release_id":"rel_e5oxpvgrv3j3h4ijo4kf5lkd24"},"key_id":"139e3940e64b5491","signature":"Miep2XpKgbE8nUdmGQV5dJj7C5iK7ek7lUJhgQD1irlfp3bn9b4RoQ7uVHgggdxNXgv6JxFDf54ayI8dPpilCQ"}
qry_vryt5erjjsda6keb3jk7zbtdci	dat_iex2wsrqquufbu73afzasah4hu	bud_hgyqlegmdutpkn4uxdobq2vez4	10	pri_2dn3t2korzm42gbbiborw7rua4	65b846d638e9343fe1f670f7c5c142756de60f4a0f05aa612a0223dde21d9e7f	5b744251bcf20fbc70f0d68f3bc48355c3acc6ba70cf304a13be18919e25aca9	{"kind":"query","request":{"queries":[{"of":{"where":{"sex":["female"]}},"weights":null,"half_width":60.0,"confidence":0.95,"between":null},{"of":{"where":{"ill":["yes"]}},"weights":null,"half_width":null,"confidence":0.95,"between":null}],"constraints":null,"max_charge":null},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"record_count":667,"accountant":"zcdp","rests_on":["rel_espftwfwwrlbeejsg65xep5a5a","rel_afaai2ijde6l7rhh2tjiksi2b4","rel_zwi2ntmqr2xsnkplxqr4m7xynq"],"numbers":112,"event":null,"certificate":null,"errors":[[9.788915081308065,20.181351330445235],[9.705615976809382,20.01069142989388]],"outcome":"signed"}	0	0	0	0	800000000000	106035615294	{"body":{"accountant":"zcdp","at":1795797163,"budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","chain_hash":"244c9b4598a96c38419fd5b2a1b4f3563bd74b2f49e42ef8a390639550a772f1","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","delta_units":0,"epsilon_units":0,"grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"65b846d638e9343fe1f670f7c5c142756de60f4a0f05aa612a0223dde21d9e7f","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"5b744251bcf20fbc70f0d68f3bc48355c3acc6ba70cf304a13be18919e25aca9","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"qry_vryt5erjjsda6keb3jk7zbtdci","rho_units":0,"sequence":10,"spec_sha256":"623a8055606304014c53e13337d499a7459efac1b400204540d2c49bfdef5f20"},"key_id":"139e3940e64b5491","signature":"YPoYWuF1INc06xu9aeTY21nSzUsavXXO_7q9aPcFKU5eiHrvfQ00DwZn_yzwk1-L8VAHxaz5CsqfBVJZuuzYDA"}	1795797163	complete	1795797163	[]	{"id":"qry_vryt5erjjsda6keb3jk7zbtdci","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","state":"complete","queries":[{"of":{"where":{"sex":["female"]}},"weights":null,"half_width":60.0,"confidence":0.95,"between":null},{"of":{"where":{"ill":["yes"]}},"weights":null,"half_width":null,"confidence":0.95,"between":null}],"answers":[{"estimate":361.2597903962051,"standard_deviation":9.788915081308065,"interval":{"low":341.0784390657558,"high":381.44114172665445,"half_width":20.18135133044932,"confidence":0.95},"probability":null,"used":[{"release_id":"rel_espftwfwwrlbeejsg65xep5a5a","weights":[0.3194095282302017,0.3194095282302017,0.3194095282302017,-0.4547561376488578,-0.5034724470417472]},{"release_id":"rel_afaai2ijde6l7rhh2tjiksi2b4","weights":[0.039922031444299975,0.039922031444299975,0.039922031444299975,-0.05683859503909906]},{"release_id":"rel_zwi2ntmqr2xsnkplxqr4m7xynq","weights":[0.05325394018425852,0.053253940184258525,0.05325394018425852,-0.07581976745328296,-0.0839420530994926]}],"with_constraints":null},{"estimate":52.92742672564583,"standard_deviation":9.705615976809382,"interval":{"low":32.91673529574736,"high":72.9381181555443,"half_width":20.01069142989847,"confidence":0.95},"probability":null,"used":[{"release_id":"rel_espftwfwwrlbeejsg65xep5a5a","weights":[0.4709949074464876,-0.3031707584325719,-0.30317075843257185,0.4709949074464876,-0.33564829802783147]},{"release_id":"rel_afaai2ijde6l7rhh2tjiksi2b4","weights":[0.05886822979066633,-0.037892396692732706,-0.037892396692732706,0.05886822979066633]},{"release_id":"rel_zwi2ntmqr2xsnkplxqr4m7xynq","weights":[0.0785271960020195,-0.05054651163552197,-0.05054651163552197,0.07852719600201952,-0.05596136873299508]}],"with_constraints":null}],"covariance":[[95.82285846906049,-13.534660941865617],[-13.534660941865617,94.19898148929754]],"measured":[],"charged":{"accountant":"zcdp","rho":"0","delta":"0"},"standalone_cost":{"accountant":"zcdp","rho":"0","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.106035615294","delta":"0.0000008"},"record_count":667,"category_count":5,"records_per_unit":1,"event":null,"certificate":null,"created_at":"2026-11-27T16:32:43Z","receipt":{"body":{"accountant":"zcdp","at":1795797163,"budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","chain_hash":"244c9b4598a96c38419fd5b2a1b4f3563bd74b2f49e42ef8a390639550a772f1","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","delta_units":0,"epsilon_units":0,"grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"65b846d638e9343fe1f670f7c5c142756de60f4a0f05aa612a0223dde21d9e7f","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"5b744251bcf20fbc70f0d68f3bc48355c3acc6ba70cf304a13be18919e25aca9","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"qry_vryt5erjjsda6keb3jk7zbtdci","rho_units":0,"sequence":10,"spec_sha256":"623a8055606304014c53e13337d499a7459efac1b400204540d2c49bfdef5f20"},"key_id":"139e3940e64b5491","signature":"YPoYWuF1INc06xu9aeTY21nSzUsavXXO_7q9aPcFKU5eiHrvfQ00DwZn_yzwk1-L8VAHxaz5CsqfBVJZuuzYDA"}}	\N	query	pri_yjic7cnu7goh6wjsyd5rieeq6q	{"body":{"answer_sha256":"435d9f60124caddf369eb8e87237c387c0254ad12bdc4e38e8f9a8c4cb6f505f","drawn_sha256":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945","kind":"private-posterior outcome 1","release_id":"qry_vryt5erjjsda6keb3jk7zbtdci"},"key_id":"139e3940e64b5491","signature":"HvnoBA73P7mzdLxe1KT60eF_8vpAkToa8-wjlK57BLD6z8IEREx9Spx84Icb3TS_kNShqu_dP_iZqMr_wyqoDA"}
rel_hkvkwrhf6zknvmlu4wthjhebey	dat_iex2wsrqquufbu73afzasah4hu	bud_hgyqlegmdutpkn4uxdobq2vez4	8	pri_2dn3t2korzm42gbbiborw7rua4	bf336d73787b30f97a1cb12e8ef8ba96c024916cc41f97cc54eb4f128dd7acd4	04b3081cd1cb23badc90824615da2d67254459788459041c2b5f6d01aa27a477	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_published","nominal_epsilon":"0.2","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.2","gamma":"0.004279815109635818","uniform_admixture":null,"calibration":"published","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"method":"theorem","statement":"(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","details":{"change_of_rate":"0.013980835","draw":"rejection","excess_by_ratio":"0.013980835","excess_by_tail":"0.167125342","normalisers":"0.005005989","rounding":"6.634e-11","score":"0.100000000"}},"outcome":"signed"}	0	0	5097263440	0	800000000000	117285615233	{"body":{"accountant":"zcdp","at":1795797162,"budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","chain_hash":"3a5df627b3868815f8c62eb6de85ce3ac4c3528543f60ab83e32c07dae8b6eb0","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","delta_units":0,"epsilon_units":0,"grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"bf336d73787b30f97a1cb12e8ef8ba96c024916cc41f97cc54eb4f128dd7acd4","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"04b3081cd1cb23badc90824615da2d67254459788459041c2b5f6d01aa27a477","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_hkvkwrhf6zknvmlu4wthjhebey","rho_units":5097263440,"sequence":8,"spec_sha256":"159400b5efe2a0a982f50f92346db3f67ba749dda6c97045031c618ee17921eb"},"key_id":"139e3940e64b5491","signature":"9FLbIa3nreCAM39BmahlZw8XrlXb9N7LVqRvPSUctcx2bPFkNOvgL4spJAE9smo1KB8bHUkuJSDCQleKurKtBg"}	1795797162	complete	1795797184	{"noisy": [117, 8, 167, 126, 249], "on_simplex": [117, 8, 167, 126, 249]}	{"id":"rel_hkvkwrhf6zknvmlu4wthjhebey","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.2","gamma":"0.004279815109635818","uniform_admixture":null,"calibration":"published","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_published","nominal_epsilon":"0.2","delta":"0.0000001"},"requested":{"nominal_epsilon":"0.2","delta":"0.0000001"},"certified":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.00509726344","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.117285615233","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"details":{"change_of_rate":"0.013980835","draw":"rejection","excess_by_ratio":"0.013980835","excess_by_tail":"0.167125342","normalisers":"0.005005989","rounding":"6.634e-11","score":"0.100000000"}},"posterior":{"concentration":[117.5,8.5,167.5,126.5,249.5],"noisy_counts":[117,8,167,126,249],"released_counts":[117,8,167,126,249],"categories":[{"label":"female · yes","mean":0.1755041075429425,"standard_deviation":0.014690565021096771,"naive_interval":null},{"label":"female · no","mean":0.012696041822255415,"standard_deviation":0.004323746467042751,"naive_interval":null},{"label":"female · unknown","mean":0.2501867064973861,"standard_deviation":0.016726662413047468,"naive_interval":null},{"label":"male · yes","mean":0.18894697535474234,"standard_deviation":0.015118030079873284,"naive_interval":null},{"label":"male · no","mean":0.3726661687826736,"standard_deviation":0.018672821589442157,"naive_interval":null}]},"created_at":"2026-11-27T16:32:42Z","receipt":{"body":{"accountant":"zcdp","at":1795797162,"budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","chain_hash":"3a5df627b3868815f8c62eb6de85ce3ac4c3528543f60ab83e32c07dae8b6eb0","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","delta_units":0,"epsilon_units":0,"grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"bf336d73787b30f97a1cb12e8ef8ba96c024916cc41f97cc54eb4f128dd7acd4","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"04b3081cd1cb23badc90824615da2d67254459788459041c2b5f6d01aa27a477","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_hkvkwrhf6zknvmlu4wthjhebey","rho_units":5097263440,"sequence":8,"spec_sha256":"159400b5efe2a0a982f50f92346db3f67ba749dda6c97045031c618ee17921eb"},"key_id":"139e3940e64b5491","signature":"9FLbIa3nreCAM39BmahlZw8XrlXb9N7LVqRvPSUctcx2bPFkNOvgL4spJAE9smo1KB8bHUkuJSDCQleKurKtBg"}}	\N	posterior	pri_yjic7cnu7goh6wjsyd5rieeq6q	{"body":{"answer_sha256":"63dbfab530774ed3813ae5e70126780db66629f2538748fd9abba170d2f26ffd","drawn_sha256":"0fc24053effe555db837b840b9e41cb16705a1021d80545d3d326dde6b5b5ecf","kind":"private-posterior outcome 1","release_id":"rel_hkvkwrhf6zknvmlu4wthjhebey"},"key_id":"139e3940e64b5491","signature":"yhVcC6o5ZVyuGlfAv-MtdgR6Yfc0XPA-hS6HQck1sf_YnmEdv-omnqbcph4NGff5z7giQD23ymKnVoAUPQ0dBw"}
rel_qwg4xoy77h5pgbo6lio5nysvdu	dat_rghw4vqtomowuc35addmisw2ga	bud_7rcwk5p45faje2hdi2ptokwj2e	8	pri_yjic7cnu7goh6wjsyd5rieeq6q	dc495113861e7919600aa470ad6e79e136e732b99dc866c8075218d688e05889	6788ffe6dcfb35c1e9f6436ab86608c97b963cd1cdc4e8b7fe7c2cd1b33e1a5e	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":2,"accountant":"basic","event":{"event":"simplex_geometric","n":21,"m":2,"epsilon":"0.05"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"method":"theorem","statement":"(0.1, 0)-differentially private when 2 records change their categories, by group privacy from one record: The release is 0.05-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.05/2","support":"lattice","records_per_unit":"2","epsilon_of_one_record":"0.05"}},"outcome":"signed"}	100000000	0	0	700002991	900000000000	0	{"body":{"accountant":"basic","at":1795797162,"budget_id":"bud_7rcwk5p45faje2hdi2ptokwj2e","chain_hash":"f05643bfb293f3f734f6031eab23369d71024210df00cb92c437a8e3c967d8d0","commitment":"78e3f5d2ce824ecc801c926c7229fcd9fea84aa35ca622b9a765834b5bc4be09","dataset_id":"dat_rghw4vqtomowuc35addmisw2ga","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"dc495113861e7919600aa470ad6e79e136e732b99dc866c8075218d688e05889","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"6788ffe6dcfb35c1e9f6436ab86608c97b963cd1cdc4e8b7fe7c2cd1b33e1a5e","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","release_id":"rel_qwg4xoy77h5pgbo6lio5nysvdu","rho_units":0,"sequence":8,"spec_sha256":"f28f850518cc2c48be5558c86b69f64f69f074da2de19ecb734bc2fb244a0c95"},"key_id":"139e3940e64b5491","signature":"CHZnoZMcGXYfrKj2--oY1lanRSFsj9xVu7lPD1CjpJNmkJfoK0Xqxx4yKeB58K_rf2F_AZT8iNiyu4Tno35XBw"}	1795797162	complete	1795797184	{"noisy": [25, -4], "on_simplex": [21, 0]}	{"id":"rel_qwg4xoy77h5pgbo6lio5nysvdu","dataset_id":"dat_rghw4vqtomowuc35addmisw2ga","budget_id":"bud_7rcwk5p45faje2hdi2ptokwj2e","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":21,"category_count":2,"records_per_unit":2,"event":{"event":"simplex_geometric","n":21,"m":2,"epsilon":"0.05"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.700002991","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"(0.1, 0)-differentially private when 2 records change their categories, by group privacy from one record: The release is 0.05-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.05/2","support":"lattice","records_per_unit":"2","epsilon_of_one_record":"0.05"}},"posterior":{"concentration":[22.0,1.0],"noisy_counts":[25,-4],"released_counts":[21,0],"categories":[{"label":"category 0","mean":0.9565217391304348,"standard_deviation":0.04162726555462339,"naive_interval":{"level":0.95,"low":0.8456274871844255,"high":0.9988498524734264}},{"label":"category 1","mean":0.043478260869565216,"standard_deviation":0.04162726555462339,"naive_interval":{"level":0.95,"low":0.0011501475265735762,"high":0.15437251281557457}}]},"created_at":"2026-11-27T16:32:42Z","receipt":{"body":{"accountant":"basic","at":1795797162,"budget_id":"bud_7rcwk5p45faje2hdi2ptokwj2e","chain_hash":"f05643bfb293f3f734f6031eab23369d71024210df00cb92c437a8e3c967d8d0","commitment":"78e3f5d2ce824ecc801c926c7229fcd9fea84aa35ca622b9a765834b5bc4be09","dataset_id":"dat_rghw4vqtomowuc35addmisw2ga","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"dc495113861e7919600aa470ad6e79e136e732b99dc866c8075218d688e05889","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"6788ffe6dcfb35c1e9f6436ab86608c97b963cd1cdc4e8b7fe7c2cd1b33e1a5e","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","release_id":"rel_qwg4xoy77h5pgbo6lio5nysvdu","rho_units":0,"sequence":8,"spec_sha256":"f28f850518cc2c48be5558c86b69f64f69f074da2de19ecb734bc2fb244a0c95"},"key_id":"139e3940e64b5491","signature":"CHZnoZMcGXYfrKj2--oY1lanRSFsj9xVu7lPD1CjpJNmkJfoK0Xqxx4yKeB58K_rf2F_AZT8iNiyu4Tno35XBw"}}	\N	posterior	pri_yjic7cnu7goh6wjsyd5rieeq6q	{"body":{"answer_sha256":"4aa7ffc25a6bf1acd8d578bfb27d441af20d8969ea94542a215c53665d194ce2","drawn_sha256":"2b7c2202980fde6fcad9502234f86cef0e70a7787ff166ed7a6b25e5fd1db939","kind":"private-posterior outcome 1","release_id":"rel_qwg4xoy77h5pgbo6lio5nysvdu"},"key_id":"139e3940e64b5491","signature":"XBZPEvzqNK7qcDPt4sXXcOI_AxgO80zDn6WWEgOEQIb6QRFa_0V8KG49bvC-paeORhFPZZijNJOdLLtiWvCuAA"}
rel_3bsqmci3y6bbmrlaujqt4f3gku	dat_5ar46jh2eu26fovht4zygyyxqa	bud_7rcwk5p45faje2hdi2ptokwj2e	6	pri_2dn3t2korzm42gbbiborw7rua4	e9598a6b2fbf0cb4df7eca368bab790b9a77705bedee345977f25e69063fe2d0	657325fbb5bdfcadac22a8356e0182c66e4a64e037a11c1fef44ce3df376ee70	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"outcome":"signed"}	100000000	0	0	800000000	800000000000	0	{"body":{"accountant":"basic","at":1795797159,"budget_id":"bud_7rcwk5p45faje2hdi2ptokwj2e","chain_hash":"43222543dfa3b73360733eb1deb642e4c21529c1555d5cb5e7a5b108b2a4404c","commitment":"5ad7f916bf4847192700477b33bc91e1a803ca76067d31151148b3a138058ec2","dataset_id":"dat_5ar46jh2eu26fovht4zygyyxqa","delta_units":0,"epsilon_units":100000000,"grant_id":"gra_slff3ckesenzmaxjheipxpohum","key_hash":"e9598a6b2fbf0cb4df7eca368bab790b9a77705bedee345977f25e69063fe2d0","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"657325fbb5bdfcadac22a8356e0182c66e4a64e037a11c1fef44ce3df376ee70","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_3bsqmci3y6bbmrlaujqt4f3gku","rho_units":0,"sequence":6,"spec_sha256":"9d33c6b4f014fd3f4f8bb8d54be9a1f986ed0a0229d56ce4e4862e68b4d585f2"},"key_id":"139e3940e64b5491","signature":"YjR9p1wpXMW3saq2b4l-h2ZY1oXxG4h99-w34r_EasyaG5TwTrjd6LPOROqgUb7XhRJVzzD3qENPMkBjU2ZbDQ"}	1795797159	complete	1795797181	{"noisy": [66, 174], "on_simplex": [66, 174]}	{"id":"rel_3bsqmci3y6bbmrlaujqt4f3gku","dataset_id":"dat_5ar46jh2eu26fovht4zygyyxqa","budget_id":"bud_7rcwk5p45faje2hdi2ptokwj2e","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.8","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[67.0,175.0],"noisy_counts":[66,174],"released_counts":[66,174],"categories":[{"label":"category 0","mean":0.2768595041322314,"standard_deviation":0.028703702683671645,"naive_interval":{"level":0.95,"low":0.22241730768820347,"high":0.33479480713650783}},{"label":"category 1","mean":0.7231404958677686,"standard_deviation":0.028703702683671645,"naive_interval":{"level":0.95,"low":0.6652051928634921,"high":0.7775826923117966}}]},"created_at":"2026-11-27T16:32:39Z","receipt":{"body":{"accountant":"basic","at":1795797159,"budget_id":"bud_7rcwk5p45faje2hdi2ptokwj2e","chain_hash":"43222543dfa3b73360733eb1deb642e4c21529c1555d5cb5e7a5b108b2a4404c","commitment":"5ad7f916bf4847192700477b33bc91e1a803ca76067d31151148b3a138058ec2","dataset_id":"dat_5ar46jh2eu26fovht4zygyyxqa","delta_units":0,"epsilon_units":100000000,"grant_id":"gra_slff3ckesenzmaxjheipxpohum","key_hash":"e9598a6b2fbf0cb4df7eca368bab790b9a77705bedee345977f25e69063fe2d0","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"657325fbb5bdfcadac22a8356e0182c66e4a64e037a11c1fef44ce3df376ee70","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_3bsqmci3y6bbmrlaujqt4f3gku","rho_units":0,"sequence":6,"spec_sha256":"9d33c6b4f014fd3f4f8bb8d54be9a1f986ed0a0229d56ce4e4862e68b4d585f2"},"key_id":"139e3940e64b5491","signature":"YjR9p1wpXMW3saq2b4l-h2ZY1oXxG4h99-w34r_EasyaG5TwTrjd6LPOROqgUb7XhRJVzzD3qENPMkBjU2ZbDQ"}}	1795797162	posterior	pri_yjic7cnu7goh6wjsyd5rieeq6q	{"body":{"answer_sha256":"5aa8ec32e7c4f7a304ec582e4bc8bde655478f35cedfad448e6f56909a1b0cc2","drawn_sha256":"c4ac7d267156a3d54c8dc0dd8b468b5840dedbc5310c34edeae579f4836b6202","kind":"private-posterior outcome 1","release_id":"rel_3bsqmci3y6bbmrlaujqt4f3gku"},"key_id":"139e3940e64b5491","signature":"CLb4I-bKFAL3CyuVeWfFXdqgTMcLQryDVTsgDVJQ2zEbVwigyXVKqkFxUF4dB3IvDiY6xCMwOdSvACoLEm-IDA"}
qry_kj4lm6gpvhi5h4kouaquzoirfe	dat_wztq3a3jlu6uct5swm55xzfz7u	bud_ynamdscbkxruceo6224nsgfl34	3	pri_yjic7cnu7goh6wjsyd5rieeq6q	cedd1c7f0db8f196d5686b7d0935eb9c316447752a20f49acb2a3d8cb01be8e5	86ec60f9716abd2c47dc21f2e1277642660b1ef4b770802da4002037885a1694	{"kind":"query","request":{"queries":[{"of":null,"weights":["1","1","1","-1"],"half_width":60.0,"confidence":0.95,"between":null}],"constraints":null,"max_charge":null},"labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"unit":"one person","records_per_unit":1,"record_count":null,"accountant":"basic","rests_on":[],"numbers":42,"event":{"event":"linear","n":null,"m":4,"denominator":1,"rows":[[1,1,1,-1]],"rates":["0.049928884"],"records_per_unit":1},"certificate":{"loss":{"epsilon":"0.049928884","delta":"0","rho":"0.001225958538","rho_delta":"0"},"method":"theorem","statement":"The release is 0.049928884-differentially private: a query is answered with Laplace noise, and adding or removing one record moves the answers by at most 0.049928884 scales of it in all, for the worst cell.","relation":"add_remove","details":{"rates":"0.049928884","coarsest_grid_in_scales":"1/1048576"}},"errors":[[28.324557832558305,59.99998465524612]],"outcome":"signed"}	49928884	0	0	950071116	1000000000000	0	{"body":{"accountant":"basic","at":1795797163,"budget_id":"bud_ynamdscbkxruceo6224nsgfl34","chain_hash":"286b9af8f13cf6922d4eacc1e7cf6e20cd0694517d540591855aefca04d7a146","commitment":"d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","delta_units":0,"epsilon_units":49928884,"grant_id":"","key_hash":"cedd1c7f0db8f196d5686b7d0935eb9c316447752a20f49acb2a3d8cb01be8e5","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"86ec60f9716abd2c47dc21f2e1277642660b1ef4b770802da4002037885a1694","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","release_id":"qry_kj4lm6gpvhi5h4kouaquzoirfe","rho_units":0,"sequence":3,"spec_sha256":"d44d3e633267058661ea4581274c6d4bf654e1eadb0791f466556c52639d8de5"},"key_id":"139e3940e64b5491","signature":"h_mkLyJe1XYEzyflYyQCK1J2jTFkndAs0P5rdoyEMI1PB3s9Rza_Bu55UAIgMDTko_Ws9g55hTpzzOSL7p9EAg"}	1795797163	complete	1795797185	["195409/2048"]	{"id":"qry_kj4lm6gpvhi5h4kouaquzoirfe","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","budget_id":"bud_ynamdscbkxruceo6224nsgfl34","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","state":"complete","queries":[{"of":null,"weights":["1","1","1","-1"],"half_width":60.0,"confidence":0.95,"between":null}],"answers":[{"estimate":95.41455078125,"standard_deviation":28.324557832558305,"interval":{"low":35.41455086721473,"high":155.41455069528527,"half_width":59.99999991403527,"confidence":0.95},"probability":null,"used":[{"release_id":"qry_kj4lm6gpvhi5h4kouaquzoirfe","weights":[1.0]}],"with_constraints":null}],"covariance":[[802.2805764099403]],"measured":[{"coefficients":[1,1,1,-1],"denominator":1,"rate":"0.049928884","answer":95.41455078125,"exact_answer":"195409/2048"}],"charged":{"accountant":"basic","epsilon":"0.049928884","delta":"0"},"standalone_cost":{"accountant":"basic","epsilon":"0.049928884","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.950071116","delta":"0.000001"},"record_count":null,"category_count":4,"records_per_unit":1,"event":{"event":"linear","n":null,"m":4,"denominator":1,"rows":[[1,1,1,-1]],"rates":["0.049928884"],"records_per_unit":1},"certificate":{"loss":{"epsilon":"0.049928884","delta":"0","rho":"0.001225958538","rho_delta":"0"},"method":"theorem","statement":"The release is 0.049928884-differentially private: a query is answered with Laplace noise, and adding or removing one record moves the answers by at most 0.049928884 scales of it in all, for the worst cell.","relation":"add_remove","details":{"rates":"0.049928884","coarsest_grid_in_scales":"1/1048576"},"unit":"one person"},"created_at":"2026-11-27T16:32:43Z","receipt":{"body":{"accountant":"basic","at":1795797163,"budget_id":"bud_ynamdscbkxruceo6224nsgfl34","chain_hash":"286b9af8f13cf6922d4eacc1e7cf6e20cd0694517d540591855aefca04d7a146","commitment":"d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","delta_units":0,"epsilon_units":49928884,"grant_id":"","key_hash":"cedd1c7f0db8f196d5686b7d0935eb9c316447752a20f49acb2a3d8cb01be8e5","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"86ec60f9716abd2c47dc21f2e1277642660b1ef4b770802da4002037885a1694","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","release_id":"qry_kj4lm6gpvhi5h4kouaquzoirfe","rho_units":0,"sequence":3,"spec_sha256":"d44d3e633267058661ea4581274c6d4bf654e1eadb0791f466556c52639d8de5"},"key_id":"139e3940e64b5491","signature":"h_mkLyJe1XYEzyflYyQCK1J2jTFkndAs0P5rdoyEMI1PB3s9Rza_Bu55UAIgMDTko_Ws9g55hTpzzOSL7p9EAg"}}	\N	query	pri_yjic7cnu7goh6wjsyd5rieeq6q	{"body":{"answer_sha256":"d909db7a1f33d348a8b7504a24ee989b7a37003fe6467a28f6446d17c704bb2f","drawn_sha256":"a709f37749a535fe3f84555ee59014ea1d12f35dd7c7db815bf848d086325b99","kind":"private-posterior outcome 1","release_id":"qry_kj4lm6gpvhi5h4kouaquzoirfe"},"key_id":"139e3940e64b5491","signature":"VNHulrwU9NM4_CTHkR6OV3fFXg0TcPo47NXiYdNwA6xYlJSunwupI_9n7Vr3C8NLDyuqQpO1P3SYCKwOuw3FCQ"}
rel_4cin6ihyxndg7sk4k4cviu3mde	dat_iex2wsrqquufbu73afzasah4hu	bud_hgyqlegmdutpkn4uxdobq2vez4	11	pri_2dn3t2korzm42gbbiborw7rua4	da757d10a9f3f1dd5bebb16c295c5dcd5d615070a5a2da673eee355b4b867c6f	8e277d6bbe009e433574f7968a9a5fa137ab048e27f35f4730d47bc5809f3c77	{"request":{"margins":null,"all":1,"weights":null,"rho":"0.01","half_widths":null,"confidence":0.95,"delta":"0.0000001","max_charge":null,"mechanism":{"kind":"margins","rho":"0.01"}},"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"margins","n":667,"levels":[2,3],"impossible":[[1,2]],"margins":[[0],[1],[0,1]],"loss":"rho","losses":["0.004619615349","0.005327615998","0.000052768653"],"delta":"0.0000001","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"method":"theorem","statement":"The release is 0.01-zCDP, and hence (0.689914956, 0.0000001)-differentially private when the records of one unit change: 3 margins have independent discrete Gaussian noise on every cell, and their losses add.","relation":"replace_one","details":{"losses":"0.004619615349, 0.005327615998, 0.000052768653","records_per_unit":"1"}},"tables":[{"margin":[0],"deviation":10.383813017063224,"intervals":[[0.9,17.1317805659303],[0.95,20.40382938037369],[0.99,26.798863568486773]]},{"margin":[1],"deviation":11.158740393124116,"intervals":[[0.9,18.410297979465348],[0.95,21.926534569435198],[0.99,28.798819942163085]]}],"outcome":"signed"}	0	0	10000000000	0	800000000000	96035615294	{"body":{"accountant":"zcdp","at":1795797163,"budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","chain_hash":"a72b71bbf8b46a31faef4bada0efcfedebe890f14e16e04b16e3abcfb8e63c16","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","delta_units":0,"epsilon_units":0,"grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"da757d10a9f3f1dd5bebb16c295c5dcd5d615070a5a2da673eee355b4b867c6f","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"8e277d6bbe009e433574f7968a9a5fa137ab048e27f35f4730d47bc5809f3c77","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_4cin6ihyxndg7sk4k4cviu3mde","rho_units":10000000000,"sequence":11,"spec_sha256":"b2285c7257c89d400829950a7329bcae365db5db468c958cb04eceb4f7e92e0b"},"key_id":"139e3940e64b5491","signature":"RXVnn4KMN38NYXo4krULVUQYwvL5cKgMuAetC8ni2yOOo4pwRpCGP4uxraEw1WxLIxwMc5G43rKVqogIm79rBg"}	1795797163	complete	1795797185	{"noisy": [[357, 310], [48, 587, -17], [-152, 666, 34, -19, 315, 171]]}	{"id":"rel_4cin6ihyxndg7sk4k4cviu3mde","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","state":"complete","attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"margins","n":667,"levels":[2,3],"impossible":[[1,2]],"margins":[[0],[1],[0,1]],"loss":"rho","losses":["0.004619615349","0.005327615998","0.000052768653"],"delta":"0.0000001","records_per_unit":1},"mechanism":{"kind":"margins","rho":"0.01"},"requested":{"rho":"0.01"},"certified":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.01","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.096035615294","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.01-zCDP, and hence (0.689914956, 0.0000001)-differentially private when the records of one unit change: 3 margins have independent discrete Gaussian noise on every cell, and their losses add.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"details":{"losses":"0.004619615349, 0.005327615998, 0.000052768653","records_per_unit":"1"}},"measured":[{"attributes":["sex"],"cell_count":2,"cost":{"accountant":"zcdp","rho":"0.004619615349","delta":"0"},"noise":"discrete_gaussian","noise_parameter":"1000000000000/4619615349","noise_standard_deviation":14.712859651267273,"noisy_counts":[357,310]},{"attributes":["ill"],"cell_count":3,"cost":{"accountant":"zcdp","rho":"0.005327615998","delta":"0"},"noise":"discrete_gaussian","noise_parameter":"500000000000/2663807999","noise_standard_deviation":13.70040932869151,"noisy_counts":[48,587,-17]},{"attributes":["sex","ill"],"cell_count":6,"cost":{"accountant":"zcdp","rho":"0.000052768653","delta":"0"},"noise":"discrete_gaussian","noise_parameter":"1000000000000/52768653","noise_standard_deviation":137.6613410075883,"noisy_counts":[-152,666,34,-19,315,171]}],"tables":[{"attributes":["sex"],"cell_count":2,"standard_deviation":10.383813017063224,"intervals":[{"confidence":0.9,"half_width":17.1317805659303},{"confidence":0.95,"half_width":20.40382938037369},{"confidence":0.99,"half_width":26.798863568486773}],"estimates":[357.06448331989816,309.93551668010184]},{"attributes":["ill"],"cell_count":3,"standard_deviation":11.158740393124116,"intervals":[{"confidence":0.9,"half_width":18.410297979465348},{"confidence":0.95,"half_width":21.926534569435198},{"confidence":0.99,"half_width":28.798819942163085}],"estimates":[62.60197494424591,604.6228175225493,-0.2247924667952077]}],"created_at":"2026-11-27T16:32:43Z","receipt":{"body":{"accountant":"zcdp","at":1795797163,"budget_id":"bud_hgyqlegmdutpkn4uxdobq2vez4","chain_hash":"a72b71bbf8b46a31faef4bada0efcfedebe890f14e16e04b16e3abcfb8e63c16","commitment":"119b6dfaeae7dceb951347627bff09296a891b79082216780d717a3afbc7ad99","dataset_id":"dat_iex2wsrqquufbu73afzasah4hu","delta_units":0,"epsilon_units":0,"grant_id":"gra_55d6ovpldz4u47hbou446lhwxi","key_hash":"da757d10a9f3f1dd5bebb16c295c5dcd5d615070a5a2da673eee355b4b867c6f","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"8e277d6bbe009e433574f7968a9a5fa137ab048e27f35f4730d47bc5809f3c77","principal_id":"pri_2dn3t2korzm42gbbiborw7rua4","release_id":"rel_4cin6ihyxndg7sk4k4cviu3mde","rho_units":10000000000,"sequence":11,"spec_sha256":"b2285c7257c89d400829950a7329bcae365db5db468c958cb04eceb4f7e92e0b"},"key_id":"139e3940e64b5491","signature":"RXVnn4KMN38NYXo4krULVUQYwvL5cKgMuAetC8ni2yOOo4pwRpCGP4uxraEw1WxLIxwMc5G43rKVqogIm79rBg"}}	\N	posterior	pri_yjic7cnu7goh6wjsyd5rieeq6q	{"body":{"answer_sha256":"a5777825a048af18458bd6b6774d962c75373d9c31f6cb5dee53c20326e3ebb7","drawn_sha256":"7ce366f2ff8ec99084fdfef72a0426ae6b689e63941401ff3c761fee8fe21536","kind":"private-posterior outcome 1","release_id":"rel_4cin6ihyxndg7sk4k4cviu3mde"},"key_id":"139e3940e64b5491","signature":"bY78hCeQeOK9NMz1R28-xp2HiWIAU2UlWrnYSA4VO9rIccXmc0d401rXQ45HTbk9hSvN7vq8Mza9c1j8_VfEAw"}
rel_622oy3s3bnsgvtsu3lvlwsp2ua	dat_wztq3a3jlu6uct5swm55xzfz7u	bud_ynamdscbkxruceo6224nsgfl34	4	pri_yjic7cnu7goh6wjsyd5rieeq6q	171f79e85a13a891b3a47905bb1c46dd07fcbefaa70672637a17c4f5d6986ad0	c835d974bc64708866655cb669444201f0702e70acee835cf70bd74be8ea49df	{"request":{"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"geometric","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"private_size","m":4,"law":"geometric","epsilon":"0.1","delta":"0","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private when one record is added or removed: two-sided geometric noise of scale 1/0.1 on every count.","relation":"add_remove","details":{"records_per_unit":"1","l1_sensitivity":"1","noise_scale":"1/0.1"}},"outcome":"signed"}	100000000	0	0	850071116	1000000000000	0	{"body":{"accountant":"basic","at":1795797163,"budget_id":"bud_ynamdscbkxruceo6224nsgfl34","chain_hash":"cec86eddaf5ed42cfee1aa1dca7d9edae7e90e1fada6974494c51522f7c8078d","commitment":"d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"171f79e85a13a891b3a47905bb1c46dd07fcbefaa70672637a17c4f5d6986ad0","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"c835d974bc64708866655cb669444201f0702e70acee835cf70bd74be8ea49df","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","release_id":"rel_622oy3s3bnsgvtsu3lvlwsp2ua","rho_units":0,"sequence":4,"spec_sha256":"7b2657bf341d4c410c426640e206d283c1cc818f6beeca5f70eb8dbc4e81f2d1"},"key_id":"139e3940e64b5491","signature":"lNFllRpZJ6n9CC3ppf3Du8j-lnlIQHn6ak9ZGMZXdyoSo4xzwu3-_LkCzJzCF20-tU-8tCiL6sUAKU_oMMuHBw"}	1795797163	complete	1795797185	{"noisy": [25, -1, 31, 14], "on_simplex": [25, 0, 31, 14]}	{"id":"rel_622oy3s3bnsgvtsu3lvlwsp2ua","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","budget_id":"bud_ynamdscbkxruceo6224nsgfl34","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","state":"complete","labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"record_count":null,"category_count":4,"records_per_unit":1,"event":{"event":"private_size","m":4,"law":"geometric","epsilon":"0.1","delta":"0","records_per_unit":1},"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.850071116","delta":"0.000001"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private when one record is added or removed: two-sided geometric noise of scale 1/0.1 on every count.","relation":"add_remove","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"records_per_unit":"1","l1_sensitivity":"1","noise_scale":"1/0.1"}},"posterior":{"concentration":[26.0,1.0,32.0,15.0],"noisy_counts":[25,-1,31,14],"released_counts":[25,0,31,14],"categories":[{"label":"female · no","mean":0.35135135135135137,"standard_deviation":0.055124535282084164,"naive_interval":{"level":0.95,"low":0.24748015952788383,"high":0.46283481769202756}},{"label":"female · yes","mean":0.013513513513513514,"standard_deviation":0.013332115844097965,"naive_interval":{"level":0.95,"low":0.0003467591525991272,"high":0.04927706089585927}},{"label":"male · no","mean":0.43243243243243246,"standard_deviation":0.05720543375274791,"naive_interval":{"level":0.95,"low":0.3223805173063622,"high":0.5459455778935459}},{"label":"male · yes","mean":0.20270270270270271,"standard_deviation":0.0464204433441018,"naive_interval":{"level":0.95,"low":0.1198130983354363,"high":0.3007886424877443}}]},"created_at":"2026-11-27T16:32:43Z","receipt":{"body":{"accountant":"basic","at":1795797163,"budget_id":"bud_ynamdscbkxruceo6224nsgfl34","chain_hash":"cec86eddaf5ed42cfee1aa1dca7d9edae7e90e1fada6974494c51522f7c8078d","commitment":"d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"171f79e85a13a891b3a47905bb1c46dd07fcbefaa70672637a17c4f5d6986ad0","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"c835d974bc64708866655cb669444201f0702e70acee835cf70bd74be8ea49df","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","release_id":"rel_622oy3s3bnsgvtsu3lvlwsp2ua","rho_units":0,"sequence":4,"spec_sha256":"7b2657bf341d4c410c426640e206d283c1cc818f6beeca5f70eb8dbc4e81f2d1"},"key_id":"139e3940e64b5491","signature":"lNFllRpZJ6n9CC3ppf3Du8j-lnlIQHn6ak9ZGMZXdyoSo4xzwu3-_LkCzJzCF20-tU-8tCiL6sUAKU_oMMuHBw"}}	\N	posterior	pri_yjic7cnu7goh6wjsyd5rieeq6q	{"body":{"answer_sha256":"ca98ee6952d4d37d6125ba49c705c9339dd3aca112cf49cc2d72165acd5b97e6","drawn_sha256":"12d4b08e486367231117cb71fb8163766bb47b190c7ded91af9307bd3f1e3013","kind":"private-posterior outcome 1","release_id":"rel_622oy3s3bnsgvtsu3lvlwsp2ua"},"key_id":"139e3940e64b5491","signature":"TVzwwQyvlW9mOEHZ0s5N6iZlLnJeFIixwZlE43NqmS3R7D0yFwYxtX4c7hQoYwFTDduidTk5Kuw2XFjoMTTQAg"}
rel_wu5sezrodoeqe3bgql2m2v3gz4	dat_wztq3a3jlu6uct5swm55xzfz7u	bud_ynamdscbkxruceo6224nsgfl34	5	pri_yjic7cnu7goh6wjsyd5rieeq6q	f0be4de9c34de9e1d93fdfc00c7520f68de3d6a9855a52db5a04b73ba4c11b6a	b6fbb0e865bc6aba6ee786f96aeb7b124dc6abc6cc6546c6847ea8340da8c657	{"request":{"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"laplace","epsilon":"0.1"},"max_charge":null,"level":0.95},"labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"private_size","m":4,"law":"laplace","epsilon":"0.1","delta":"0","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004758129099","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private when one record is added or removed: rounded-down Laplace noise of scale 1/0.1 on every count.","relation":"add_remove","details":{"records_per_unit":"1","l1_sensitivity":"1","noise_scale":"1/0.1"}},"outcome":"signed"}	100000000	0	0	750071116	1000000000000	0	{"body":{"accountant":"basic","at":1795797163,"budget_id":"bud_ynamdscbkxruceo6224nsgfl34","chain_hash":"ad3fb66af6a724cf16c91ca01b07ac03de0c5431cb2af2b7be156cf39f7cb5e4","commitment":"d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"f0be4de9c34de9e1d93fdfc00c7520f68de3d6a9855a52db5a04b73ba4c11b6a","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"b6fbb0e865bc6aba6ee786f96aeb7b124dc6abc6cc6546c6847ea8340da8c657","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","release_id":"rel_wu5sezrodoeqe3bgql2m2v3gz4","rho_units":0,"sequence":5,"spec_sha256":"ee004404353db9c93e5b579cc786313a4919411c76a981f6502379bb294d37cc"},"key_id":"139e3940e64b5491","signature":"8_D43_uVQ-hm0rD-XdjD7GwJAYwQ8kWKxVTavDoMD1h-hWo0foovm7NAoFg1rFck2gczDcok3ng7O8g6NMquAg"}	1795797163	complete	1795797185	{"noisy": [25, -3, 15, -4], "on_simplex": [25, 0, 15, 0]}	{"id":"rel_wu5sezrodoeqe3bgql2m2v3gz4","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","budget_id":"bud_ynamdscbkxruceo6224nsgfl34","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","state":"complete","labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"record_count":null,"category_count":4,"records_per_unit":1,"event":{"event":"private_size","m":4,"law":"laplace","epsilon":"0.1","delta":"0","records_per_unit":1},"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"laplace","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004758129099","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.750071116","delta":"0.000001"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private when one record is added or removed: rounded-down Laplace noise of scale 1/0.1 on every count.","relation":"add_remove","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004758129099","rho_delta":"0"},"details":{"records_per_unit":"1","l1_sensitivity":"1","noise_scale":"1/0.1"}},"posterior":{"concentration":[26.0,1.0,16.0,1.0],"noisy_counts":[25,-3,15,-4],"released_counts":[25,0,15,0],"categories":[{"label":"female · no","mean":0.5909090909090909,"standard_deviation":0.07329325225725955,"naive_interval":{"level":0.95,"low":0.4440995244656957,"high":0.7298858772954422}},{"label":"female · yes","mean":0.022727272727272728,"standard_deviation":0.02221648227062906,"naive_interval":{"level":0.95,"low":0.0005886129315931829,"high":0.08221112115413848}},{"label":"male · no","mean":0.36363636363636365,"standard_deviation":0.07171005797696504,"naive_interval":{"level":0.95,"low":0.22975169629928754,"high":0.5092663604753611}},{"label":"male · yes","mean":0.022727272727272728,"standard_deviation":0.02221648227062906,"naive_interval":{"level":0.95,"low":0.0005886129315931829,"high":0.08221112115413848}}]},"created_at":"2026-11-27T16:32:43Z","receipt":{"body":{"accountant":"basic","at":1795797163,"budget_id":"bud_ynamdscbkxruceo6224nsgfl34","chain_hash":"ad3fb66af6a724cf16c91ca01b07ac03de0c5431cb2af2b7be156cf39f7cb5e4","commitment":"d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"f0be4de9c34de9e1d93fdfc00c7520f68de3d6a9855a52db5a04b73ba4c11b6a","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"b6fbb0e865bc6aba6ee786f96aeb7b124dc6abc6cc6546c6847ea8340da8c657","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","release_id":"rel_wu5sezrodoeqe3bgql2m2v3gz4","rho_units":0,"sequence":5,"spec_sha256":"ee004404353db9c93e5b579cc786313a4919411c76a981f6502379bb294d37cc"},"key_id":"139e3940e64b5491","signature":"8_D43_uVQ-hm0rD-XdjD7GwJAYwQ8kWKxVTavDoMD1h-hWo0foovm7NAoFg1rFck2gczDcok3ng7O8g6NMquAg"}}	\N	posterior	pri_yjic7cnu7goh6wjsyd5rieeq6q	{"body":{"answer_sha256":"2d9cd274ef8c4957d1c65cfe1c0bd0b62a317c5152fadb91d132810886e34563","drawn_sha256":"bf8ccf7bd9174b0f1ca3fcf5b546f5249ab1f6a3746d5187ade59860dc417a89","kind":"private-posterior outcome 1","release_id":"rel_wu5sezrodoeqe3bgql2m2v3gz4"},"key_id":"139e3940e64b5491","signature":"lwQdrmUipFSdwjm913OrRXSIaW1Eb6DrMuZmHsgZbiqSGO1SQJak-VUlee2uxB4VFqXj9IEI84vZgnSbxV0yAA"}
rel_3l66vp3biwbnxtr62vu4njejae	dat_wztq3a3jlu6uct5swm55xzfz7u	bud_ynamdscbkxruceo6224nsgfl34	6	pri_yjic7cnu7goh6wjsyd5rieeq6q	792424afb470800e7114079d9c8e250eaa39fececa25e842241b1f625962d4d9	ad28dbb98e28e5f77933df42e65adf358fd86c235bcce8615e2af8a214a60108	{"request":{"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"gaussian","rho":"0.001","delta":"0.0000001"},"max_charge":null,"level":0.95},"labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"private_size","m":4,"law":"gaussian","rho":"0.001","delta":"0.0000001","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.205575747","delta":"0.0000001","rho":"0.001","rho_delta":"0"},"method":"theorem","statement":"The release is 0.001-zCDP when one record is added or removed: discrete Gaussian noise with sigma^2 = 500 on every count. Hence it is (0.205575747, 0.0000001)-differentially private.","relation":"add_remove","details":{"records_per_unit":"1","noise_variance":"500"}},"outcome":"signed"}	205575747	100000000000	0	544495369	900000000000	0	{"body":{"accountant":"basic","at":1795797163,"budget_id":"bud_ynamdscbkxruceo6224nsgfl34","chain_hash":"7bf06d6e8dfd8a3fd8868aac23c77bd442e00ba8ea048ad25cbad0d2e29cacc6","commitment":"d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","delta_units":100000000000,"epsilon_units":205575747,"grant_id":"","key_hash":"792424afb470800e7114079d9c8e250eaa39fececa25e842241b1f625962d4d9","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"ad28dbb98e28e5f77933df42e65adf358fd86c235bcce8615e2af8a214a60108","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","release_id":"rel_3l66vp3biwbnxtr62vu4njejae","rho_units":0,"sequence":6,"spec_sha256":"a855fe8cb6298d2468a59b694e05ab0439f382540bce03f6b8dd966f6e508e6b"},"key_id":"139e3940e64b5491","signature":"VRNkODgAhYnrkBCgLC2ijZOPl22c7ilsBVPNTzffkkAbvh7X7eYADerd8um5SsWRM7Bi5hAtRniLiynEn6gzBg"}	1795797163	complete	1795797185	{"noisy": [46, 38, 41, 8], "on_simplex": [46, 38, 41, 8]}	{"id":"rel_3l66vp3biwbnxtr62vu4njejae","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","budget_id":"bud_ynamdscbkxruceo6224nsgfl34","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","state":"complete","labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"record_count":null,"category_count":4,"records_per_unit":1,"event":{"event":"private_size","m":4,"law":"gaussian","rho":"0.001","delta":"0.0000001","records_per_unit":1},"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"gaussian","rho":"0.001","delta":"0.0000001"},"requested":{"rho":"0.001","delta":"0.0000001"},"certified":{"epsilon":"0.205575747","delta":"0.0000001","rho":"0.001","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.205575747","delta":"0.0000001"},"remaining_after":{"accountant":"basic","epsilon":"0.544495369","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"The release is 0.001-zCDP when one record is added or removed: discrete Gaussian noise with sigma^2 = 500 on every count. Hence it is (0.205575747, 0.0000001)-differentially private.","relation":"add_remove","unit":"one person","loss":{"epsilon":"0.205575747","delta":"0.0000001","rho":"0.001","rho_delta":"0"},"details":{"records_per_unit":"1","noise_variance":"500"}},"posterior":{"concentration":[47.0,39.0,42.0,9.0],"noisy_counts":[46,38,41,8],"released_counts":[46,38,41,8],"categories":[{"label":"female · no","mean":0.34306569343065696,"standard_deviation":0.04041197478413569,"naive_interval":{"level":0.95,"low":0.26617541269500694,"high":0.4242964927396436}},{"label":"female · yes","mean":0.2846715328467153,"standard_deviation":0.038413619568560486,"naive_interval":{"level":0.95,"low":0.21252000399468648,"high":0.36277713388406263}},{"label":"male · no","mean":0.30656934306569344,"standard_deviation":0.0392487958790617,"naive_interval":{"level":0.95,"low":0.23247192745741802,"high":0.3860159296589669}},{"label":"male · yes","mean":0.06569343065693431,"standard_deviation":0.021089492511375624,"naive_interval":{"level":0.95,"low":0.030704240518019177,"high":0.11261558627428259}}]},"created_at":"2026-11-27T16:32:43Z","receipt":{"body":{"accountant":"basic","at":1795797163,"budget_id":"bud_ynamdscbkxruceo6224nsgfl34","chain_hash":"7bf06d6e8dfd8a3fd8868aac23c77bd442e00ba8ea048ad25cbad0d2e29cacc6","commitment":"d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","delta_units":100000000000,"epsilon_units":205575747,"grant_id":"","key_hash":"792424afb470800e7114079d9c8e250eaa39fececa25e842241b1f625962d4d9","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"ad28dbb98e28e5f77933df42e65adf358fd86c235bcce8615e2af8a214a60108","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","release_id":"rel_3l66vp3biwbnxtr62vu4njejae","rho_units":0,"sequence":6,"spec_sha256":"a855fe8cb6298d2468a59b694e05ab0439f382540bce03f6b8dd966f6e508e6b"},"key_id":"139e3940e64b5491","signature":"VRNkODgAhYnrkBCgLC2ijZOPl22c7ilsBVPNTzffkkAbvh7X7eYADerd8um5SsWRM7Bi5hAtRniLiynEn6gzBg"}}	\N	posterior	pri_yjic7cnu7goh6wjsyd5rieeq6q	{"body":{"answer_sha256":"3a00f677d4726358b2eeae687d6a1d0014e69b42ecb9045731b15df33116c549","drawn_sha256":"b5c5c156ab294898afdb1fe0b72fb2638a87f47b33165c67450c03749c78db70","kind":"private-posterior outcome 1","release_id":"rel_3l66vp3biwbnxtr62vu4njejae"},"key_id":"139e3940e64b5491","signature":"iC5vp4jLlkt6xxPwAMAUgydJguC8xtv5m0Ctk5Cc4nCERfEC4lwlnesnOdcUgoBzn8fb3j-iwawyvJdaKzXGDw"}
rel_75ylkdechljqjxlmqiz3bgyrg4	dat_wztq3a3jlu6uct5swm55xzfz7u	bud_ynamdscbkxruceo6224nsgfl34	7	pri_yjic7cnu7goh6wjsyd5rieeq6q	4407ea7ba4d8e8a5f0fd5b56bbd775c9e17005b09a315215f8bae5e2fc1d2640	ad421c2b5cf5930b820c1deae29b90b1c15deefb3c5cd78a635d0bede782dcb2	{"request":{"margins":[["ill"]],"all":null,"weights":null,"epsilon":"0.2","half_widths":null,"confidence":0.95,"delta":"0.000000001","max_charge":null,"mechanism":{"kind":"margins","epsilon":"0.2"}},"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"margins","n":null,"levels":[2,2],"impossible":[],"margins":[[1]],"loss":"epsilon","losses":["0.2"],"delta":"0","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.2","delta":"0","rho":"0.019933598925","rho_delta":"0"},"method":"theorem","statement":"The release is 0.2-differentially private when the records of one unit are added or removed: 1 margin has independent two-sided geometric noise on every cell, and their losses add.","relation":"add_remove","details":{"losses":"0.2","records_per_unit":"1"}},"tables":[{"margin":[1],"deviation":7.059296433661497,"intervals":[[0.9,11.0],[0.95,15.0],[0.99,23.0]]}],"outcome":"signed"}	200000000	0	0	344495369	900000000000	0	{"body":{"accountant":"basic","at":1795797163,"budget_id":"bud_ynamdscbkxruceo6224nsgfl34","chain_hash":"5a406020de278753fb3124cad8f9ebaf28ac25bd57514471190f9ce9d0ef85c9","commitment":"d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","delta_units":0,"epsilon_units":200000000,"grant_id":"","key_hash":"4407ea7ba4d8e8a5f0fd5b56bbd775c9e17005b09a315215f8bae5e2fc1d2640","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"ad421c2b5cf5930b820c1deae29b90b1c15deefb3c5cd78a635d0bede782dcb2","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","release_id":"rel_75ylkdechljqjxlmqiz3bgyrg4","rho_units":0,"sequence":7,"spec_sha256":"c2bc48e6ea085eb4bdce98edd88773f3bf1094c79653cc4516ce50287455a94f"},"key_id":"139e3940e64b5491","signature":"Nv-7qmC2mc2KW9_n9AxG3J0GTJGvwOADnDpqO12WGEasoX0TX7IbnLg01VqWIGR5wHhJG5UGxZ4xyPeGo00oAA"}	1795797163	complete	1795797185	{"noisy": [[60, -23]]}	{"id":"rel_75ylkdechljqjxlmqiz3bgyrg4","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","budget_id":"bud_ynamdscbkxruceo6224nsgfl34","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","state":"complete","attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"record_count":null,"category_count":4,"records_per_unit":1,"event":{"event":"margins","n":null,"levels":[2,2],"impossible":[],"margins":[[1]],"loss":"epsilon","losses":["0.2"],"delta":"0","records_per_unit":1},"mechanism":{"kind":"margins","epsilon":"0.2"},"requested":{"epsilon":"0.2"},"certified":{"epsilon":"0.2","delta":"0","rho":"0.019933598925","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.2","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.344495369","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"The release is 0.2-differentially private when the records of one unit are added or removed: 1 margin has independent two-sided geometric noise on every cell, and their losses add.","relation":"add_remove","unit":"one person","loss":{"epsilon":"0.2","delta":"0","rho":"0.019933598925","rho_delta":"0"},"details":{"losses":"0.2","records_per_unit":"1"}},"measured":[{"attributes":["ill"],"cell_count":2,"cost":{"accountant":"basic","epsilon":"0.2","delta":"0"},"noise":"geometric","noise_parameter":"1/5","noise_standard_deviation":7.059296433661497,"noisy_counts":[60,-23]}],"tables":[{"attributes":["ill"],"cell_count":2,"standard_deviation":7.059296433661497,"intervals":[{"confidence":0.9,"half_width":11.0},{"confidence":0.95,"half_width":15.0},{"confidence":0.99,"half_width":23.0}],"estimates":[60.0,-23.0]}],"created_at":"2026-11-27T16:32:43Z","receipt":{"body":{"accountant":"basic","at":1795797163,"budget_id":"bud_ynamdscbkxruceo6224nsgfl34","chain_hash":"5a406020de278753fb3124cad8f9ebaf28ac25bd57514471190f9ce9d0ef85c9","commitment":"d362178431bd909d7ddf6641418ff8a5258ad292ca8f964e7761911fbf892f28","dataset_id":"dat_wztq3a3jlu6uct5swm55xzfz7u","delta_units":0,"epsilon_units":200000000,"grant_id":"","key_hash":"4407ea7ba4d8e8a5f0fd5b56bbd775c9e17005b09a315215f8bae5e2fc1d2640","kind":"private-posterior receipt 1","owner_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","payload_hash":"ad421c2b5cf5930b820c1deae29b90b1c15deefb3c5cd78a635d0bede782dcb2","principal_id":"pri_yjic7cnu7goh6wjsyd5rieeq6q","release_id":"rel_75ylkdechljqjxlmqiz3bgyrg4","rho_units":0,"sequence":7,"spec_sha256":"c2bc48e6ea085eb4bdce98edd88773f3bf1094c79653cc4516ce50287455a94f"},"key_id":"139e3940e64b5491","signature":"Nv-7qmC2mc2KW9_n9AxG3J0GTJGvwOADnDpqO12WGEasoX0TX7IbnLg01VqWIGR5wHhJG5UGxZ4xyPeGo00oAA"}}	\N	posterior	pri_yjic7cnu7goh6wjsyd5rieeq6q	{"body":{"answer_sha256":"45cc08b4cdb309509c13beb2e936821bf7ed6eace07777059ff08d89dc58fd89","drawn_sha256":"faa792384c40773ec782d7700a680869453ba28981b9f0a32f656a078d3ecab8","kind":"private-posterior outcome 1","release_id":"rel_75ylkdechljqjxlmqiz3bgyrg4"},"key_id":"139e3940e64b5491","signature":"Gl8DoXhDMY754Bix0sQE9qFb352K7vYHo2mbkAyK7Q_QWR5TucvAM3z6afftnA6iTZyQF4XJoGyQ0maXhi6GCw"}
rel_bt7lw22tbbyulk43w7o6lqig74	dat_njpwsu5xix7ktbb7prqyvlgr4y	bud_wfjuyzcrgwvo5sccdlazadz4bq	3	pri_2btvjfykxji4p6itb2zxkllksm	fc403868fc9412739f8681f3e01a3ebdc31b9aff6784e6fca5c3cf101e870fdc	c6d7df703438cfd76f7d56fbb16c402ec3b10a5bc92d4db1bf6061c49678e2b3	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.2"},"max_charge":null,"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":11,"m":2,"epsilon":"0.2"},"certificate":{"loss":{"epsilon":"0.2","delta":"0","rho":"0.019933598925","rho_delta":"0"},"method":"theorem","statement":"The release is 0.2-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.2/2","support":"lattice"}},"outcome":"signed"}	200000000	0	0	800000000	1000000000000	0	{"body":{"accountant":"basic","at":1795797168,"budget_id":"bud_wfjuyzcrgwvo5sccdlazadz4bq","chain_hash":"37eea9dc24b5e51e48eb6b89c3834e141c015f72c164004871eaf42db5072bba","commitment":"1653b957ddb92749b40a0e91dd564b67ef83c3b742f24696fb20cdcf662908f8","dataset_id":"dat_njpwsu5xix7ktbb7prqyvlgr4y","delta_units":0,"epsilon_units":200000000,"grant_id":"","key_hash":"fc403868fc9412739f8681f3e01a3ebdc31b9aff6784e6fca5c3cf101e870fdc","kind":"private-posterior receipt 1","owner_id":"pri_2btvjfykxji4p6itb2zxkllksm","payload_hash":"c6d7df703438cfd76f7d56fbb16c402ec3b10a5bc92d4db1bf6061c49678e2b3","principal_id":"pri_2btvjfykxji4p6itb2zxkllksm","release_id":"rel_bt7lw22tbbyulk43w7o6lqig74","rho_units":0,"sequence":3,"spec_sha256":"21e5312cfd3fc1cb474dc6aa199a948bf01e27d21372ce0ec44d503616e8263a"},"key_id":"139e3940e64b5491","signature":"bpx-m0_pNMwHJv-VWRCCdFvUtij_yaujcmaGbMi1Vt94OKnM5t4BQtRlO3h2YvOakxjCKI1ri3eYN_RCBMq3DA"}	1795797168	paid	1795797190	\N	\N	\N	posterior	pri_2btvjfykxji4p6itb2zxkllksm	
\.


--
-- Data for Name: spending; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.spending (budget_id, dataset_id, principal_id, kind, releases, epsilon, delta, rho) FROM stdin;
bud_7rcwk5p45faje2hdi2ptokwj2e	dat_5ar46jh2eu26fovht4zygyyxqa	pri_2dn3t2korzm42gbbiborw7rua4	posterior	2	199997009	100000000000	0
bud_7rcwk5p45faje2hdi2ptokwj2e	dat_rghw4vqtomowuc35addmisw2ga	pri_yjic7cnu7goh6wjsyd5rieeq6q	posterior	1	100000000	0	0
bud_hgyqlegmdutpkn4uxdobq2vez4	dat_iex2wsrqquufbu73afzasah4hu	pri_2dn3t2korzm42gbbiborw7rua4	query	0	0	0	0
bud_hgyqlegmdutpkn4uxdobq2vez4	dat_iex2wsrqquufbu73afzasah4hu	pri_2dn3t2korzm42gbbiborw7rua4	posterior	7	0	0	43964384706
bud_ynamdscbkxruceo6224nsgfl34	dat_wztq3a3jlu6uct5swm55xzfz7u	pri_yjic7cnu7goh6wjsyd5rieeq6q	query	1	49928884	0	0
bud_ynamdscbkxruceo6224nsgfl34	dat_wztq3a3jlu6uct5swm55xzfz7u	pri_yjic7cnu7goh6wjsyd5rieeq6q	posterior	4	605575747	100000000000	0
bud_wfjuyzcrgwvo5sccdlazadz4bq	dat_njpwsu5xix7ktbb7prqyvlgr4y	pri_2btvjfykxji4p6itb2zxkllksm	posterior	1	200000000	0	0
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
-- Name: ix_entries_terms; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_entries_terms ON public.entries USING btree (subject_id, sequence) WHERE ((kind)::text = ANY ((ARRAY['budget_changed'::character varying, 'budget_frozen'::character varying, 'budget_opened'::character varying, 'budget_unfrozen'::character varying, 'grant_changed'::character varying, 'grant_closed'::character varying, 'grant_opened'::character varying, 'grant_reopened'::character varying, 'policy_changed'::character varying])::text[]));


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
-- Name: ix_releases_owner_kind_created; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_releases_owner_kind_created ON public.releases USING btree (owner_id, kind, created_at, budget_id, sequence);


--
-- Name: ix_releases_principal_kind_created; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_releases_principal_kind_created ON public.releases USING btree (principal_id, kind, created_at, budget_id, sequence);


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
-- Name: api_keys api_keys_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER api_keys_kept BEFORE DELETE ON public.api_keys FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.api_keys_kept();


--
-- Name: api_keys api_keys_never_change; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER api_keys_never_change BEFORE UPDATE ON public.api_keys FOR EACH ROW WHEN ((((new.id)::text <> (old.id)::text) OR ((new.id IS NULL) <> (old.id IS NULL)) OR ((new.principal_id)::text <> (old.principal_id)::text) OR ((new.principal_id IS NULL) <> (old.principal_id IS NULL)) OR ((new.prefix)::text <> (old.prefix)::text) OR ((new.prefix IS NULL) <> (old.prefix IS NULL)) OR ((new.secret_hash)::text <> (old.secret_hash)::text) OR ((new.secret_hash IS NULL) <> (old.secret_hash IS NULL)) OR ((new.issued_by)::text <> (old.issued_by)::text) OR ((new.issued_by IS NULL) <> (old.issued_by IS NULL)) OR (new.created_at <> old.created_at) OR ((new.created_at IS NULL) <> (old.created_at IS NULL)) OR (new.expires_at <> old.expires_at) OR ((new.expires_at IS NULL) <> (old.expires_at IS NULL)) OR ((new.enrolment_id)::text <> (old.enrolment_id)::text) OR ((new.enrolment_id IS NULL) <> (old.enrolment_id IS NULL)) OR ((new.kind)::text <> (old.kind)::text) OR ((new.kind IS NULL) <> (old.kind IS NULL)) OR (new.created_nanoseconds <> old.created_nanoseconds) OR ((new.created_nanoseconds IS NULL) <> (old.created_nanoseconds IS NULL)))) EXECUTE FUNCTION public.api_keys_never_change();


--
-- Name: api_keys api_keys_stay_ended; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER api_keys_stay_ended BEFORE UPDATE ON public.api_keys FOR EACH ROW WHEN (((old.revoked_at IS NOT NULL) AND ((new.revoked_at <> old.revoked_at) OR ((new.revoked_at IS NULL) <> (old.revoked_at IS NULL))))) EXECUTE FUNCTION public.api_keys_stay_ended();


--
-- Name: budgets budgets_counted; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER budgets_counted AFTER INSERT ON public.budgets FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.budgets_counted();


--
-- Name: budgets budgets_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER budgets_kept BEFORE DELETE ON public.budgets FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.budgets_kept();


--
-- Name: budgets budgets_never_change; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER budgets_never_change BEFORE UPDATE ON public.budgets FOR EACH ROW WHEN ((((new.id)::text <> (old.id)::text) OR ((new.id IS NULL) <> (old.id IS NULL)) OR ((new.owner_id)::text <> (old.owner_id)::text) OR ((new.owner_id IS NULL) <> (old.owner_id IS NULL)) OR ((new.accountant)::text <> (old.accountant)::text) OR ((new.accountant IS NULL) <> (old.accountant IS NULL)) OR (new.delta_conversion <> old.delta_conversion) OR ((new.delta_conversion IS NULL) <> (old.delta_conversion IS NULL)) OR (new.created_at <> old.created_at) OR ((new.created_at IS NULL) <> (old.created_at IS NULL)) OR (new.created_nanoseconds <> old.created_nanoseconds) OR ((new.created_nanoseconds IS NULL) <> (old.created_nanoseconds IS NULL)))) EXECUTE FUNCTION public.budgets_never_change();


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
-- Name: datasets datasets_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER datasets_kept BEFORE DELETE ON public.datasets FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.datasets_kept();


--
-- Name: datasets datasets_never_change; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER datasets_never_change BEFORE UPDATE ON public.datasets FOR EACH ROW WHEN ((((new.id)::text <> (old.id)::text) OR ((new.id IS NULL) <> (old.id IS NULL)) OR ((new.owner_id)::text <> (old.owner_id)::text) OR ((new.owner_id IS NULL) <> (old.owner_id IS NULL)) OR ((new.budget_id)::text <> (old.budget_id)::text) OR ((new.budget_id IS NULL) <> (old.budget_id IS NULL)) OR ((new.unit)::text <> (old.unit)::text) OR ((new.unit IS NULL) <> (old.unit IS NULL)) OR (new.one_record_per_unit <> old.one_record_per_unit) OR ((new.one_record_per_unit IS NULL) <> (old.one_record_per_unit IS NULL)) OR (new.records_per_unit <> old.records_per_unit) OR ((new.records_per_unit IS NULL) <> (old.records_per_unit IS NULL)) OR (new.n_is_public <> old.n_is_public) OR ((new.n_is_public IS NULL) <> (old.n_is_public IS NULL)) OR ((new.relation)::text <> (old.relation)::text) OR ((new.relation IS NULL) <> (old.relation IS NULL)) OR (new.created_at <> old.created_at) OR ((new.created_at IS NULL) <> (old.created_at IS NULL)) OR (new.created_nanoseconds <> old.created_nanoseconds) OR ((new.created_nanoseconds IS NULL) <> (old.created_nanoseconds IS NULL)))) EXECUTE FUNCTION public.datasets_never_change();


--
-- Name: datasets datasets_of_one_relation; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER datasets_of_one_relation BEFORE INSERT ON public.datasets FOR EACH ROW EXECUTE FUNCTION public.datasets_of_one_relation();


--
-- Name: datasets datasets_renamed_with_counts; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER datasets_renamed_with_counts BEFORE UPDATE ON public.datasets FOR EACH ROW WHEN ((((new.commitment)::text = (old.commitment)::text) AND ((new.labels <> old.labels) OR ((new.labels IS NULL) <> (old.labels IS NULL)) OR (new.attributes <> old.attributes) OR ((new.attributes IS NULL) <> (old.attributes IS NULL)) OR (new.category_count <> old.category_count) OR ((new.category_count IS NULL) <> (old.category_count IS NULL))))) EXECUTE FUNCTION public.datasets_renamed_with_counts();


--
-- Name: datasets datasets_stay_charged; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER datasets_stay_charged BEFORE UPDATE ON public.datasets FOR EACH ROW WHEN (((new.charged < old.charged) OR ((old.charged = 1) AND (((new.commitment)::text <> (old.commitment)::text) OR (new.record_count <> old.record_count) OR ((new.record_count IS NULL) <> (old.record_count IS NULL)))))) EXECUTE FUNCTION public.datasets_stay_charged();


--
-- Name: datasets datasets_stay_ended; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER datasets_stay_ended BEFORE UPDATE ON public.datasets FOR EACH ROW WHEN (((old.deleted_at IS NOT NULL) AND ((new.deleted_at <> old.deleted_at) OR ((new.deleted_at IS NULL) <> (old.deleted_at IS NULL))))) EXECUTE FUNCTION public.datasets_stay_ended();


--
-- Name: enrolments enrolments_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER enrolments_kept BEFORE DELETE ON public.enrolments FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.enrolments_kept();


--
-- Name: enrolments enrolments_never_change; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER enrolments_never_change BEFORE UPDATE ON public.enrolments FOR EACH ROW WHEN ((((new.id)::text <> (old.id)::text) OR ((new.id IS NULL) <> (old.id IS NULL)) OR ((new.principal_id)::text <> (old.principal_id)::text) OR ((new.principal_id IS NULL) <> (old.principal_id IS NULL)) OR ((new.kind)::text <> (old.kind)::text) OR ((new.kind IS NULL) <> (old.kind IS NULL)) OR ((new.secret_hash)::text <> (old.secret_hash)::text) OR ((new.secret_hash IS NULL) <> (old.secret_hash IS NULL)) OR ((new.issued_by)::text <> (old.issued_by)::text) OR ((new.issued_by IS NULL) <> (old.issued_by IS NULL)) OR ((new.made_by)::text <> (old.made_by)::text) OR ((new.made_by IS NULL) <> (old.made_by IS NULL)) OR (new.created_at <> old.created_at) OR ((new.created_at IS NULL) <> (old.created_at IS NULL)) OR (new.expires_at <> old.expires_at) OR ((new.expires_at IS NULL) <> (old.expires_at IS NULL)))) EXECUTE FUNCTION public.enrolments_never_change();


--
-- Name: enrolments enrolments_stay_ended; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER enrolments_stay_ended BEFORE UPDATE ON public.enrolments FOR EACH ROW WHEN (((old.ended_at IS NOT NULL) AND ((new.ended_at <> old.ended_at) OR ((new.ended_at IS NULL) <> (old.ended_at IS NULL))))) EXECUTE FUNCTION public.enrolments_stay_ended();


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
-- Name: grants grants_never_change; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER grants_never_change BEFORE UPDATE ON public.grants FOR EACH ROW WHEN ((((new.id)::text <> (old.id)::text) OR ((new.id IS NULL) <> (old.id IS NULL)) OR ((new.dataset_id)::text <> (old.dataset_id)::text) OR ((new.dataset_id IS NULL) <> (old.dataset_id IS NULL)) OR ((new.principal_id)::text <> (old.principal_id)::text) OR ((new.principal_id IS NULL) <> (old.principal_id IS NULL)) OR (new.created_at <> old.created_at) OR ((new.created_at IS NULL) <> (old.created_at IS NULL)) OR (new.created_nanoseconds <> old.created_nanoseconds) OR ((new.created_nanoseconds IS NULL) <> (old.created_nanoseconds IS NULL)) OR ((new.owner_id)::text <> (old.owner_id)::text) OR ((new.owner_id IS NULL) <> (old.owner_id IS NULL)) OR (new.dataset_nanoseconds <> old.dataset_nanoseconds) OR ((new.dataset_nanoseconds IS NULL) <> (old.dataset_nanoseconds IS NULL)))) EXECUTE FUNCTION public.grants_never_change();


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
-- Name: installation installation_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER installation_kept BEFORE DELETE ON public.installation FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.installation_kept();


--
-- Name: installation installation_never_change; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER installation_never_change BEFORE UPDATE ON public.installation FOR EACH ROW WHEN ((((new.identity)::text <> (old.identity)::text) OR ((new.identity IS NULL) <> (old.identity IS NULL)) OR (new.created_at <> old.created_at) OR ((new.created_at IS NULL) <> (old.created_at IS NULL)))) EXECUTE FUNCTION public.installation_never_change();


--
-- Name: installation installation_restored; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER installation_restored BEFORE UPDATE ON public.installation FOR EACH ROW WHEN ((new.restores < old.restores)) EXECUTE FUNCTION public.installation_restored();


--
-- Name: key_checks key_checks_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER key_checks_kept BEFORE DELETE ON public.key_checks FOR EACH ROW WHEN (((old.kind)::text = 'receipts'::text)) EXECUTE FUNCTION public.key_checks_kept();


--
-- Name: key_checks key_checks_of_counts; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER key_checks_of_counts BEFORE INSERT ON public.key_checks FOR EACH ROW WHEN (((new.kind)::text = 'receipts'::text)) EXECUTE FUNCTION public.key_checks_of_counts();


--
-- Name: key_checks key_checks_unchanged; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER key_checks_unchanged BEFORE UPDATE ON public.key_checks FOR EACH ROW WHEN ((((old.kind)::text = 'receipts'::text) OR ((new.kind)::text = 'receipts'::text))) EXECUTE FUNCTION public.key_checks_unchanged();


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
-- Name: principals principals_never_change; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER principals_never_change BEFORE UPDATE ON public.principals FOR EACH ROW WHEN ((((new.id)::text <> (old.id)::text) OR ((new.id IS NULL) <> (old.id IS NULL)) OR ((new.role)::text <> (old.role)::text) OR ((new.role IS NULL) <> (old.role IS NULL)) OR (new.created_at <> old.created_at) OR ((new.created_at IS NULL) <> (old.created_at IS NULL)) OR (new.created_nanoseconds <> old.created_nanoseconds) OR ((new.created_nanoseconds IS NULL) <> (old.created_nanoseconds IS NULL)))) EXECUTE FUNCTION public.principals_never_change();


--
-- Name: principals principals_stay_ended; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER principals_stay_ended BEFORE UPDATE ON public.principals FOR EACH ROW WHEN (((old.revoked_at IS NOT NULL) AND ((new.revoked_at <> old.revoked_at) OR ((new.revoked_at IS NULL) <> (old.revoked_at IS NULL))))) EXECUTE FUNCTION public.principals_stay_ended();


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
-- Name: releases releases_never_change; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER releases_never_change BEFORE UPDATE ON public.releases FOR EACH ROW WHEN ((((new.kind)::text <> (old.kind)::text) OR ((new.kind IS NULL) <> (old.kind IS NULL)) OR ((new.owner_id)::text <> (old.owner_id)::text) OR ((new.owner_id IS NULL) <> (old.owner_id IS NULL)) OR (new.epsilon_remaining <> old.epsilon_remaining) OR ((new.epsilon_remaining IS NULL) <> (old.epsilon_remaining IS NULL)) OR (new.delta_remaining <> old.delta_remaining) OR ((new.delta_remaining IS NULL) <> (old.delta_remaining IS NULL)) OR (new.rho_remaining <> old.rho_remaining) OR ((new.rho_remaining IS NULL) <> (old.rho_remaining IS NULL)))) EXECUTE FUNCTION public.releases_never_change();


--
-- Name: releases releases_settled_once; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER releases_settled_once BEFORE UPDATE ON public.releases FOR EACH ROW WHEN (((((old.state)::text <> 'paid'::text) AND (NOT (((old.state)::text = 'drawn'::text) AND ((new.state)::text = 'complete'::text))) AND (((new.state)::text <> (old.state)::text) OR (COALESCE(new.result, ''::text) <> COALESCE(old.result, ''::text)))) OR (((old.state)::text <> 'paid'::text) AND (COALESCE(new.drawn, ''::text) <> COALESCE(old.drawn, ''::text))))) EXECUTE FUNCTION public.releases_settled_once();


--
-- Name: releases releases_signed; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER releases_signed BEFORE UPDATE ON public.releases FOR EACH ROW WHEN (((((old.state)::text <> ALL ((ARRAY['paid'::character varying, 'drawn'::character varying])::text[])) AND (COALESCE(new.signature, ''::text) <> COALESCE(old.signature, ''::text))) OR ((old.signature IS NOT NULL) AND ((new.state)::text = ANY ((ARRAY['drawn'::character varying, 'complete'::character varying])::text[])) AND ((new.state)::text <> (old.state)::text) AND (NOT (COALESCE(new.signature, ''::text) <> COALESCE(old.signature, ''::text)))))) EXECUTE FUNCTION public.releases_signed();


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

GRANT SELECT,INSERT ON TABLE public.key_checks TO posterior_service;


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


