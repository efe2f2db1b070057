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
-- Name: access_requests_follow_owner(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.access_requests_follow_owner() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN IF EXISTS (SELECT 1 FROM datasets WHERE id = NEW.dataset_id AND owner_id <> NEW.owner_id AND NEW.owner_id <> OLD.owner_id) THEN RAISE EXCEPTION 'an owner changes only by a transfer'; END IF; RETURN NEW; END $$;


ALTER FUNCTION public.access_requests_follow_owner() OWNER TO posterior_owner;

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
    AS $$ BEGIN RAISE EXCEPTION 'a column of access_requests never changes'; END $$;


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
-- Name: budgets_follow_owner(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.budgets_follow_owner() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN IF EXISTS (SELECT 1 FROM principals WHERE id = OLD.owner_id AND revoked_at IS NULL AND NEW.owner_id <> OLD.owner_id) THEN RAISE EXCEPTION 'an owner changes only by a transfer'; END IF; RETURN NEW; END $$;


ALTER FUNCTION public.budgets_follow_owner() OWNER TO posterior_owner;

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
-- Name: budgets_transferred(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.budgets_transferred() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$ BEGIN UPDATE holdings SET budgets = budgets - 1 WHERE owner_id = OLD.owner_id; INSERT INTO holdings (owner_id, budgets, datasets, grants) VALUES (NEW.owner_id, 1, 0, 0) ON CONFLICT (owner_id) DO UPDATE SET budgets = holdings.budgets + 1; RETURN NULL; END $$;


ALTER FUNCTION public.budgets_transferred() OWNER TO posterior_owner;

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
-- Name: datasets_follow_owner(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.datasets_follow_owner() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN IF EXISTS (SELECT 1 FROM budgets WHERE id = NEW.budget_id AND owner_id <> NEW.owner_id AND NEW.owner_id <> OLD.owner_id) THEN RAISE EXCEPTION 'an owner changes only by a transfer'; END IF; RETURN NEW; END $$;


ALTER FUNCTION public.datasets_follow_owner() OWNER TO posterior_owner;

--
-- Name: datasets_keep_registrant(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.datasets_keep_registrant() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'the owner at registration stays'; END $$;


ALTER FUNCTION public.datasets_keep_registrant() OWNER TO posterior_owner;

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
-- Name: datasets_transferred(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.datasets_transferred() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$ BEGIN UPDATE holdings SET datasets = datasets - 1 WHERE owner_id = OLD.owner_id; INSERT INTO holdings (owner_id, budgets, datasets, grants) VALUES (NEW.owner_id, 0, 1, 0) ON CONFLICT (owner_id) DO UPDATE SET datasets = holdings.datasets + 1; RETURN NULL; END $$;


ALTER FUNCTION public.datasets_transferred() OWNER TO posterior_owner;

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
-- Name: grants_follow_owner(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.grants_follow_owner() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN IF EXISTS (SELECT 1 FROM datasets WHERE id = NEW.dataset_id AND owner_id <> NEW.owner_id AND NEW.owner_id <> OLD.owner_id) THEN RAISE EXCEPTION 'an owner changes only by a transfer'; END IF; RETURN NEW; END $$;


ALTER FUNCTION public.grants_follow_owner() OWNER TO posterior_owner;

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
-- Name: grants_transferred(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.grants_transferred() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO '$user', 'public'
    AS $$ BEGIN UPDATE holdings SET grants = grants - 1 WHERE owner_id = OLD.owner_id; INSERT INTO holdings (owner_id, budgets, datasets, grants) VALUES (NEW.owner_id, 0, 0, 1) ON CONFLICT (owner_id) DO UPDATE SET grants = holdings.grants + 1; RETURN NULL; END $$;


ALTER FUNCTION public.grants_transferred() OWNER TO posterior_owner;

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
-- Name: releases_keep_noise(); Type: FUNCTION; Schema: public; Owner: posterior_owner
--

CREATE FUNCTION public.releases_keep_noise() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'what was paid stays as it was paid'; END $$;


ALTER FUNCTION public.releases_keep_noise() OWNER TO posterior_owner;

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
    registered_by character varying(40),
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
    noise character varying(64),
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
acc_g5lswqugrhy4qhlmygfiinx4qi	dat_2arezachxljfwbuqldcwynpwle	pri_znzy2mmuuok54gwpj6rn6thcxi	pri_mo3nu3wdok3o3vmn2bletbpo3y	100000000	0	0	The report of 1955	declined	Ask for less	\N	1796078639	1796078639	1796078639812899775
acc_qq4kohthdvj2nzvl6zux6kidoe	dat_2arezachxljfwbuqldcwynpwle	pri_znzy2mmuuok54gwpj6rn6thcxi	pri_mo3nu3wdok3o3vmn2bletbpo3y	50000000	0	0	The report of 1955	open	\N	\N	1796078639	\N	1796078639867059256
\.


--
-- Data for Name: alembic_version; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.alembic_version (version_num) FROM stdin;
r0003
\.


--
-- Data for Name: api_keys; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.api_keys (id, principal_id, prefix, secret_hash, issued_by, created_at, expires_at, revoked_at, last_used_at, parent_id, enrolment_id, kind, created_nanoseconds) FROM stdin;
key_4tfxarqe7nvsxac5otri2frxhm	pri_kdcfch5jlnz2spvakpplpk6gma	pp_FR5GD5aa	7175ed092c415d4766ba0d10a996e70d8c220c43ff9617aa4631bf811aeff9b9	command-line	1796078628	\N	\N	1796078632	\N	\N	key	1796078628128080604
key_kuf4ghdcqupz7tgqs657jz6qzq	pri_mo3nu3wdok3o3vmn2bletbpo3y	pp_tthxEx3I	785ead79e7688af2cd93a4ac296c7897aeb711bcfcb1a3690420311f66ace171	pri_kdcfch5jlnz2spvakpplpk6gma	1796078632	\N	\N	1796078632	\N	enr_455xdzjalx7uosqouyquai3lma	key	1796078632773390029
key_rsd3kg724owbvf6tcwnvq3psh4	pri_66fqvwnn6m7quzij4cecxy6xtu	pp_4malr7i9	e149a271a3a6af31b16314b77ee9fb4f7b03afea989e891e559a46d3eaf48a25	pri_kdcfch5jlnz2spvakpplpk6gma	1796078632	\N	\N	1796078633	\N	enr_s3lmpzirocevile5ak2cha4sbu	key	1796078632829814364
key_imata3w645wk5v5byjuuawcsna	pri_znzy2mmuuok54gwpj6rn6thcxi	pp_ZxKksK6P	e3c3812662f3d0024860a7d71a396e6e28aca85bc5eac32f43dd5175765f2490	pri_kdcfch5jlnz2spvakpplpk6gma	1796078639	\N	\N	1796078639	\N	enr_bsostc4qttysf5hv7fj4pzohke	key	1796078639791365867
key_sozmyginkrfe6b2f26k73dasei	pri_kunkxxec7kbss4z7kxhr3mq73u	pp_ofLV-f_l	eeaf805cbf2585ae31d56e5a4b72512faa94a497079b253e031f2791c22a0797	pri_kdcfch5jlnz2spvakpplpk6gma	1796078639	\N	\N	\N	\N	enr_y6fwwhkm7u5qykpgfebaom6jle	key	1796078639938032475
key_rcxpofad5qglgozi7dzitqjyaa	pri_6ht6phli3kfv6ps7l6ckilrlpa	pp_F8WGslci	aaa8739cfc549777725ba4d823c8fedaee5ec9bf649a79655aa15ba6628fbeee	pri_kdcfch5jlnz2spvakpplpk6gma	1796078639	\N	\N	1796078640	\N	enr_jye6hx2bhnmgp6e2vbvcecjqsq	key	1796078639990006981
key_ptasllchftjuuz7ievtu535eyi	pri_5nck3a22mjpxbgywtz44q2r4kq	pp_snA7rcOe	c25da946e0a027d536c00105342f2b3686be385a50049275592bc9a73997625e	pri_kdcfch5jlnz2spvakpplpk6gma	1796078640	\N	\N	1796078640	\N	enr_7ldaswtcfxhfr57c5d3t5z2ira	key	1796078640652801695
\.


--
-- Data for Name: budgets; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.budgets (id, owner_id, name, accountant, guaranteed_epsilon, guaranteed_delta, delta_conversion, epsilon_limit, delta_limit, rho_limit, epsilon_spent, delta_spent, rho_spent, epsilon_release_cap, delta_release_cap, rho_release_cap, allowed_mechanisms, frozen_at, low_budget_percent, sequence, head_hash, created_at, created_nanoseconds, stored_bytes) FROM stdin;
bud_fw6n2rr6tqh33ngj2zgevum4ve	pri_5nck3a22mjpxbgywtz44q2r4kq	budget 32	basic	1000000000	1000000000000	0	1000000000	1000000000000	0	200000000	0	0	\N	\N	\N	\N	\N	10	3	c350ff67b964077a04895add8deda9ff8bf3ad6512a9e1dca6e58dc029f3c44a	1796078640	1796078640666724763	19796
bud_mxo5sekxrnkznejch74fdhesge	pri_mo3nu3wdok3o3vmn2bletbpo3y	Many looks	zcdp	3000000000	10000000000000	9000000000000	0	1000000000000	222112455378	0	0	43964384706	\N	\N	\N	\N	\N	10	11	252702e2c64c98d2a6415ab68f0282d4f2c1332f15f4b1fa6067ec832d4820d5	1796078632	1796078632916269579	119368
bud_iw3vqsxdlzjxeiklzjfw2gquhy	pri_mo3nu3wdok3o3vmn2bletbpo3y	budget 30	basic	1000000000	1000000000000	0	1000000000	1000000000000	0	100000000	0	0	\N	\N	\N	\N	\N	10	6	bca39d87fe3071e1aa54675b2099b9be0dc9b261b399e5d5713162a194719d07	1796078640	1796078640011272101	19796
bud_zshhdedq7fpu5wjjr3adhnsj6e	pri_mo3nu3wdok3o3vmn2bletbpo3y	budget 24	basic	1000000000	1000000000000	0	1000000000	1000000000000	0	655504631	100000000000	0	\N	\N	\N	\N	\N	10	7	d005a661930c7e24401a1a3648286fb98daf0d1dbfadd52b1906e25341defb63	1796078632	1796078632967397370	72727
bud_fby4sds2q4yysriftt7g2c72sa	pri_mo3nu3wdok3o3vmn2bletbpo3y	Trials	basic	8000000000	1000000000000	0	8000000000	1000000000000	0	871705986	100000000000	0	\N	\N	\N	\N	\N	30	28	852992d9b3939a95c3ab68229cf16927a64c26b4695d248d5c6357db8e24f292	1796078632	1796078632856407634	122469
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

COPY public.datasets (id, owner_id, budget_id, name, labels, attributes, category_count, record_count, unit, one_record_per_unit, records_per_unit, n_is_public, relation, commitment, charged, created_at, deleted_at, created_nanoseconds, history_shared, listed, registered_by) FROM stdin;
dat_2arezachxljfwbuqldcwynpwle	pri_mo3nu3wdok3o3vmn2bletbpo3y	bud_fby4sds2q4yysriftt7g2c72sa	Trial	["category 0", "category 1"]	\N	2	240	one person	1	1	1	replace_one	0e81739c6dfc00373f1ac567f9a304f6891c2ebfd7a402f6166e5cdc9b343fb3	1	1796078632	\N	1796078632874035658	0	1	\N
dat_3jfsebi2w75kwlzhtc7j3pibkq	pri_mo3nu3wdok3o3vmn2bletbpo3y	bud_mxo5sekxrnkznejch74fdhesge	Clinics	["female · yes", "female · no", "female · unknown", "male · yes", "male · no"]	[{"name": "sex", "levels": ["female", "male"]}, {"name": "ill", "levels": ["yes", "no", "unknown"]}]	5	667	one person	1	1	1	replace_one	77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287	1	1796078632	\N	1796078632921628514	0	0	\N
dat_edt72w2kpe6ij6u6ozswewupou	pri_mo3nu3wdok3o3vmn2bletbpo3y	bud_fby4sds2q4yysriftt7g2c72sa	Visits	["category 0", "category 1"]	\N	2	21	one person	0	2	1	replace_one	4120086915297c505101ed783ace490bf113329ae8b8eeec9ff966c26d9f320f	1	1796078632	\N	1796078632947324686	0	0	\N
dat_m2zq3p6uzvtz4fi2dedzbjcf74	pri_mo3nu3wdok3o3vmn2bletbpo3y	bud_zshhdedq7fpu5wjjr3adhnsj6e	Patients	["female · no", "female · yes", "male · no", "male · yes"]	[{"name": "sex", "levels": ["female", "male"]}, {"name": "ill", "levels": ["no", "yes"]}]	4	\N	one person	1	1	0	add_remove	2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df	1	1796078632	\N	1796078632978092167	0	0	\N
dat_2xgff2zu2bzufvbgqrvs7aaxye	pri_mo3nu3wdok3o3vmn2bletbpo3y	bud_fby4sds2q4yysriftt7g2c72sa	Gone	["category 0", "category 1"]	\N	2	3	one person	1	1	1	replace_one	e8622ca7e5fc836d08f09d0814360e0e278dce54bbeffc4e89829a6032f94f64	0	1796078639	1796078639	1796078639881350840	0	0	\N
dat_cgebqdipkzvzxkq6azvsvfyyvm	pri_mo3nu3wdok3o3vmn2bletbpo3y	bud_iw3vqsxdlzjxeiklzjfw2gquhy	Inherited	["category 0", "category 1"]	\N	2	15	one person	1	1	1	replace_one	31d5cbedc058d0949661f40e910822908467e813af9d3b630e074913a773388c	1	1796078640	\N	1796078640016761980	0	0	pri_6ht6phli3kfv6ps7l6ckilrlpa
dat_5phxrezlec55vnqea2flqtwn3u	pri_mo3nu3wdok3o3vmn2bletbpo3y	bud_fby4sds2q4yysriftt7g2c72sa	Survey of 1954	["female · never", "female · former", "female · current", "male · never", "male · former", "male · current"]	[{"name": "sex", "levels": ["female", "male"]}, {"name": "smoker", "levels": ["never", "former", "current"]}]	6	145	one person	1	1	1	replace_one	5031e120a96f82c9d42512ec9d3331c8a35a3ca315736f69fa9aaf771e494928	1	1796078632	\N	1796078632999452168	0	0	\N
dat_aqycnpbmyrprs7bmyba3kwa7xi	pri_5nck3a22mjpxbgywtz44q2r4kq	bud_fw6n2rr6tqh33ngj2zgevum4ve	Paid and not drawn	["category 0", "category 1"]	\N	2	11	one person	1	1	1	replace_one	9bbe85cbd08a5ceab381811f6537f05d966547ed5b625ee683f51159a711d6f2	1	1796078640	\N	1796078640671513995	0	0	\N
\.


--
-- Data for Name: encrypted_counts; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.encrypted_counts (dataset_id, key_id, ciphertext) FROM stdin;
dat_2arezachxljfwbuqldcwynpwle	k1	\\x885de820dac945722ffd6b549d5ad83836bd712f261301de5be6ff941ca8d4bf40493b1469f441ef246e8a1f
dat_3jfsebi2w75kwlzhtc7j3pibkq	k1	\\xe180d2229cde80cc4159db0f9422923955798079299f71aef24ba379e3a45c7ce0334cea45be88daf2f069837ba3125792509964dbca69e936a5926f91864d65f1d63510
dat_edt72w2kpe6ij6u6ozswewupou	k1	\\x5b429d5988e08808088ac17b034fe363110912266237e93dc5d5cd9fdfb42a150b429cf7594b7b71507a8346
dat_m2zq3p6uzvtz4fi2dedzbjcf74	k1	\\x81f2bf57f3ac2a4df92f84b87e0a88df9af50397e3f83c86097d7c0880f446313fbb53dee4bfc161663f164607593cfd5ae63c7ad4b634a3b1c0a4eb
dat_5phxrezlec55vnqea2flqtwn3u	k1	\\xf05d09e31f204f67ef3015b53e93ea2965f3fc68d7c47632cc57182ebe173607ea6cca856d1c3318f06d32f7500c9dd2a2aeba84f8c83772192054c805787866ad9c23baec3c4a588767db14
dat_cgebqdipkzvzxkq6azvsvfyyvm	k1	\\x0cd8ac8ef93defbd5a7bb51ad7591715d817e581785dcf49ac64a5e516b64a43e647ed6c24875ae013a3c0a3
dat_aqycnpbmyrprs7bmyba3kwa7xi	k1	\\x1cb02df36e2fdc3308d42c3ad05802131a2a6cd5c21edfd73efcd128fedf9dc746780ef6af596d36fe82e5eb
\.


--
-- Data for Name: enrolments; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.enrolments (id, principal_id, kind, secret_hash, issued_by, made_by, created_at, expires_at, used_at, ended_at) FROM stdin;
enr_455xdzjalx7uosqouyquai3lma	pri_mo3nu3wdok3o3vmn2bletbpo3y	token	0670aa6b2f7512d52307aa90a5c45d224eee8deda39a23d395d11883bc8a2317	pri_kdcfch5jlnz2spvakpplpk6gma	\N	1796078632	1796165032	1796078632	\N
enr_depjzfz4wc3hiy4nlaatkmdhga	pri_mo3nu3wdok3o3vmn2bletbpo3y	recovery_code	1e0db845ba2019928294ccc4fd010d3c91d01a3bb881afd4be5364c396684bc2	pri_kdcfch5jlnz2spvakpplpk6gma	enr_455xdzjalx7uosqouyquai3lma	1796078632	\N	\N	\N
enr_s3lmpzirocevile5ak2cha4sbu	pri_66fqvwnn6m7quzij4cecxy6xtu	token	d31d2c9bcfdcb9097a4d877fc9b5cf0ef77a5c95b1fc480d2fef0e9876ef2c7c	pri_kdcfch5jlnz2spvakpplpk6gma	\N	1796078632	1796165032	1796078632	\N
enr_pw65goertdotbqhd4isztjitia	pri_66fqvwnn6m7quzij4cecxy6xtu	recovery_code	a5e95c997e4eaf721d902da598719248111f4ae77ef2159d7b0fb8a69ed0518c	pri_kdcfch5jlnz2spvakpplpk6gma	enr_s3lmpzirocevile5ak2cha4sbu	1796078632	\N	\N	\N
enr_bsostc4qttysf5hv7fj4pzohke	pri_znzy2mmuuok54gwpj6rn6thcxi	token	f659634812c33c2735bc231de008b39add55da39ef57bc878b896b6f92b57684	pri_kdcfch5jlnz2spvakpplpk6gma	\N	1796078639	1796165039	1796078639	\N
enr_oq3g5votu6gbjke44suaokzbra	pri_znzy2mmuuok54gwpj6rn6thcxi	recovery_code	73051956c621fc8be0d369ca86f73ffd735deacab576cae0637c03624f68e847	pri_kdcfch5jlnz2spvakpplpk6gma	enr_bsostc4qttysf5hv7fj4pzohke	1796078639	\N	\N	\N
enr_y6fwwhkm7u5qykpgfebaom6jle	pri_kunkxxec7kbss4z7kxhr3mq73u	token	97d0646672ecaccfb876df2354517c9949d15ffaa44f2948392b8b15819cbeed	pri_kdcfch5jlnz2spvakpplpk6gma	\N	1796078639	1796165039	1796078639	\N
enr_shswy23gbsfx5sbkh66nkfztoi	pri_kunkxxec7kbss4z7kxhr3mq73u	recovery_code	bebbf82de4af2e570a06da9c33b59b15d8ccd0032d44eb1eaa83b2e8467648c7	pri_kdcfch5jlnz2spvakpplpk6gma	enr_y6fwwhkm7u5qykpgfebaom6jle	1796078639	\N	\N	\N
enr_jye6hx2bhnmgp6e2vbvcecjqsq	pri_6ht6phli3kfv6ps7l6ckilrlpa	token	4e7be577712cf2f4b6f71802cea2b6d14fa61fe2d6f709baf0f560ac8ea19383	pri_kdcfch5jlnz2spvakpplpk6gma	\N	1796078639	1796165039	1796078639	\N
enr_ibbbwo5qlciv4pvfvwsb34hlzu	pri_6ht6phli3kfv6ps7l6ckilrlpa	recovery_code	9ae4c1aee52904ba3a13a97af138ea8f8d903e423cac4be3468860b505aa6cab	pri_kdcfch5jlnz2spvakpplpk6gma	enr_jye6hx2bhnmgp6e2vbvcecjqsq	1796078639	\N	\N	\N
enr_7ldaswtcfxhfr57c5d3t5z2ira	pri_5nck3a22mjpxbgywtz44q2r4kq	token	01d038216c80cdcd3c09f35053875ca47de2f4ecbcc6346945ba03ed4f6df583	pri_kdcfch5jlnz2spvakpplpk6gma	\N	1796078640	1796165040	1796078640	\N
enr_7akzgkl24mylb3ug5gbr6omcry	pri_5nck3a22mjpxbgywtz44q2r4kq	recovery_code	026680e6f75580b46b22480e4f3069f22203bdce162135cd33b4117099c3ba22	pri_kdcfch5jlnz2spvakpplpk6gma	enr_7ldaswtcfxhfr57c5d3t5z2ira	1796078640	\N	\N	\N
\.


--
-- Data for Name: entries; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.entries (budget_id, sequence, kind, epsilon, delta, rho, principal_id, subject_id, detail, created_at, previous_hash, hash) FROM stdin;
bud_fby4sds2q4yysriftt7g2c72sa	1	budget_opened	1000000000	1000000000000	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	bud_fby4sds2q4yysriftt7g2c72sa	{"accountant":"basic","api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","delta":"0.000001","delta_conversion":"0","epsilon":"1","name":"budget 18","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078632	29540a142b665cdeade5fec6bfe4c4727c35f971a35a2fe5c11d5545a17f2d6c	67059a313178383ae28273218e0d0405e17dbded93ecd0d0567fae6371c0cfd7
bud_fby4sds2q4yysriftt7g2c72sa	2	dataset_registered	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	dat_2arezachxljfwbuqldcwynpwle	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","category_count":2,"commitment":"0e81739c6dfc00373f1ac567f9a304f6891c2ebfd7a402f6166e5cdc9b343fb3","description_sha256":"9c22a092edbb94054af17b0474fcce9e26eaafd83379799dd0f066543381605d","name":"Trial","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2},"record_count":240,"records_per_unit":1,"relation":"replace_one"}	1796078632	67059a313178383ae28273218e0d0405e17dbded93ecd0d0567fae6371c0cfd7	94d1cae5cdd35db6cca6a8a56670ef52a63891167fe88c040a2c4ee8b18a6905
bud_mxo5sekxrnkznejch74fdhesge	1	budget_opened	0	1000000000000	222112455378	pri_mo3nu3wdok3o3vmn2bletbpo3y	bud_mxo5sekxrnkznejch74fdhesge	{"accountant":"zcdp","api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","delta":"0.00001","delta_conversion":"0.000009","epsilon":"3","name":"Many looks","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078632	e1c10d2a4cd10fac39afc428b40874b450755c04a548652ae862541e2f9225c8	f2bfeb1121477d330df9202c5e66005055c14ba674536191dbe97a94375b5fd4
bud_mxo5sekxrnkznejch74fdhesge	2	dataset_registered	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	dat_3jfsebi2w75kwlzhtc7j3pibkq	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","category_count":5,"commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","description_sha256":"40fcae7512c61fd3b9a280b1e22bd5f99f742b40b44814aac5c3300e6c555c7f","name":"Clinics","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2},"record_count":667,"records_per_unit":1,"relation":"replace_one"}	1796078632	f2bfeb1121477d330df9202c5e66005055c14ba674536191dbe97a94375b5fd4	8b90a886caa70bf00a98bc5243433b6ea231af3ffb0ecbc2e3635715ec19a18e
bud_fby4sds2q4yysriftt7g2c72sa	3	dataset_registered	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	dat_edt72w2kpe6ij6u6ozswewupou	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","category_count":2,"commitment":"4120086915297c505101ed783ace490bf113329ae8b8eeec9ff966c26d9f320f","description_sha256":"9c22a092edbb94054af17b0474fcce9e26eaafd83379799dd0f066543381605d","name":"Visits","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2},"record_count":21,"records_per_unit":2,"relation":"replace_one"}	1796078632	94d1cae5cdd35db6cca6a8a56670ef52a63891167fe88c040a2c4ee8b18a6905	cd8e74c42f02dade1e035c507f6bfef8f9c0a82dbbaf3c3c315871f62d9ff1a6
bud_zshhdedq7fpu5wjjr3adhnsj6e	1	budget_opened	1000000000	1000000000000	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	bud_zshhdedq7fpu5wjjr3adhnsj6e	{"accountant":"basic","api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","delta":"0.000001","delta_conversion":"0","epsilon":"1","name":"budget 24","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078632	ce9637ad12c6eeda2407aff5bd28f4eb5223d1c62668e4fe744e8f3b442ca94f	60a6b0ec96ee9a14c883fd495f6f757c5db0fafc7989b3afaedaf9d0ff58d60a
bud_zshhdedq7fpu5wjjr3adhnsj6e	2	dataset_registered	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	dat_m2zq3p6uzvtz4fi2dedzbjcf74	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","category_count":4,"commitment":"2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df","description_sha256":"b3f9120bc95faf691d4b32ffb7ecc2f9da1b9af0aeb87adc9c1c10d5c8152df0","name":"Patients","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2},"record_count":null,"records_per_unit":1,"relation":"add_remove"}	1796078632	60a6b0ec96ee9a14c883fd495f6f757c5db0fafc7989b3afaedaf9d0ff58d60a	80330271a3be04dbc1a3a4695255199914aa38bd10ab0ba78109e550e2fbaf8d
bud_fby4sds2q4yysriftt7g2c72sa	4	dataset_registered	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	dat_5phxrezlec55vnqea2flqtwn3u	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","category_count":6,"commitment":"5031e120a96f82c9d42512ec9d3331c8a35a3ca315736f69fa9aaf771e494928","description_sha256":"1a7deba4667b7c04b77daec6f30c33ba186fcb007e9a6812f96ba6d10acd6aab","name":"Survey","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2},"record_count":145,"records_per_unit":1,"relation":"replace_one"}	1796078633	cd8e74c42f02dade1e035c507f6bfef8f9c0a82dbbaf3c3c315871f62d9ff1a6	fc4a746fd7ef1270b029d170fd5b18f0367d655c0e7ce6e8bfdb2ade4cccd963
bud_fby4sds2q4yysriftt7g2c72sa	5	dataset_listed	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	dat_2arezachxljfwbuqldcwynpwle	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078633	fc4a746fd7ef1270b029d170fd5b18f0367d655c0e7ce6e8bfdb2ade4cccd963	63264f5de29ac603b99b358c7642d9c3897e803c925556793ab9099935604ba4
bud_fby4sds2q4yysriftt7g2c72sa	6	grant_opened	900000000	800000000000	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	gra_cs7aeattcjokv3k5sop5awv254	{"analyst_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","dataset_id":"dat_2arezachxljfwbuqldcwynpwle","expires_at":32472144000,"principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078633	63264f5de29ac603b99b358c7642d9c3897e803c925556793ab9099935604ba4	bc7c1b8f97ab29bf26ce1e3c69656bb303717885712d63bd2017af4bc5c32018
bud_mxo5sekxrnkznejch74fdhesge	3	grant_opened	0	800000000000	140000000000	pri_mo3nu3wdok3o3vmn2bletbpo3y	gra_cwhvfjbdkol6lyc7iistuqqrsq	{"analyst_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","expires_at":32472144000,"principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078633	8b90a886caa70bf00a98bc5243433b6ea231af3ffb0ecbc2e3635715ec19a18e	0e19b65ad1775c5ede407ed7193d4cc28d9ceaeef963dce67f84005dc96085c5
bud_fby4sds2q4yysriftt7g2c72sa	7	release_charged	100000000	0	0	pri_66fqvwnn6m7quzij4cecxy6xtu	rel_krzbxg4b3pibl3rtmqvqisgqvi	{"api_key_id":"key_rsd3kg724owbvf6tcwnvq3psh4","commitment":"0e81739c6dfc00373f1ac567f9a304f6891c2ebfd7a402f6166e5cdc9b343fb3","dataset_id":"dat_2arezachxljfwbuqldcwynpwle","grant_id":"gra_cs7aeattcjokv3k5sop5awv254","key_hash":"effcff8d386801bca2235ed35258f04c88f79e9447c2f8ff7ac6cadad2a3904f","mechanism":"simplex_geometric","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"21df3827e5c1f64b8220d2d7cd5ac218c32af1dadd3401853c77b4a5a67087b1","principal_head":{"hash":"cd7fe8e4241a4802d9c9f94c00dcffa42de8dd2540bea2917a4cc30b5ef3eb38","sequence":2},"spec_sha256":"10a7363c7c7dd16567922b0c458c6387d519169ca8b5df194b816224b50c3fcd"}	1796078633	bc7c1b8f97ab29bf26ce1e3c69656bb303717885712d63bd2017af4bc5c32018	7fd883a23a045be4160ca2594f4286c4fd7618197db1fd735ff2f3474969ed37
bud_fby4sds2q4yysriftt7g2c72sa	8	release_charged	99997009	100000000000	0	pri_66fqvwnn6m7quzij4cecxy6xtu	rel_csrbgzbgzsmoy27d37ul6hfmdq	{"api_key_id":"key_rsd3kg724owbvf6tcwnvq3psh4","commitment":"0e81739c6dfc00373f1ac567f9a304f6891c2ebfd7a402f6166e5cdc9b343fb3","dataset_id":"dat_2arezachxljfwbuqldcwynpwle","grant_id":"gra_cs7aeattcjokv3k5sop5awv254","key_hash":"d26f4e2a9ee413f9706fbaa11271335c22d73e85458712cba223c0f12b6e0ccd","mechanism":"exponential","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"5c75d8bcac01bd8a4ee232410a601bf963c508b61479813fa9a4baea523fa9c7","principal_head":{"hash":"cd7fe8e4241a4802d9c9f94c00dcffa42de8dd2540bea2917a4cc30b5ef3eb38","sequence":2},"spec_sha256":"48de9568da6bad5d723e32b67476db1a50dea093102b678cb885bb613747710c"}	1796078635	7fd883a23a045be4160ca2594f4286c4fd7618197db1fd735ff2f3474969ed37	05d3c75b2018a0aec52b689ab25e3f5bfa1617976dab0c44dac14fc826ab2fec
bud_mxo5sekxrnkznejch74fdhesge	4	release_charged	0	0	2856598834	pri_66fqvwnn6m7quzij4cecxy6xtu	rel_clnjagnqntqabgqambznxz6atq	{"api_key_id":"key_rsd3kg724owbvf6tcwnvq3psh4","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"ef4f46de1befd3b19bec1d976cdaea4d3776e8d4aba99a5ce0d71b673bf54cf3","mechanism":"simplex_geometric","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"869e8a6318cdd4f920216d6b797286dc1a6c6a3cacdfb23496cd4d07d076e753","principal_head":{"hash":"cd7fe8e4241a4802d9c9f94c00dcffa42de8dd2540bea2917a4cc30b5ef3eb38","sequence":2},"spec_sha256":"d50ee1ae431e2a16942bbc3ea9e59afc9fc7a923a40acb7b08b730c728420921"}	1796078635	0e19b65ad1775c5ede407ed7193d4cc28d9ceaeef963dce67f84005dc96085c5	2fe982e5e233e12b3764052c0f381a7ff9abb185bc4c8664b78334ee8d6ea8ab
bud_mxo5sekxrnkznejch74fdhesge	5	release_charged	0	0	2438528778	pri_66fqvwnn6m7quzij4cecxy6xtu	rel_pny5wqpbh2madp5qsozj7x3rwu	{"api_key_id":"key_rsd3kg724owbvf6tcwnvq3psh4","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"eb02a0cc84f5cd0db9abc046a858340d350dc05af8fe7315bbc6453bfd2c658e","mechanism":"laplace","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"f5f296efda785d4bccf1f9c0daaa476cdbbcf9a88fd79c2bec9c01cbb0b5b8e5","principal_head":{"hash":"cd7fe8e4241a4802d9c9f94c00dcffa42de8dd2540bea2917a4cc30b5ef3eb38","sequence":2},"spec_sha256":"0208b80d8a0289db392da173fb54cafdf8258e23aeba92e29a68284d2725d348"}	1796078635	2fe982e5e233e12b3764052c0f381a7ff9abb185bc4c8664b78334ee8d6ea8ab	6d1a67cba250496db1a85b5a68c88b2aabe6e2a08f9b1245ce5039717b73b86c
bud_mxo5sekxrnkznejch74fdhesge	6	release_charged	0	0	10000000000	pri_66fqvwnn6m7quzij4cecxy6xtu	rel_ga63m47ofypfyi4ffwcogxofgm	{"api_key_id":"key_rsd3kg724owbvf6tcwnvq3psh4","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"8b6878eb1c1f54f8e2610e49d123e8d3c66a3c1812cc42a2469d3d0919dfaef6","mechanism":"gaussian","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"a34cc19a2c81ba1cbf3ef786276ef49f5286a3514a7b9929f4e2876ec44b4f13","principal_head":{"hash":"cd7fe8e4241a4802d9c9f94c00dcffa42de8dd2540bea2917a4cc30b5ef3eb38","sequence":2},"spec_sha256":"14bfbe9eb542437c1e130fc65016104df89b775eade59c3f32d561bee8b41a46"}	1796078635	6d1a67cba250496db1a85b5a68c88b2aabe6e2a08f9b1245ce5039717b73b86c	af8c7a840abc48039b251d8ffc4338022425fd758665e7bd93dc0c744215f3db
bud_mxo5sekxrnkznejch74fdhesge	7	release_charged	0	0	2321993715	pri_66fqvwnn6m7quzij4cecxy6xtu	rel_2gxry3uqxrlbl5f7k5zbjkevse	{"api_key_id":"key_rsd3kg724owbvf6tcwnvq3psh4","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"501a8e4479b9653d0a563580fecb9374e70c51af31c76f2b84405663e62c48c6","mechanism":"exponential","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"9891646870209e0ddf7e2ef8e577719f0ae104264c274aa4dade10589d48e691","principal_head":{"hash":"cd7fe8e4241a4802d9c9f94c00dcffa42de8dd2540bea2917a4cc30b5ef3eb38","sequence":2},"spec_sha256":"11419c44b830dd1c0ae7df2ad3d1b9d6ddf6ab2b81d403ac5b1f813cf4dbf33d"}	1796078636	af8c7a840abc48039b251d8ffc4338022425fd758665e7bd93dc0c744215f3db	c113d30afee13cce733811e769ee67d151c503daf9b19a1ba2ab05ad3d473275
bud_mxo5sekxrnkznejch74fdhesge	8	release_charged	0	0	5097263440	pri_66fqvwnn6m7quzij4cecxy6xtu	rel_zfdjhcapftva4gfsuifsb26kfu	{"api_key_id":"key_rsd3kg724owbvf6tcwnvq3psh4","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"144d8ba855969eef760661a331be1f0e3eac90f54e98864991cd1d4e2fbb3015","mechanism":"exponential_published","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"02d5c386ec9371c136d9948a7394d4116f55aadb05c5fdf110284beb1e379d36","principal_head":{"hash":"cd7fe8e4241a4802d9c9f94c00dcffa42de8dd2540bea2917a4cc30b5ef3eb38","sequence":2},"spec_sha256":"9784fb48bf18dfe7be33e9b027cfa7efc3e2808873d5d4d954c39daed77c5976"}	1796078636	c113d30afee13cce733811e769ee67d151c503daf9b19a1ba2ab05ad3d473275	e56002edb403761d5824a61e7a486b012d0396bfe3f8991979f6654fd825a54f
bud_mxo5sekxrnkznejch74fdhesge	9	release_charged	0	0	11249999939	pri_66fqvwnn6m7quzij4cecxy6xtu	rel_liroycbtgiqygxgjnustafphue	{"api_key_id":"key_rsd3kg724owbvf6tcwnvq3psh4","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"6f0552946f731a3d7e77e5b3c700a7965b2c45b61f8b1e96d19035cbe72ba71f","mechanism":"exponential_global","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"02aafdfc151db4f23b0c1ffcb24466eaafc7545a77b95be83cd7a71491284884","principal_head":{"hash":"cd7fe8e4241a4802d9c9f94c00dcffa42de8dd2540bea2917a4cc30b5ef3eb38","sequence":2},"spec_sha256":"b531568053e3af35e68ff31a6b83498ca938a98b22a8c9a4ad1d2a84ca73ba6c"}	1796078637	e56002edb403761d5824a61e7a486b012d0396bfe3f8991979f6654fd825a54f	0a838f10ff33331a24154908e1e3883eb9728ab371ef3efcd4dbe7491236cbab
bud_fby4sds2q4yysriftt7g2c72sa	9	release_charged	100000000	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	rel_nbs43agk2wjcev4jumaji5voee	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","commitment":"4120086915297c505101ed783ace490bf113329ae8b8eeec9ff966c26d9f320f","dataset_id":"dat_edt72w2kpe6ij6u6ozswewupou","key_hash":"855e17913fa801a081ddef4f18a5fc6dcb3b67823d96097ac480d2c81b7b4225","mechanism":"simplex_geometric","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"3315bd15c3a7156de8f2421c0fc34a82afe82a54d507c94c5ce4650dc92db53f","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2},"spec_sha256":"9f52c9cfd9d8fc1d1837912c94f9d08c85d55fd7d6e2d28cae8cfd7a11ede0a3"}	1796078637	05d3c75b2018a0aec52b689ab25e3f5bfa1617976dab0c44dac14fc826ab2fec	5803b5e4f89502b94663b0093ad09020b99bad328b082aa3c7a287dfca0135a8
bud_fby4sds2q4yysriftt7g2c72sa	24	dataset_listed	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	dat_5phxrezlec55vnqea2flqtwn3u	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078640	e8c7879da6bb68c5d74a03552208fdd5ba659cf77872c888e1ae6f499b1ead82	67eaf5b5fb84e491e3c92112825df4da983e89ba97bbfe9f40203198c45b5fba
bud_fby4sds2q4yysriftt7g2c72sa	10	release_published	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	rel_krzbxg4b3pibl3rtmqvqisgqvi	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078637	5803b5e4f89502b94663b0093ad09020b99bad328b082aa3c7a287dfca0135a8	a498268b01f3b7f182ba537d17cfc62d9f42ee883e63c25cb5312961b27630af
bud_fby4sds2q4yysriftt7g2c72sa	15	access_declined	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	acc_g5lswqugrhy4qhlmygfiinx4qi	{"analyst_id":"pri_znzy2mmuuok54gwpj6rn6thcxi","api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","dataset_id":"dat_2arezachxljfwbuqldcwynpwle","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078639	f47f1705d083fac9634c6a71ba835b1c680c4068cb425681e362d49a6f95983e	70ef07badfdb607947287dde9af5e25ae338d9d224b7c0c94557ffe5bb24b6fd
bud_fby4sds2q4yysriftt7g2c72sa	16	dataset_registered	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	dat_2xgff2zu2bzufvbgqrvs7aaxye	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","category_count":2,"commitment":"e8622ca7e5fc836d08f09d0814360e0e278dce54bbeffc4e89829a6032f94f64","description_sha256":"9c22a092edbb94054af17b0474fcce9e26eaafd83379799dd0f066543381605d","name":"Gone","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2},"record_count":3,"records_per_unit":1,"relation":"replace_one"}	1796078639	70ef07badfdb607947287dde9af5e25ae338d9d224b7c0c94557ffe5bb24b6fd	b738a41e67c6fc16545eec32a389baa5c3c94380c9491070634b20a3c938b52e
bud_fby4sds2q4yysriftt7g2c72sa	17	dataset_deleted	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	dat_2xgff2zu2bzufvbgqrvs7aaxye	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078639	b738a41e67c6fc16545eec32a389baa5c3c94380c9491070634b20a3c938b52e	77ec1499e5bfc74ca44ca1a868b803ebe8b10f567de3d4e3adc3be94420d6dab
bud_iw3vqsxdlzjxeiklzjfw2gquhy	1	budget_opened	1000000000	1000000000000	0	pri_6ht6phli3kfv6ps7l6ckilrlpa	bud_iw3vqsxdlzjxeiklzjfw2gquhy	{"accountant":"basic","api_key_id":"key_rcxpofad5qglgozi7dzitqjyaa","delta":"0.000001","delta_conversion":"0","epsilon":"1","name":"budget 30","principal_head":{"hash":"00389cebc96b03a6eca3ca8dc2f9e0fe98d1e08d8535b3194b1fee8f6bac1d67","sequence":2}}	1796078640	74653ef1a96e39b5c0b74ebc684a8159a32f66d5759df94a8a67e64412f52b7c	11dcbe07d8d4489cc11baeedc5dbc8241255fb41f61a7c1c61593f588c998e4f
bud_iw3vqsxdlzjxeiklzjfw2gquhy	2	dataset_registered	0	0	0	pri_6ht6phli3kfv6ps7l6ckilrlpa	dat_cgebqdipkzvzxkq6azvsvfyyvm	{"api_key_id":"key_rcxpofad5qglgozi7dzitqjyaa","category_count":2,"commitment":"31d5cbedc058d0949661f40e910822908467e813af9d3b630e074913a773388c","description_sha256":"9c22a092edbb94054af17b0474fcce9e26eaafd83379799dd0f066543381605d","name":"Inherited","principal_head":{"hash":"00389cebc96b03a6eca3ca8dc2f9e0fe98d1e08d8535b3194b1fee8f6bac1d67","sequence":2},"record_count":15,"records_per_unit":1,"relation":"replace_one"}	1796078640	11dcbe07d8d4489cc11baeedc5dbc8241255fb41f61a7c1c61593f588c998e4f	2f738f004765a591a58d2645836ad80543be953ee801d3d4ebc4fd78dc3ca22e
bud_iw3vqsxdlzjxeiklzjfw2gquhy	4	budget_frozen	0	0	0	pri_kdcfch5jlnz2spvakpplpk6gma	bud_iw3vqsxdlzjxeiklzjfw2gquhy	{"api_key_id":"key_4tfxarqe7nvsxac5otri2frxhm","principal_head":{"hash":"b194ddadd1492139e06792e41c0ea2d610c663203bed38c2c9a25bbdaa0c20c8","sequence":1}}	1796078640	e11ce54337aad6d3599d9e5b9cae8c4ecd93a0c3e24a1f98822d9e815b8869a2	7e97f8b31fa9a1430fa8bfd7f5d03b724720cc4bd8aac52d8042700d089155fd
bud_iw3vqsxdlzjxeiklzjfw2gquhy	5	budget_transferred	0	0	0	pri_kdcfch5jlnz2spvakpplpk6gma	bud_iw3vqsxdlzjxeiklzjfw2gquhy	{"api_key_id":"key_4tfxarqe7nvsxac5otri2frxhm","from":"pri_6ht6phli3kfv6ps7l6ckilrlpa","principal_head":{"hash":"b194ddadd1492139e06792e41c0ea2d610c663203bed38c2c9a25bbdaa0c20c8","sequence":1},"to":"pri_mo3nu3wdok3o3vmn2bletbpo3y"}	1796078640	7e97f8b31fa9a1430fa8bfd7f5d03b724720cc4bd8aac52d8042700d089155fd	7c084e0b48f31380dd6ff1e3ed52f61f80b9ea5ca6d6fd1c289d06bf40384077
bud_iw3vqsxdlzjxeiklzjfw2gquhy	6	budget_unfrozen	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	bud_iw3vqsxdlzjxeiklzjfw2gquhy	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078640	7c084e0b48f31380dd6ff1e3ed52f61f80b9ea5ca6d6fd1c289d06bf40384077	bca39d87fe3071e1aa54675b2099b9be0dc9b261b399e5d5713162a194719d07
bud_fby4sds2q4yysriftt7g2c72sa	18	budget_changed	8000000000	1000000000000	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	bud_fby4sds2q4yysriftt7g2c72sa	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","delta":"0.000001","epsilon":"8","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078640	77ec1499e5bfc74ca44ca1a868b803ebe8b10f567de3d4e3adc3be94420d6dab	33ee24c72973826ac5ab269f7bbc8ab827ebf9cfa908e266cd50c591c34043b8
bud_fby4sds2q4yysriftt7g2c72sa	19	budget_renamed	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	bud_fby4sds2q4yysriftt7g2c72sa	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","name":"Trials","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078640	33ee24c72973826ac5ab269f7bbc8ab827ebf9cfa908e266cd50c591c34043b8	c43d648ab9f9ae16bc585e55d2004464c19e21a9401df2ea8c94d2dc1b727a66
bud_fby4sds2q4yysriftt7g2c72sa	20	policy_changed	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	bud_fby4sds2q4yysriftt7g2c72sa	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","low_budget_percent":30,"principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078640	c43d648ab9f9ae16bc585e55d2004464c19e21a9401df2ea8c94d2dc1b727a66	c953afb4cf520b86ac4a834be459a8f5c1b1bb8d75a692ba541a50fa310e447c
bud_fby4sds2q4yysriftt7g2c72sa	21	dataset_renamed	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	dat_5phxrezlec55vnqea2flqtwn3u	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","name":"Survey of 1954","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078640	c953afb4cf520b86ac4a834be459a8f5c1b1bb8d75a692ba541a50fa310e447c	21d75cf194218660ed4e39a08657406d8361a620c64d16b6846bdbb0fa834cd4
bud_fby4sds2q4yysriftt7g2c72sa	22	history_shared	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	dat_5phxrezlec55vnqea2flqtwn3u	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078640	21d75cf194218660ed4e39a08657406d8361a620c64d16b6846bdbb0fa834cd4	5f7ef107db3ca2a05aaa7fa63c0dc85d44f2012871934b2e10d7cd7c4331169f
bud_fby4sds2q4yysriftt7g2c72sa	23	history_unshared	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	dat_5phxrezlec55vnqea2flqtwn3u	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078640	5f7ef107db3ca2a05aaa7fa63c0dc85d44f2012871934b2e10d7cd7c4331169f	e8c7879da6bb68c5d74a03552208fdd5ba659cf77872c888e1ae6f499b1ead82
bud_mxo5sekxrnkznejch74fdhesge	10	query_charged	0	0	0	pri_66fqvwnn6m7quzij4cecxy6xtu	qry_e2mdltetimzx5rbpw54p4nbdju	{"alone":[0,0,0],"api_key_id":"key_rsd3kg724owbvf6tcwnvq3psh4","blind":"bld_xojhew63jkk6odlyxi5lkkyfca","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","granted":[0,0,0],"key_hash":"edc908d7f9931efc8e937b51e7b7efd368fb67568afbdfccd8684fefbcbc373a","measured":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945","mechanism":"linear","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"c121518cfc7fb667ccd9fa8fbc3ccebc2e99859c58ea9de525d7ce6030d33fee","principal_head":{"hash":"cd7fe8e4241a4802d9c9f94c00dcffa42de8dd2540bea2917a4cc30b5ef3eb38","sequence":2},"spec_sha256":"a09a553667d3ea31e72cf5ea6725e4b3a447f0f72bf32ac553f476c8636dd842"}	1796078637	0a838f10ff33331a24154908e1e3883eb9728ab371ef3efcd4dbe7491236cbab	a6fd26632c30154f897d658fc790637ebfa87f4282f459010ec67b44eeec5c79
bud_mxo5sekxrnkznejch74fdhesge	11	release_charged	0	0	10000000000	pri_66fqvwnn6m7quzij4cecxy6xtu	rel_b4u2zbaoun45wkpgvis5wlqaka	{"api_key_id":"key_rsd3kg724owbvf6tcwnvq3psh4","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"ba698d632e6d35ec6f07b54ef6134559cf21b0d7a2d5b0b2d395f9e364702648","mechanism":"margins","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"f7fea55b25f15e83c6b9a98771adc0dda3492752e188d01793da4cdea5929845","principal_head":{"hash":"cd7fe8e4241a4802d9c9f94c00dcffa42de8dd2540bea2917a4cc30b5ef3eb38","sequence":2},"spec_sha256":"fc149d1b52e10e3f00e82ab34d8d096ca66102a151a4e3e077aacfc78447cc71"}	1796078637	a6fd26632c30154f897d658fc790637ebfa87f4282f459010ec67b44eeec5c79	252702e2c64c98d2a6415ab68f0282d4f2c1332f15f4b1fa6067ec832d4820d5
bud_zshhdedq7fpu5wjjr3adhnsj6e	3	query_charged	49928884	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	qry_5dx7z5tuhwk6wkf4jpr4hhcsbq	{"alone":[49928884,0,0],"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","blind":"bld_exqhzowiaclqklwezhukhkjfke","commitment":"2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","granted":[49928884,0,0],"key_hash":"cd616457e9c9f0bc66b18b19e4cf6e18a37ae2d550b2f2b71415c3f18850fc68","measured":"a2c4c48d16c750b16ed97a6dd4b903dbeb8c971638a1d99464691c8d6903945d","mechanism":"linear","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"5177298e4abf3da6ed4e127aac2de4e7782538ff0bf790cfa1ae0c188e3a9c60","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2},"spec_sha256":"d9ead0a33f8dc6069e78a84c5ae547f7d6ac728ecee44c9af43dd88cf7fa5c6a"}	1796078637	80330271a3be04dbc1a3a4695255199914aa38bd10ab0ba78109e550e2fbaf8d	0f57c8f50f7eafd2cf93fe0113c6bdf35a89a1aabc81b4f9a0527a00c97d1525
bud_zshhdedq7fpu5wjjr3adhnsj6e	4	release_charged	100000000	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	rel_tqt4yloivhtp6dwhm6ndtm3sku	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","commitment":"2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","key_hash":"1140179034028b60eeaf6bb827fa4ccedb210a4df48f870ef0cdf38395dba6ae","mechanism":"geometric","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"fa07a6a4d3963e6e03684aa7ee4535b26e49f38273592c4ad265d718eb455e5d","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2},"spec_sha256":"1259e2490806687bd377dffd4a3ce4cd002d24dc79f2febb83b8dd3e3aab30ef"}	1796078638	0f57c8f50f7eafd2cf93fe0113c6bdf35a89a1aabc81b4f9a0527a00c97d1525	4f67ea5c5a30e7ec0654fc08e7a2b8cc98e9ee3fa2913a4bae9e8d2dba6463bb
bud_zshhdedq7fpu5wjjr3adhnsj6e	5	release_charged	100000000	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	rel_kboaij2ms6bdnroa3ix6s3j6vy	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","commitment":"2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","key_hash":"475015d249d5cf0dd20ad1818cbc9292919dc85186ddda1022c3489508f1d59b","mechanism":"laplace","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"c91c115bc62e348ff083e53a263d07baca8bb01816abb08155875fa9bb9526f0","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2},"spec_sha256":"da8f259f089a874395ce3ecb5ae3b7e93ba31b0e4a027c0bbfdc8a2dc3e7471e"}	1796078638	4f67ea5c5a30e7ec0654fc08e7a2b8cc98e9ee3fa2913a4bae9e8d2dba6463bb	ea9355022baab2686f3b0b2f3eb647c5a3824b9ae8eda9e936c54671fab5847e
bud_zshhdedq7fpu5wjjr3adhnsj6e	6	release_charged	205575747	100000000000	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	rel_4akccuadsypymbv2yz7byqtvbq	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","commitment":"2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","key_hash":"2c9045e3a56107dbf7ed23d15ced7013149a5473ca093d2d07626fb7d399dcc9","mechanism":"gaussian","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"394702ae712534eb4c5cc101cb509a7c797df464390e9329a04ac68d15123db4","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2},"spec_sha256":"7014039a4c6246314f0b1e1ddec1f476e33483c09650bb3ab7bc29e8a3d92c58"}	1796078638	ea9355022baab2686f3b0b2f3eb647c5a3824b9ae8eda9e936c54671fab5847e	e19ecc64efd16403a86a4d69f6613aea3b5d72d3d57dc7aab617f5e0fd7cc775
bud_zshhdedq7fpu5wjjr3adhnsj6e	7	release_charged	200000000	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	rel_5yypnwgbsv2kiyv2kvjxiplkae	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","commitment":"2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","key_hash":"60df9852279da0431a5ed9a29fc6c631f6d4678c634a04ed7e2ae4695468f8d1","mechanism":"margins","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"ff30f42739acc7dc76982b1ef186e36cce96fa46b0ee8dc70b9fc5298035a7f6","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2},"spec_sha256":"472bac32b46625f9bc1104fed7fb8666c57cab4af9e34bddf6ba966f86dbaab6"}	1796078638	e19ecc64efd16403a86a4d69f6613aea3b5d72d3d57dc7aab617f5e0fd7cc775	d005a661930c7e24401a1a3648286fb98daf0d1dbfadd52b1906e25341defb63
bud_fby4sds2q4yysriftt7g2c72sa	11	release_charged	200000000	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	rel_k5dylehpqpjgqnxwakv4yp4ose	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","commitment":"5031e120a96f82c9d42512ec9d3331c8a35a3ca315736f69fa9aaf771e494928","dataset_id":"dat_5phxrezlec55vnqea2flqtwn3u","key_hash":"b97d7f8ff58338f70233c98e4bf46b89c60f6bbe10581112d3d6ad1b96e269e7","mechanism":"margins","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"cb719125c84aba4b532f670e24d206e035d0ab3d9b01df18d3bde7e57f11e361","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2},"spec_sha256":"886cf8b538b09adaa8785e80799102b907505c753f886b9eff950c0e5d509d9d"}	1796078638	a498268b01f3b7f182ba537d17cfc62d9f42ee883e63c25cb5312961b27630af	8525bacbdfa2b86dafe2c23c173dfa926178d80556a54f36e2d07c0155600b58
bud_fby4sds2q4yysriftt7g2c72sa	25	dataset_unlisted	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	dat_5phxrezlec55vnqea2flqtwn3u	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078640	67eaf5b5fb84e491e3c92112825df4da983e89ba97bbfe9f40203198c45b5fba	2154ae032bba973a574dfa058d15b687c6e3cb679c18faa5f54c20fa2a51ed14
bud_fby4sds2q4yysriftt7g2c72sa	12	release_charged	100000000	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	rel_dtes2ox37jt7gmcq73uq3ot6ui	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","commitment":"5031e120a96f82c9d42512ec9d3331c8a35a3ca315736f69fa9aaf771e494928","dataset_id":"dat_5phxrezlec55vnqea2flqtwn3u","key_hash":"3081ef1649a854eef51fb3a766354dd063cb619dc54a122329703c8da203ea24","mechanism":"simplex_geometric","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"cde63b5d67fb8af766f20f361c1c59c5294e9314e3a3710f8cc7531aa412d90f","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2},"spec_sha256":"103311a6cd13283ab300ef8c619cdd093c7a492a7e60d8851cf8d5cbf8e6d262"}	1796078638	8525bacbdfa2b86dafe2c23c173dfa926178d80556a54f36e2d07c0155600b58	74390a2f2f043617175c354dbd85f2f891a4a43cae70b87bfdcd12fbd519f4b1
bud_fby4sds2q4yysriftt7g2c72sa	13	release_charged	171708977	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	rel_kpqqvxselinncrr5kqfxjvwkqy	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","commitment":"5031e120a96f82c9d42512ec9d3331c8a35a3ca315736f69fa9aaf771e494928","dataset_id":"dat_5phxrezlec55vnqea2flqtwn3u","key_hash":"48481556f7782feb0092713a3e3bc042b68395d48d56cc99ef2553028185f6f8","mechanism":"margins","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"5b964f29355a991709a078167c179a3ff28a1e313362aa2a93803eb0a6c8a3ba","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2},"spec_sha256":"6327504809c396aef195069af2a33527bc816285edfc41a81782dcfc75b29608"}	1796078639	74390a2f2f043617175c354dbd85f2f891a4a43cae70b87bfdcd12fbd519f4b1	5072e04a1823a171fdf455069e2f3a4a20e93af013f3cff7c3f8c6e24efd2620
bud_fby4sds2q4yysriftt7g2c72sa	14	release_charged	100000000	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	rel_jv5fkwjqaaxg2vclk5jk52qs2m	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","commitment":"5031e120a96f82c9d42512ec9d3331c8a35a3ca315736f69fa9aaf771e494928","dataset_id":"dat_5phxrezlec55vnqea2flqtwn3u","key_hash":"25c1a37322a60bfb8b97f0fae21656e584711a4f439165bfd93c69bc4bddb3c1","mechanism":"simplex_geometric","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"bd6867e9ca9a34e70f634f862f9606522d7a39599ba0b581f6eac91a8506d585","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2},"spec_sha256":"f7c5ab5df02c3f125d531851fea2e906424ee129ad15d4ba6ba76e7dbcc7aa55"}	1796078639	5072e04a1823a171fdf455069e2f3a4a20e93af013f3cff7c3f8c6e24efd2620	f47f1705d083fac9634c6a71ba835b1c680c4068cb425681e362d49a6f95983e
bud_iw3vqsxdlzjxeiklzjfw2gquhy	3	release_charged	100000000	0	0	pri_6ht6phli3kfv6ps7l6ckilrlpa	rel_w5qaythg6ptgvbq7t6lt3kmlgi	{"api_key_id":"key_rcxpofad5qglgozi7dzitqjyaa","commitment":"31d5cbedc058d0949661f40e910822908467e813af9d3b630e074913a773388c","dataset_id":"dat_cgebqdipkzvzxkq6azvsvfyyvm","key_hash":"72c5d9a62cb2ca3340d1b394b1dcf5a700864e5ad064537147e1634a10cc278a","mechanism":"simplex_geometric","owner_id":"pri_6ht6phli3kfv6ps7l6ckilrlpa","payload_hash":"e01dbcc7130eb769e17fe416007cf5d0b76435125aea651602521d44762f0116","principal_head":{"hash":"00389cebc96b03a6eca3ca8dc2f9e0fe98d1e08d8535b3194b1fee8f6bac1d67","sequence":2},"spec_sha256":"d02295deed7d5c3043c8187f8c2fe291c37b858558322dc3e7c0756b19ab1da0"}	1796078640	2f738f004765a591a58d2645836ad80543be953ee801d3d4ebc4fd78dc3ca22e	e11ce54337aad6d3599d9e5b9cae8c4ecd93a0c3e24a1f98822d9e815b8869a2
bud_fby4sds2q4yysriftt7g2c72sa	26	grant_changed	800000000	800000000000	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	gra_cs7aeattcjokv3k5sop5awv254	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078640	2154ae032bba973a574dfa058d15b687c6e3cb679c18faa5f54c20fa2a51ed14	332469a5428b6d1e33f28638b28d4b91f341ac7a78a4b8ab11560c54bfcfdc1d
bud_fby4sds2q4yysriftt7g2c72sa	27	grant_closed	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	gra_cs7aeattcjokv3k5sop5awv254	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078640	332469a5428b6d1e33f28638b28d4b91f341ac7a78a4b8ab11560c54bfcfdc1d	97df672d73105664c290aab72ef92ac4f8b8f6af6c9f30137b785a7772077c31
bud_fby4sds2q4yysriftt7g2c72sa	28	grant_reopened	0	0	0	pri_mo3nu3wdok3o3vmn2bletbpo3y	gra_cs7aeattcjokv3k5sop5awv254	{"api_key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","principal_head":{"hash":"f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b","sequence":2}}	1796078640	97df672d73105664c290aab72ef92ac4f8b8f6af6c9f30137b785a7772077c31	852992d9b3939a95c3ab68229cf16927a64c26b4695d248d5c6357db8e24f292
bud_fw6n2rr6tqh33ngj2zgevum4ve	1	budget_opened	1000000000	1000000000000	0	pri_5nck3a22mjpxbgywtz44q2r4kq	bud_fw6n2rr6tqh33ngj2zgevum4ve	{"accountant":"basic","api_key_id":"key_ptasllchftjuuz7ievtu535eyi","delta":"0.000001","delta_conversion":"0","epsilon":"1","name":"budget 32","principal_head":{"hash":"428c36702218b9aa623c149f1f5c630af6931c19576bc021cbcc361d46148a1c","sequence":2}}	1796078640	f8c1a5f19c3ac9a9e3b56da1425742d3229c4dc7727b79326034b06de78adfe5	2a52f689a22de20bdc262427cc7e2a25ac2e581174157ba32b1b463236c65947
bud_fw6n2rr6tqh33ngj2zgevum4ve	2	dataset_registered	0	0	0	pri_5nck3a22mjpxbgywtz44q2r4kq	dat_aqycnpbmyrprs7bmyba3kwa7xi	{"api_key_id":"key_ptasllchftjuuz7ievtu535eyi","category_count":2,"commitment":"9bbe85cbd08a5ceab381811f6537f05d966547ed5b625ee683f51159a711d6f2","description_sha256":"9c22a092edbb94054af17b0474fcce9e26eaafd83379799dd0f066543381605d","name":"Paid and not drawn","principal_head":{"hash":"428c36702218b9aa623c149f1f5c630af6931c19576bc021cbcc361d46148a1c","sequence":2},"record_count":11,"records_per_unit":1,"relation":"replace_one"}	1796078640	2a52f689a22de20bdc262427cc7e2a25ac2e581174157ba32b1b463236c65947	a59c819ae9d11ddb74c587ef1684e78919c6646a6cff433afbf7bef815411429
bud_fw6n2rr6tqh33ngj2zgevum4ve	3	release_charged	200000000	0	0	pri_5nck3a22mjpxbgywtz44q2r4kq	rel_cmb4so7dnodfl2cnoqc5whmzhq	{"api_key_id":"key_ptasllchftjuuz7ievtu535eyi","commitment":"9bbe85cbd08a5ceab381811f6537f05d966547ed5b625ee683f51159a711d6f2","dataset_id":"dat_aqycnpbmyrprs7bmyba3kwa7xi","key_hash":"dc6155f24a3daff245862c8c8537bc13cd680e4528a9c271d49820ca3936aba5","mechanism":"simplex_geometric","owner_id":"pri_5nck3a22mjpxbgywtz44q2r4kq","payload_hash":"52ee55945691be65f2b34791a90cb8c78dc08bd0a8de6dec7f999d90766b6a36","principal_head":{"hash":"428c36702218b9aa623c149f1f5c630af6931c19576bc021cbcc361d46148a1c","sequence":2},"spec_sha256":"5faf52277445f7bcab24291ecd13d2f37dee3dc6e12db0b49a47b6b1c78cd7f0"}	1796078647	a59c819ae9d11ddb74c587ef1684e78919c6646a6cff433afbf7bef815411429	c350ff67b964077a04895add8deda9ff8bf3ad6512a9e1dca6e58dc029f3c44a
\.


--
-- Data for Name: grants; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.grants (id, dataset_id, principal_id, epsilon_cap, delta_cap, rho_cap, epsilon_spent, delta_spent, rho_spent, expires_at, closed_at, created_at, created_nanoseconds, stored_bytes, owner_id, dataset_nanoseconds) FROM stdin;
gra_cwhvfjbdkol6lyc7iistuqqrsq	dat_3jfsebi2w75kwlzhtc7j3pibkq	pri_66fqvwnn6m7quzij4cecxy6xtu	0	800000000000	140000000000	0	0	43964384706	32472144000	\N	1796078633	1796078633093093484	111145	pri_mo3nu3wdok3o3vmn2bletbpo3y	1796078632921628514
gra_cs7aeattcjokv3k5sop5awv254	dat_2arezachxljfwbuqldcwynpwle	pri_66fqvwnn6m7quzij4cecxy6xtu	800000000	800000000000	0	199997009	100000000000	0	32472144000	\N	1796078633	1796078633058842284	23872	pri_mo3nu3wdok3o3vmn2bletbpo3y	1796078632874035658
\.


--
-- Data for Name: holdings; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.holdings (owner_id, budgets, datasets, grants) FROM stdin;
pri_6ht6phli3kfv6ps7l6ckilrlpa	0	0	0
pri_mo3nu3wdok3o3vmn2bletbpo3y	4	6	2
pri_5nck3a22mjpxbgywtz44q2r4kq	1	1	0
\.


--
-- Data for Name: hourly_spending; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.hourly_spending (budget_id, hour, releases, epsilon, delta, rho) FROM stdin;
bud_mxo5sekxrnkznejch74fdhesge	498910	7	0	0	43964384706
bud_zshhdedq7fpu5wjjr3adhnsj6e	498910	5	655504631	100000000000	0
bud_fby4sds2q4yysriftt7g2c72sa	498910	7	871705986	100000000000	0
bud_iw3vqsxdlzjxeiklzjfw2gquhy	498910	1	100000000	0	0
bud_fw6n2rr6tqh33ngj2zgevum4ve	498910	1	200000000	0	0
\.


--
-- Data for Name: installation; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.installation (id, identity, created_at, restore_pending_since, restores) FROM stdin;
1	b9e35d95cccd7f620837ac5a4b122041	1796078628	\N	0
\.


--
-- Data for Name: jobs; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.jobs (id, principal_id, key, kind, input, state, result, problem, created_at, finished_at, leased_until, tries, created_nanoseconds, signature, used_at) FROM stdin;
cer_kw6sudynqv4iqyfwqjkrmxbazi	pri_66fqvwnn6m7quzij4cecxy6xtu	4031337bf29654cc4dc47514234dba89e4e7e93020c0ba6e8c0216729007e063	certificate	{"mechanism": {"calibration": "certified", "delta": "0.0000001", "epsilon": "0.1", "kind": "exponential"}, "n": 240, "prior": ["1.0", "1.0"], "version": 4}	ready	{"certificate": {"details": {"loss": "0.099997008", "loss_range": "0.148875720", "rounding": "2.771e-11"}, "loss": {"delta": "0.0000001", "epsilon": "0.099997009", "rho": "0.001009435228", "rho_delta": "0"}, "method": "exact_channel", "relation": "replace_one", "statement": "(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel."}, "event": {"calibration": "certified", "delta": "0.0000001", "epsilon0": "0.146859191", "event": "exponential", "gamma": "0.0265", "n": 240, "prior": ["1.0", "1.0"], "uniform_admixture": null}}	\N	1796078635	1796078635	\N	0	1796078635830504106	{"body":{"computation":"certificate","input_sha256":"fbaf9913582f83a3e06fbb87495af13eeadcfa0ad6501b5441f62d719465742e","job_id":"cer_kw6sudynqv4iqyfwqjkrmxbazi","key":"4031337bf29654cc4dc47514234dba89e4e7e93020c0ba6e8c0216729007e063","kind":"private-posterior job 1","outcome_sha256":"874007bef745300889a8a02d4860f33454eaa5c32ec999e7800d704a78bc42bb","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu"},"key_id":"139e3940e64b5491","signature":"McTW6NSDdizHmYXt59BArZH36FRhKHFhu6gc4jSIFFH_acn9NWdiwYURMOo2_Rp75T8Y-v9uF0A00H3OJ96_AQ"}	1796078635
cer_7c5jq2kqwrbs37wtamfg3wjw44	pri_66fqvwnn6m7quzij4cecxy6xtu	116bc72db34d25c0f9a0db166068ef62ec8a968e5d8d95110bd1128d08d6bdac	certificate	{"mechanism": {"calibration": "proven", "delta": "0.0000001", "epsilon": "0.1", "kind": "exponential"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"change_of_rate": "0.044264479", "draw": "rejection", "excess_by_ratio": "0.059336596", "excess_by_tail": "1.355692916", "normalisers": "0.001824692", "rounding": "4.214e-11", "score": "0.053909420"}, "loss": {"delta": "0", "epsilon": "0.099998592", "rho": "0.002321993715", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3."}, "event": {"calibration": "proven", "delta": "0.0000001", "epsilon0": "0.10781884", "event": "exponential", "gamma": "0.0342", "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	\N	1796078636	1796078636	\N	0	1796078636242676232	{"body":{"computation":"certificate","input_sha256":"2781f561a3dd5da4a3c60da815abea8c06997f2f4b4b011ab408544c3e0d58f6","job_id":"cer_7c5jq2kqwrbs37wtamfg3wjw44","key":"116bc72db34d25c0f9a0db166068ef62ec8a968e5d8d95110bd1128d08d6bdac","kind":"private-posterior job 1","outcome_sha256":"9e575f9ddef8a9817b49d895f9646890759e0f13011249f0150f564410d563aa","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu"},"key_id":"139e3940e64b5491","signature":"u4Ct81GE2wnI17MRSU7azdP7tC1wUbdgbl5ZmadpJfEDgddHPTgJcJ-fLJVU0KXwbyNH1Q24gbMEV-eiYO7nAQ"}	1796078636
cer_kjxeb6pblk2x7r7k4sxpteu4by	pri_66fqvwnn6m7quzij4cecxy6xtu	a25e0502fec8106892833f732a280cb930adffa714474ded93453cfb3b853e38	certificate	{"mechanism": {"delta": "0.0000001", "kind": "exponential_published", "nominal_epsilon": "0.2"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"change_of_rate": "0.013980835", "draw": "rejection", "excess_by_ratio": "0.013980835", "excess_by_tail": "0.167125342", "normalisers": "0.005005989", "rounding": "6.634e-11", "score": "0.100000000"}, "loss": {"delta": "0", "epsilon": "0.118986825", "rho": "0.00509726344", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3."}, "event": {"calibration": "published", "delta": "0.0000001", "epsilon0": "0.2", "event": "exponential", "gamma": "0.004279815109635818", "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	\N	1796078636	1796078636	\N	0	1796078636598055447	{"body":{"computation":"certificate","input_sha256":"cd8127786ab6fc97cab3601ccf993b5e06627f7fce88aab8a5c11e085156d24b","job_id":"cer_kjxeb6pblk2x7r7k4sxpteu4by","key":"a25e0502fec8106892833f732a280cb930adffa714474ded93453cfb3b853e38","kind":"private-posterior job 1","outcome_sha256":"34f6cfbbd7c3f0aa462956dbdf1a7670c38fe10bbfaff26c29bf61445d6eb763","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu"},"key_id":"139e3940e64b5491","signature":"hsNFR-CmFZpfIS_vKFssHMM519BY1NkeXEAHLExCo3cRIc8BbEL2OT8Img0VFZoMK3rr_xNa4Jhh-k6aVJyzBg"}	1796078636
cer_njqi3o6kuasop6vj7atlyn2nne	pri_66fqvwnn6m7quzij4cecxy6xtu	469099b7acca9336f5c9388b7e6372b46896354dae0460b9a648d373284ba81e	certificate	{"mechanism": {"delta": "0.0000001", "epsilon": "0.3", "kind": "exponential_global"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"draw": "rejection", "normalisers": "0.002500479", "rounding": "1.782e-11", "score": "0.150000000"}, "loss": {"delta": "0", "epsilon": "0.15250048", "rho": "0.011249999939", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2."}, "event": {"calibration": "global", "delta": "0.0000001", "epsilon0": "0.299999999", "event": "exponential", "gamma": null, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	\N	1796078636	1796078636	\N	0	1796078636994051579	{"body":{"computation":"certificate","input_sha256":"16b4415c69e4b4e51c27ac2054afd57b731267e984bcbe902d047df1a4358510","job_id":"cer_njqi3o6kuasop6vj7atlyn2nne","key":"469099b7acca9336f5c9388b7e6372b46896354dae0460b9a648d373284ba81e","kind":"private-posterior job 1","outcome_sha256":"fbd90c1cc0dc5b798ba89715d11abbeec85c1ef5aeb499de633f430a08eb76f6","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu"},"key_id":"139e3940e64b5491","signature":"gkICgP0sHygzpZgg_8DluODS12QNGk3xA2e7XmZK9PuD-iAo7eqM3MRF65Tm4kkXA1-p0Z1ybHuhJ6cwx6IbDw"}	1796078636
\.


--
-- Data for Name: key_checks; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.key_checks (kind, key_id, check_value, created_at, retired_at) FROM stdin;
counts	k1	f522ac82754c352661661a5acc1c991766bc05de7d6ae91245ed185928313541	1796078629	\N
\.


--
-- Data for Name: principal_entries; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principal_entries (principal_id, sequence, kind, actor_id, subject_id, detail, created_at, previous_hash, hash) FROM stdin;
pri_kdcfch5jlnz2spvakpplpk6gma	1	key_issued	command-line	key_4tfxarqe7nvsxac5otri2frxhm	{"key_sha256":"327c67998592113a4220aeefa79fc925729d76d78f69875c7468d4d48f4f171f","role":"admin"}	1796078628	1d55424833ab3aa47e1dd228e03057549639f26df9cc3fe6fe1f7b7fc427f8c8	b194ddadd1492139e06792e41c0ea2d610c663203bed38c2c9a25bbdaa0c20c8
pri_mo3nu3wdok3o3vmn2bletbpo3y	1	token_issued	pri_kdcfch5jlnz2spvakpplpk6gma	enr_455xdzjalx7uosqouyquai3lma	{"recovers":false,"role":"owner","token_sha256":"2d27658e9b7ce0db67dfecfecf51326aa3fffa5228401e8f3dfbe72f9533a3a0"}	1796078632	4f0a19c9debe5c8e32b1da305744c593313c191f3fb24eb1bf3b314590f6b8b1	70e3334bcde3bd5665579931396283f30046ae1d868231c68afcdc6441599b0f
pri_mo3nu3wdok3o3vmn2bletbpo3y	2	enrolled	pri_mo3nu3wdok3o3vmn2bletbpo3y	enr_455xdzjalx7uosqouyquai3lma	{"code_sha256":"f4c4c405e417c208e0a374fd8ead676b5b460325081722b4c25627e08504bc37","issued_by":"pri_kdcfch5jlnz2spvakpplpk6gma","key_id":"key_kuf4ghdcqupz7tgqs657jz6qzq","key_sha256":"7de950475eeafebc78687a1863992afbe1e37c7e8a4390b89b13b8e0c231dc8a"}	1796078632	70e3334bcde3bd5665579931396283f30046ae1d868231c68afcdc6441599b0f	f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b
pri_66fqvwnn6m7quzij4cecxy6xtu	1	token_issued	pri_kdcfch5jlnz2spvakpplpk6gma	enr_s3lmpzirocevile5ak2cha4sbu	{"recovers":false,"role":"analyst","token_sha256":"69ee1bf2a70b3469e34e76330d9c2fcc6beefe6dc7c63b5545bc66b474d0fde1"}	1796078632	96204327ea935b6ed8d780b53513cdffceb3958f5b7555cde69d7fcc2b4679a8	20ddcb6e2028cdc771fd5feff98db4b7856716bca0c868c186ab8034a6a3aa17
pri_66fqvwnn6m7quzij4cecxy6xtu	2	enrolled	pri_66fqvwnn6m7quzij4cecxy6xtu	enr_s3lmpzirocevile5ak2cha4sbu	{"code_sha256":"add3f3cb629d834da97fc945fcdda7d0238cfd0053423c2357db15ce86de83d6","issued_by":"pri_kdcfch5jlnz2spvakpplpk6gma","key_id":"key_rsd3kg724owbvf6tcwnvq3psh4","key_sha256":"16792a5dad1d5a386163030b3b3e1ed46952de6c46988871953907f1ad8f6d4e"}	1796078632	20ddcb6e2028cdc771fd5feff98db4b7856716bca0c868c186ab8034a6a3aa17	cd7fe8e4241a4802d9c9f94c00dcffa42de8dd2540bea2917a4cc30b5ef3eb38
pri_znzy2mmuuok54gwpj6rn6thcxi	1	token_issued	pri_kdcfch5jlnz2spvakpplpk6gma	enr_bsostc4qttysf5hv7fj4pzohke	{"recovers":false,"role":"analyst","token_sha256":"3209798f7113e85f7496566fc9f7fc9c50f0f8421158c30ac5a158b79f80cb3c"}	1796078639	ede4eb3c94b76935b548ea3eb61db973b404a3fb5336a636143f9c2fae5f11f8	ea425501cd17df00f39a8d6f2525e91a44c51cdbfc90cca16b70b554b5d9e0a0
pri_znzy2mmuuok54gwpj6rn6thcxi	2	enrolled	pri_znzy2mmuuok54gwpj6rn6thcxi	enr_bsostc4qttysf5hv7fj4pzohke	{"code_sha256":"c26b479a6c04cc3b8ba62ffbe2cd67b91dbdb6ea5b3688175e4d14795a56890c","issued_by":"pri_kdcfch5jlnz2spvakpplpk6gma","key_id":"key_imata3w645wk5v5byjuuawcsna","key_sha256":"dd9f5d81b19774d7afc49c701f9e6e2ef10e2311d023b493679260f869863b53"}	1796078639	ea425501cd17df00f39a8d6f2525e91a44c51cdbfc90cca16b70b554b5d9e0a0	2296bb2d6f008019abd07dad41e52c96de283bfa9a01fa238f165c61eccf5e62
pri_znzy2mmuuok54gwpj6rn6thcxi	3	access_requested	pri_znzy2mmuuok54gwpj6rn6thcxi	acc_g5lswqugrhy4qhlmygfiinx4qi	{"api_key_id":"key_imata3w645wk5v5byjuuawcsna","dataset_id":"dat_2arezachxljfwbuqldcwynpwle","requested":[100000000,0,0]}	1796078639	2296bb2d6f008019abd07dad41e52c96de283bfa9a01fa238f165c61eccf5e62	d4faa493666cb60cecd391dc625e69a9fedcf11dc144f18a70b6969af4fc0cb6
pri_znzy2mmuuok54gwpj6rn6thcxi	4	access_requested	pri_znzy2mmuuok54gwpj6rn6thcxi	acc_qq4kohthdvj2nzvl6zux6kidoe	{"api_key_id":"key_imata3w645wk5v5byjuuawcsna","dataset_id":"dat_2arezachxljfwbuqldcwynpwle","requested":[50000000,0,0]}	1796078639	d4faa493666cb60cecd391dc625e69a9fedcf11dc144f18a70b6969af4fc0cb6	5788fb4ea73c960c8637f47cb618014fe3d90c8dd9328f67fcaaf1daa9c72fda
pri_kunkxxec7kbss4z7kxhr3mq73u	1	token_issued	pri_kdcfch5jlnz2spvakpplpk6gma	enr_y6fwwhkm7u5qykpgfebaom6jle	{"recovers":false,"role":"analyst","token_sha256":"ab94d865ce4702e4d9a3ee6feecc227f3790b3dcb4a2b64951838dc27fe1fd3c"}	1796078639	e9384d294001b76a64a7a1b808f610a3888b5adc9a3b058ca665abb641ffbacd	758f4bf0b11dbe561f0050d204ab01456e9d1d6074891362e30b80b7e131c625
pri_kunkxxec7kbss4z7kxhr3mq73u	2	enrolled	pri_kunkxxec7kbss4z7kxhr3mq73u	enr_y6fwwhkm7u5qykpgfebaom6jle	{"code_sha256":"1b74d215e10c9263c728d959a025d3c552cc2f3b00280c83f3cdde8a65dae07a","issued_by":"pri_kdcfch5jlnz2spvakpplpk6gma","key_id":"key_sozmyginkrfe6b2f26k73dasei","key_sha256":"01bdd07c8247238fbea80b2d9ca3361cb3fb026877ea108885c7e8963dad0d57"}	1796078639	758f4bf0b11dbe561f0050d204ab01456e9d1d6074891362e30b80b7e131c625	0093ce319576d9142b5016c5d44e22831d3f5d8616ed8af3c54b20950d11f2ec
pri_kunkxxec7kbss4z7kxhr3mq73u	3	principal_revoked	pri_kdcfch5jlnz2spvakpplpk6gma	pri_kunkxxec7kbss4z7kxhr3mq73u	{}	1796078639	0093ce319576d9142b5016c5d44e22831d3f5d8616ed8af3c54b20950d11f2ec	b3a016934f92876965222e512a3f0f6d93ec17783e4bcd1647859e83522ec0cc
pri_6ht6phli3kfv6ps7l6ckilrlpa	1	token_issued	pri_kdcfch5jlnz2spvakpplpk6gma	enr_jye6hx2bhnmgp6e2vbvcecjqsq	{"recovers":false,"role":"owner","token_sha256":"67d1227187ff96f11d210fd7e37b80d271562a45cac7356f3b6977000af1ee48"}	1796078639	e44c2e7208f255ecf76ce06e265b5ae1791888c1977df425d2fdc25195ddba11	b99ef79383e7566b00b028bcef8d6205a6f31bde600877cf65e5cb409d9f7ae1
pri_6ht6phli3kfv6ps7l6ckilrlpa	2	enrolled	pri_6ht6phli3kfv6ps7l6ckilrlpa	enr_jye6hx2bhnmgp6e2vbvcecjqsq	{"code_sha256":"ce25154c787cdf0e69e3698bbb9218dc29f66e0857eb69520a856329fa5de452","issued_by":"pri_kdcfch5jlnz2spvakpplpk6gma","key_id":"key_rcxpofad5qglgozi7dzitqjyaa","key_sha256":"d739256eb432d5e393f3566716b6a2e02bb421d3fbb01a4a84158c93f8ab0a0a"}	1796078639	b99ef79383e7566b00b028bcef8d6205a6f31bde600877cf65e5cb409d9f7ae1	00389cebc96b03a6eca3ca8dc2f9e0fe98d1e08d8535b3194b1fee8f6bac1d67
pri_6ht6phli3kfv6ps7l6ckilrlpa	3	principal_revoked	pri_kdcfch5jlnz2spvakpplpk6gma	pri_6ht6phli3kfv6ps7l6ckilrlpa	{}	1796078640	00389cebc96b03a6eca3ca8dc2f9e0fe98d1e08d8535b3194b1fee8f6bac1d67	fc57578b67288e6393c6258ceb616f0e02656515f51931258bb0b1f5102c3f29
pri_5nck3a22mjpxbgywtz44q2r4kq	1	token_issued	pri_kdcfch5jlnz2spvakpplpk6gma	enr_7ldaswtcfxhfr57c5d3t5z2ira	{"recovers":false,"role":"owner","token_sha256":"42738a846556ebcdb31436dd60189c215b30c665b3b8128ecef31aa9fbb7014a"}	1796078640	c76e4c416532039799c7b734ecf052ffa0907e9a932de77fb62b20347e1d1159	7909d0c7c4e6b012b71e20a641dc1cb361089dd062ed2f4ccf90938d5366e55e
pri_5nck3a22mjpxbgywtz44q2r4kq	2	enrolled	pri_5nck3a22mjpxbgywtz44q2r4kq	enr_7ldaswtcfxhfr57c5d3t5z2ira	{"code_sha256":"d7e60273e01c4fae6d4070799eb03bb1b02f53cad675cdfecced969394558d00","issued_by":"pri_kdcfch5jlnz2spvakpplpk6gma","key_id":"key_ptasllchftjuuz7ievtu535eyi","key_sha256":"ea1d054cb96e9ad249f2014042bf44bff3dbe48c4744c05d427e6ed4a32c3ea7"}	1796078640	7909d0c7c4e6b012b71e20a641dc1cb361089dd062ed2f4ccf90938d5366e55e	428c36702218b9aa623c149f1f5c630af6931c19576bc021cbcc361d46148a1c
\.


--
-- Data for Name: principal_names; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principal_names (principal_id, name) FROM stdin;
pri_kdcfch5jlnz2spvakpplpk6gma	first admin
pri_mo3nu3wdok3o3vmn2bletbpo3y	owner
pri_66fqvwnn6m7quzij4cecxy6xtu	analyst
pri_znzy2mmuuok54gwpj6rn6thcxi	another
pri_kunkxxec7kbss4z7kxhr3mq73u	gone
pri_6ht6phli3kfv6ps7l6ckilrlpa	leaving
pri_5nck3a22mjpxbgywtz44q2r4kq	late
\.


--
-- Data for Name: principals; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principals (id, role, created_at, revoked_at, frozen_until, recovery_id, sequence, head_hash, created_nanoseconds) FROM stdin;
pri_kdcfch5jlnz2spvakpplpk6gma	admin	1796078628	\N	\N	\N	1	b194ddadd1492139e06792e41c0ea2d610c663203bed38c2c9a25bbdaa0c20c8	1796078628123714258
pri_mo3nu3wdok3o3vmn2bletbpo3y	owner	1796078632	\N	\N	\N	2	f828531b2f8efde95502a0a77de379a3295203f857596a73759fe9dbe045d81b	1796078632727910331
pri_66fqvwnn6m7quzij4cecxy6xtu	analyst	1796078632	\N	\N	\N	2	cd7fe8e4241a4802d9c9f94c00dcffa42de8dd2540bea2917a4cc30b5ef3eb38	1796078632798312445
pri_znzy2mmuuok54gwpj6rn6thcxi	analyst	1796078639	\N	\N	\N	4	5788fb4ea73c960c8637f47cb618014fe3d90c8dd9328f67fcaaf1daa9c72fda	1796078639766635496
pri_kunkxxec7kbss4z7kxhr3mq73u	analyst	1796078639	1796078639	\N	\N	3	b3a016934f92876965222e512a3f0f6d93ec17783e4bcd1647859e83522ec0cc	1796078639920098708
pri_6ht6phli3kfv6ps7l6ckilrlpa	owner	1796078639	1796078640	\N	\N	3	fc57578b67288e6393c6258ceb616f0e02656515f51931258bb0b1f5102c3f29	1796078639972237247
pri_5nck3a22mjpxbgywtz44q2r4kq	owner	1796078640	\N	\N	\N	2	428c36702218b9aa623c149f1f5c630af6931c19576bc021cbcc361d46148a1c	1796078640634326947
\.


--
-- Data for Name: public_texts; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.public_texts (release_id, text, created_at) FROM stdin;
rel_krzbxg4b3pibl3rtmqvqisgqvi	{"kind":"counts","id":"rel_krzbxg4b3pibl3rtmqvqisgqvi","dataset_id":"dat_2arezachxljfwbuqldcwynpwle","budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[35.0,207.0],"noisy_counts":[34,206],"released_counts":[34,206],"categories":[{"label":"category 0","mean":0.1446280991735537,"standard_deviation":0.022563199954647593,"naive_interval":{"level":0.95,"low":0.10328749768211906,"high":0.19152657926775993}},{"label":"category 1","mean":0.8553719008264463,"standard_deviation":0.022563199954647593,"naive_interval":{"level":0.95,"low":0.80847342073224,"high":0.8967125023178809}}]},"created_at":"2026-11-30T22:43:53Z","signature":{"body":{"kind":"private-posterior release signature 1","release_id":"rel_krzbxg4b3pibl3rtmqvqisgqvi","sha256":"1e8912270009b275e18874fac381b22e26f31e4848917efc4c598f79451de340"},"key_id":"139e3940e64b5491","signature":"VbSDlgvQlxHVUNcaoLZiMKeGwDkf_1IBt40lXx3DeBvjuQkAkZV5I7e8pYEjaylUyvfsKCxX1Ch0iuC8VhOGBg"}}	1796078637
\.


--
-- Data for Name: query_charges; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.query_charges (release_id, dataset_id, budget_id, sequence, grant_id, measured, apart, epsilon_alone, delta_alone, rho_alone, epsilon_granted, delta_granted, rho_granted) FROM stdin;
qry_e2mdltetimzx5rbpw54p4nbdju	dat_3jfsebi2w75kwlzhtc7j3pibkq	bud_mxo5sekxrnkznejch74fdhesge	10	gra_cwhvfjbdkol6lyc7iistuqqrsq	[]	[]	0	0	0	0	0	0
qry_5dx7z5tuhwk6wkf4jpr4hhcsbq	dat_m2zq3p6uzvtz4fi2dedzbjcf74	bud_zshhdedq7fpu5wjjr3adhnsj6e	3	\N	[{"coefficients":[1,1,1,-1],"denominator":1,"rate":"0.049928884","relation":"add_remove"}]	[false]	49928884	0	0	49928884	0	0
\.


--
-- Data for Name: releases; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.releases (id, dataset_id, budget_id, sequence, principal_id, key_hash, payload_hash, spec, epsilon_charged, delta_charged, rho_charged, epsilon_remaining, delta_remaining, rho_remaining, receipt, created_at, state, leased_until, drawn, result, public_since, kind, owner_id, signature, noise) FROM stdin;
rel_csrbgzbgzsmoy27d37ul6hfmdq	dat_2arezachxljfwbuqldcwynpwle	bud_fby4sds2q4yysriftt7g2c72sa	8	pri_66fqvwnn6m7quzij4cecxy6xtu	d26f4e2a9ee413f9706fbaa11271335c22d73e85458712cba223c0f12b6e0ccd	5c75d8bcac01bd8a4ee232410a601bf963c508b61479813fa9a4baea523fa9c7	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"exponential","calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"exponential","n":240,"prior":["1.0","1.0"],"epsilon0":"0.146859191","gamma":"0.0265","uniform_admixture":null,"calibration":"certified","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"method":"exact_channel","statement":"(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel.","relation":"replace_one","details":{"loss":"0.099997008","loss_range":"0.148875720","rounding":"2.771e-11"}},"outcome":"signed"}	99997009	100000000000	0	700002991	700000000000	0	{"body":{"accountant":"basic","at":1796078635,"budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","chain_hash":"05d3c75b2018a0aec52b689ab25e3f5bfa1617976dab0c44dac14fc826ab2fec","commitment":"0e81739c6dfc00373f1ac567f9a304f6891c2ebfd7a402f6166e5cdc9b343fb3","dataset_id":"dat_2arezachxljfwbuqldcwynpwle","delta_units":100000000000,"epsilon_units":99997009,"grant_id":"gra_cs7aeattcjokv3k5sop5awv254","key_hash":"d26f4e2a9ee413f9706fbaa11271335c22d73e85458712cba223c0f12b6e0ccd","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"5c75d8bcac01bd8a4ee232410a601bf963c508b61479813fa9a4baea523fa9c7","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_csrbgzbgzsmoy27d37ul6hfmdq","rho_units":0,"sequence":8,"spec_sha256":"48de9568da6bad5d723e32b67476db1a50dea093102b678cb885bb613747710c"},"key_id":"139e3940e64b5491","signature":"EMVAQLkqBt6l1iVHSbghpBmvt4OTY4LOnLlKee5Qgk6bwer0fUZiYwLmkc43Ak9xD9qp-7NQnVHDx0PK0rmMDQ"}	1796078635	complete	1796078657	{"noisy": [54, 186], "on_simplex": [54, 186]}	{"kind":"counts","id":"rel_csrbgzbgzsmoy27d37ul6hfmdq","dataset_id":"dat_2arezachxljfwbuqldcwynpwle","budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"exponential","n":240,"prior":["1.0","1.0"],"epsilon0":"0.146859191","gamma":"0.0265","uniform_admixture":null,"calibration":"certified","delta":"0.0000001"},"prior":[1.0,1.0],"mechanism":{"kind":"exponential","calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"requested":{"calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"certified":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.099997009","delta":"0.0000001"},"remaining_after":{"accountant":"basic","epsilon":"0.700002991","delta":"0.0000007"},"certificate":{"method":"exact_channel","statement":"(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"details":{"loss":"0.099997008","loss_range":"0.148875720","rounding":"2.771e-11"}},"posterior":{"concentration":[55.0,187.0],"noisy_counts":[54,186],"released_counts":[54,186],"categories":[{"label":"category 0","mean":0.22727272727272727,"standard_deviation":0.026883366031433185,"naive_interval":{"level":0.95,"low":0.17679481165847233,"high":0.2820190919832347}},{"label":"category 1","mean":0.7727272727272727,"standard_deviation":0.026883366031433185,"naive_interval":{"level":0.95,"low":0.7179809080167653,"high":0.8232051883415277}}]},"created_at":"2026-11-30T22:43:55Z","receipt":{"body":{"accountant":"basic","at":1796078635,"budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","chain_hash":"05d3c75b2018a0aec52b689ab25e3f5bfa1617976dab0c44dac14fc826ab2fec","commitment":"0e81739c6dfc00373f1ac567f9a304f6891c2ebfd7a402f6166e5cdc9b343fb3","dataset_id":"dat_2arezachxljfwbuqldcwynpwle","delta_units":100000000000,"epsilon_units":99997009,"grant_id":"gra_cs7aeattcjokv3k5sop5awv254","key_hash":"d26f4e2a9ee413f9706fbaa11271335c22d73e85458712cba223c0f12b6e0ccd","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"5c75d8bcac01bd8a4ee232410a601bf963c508b61479813fa9a4baea523fa9c7","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_csrbgzbgzsmoy27d37ul6hfmdq","rho_units":0,"sequence":8,"spec_sha256":"48de9568da6bad5d723e32b67476db1a50dea093102b678cb885bb613747710c"},"key_id":"139e3940e64b5491","signature":"EMVAQLkqBt6l1iVHSbghpBmvt4OTY4LOnLlKee5Qgk6bwer0fUZiYwLmkc43Ak9xD9qp-7NQnVHDx0PK0rmMDQ"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"19d47381085405cecadef5f411c7e7c27fb30f07e131e88a63ee426cae2b9e86","drawn_sha256":"387bed25e6c75b688f3285e2fc82bb899f6af578d5de8ca51b8ba74a96ce252e","kind":"private-posterior outcome 1","release_id":"rel_csrbgzbgzsmoy27d37ul6hfmdq"},"key_id":"139e3940e64b5491","signature":"tLMthSfOZc0Q4kw6lnjHs4vCrIQC_qXi6UT_Vgr8zP5GZ3_nF1hr7QpDeFqstlO-prl5xtrwm_V2lTTR7svOAw"}	26ddb385aff3ad36efc38039896fc310fac2abc3650275768e7b7a916ffdb318
rel_krzbxg4b3pibl3rtmqvqisgqvi	dat_2arezachxljfwbuqldcwynpwle	bud_fby4sds2q4yysriftt7g2c72sa	7	pri_66fqvwnn6m7quzij4cecxy6xtu	effcff8d386801bca2235ed35258f04c88f79e9447c2f8ff7ac6cadad2a3904f	21df3827e5c1f64b8220d2d7cd5ac218c32af1dadd3401853c77b4a5a67087b1	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"outcome":"signed"}	100000000	0	0	800000000	800000000000	0	{"body":{"accountant":"basic","at":1796078633,"budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","chain_hash":"7fd883a23a045be4160ca2594f4286c4fd7618197db1fd735ff2f3474969ed37","commitment":"0e81739c6dfc00373f1ac567f9a304f6891c2ebfd7a402f6166e5cdc9b343fb3","dataset_id":"dat_2arezachxljfwbuqldcwynpwle","delta_units":0,"epsilon_units":100000000,"grant_id":"gra_cs7aeattcjokv3k5sop5awv254","key_hash":"effcff8d386801bca2235ed35258f04c88f79e9447c2f8ff7ac6cadad2a3904f","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"21df3827e5c1f64b8220d2d7cd5ac218c32af1dadd3401853c77b4a5a67087b1","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_krzbxg4b3pibl3rtmqvqisgqvi","rho_units":0,"sequence":7,"spec_sha256":"10a7363c7c7dd16567922b0c458c6387d519169ca8b5df194b816224b50c3fcd"},"key_id":"139e3940e64b5491","signature":"jHkYG_qRRmVRABbMo_O6QE1J43dqrN0jACZZngtkkEpyWRrvomtTib-BYTq7LOcpPHN2YpgZhuGetd0QTG5wDQ"}	1796078633	complete	1796078655	{"noisy": [34, 206], "on_simplex": [34, 206]}	{"kind":"counts","id":"rel_krzbxg4b3pibl3rtmqvqisgqvi","dataset_id":"dat_2arezachxljfwbuqldcwynpwle","budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.8","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[35.0,207.0],"noisy_counts":[34,206],"released_counts":[34,206],"categories":[{"label":"category 0","mean":0.1446280991735537,"standard_deviation":0.022563199954647593,"naive_interval":{"level":0.95,"low":0.10328749768211906,"high":0.19152657926775993}},{"label":"category 1","mean":0.8553719008264463,"standard_deviation":0.022563199954647593,"naive_interval":{"level":0.95,"low":0.80847342073224,"high":0.8967125023178809}}]},"created_at":"2026-11-30T22:43:53Z","receipt":{"body":{"accountant":"basic","at":1796078633,"budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","chain_hash":"7fd883a23a045be4160ca2594f4286c4fd7618197db1fd735ff2f3474969ed37","commitment":"0e81739c6dfc00373f1ac567f9a304f6891c2ebfd7a402f6166e5cdc9b343fb3","dataset_id":"dat_2arezachxljfwbuqldcwynpwle","delta_units":0,"epsilon_units":100000000,"grant_id":"gra_cs7aeattcjokv3k5sop5awv254","key_hash":"effcff8d386801bca2235ed35258f04c88f79e9447c2f8ff7ac6cadad2a3904f","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"21df3827e5c1f64b8220d2d7cd5ac218c32af1dadd3401853c77b4a5a67087b1","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_krzbxg4b3pibl3rtmqvqisgqvi","rho_units":0,"sequence":7,"spec_sha256":"10a7363c7c7dd16567922b0c458c6387d519169ca8b5df194b816224b50c3fcd"},"key_id":"139e3940e64b5491","signature":"jHkYG_qRRmVRABbMo_O6QE1J43dqrN0jACZZngtkkEpyWRrvomtTib-BYTq7LOcpPHN2YpgZhuGetd0QTG5wDQ"}}	1796078637	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"62316897d3cd9ca0d8a137c412152e965bb8bcecd7d965afcd5a2ffaeb3842cc","drawn_sha256":"c6b593103b1090f01dbddab355cddb92ffd94d373ffa1a07fdb544815868d31a","kind":"private-posterior outcome 1","release_id":"rel_krzbxg4b3pibl3rtmqvqisgqvi"},"key_id":"139e3940e64b5491","signature":"M5F1YCMl5hMmPg8jTSHIhLzpEdE7y15hetV1knl5SdHzc3VVmgUf-8t42cgUuQNfK0UJtjK6G0HpKu58cjXQDA"}	4d56419fbe29d8a607904873e77be33fb8662b16d51d59b5071bab6dc9093f65
rel_clnjagnqntqabgqambznxz6atq	dat_3jfsebi2w75kwlzhtc7j3pibkq	bud_mxo5sekxrnkznejch74fdhesge	4	pri_66fqvwnn6m7quzij4cecxy6xtu	ef4f46de1befd3b19bec1d976cdaea4d3776e8d4aba99a5ce0d71b673bf54cf3	869e8a6318cdd4f920216d6b797286dc1a6c6a3cacdfb23496cd4d07d076e753	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"simplex_geometric","n":667,"m":5,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"outcome":"signed"}	0	0	2856598834	0	800000000000	137143401166	{"body":{"accountant":"zcdp","at":1796078635,"budget_id":"bud_mxo5sekxrnkznejch74fdhesge","chain_hash":"2fe982e5e233e12b3764052c0f381a7ff9abb185bc4c8664b78334ee8d6ea8ab","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","delta_units":0,"epsilon_units":0,"grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"ef4f46de1befd3b19bec1d976cdaea4d3776e8d4aba99a5ce0d71b673bf54cf3","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"869e8a6318cdd4f920216d6b797286dc1a6c6a3cacdfb23496cd4d07d076e753","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_clnjagnqntqabgqambznxz6atq","rho_units":2856598834,"sequence":4,"spec_sha256":"d50ee1ae431e2a16942bbc3ea9e59afc9fc7a923a40acb7b08b730c728420921"},"key_id":"139e3940e64b5491","signature":"lMd05TPmdSXqZycX2IiL3rzPEN5KkJroPLe_HzVeaBa0gvkfQYx0UIdkoO71Zjg_WVL3Y2KI7VtMVXpcs7RcDg"}	1796078635	complete	1796078657	{"noisy": [57, 301, -7, 52, 264], "on_simplex": [55, 299, 0, 51, 262]}	{"kind":"counts","id":"rel_clnjagnqntqabgqambznxz6atq","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","budget_id":"bud_mxo5sekxrnkznejch74fdhesge","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"simplex_geometric","n":667,"m":5,"epsilon":"0.1"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002856598834","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.137143401166","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[55.5,299.5,0.5,51.5,262.5],"noisy_counts":[57,301,-7,52,264],"released_counts":[55,299,0,51,262],"categories":[{"label":"female · yes","mean":0.08289768483943241,"standard_deviation":0.01064831045598462,"naive_interval":{"level":0.95,"low":0.06323794595657237,"high":0.10491560939166243}},{"label":"female · no","mean":0.44734876773711724,"standard_deviation":0.019202125462658266,"naive_interval":{"level":0.95,"low":0.4098743650122514,"high":0.48512114093425807}},{"label":"female · unknown","mean":0.0007468259895444362,"standard_deviation":0.0010549893818436278,"naive_interval":{"level":0.95,"low":7.342569629795003e-7,"high":0.0037491302822801123}},{"label":"male · yes","mean":0.07692307692307693,"standard_deviation":0.010290770186010018,"naive_interval":{"level":0.95,"low":0.05798225171079807,"high":0.09825562385887336}},{"label":"male · no","mean":0.392083644510829,"standard_deviation":0.018854363947048907,"naive_interval":{"level":0.95,"low":0.3554477267450082,"high":0.4293302861533547}}]},"created_at":"2026-11-30T22:43:55Z","receipt":{"body":{"accountant":"zcdp","at":1796078635,"budget_id":"bud_mxo5sekxrnkznejch74fdhesge","chain_hash":"2fe982e5e233e12b3764052c0f381a7ff9abb185bc4c8664b78334ee8d6ea8ab","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","delta_units":0,"epsilon_units":0,"grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"ef4f46de1befd3b19bec1d976cdaea4d3776e8d4aba99a5ce0d71b673bf54cf3","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"869e8a6318cdd4f920216d6b797286dc1a6c6a3cacdfb23496cd4d07d076e753","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_clnjagnqntqabgqambznxz6atq","rho_units":2856598834,"sequence":4,"spec_sha256":"d50ee1ae431e2a16942bbc3ea9e59afc9fc7a923a40acb7b08b730c728420921"},"key_id":"139e3940e64b5491","signature":"lMd05TPmdSXqZycX2IiL3rzPEN5KkJroPLe_HzVeaBa0gvkfQYx0UIdkoO71Zjg_WVL3Y2KI7VtMVXpcs7RcDg"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"e2ce549c1e323cb7c42e7921e4620542f4d17f3e5913d30659d05876acc247cd","drawn_sha256":"cf79f9bf6ec449386b63191385b23a8817b02c01e2ec3762dceb5b9ab8fef4ab","kind":"private-posterior outcome 1","release_id":"rel_clnjagnqntqabgqambznxz6atq"},"key_id":"139e3940e64b5491","signature":"bS9CR6-DTVwr2WoDEAHsXzUgQEbZ8b3MmSd0HqdU6vsSbXvo-LKi7BBV7SlfG8R5JLKwUDUgbRfPQLCjNYsnDw"}	d78e9a5e0f16b11d1d91d5ee3426d406adfe5204ff9e9de120f1cc2fb4f7bab8
rel_2gxry3uqxrlbl5f7k5zbjkevse	dat_3jfsebi2w75kwlzhtc7j3pibkq	bud_mxo5sekxrnkznejch74fdhesge	7	pri_66fqvwnn6m7quzij4cecxy6xtu	501a8e4479b9653d0a563580fecb9374e70c51af31c76f2b84405663e62c48c6	9891646870209e0ddf7e2ef8e577719f0ae104264c274aa4dade10589d48e691	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential","calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.10781884","gamma":"0.0342","uniform_admixture":null,"calibration":"proven","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"method":"theorem","statement":"(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","details":{"change_of_rate":"0.044264479","draw":"rejection","excess_by_ratio":"0.059336596","excess_by_tail":"1.355692916","normalisers":"0.001824692","rounding":"4.214e-11","score":"0.053909420"}},"outcome":"signed"}	0	0	2321993715	0	800000000000	122382878673	{"body":{"accountant":"zcdp","at":1796078636,"budget_id":"bud_mxo5sekxrnkznejch74fdhesge","chain_hash":"c113d30afee13cce733811e769ee67d151c503daf9b19a1ba2ab05ad3d473275","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","delta_units":0,"epsilon_units":0,"grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"501a8e4479b9653d0a563580fecb9374e70c51af31c76f2b84405663e62c48c6","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"9891646870209e0ddf7e2ef8e577719f0ae104264c274aa4dade10589d48e691","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_2gxry3uqxrlbl5f7k5zbjkevse","rho_units":2321993715,"sequence":7,"spec_sha256":"11419c44b830dd1c0ae7df2ad3d1b9d6ddf6ab2b81d403ac5b1f813cf4dbf33d"},"key_id":"139e3940e64b5491","signature":"GzP_uSgi-eqsqGvR2Tr6oYsEzSd2B_ChoC41zkmxVHgUAIErMMMWlzRP0NfE5ngTMpqbrP8Rd3ZvnDTrvrvmCQ"}	1796078636	complete	1796078658	{"noisy": [148, 26, 153, 280, 60], "on_simplex": [148, 26, 153, 280, 60]}	{"kind":"counts","id":"rel_2gxry3uqxrlbl5f7k5zbjkevse","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","budget_id":"bud_mxo5sekxrnkznejch74fdhesge","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.10781884","gamma":"0.0342","uniform_admixture":null,"calibration":"proven","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential","calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"requested":{"calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"certified":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002321993715","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.122382878673","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"details":{"change_of_rate":"0.044264479","draw":"rejection","excess_by_ratio":"0.059336596","excess_by_tail":"1.355692916","normalisers":"0.001824692","rounding":"4.214e-11","score":"0.053909420"}},"posterior":{"concentration":[148.5,26.5,153.5,280.5,60.5],"noisy_counts":[148,26,153,280,60],"released_counts":[148,26,153,280,60],"categories":[{"label":"female · yes","mean":0.22180731889469754,"standard_deviation":0.01604471902123749,"naive_interval":null},{"label":"female · no","mean":0.039581777445855115,"standard_deviation":0.007529713483628446,"naive_interval":null},{"label":"female · unknown","mean":0.2292755787901419,"standard_deviation":0.016234131827197587,"naive_interval":null},{"label":"male · yes","mean":0.4189693801344287,"standard_deviation":0.01905422376188769,"naive_interval":null},{"label":"male · no","mean":0.09036594473487677,"standard_deviation":0.011072262187932266,"naive_interval":null}]},"created_at":"2026-11-30T22:43:56Z","receipt":{"body":{"accountant":"zcdp","at":1796078636,"budget_id":"bud_mxo5sekxrnkznejch74fdhesge","chain_hash":"c113d30afee13cce733811e769ee67d151c503daf9b19a1ba2ab05ad3d473275","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","delta_units":0,"epsilon_units":0,"grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"501a8e4479b9653d0a563580fecb9374e70c51af31c76f2b84405663e62c48c6","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"9891646870209e0ddf7e2ef8e577719f0ae104264c274aa4dade10589d48e691","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_2gxry3uqxrlbl5f7k5zbjkevse","rho_units":2321993715,"sequence":7,"spec_sha256":"11419c44b830dd1c0ae7df2ad3d1b9d6ddf6ab2b81d403ac5b1f813cf4dbf33d"},"key_id":"139e3940e64b5491","signature":"GzP_uSgi-eqsqGvR2Tr6oYsEzSd2B_ChoC41zkmxVHgUAIErMMMWlzRP0NfE5ngTMpqbrP8Rd3ZvnDTrvrvmCQ"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"3314ebd000dfea07dba26b0797ff7e60b6b311e782404530cc157de31e0db556","drawn_sha256":"7c7647cd5d414cfd28fb7fd69541babf290546c98f035b5524ecf0755fa70b3f","kind":"private-posterior outcome 1","release_id":"rel_2gxry3uqxrlbl5f7k5zbjkevse"},"key_id":"139e3940e64b5491","signature":"IDPw7PYNdnbuXBc0txY0keCprfeBmxGqXovz_ZFACmhaYAmhupsPF0ZbEEtiikv0wI5x0BLZ4mEGGuQFnawHAg"}	67f97a90cbad9edd5c5392b91ba5fefeca44aa91d5ff26c1042938c2bcfcaf10
rel_nbs43agk2wjcev4jumaji5voee	dat_edt72w2kpe6ij6u6ozswewupou	bud_fby4sds2q4yysriftt7g2c72sa	9	pri_mo3nu3wdok3o3vmn2bletbpo3y	855e17913fa801a081ddef4f18a5fc6dcb3b67823d96097ac480d2c81b7b4225	3315bd15c3a7156de8f2421c0fc34a82afe82a54d507c94c5ce4650dc92db53f	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":2,"accountant":"basic","event":{"event":"simplex_geometric","n":21,"m":2,"epsilon":"0.05"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"method":"theorem","statement":"(0.1, 0)-differentially private when 2 records change their categories, by group privacy from one record: The release is 0.05-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.05/2","support":"lattice","records_per_unit":"2","epsilon_of_one_record":"0.05"}},"outcome":"signed"}	100000000	0	0	700002991	900000000000	0	{"body":{"accountant":"basic","at":1796078637,"budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","chain_hash":"5803b5e4f89502b94663b0093ad09020b99bad328b082aa3c7a287dfca0135a8","commitment":"4120086915297c505101ed783ace490bf113329ae8b8eeec9ff966c26d9f320f","dataset_id":"dat_edt72w2kpe6ij6u6ozswewupou","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"855e17913fa801a081ddef4f18a5fc6dcb3b67823d96097ac480d2c81b7b4225","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"3315bd15c3a7156de8f2421c0fc34a82afe82a54d507c94c5ce4650dc92db53f","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_nbs43agk2wjcev4jumaji5voee","rho_units":0,"sequence":9,"spec_sha256":"9f52c9cfd9d8fc1d1837912c94f9d08c85d55fd7d6e2d28cae8cfd7a11ede0a3"},"key_id":"139e3940e64b5491","signature":"wJ64ifOuw8igXXs_f2vhcjR55OfwRWpt9Whwb_PGl1W5QHojpmXjaolGfrkeeaKxP6v3l2Yt0Q-1yyIXjXXFDw"}	1796078637	complete	1796078659	{"noisy": [5, 16], "on_simplex": [5, 16]}	{"kind":"counts","id":"rel_nbs43agk2wjcev4jumaji5voee","dataset_id":"dat_edt72w2kpe6ij6u6ozswewupou","budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":21,"category_count":2,"records_per_unit":2,"event":{"event":"simplex_geometric","n":21,"m":2,"epsilon":"0.05"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.700002991","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"(0.1, 0)-differentially private when 2 records change their categories, by group privacy from one record: The release is 0.05-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.05/2","support":"lattice","records_per_unit":"2","epsilon_of_one_record":"0.05"}},"posterior":{"concentration":[6.0,17.0],"noisy_counts":[5,16],"released_counts":[5,16],"categories":[{"label":"category 0","mean":0.2608695652173913,"standard_deviation":0.08963273099168827,"naive_interval":{"level":0.95,"low":0.10728924837039697,"high":0.45370362366212197}},{"label":"category 1","mean":0.7391304347826086,"standard_deviation":0.08963273099168827,"naive_interval":{"level":0.95,"low":0.5462963763378781,"high":0.892710751629603}}]},"created_at":"2026-11-30T22:43:57Z","receipt":{"body":{"accountant":"basic","at":1796078637,"budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","chain_hash":"5803b5e4f89502b94663b0093ad09020b99bad328b082aa3c7a287dfca0135a8","commitment":"4120086915297c505101ed783ace490bf113329ae8b8eeec9ff966c26d9f320f","dataset_id":"dat_edt72w2kpe6ij6u6ozswewupou","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"855e17913fa801a081ddef4f18a5fc6dcb3b67823d96097ac480d2c81b7b4225","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"3315bd15c3a7156de8f2421c0fc34a82afe82a54d507c94c5ce4650dc92db53f","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_nbs43agk2wjcev4jumaji5voee","rho_units":0,"sequence":9,"spec_sha256":"9f52c9cfd9d8fc1d1837912c94f9d08c85d55fd7d6e2d28cae8cfd7a11ede0a3"},"key_id":"139e3940e64b5491","signature":"wJ64ifOuw8igXXs_f2vhcjR55OfwRWpt9Whwb_PGl1W5QHojpmXjaolGfrkeeaKxP6v3l2Yt0Q-1yyIXjXXFDw"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"320b522a72763050d69b152bf40bfdf1fb626ad2c0c305a9fe0b6beaa0b91010","drawn_sha256":"77bd3eb3dd4051b6877bfedc804f9cf0da9dd239df45cac3c9d5c1b4055b0589","kind":"private-posterior outcome 1","release_id":"rel_nbs43agk2wjcev4jumaji5voee"},"key_id":"139e3940e64b5491","signature":"pXPTJGktnGKcYeBnCeJ8uv9tpi_kUnU7n5s5Kzpa-HMSM-iVhaSKJ4gn99b-emN8NqEFBWSvP2m9B0dkeNJ6Bg"}	e3ffa5c370dd811bea47e71b0182bf12d2ad1eddbf79960c3023fa016dff143f
rel_b4u2zbaoun45wkpgvis5wlqaka	dat_3jfsebi2w75kwlzhtc7j3pibkq	bud_mxo5sekxrnkznejch74fdhesge	11	pri_66fqvwnn6m7quzij4cecxy6xtu	ba698d632e6d35ec6f07b54ef6134559cf21b0d7a2d5b0b2d395f9e364702648	f7fea55b25f15e83c6b9a98771adc0dda3492752e188d01793da4cdea5929845	{"request":{"margins":null,"all":1,"weights":null,"rho":"0.01","half_widths":null,"confidence":0.95,"delta":"0.0000001","noise":"independent","mechanism":{"kind":"margins","rho":"0.01"}},"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"margins","n":667,"levels":[2,3],"impossible":[[1,2]],"margins":[[0],[1],[0,1]],"loss":"rho","losses":["0.004619615349","0.005327615998","0.000052768653"],"delta":"0.0000001","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"method":"theorem","statement":"The release is 0.01-zCDP, and hence (0.689914956, 0.0000001)-differentially private when the records of one unit change: 3 margins have independent discrete Gaussian noise on every cell, and their losses add.","relation":"replace_one","details":{"losses":"0.004619615349, 0.005327615998, 0.000052768653","records_per_unit":"1"}},"tables":[{"margin":[0],"deviation":10.383813017063224,"intervals":[[0.9,17.1317805659303],[0.95,20.40382938037369],[0.99,26.798863568486773]]},{"margin":[1],"deviation":11.158740393124116,"intervals":[[0.9,18.410297979465348],[0.95,21.926534569435198],[0.99,28.798819942163085]]}],"outcome":"signed"}	0	0	10000000000	0	800000000000	96035615294	{"body":{"accountant":"zcdp","at":1796078637,"budget_id":"bud_mxo5sekxrnkznejch74fdhesge","chain_hash":"252702e2c64c98d2a6415ab68f0282d4f2c1332f15f4b1fa6067ec832d4820d5","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","delta_units":0,"epsilon_units":0,"grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"ba698d632e6d35ec6f07b54ef6134559cf21b0d7a2d5b0b2d395f9e364702648","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"f7fea55b25f15e83c6b9a98771adc0dda3492752e188d01793da4cdea5929845","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_b4u2zbaoun45wkpgvis5wlqaka","rho_units":10000000000,"sequence":11,"spec_sha256":"fc149d1b52e10e3f00e82ab34d8d096ca66102a151a4e3e077aacfc78447cc71"},"key_id":"139e3940e64b5491","signature":"nBfWtNGsL6BsdqNDJqw217cHbSDgkgHILZt6EH7YA3xM5paIEnfKjTznQ6KKLgL3avVDGhN-lBOs25P_UXxECA"}	1796078637	complete	1796078659	{"noisy": [[376, 318], [63, 580, 10], [-62, 226, -174, -51, 174, 66]]}	{"kind":"margins","id":"rel_b4u2zbaoun45wkpgvis5wlqaka","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","budget_id":"bud_mxo5sekxrnkznejch74fdhesge","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","state":"complete","attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"margins","n":667,"levels":[2,3],"impossible":[[1,2]],"margins":[[0],[1],[0,1]],"loss":"rho","losses":["0.004619615349","0.005327615998","0.000052768653"],"delta":"0.0000001","records_per_unit":1},"mechanism":{"kind":"margins","rho":"0.01"},"requested":{"rho":"0.01"},"certified":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.01","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.096035615294","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.01-zCDP, and hence (0.689914956, 0.0000001)-differentially private when the records of one unit change: 3 margins have independent discrete Gaussian noise on every cell, and their losses add.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"details":{"losses":"0.004619615349, 0.005327615998, 0.000052768653","records_per_unit":"1"}},"measured":[{"attributes":["sex"],"cell_count":2,"cost":{"accountant":"zcdp","rho":"0.004619615349","delta":"0"},"noise":"discrete_gaussian","noise_parameter":"1000000000000/4619615349","noise_standard_deviation":14.712859651267273,"noisy_counts":[376,318]},{"attributes":["ill"],"cell_count":3,"cost":{"accountant":"zcdp","rho":"0.005327615998","delta":"0"},"noise":"discrete_gaussian","noise_parameter":"500000000000/2663807999","noise_standard_deviation":13.70040932869151,"noisy_counts":[63,580,10]},{"attributes":["sex","ill"],"cell_count":6,"cost":{"accountant":"zcdp","rho":"0.000052768653","delta":"0"},"noise":"discrete_gaussian","noise_parameter":"1000000000000/52768653","noise_standard_deviation":137.6613410075883,"noisy_counts":[-62,226,-174,-51,174,66]}],"tables":[{"attributes":["sex"],"cell_count":2,"standard_deviation":10.383813017063224,"intervals":[{"confidence":0.9,"half_width":17.1317805659303},{"confidence":0.95,"half_width":20.40382938037369},{"confidence":0.99,"half_width":26.798863568486773}],"estimates":[362.0125819642992,304.9874180357008]},{"attributes":["ill"],"cell_count":3,"standard_deviation":11.158740393124116,"intervals":[{"confidence":0.9,"half_width":18.410297979465348},{"confidence":0.95,"half_width":21.926534569435198},{"confidence":0.99,"half_width":28.798819942163085}],"estimates":[67.57796329568876,584.5582514354714,14.86378526883982]}],"created_at":"2026-11-30T22:43:57Z","receipt":{"body":{"accountant":"zcdp","at":1796078637,"budget_id":"bud_mxo5sekxrnkznejch74fdhesge","chain_hash":"252702e2c64c98d2a6415ab68f0282d4f2c1332f15f4b1fa6067ec832d4820d5","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","delta_units":0,"epsilon_units":0,"grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"ba698d632e6d35ec6f07b54ef6134559cf21b0d7a2d5b0b2d395f9e364702648","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"f7fea55b25f15e83c6b9a98771adc0dda3492752e188d01793da4cdea5929845","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_b4u2zbaoun45wkpgvis5wlqaka","rho_units":10000000000,"sequence":11,"spec_sha256":"fc149d1b52e10e3f00e82ab34d8d096ca66102a151a4e3e077aacfc78447cc71"},"key_id":"139e3940e64b5491","signature":"nBfWtNGsL6BsdqNDJqw217cHbSDgkgHILZt6EH7YA3xM5paIEnfKjTznQ6KKLgL3avVDGhN-lBOs25P_UXxECA"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"dd2b622ffd748e5048525425e694541e8ab496127544697be2e42ba2f48600df","drawn_sha256":"d845f944793da6e9cd2a800b0e5bca6719620042705420dd492c73a51e41da96","kind":"private-posterior outcome 1","release_id":"rel_b4u2zbaoun45wkpgvis5wlqaka"},"key_id":"139e3940e64b5491","signature":"b-rsWPE5ThwXirqQWBeQsIFQU3VmIjnyseDlP_4Ge16Yo0kwRIcywW_X8J25T3ScBwYX22XvSsuSsnUDGf3_CA"}	c74752f16415e664090129655e967e78569b7b2b2ecc38cf2a40f3594cf9a19b
rel_pny5wqpbh2madp5qsozj7x3rwu	dat_3jfsebi2w75kwlzhtc7j3pibkq	bud_mxo5sekxrnkznejch74fdhesge	5	pri_66fqvwnn6m7quzij4cecxy6xtu	eb02a0cc84f5cd0db9abc046a858340d350dc05af8fe7315bbc6453bfd2c658e	f5f296efda785d4bccf1f9c0daaa476cdbbcf9a88fd79c2bec9c01cbb0b5b8e5	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"laplace","epsilon":"0.1"},"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"laplace","n":667,"m":5,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: Laplace noise of scale 2/0.1 on all counts but the last, which one replaced record changes by 2 in all.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_scale":"2/0.1"}},"outcome":"signed"}	0	0	2438528778	0	800000000000	134704872388	{"body":{"accountant":"zcdp","at":1796078635,"budget_id":"bud_mxo5sekxrnkznejch74fdhesge","chain_hash":"6d1a67cba250496db1a85b5a68c88b2aabe6e2a08f9b1245ce5039717b73b86c","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","delta_units":0,"epsilon_units":0,"grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"eb02a0cc84f5cd0db9abc046a858340d350dc05af8fe7315bbc6453bfd2c658e","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"f5f296efda785d4bccf1f9c0daaa476cdbbcf9a88fd79c2bec9c01cbb0b5b8e5","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_pny5wqpbh2madp5qsozj7x3rwu","rho_units":2438528778,"sequence":5,"spec_sha256":"0208b80d8a0289db392da173fb54cafdf8258e23aeba92e29a68284d2725d348"},"key_id":"139e3940e64b5491","signature":"sci_grAM_mdi3O3db2BYw0cXyAoMQhw30dmyLfq6cI_a-PS-b2EFfqIvcYWVYa7N8DLzMe4b3Nw1OJkkcpq5CQ"}	1796078635	complete	1796078657	{"noisy": [57, 344, 10, 15], "on_simplex": [57, 344, 10, 15, 241]}	{"kind":"counts","id":"rel_pny5wqpbh2madp5qsozj7x3rwu","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","budget_id":"bud_mxo5sekxrnkznejch74fdhesge","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"laplace","n":667,"m":5,"epsilon":"0.1"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"laplace","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002438528778","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.134704872388","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: Laplace noise of scale 2/0.1 on all counts but the last, which one replaced record changes by 2 in all.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_scale":"2/0.1"}},"posterior":{"concentration":[57.5,344.5,10.5,15.5,241.5],"noisy_counts":[57,344,10,15],"released_counts":[57,344,10,15,241],"categories":[{"label":"female · yes","mean":0.08588498879761015,"standard_deviation":0.01082080724787512,"naive_interval":{"level":0.95,"low":0.0658781340397255,"high":0.10823324604825407}},{"label":"female · no","mean":0.5145631067961165,"standard_deviation":0.01930128934040433,"naive_interval":{"level":0.95,"low":0.4767040098339724,"high":0.5523397860247938}},{"label":"female · unknown","mean":0.01568334578043316,"standard_deviation":0.0047982998551282085,"naive_interval":{"level":0.95,"low":0.007716253858928848,"high":0.026372785922463806}},{"label":"male · yes","mean":0.02315160567587752,"standard_deviation":0.005807707706157256,"naive_interval":{"level":0.95,"low":0.013174712786911057,"high":0.035815183899287145}},{"label":"male · no","mean":0.36071695294996264,"standard_deviation":0.018545155516902403,"naive_interval":{"level":0.95,"low":0.32477628565425654,"high":0.3974458435547443}}]},"created_at":"2026-11-30T22:43:55Z","receipt":{"body":{"accountant":"zcdp","at":1796078635,"budget_id":"bud_mxo5sekxrnkznejch74fdhesge","chain_hash":"6d1a67cba250496db1a85b5a68c88b2aabe6e2a08f9b1245ce5039717b73b86c","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","delta_units":0,"epsilon_units":0,"grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"eb02a0cc84f5cd0db9abc046a858340d350dc05af8fe7315bbc6453bfd2c658e","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"f5f296efda785d4bccf1f9c0daaa476cdbbcf9a88fd79c2bec9c01cbb0b5b8e5","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_pny5wqpbh2madp5qsozj7x3rwu","rho_units":2438528778,"sequence":5,"spec_sha256":"0208b80d8a0289db392da173fb54cafdf8258e23aeba92e29a68284d2725d348"},"key_id":"139e3940e64b5491","signature":"sci_grAM_mdi3O3db2BYw0cXyAoMQhw30dmyLfq6cI_a-PS-b2EFfqIvcYWVYa7N8DLzMe4b3Nw1OJkkcpq5CQ"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"7aad9a0e6a6f53e8161d5f33027c9b09ef0c20b42f6f67b435078cefc9d5b664","drawn_sha256":"a308b9597b8b0f4f45d8925e6fb89f58bf9b3e234de006a6e13b88e087a192a9","kind":"private-posterior outcome 1","release_id":"rel_pny5wqpbh2madp5qsozj7x3rwu"},"key_id":"139e3940e64b5491","signature":"F6amCT-f1ag1cX6rqWIBl4JR0ZNcjV6ucOCn_sEY3Gq6saV-0ZVo7hdNMV8oNu45Sk_vIos9CZVhSZQK4IWLBQ"}	fdc4f04282dce35be56b1d9d48687b43acc2e750cbae84be39be48ded7745348
rel_ga63m47ofypfyi4ffwcogxofgm	dat_3jfsebi2w75kwlzhtc7j3pibkq	bud_mxo5sekxrnkznejch74fdhesge	6	pri_66fqvwnn6m7quzij4cecxy6xtu	8b6878eb1c1f54f8e2610e49d123e8d3c66a3c1812cc42a2469d3d0919dfaef6	a34cc19a2c81ba1cbf3ef786276ef49f5286a3514a7b9929f4e2876ec44b4f13	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"gaussian","rho":"0.01","delta":"0.0000001"},"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"gaussian","n":667,"m":5,"rho":"0.01","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"method":"theorem","statement":"The release is 0.01-zCDP: discrete Gaussian noise with sigma^2 = 1/0.01 on every count, and replacing one record moves two counts by 1. Hence it is (0.689914956, 0.0000001)-differentially private.","relation":"replace_one","details":{"l2_sensitivity_squared":"2","noise_variance":"1/0.01"}},"outcome":"signed"}	0	0	10000000000	0	800000000000	124704872388	{"body":{"accountant":"zcdp","at":1796078635,"budget_id":"bud_mxo5sekxrnkznejch74fdhesge","chain_hash":"af8c7a840abc48039b251d8ffc4338022425fd758665e7bd93dc0c744215f3db","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","delta_units":0,"epsilon_units":0,"grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"8b6878eb1c1f54f8e2610e49d123e8d3c66a3c1812cc42a2469d3d0919dfaef6","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"a34cc19a2c81ba1cbf3ef786276ef49f5286a3514a7b9929f4e2876ec44b4f13","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_ga63m47ofypfyi4ffwcogxofgm","rho_units":10000000000,"sequence":6,"spec_sha256":"14bfbe9eb542437c1e130fc65016104df89b775eade59c3f32d561bee8b41a46"},"key_id":"139e3940e64b5491","signature":"LYHgYAQyqU49wAlj_fWA_yl9VkqrISyW5-TzbJjXvAS5oVCAwKyU_RwetFHo0eXnY9J-DwV441sZfuHSO-U0DA"}	1796078635	complete	1796078657	{"noisy": [32, 314, 21, 29, 275], "on_simplex": [31, 313, 21, 28, 274]}	{"kind":"counts","id":"rel_ga63m47ofypfyi4ffwcogxofgm","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","budget_id":"bud_mxo5sekxrnkznejch74fdhesge","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"gaussian","n":667,"m":5,"rho":"0.01","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"gaussian","rho":"0.01","delta":"0.0000001"},"requested":{"rho":"0.01","delta":"0.0000001"},"certified":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.01","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.124704872388","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.01-zCDP: discrete Gaussian noise with sigma^2 = 1/0.01 on every count, and replacing one record moves two counts by 1. Hence it is (0.689914956, 0.0000001)-differentially private.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"details":{"l2_sensitivity_squared":"2","noise_variance":"1/0.01"}},"posterior":{"concentration":[31.5,313.5,21.5,28.5,274.5],"noisy_counts":[32,314,21,29,275],"released_counts":[31,313,21,28,274],"categories":[{"label":"female · yes","mean":0.04705003734129948,"standard_deviation":0.00817740756736003,"naive_interval":{"level":0.95,"low":0.03234492944895028,"high":0.06431343506189229}},{"label":"female · no","mean":0.4682598954443615,"standard_deviation":0.019270536205351307,"naive_interval":{"level":0.95,"low":0.4305921405412704,"high":0.5061072784929637}},{"label":"female · unknown","mean":0.03211351755041075,"standard_deviation":0.006808583381830476,"naive_interval":{"level":0.95,"low":0.020141727212790467,"high":0.04672506888221772}},{"label":"male · yes","mean":0.04256908140403286,"standard_deviation":0.007796532118097795,"naive_interval":{"level":0.95,"low":0.028625205033120712,"high":0.05909591954534077}},{"label":"male · no","mean":0.4100074682598954,"standard_deviation":0.018994145031038218,"naive_interval":{"level":0.95,"low":0.3730466628616603,"high":0.4474775658099209}}]},"created_at":"2026-11-30T22:43:55Z","receipt":{"body":{"accountant":"zcdp","at":1796078635,"budget_id":"bud_mxo5sekxrnkznejch74fdhesge","chain_hash":"af8c7a840abc48039b251d8ffc4338022425fd758665e7bd93dc0c744215f3db","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","delta_units":0,"epsilon_units":0,"grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"8b6878eb1c1f54f8e2610e49d123e8d3c66a3c1812cc42a2469d3d0919dfaef6","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"a34cc19a2c81ba1cbf3ef786276ef49f5286a3514a7b9929f4e2876ec44b4f13","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_ga63m47ofypfyi4ffwcogxofgm","rho_units":10000000000,"sequence":6,"spec_sha256":"14bfbe9eb542437c1e130fc65016104df89b775eade59c3f32d561bee8b41a46"},"key_id":"139e3940e64b5491","signature":"LYHgYAQyqU49wAlj_fWA_yl9VkqrISyW5-TzbJjXvAS5oVCAwKyU_RwetFHo0eXnY9J-DwV441sZfuHSO-U0DA"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"c9e5ae345ea7221842a7fa717159c63b7e65bb9ade32e2b56567187dd8fc18de","drawn_sha256":"ec10694553504e51dbe02573a9c0485901a3860512d95fa273e880b7ff73e7e4","kind":"private-posterior outcome 1","release_id":"rel_ga63m47ofypfyi4ffwcogxofgm"},"key_id":"139e3940e64b5491","signature":"_KoiRXROCMSfleipjIBOFHd2ZNhB--S5zUN9appbD0GuH9Gya86WM0WAkqKHLAvaX1fVj0lfY3Ndat0TXh0rCQ"}	e31c03d3f9124a7b3fa9ce722c5dd272992788d09cab0e7212845755efa5888f
rel_zfdjhcapftva4gfsuifsb26kfu	dat_3jfsebi2w75kwlzhtc7j3pibkq	bud_mxo5sekxrnkznejch74fdhesge	8	pri_66fqvwnn6m7quzij4cecxy6xtu	144d8ba855969eef760661a331be1f0e3eac90f54e98864991cd1d4e2fbb3015	02d5c386ec9371c136d9948a7394d4116f55aadb05c5fdf110284beb1e379d36	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_published","nominal_epsilon":"0.2","delta":"0.0000001"},"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.2","gamma":"0.004279815109635818","uniform_admixture":null,"calibration":"published","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"method":"theorem","statement":"(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","details":{"change_of_rate":"0.013980835","draw":"rejection","excess_by_ratio":"0.013980835","excess_by_tail":"0.167125342","normalisers":"0.005005989","rounding":"6.634e-11","score":"0.100000000"}},"outcome":"signed"}	0	0	5097263440	0	800000000000	117285615233	{"body":{"accountant":"zcdp","at":1796078636,"budget_id":"bud_mxo5sekxrnkznejch74fdhesge","chain_hash":"e56002edb403761d5824a61e7a486b012d0396bfe3f8991979f6654fd825a54f","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","delta_units":0,"epsilon_units":0,"grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"144d8ba855969eef760661a331be1f0e3eac90f54e98864991cd1d4e2fbb3015","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"02d5c386ec9371c136d9948a7394d4116f55aadb05c5fdf110284beb1e379d36","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_zfdjhcapftva4gfsuifsb26kfu","rho_units":5097263440,"sequence":8,"spec_sha256":"9784fb48bf18dfe7be33e9b027cfa7efc3e2808873d5d4d954c39daed77c5976"},"key_id":"139e3940e64b5491","signature":"04FvaVqjhNcG7Pxqc5j5ukNOpxlXpH_ailpaXOBasB9uVb0VI7F671qoXkIiLfokaKAvtWV7tIz2LRQG82YjBg"}	1796078636	complete	1796078658	{"noisy": [314, 94, 2, 249, 8], "on_simplex": [314, 94, 2, 249, 8]}	{"kind":"counts","id":"rel_zfdjhcapftva4gfsuifsb26kfu","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","budget_id":"bud_mxo5sekxrnkznejch74fdhesge","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.2","gamma":"0.004279815109635818","uniform_admixture":null,"calibration":"published","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_published","nominal_epsilon":"0.2","delta":"0.0000001"},"requested":{"nominal_epsilon":"0.2","delta":"0.0000001"},"certified":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.00509726344","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.117285615233","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"details":{"change_of_rate":"0.013980835","draw":"rejection","excess_by_ratio":"0.013980835","excess_by_tail":"0.167125342","normalisers":"0.005005989","rounding":"6.634e-11","score":"0.100000000"}},"posterior":{"concentration":[314.5,94.5,2.5,249.5,8.5],"noisy_counts":[314,94,2,249,8],"released_counts":[314,94,2,249,8],"categories":[{"label":"female · yes","mean":0.4697535474234503,"standard_deviation":0.019274118687130668,"naive_interval":null},{"label":"female · no","mean":0.14115011202389843,"standard_deviation":0.013446208899912035,"naive_interval":null},{"label":"female · unknown","mean":0.0037341299477221808,"standard_deviation":0.0023554991337107964,"naive_interval":null},{"label":"male · yes","mean":0.3726661687826736,"standard_deviation":0.018672821589442157,"naive_interval":null},{"label":"male · no","mean":0.012696041822255415,"standard_deviation":0.004323746467042751,"naive_interval":null}]},"created_at":"2026-11-30T22:43:56Z","receipt":{"body":{"accountant":"zcdp","at":1796078636,"budget_id":"bud_mxo5sekxrnkznejch74fdhesge","chain_hash":"e56002edb403761d5824a61e7a486b012d0396bfe3f8991979f6654fd825a54f","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","delta_units":0,"epsilon_units":0,"grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"144d8ba855969eef760661a331be1f0e3eac90f54e98864991cd1d4e2fbb3015","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"02d5c386ec9371c136d9948a7394d4116f55aadb05c5fdf110284beb1e379d36","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_zfdjhcapftva4gfsuifsb26kfu","rho_units":5097263440,"sequence":8,"spec_sha256":"9784fb48bf18dfe7be33e9b027cfa7efc3e2808873d5d4d954c39daed77c5976"},"key_id":"139e3940e64b5491","signature":"04FvaVqjhNcG7Pxqc5j5ukNOpxlXpH_ailpaXOBasB9uVb0VI7F671qoXkIiLfokaKAvtWV7tIz2LRQG82YjBg"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"bc61d8b22360b1d1d9908711cc575bbf9e6d59fb3cf676bf8038ab5cb899fc9a","drawn_sha256":"8c7909b699da47c90d994f9ac06abfee17c917c6ae8ffab06c7f9e39dd3f2468","kind":"private-posterior outcome 1","release_id":"rel_zfdjhcapftva4gfsuifsb26kfu"},"key_id":"139e3940e64b5491","signature":"ZJh85Qx8PXRs0F2grt4vnljb81wMKsTgxbLSpepGq-gG-tQTsZeB5oUAbPMddOhaXmWXBvc3PgfduJknu0h_Dg"}	628575a8067704f10edf978ffb3c63d9463d674c4d7a781bfd26316db0da554e
rel_liroycbtgiqygxgjnustafphue	dat_3jfsebi2w75kwlzhtc7j3pibkq	bud_mxo5sekxrnkznejch74fdhesge	9	pri_66fqvwnn6m7quzij4cecxy6xtu	6f0552946f731a3d7e77e5b3c700a7965b2c45b61f8b1e96d19035cbe72ba71f	02aafdfc151db4f23b0c1ffcb24466eaafc7545a77b95be83cd7a71491284884	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_global","epsilon":"0.3","delta":"0.0000001"},"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.299999999","gamma":null,"uniform_admixture":null,"calibration":"global","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"method":"theorem","statement":"(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2.","relation":"replace_one","details":{"draw":"rejection","normalisers":"0.002500479","rounding":"1.782e-11","score":"0.150000000"}},"outcome":"signed"}	0	0	11249999939	0	800000000000	106035615294	{"body":{"accountant":"zcdp","at":1796078637,"budget_id":"bud_mxo5sekxrnkznejch74fdhesge","chain_hash":"0a838f10ff33331a24154908e1e3883eb9728ab371ef3efcd4dbe7491236cbab","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","delta_units":0,"epsilon_units":0,"grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"6f0552946f731a3d7e77e5b3c700a7965b2c45b61f8b1e96d19035cbe72ba71f","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"02aafdfc151db4f23b0c1ffcb24466eaafc7545a77b95be83cd7a71491284884","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_liroycbtgiqygxgjnustafphue","rho_units":11249999939,"sequence":9,"spec_sha256":"b531568053e3af35e68ff31a6b83498ca938a98b22a8c9a4ad1d2a84ca73ba6c"},"key_id":"139e3940e64b5491","signature":"zsTsbkFOMtXaKZaepapYehLktrQeEp0O3cjEk5YKYqyvF69DsQwOERwzw5KQNpDaLldXgAIEIFxm494apm0bAg"}	1796078637	complete	1796078659	{"noisy": [14, 39, 347, 74, 193], "on_simplex": [14, 39, 347, 74, 193]}	{"kind":"counts","id":"rel_liroycbtgiqygxgjnustafphue","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","budget_id":"bud_mxo5sekxrnkznejch74fdhesge","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.299999999","gamma":null,"uniform_admixture":null,"calibration":"global","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_global","epsilon":"0.3","delta":"0.0000001"},"requested":{"epsilon":"0.3","delta":"0.0000001"},"certified":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.011249999939","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.106035615294","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"details":{"draw":"rejection","normalisers":"0.002500479","rounding":"1.782e-11","score":"0.150000000"}},"posterior":{"concentration":[14.5,39.5,347.5,74.5,193.5],"noisy_counts":[14,39,347,74,193],"released_counts":[14,39,347,74,193],"categories":[{"label":"female · yes","mean":0.021657953696788648,"standard_deviation":0.0056215318898101725,"naive_interval":null},{"label":"female · no","mean":0.05899925317401045,"standard_deviation":0.00909952767324171,"naive_interval":null},{"label":"female · unknown","mean":0.5190440627333831,"standard_deviation":0.01929547027842631,"naive_interval":null},{"label":"male · yes","mean":0.11127707244212098,"standard_deviation":0.012144695959821228,"naive_interval":null},{"label":"male · no","mean":0.2890216579536968,"standard_deviation":0.01750628476419768,"naive_interval":null}]},"created_at":"2026-11-30T22:43:57Z","receipt":{"body":{"accountant":"zcdp","at":1796078637,"budget_id":"bud_mxo5sekxrnkznejch74fdhesge","chain_hash":"0a838f10ff33331a24154908e1e3883eb9728ab371ef3efcd4dbe7491236cbab","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","delta_units":0,"epsilon_units":0,"grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"6f0552946f731a3d7e77e5b3c700a7965b2c45b61f8b1e96d19035cbe72ba71f","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"02aafdfc151db4f23b0c1ffcb24466eaafc7545a77b95be83cd7a71491284884","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"rel_liroycbtgiqygxgjnustafphue","rho_units":11249999939,"sequence":9,"spec_sha256":"b531568053e3af35e68ff31a6b83498ca938a98b22a8c9a4ad1d2a84ca73ba6c"},"key_id":"139e3940e64b5491","signature":"zsTsbkFOMtXaKZaepapYehLktrQeEp0O3cjEk5YKYqyvF69DsQwOERwzw5KQNpDaLldXgAIEIFxm494apm0bAg"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"601a1af126d720c2cdfc0e6ffd7dc5ddf5c87844012671ba7306aab24ad257e5","drawn_sha256":"b171e1ce5991e5dc588d2dbfe549333edf0c0b6764def726da7b8f05f26936f1","kind":"private-posterior outcome 1","release_id":"rel_liroycbtgiqygxgjnustafphue"},"key_id":"139e3940e64b5491","signature":"1_4rQW9fjHOD2euwfaZkNRdprPMaM0JZZDAtzLDYUbbA1PUfjEBzqtesVjFWlfG_Fo6FOipyfuaIEqZ-VeUZAw"}	403e39b2dbee148f24b68466148c809adc112b409d348ef68dcb602ae8213f0a
qry_e2mdltetimzx5rbpw54p4nbdju	dat_3jfsebi2w75kwlzhtc7j3pibkq	bud_mxo5sekxrnkznejch74fdhesge	10	pri_66fqvwnn6m7quzij4cecxy6xtu	edc908d7f9931efc8e937b51e7b7efd368fb67568afbdfccd8684fefbcbc373a	c121518cfc7fb667ccd9fa8fbc3ccebc2e99859c58ea9de525d7ce6030d33fee	{"kind":"query","request":{"queries":[{"of":{"where":{"sex":["female"]}},"weights":null,"half_width":60.0,"confidence":0.95,"between":null},{"of":{"where":{"ill":["yes"]}},"weights":null,"half_width":null,"confidence":0.95,"between":null}],"constraints":null},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"record_count":667,"accountant":"zcdp","rests_on":["rel_ga63m47ofypfyi4ffwcogxofgm","rel_pny5wqpbh2madp5qsozj7x3rwu","rel_clnjagnqntqabgqambznxz6atq"],"numbers":112,"event":null,"certificate":null,"errors":[[9.788915081308065,20.181351330445235],[9.705615976809382,20.01069142989388]],"outcome":"signed"}	0	0	0	0	800000000000	106035615294	{"body":{"accountant":"zcdp","at":1796078637,"budget_id":"bud_mxo5sekxrnkznejch74fdhesge","chain_hash":"a6fd26632c30154f897d658fc790637ebfa87f4282f459010ec67b44eeec5c79","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","delta_units":0,"epsilon_units":0,"grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"edc908d7f9931efc8e937b51e7b7efd368fb67568afbdfccd8684fefbcbc373a","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"c121518cfc7fb667ccd9fa8fbc3ccebc2e99859c58ea9de525d7ce6030d33fee","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"qry_e2mdltetimzx5rbpw54p4nbdju","rho_units":0,"sequence":10,"spec_sha256":"a09a553667d3ea31e72cf5ea6725e4b3a447f0f72bf32ac553f476c8636dd842"},"key_id":"139e3940e64b5491","signature":"I8So7Q_4Zowo_SWdziE87BVSMHZX8ntuzRWDJz4W6Vty_R5PlxJXANUKU1S2wQjldjx1quswAPd9A3f7RpdlBQ"}	1796078637	complete	1796078637	[]	{"kind":"queries","id":"qry_e2mdltetimzx5rbpw54p4nbdju","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","budget_id":"bud_mxo5sekxrnkznejch74fdhesge","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","state":"complete","queries":[{"of":{"where":{"sex":["female"]}},"weights":null,"half_width":60.0,"confidence":0.95,"between":null},{"of":{"where":{"ill":["yes"]}},"weights":null,"half_width":null,"confidence":0.95,"between":null}],"answers":[{"estimate":365.5615603528994,"standard_deviation":9.788915081308065,"interval":{"low":345.38020902245006,"high":385.7429116833487,"half_width":20.18135133044933,"confidence":0.95},"probability":null,"used":[{"release_id":"rel_ga63m47ofypfyi4ffwcogxofgm","weights":[0.3194095282302017,0.3194095282302017,0.3194095282302017,-0.4547561376488578,-0.5034724470417472]},{"release_id":"rel_pny5wqpbh2madp5qsozj7x3rwu","weights":[0.039922031444299975,0.039922031444299975,0.039922031444299975,-0.05683859503909906]},{"release_id":"rel_clnjagnqntqabgqambznxz6atq","weights":[0.05325394018425852,0.053253940184258525,0.05325394018425852,-0.07581976745328296,-0.0839420530994926]}],"with_constraints":null},{"estimate":65.83941959780637,"standard_deviation":9.705615976809382,"interval":{"low":45.82872816790788,"high":85.85011102770486,"half_width":20.010691429898483,"confidence":0.95},"probability":null,"used":[{"release_id":"rel_ga63m47ofypfyi4ffwcogxofgm","weights":[0.4709949074464876,-0.3031707584325719,-0.30317075843257185,0.4709949074464876,-0.33564829802783147]},{"release_id":"rel_pny5wqpbh2madp5qsozj7x3rwu","weights":[0.05886822979066633,-0.037892396692732706,-0.037892396692732706,0.05886822979066633]},{"release_id":"rel_clnjagnqntqabgqambznxz6atq","weights":[0.0785271960020195,-0.05054651163552197,-0.05054651163552197,0.07852719600201952,-0.05596136873299508]}],"with_constraints":null}],"covariance":[[95.82285846906049,-13.534660941865617],[-13.534660941865617,94.19898148929754]],"measured":[],"charged":{"accountant":"zcdp","rho":"0","delta":"0"},"standalone_cost":{"accountant":"zcdp","rho":"0","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.106035615294","delta":"0.0000008"},"record_count":667,"category_count":5,"records_per_unit":1,"event":null,"certificate":null,"created_at":"2026-11-30T22:43:57Z","receipt":{"body":{"accountant":"zcdp","at":1796078637,"budget_id":"bud_mxo5sekxrnkznejch74fdhesge","chain_hash":"a6fd26632c30154f897d658fc790637ebfa87f4282f459010ec67b44eeec5c79","commitment":"77cbddf09b428f5066f1dc938faf92116fbe369ca4e9e6549ce668194c6d7287","dataset_id":"dat_3jfsebi2w75kwlzhtc7j3pibkq","delta_units":0,"epsilon_units":0,"grant_id":"gra_cwhvfjbdkol6lyc7iistuqqrsq","key_hash":"edc908d7f9931efc8e937b51e7b7efd368fb67568afbdfccd8684fefbcbc373a","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"c121518cfc7fb667ccd9fa8fbc3ccebc2e99859c58ea9de525d7ce6030d33fee","principal_id":"pri_66fqvwnn6m7quzij4cecxy6xtu","release_id":"qry_e2mdltetimzx5rbpw54p4nbdju","rho_units":0,"sequence":10,"spec_sha256":"a09a553667d3ea31e72cf5ea6725e4b3a447f0f72bf32ac553f476c8636dd842"},"key_id":"139e3940e64b5491","signature":"I8So7Q_4Zowo_SWdziE87BVSMHZX8ntuzRWDJz4W6Vty_R5PlxJXANUKU1S2wQjldjx1quswAPd9A3f7RpdlBQ"}}	\N	query	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"ea50ce605e4244f9e40a824e6cfee5ad4950c62cc35fa432600ffde4a502afa9","drawn_sha256":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945","kind":"private-posterior outcome 1","release_id":"qry_e2mdltetimzx5rbpw54p4nbdju"},"key_id":"139e3940e64b5491","signature":"iGXFVxNlirhQkd-m6qytjhQvfqeGwK_L1iC8eDBZOEmol2t6GQZuGJsEPiLTf1drdL3Z3mhyjksg81p_l9l7Cw"}	f3300b07f70064f05724a23351df0ccceaec8a809a89554ba7adc2ae4b668e4d
qry_5dx7z5tuhwk6wkf4jpr4hhcsbq	dat_m2zq3p6uzvtz4fi2dedzbjcf74	bud_zshhdedq7fpu5wjjr3adhnsj6e	3	pri_mo3nu3wdok3o3vmn2bletbpo3y	cd616457e9c9f0bc66b18b19e4cf6e18a37ae2d550b2f2b71415c3f18850fc68	5177298e4abf3da6ed4e127aac2de4e7782538ff0bf790cfa1ae0c188e3a9c60	{"kind":"query","request":{"queries":[{"of":null,"weights":["1","1","1","-1"],"half_width":60.0,"confidence":0.95,"between":null}],"constraints":null},"labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"unit":"one person","records_per_unit":1,"record_count":null,"accountant":"basic","rests_on":[],"numbers":42,"event":{"event":"linear","n":null,"m":4,"denominator":1,"rows":[[1,1,1,-1]],"rates":["0.049928884"],"records_per_unit":1},"certificate":{"loss":{"epsilon":"0.049928884","delta":"0","rho":"0.001225958538","rho_delta":"0"},"method":"theorem","statement":"The release is 0.049928884-differentially private: a query is answered with Laplace noise, and adding or removing one record moves the answers by at most 0.049928884 scales of it in all, for the worst cell.","relation":"add_remove","details":{"rates":"0.049928884","coarsest_grid_in_scales":"1/1048576"}},"errors":[[28.324557832558305,59.99998465524612]],"outcome":"signed"}	49928884	0	0	950071116	1000000000000	0	{"body":{"accountant":"basic","at":1796078637,"budget_id":"bud_zshhdedq7fpu5wjjr3adhnsj6e","chain_hash":"0f57c8f50f7eafd2cf93fe0113c6bdf35a89a1aabc81b4f9a0527a00c97d1525","commitment":"2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","delta_units":0,"epsilon_units":49928884,"grant_id":"","key_hash":"cd616457e9c9f0bc66b18b19e4cf6e18a37ae2d550b2f2b71415c3f18850fc68","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"5177298e4abf3da6ed4e127aac2de4e7782538ff0bf790cfa1ae0c188e3a9c60","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"qry_5dx7z5tuhwk6wkf4jpr4hhcsbq","rho_units":0,"sequence":3,"spec_sha256":"d9ead0a33f8dc6069e78a84c5ae547f7d6ac728ecee44c9af43dd88cf7fa5c6a"},"key_id":"139e3940e64b5491","signature":"btdue55VQ8cfTtIC5OcVWd2_ZCRLGp6P5YO_obdPeehDvyqbZLzW_XuRGca9RyaT6gt6wj6UPWPkRM8yI6tkAw"}	1796078637	complete	1796078659	["1806099/32768"]	{"kind":"queries","id":"qry_5dx7z5tuhwk6wkf4jpr4hhcsbq","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","budget_id":"bud_zshhdedq7fpu5wjjr3adhnsj6e","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","state":"complete","queries":[{"of":null,"weights":["1","1","1","-1"],"half_width":60.0,"confidence":0.95,"between":null}],"answers":[{"estimate":55.117767333984375,"standard_deviation":28.324557832558305,"interval":{"low":-4.882232580050861,"high":115.11776724801962,"half_width":59.999999914035236,"confidence":0.95},"probability":null,"used":[{"release_id":"qry_5dx7z5tuhwk6wkf4jpr4hhcsbq","weights":[1.0]}],"with_constraints":null}],"covariance":[[802.2805764099403]],"measured":[{"coefficients":[1,1,1,-1],"denominator":1,"rate":"0.049928884","answer":55.117767333984375,"exact_answer":"1806099/32768"}],"charged":{"accountant":"basic","epsilon":"0.049928884","delta":"0"},"standalone_cost":{"accountant":"basic","epsilon":"0.049928884","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.950071116","delta":"0.000001"},"record_count":null,"category_count":4,"records_per_unit":1,"event":{"event":"linear","n":null,"m":4,"denominator":1,"rows":[[1,1,1,-1]],"rates":["0.049928884"],"records_per_unit":1},"certificate":{"loss":{"epsilon":"0.049928884","delta":"0","rho":"0.001225958538","rho_delta":"0"},"method":"theorem","statement":"The release is 0.049928884-differentially private: a query is answered with Laplace noise, and adding or removing one record moves the answers by at most 0.049928884 scales of it in all, for the worst cell.","relation":"add_remove","details":{"rates":"0.049928884","coarsest_grid_in_scales":"1/1048576"},"unit":"one person"},"created_at":"2026-11-30T22:43:57Z","receipt":{"body":{"accountant":"basic","at":1796078637,"budget_id":"bud_zshhdedq7fpu5wjjr3adhnsj6e","chain_hash":"0f57c8f50f7eafd2cf93fe0113c6bdf35a89a1aabc81b4f9a0527a00c97d1525","commitment":"2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","delta_units":0,"epsilon_units":49928884,"grant_id":"","key_hash":"cd616457e9c9f0bc66b18b19e4cf6e18a37ae2d550b2f2b71415c3f18850fc68","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"5177298e4abf3da6ed4e127aac2de4e7782538ff0bf790cfa1ae0c188e3a9c60","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"qry_5dx7z5tuhwk6wkf4jpr4hhcsbq","rho_units":0,"sequence":3,"spec_sha256":"d9ead0a33f8dc6069e78a84c5ae547f7d6ac728ecee44c9af43dd88cf7fa5c6a"},"key_id":"139e3940e64b5491","signature":"btdue55VQ8cfTtIC5OcVWd2_ZCRLGp6P5YO_obdPeehDvyqbZLzW_XuRGca9RyaT6gt6wj6UPWPkRM8yI6tkAw"}}	\N	query	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"7f8e72be399afed9559050bd0f8e09dcbf879b3ce788e006bf0f4d1ae5d34bc7","drawn_sha256":"35001a2bb1e6f58a858822aab50cb8eeb528d4f998c814ed7d2d2b7cc0f133bd","kind":"private-posterior outcome 1","release_id":"qry_5dx7z5tuhwk6wkf4jpr4hhcsbq"},"key_id":"139e3940e64b5491","signature":"3duRxToLi2v6ApzpWMH5NTRkPXhCb-8JfDMNlRR_iL-2mg2n3vTlK5yNCeM5rRw6VBtLcciqYjkwrjgLCFnqDA"}	80cd780430b2f9de9ffdfbc51757c9869faf4b441c1fef0e60868d8720b1667f
rel_tqt4yloivhtp6dwhm6ndtm3sku	dat_m2zq3p6uzvtz4fi2dedzbjcf74	bud_zshhdedq7fpu5wjjr3adhnsj6e	4	pri_mo3nu3wdok3o3vmn2bletbpo3y	1140179034028b60eeaf6bb827fa4ccedb210a4df48f870ef0cdf38395dba6ae	fa07a6a4d3963e6e03684aa7ee4535b26e49f38273592c4ad265d718eb455e5d	{"request":{"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"geometric","epsilon":"0.1"},"level":0.95},"labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"private_size","m":4,"law":"geometric","epsilon":"0.1","delta":"0","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private when one record is added or removed: two-sided geometric noise of scale 1/0.1 on every count.","relation":"add_remove","details":{"records_per_unit":"1","l1_sensitivity":"1","noise_scale":"1/0.1"}},"outcome":"signed"}	100000000	0	0	850071116	1000000000000	0	{"body":{"accountant":"basic","at":1796078638,"budget_id":"bud_zshhdedq7fpu5wjjr3adhnsj6e","chain_hash":"4f67ea5c5a30e7ec0654fc08e7a2b8cc98e9ee3fa2913a4bae9e8d2dba6463bb","commitment":"2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"1140179034028b60eeaf6bb827fa4ccedb210a4df48f870ef0cdf38395dba6ae","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"fa07a6a4d3963e6e03684aa7ee4535b26e49f38273592c4ad265d718eb455e5d","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_tqt4yloivhtp6dwhm6ndtm3sku","rho_units":0,"sequence":4,"spec_sha256":"1259e2490806687bd377dffd4a3ce4cd002d24dc79f2febb83b8dd3e3aab30ef"},"key_id":"139e3940e64b5491","signature":"zuGDCL5SIfO4g4I_B5jbYAG2bYf85zcyHgb1WL5zlFJlAidqBfXvXflEZSCqWRGjsTbIb6ap26HdjlFoB0ODDw"}	1796078638	complete	1796078660	{"noisy": [36, -2, 29, -40], "on_simplex": [36, 0, 29, 0]}	{"kind":"counts","id":"rel_tqt4yloivhtp6dwhm6ndtm3sku","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","budget_id":"bud_zshhdedq7fpu5wjjr3adhnsj6e","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","state":"complete","labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"record_count":null,"category_count":4,"records_per_unit":1,"event":{"event":"private_size","m":4,"law":"geometric","epsilon":"0.1","delta":"0","records_per_unit":1},"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.850071116","delta":"0.000001"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private when one record is added or removed: two-sided geometric noise of scale 1/0.1 on every count.","relation":"add_remove","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"records_per_unit":"1","l1_sensitivity":"1","noise_scale":"1/0.1"}},"posterior":{"concentration":[37.0,1.0,30.0,1.0],"noisy_counts":[36,-2,29,-40],"released_counts":[36,0,29,0],"categories":[{"label":"female · no","mean":0.5362318840579711,"standard_deviation":0.05960432038243174,"naive_interval":{"level":0.95,"low":0.41878504589598686,"high":0.6516880337113689}},{"label":"female · yes","mean":0.014492753623188406,"standard_deviation":0.014284213921871918,"naive_interval":{"level":0.95,"low":0.00037225140289861045,"high":0.05280304279363979}},{"label":"male · no","mean":0.43478260869565216,"standard_deviation":0.05925088207558669,"naive_interval":{"level":0.95,"low":0.32082006467370905,"high":0.5523282033117385}},{"label":"male · yes","mean":0.014492753623188406,"standard_deviation":0.014284213921871918,"naive_interval":{"level":0.95,"low":0.00037225140289861045,"high":0.05280304279363979}}]},"created_at":"2026-11-30T22:43:58Z","receipt":{"body":{"accountant":"basic","at":1796078638,"budget_id":"bud_zshhdedq7fpu5wjjr3adhnsj6e","chain_hash":"4f67ea5c5a30e7ec0654fc08e7a2b8cc98e9ee3fa2913a4bae9e8d2dba6463bb","commitment":"2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"1140179034028b60eeaf6bb827fa4ccedb210a4df48f870ef0cdf38395dba6ae","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"fa07a6a4d3963e6e03684aa7ee4535b26e49f38273592c4ad265d718eb455e5d","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_tqt4yloivhtp6dwhm6ndtm3sku","rho_units":0,"sequence":4,"spec_sha256":"1259e2490806687bd377dffd4a3ce4cd002d24dc79f2febb83b8dd3e3aab30ef"},"key_id":"139e3940e64b5491","signature":"zuGDCL5SIfO4g4I_B5jbYAG2bYf85zcyHgb1WL5zlFJlAidqBfXvXflEZSCqWRGjsTbIb6ap26HdjlFoB0ODDw"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"59cc2b771536a0daa4efc1272e91daf1149eaaaa57f18d10d20785a16eb105f5","drawn_sha256":"f45c8dc4b7f19a1f1671ff84b0b3c6c8ac267624a13d980d52d581234e2e1680","kind":"private-posterior outcome 1","release_id":"rel_tqt4yloivhtp6dwhm6ndtm3sku"},"key_id":"139e3940e64b5491","signature":"K18lqP51CnKqvV1EKY25_hkQmUuLhjk7hsRz2V4RVlYM87zMOFjkDZv_9uOASBWArMd5WS9WhAcCjuuTPme-Bg"}	80216b3e5b61de4a5cd23363d1a6151691b57befa2d859ceea8eb801b4dfb0a9
rel_k5dylehpqpjgqnxwakv4yp4ose	dat_5phxrezlec55vnqea2flqtwn3u	bud_fby4sds2q4yysriftt7g2c72sa	11	pri_mo3nu3wdok3o3vmn2bletbpo3y	b97d7f8ff58338f70233c98e4bf46b89c60f6bbe10581112d3d6ad1b96e269e7	cb719125c84aba4b532f670e24d206e035d0ab3d9b01df18d3bde7e57f11e361	{"request":{"margins":null,"all":1,"weights":null,"epsilon":"0.2","half_widths":null,"confidence":0.95,"delta":"0.000000001","noise":"blocks","mechanism":{"kind":"margins","epsilon":"0.2"}},"attributes":[{"name":"sex","levels":["female","male"]},{"name":"smoker","levels":["never","former","current"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"blocks","n":145,"levels":[2,3],"impossible":[],"blocks":[[[0],[1]]],"epsilons":["0.2"],"records_per_unit":1},"certificate":{"loss":{"epsilon":"0.2","delta":"0","rho":"0.015113174936","rho_delta":"0"},"method":"theorem","statement":"The release is 0.2-differentially private when the records of one unit change: the noise of the 2 margins has the sum 0 in each, and its probability falls like exp(-rate N) with the largest size N of a margin's noise in a block, which one unit changes by at most its records. The losses of the blocks add.","relation":"replace_one","details":{"losses":"0.2","records_per_unit":"1"}},"tables":[{"margin":[0],"deviation":12.904213324244497,"intervals":[[0.9,21.0,27],[0.95,26.0,31],[0.99,36.0,42]]},{"margin":[1],"deviation":11.780665455967604,"intervals":[[0.9,19.0,27],[0.95,24.0,31],[0.99,35.0,42]]}],"outcome":"signed"}	200000000	0	0	500002991	900000000000	0	{"body":{"accountant":"basic","at":1796078638,"budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","chain_hash":"8525bacbdfa2b86dafe2c23c173dfa926178d80556a54f36e2d07c0155600b58","commitment":"5031e120a96f82c9d42512ec9d3331c8a35a3ca315736f69fa9aaf771e494928","dataset_id":"dat_5phxrezlec55vnqea2flqtwn3u","delta_units":0,"epsilon_units":200000000,"grant_id":"","key_hash":"b97d7f8ff58338f70233c98e4bf46b89c60f6bbe10581112d3d6ad1b96e269e7","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"cb719125c84aba4b532f670e24d206e035d0ab3d9b01df18d3bde7e57f11e361","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_k5dylehpqpjgqnxwakv4yp4ose","rho_units":0,"sequence":11,"spec_sha256":"886cf8b538b09adaa8785e80799102b907505c753f886b9eff950c0e5d509d9d"},"key_id":"139e3940e64b5491","signature":"ipWVGLzAjigK4SD4I2MvO1a4252goiA0CLAs-8Hk3GYv9MBfLjbm0wPn_osJZ9YoHOIU7DGEQV0AJzzhcTLyCQ"}	1796078638	complete	1796078672	{"noisy": [[86, 59], [66, 58, 21]]}	{"kind":"margins","id":"rel_k5dylehpqpjgqnxwakv4yp4ose","dataset_id":"dat_5phxrezlec55vnqea2flqtwn3u","budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","state":"complete","attributes":[{"name":"sex","levels":["female","male"]},{"name":"smoker","levels":["never","former","current"]}],"record_count":145,"category_count":6,"records_per_unit":1,"event":{"event":"blocks","n":145,"levels":[2,3],"impossible":[],"blocks":[[[0],[1]]],"epsilons":["0.2"],"records_per_unit":1},"mechanism":{"kind":"margins","epsilon":"0.2"},"requested":{"epsilon":"0.2"},"certified":{"epsilon":"0.2","delta":"0","rho":"0.015113174936","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.2","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.500002991","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"The release is 0.2-differentially private when the records of one unit change: the noise of the 2 margins has the sum 0 in each, and its probability falls like exp(-rate N) with the largest size N of a margin's noise in a block, which one unit changes by at most its records. The losses of the blocks add.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.2","delta":"0","rho":"0.015113174936","rho_delta":"0"},"details":{"losses":"0.2","records_per_unit":"1"}},"measured":[{"attributes":["sex"],"cell_count":2,"cost":{"accountant":"basic","epsilon":"0.2","delta":"0"},"noise":"max_norm","noise_parameter":"1/5","noise_standard_deviation":12.904213324244497,"block":1,"noisy_counts":[86,59]},{"attributes":["smoker"],"cell_count":3,"cost":{"accountant":"basic","epsilon":"0.2","delta":"0"},"noise":"max_norm","noise_parameter":"1/5","noise_standard_deviation":11.780665455967604,"block":1,"noisy_counts":[66,58,21]}],"tables":[{"attributes":["sex"],"cell_count":2,"standard_deviation":12.904213324244497,"intervals":[{"confidence":0.9,"half_width":21.0,"simultaneous_half_width":27},{"confidence":0.95,"half_width":26.0,"simultaneous_half_width":31},{"confidence":0.99,"half_width":36.0,"simultaneous_half_width":42}],"estimates":[86.0,59.0]},{"attributes":["smoker"],"cell_count":3,"standard_deviation":11.780665455967604,"intervals":[{"confidence":0.9,"half_width":19.0,"simultaneous_half_width":27},{"confidence":0.95,"half_width":24.0,"simultaneous_half_width":31},{"confidence":0.99,"half_width":35.0,"simultaneous_half_width":42}],"estimates":[66.0,58.0,21.0]}],"created_at":"2026-11-30T22:43:58Z","receipt":{"body":{"accountant":"basic","at":1796078638,"budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","chain_hash":"8525bacbdfa2b86dafe2c23c173dfa926178d80556a54f36e2d07c0155600b58","commitment":"5031e120a96f82c9d42512ec9d3331c8a35a3ca315736f69fa9aaf771e494928","dataset_id":"dat_5phxrezlec55vnqea2flqtwn3u","delta_units":0,"epsilon_units":200000000,"grant_id":"","key_hash":"b97d7f8ff58338f70233c98e4bf46b89c60f6bbe10581112d3d6ad1b96e269e7","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"cb719125c84aba4b532f670e24d206e035d0ab3d9b01df18d3bde7e57f11e361","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_k5dylehpqpjgqnxwakv4yp4ose","rho_units":0,"sequence":11,"spec_sha256":"886cf8b538b09adaa8785e80799102b907505c753f886b9eff950c0e5d509d9d"},"key_id":"139e3940e64b5491","signature":"ipWVGLzAjigK4SD4I2MvO1a4252goiA0CLAs-8Hk3GYv9MBfLjbm0wPn_osJZ9YoHOIU7DGEQV0AJzzhcTLyCQ"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"6ecccad441382554554ca4b04c557acf866c7b20b8935a9a51ac4a8a4dd39f39","drawn_sha256":"0812a1699fe1266ddf5be973b351aa04c2143bcff2fa2f0c07ad8dd2b207136b","kind":"private-posterior outcome 1","release_id":"rel_k5dylehpqpjgqnxwakv4yp4ose"},"key_id":"139e3940e64b5491","signature":"ah_ZcX1bXg5LmpqlqXgKORoWbKNnp6DPvsNnf8hl1fO_I5_eKgOFILylPrxygV1WGi3e9KEJI1NxwDD2nEw9Dw"}	b3ba2de9742f648fd84918edd43be0ed9422b3e0a77279a5b77c7fffdebb6301
rel_kboaij2ms6bdnroa3ix6s3j6vy	dat_m2zq3p6uzvtz4fi2dedzbjcf74	bud_zshhdedq7fpu5wjjr3adhnsj6e	5	pri_mo3nu3wdok3o3vmn2bletbpo3y	475015d249d5cf0dd20ad1818cbc9292919dc85186ddda1022c3489508f1d59b	c91c115bc62e348ff083e53a263d07baca8bb01816abb08155875fa9bb9526f0	{"request":{"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"laplace","epsilon":"0.1"},"level":0.95},"labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"private_size","m":4,"law":"laplace","epsilon":"0.1","delta":"0","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004758129099","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private when one record is added or removed: rounded-down Laplace noise of scale 1/0.1 on every count.","relation":"add_remove","details":{"records_per_unit":"1","l1_sensitivity":"1","noise_scale":"1/0.1"}},"outcome":"signed"}	100000000	0	0	750071116	1000000000000	0	{"body":{"accountant":"basic","at":1796078638,"budget_id":"bud_zshhdedq7fpu5wjjr3adhnsj6e","chain_hash":"ea9355022baab2686f3b0b2f3eb647c5a3824b9ae8eda9e936c54671fab5847e","commitment":"2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"475015d249d5cf0dd20ad1818cbc9292919dc85186ddda1022c3489508f1d59b","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"c91c115bc62e348ff083e53a263d07baca8bb01816abb08155875fa9bb9526f0","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_kboaij2ms6bdnroa3ix6s3j6vy","rho_units":0,"sequence":5,"spec_sha256":"da8f259f089a874395ce3ecb5ae3b7e93ba31b0e4a027c0bbfdc8a2dc3e7471e"},"key_id":"139e3940e64b5491","signature":"R6LXebO5CYcu-ITJap-9QPkr3qImg-EtucYpkYn0FsbhBxG7jBCOe9xDhv_R9hKs4XbC6E6KAz1dzvafgahlCQ"}	1796078638	complete	1796078660	{"noisy": [31, 15, 28, 2], "on_simplex": [31, 15, 28, 2]}	{"kind":"counts","id":"rel_kboaij2ms6bdnroa3ix6s3j6vy","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","budget_id":"bud_zshhdedq7fpu5wjjr3adhnsj6e","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","state":"complete","labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"record_count":null,"category_count":4,"records_per_unit":1,"event":{"event":"private_size","m":4,"law":"laplace","epsilon":"0.1","delta":"0","records_per_unit":1},"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"laplace","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004758129099","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.750071116","delta":"0.000001"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private when one record is added or removed: rounded-down Laplace noise of scale 1/0.1 on every count.","relation":"add_remove","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004758129099","rho_delta":"0"},"details":{"records_per_unit":"1","l1_sensitivity":"1","noise_scale":"1/0.1"}},"posterior":{"concentration":[32.0,16.0,29.0,3.0],"noisy_counts":[31,15,28,2],"released_counts":[31,15,28,2],"categories":[{"label":"female · no","mean":0.4,"standard_deviation":0.05443310539518174,"naive_interval":{"level":0.95,"low":0.2959894640984079,"high":0.5087484035250855}},{"label":"female · yes","mean":0.2,"standard_deviation":0.04444444444444444,"naive_interval":{"level":0.95,"low":0.12042708600077927,"high":0.29375845961872643}},{"label":"male · no","mean":0.3625,"standard_deviation":0.05341356811952615,"naive_interval":{"level":0.95,"low":0.26138777471545444,"high":0.47012581037453816}},{"label":"male · yes","mean":0.0375,"standard_deviation":0.02110928354662592,"naive_interval":{"level":0.95,"low":0.00790081887463672,"high":0.08847699279560357}}]},"created_at":"2026-11-30T22:43:58Z","receipt":{"body":{"accountant":"basic","at":1796078638,"budget_id":"bud_zshhdedq7fpu5wjjr3adhnsj6e","chain_hash":"ea9355022baab2686f3b0b2f3eb647c5a3824b9ae8eda9e936c54671fab5847e","commitment":"2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"475015d249d5cf0dd20ad1818cbc9292919dc85186ddda1022c3489508f1d59b","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"c91c115bc62e348ff083e53a263d07baca8bb01816abb08155875fa9bb9526f0","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_kboaij2ms6bdnroa3ix6s3j6vy","rho_units":0,"sequence":5,"spec_sha256":"da8f259f089a874395ce3ecb5ae3b7e93ba31b0e4a027c0bbfdc8a2dc3e7471e"},"key_id":"139e3940e64b5491","signature":"R6LXebO5CYcu-ITJap-9QPkr3qImg-EtucYpkYn0FsbhBxG7jBCOe9xDhv_R9hKs4XbC6E6KAz1dzvafgahlCQ"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"ed1e40948cab8609c37818b100596a3fc083be025a8a03b0afa13d78d6182409","drawn_sha256":"c2bcb13c3439d980a2966a61e722c5003eb4284da4cc7caf278e3966382e4dc3","kind":"private-posterior outcome 1","release_id":"rel_kboaij2ms6bdnroa3ix6s3j6vy"},"key_id":"139e3940e64b5491","signature":"mnE7maK89d-3nGHUwsCVLd93RuoDdi9KUfQsgb1g82oCwDWJrSdJUHeoVvDxUNdzMFfLJDm-9dN3WjLUVziqBA"}	d871343c5d5cbfd392cfb77ceaacf81f75b0459401a22c65fde94ea099e6a147
rel_4akccuadsypymbv2yz7byqtvbq	dat_m2zq3p6uzvtz4fi2dedzbjcf74	bud_zshhdedq7fpu5wjjr3adhnsj6e	6	pri_mo3nu3wdok3o3vmn2bletbpo3y	2c9045e3a56107dbf7ed23d15ced7013149a5473ca093d2d07626fb7d399dcc9	394702ae712534eb4c5cc101cb509a7c797df464390e9329a04ac68d15123db4	{"request":{"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"gaussian","rho":"0.001","delta":"0.0000001"},"level":0.95},"labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"private_size","m":4,"law":"gaussian","rho":"0.001","delta":"0.0000001","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.205575747","delta":"0.0000001","rho":"0.001","rho_delta":"0"},"method":"theorem","statement":"The release is 0.001-zCDP when one record is added or removed: discrete Gaussian noise with sigma^2 = 500 on every count. Hence it is (0.205575747, 0.0000001)-differentially private.","relation":"add_remove","details":{"records_per_unit":"1","noise_variance":"500"}},"outcome":"signed"}	205575747	100000000000	0	544495369	900000000000	0	{"body":{"accountant":"basic","at":1796078638,"budget_id":"bud_zshhdedq7fpu5wjjr3adhnsj6e","chain_hash":"e19ecc64efd16403a86a4d69f6613aea3b5d72d3d57dc7aab617f5e0fd7cc775","commitment":"2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","delta_units":100000000000,"epsilon_units":205575747,"grant_id":"","key_hash":"2c9045e3a56107dbf7ed23d15ced7013149a5473ca093d2d07626fb7d399dcc9","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"394702ae712534eb4c5cc101cb509a7c797df464390e9329a04ac68d15123db4","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_4akccuadsypymbv2yz7byqtvbq","rho_units":0,"sequence":6,"spec_sha256":"7014039a4c6246314f0b1e1ddec1f476e33483c09650bb3ab7bc29e8a3d92c58"},"key_id":"139e3940e64b5491","signature":"ebymk2kGC0UPPE9whwqZ8ZzQvTOWFmIK9l2CtE63eWdABD-4QrT3wvacDNVxyoPN7KXJP4eqZ7bQVXbhB10XAw"}	1796078638	complete	1796078660	{"noisy": [-39, -41, 42, -26], "on_simplex": [0, 0, 42, 0]}	{"kind":"counts","id":"rel_4akccuadsypymbv2yz7byqtvbq","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","budget_id":"bud_zshhdedq7fpu5wjjr3adhnsj6e","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","state":"complete","labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"record_count":null,"category_count":4,"records_per_unit":1,"event":{"event":"private_size","m":4,"law":"gaussian","rho":"0.001","delta":"0.0000001","records_per_unit":1},"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"gaussian","rho":"0.001","delta":"0.0000001"},"requested":{"rho":"0.001","delta":"0.0000001"},"certified":{"epsilon":"0.205575747","delta":"0.0000001","rho":"0.001","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.205575747","delta":"0.0000001"},"remaining_after":{"accountant":"basic","epsilon":"0.544495369","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"The release is 0.001-zCDP when one record is added or removed: discrete Gaussian noise with sigma^2 = 500 on every count. Hence it is (0.205575747, 0.0000001)-differentially private.","relation":"add_remove","unit":"one person","loss":{"epsilon":"0.205575747","delta":"0.0000001","rho":"0.001","rho_delta":"0"},"details":{"records_per_unit":"1","noise_variance":"500"}},"posterior":{"concentration":[1.0,1.0,43.0,1.0],"noisy_counts":[-39,-41,42,-26],"released_counts":[0,0,42,0],"categories":[{"label":"female · no","mean":0.021739130434782608,"standard_deviation":0.021271567599568768,"naive_interval":{"level":0.95,"low":0.0005624597154022581,"high":0.07870510040684303}},{"label":"female · yes","mean":0.021739130434782608,"standard_deviation":0.021271567599568768,"naive_interval":{"level":0.95,"low":0.0005624597154022581,"high":0.07870510040684303}},{"label":"male · no","mean":0.9347826086956522,"standard_deviation":0.03601538772075997,"naive_interval":{"level":0.95,"low":0.8485070997566608,"high":0.9860349029556295}},{"label":"male · yes","mean":0.021739130434782608,"standard_deviation":0.021271567599568768,"naive_interval":{"level":0.95,"low":0.0005624597154022581,"high":0.07870510040684303}}]},"created_at":"2026-11-30T22:43:58Z","receipt":{"body":{"accountant":"basic","at":1796078638,"budget_id":"bud_zshhdedq7fpu5wjjr3adhnsj6e","chain_hash":"e19ecc64efd16403a86a4d69f6613aea3b5d72d3d57dc7aab617f5e0fd7cc775","commitment":"2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","delta_units":100000000000,"epsilon_units":205575747,"grant_id":"","key_hash":"2c9045e3a56107dbf7ed23d15ced7013149a5473ca093d2d07626fb7d399dcc9","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"394702ae712534eb4c5cc101cb509a7c797df464390e9329a04ac68d15123db4","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_4akccuadsypymbv2yz7byqtvbq","rho_units":0,"sequence":6,"spec_sha256":"7014039a4c6246314f0b1e1ddec1f476e33483c09650bb3ab7bc29e8a3d92c58"},"key_id":"139e3940e64b5491","signature":"ebymk2kGC0UPPE9whwqZ8ZzQvTOWFmIK9l2CtE63eWdABD-4QrT3wvacDNVxyoPN7KXJP4eqZ7bQVXbhB10XAw"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"4a7c68c7b11821d27d5d04c09d15ee56322081dba0d9248cefdd4d86fa49d8a8","drawn_sha256":"b81547271f8823160f1c72cc467682b577d8b9ab039266b65be4fc54a771247b","kind":"private-posterior outcome 1","release_id":"rel_4akccuadsypymbv2yz7byqtvbq"},"key_id":"139e3940e64b5491","signature":"7LHg5ZtoZ6Wvfkei4piKEbDUnr5UvzU1Mr3wbn2rUj3dlFB7KpRbzQhiKfwticEovRFPN8kTkutEPZvoU7phDg"}	dd696fa182c539bf20245e05f04f99d4c6797637490deadb65f73d6c54f47953
rel_5yypnwgbsv2kiyv2kvjxiplkae	dat_m2zq3p6uzvtz4fi2dedzbjcf74	bud_zshhdedq7fpu5wjjr3adhnsj6e	7	pri_mo3nu3wdok3o3vmn2bletbpo3y	60df9852279da0431a5ed9a29fc6c631f6d4678c634a04ed7e2ae4695468f8d1	ff30f42739acc7dc76982b1ef186e36cce96fa46b0ee8dc70b9fc5298035a7f6	{"request":{"margins":[["ill"]],"all":null,"weights":null,"epsilon":"0.2","half_widths":null,"confidence":0.95,"delta":"0.000000001","noise":"independent","mechanism":{"kind":"margins","epsilon":"0.2"}},"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"margins","n":null,"levels":[2,2],"impossible":[],"margins":[[1]],"loss":"epsilon","losses":["0.2"],"delta":"0","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.2","delta":"0","rho":"0.019933598925","rho_delta":"0"},"method":"theorem","statement":"The release is 0.2-differentially private when the records of one unit are added or removed: 1 margin has independent two-sided geometric noise on every cell, and their losses add.","relation":"add_remove","details":{"losses":"0.2","records_per_unit":"1"}},"tables":[{"margin":[1],"deviation":7.059296433661497,"intervals":[[0.9,11.0],[0.95,15.0],[0.99,23.0]]}],"outcome":"signed"}	200000000	0	0	344495369	900000000000	0	{"body":{"accountant":"basic","at":1796078638,"budget_id":"bud_zshhdedq7fpu5wjjr3adhnsj6e","chain_hash":"d005a661930c7e24401a1a3648286fb98daf0d1dbfadd52b1906e25341defb63","commitment":"2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","delta_units":0,"epsilon_units":200000000,"grant_id":"","key_hash":"60df9852279da0431a5ed9a29fc6c631f6d4678c634a04ed7e2ae4695468f8d1","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"ff30f42739acc7dc76982b1ef186e36cce96fa46b0ee8dc70b9fc5298035a7f6","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_5yypnwgbsv2kiyv2kvjxiplkae","rho_units":0,"sequence":7,"spec_sha256":"472bac32b46625f9bc1104fed7fb8666c57cab4af9e34bddf6ba966f86dbaab6"},"key_id":"139e3940e64b5491","signature":"qD7wxD7Fj9jMzXpjqrFqjMlZQVZ7U51H5KdTaRJuU3E0KmfIQKZgG1StgLd-ZF1rnyT8IdkujdkhrYIfQeqsDw"}	1796078638	complete	1796078660	{"noisy": [[59, 4]]}	{"kind":"margins","id":"rel_5yypnwgbsv2kiyv2kvjxiplkae","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","budget_id":"bud_zshhdedq7fpu5wjjr3adhnsj6e","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","state":"complete","attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"record_count":null,"category_count":4,"records_per_unit":1,"event":{"event":"margins","n":null,"levels":[2,2],"impossible":[],"margins":[[1]],"loss":"epsilon","losses":["0.2"],"delta":"0","records_per_unit":1},"mechanism":{"kind":"margins","epsilon":"0.2"},"requested":{"epsilon":"0.2"},"certified":{"epsilon":"0.2","delta":"0","rho":"0.019933598925","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.2","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.344495369","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"The release is 0.2-differentially private when the records of one unit are added or removed: 1 margin has independent two-sided geometric noise on every cell, and their losses add.","relation":"add_remove","unit":"one person","loss":{"epsilon":"0.2","delta":"0","rho":"0.019933598925","rho_delta":"0"},"details":{"losses":"0.2","records_per_unit":"1"}},"measured":[{"attributes":["ill"],"cell_count":2,"cost":{"accountant":"basic","epsilon":"0.2","delta":"0"},"noise":"geometric","noise_parameter":"1/5","noise_standard_deviation":7.059296433661497,"noisy_counts":[59,4]}],"tables":[{"attributes":["ill"],"cell_count":2,"standard_deviation":7.059296433661497,"intervals":[{"confidence":0.9,"half_width":11.0},{"confidence":0.95,"half_width":15.0},{"confidence":0.99,"half_width":23.0}],"estimates":[59.0,4.0]}],"created_at":"2026-11-30T22:43:58Z","receipt":{"body":{"accountant":"basic","at":1796078638,"budget_id":"bud_zshhdedq7fpu5wjjr3adhnsj6e","chain_hash":"d005a661930c7e24401a1a3648286fb98daf0d1dbfadd52b1906e25341defb63","commitment":"2e4b69d286350d4447d443823a1f37ed507f09549d5d06cd87e4524a4e3c80df","dataset_id":"dat_m2zq3p6uzvtz4fi2dedzbjcf74","delta_units":0,"epsilon_units":200000000,"grant_id":"","key_hash":"60df9852279da0431a5ed9a29fc6c631f6d4678c634a04ed7e2ae4695468f8d1","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"ff30f42739acc7dc76982b1ef186e36cce96fa46b0ee8dc70b9fc5298035a7f6","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_5yypnwgbsv2kiyv2kvjxiplkae","rho_units":0,"sequence":7,"spec_sha256":"472bac32b46625f9bc1104fed7fb8666c57cab4af9e34bddf6ba966f86dbaab6"},"key_id":"139e3940e64b5491","signature":"qD7wxD7Fj9jMzXpjqrFqjMlZQVZ7U51H5KdTaRJuU3E0KmfIQKZgG1StgLd-ZF1rnyT8IdkujdkhrYIfQeqsDw"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"578b95108d1a0efbb187a236e6b5ded4125779ca3d69dbab31ab29cdafe2c1ee","drawn_sha256":"f43f1e0deb506d2beb9b6de5f6dc4ae3fb743b9a1ee5d8b24d65f4c03d33e89d","kind":"private-posterior outcome 1","release_id":"rel_5yypnwgbsv2kiyv2kvjxiplkae"},"key_id":"139e3940e64b5491","signature":"fF_SGIzCIYQOCVgjFNgR9dxuQW8RgHBcUd4mjCyhuBIJhnly0PvFWUj-gxBKFoiAFbGdx0b4tmMLjs2X2qa0DA"}	860ee45aea73696c365f668525353a54cb0ef69dfdf21660b42869c043ffba33
rel_kpqqvxselinncrr5kqfxjvwkqy	dat_5phxrezlec55vnqea2flqtwn3u	bud_fby4sds2q4yysriftt7g2c72sa	13	pri_mo3nu3wdok3o3vmn2bletbpo3y	48481556f7782feb0092713a3e3bc042b68395d48d56cc99ef2553028185f6f8	5b964f29355a991709a078167c179a3ff28a1e313362aa2a93803eb0a6c8a3ba	{"request":{"margins":null,"all":1,"weights":null,"half_widths":[40.0],"confidence":0.95,"delta":"0.000000001","noise":"independent","mechanism":{"kind":"margins","epsilon":"0.171708977"}},"attributes":[{"name":"sex","levels":["female","male"]},{"name":"smoker","levels":["never","former","current"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"margins","n":145,"levels":[2,3],"impossible":[],"margins":[[0,1]],"loss":"epsilon","losses":["0.171708977"],"delta":"0","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.171708977","delta":"0","rho":"0.007366468904","rho_delta":"0"},"method":"theorem","statement":"The release is 0.171708977-differentially private when the records of one unit change: 1 margin has independent two-sided geometric noise on every cell, and their losses add.","relation":"replace_one","details":{"losses":"0.171708977","records_per_unit":"1"}},"tables":[{"margin":[0],"deviation":20.16806571851107,"intervals":[[0.9,33.0],[0.95,40.0],[0.99,55.5]]},{"margin":[1],"deviation":19.01463471063349,"intervals":[[0.9,31.108361567885872],[0.95,38.381641977396185],[0.99,53.733607982693215]]}],"outcome":"signed"}	171708977	0	0	228294014	900000000000	0	{"body":{"accountant":"basic","at":1796078639,"budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","chain_hash":"5072e04a1823a171fdf455069e2f3a4a20e93af013f3cff7c3f8c6e24efd2620","commitment":"5031e120a96f82c9d42512ec9d3331c8a35a3ca315736f69fa9aaf771e494928","dataset_id":"dat_5phxrezlec55vnqea2flqtwn3u","delta_units":0,"epsilon_units":171708977,"grant_id":"","key_hash":"48481556f7782feb0092713a3e3bc042b68395d48d56cc99ef2553028185f6f8","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"5b964f29355a991709a078167c179a3ff28a1e313362aa2a93803eb0a6c8a3ba","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_kpqqvxselinncrr5kqfxjvwkqy","rho_units":0,"sequence":13,"spec_sha256":"6327504809c396aef195069af2a33527bc816285edfc41a81782dcfc75b29608"},"key_id":"139e3940e64b5491","signature":"49AvBk2ohpOys4mq3YUPevEyfGv1u4y6GlI-gybrfE9gTbm4IJlQDv_HoWSIOOtwHr1UJGXKsBIIJYLUk7kPDA"}	1796078639	complete	1796078661	{"noisy": [[48, 38, 38, 12, 50, 3]]}	{"kind":"margins","id":"rel_kpqqvxselinncrr5kqfxjvwkqy","dataset_id":"dat_5phxrezlec55vnqea2flqtwn3u","budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","state":"complete","attributes":[{"name":"sex","levels":["female","male"]},{"name":"smoker","levels":["never","former","current"]}],"record_count":145,"category_count":6,"records_per_unit":1,"event":{"event":"margins","n":145,"levels":[2,3],"impossible":[],"margins":[[0,1]],"loss":"epsilon","losses":["0.171708977"],"delta":"0","records_per_unit":1},"mechanism":{"kind":"margins","epsilon":"0.171708977"},"requested":{},"certified":{"epsilon":"0.171708977","delta":"0","rho":"0.007366468904","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.171708977","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.228294014","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"The release is 0.171708977-differentially private when the records of one unit change: 1 margin has independent two-sided geometric noise on every cell, and their losses add.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.171708977","delta":"0","rho":"0.007366468904","rho_delta":"0"},"details":{"losses":"0.171708977","records_per_unit":"1"}},"measured":[{"attributes":["sex","smoker"],"cell_count":6,"cost":{"accountant":"basic","epsilon":"0.171708977","delta":"0"},"noise":"geometric","noise_parameter":"171708977/2000000000","noise_standard_deviation":16.46715670308997,"noisy_counts":[48,38,38,12,50,3]}],"tables":[{"attributes":["sex"],"cell_count":2,"standard_deviation":20.16806571851107,"intervals":[{"confidence":0.9,"half_width":33.0},{"confidence":0.95,"half_width":40.0},{"confidence":0.99,"half_width":55.5}],"estimates":[102.0,43.0]},{"attributes":["smoker"],"cell_count":3,"standard_deviation":19.01463471063349,"intervals":[{"confidence":0.9,"half_width":31.108361567885872},{"confidence":0.95,"half_width":38.381641977396185},{"confidence":0.99,"half_width":53.733607982693215}],"estimates":[45.333333333333336,73.33333333333334,26.333333333333336]}],"created_at":"2026-11-30T22:43:59Z","receipt":{"body":{"accountant":"basic","at":1796078639,"budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","chain_hash":"5072e04a1823a171fdf455069e2f3a4a20e93af013f3cff7c3f8c6e24efd2620","commitment":"5031e120a96f82c9d42512ec9d3331c8a35a3ca315736f69fa9aaf771e494928","dataset_id":"dat_5phxrezlec55vnqea2flqtwn3u","delta_units":0,"epsilon_units":171708977,"grant_id":"","key_hash":"48481556f7782feb0092713a3e3bc042b68395d48d56cc99ef2553028185f6f8","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"5b964f29355a991709a078167c179a3ff28a1e313362aa2a93803eb0a6c8a3ba","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_kpqqvxselinncrr5kqfxjvwkqy","rho_units":0,"sequence":13,"spec_sha256":"6327504809c396aef195069af2a33527bc816285edfc41a81782dcfc75b29608"},"key_id":"139e3940e64b5491","signature":"49AvBk2ohpOys4mq3YUPevEyfGv1u4y6GlI-gybrfE9gTbm4IJlQDv_HoWSIOOtwHr1UJGXKsBIIJYLUk7kPDA"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"c59d99f0b631e418d9b59231b327be39131e0ae177204e2fe1b79b5a39979c06","drawn_sha256":"5a6f2dc0d82e55f6a54a075dc23d2b5a5b7b2f354d9b840187e20f5e39432279","kind":"private-posterior outcome 1","release_id":"rel_kpqqvxselinncrr5kqfxjvwkqy"},"key_id":"139e3940e64b5491","signature":"af1oitF-o-bykRrXAkcyDxP9-uuemNDEkkN-eCsA0dermSWGr03CHzG7nXdLzQU519B9X75xNSvpLPIMKlRVCg"}	4009ddaab3edb652cebf706fc2aea1c80ab6faf3346a9ec8ec343f95335b516d
rel_dtes2ox37jt7gmcq73uq3ot6ui	dat_5phxrezlec55vnqea2flqtwn3u	bud_fby4sds2q4yysriftt7g2c72sa	12	pri_mo3nu3wdok3o3vmn2bletbpo3y	3081ef1649a854eef51fb3a766354dd063cb619dc54a122329703c8da203ea24	cde63b5d67fb8af766f20f361c1c59c5294e9314e3a3710f8cc7531aa412d90f	{"request":{"prior":[2.0,1.0,2.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"level":0.95},"labels":["female · never","female · former","female · current","male · never","male · former","male · current"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"smoker","levels":["never","former","current"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":145,"m":4,"epsilon":"0.1","merged":[[0,1],[3,4]]},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.002999500499","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"outcome":"signed"}	100000000	0	0	400002991	900000000000	0	{"body":{"accountant":"basic","at":1796078638,"budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","chain_hash":"74390a2f2f043617175c354dbd85f2f891a4a43cae70b87bfdcd12fbd519f4b1","commitment":"5031e120a96f82c9d42512ec9d3331c8a35a3ca315736f69fa9aaf771e494928","dataset_id":"dat_5phxrezlec55vnqea2flqtwn3u","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"3081ef1649a854eef51fb3a766354dd063cb619dc54a122329703c8da203ea24","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"cde63b5d67fb8af766f20f361c1c59c5294e9314e3a3710f8cc7531aa412d90f","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_dtes2ox37jt7gmcq73uq3ot6ui","rho_units":0,"sequence":12,"spec_sha256":"103311a6cd13283ab300ef8c619cdd093c7a492a7e60d8851cf8d5cbf8e6d262"},"key_id":"139e3940e64b5491","signature":"12voNp4HxDYJ5jtHCJWEUnOrYWp133ttVF2WQ9iCM5cgsFl3A5-ZR_zIwxp0uKbgJ0Y4O8-jkhVLXhbxM2CJAA"}	1796078638	complete	1796078660	{"noisy": [68, 9, 76, -8], "on_simplex": [65, 7, 73, 0]}	{"kind":"counts","id":"rel_dtes2ox37jt7gmcq73uq3ot6ui","dataset_id":"dat_5phxrezlec55vnqea2flqtwn3u","budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","state":"complete","labels":["female · never","female · former","female · current","male · never","male · former","male · current"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"smoker","levels":["never","former","current"]}],"record_count":145,"category_count":6,"records_per_unit":1,"event":{"event":"simplex_geometric","n":145,"m":4,"epsilon":"0.1","merged":[[0,1],[3,4]]},"prior":[2.0,1.0,2.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.002999500499","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.400002991","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.002999500499","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[67.0,8.0,75.0,1.0],"noisy_counts":[68,9,76,-8],"released_counts":[65,7,73,0],"categories":[{"label":"female · never + female · former","mean":0.44370860927152317,"standard_deviation":0.040297518479320095,"naive_interval":{"level":0.95,"low":0.3655473468907509,"high":0.5232826920068157}},{"label":"female · current","mean":0.052980132450331126,"standard_deviation":0.018168299100623418,"naive_interval":{"level":0.95,"low":0.023303810196470005,"high":0.0937858649877965}},{"label":"male · never + male · former","mean":0.4966887417218543,"standard_deviation":0.04055446594011884,"naive_interval":{"level":0.95,"low":0.4173574102957342,"high":0.5761031822988487}},{"label":"male · current","mean":0.006622516556291391,"standard_deviation":0.006578803098005184,"naive_interval":{"level":0.95,"low":0.00016877114310994768,"high":0.02429259716610854}}]},"created_at":"2026-11-30T22:43:58Z","receipt":{"body":{"accountant":"basic","at":1796078638,"budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","chain_hash":"74390a2f2f043617175c354dbd85f2f891a4a43cae70b87bfdcd12fbd519f4b1","commitment":"5031e120a96f82c9d42512ec9d3331c8a35a3ca315736f69fa9aaf771e494928","dataset_id":"dat_5phxrezlec55vnqea2flqtwn3u","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"3081ef1649a854eef51fb3a766354dd063cb619dc54a122329703c8da203ea24","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"cde63b5d67fb8af766f20f361c1c59c5294e9314e3a3710f8cc7531aa412d90f","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_dtes2ox37jt7gmcq73uq3ot6ui","rho_units":0,"sequence":12,"spec_sha256":"103311a6cd13283ab300ef8c619cdd093c7a492a7e60d8851cf8d5cbf8e6d262"},"key_id":"139e3940e64b5491","signature":"12voNp4HxDYJ5jtHCJWEUnOrYWp133ttVF2WQ9iCM5cgsFl3A5-ZR_zIwxp0uKbgJ0Y4O8-jkhVLXhbxM2CJAA"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"cfce4714518843384dd6ec8469fd217946713efe3e92166b114146abc6d928bc","drawn_sha256":"af74a18698b58b913aa030fca0245be7d393af04045079173f16abc8edf229e2","kind":"private-posterior outcome 1","release_id":"rel_dtes2ox37jt7gmcq73uq3ot6ui"},"key_id":"139e3940e64b5491","signature":"PV-fmXzja_8cnMTKfHypZXJU2ezeHH6dPrpB0Jjwd1fJmiXAdEPlqBlJ9M1wRMTIujAoTSUjnN4KygKiO76ODQ"}	1ebb54f1e4d511cf8f8f6e7066ecee2e2107c95d2e8701a772f89afd0fa50821
rel_jv5fkwjqaaxg2vclk5jk52qs2m	dat_5phxrezlec55vnqea2flqtwn3u	bud_fby4sds2q4yysriftt7g2c72sa	14	pri_mo3nu3wdok3o3vmn2bletbpo3y	25c1a37322a60bfb8b97f0fae21656e584711a4f439165bfd93c69bc4bddb3c1	bd6867e9ca9a34e70f634f862f9606522d7a39599ba0b581f6eac91a8506d585	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"level":0.95},"labels":["female · never","female · former","female · current","male · never","male · former","male · current"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"smoker","levels":["never","former","current"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":145,"m":6,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.002777226791","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"outcome":"signed"}	100000000	0	0	128294014	900000000000	0	{"body":{"accountant":"basic","at":1796078639,"budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","chain_hash":"f47f1705d083fac9634c6a71ba835b1c680c4068cb425681e362d49a6f95983e","commitment":"5031e120a96f82c9d42512ec9d3331c8a35a3ca315736f69fa9aaf771e494928","dataset_id":"dat_5phxrezlec55vnqea2flqtwn3u","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"25c1a37322a60bfb8b97f0fae21656e584711a4f439165bfd93c69bc4bddb3c1","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"bd6867e9ca9a34e70f634f862f9606522d7a39599ba0b581f6eac91a8506d585","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_jv5fkwjqaaxg2vclk5jk52qs2m","rho_units":0,"sequence":14,"spec_sha256":"f7c5ab5df02c3f125d531851fea2e906424ee129ad15d4ba6ba76e7dbcc7aa55"},"key_id":"139e3940e64b5491","signature":"aV0kYWO1y60V26IqXOJot863X9FKy4_fegOpMiT1Fzg6G7MAOmWJiYHJLHgD3bXmVoOfoVACFZhsl3Y04l6GAg"}	1796078639	complete	1796078661	{"noisy": [57, 31, -2, 19, 8, 32], "on_simplex": [56, 31, 0, 19, 8, 31]}	{"kind":"counts","id":"rel_jv5fkwjqaaxg2vclk5jk52qs2m","dataset_id":"dat_5phxrezlec55vnqea2flqtwn3u","budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","state":"complete","labels":["female · never","female · former","female · current","male · never","male · former","male · current"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"smoker","levels":["never","former","current"]}],"record_count":145,"category_count":6,"records_per_unit":1,"event":{"event":"simplex_geometric","n":145,"m":6,"epsilon":"0.1"},"prior":[0.5,0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.002777226791","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.128294014","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.002777226791","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[56.5,31.5,0.5,19.5,8.5,31.5],"noisy_counts":[57,31,-2,19,8,32],"released_counts":[56,31,0,19,8,31],"categories":[{"label":"female · never","mean":0.38175675675675674,"standard_deviation":0.03979971125888645,"naive_interval":{"level":0.95,"low":0.30538794295225014,"high":0.4611531738483174}},{"label":"female · former","mean":0.21283783783783783,"standard_deviation":0.03353230362989091,"naive_interval":{"level":0.95,"low":0.15095925154933965,"high":0.28206281174100867}},{"label":"female · current","mean":0.0033783783783783786,"standard_deviation":0.004753638619016729,"naive_interval":{"level":0.95,"low":3.334689520778845e-6,"high":0.016914290161174413}},{"label":"male · never","mean":0.13175675675675674,"standard_deviation":0.027708564058534137,"naive_interval":{"level":0.95,"low":0.08238067648226353,"high":0.19054029367943337}},{"label":"male · former","mean":0.057432432432432436,"standard_deviation":0.019060826009645454,"naive_interval":{"level":0.95,"low":0.0260617632842468,"high":0.10005194523854191}},{"label":"male · current","mean":0.21283783783783783,"standard_deviation":0.03353230362989091,"naive_interval":{"level":0.95,"low":0.15095925154933965,"high":0.28206281174100867}}]},"created_at":"2026-11-30T22:43:59Z","receipt":{"body":{"accountant":"basic","at":1796078639,"budget_id":"bud_fby4sds2q4yysriftt7g2c72sa","chain_hash":"f47f1705d083fac9634c6a71ba835b1c680c4068cb425681e362d49a6f95983e","commitment":"5031e120a96f82c9d42512ec9d3331c8a35a3ca315736f69fa9aaf771e494928","dataset_id":"dat_5phxrezlec55vnqea2flqtwn3u","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"25c1a37322a60bfb8b97f0fae21656e584711a4f439165bfd93c69bc4bddb3c1","kind":"private-posterior receipt 1","owner_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","payload_hash":"bd6867e9ca9a34e70f634f862f9606522d7a39599ba0b581f6eac91a8506d585","principal_id":"pri_mo3nu3wdok3o3vmn2bletbpo3y","release_id":"rel_jv5fkwjqaaxg2vclk5jk52qs2m","rho_units":0,"sequence":14,"spec_sha256":"f7c5ab5df02c3f125d531851fea2e906424ee129ad15d4ba6ba76e7dbcc7aa55"},"key_id":"139e3940e64b5491","signature":"aV0kYWO1y60V26IqXOJot863X9FKy4_fegOpMiT1Fzg6G7MAOmWJiYHJLHgD3bXmVoOfoVACFZhsl3Y04l6GAg"}}	\N	posterior	pri_mo3nu3wdok3o3vmn2bletbpo3y	{"body":{"answer_sha256":"00d3263ae7494426f0fef537ff13cbf2793d7080c07880714e05dd736b7a64f4","drawn_sha256":"00ccc1461cddb0baab727e30e471f4499e3a7111855c955b81277133dc6eab55","kind":"private-posterior outcome 1","release_id":"rel_jv5fkwjqaaxg2vclk5jk52qs2m"},"key_id":"139e3940e64b5491","signature":"4RBTzgwCUOy_n7mI0aG8it1DxuwCR5_dc6Y8OVGPgWwkJB7CQ0wR1oVS3lCZaLAb9uJEKiQQ3wzh0nl6YneGCA"}	7d2e698a13ce6164ac81ed61eef1912915c897601325a34ba9c0046366e82a5f
rel_w5qaythg6ptgvbq7t6lt3kmlgi	dat_cgebqdipkzvzxkq6azvsvfyyvm	bud_iw3vqsxdlzjxeiklzjfw2gquhy	3	pri_6ht6phli3kfv6ps7l6ckilrlpa	72c5d9a62cb2ca3340d1b394b1dcf5a700864e5ad064537147e1634a10cc278a	e01dbcc7130eb769e17fe416007cf5d0b76435125aea651602521d44762f0116	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":15,"m":2,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"outcome":"signed"}	100000000	0	0	900000000	1000000000000	0	{"body":{"accountant":"basic","at":1796078640,"budget_id":"bud_iw3vqsxdlzjxeiklzjfw2gquhy","chain_hash":"e11ce54337aad6d3599d9e5b9cae8c4ecd93a0c3e24a1f98822d9e815b8869a2","commitment":"31d5cbedc058d0949661f40e910822908467e813af9d3b630e074913a773388c","dataset_id":"dat_cgebqdipkzvzxkq6azvsvfyyvm","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"72c5d9a62cb2ca3340d1b394b1dcf5a700864e5ad064537147e1634a10cc278a","kind":"private-posterior receipt 1","owner_id":"pri_6ht6phli3kfv6ps7l6ckilrlpa","payload_hash":"e01dbcc7130eb769e17fe416007cf5d0b76435125aea651602521d44762f0116","principal_id":"pri_6ht6phli3kfv6ps7l6ckilrlpa","release_id":"rel_w5qaythg6ptgvbq7t6lt3kmlgi","rho_units":0,"sequence":3,"spec_sha256":"d02295deed7d5c3043c8187f8c2fe291c37b858558322dc3e7c0756b19ab1da0"},"key_id":"139e3940e64b5491","signature":"30zlTsatNSGs89D3DiBJaXNpJ65JgXkKA-qwAk5DeGoZhaKTHXB4bDRKJTsfLX9-6600L2-Nz5WiIR4uIWKeAQ"}	1796078640	complete	1796078662	{"noisy": [3, 12], "on_simplex": [3, 12]}	{"kind":"counts","id":"rel_w5qaythg6ptgvbq7t6lt3kmlgi","dataset_id":"dat_cgebqdipkzvzxkq6azvsvfyyvm","budget_id":"bud_iw3vqsxdlzjxeiklzjfw2gquhy","principal_id":"pri_6ht6phli3kfv6ps7l6ckilrlpa","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":15,"category_count":2,"records_per_unit":1,"event":{"event":"simplex_geometric","n":15,"m":2,"epsilon":"0.1"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.9","delta":"0.000001"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[4.0,13.0],"noisy_counts":[3,12],"released_counts":[3,12],"categories":[{"label":"category 0","mean":0.23529411764705882,"standard_deviation":0.09998077477632912,"naive_interval":{"level":0.95,"low":0.0726620382528822,"high":0.4564565462316117}},{"label":"category 1","mean":0.7647058823529411,"standard_deviation":0.09998077477632912,"naive_interval":{"level":0.95,"low":0.5435434537683883,"high":0.9273379617471178}}]},"created_at":"2026-11-30T22:44:00Z","receipt":{"body":{"accountant":"basic","at":1796078640,"budget_id":"bud_iw3vqsxdlzjxeiklzjfw2gquhy","chain_hash":"e11ce54337aad6d3599d9e5b9cae8c4ecd93a0c3e24a1f98822d9e815b8869a2","commitment":"31d5cbedc058d0949661f40e910822908467e813af9d3b630e074913a773388c","dataset_id":"dat_cgebqdipkzvzxkq6azvsvfyyvm","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"72c5d9a62cb2ca3340d1b394b1dcf5a700864e5ad064537147e1634a10cc278a","kind":"private-posterior receipt 1","owner_id":"pri_6ht6phli3kfv6ps7l6ckilrlpa","payload_hash":"e01dbcc7130eb769e17fe416007cf5d0b76435125aea651602521d44762f0116","principal_id":"pri_6ht6phli3kfv6ps7l6ckilrlpa","release_id":"rel_w5qaythg6ptgvbq7t6lt3kmlgi","rho_units":0,"sequence":3,"spec_sha256":"d02295deed7d5c3043c8187f8c2fe291c37b858558322dc3e7c0756b19ab1da0"},"key_id":"139e3940e64b5491","signature":"30zlTsatNSGs89D3DiBJaXNpJ65JgXkKA-qwAk5DeGoZhaKTHXB4bDRKJTsfLX9-6600L2-Nz5WiIR4uIWKeAQ"}}	\N	posterior	pri_6ht6phli3kfv6ps7l6ckilrlpa	{"body":{"answer_sha256":"2521a5b875860f3dfb7de48b0e22d26f6b50418d31e74af164fbaca9175020d1","drawn_sha256":"dd053d669e009d175354924ecabc0e86728c9566aeda036e7a934804c76c7736","kind":"private-posterior outcome 1","release_id":"rel_w5qaythg6ptgvbq7t6lt3kmlgi"},"key_id":"139e3940e64b5491","signature":"yFSX2jDQLydb8gdiU2M9PGY0nIiv-1ewkICJU7E8VlOXUkfo_ajC5Gxm9LsFxxZ8iqQ7XVZPqulANexnAARDAA"}	0363db555cd429f89f94ee5f4c995615b96859e4812a4417291889b40b43df99
rel_cmb4so7dnodfl2cnoqc5whmzhq	dat_aqycnpbmyrprs7bmyba3kwa7xi	bud_fw6n2rr6tqh33ngj2zgevum4ve	3	pri_5nck3a22mjpxbgywtz44q2r4kq	dc6155f24a3daff245862c8c8537bc13cd680e4528a9c271d49820ca3936aba5	52ee55945691be65f2b34791a90cb8c78dc08bd0a8de6dec7f999d90766b6a36	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.2"},"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":11,"m":2,"epsilon":"0.2"},"certificate":{"loss":{"epsilon":"0.2","delta":"0","rho":"0.019933598925","rho_delta":"0"},"method":"theorem","statement":"The release is 0.2-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.2/2","support":"lattice"}},"outcome":"signed"}	200000000	0	0	800000000	1000000000000	0	{"body":{"accountant":"basic","at":1796078647,"budget_id":"bud_fw6n2rr6tqh33ngj2zgevum4ve","chain_hash":"c350ff67b964077a04895add8deda9ff8bf3ad6512a9e1dca6e58dc029f3c44a","commitment":"9bbe85cbd08a5ceab381811f6537f05d966547ed5b625ee683f51159a711d6f2","dataset_id":"dat_aqycnpbmyrprs7bmyba3kwa7xi","delta_units":0,"epsilon_units":200000000,"grant_id":"","key_hash":"dc6155f24a3daff245862c8c8537bc13cd680e4528a9c271d49820ca3936aba5","kind":"private-posterior receipt 1","owner_id":"pri_5nck3a22mjpxbgywtz44q2r4kq","payload_hash":"52ee55945691be65f2b34791a90cb8c78dc08bd0a8de6dec7f999d90766b6a36","principal_id":"pri_5nck3a22mjpxbgywtz44q2r4kq","release_id":"rel_cmb4so7dnodfl2cnoqc5whmzhq","rho_units":0,"sequence":3,"spec_sha256":"5faf52277445f7bcab24291ecd13d2f37dee3dc6e12db0b49a47b6b1c78cd7f0"},"key_id":"139e3940e64b5491","signature":"ufskF9pgTlNcCXpiiybTfdoIm6xJhIO3y4pgx0Mi71LQaHalBQa8AeJQO5reXYNYB4fQOHBiULYtD_mfIpitAw"}	1796078647	paid	1796078789	\N	\N	\N	posterior	pri_5nck3a22mjpxbgywtz44q2r4kq		93a72494db248afefccb3b5943fba0b1f7a73a18e1e3202b784f6f1203baf1bd
\.


--
-- Data for Name: spending; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.spending (budget_id, dataset_id, principal_id, kind, releases, epsilon, delta, rho) FROM stdin;
bud_fby4sds2q4yysriftt7g2c72sa	dat_2arezachxljfwbuqldcwynpwle	pri_66fqvwnn6m7quzij4cecxy6xtu	posterior	2	199997009	100000000000	0
bud_fby4sds2q4yysriftt7g2c72sa	dat_edt72w2kpe6ij6u6ozswewupou	pri_mo3nu3wdok3o3vmn2bletbpo3y	posterior	1	100000000	0	0
bud_mxo5sekxrnkznejch74fdhesge	dat_3jfsebi2w75kwlzhtc7j3pibkq	pri_66fqvwnn6m7quzij4cecxy6xtu	query	0	0	0	0
bud_mxo5sekxrnkznejch74fdhesge	dat_3jfsebi2w75kwlzhtc7j3pibkq	pri_66fqvwnn6m7quzij4cecxy6xtu	posterior	7	0	0	43964384706
bud_zshhdedq7fpu5wjjr3adhnsj6e	dat_m2zq3p6uzvtz4fi2dedzbjcf74	pri_mo3nu3wdok3o3vmn2bletbpo3y	query	1	49928884	0	0
bud_zshhdedq7fpu5wjjr3adhnsj6e	dat_m2zq3p6uzvtz4fi2dedzbjcf74	pri_mo3nu3wdok3o3vmn2bletbpo3y	posterior	4	605575747	100000000000	0
bud_fby4sds2q4yysriftt7g2c72sa	dat_5phxrezlec55vnqea2flqtwn3u	pri_mo3nu3wdok3o3vmn2bletbpo3y	posterior	4	571708977	0	0
bud_iw3vqsxdlzjxeiklzjfw2gquhy	dat_cgebqdipkzvzxkq6azvsvfyyvm	pri_6ht6phli3kfv6ps7l6ckilrlpa	posterior	1	100000000	0	0
bud_fw6n2rr6tqh33ngj2zgevum4ve	dat_aqycnpbmyrprs7bmyba3kwa7xi	pri_5nck3a22mjpxbgywtz44q2r4kq	posterior	1	200000000	0	0
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

CREATE INDEX ix_entries_restores ON public.entries USING btree (budget_id, sequence) WHERE ((kind)::text = ANY ((ARRAY['entry_reconciled'::character varying, 'receipt_reconciled'::character varying, 'restore_ended'::character varying, 'restore_noticed'::character varying, 'written_off'::character varying])::text[]));


--
-- Name: ix_entries_shared_histories; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_entries_shared_histories ON public.entries USING btree (subject_id) WHERE ((kind)::text = 'history_shared'::text);


--
-- Name: ix_entries_terms; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_entries_terms ON public.entries USING btree (subject_id, sequence) WHERE ((kind)::text = ANY ((ARRAY['budget_changed'::character varying, 'budget_frozen'::character varying, 'budget_opened'::character varying, 'budget_unfrozen'::character varying, 'grant_changed'::character varying, 'grant_closed'::character varying, 'grant_opened'::character varying, 'grant_reopened'::character varying, 'policy_changed'::character varying])::text[]));


--
-- Name: ix_entries_transfers; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_entries_transfers ON public.entries USING btree (budget_id, sequence) WHERE ((kind)::text = 'budget_transferred'::text);


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
-- Name: ix_releases_noise; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_releases_noise ON public.releases USING btree (noise, sequence);


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
-- Name: ix_releases_without_noise; Type: INDEX; Schema: public; Owner: posterior_owner
--

CREATE INDEX ix_releases_without_noise ON public.releases USING btree (dataset_id, principal_id) WHERE (noise IS NULL);


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

CREATE UNIQUE INDEX uq_entries_booked_once ON public.entries USING btree (subject_id) WHERE ((kind)::text = ANY ((ARRAY['entry_reconciled'::character varying, 'receipt_reconciled'::character varying, 'written_off'::character varying])::text[]));


--
-- Name: access_requests access_requests_decided_once; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER access_requests_decided_once BEFORE UPDATE ON public.access_requests FOR EACH ROW WHEN ((((old.state)::text <> 'open'::text) AND ((new.state)::text <> (old.state)::text))) EXECUTE FUNCTION public.access_requests_decided_once();


--
-- Name: access_requests access_requests_follow_owner; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER access_requests_follow_owner BEFORE UPDATE ON public.access_requests FOR EACH ROW EXECUTE FUNCTION public.access_requests_follow_owner();


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

CREATE TRIGGER access_requests_unchanged BEFORE UPDATE ON public.access_requests FOR EACH ROW WHEN ((((new.id)::text <> (old.id)::text) OR ((new.id IS NULL) <> (old.id IS NULL)) OR ((new.dataset_id)::text <> (old.dataset_id)::text) OR ((new.dataset_id IS NULL) <> (old.dataset_id IS NULL)) OR ((new.principal_id)::text <> (old.principal_id)::text) OR ((new.principal_id IS NULL) <> (old.principal_id IS NULL)) OR (new.created_at <> old.created_at) OR ((new.created_at IS NULL) <> (old.created_at IS NULL)) OR (new.epsilon_requested <> old.epsilon_requested) OR ((new.epsilon_requested IS NULL) <> (old.epsilon_requested IS NULL)) OR (new.delta_requested <> old.delta_requested) OR ((new.delta_requested IS NULL) <> (old.delta_requested IS NULL)) OR (new.rho_requested <> old.rho_requested) OR ((new.rho_requested IS NULL) <> (old.rho_requested IS NULL)))) EXECUTE FUNCTION public.access_requests_unchanged();


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
-- Name: budgets budgets_follow_owner; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER budgets_follow_owner BEFORE UPDATE ON public.budgets FOR EACH ROW EXECUTE FUNCTION public.budgets_follow_owner();


--
-- Name: budgets budgets_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER budgets_kept BEFORE DELETE ON public.budgets FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.budgets_kept();


--
-- Name: budgets budgets_never_change; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER budgets_never_change BEFORE UPDATE ON public.budgets FOR EACH ROW WHEN ((((new.id)::text <> (old.id)::text) OR ((new.id IS NULL) <> (old.id IS NULL)) OR ((new.accountant)::text <> (old.accountant)::text) OR ((new.accountant IS NULL) <> (old.accountant IS NULL)) OR (new.delta_conversion <> old.delta_conversion) OR ((new.delta_conversion IS NULL) <> (old.delta_conversion IS NULL)) OR (new.created_at <> old.created_at) OR ((new.created_at IS NULL) <> (old.created_at IS NULL)) OR (new.created_nanoseconds <> old.created_nanoseconds) OR ((new.created_nanoseconds IS NULL) <> (old.created_nanoseconds IS NULL)))) EXECUTE FUNCTION public.budgets_never_change();


--
-- Name: budgets budgets_spends_never_fall; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER budgets_spends_never_fall BEFORE UPDATE ON public.budgets FOR EACH ROW WHEN (((new.epsilon_spent < old.epsilon_spent) OR (new.delta_spent < old.delta_spent) OR (new.rho_spent < old.rho_spent) OR (new.sequence < old.sequence))) EXECUTE FUNCTION public.budgets_spends_never_fall();


--
-- Name: budgets budgets_transferred; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER budgets_transferred AFTER UPDATE OF owner_id ON public.budgets FOR EACH ROW WHEN (((new.owner_id)::text <> (old.owner_id)::text)) EXECUTE FUNCTION public.budgets_transferred();


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
-- Name: datasets datasets_follow_owner; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER datasets_follow_owner BEFORE UPDATE ON public.datasets FOR EACH ROW EXECUTE FUNCTION public.datasets_follow_owner();


--
-- Name: datasets datasets_keep_registrant; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER datasets_keep_registrant BEFORE UPDATE ON public.datasets FOR EACH ROW WHEN (((((new.owner_id)::text <> (old.owner_id)::text) AND ((COALESCE(new.registered_by, ''::character varying))::text <> (COALESCE(old.registered_by, old.owner_id))::text)) OR (((new.owner_id)::text = (old.owner_id)::text) AND (((new.registered_by)::text <> (old.registered_by)::text) OR ((new.registered_by IS NULL) <> (old.registered_by IS NULL)))))) EXECUTE FUNCTION public.datasets_keep_registrant();


--
-- Name: datasets datasets_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER datasets_kept BEFORE DELETE ON public.datasets FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.datasets_kept();


--
-- Name: datasets datasets_never_change; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER datasets_never_change BEFORE UPDATE ON public.datasets FOR EACH ROW WHEN ((((new.id)::text <> (old.id)::text) OR ((new.id IS NULL) <> (old.id IS NULL)) OR ((new.budget_id)::text <> (old.budget_id)::text) OR ((new.budget_id IS NULL) <> (old.budget_id IS NULL)) OR ((new.unit)::text <> (old.unit)::text) OR ((new.unit IS NULL) <> (old.unit IS NULL)) OR (new.one_record_per_unit <> old.one_record_per_unit) OR ((new.one_record_per_unit IS NULL) <> (old.one_record_per_unit IS NULL)) OR (new.records_per_unit <> old.records_per_unit) OR ((new.records_per_unit IS NULL) <> (old.records_per_unit IS NULL)) OR (new.n_is_public <> old.n_is_public) OR ((new.n_is_public IS NULL) <> (old.n_is_public IS NULL)) OR ((new.relation)::text <> (old.relation)::text) OR ((new.relation IS NULL) <> (old.relation IS NULL)) OR (new.created_at <> old.created_at) OR ((new.created_at IS NULL) <> (old.created_at IS NULL)) OR (new.created_nanoseconds <> old.created_nanoseconds) OR ((new.created_nanoseconds IS NULL) <> (old.created_nanoseconds IS NULL)))) EXECUTE FUNCTION public.datasets_never_change();


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
-- Name: datasets datasets_transferred; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER datasets_transferred AFTER UPDATE OF owner_id ON public.datasets FOR EACH ROW WHEN ((((new.owner_id)::text <> (old.owner_id)::text) AND (new.deleted_at IS NULL))) EXECUTE FUNCTION public.datasets_transferred();


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
-- Name: grants grants_follow_owner; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER grants_follow_owner BEFORE UPDATE ON public.grants FOR EACH ROW EXECUTE FUNCTION public.grants_follow_owner();


--
-- Name: grants grants_kept; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER grants_kept BEFORE DELETE ON public.grants FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.grants_kept();


--
-- Name: grants grants_never_change; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER grants_never_change BEFORE UPDATE ON public.grants FOR EACH ROW WHEN ((((new.id)::text <> (old.id)::text) OR ((new.id IS NULL) <> (old.id IS NULL)) OR ((new.dataset_id)::text <> (old.dataset_id)::text) OR ((new.dataset_id IS NULL) <> (old.dataset_id IS NULL)) OR ((new.principal_id)::text <> (old.principal_id)::text) OR ((new.principal_id IS NULL) <> (old.principal_id IS NULL)) OR (new.created_at <> old.created_at) OR ((new.created_at IS NULL) <> (old.created_at IS NULL)) OR (new.created_nanoseconds <> old.created_nanoseconds) OR ((new.created_nanoseconds IS NULL) <> (old.created_nanoseconds IS NULL)) OR (new.dataset_nanoseconds <> old.dataset_nanoseconds) OR ((new.dataset_nanoseconds IS NULL) <> (old.dataset_nanoseconds IS NULL)))) EXECUTE FUNCTION public.grants_never_change();


--
-- Name: grants grants_spends_never_fall; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER grants_spends_never_fall BEFORE UPDATE ON public.grants FOR EACH ROW WHEN (((new.epsilon_spent < old.epsilon_spent) OR (new.delta_spent < old.delta_spent) OR (new.rho_spent < old.rho_spent))) EXECUTE FUNCTION public.grants_spends_never_fall();


--
-- Name: grants grants_transferred; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER grants_transferred AFTER UPDATE OF owner_id ON public.grants FOR EACH ROW WHEN (((new.owner_id)::text <> (old.owner_id)::text)) EXECUTE FUNCTION public.grants_transferred();


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
-- Name: releases releases_keep_noise; Type: TRIGGER; Schema: public; Owner: posterior_owner
--

CREATE TRIGGER releases_keep_noise BEFORE UPDATE ON public.releases FOR EACH ROW WHEN (((old.noise IS NOT NULL) AND ((COALESCE(new.noise, ''::character varying))::text <> (old.noise)::text))) EXECUTE FUNCTION public.releases_keep_noise();


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


