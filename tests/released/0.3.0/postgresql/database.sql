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
acc_bgphsp5wendnfnbsx3mjy7mxhy	dat_a5u3qehmcm63czn7o5udhnan44	pri_ighhud734zr47uhn35fo24gbea	pri_mntnxyxijueqfkfcyr7m5vzzm4	100000000	0	0	The report of 1955	declined	Ask for less	\N	1796073016	1796073016	1796073016358457429
acc_ix6jay7mr4iw6m57x5t4tok3vy	dat_a5u3qehmcm63czn7o5udhnan44	pri_ighhud734zr47uhn35fo24gbea	pri_mntnxyxijueqfkfcyr7m5vzzm4	50000000	0	0	The report of 1955	open	\N	\N	1796073016	\N	1796073016423553755
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
key_2wqjtstge2p2fr26ot7asyus64	pri_s26mowgzgupnxyqf4qy5mlss3m	pp_LyTyeT7L	bcbef590f53ee493f79448e94038dd4866d064a940c632e3208e9fda0ebc3192	command-line	1796072983	\N	\N	1796072987	\N	\N	key	1796072983700520722
key_x2ylaoh3gnojwebgqxg6bal3ja	pri_mntnxyxijueqfkfcyr7m5vzzm4	pp_jKK6KHjq	af025bbc81350015f494d02e324813939d911e1ac285b7791c8927dba3a658eb	pri_s26mowgzgupnxyqf4qy5mlss3m	1796072987	\N	\N	1796072987	\N	enr_de7aa3zypilmpbcomm5vyhgtma	key	1796072987379866978
key_oxkws6rsitiwtrbdbursfkju7y	pri_duqxwe4j5x2ttzyvbfy3vgevpi	pp_cWQlWY04	4709ab6817bb9048368887d6974468d75531547ac8ac5ba8376f79250b020d03	pri_s26mowgzgupnxyqf4qy5mlss3m	1796072987	\N	\N	1796072987	\N	enr_t46qdwf4iz2czjinemzq4yscda	key	1796072987428056428
key_d2abddpj72jsokxp5ven4zkozm	pri_ighhud734zr47uhn35fo24gbea	pp_WQy9oZzR	48b2b911cf9a77794990e4abe6a374a402eb64873213682dcf53cfdb7fd8419f	pri_s26mowgzgupnxyqf4qy5mlss3m	1796073016	\N	\N	1796073016	\N	enr_hhztse5gqzuspqa23sihksm4wu	key	1796073016327784878
key_ymgqxsbdimdsv7dxdv7kcqxbfq	pri_qlkznza6fowraabhcgh6sjofri	pp_0xCc7Y_e	597ead7e00ceb5ca9fd23f3650544152fec717b729a160f8125b3cbfa74e794b	pri_s26mowgzgupnxyqf4qy5mlss3m	1796073016	\N	\N	\N	\N	enr_6i53bvxxnnimvueyuylftlhkoi	key	1796073016524641649
key_4v2fln7qzymywmt4mdw5cxuk3a	pri_3jwoanhf5kvdwdkkilofpohh2y	pp_Mr4NK97H	24b8a3b4bc88b640116c3ee3e4aae0e1970ad8f095cfab7681c5a7a7d296e8d5	pri_s26mowgzgupnxyqf4qy5mlss3m	1796073016	\N	\N	1796073016	\N	enr_ul6he5eckafw2uskj3ppjv6q4y	key	1796073016587333946
key_gswcem6tex2bbrwznuxfvaxxgy	pri_aylvb2bxuaqjgcngrok22zjvvy	pp_DW4QpFKy	08e29aa7b40cf882cb4ff27d45635cb271fe14892a48708bc59aa5904f32fab0	pri_s26mowgzgupnxyqf4qy5mlss3m	1796073017	\N	\N	1796073017	\N	enr_ifmfxwnrhlxpoiufonltoyjwvm	key	1796073017574206744
\.


--
-- Data for Name: budgets; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.budgets (id, owner_id, name, accountant, guaranteed_epsilon, guaranteed_delta, delta_conversion, epsilon_limit, delta_limit, rho_limit, epsilon_spent, delta_spent, rho_spent, epsilon_release_cap, delta_release_cap, rho_release_cap, allowed_mechanisms, frozen_at, low_budget_percent, sequence, head_hash, created_at, created_nanoseconds, stored_bytes) FROM stdin;
bud_rml5lun33f5p4ety54i2t3ub4q	pri_aylvb2bxuaqjgcngrok22zjvvy	budget 32	basic	1000000000	1000000000000	0	1000000000	1000000000000	0	200000000	0	0	\N	\N	\N	\N	\N	10	3	cd61e5726d43d6dd52b26f57a73577215b34d30e3ef9073578eb08d6a00f7b67	1796073017	1796073017597481279	19796
bud_lcsea6rvd2fhal3k5ujrxskdhm	pri_mntnxyxijueqfkfcyr7m5vzzm4	Many looks	zcdp	3000000000	10000000000000	9000000000000	0	1000000000000	222112455378	0	0	43964384706	\N	\N	\N	\N	\N	10	11	ac06c13a5dc98b670c62b488b98035595e73a7f1fc4f29cc6f8bed6c783435bd	1796072987	1796072987544820606	119368
bud_x5tyrf4tfzcwdun3nkrl2u4fu4	pri_mntnxyxijueqfkfcyr7m5vzzm4	budget 30	basic	1000000000	1000000000000	0	1000000000	1000000000000	0	100000000	0	0	\N	\N	\N	\N	\N	10	6	aad898c0d46fd3672b8f320607c727f75b06177ad25d00c99f5117d79252a9c7	1796073016	1796073016607157261	19796
bud_arpn3a7mtyrji46d2rsv6kftmy	pri_mntnxyxijueqfkfcyr7m5vzzm4	budget 24	basic	1000000000	1000000000000	0	1000000000	1000000000000	0	655504631	100000000000	0	\N	\N	\N	\N	\N	10	7	c76b3d8674e586284e2920f82dc7600086d84141fc4a297177d1e698e05fb2f8	1796072987	1796072987616611526	72727
bud_yihohys4paeohpmmpnsvsokmui	pri_mntnxyxijueqfkfcyr7m5vzzm4	Trials	basic	8000000000	1000000000000	0	8000000000	1000000000000	0	871705986	100000000000	0	\N	\N	\N	\N	\N	30	28	e950b8b680bc513f0d93a43b4955ebc2af89a192ec99582b21f528a00f28d3db	1796072987	1796072987467000087	122469
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
dat_a5u3qehmcm63czn7o5udhnan44	pri_mntnxyxijueqfkfcyr7m5vzzm4	bud_yihohys4paeohpmmpnsvsokmui	Trial	["category 0", "category 1"]	\N	2	240	one person	1	1	1	replace_one	a451313068e53ce7fb5d2aee364e5d6c6ad13368275954684abdc44fd1645cf7	1	1796072987	\N	1796072987486955057	0	1	\N
dat_bpdsr7ng5qoan52ljckhydcwze	pri_mntnxyxijueqfkfcyr7m5vzzm4	bud_lcsea6rvd2fhal3k5ujrxskdhm	Clinics	["female · yes", "female · no", "female · unknown", "male · yes", "male · no"]	[{"name": "sex", "levels": ["female", "male"]}, {"name": "ill", "levels": ["yes", "no", "unknown"]}]	5	667	one person	1	1	1	replace_one	8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49	1	1796072987	\N	1796072987557784283	0	0	\N
dat_jfyozgwed24ydkh7w7plny7stu	pri_mntnxyxijueqfkfcyr7m5vzzm4	bud_yihohys4paeohpmmpnsvsokmui	Visits	["category 0", "category 1"]	\N	2	21	one person	0	2	1	replace_one	2de90792ce0278e852d98813e15d02a8e2babe4be25020c689366975b1686e0e	1	1796072987	\N	1796072987585696296	0	0	\N
dat_hur5f64hbdzo7x7acyg5vlv34y	pri_mntnxyxijueqfkfcyr7m5vzzm4	bud_arpn3a7mtyrji46d2rsv6kftmy	Patients	["female · no", "female · yes", "male · no", "male · yes"]	[{"name": "sex", "levels": ["female", "male"]}, {"name": "ill", "levels": ["no", "yes"]}]	4	\N	one person	1	1	0	add_remove	a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052	1	1796072987	\N	1796072987624176528	0	0	\N
dat_hntbiqmvn7ubhubjq2ueh7vcia	pri_mntnxyxijueqfkfcyr7m5vzzm4	bud_yihohys4paeohpmmpnsvsokmui	Gone	["category 0", "category 1"]	\N	2	3	one person	1	1	1	replace_one	2c7415637d2607e590f5dd8e67618ab4bb458a73282c5f600e9d8847f94f9303	0	1796073016	1796073016	1796073016455404461	0	0	\N
dat_ftzp25s324oazrh75ggkqxbaj4	pri_mntnxyxijueqfkfcyr7m5vzzm4	bud_x5tyrf4tfzcwdun3nkrl2u4fu4	Inherited	["category 0", "category 1"]	\N	2	15	one person	1	1	1	replace_one	a37545da651a58a77935425171f80317546d5e7c78ae13ce3c9543e810e84e3e	1	1796073016	\N	1796073016616091761	0	0	pri_3jwoanhf5kvdwdkkilofpohh2y
dat_p5czlvbjb5ei5kh2gsld6ywiya	pri_mntnxyxijueqfkfcyr7m5vzzm4	bud_yihohys4paeohpmmpnsvsokmui	Survey of 1954	["female · never", "female · former", "female · current", "male · never", "male · former", "male · current"]	[{"name": "sex", "levels": ["female", "male"]}, {"name": "smoker", "levels": ["never", "former", "current"]}]	6	145	one person	1	1	1	replace_one	fed9902d8f120067e7b7ee4fbb6ed15c6f88278583309b2bc05d0e935a24bcdf	1	1796072987	\N	1796072987652183241	0	0	\N
dat_4oheplngrhmj7crcrcmtpthrti	pri_aylvb2bxuaqjgcngrok22zjvvy	bud_rml5lun33f5p4ety54i2t3ub4q	Paid and not drawn	["category 0", "category 1"]	\N	2	11	one person	1	1	1	replace_one	a8836ca33c15abf214139f182d3a04feeea3989f3d61dd97db58a69507fc8f92	1	1796073017	\N	1796073017605553933	0	0	\N
\.


--
-- Data for Name: encrypted_counts; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.encrypted_counts (dataset_id, key_id, ciphertext) FROM stdin;
dat_a5u3qehmcm63czn7o5udhnan44	k1	\\xc7b31babe10ea99938c3ac03eadf65a68b6f743eb83fbd488d974c584cc111b4e97158f0c41072e7a8b896d4
dat_bpdsr7ng5qoan52ljckhydcwze	k1	\\x984546ddfe4106b7b9d226b7c3852f3c84af425be65b5d3cf970e5ad922b7ce923f6f1766c48538cfeb1cefbe74f5b5daabb1183c8f7cca8a06b839c13b63532e43bafcd
dat_jfyozgwed24ydkh7w7plny7stu	k1	\\x3d2a97892ae9894bff6a7a0dc7b32e1580e68f5fe95ac576814ff4e7047c399e090a726dd41a600840200867
dat_hur5f64hbdzo7x7acyg5vlv34y	k1	\\x4e9456401cd06daed26524d35dbde8f6cb8df8f3f186adc8c881e26c95e3809d18e44687185fd086b7e0790b1eda9574441d6e39579ba406a3ef218d
dat_p5czlvbjb5ei5kh2gsld6ywiya	k1	\\xf681955d88da2ed0affafaadc9af69c96b297187e41a1fc0164ec5492898c4b4e3b2cbea8da6cf428ff7639f9265aa2af60fd62220b556a804ac930117e3d96ae147ca9d8d7aec612e4c6620
dat_ftzp25s324oazrh75ggkqxbaj4	k1	\\xb3a891bce1ceb402f5a25aeb2fa7cb4e921e089199e5499ef22bc7ea5ae513a82606d21fe7e7bcc4f36da3dc
dat_4oheplngrhmj7crcrcmtpthrti	k1	\\x166b70c1448a1d504747d4cab03cc68e0693fb0b5b733cf70cc11e6ff53f136363dbfc12fb6e1470d75a172a
\.


--
-- Data for Name: enrolments; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.enrolments (id, principal_id, kind, secret_hash, issued_by, made_by, created_at, expires_at, used_at, ended_at) FROM stdin;
enr_de7aa3zypilmpbcomm5vyhgtma	pri_mntnxyxijueqfkfcyr7m5vzzm4	token	c8a23e8e719dbe3e244f0a6ec481b6decb1372002ba7df08ca47c9371b6b553f	pri_s26mowgzgupnxyqf4qy5mlss3m	\N	1796072987	1796159387	1796072987	\N
enr_rm36yfrqnj5xo7eicjsplpjmui	pri_mntnxyxijueqfkfcyr7m5vzzm4	recovery_code	995ad0cb846ece52998ad3ece4dc328b5d84f78b567530084cc4d34277769aac	pri_s26mowgzgupnxyqf4qy5mlss3m	enr_de7aa3zypilmpbcomm5vyhgtma	1796072987	\N	\N	\N
enr_t46qdwf4iz2czjinemzq4yscda	pri_duqxwe4j5x2ttzyvbfy3vgevpi	token	13e7203e14045eb8c8c6824505ad5990522bef8461824dff88fa0c63febb8fb6	pri_s26mowgzgupnxyqf4qy5mlss3m	\N	1796072987	1796159387	1796072987	\N
enr_kj5t3hogpqco4ezh67xy4iguna	pri_duqxwe4j5x2ttzyvbfy3vgevpi	recovery_code	3b4a4ee2ab63b2851c6e0127761b069d3b2798c07a15b60409af66596e8944df	pri_s26mowgzgupnxyqf4qy5mlss3m	enr_t46qdwf4iz2czjinemzq4yscda	1796072987	\N	\N	\N
enr_hhztse5gqzuspqa23sihksm4wu	pri_ighhud734zr47uhn35fo24gbea	token	f705da973ae1aa931869b2afc6f70171102f812470c3045810224a1521164d75	pri_s26mowgzgupnxyqf4qy5mlss3m	\N	1796073016	1796159416	1796073016	\N
enr_43rh6qioylurafppdjhdweukza	pri_ighhud734zr47uhn35fo24gbea	recovery_code	2eee82917c113d8b4bdb9594f1b2ea3ca13f17b55d14b1693e9a3c6f59ffba2f	pri_s26mowgzgupnxyqf4qy5mlss3m	enr_hhztse5gqzuspqa23sihksm4wu	1796073016	\N	\N	\N
enr_6i53bvxxnnimvueyuylftlhkoi	pri_qlkznza6fowraabhcgh6sjofri	token	5b2ff606e29dffbda24c5c966e20a420ca7b473ea1b76c154d19954786ee57d2	pri_s26mowgzgupnxyqf4qy5mlss3m	\N	1796073016	1796159416	1796073016	\N
enr_ljovqvkndmbttjbo26hvn6hrty	pri_qlkznza6fowraabhcgh6sjofri	recovery_code	d4859e0ce8ce4a2338a2705c48c827d80620966e21736209f1cd918152fdcc7b	pri_s26mowgzgupnxyqf4qy5mlss3m	enr_6i53bvxxnnimvueyuylftlhkoi	1796073016	\N	\N	\N
enr_ul6he5eckafw2uskj3ppjv6q4y	pri_3jwoanhf5kvdwdkkilofpohh2y	token	d0badd071e9640c4320bcb1a94707b2a949efa6f53b983440941b5f471611625	pri_s26mowgzgupnxyqf4qy5mlss3m	\N	1796073016	1796159416	1796073016	\N
enr_fux3v6757fbag2pndigspicfgi	pri_3jwoanhf5kvdwdkkilofpohh2y	recovery_code	445808a518bde038ed5b5c426645c0604e225718bdee1d4b9e48c9fd45f4a975	pri_s26mowgzgupnxyqf4qy5mlss3m	enr_ul6he5eckafw2uskj3ppjv6q4y	1796073016	\N	\N	\N
enr_ifmfxwnrhlxpoiufonltoyjwvm	pri_aylvb2bxuaqjgcngrok22zjvvy	token	d6d5ecca8be8a492c0e93ec00b039875a1d9743ac08aa511403a2598e6ffb78b	pri_s26mowgzgupnxyqf4qy5mlss3m	\N	1796073017	1796159417	1796073017	\N
enr_67p6hjg3fgvxr2vdbbnjzg6vmm	pri_aylvb2bxuaqjgcngrok22zjvvy	recovery_code	a6167c1166149a93e306a387d8cfb629c939fb72d3c95f12c05a9d7be2e15aae	pri_s26mowgzgupnxyqf4qy5mlss3m	enr_ifmfxwnrhlxpoiufonltoyjwvm	1796073017	\N	\N	\N
\.


--
-- Data for Name: entries; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.entries (budget_id, sequence, kind, epsilon, delta, rho, principal_id, subject_id, detail, created_at, previous_hash, hash) FROM stdin;
bud_yihohys4paeohpmmpnsvsokmui	1	budget_opened	1000000000	1000000000000	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	bud_yihohys4paeohpmmpnsvsokmui	{"accountant":"basic","api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","delta":"0.000001","delta_conversion":"0","epsilon":"1","name":"budget 18","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796072987	5cd9650ce6e7bc5eaf74148f63dcfb4a22e0883521831c4c80a71213dfb796ad	bf7f86f132237db7eed0d782b7361a5f18268798831dd6c4ab0642cb747a2189
bud_yihohys4paeohpmmpnsvsokmui	2	dataset_registered	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	dat_a5u3qehmcm63czn7o5udhnan44	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","category_count":2,"commitment":"a451313068e53ce7fb5d2aee364e5d6c6ad13368275954684abdc44fd1645cf7","description_sha256":"9c22a092edbb94054af17b0474fcce9e26eaafd83379799dd0f066543381605d","name":"Trial","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2},"record_count":240,"records_per_unit":1,"relation":"replace_one"}	1796072987	bf7f86f132237db7eed0d782b7361a5f18268798831dd6c4ab0642cb747a2189	22c0dbe03f03c949fdab61a7a7458cacfaa21f4fa499c8e1e4496dd2db0b68f2
bud_lcsea6rvd2fhal3k5ujrxskdhm	1	budget_opened	0	1000000000000	222112455378	pri_mntnxyxijueqfkfcyr7m5vzzm4	bud_lcsea6rvd2fhal3k5ujrxskdhm	{"accountant":"zcdp","api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","delta":"0.00001","delta_conversion":"0.000009","epsilon":"3","name":"Many looks","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796072987	604093bcbbd46ed182166904fd08132c04a666406e077818c798c41001c8b7b0	bfc30da94e35fe41e561b24496b89916a206ee2f72f337363e22ca5c594a7376
bud_lcsea6rvd2fhal3k5ujrxskdhm	2	dataset_registered	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	dat_bpdsr7ng5qoan52ljckhydcwze	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","category_count":5,"commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","description_sha256":"40fcae7512c61fd3b9a280b1e22bd5f99f742b40b44814aac5c3300e6c555c7f","name":"Clinics","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2},"record_count":667,"records_per_unit":1,"relation":"replace_one"}	1796072987	bfc30da94e35fe41e561b24496b89916a206ee2f72f337363e22ca5c594a7376	f18f5b5117eb8a9f75e621a82f051d1a1ef708509927d8f28f994d910d54dfcf
bud_yihohys4paeohpmmpnsvsokmui	3	dataset_registered	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	dat_jfyozgwed24ydkh7w7plny7stu	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","category_count":2,"commitment":"2de90792ce0278e852d98813e15d02a8e2babe4be25020c689366975b1686e0e","description_sha256":"9c22a092edbb94054af17b0474fcce9e26eaafd83379799dd0f066543381605d","name":"Visits","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2},"record_count":21,"records_per_unit":2,"relation":"replace_one"}	1796072987	22c0dbe03f03c949fdab61a7a7458cacfaa21f4fa499c8e1e4496dd2db0b68f2	ef0cfd88ba6e672b32e59db517a17a31af36ef7235e22b453fcc13792802851e
bud_arpn3a7mtyrji46d2rsv6kftmy	1	budget_opened	1000000000	1000000000000	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	bud_arpn3a7mtyrji46d2rsv6kftmy	{"accountant":"basic","api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","delta":"0.000001","delta_conversion":"0","epsilon":"1","name":"budget 24","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796072987	d2f9bd5203c33203e29eae0ee345926f16048865a465de4b4025607a5549d81a	218ed7e4f513c984795c55dd32e847c59f7793b60c06461956bcb0807d8e0245
bud_arpn3a7mtyrji46d2rsv6kftmy	2	dataset_registered	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	dat_hur5f64hbdzo7x7acyg5vlv34y	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","category_count":4,"commitment":"a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052","description_sha256":"b3f9120bc95faf691d4b32ffb7ecc2f9da1b9af0aeb87adc9c1c10d5c8152df0","name":"Patients","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2},"record_count":null,"records_per_unit":1,"relation":"add_remove"}	1796072987	218ed7e4f513c984795c55dd32e847c59f7793b60c06461956bcb0807d8e0245	2194876094f7d7186942fd3dedc26ccee3271753ba68d59aa2564a33f0d1b15d
bud_yihohys4paeohpmmpnsvsokmui	4	dataset_registered	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	dat_p5czlvbjb5ei5kh2gsld6ywiya	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","category_count":6,"commitment":"fed9902d8f120067e7b7ee4fbb6ed15c6f88278583309b2bc05d0e935a24bcdf","description_sha256":"1a7deba4667b7c04b77daec6f30c33ba186fcb007e9a6812f96ba6d10acd6aab","name":"Survey","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2},"record_count":145,"records_per_unit":1,"relation":"replace_one"}	1796072987	ef0cfd88ba6e672b32e59db517a17a31af36ef7235e22b453fcc13792802851e	085c686498252f21e32c1d9df66b8f24c968c18420bde2cf0a697aef63124c31
bud_yihohys4paeohpmmpnsvsokmui	5	dataset_listed	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	dat_a5u3qehmcm63czn7o5udhnan44	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796072987	085c686498252f21e32c1d9df66b8f24c968c18420bde2cf0a697aef63124c31	b23839e9e310a1a30e2cb215b6a376d45c3d0be09c1c5d704f6783ea85b0a6af
bud_yihohys4paeohpmmpnsvsokmui	6	grant_opened	900000000	800000000000	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	gra_t4hgnsyj5d7l4uaigxu56pwgwi	{"analyst_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","dataset_id":"dat_a5u3qehmcm63czn7o5udhnan44","expires_at":32472144000,"principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796072987	b23839e9e310a1a30e2cb215b6a376d45c3d0be09c1c5d704f6783ea85b0a6af	93fd29493c7308e91dba0eb48c58000fd5e1a89a165875f5c94a86b470d79204
bud_lcsea6rvd2fhal3k5ujrxskdhm	3	grant_opened	0	800000000000	140000000000	pri_mntnxyxijueqfkfcyr7m5vzzm4	gra_7xvshxskx45pz4rhqo24r3bgmq	{"analyst_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","expires_at":32472144000,"principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796072987	f18f5b5117eb8a9f75e621a82f051d1a1ef708509927d8f28f994d910d54dfcf	763c62463c319a974b48f700efacca4a511bda312985b0568a90a7b6dd501199
bud_yihohys4paeohpmmpnsvsokmui	7	release_charged	100000000	0	0	pri_duqxwe4j5x2ttzyvbfy3vgevpi	rel_lblkoa6iaflc2ahklli7lsq33y	{"api_key_id":"key_oxkws6rsitiwtrbdbursfkju7y","commitment":"a451313068e53ce7fb5d2aee364e5d6c6ad13368275954684abdc44fd1645cf7","dataset_id":"dat_a5u3qehmcm63czn7o5udhnan44","grant_id":"gra_t4hgnsyj5d7l4uaigxu56pwgwi","key_hash":"26f3202193478521650af8914c5baf137db6695232b1096104b63ca7e52397b7","mechanism":"simplex_geometric","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"d68222f1991a5b80b3265965324e38f989e966897ac9f0cacb8566fa667c2345","principal_head":{"hash":"4095f7ee6b3246186793b03d50c5ee0101985a46c333d38d05c07fd8f1666ec9","sequence":2},"spec_sha256":"10a7363c7c7dd16567922b0c458c6387d519169ca8b5df194b816224b50c3fcd"}	1796072987	93fd29493c7308e91dba0eb48c58000fd5e1a89a165875f5c94a86b470d79204	273c39c6df0d72a2599490be8328845783bd17803b8d36b2ff8abd1b32b2eee6
bud_yihohys4paeohpmmpnsvsokmui	8	release_charged	99997009	100000000000	0	pri_duqxwe4j5x2ttzyvbfy3vgevpi	rel_4g2saffhqyjx7i5ysixqkaf52m	{"api_key_id":"key_oxkws6rsitiwtrbdbursfkju7y","commitment":"a451313068e53ce7fb5d2aee364e5d6c6ad13368275954684abdc44fd1645cf7","dataset_id":"dat_a5u3qehmcm63czn7o5udhnan44","grant_id":"gra_t4hgnsyj5d7l4uaigxu56pwgwi","key_hash":"1c9759f73696aa697efb885b0f14bb08e75ccbc1b2b71fa41abfd6ad9341f1ea","mechanism":"exponential","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"c4286f41eb738171b26121f3c6166ae59a51099c458d0c11e6f4b91334e35e8c","principal_head":{"hash":"4095f7ee6b3246186793b03d50c5ee0101985a46c333d38d05c07fd8f1666ec9","sequence":2},"spec_sha256":"48de9568da6bad5d723e32b67476db1a50dea093102b678cb885bb613747710c"}	1796072992	273c39c6df0d72a2599490be8328845783bd17803b8d36b2ff8abd1b32b2eee6	d4959f26073a67d543893a3b35dfc3d799e876d8724730e70ba0e9ea03c5fe72
bud_lcsea6rvd2fhal3k5ujrxskdhm	4	release_charged	0	0	2856598834	pri_duqxwe4j5x2ttzyvbfy3vgevpi	rel_53uypm4vu6tjoswxhljls732ja	{"api_key_id":"key_oxkws6rsitiwtrbdbursfkju7y","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"de761a723be4e6a63b720cab845b2a0a442d84409095436e70d2c7bb3e9d8925","mechanism":"simplex_geometric","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"9c690a93080fa0756395757340e1159b7e0933c97cb2d8dda05009c972b0fb52","principal_head":{"hash":"4095f7ee6b3246186793b03d50c5ee0101985a46c333d38d05c07fd8f1666ec9","sequence":2},"spec_sha256":"d50ee1ae431e2a16942bbc3ea9e59afc9fc7a923a40acb7b08b730c728420921"}	1796072992	763c62463c319a974b48f700efacca4a511bda312985b0568a90a7b6dd501199	264c821ecadc98b2a18622e031c0737b1704fb128be983c2eb846bdbde7d15fd
bud_lcsea6rvd2fhal3k5ujrxskdhm	5	release_charged	0	0	2438528778	pri_duqxwe4j5x2ttzyvbfy3vgevpi	rel_4t6gby6oorsnknka4a2eijjwh4	{"api_key_id":"key_oxkws6rsitiwtrbdbursfkju7y","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"b1a92166a4103eede8fa84089c31ff52ece709d79203c31d54d11c9746f12c47","mechanism":"laplace","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"75627f02c3ce51f3be96ed1d66fc3ad6f972c5c04020687e143100ea8f942e68","principal_head":{"hash":"4095f7ee6b3246186793b03d50c5ee0101985a46c333d38d05c07fd8f1666ec9","sequence":2},"spec_sha256":"0208b80d8a0289db392da173fb54cafdf8258e23aeba92e29a68284d2725d348"}	1796072992	264c821ecadc98b2a18622e031c0737b1704fb128be983c2eb846bdbde7d15fd	7665a5090ce10210bb48778441505dde184865f5b09d235336b95e27ac37511a
bud_lcsea6rvd2fhal3k5ujrxskdhm	6	release_charged	0	0	10000000000	pri_duqxwe4j5x2ttzyvbfy3vgevpi	rel_2aexg4uma4lwk5cmmxxfhxmlky	{"api_key_id":"key_oxkws6rsitiwtrbdbursfkju7y","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"2ca61738062799d05efec06f257821c07674494e389725a5bcceb658e592d4d6","mechanism":"gaussian","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"da6d7dd5518efc3151e40080afbc97e06938dace685584d7b6d567fda59571be","principal_head":{"hash":"4095f7ee6b3246186793b03d50c5ee0101985a46c333d38d05c07fd8f1666ec9","sequence":2},"spec_sha256":"14bfbe9eb542437c1e130fc65016104df89b775eade59c3f32d561bee8b41a46"}	1796072992	7665a5090ce10210bb48778441505dde184865f5b09d235336b95e27ac37511a	ad742ddbc97813cffec29f472dc81c36290680216ab92ec68f9477e6549dec1b
bud_lcsea6rvd2fhal3k5ujrxskdhm	7	release_charged	0	0	2321993715	pri_duqxwe4j5x2ttzyvbfy3vgevpi	rel_wtuqtaznx3swfcmbdg3ncilami	{"api_key_id":"key_oxkws6rsitiwtrbdbursfkju7y","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"b40f9bdf1c24eeb39356c1f6f275a7ad47ed657393a73a58be57dad49a4a8e3a","mechanism":"exponential","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"f1e2fae420b387be1213d2a7ca20c70aa708a90dfa4904f6ecd12ddfc0f09d44","principal_head":{"hash":"4095f7ee6b3246186793b03d50c5ee0101985a46c333d38d05c07fd8f1666ec9","sequence":2},"spec_sha256":"11419c44b830dd1c0ae7df2ad3d1b9d6ddf6ab2b81d403ac5b1f813cf4dbf33d"}	1796072995	ad742ddbc97813cffec29f472dc81c36290680216ab92ec68f9477e6549dec1b	39cfa8ccceb6174ae42c102dffa464e9e83f51eb6c23a7848e3f6c1d2a6f98f6
bud_lcsea6rvd2fhal3k5ujrxskdhm	8	release_charged	0	0	5097263440	pri_duqxwe4j5x2ttzyvbfy3vgevpi	rel_mzlf4qbw4a5fsgi72qenwuqfu4	{"api_key_id":"key_oxkws6rsitiwtrbdbursfkju7y","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"6eb5fef882d0ba919bbc36ffa4f0c234b9b9ca0401996c6fb8f39b56132d12e3","mechanism":"exponential_published","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"0e9322aba38cd129a28d5b4ac34897a0f9bcc1910de0dac2fcdf74260b1ba0bc","principal_head":{"hash":"4095f7ee6b3246186793b03d50c5ee0101985a46c333d38d05c07fd8f1666ec9","sequence":2},"spec_sha256":"9784fb48bf18dfe7be33e9b027cfa7efc3e2808873d5d4d954c39daed77c5976"}	1796072996	39cfa8ccceb6174ae42c102dffa464e9e83f51eb6c23a7848e3f6c1d2a6f98f6	3fc39e712764e294e848dc7ad330186e05cc93976abf8f4cc1f9ef68cf9d9ae0
bud_lcsea6rvd2fhal3k5ujrxskdhm	9	release_charged	0	0	11249999939	pri_duqxwe4j5x2ttzyvbfy3vgevpi	rel_eags6dkwve5gth73sfcmkguqni	{"api_key_id":"key_oxkws6rsitiwtrbdbursfkju7y","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"491b4c51f0b5f4dfec2ec6b3cf964915ee71d9d0867ad046862d20b7264e4266","mechanism":"exponential_global","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"eaf79c95927136c2a6d0573019f88758636ba7608b7df0c93fed6c909f07a4ee","principal_head":{"hash":"4095f7ee6b3246186793b03d50c5ee0101985a46c333d38d05c07fd8f1666ec9","sequence":2},"spec_sha256":"b531568053e3af35e68ff31a6b83498ca938a98b22a8c9a4ad1d2a84ca73ba6c"}	1796072997	3fc39e712764e294e848dc7ad330186e05cc93976abf8f4cc1f9ef68cf9d9ae0	ce0e1d34edb61762986e7070cff0a536543cb5c60c98060396a7a3395768df74
bud_yihohys4paeohpmmpnsvsokmui	9	release_charged	100000000	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	rel_brrhxo42jtvpvzk7l3pcifiglu	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","commitment":"2de90792ce0278e852d98813e15d02a8e2babe4be25020c689366975b1686e0e","dataset_id":"dat_jfyozgwed24ydkh7w7plny7stu","key_hash":"4695675428ff5a5c9db6aa485d07a8f187300bebee4f3dfba0971310fc789e21","mechanism":"simplex_geometric","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"7ec33afae9a73d3d8ccb6fbe86e2f86cb5b4171e37279359c551690d0c272696","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2},"spec_sha256":"9f52c9cfd9d8fc1d1837912c94f9d08c85d55fd7d6e2d28cae8cfd7a11ede0a3"}	1796072997	d4959f26073a67d543893a3b35dfc3d799e876d8724730e70ba0e9ea03c5fe72	d16bf43ede748de3f703b0ff02177f8d45d1180b3163a9ccdf79843926db67da
bud_yihohys4paeohpmmpnsvsokmui	24	dataset_listed	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	dat_p5czlvbjb5ei5kh2gsld6ywiya	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796073016	7f80f1bbc05e08b650952246d72f00547bd95d955bb0977c580ea21fda732b31	be10af85b62a5b2e4d9a5ef90c32f23bce7c1922a9cac95dff34735526be736b
bud_yihohys4paeohpmmpnsvsokmui	10	release_published	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	rel_lblkoa6iaflc2ahklli7lsq33y	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796072997	d16bf43ede748de3f703b0ff02177f8d45d1180b3163a9ccdf79843926db67da	460f8b05d3fcf29ea51aa5068f99cf774631f03305d9d59a333aa3f20494c9b5
bud_yihohys4paeohpmmpnsvsokmui	15	access_declined	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	acc_bgphsp5wendnfnbsx3mjy7mxhy	{"analyst_id":"pri_ighhud734zr47uhn35fo24gbea","api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","dataset_id":"dat_a5u3qehmcm63czn7o5udhnan44","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796073016	f59c19e8efcc86168943c15511906611189f6d10fca322ada172732eb587484c	d46de2d4ae4052ebfb4a43052e49566bc10e02ac230f2277f98f1dd1eb13ad61
bud_yihohys4paeohpmmpnsvsokmui	16	dataset_registered	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	dat_hntbiqmvn7ubhubjq2ueh7vcia	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","category_count":2,"commitment":"2c7415637d2607e590f5dd8e67618ab4bb458a73282c5f600e9d8847f94f9303","description_sha256":"9c22a092edbb94054af17b0474fcce9e26eaafd83379799dd0f066543381605d","name":"Gone","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2},"record_count":3,"records_per_unit":1,"relation":"replace_one"}	1796073016	d46de2d4ae4052ebfb4a43052e49566bc10e02ac230f2277f98f1dd1eb13ad61	84c0c8856395f2ecd75e8f063e2e748b965aa91c569079a27f47cd91fbfb2b55
bud_yihohys4paeohpmmpnsvsokmui	17	dataset_deleted	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	dat_hntbiqmvn7ubhubjq2ueh7vcia	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796073016	84c0c8856395f2ecd75e8f063e2e748b965aa91c569079a27f47cd91fbfb2b55	379df964f50c7e0941b8126bdf74cd77a6e6b54e17d1aa248d24e3373325b1c2
bud_x5tyrf4tfzcwdun3nkrl2u4fu4	1	budget_opened	1000000000	1000000000000	0	pri_3jwoanhf5kvdwdkkilofpohh2y	bud_x5tyrf4tfzcwdun3nkrl2u4fu4	{"accountant":"basic","api_key_id":"key_4v2fln7qzymywmt4mdw5cxuk3a","delta":"0.000001","delta_conversion":"0","epsilon":"1","name":"budget 30","principal_head":{"hash":"da9a23e6a52395e79d659c845a60041c07926600c5fcf4df55543f496c88581a","sequence":2}}	1796073016	a31daff0ecfad677bafd0ee3b1edc73c74277942bccff67cfb4a77986b7cb8eb	2ea036c92916459781f33ec3bd9a68bbc2c2b14bf07681aa723ac20bb3834efa
bud_x5tyrf4tfzcwdun3nkrl2u4fu4	2	dataset_registered	0	0	0	pri_3jwoanhf5kvdwdkkilofpohh2y	dat_ftzp25s324oazrh75ggkqxbaj4	{"api_key_id":"key_4v2fln7qzymywmt4mdw5cxuk3a","category_count":2,"commitment":"a37545da651a58a77935425171f80317546d5e7c78ae13ce3c9543e810e84e3e","description_sha256":"9c22a092edbb94054af17b0474fcce9e26eaafd83379799dd0f066543381605d","name":"Inherited","principal_head":{"hash":"da9a23e6a52395e79d659c845a60041c07926600c5fcf4df55543f496c88581a","sequence":2},"record_count":15,"records_per_unit":1,"relation":"replace_one"}	1796073016	2ea036c92916459781f33ec3bd9a68bbc2c2b14bf07681aa723ac20bb3834efa	0f243f59e8df2a7922b4ac83006e1ac9ec39bcf02e37a913cd4d068bf0ca148e
bud_x5tyrf4tfzcwdun3nkrl2u4fu4	4	budget_frozen	0	0	0	pri_s26mowgzgupnxyqf4qy5mlss3m	bud_x5tyrf4tfzcwdun3nkrl2u4fu4	{"api_key_id":"key_2wqjtstge2p2fr26ot7asyus64","principal_head":{"hash":"0acf3c953a405c204882ac340ee96d735b4ad13ad3663afbbe5e4608ba1852a4","sequence":1}}	1796073016	e1b9ee66a9183e3b5227ee4bfcfd71276760f665aa3612640c32498f38c2ab8a	ae6364905b0c2dd9621301eba833e860b749b1b3d2afd5634a1dce306aef47fe
bud_x5tyrf4tfzcwdun3nkrl2u4fu4	5	budget_transferred	0	0	0	pri_s26mowgzgupnxyqf4qy5mlss3m	bud_x5tyrf4tfzcwdun3nkrl2u4fu4	{"api_key_id":"key_2wqjtstge2p2fr26ot7asyus64","from":"pri_3jwoanhf5kvdwdkkilofpohh2y","principal_head":{"hash":"0acf3c953a405c204882ac340ee96d735b4ad13ad3663afbbe5e4608ba1852a4","sequence":1},"to":"pri_mntnxyxijueqfkfcyr7m5vzzm4"}	1796073016	ae6364905b0c2dd9621301eba833e860b749b1b3d2afd5634a1dce306aef47fe	4b8f5b9ab08416c3142dce11b80a2766d67548c51c52e4935833e391185d26f6
bud_x5tyrf4tfzcwdun3nkrl2u4fu4	6	budget_unfrozen	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	bud_x5tyrf4tfzcwdun3nkrl2u4fu4	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796073016	4b8f5b9ab08416c3142dce11b80a2766d67548c51c52e4935833e391185d26f6	aad898c0d46fd3672b8f320607c727f75b06177ad25d00c99f5117d79252a9c7
bud_yihohys4paeohpmmpnsvsokmui	18	budget_changed	8000000000	1000000000000	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	bud_yihohys4paeohpmmpnsvsokmui	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","delta":"0.000001","epsilon":"8","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796073016	379df964f50c7e0941b8126bdf74cd77a6e6b54e17d1aa248d24e3373325b1c2	f37a861a3088d3138b18850b1614cc9c5d48e3a0b0be2bd36b1b5e13da98a9fa
bud_yihohys4paeohpmmpnsvsokmui	19	budget_renamed	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	bud_yihohys4paeohpmmpnsvsokmui	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","name":"Trials","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796073016	f37a861a3088d3138b18850b1614cc9c5d48e3a0b0be2bd36b1b5e13da98a9fa	76ee8cfc733c8db0397d002a081bb06f44d32d455220bc5b0538a28552ceb1a3
bud_yihohys4paeohpmmpnsvsokmui	20	policy_changed	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	bud_yihohys4paeohpmmpnsvsokmui	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","low_budget_percent":30,"principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796073016	76ee8cfc733c8db0397d002a081bb06f44d32d455220bc5b0538a28552ceb1a3	31e1807cc8d7103d1ade9b1e10e4498c7a5089ff9868a933b126ebbcc2b059c6
bud_yihohys4paeohpmmpnsvsokmui	21	dataset_renamed	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	dat_p5czlvbjb5ei5kh2gsld6ywiya	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","name":"Survey of 1954","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796073016	31e1807cc8d7103d1ade9b1e10e4498c7a5089ff9868a933b126ebbcc2b059c6	faf1ff059990155e036147b93c1dc2218586b6fbaf1c6ba8fc3318f773526636
bud_yihohys4paeohpmmpnsvsokmui	22	history_shared	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	dat_p5czlvbjb5ei5kh2gsld6ywiya	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796073016	faf1ff059990155e036147b93c1dc2218586b6fbaf1c6ba8fc3318f773526636	d6d267e663ae8e78912714c6299dc625130b9b8eff87172779da4d8c583361a6
bud_yihohys4paeohpmmpnsvsokmui	23	history_unshared	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	dat_p5czlvbjb5ei5kh2gsld6ywiya	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796073016	d6d267e663ae8e78912714c6299dc625130b9b8eff87172779da4d8c583361a6	7f80f1bbc05e08b650952246d72f00547bd95d955bb0977c580ea21fda732b31
bud_lcsea6rvd2fhal3k5ujrxskdhm	10	query_charged	0	0	0	pri_duqxwe4j5x2ttzyvbfy3vgevpi	qry_fzlshfvfvcj43eipfddu4opizi	{"alone":[0,0,0],"api_key_id":"key_oxkws6rsitiwtrbdbursfkju7y","blind":"bld_3q5dhcptpyth2i6yen25c4yvty","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","granted":[0,0,0],"key_hash":"7d911cd6df58ce1b4ea117c1b708fb78dadce9547187ea02e8fa800fbdb5091a","measured":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945","mechanism":"linear","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"f179f781477d5c2aca764aee04f98b3e4bea746f991c203eac2c2a24f3ea9773","principal_head":{"hash":"4095f7ee6b3246186793b03d50c5ee0101985a46c333d38d05c07fd8f1666ec9","sequence":2},"spec_sha256":"0e477c13692d65f92a27221e19c0ebc05e01ec7dd786f1991e1ee5e2b50c7103"}	1796072998	ce0e1d34edb61762986e7070cff0a536543cb5c60c98060396a7a3395768df74	b38399f7a89bcdbe7913cfe118482c7f3439a0866cee25b2adfd7c6be0af700d
bud_lcsea6rvd2fhal3k5ujrxskdhm	11	release_charged	0	0	10000000000	pri_duqxwe4j5x2ttzyvbfy3vgevpi	rel_fso5oljs2thzwpq65lgr33ivoe	{"api_key_id":"key_oxkws6rsitiwtrbdbursfkju7y","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"e1cae991e3e8e4fd6424234cc56a93ef4ddf59152490089f4047b2504103ec4a","mechanism":"margins","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"f0cb8ff36b1f8e959134e7e8fadc49878218185858468b30f9810c77399064e8","principal_head":{"hash":"4095f7ee6b3246186793b03d50c5ee0101985a46c333d38d05c07fd8f1666ec9","sequence":2},"spec_sha256":"fc149d1b52e10e3f00e82ab34d8d096ca66102a151a4e3e077aacfc78447cc71"}	1796073001	b38399f7a89bcdbe7913cfe118482c7f3439a0866cee25b2adfd7c6be0af700d	ac06c13a5dc98b670c62b488b98035595e73a7f1fc4f29cc6f8bed6c783435bd
bud_arpn3a7mtyrji46d2rsv6kftmy	3	query_charged	49928884	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	qry_jc727b7cdadh4nuz6b324bxoei	{"alone":[49928884,0,0],"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","blind":"bld_dj44l5taqmheftl6wab5qjgjie","commitment":"a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","granted":[49928884,0,0],"key_hash":"da20cbbdb028d917a2dea9f8c2f8824385c42b9c8f9d2399638d0a9ac0dc65a3","measured":"a2c4c48d16c750b16ed97a6dd4b903dbeb8c971638a1d99464691c8d6903945d","mechanism":"linear","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"0e48e6866377e3661b2aa79de361721d662595848745c3679711ef7e8043758d","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2},"spec_sha256":"d9ead0a33f8dc6069e78a84c5ae547f7d6ac728ecee44c9af43dd88cf7fa5c6a"}	1796073001	2194876094f7d7186942fd3dedc26ccee3271753ba68d59aa2564a33f0d1b15d	3110dcebd8d930635d52e8b948d3453d88ba8f531def6c00f9bd60d806b973f0
bud_arpn3a7mtyrji46d2rsv6kftmy	4	release_charged	100000000	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	rel_47ul7ib4xjxansg5wk2avi3nta	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","commitment":"a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","key_hash":"5fd01cd208d2cba9542196becafef6f76b0cca02c8be4bf32748b21aa58a8fad","mechanism":"geometric","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"80cd97d8faa4ce947db32a57bcc687510468a1668248e2bf7d7a716b7012cc59","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2},"spec_sha256":"1259e2490806687bd377dffd4a3ce4cd002d24dc79f2febb83b8dd3e3aab30ef"}	1796073003	3110dcebd8d930635d52e8b948d3453d88ba8f531def6c00f9bd60d806b973f0	de6f425f589f099dc955d0dc8262d150e19aa9b67076dcb3623d421c3dc4e37c
bud_arpn3a7mtyrji46d2rsv6kftmy	5	release_charged	100000000	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	rel_cyeztk4ax3jzilsuztsv32jkdm	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","commitment":"a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","key_hash":"10cc6c18e9d004fe969c5a6d2ae68d777113aec4dd4fdaea3e1b3e154a4e363e","mechanism":"laplace","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"3556fc8e13e7b1a7392b872e18a4fab740fd777fd9213d2deec4ad6b70c9c5a8","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2},"spec_sha256":"da8f259f089a874395ce3ecb5ae3b7e93ba31b0e4a027c0bbfdc8a2dc3e7471e"}	1796073003	de6f425f589f099dc955d0dc8262d150e19aa9b67076dcb3623d421c3dc4e37c	87140c4c5bd8706e2fa58ba3c7684dba0bd77204f542b5c057e3540bf0a2875f
bud_arpn3a7mtyrji46d2rsv6kftmy	6	release_charged	205575747	100000000000	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	rel_57xl6l5oasq665npcdiyl4dtte	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","commitment":"a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","key_hash":"621a09c99d8a4cbfbad3a12816ef5df9e77ebcbb2454e90b8cdd28532bada099","mechanism":"gaussian","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"a4c49cfe9e7b7bd95417d4ad8fb8e582f0f0b20240214558a62163eee52dfc04","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2},"spec_sha256":"7014039a4c6246314f0b1e1ddec1f476e33483c09650bb3ab7bc29e8a3d92c58"}	1796073003	87140c4c5bd8706e2fa58ba3c7684dba0bd77204f542b5c057e3540bf0a2875f	9eba2a0a448dbd6395c80945f773a0ba9dddef5a6f9f5e9d18c11cd09ff12df6
bud_arpn3a7mtyrji46d2rsv6kftmy	7	release_charged	200000000	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	rel_l3dpwi2f4ldpxpxwmedirite3y	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","commitment":"a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","key_hash":"096c493dfb2d3ec77c98e0102d032ac288663b5e1ba8735429fba08c4d5c88a3","mechanism":"margins","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"b8649be5433db1d0fd8f3985fc8c9df631a90e11e2dfe1623304bc09a9872186","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2},"spec_sha256":"472bac32b46625f9bc1104fed7fb8666c57cab4af9e34bddf6ba966f86dbaab6"}	1796073004	9eba2a0a448dbd6395c80945f773a0ba9dddef5a6f9f5e9d18c11cd09ff12df6	c76b3d8674e586284e2920f82dc7600086d84141fc4a297177d1e698e05fb2f8
bud_yihohys4paeohpmmpnsvsokmui	11	release_charged	200000000	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	rel_bzmu5yc65l3lxvwqwbrmpeox7u	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","commitment":"fed9902d8f120067e7b7ee4fbb6ed15c6f88278583309b2bc05d0e935a24bcdf","dataset_id":"dat_p5czlvbjb5ei5kh2gsld6ywiya","key_hash":"8bc6c0384fd3e1c2bd1eed0a4160b012802518f4cb8c9bebd9fb5f547fd2202a","mechanism":"margins","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"c66145dff637ced772b608178ff3ee501e4e8a8c8b69070869ed457ed1c7fdd0","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2},"spec_sha256":"886cf8b538b09adaa8785e80799102b907505c753f886b9eff950c0e5d509d9d"}	1796073007	460f8b05d3fcf29ea51aa5068f99cf774631f03305d9d59a333aa3f20494c9b5	11b70a27c13bd8aeb1f398ccae75e040e1351b5a887038841a59552f7799c79e
bud_yihohys4paeohpmmpnsvsokmui	25	dataset_unlisted	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	dat_p5czlvbjb5ei5kh2gsld6ywiya	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796073016	be10af85b62a5b2e4d9a5ef90c32f23bce7c1922a9cac95dff34735526be736b	497798df9c4954dd24bf9bbf51f07eec84b2085befc457cf387a576f3990d13d
bud_yihohys4paeohpmmpnsvsokmui	12	release_charged	100000000	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	rel_4x6osvfksv3wu5sgidnyre4bmm	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","commitment":"fed9902d8f120067e7b7ee4fbb6ed15c6f88278583309b2bc05d0e935a24bcdf","dataset_id":"dat_p5czlvbjb5ei5kh2gsld6ywiya","key_hash":"421d894b4298a1c5f1ed78c80c684ff954bfbacb6e8455beb0da33be1661b834","mechanism":"simplex_geometric","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"4537091900c8fe8c61b43c346aedeca19ac03247e36d8041d1d2fb3c3c3a3ca4","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2},"spec_sha256":"103311a6cd13283ab300ef8c619cdd093c7a492a7e60d8851cf8d5cbf8e6d262"}	1796073007	11b70a27c13bd8aeb1f398ccae75e040e1351b5a887038841a59552f7799c79e	4693d9b3e7303c12dd67b49761b9b5b727644ebf46af4bd6007fc46e51b4378d
bud_yihohys4paeohpmmpnsvsokmui	13	release_charged	171708977	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	rel_mbehwgmafpdw2nwlpjhrptl43q	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","commitment":"fed9902d8f120067e7b7ee4fbb6ed15c6f88278583309b2bc05d0e935a24bcdf","dataset_id":"dat_p5czlvbjb5ei5kh2gsld6ywiya","key_hash":"21c27f7d134ae024838427983ec293a1cadfeca922b7284217d1880bdbade222","mechanism":"margins","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"8d35508f13e31d2685febbe1946db86f8c5ce100ae28b2f08df7e42d57b08d76","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2},"spec_sha256":"6327504809c396aef195069af2a33527bc816285edfc41a81782dcfc75b29608"}	1796073016	4693d9b3e7303c12dd67b49761b9b5b727644ebf46af4bd6007fc46e51b4378d	5ed7b545ffa0a17bfec1e57500eca74b5a785ba02f8e4000b2bf7423611f0588
bud_yihohys4paeohpmmpnsvsokmui	14	release_charged	100000000	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	rel_tiiswyswlaffyvudiiyjqxaeey	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","commitment":"fed9902d8f120067e7b7ee4fbb6ed15c6f88278583309b2bc05d0e935a24bcdf","dataset_id":"dat_p5czlvbjb5ei5kh2gsld6ywiya","key_hash":"2aa35cd9729a4e784ab7930308f3e2cd9afc0d258c5c719edaf13914b2f59b8f","mechanism":"simplex_geometric","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"dc81a2a3ab6ba7785d3ac9064b5718f3f270b27f73e6b1ebd22f201d3c004566","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2},"spec_sha256":"f7c5ab5df02c3f125d531851fea2e906424ee129ad15d4ba6ba76e7dbcc7aa55"}	1796073016	5ed7b545ffa0a17bfec1e57500eca74b5a785ba02f8e4000b2bf7423611f0588	f59c19e8efcc86168943c15511906611189f6d10fca322ada172732eb587484c
bud_x5tyrf4tfzcwdun3nkrl2u4fu4	3	release_charged	100000000	0	0	pri_3jwoanhf5kvdwdkkilofpohh2y	rel_lwqlvlua3whw5uuesarp7b2qou	{"api_key_id":"key_4v2fln7qzymywmt4mdw5cxuk3a","commitment":"a37545da651a58a77935425171f80317546d5e7c78ae13ce3c9543e810e84e3e","dataset_id":"dat_ftzp25s324oazrh75ggkqxbaj4","key_hash":"b48afedc0109475c40083dc9ab554b493addd102891ab9ebc0e6891dced88aa4","mechanism":"simplex_geometric","owner_id":"pri_3jwoanhf5kvdwdkkilofpohh2y","payload_hash":"fc7912eb13b4fcb94cea8fc7e278385bad42e421739fec437132d85bd26450f9","principal_head":{"hash":"da9a23e6a52395e79d659c845a60041c07926600c5fcf4df55543f496c88581a","sequence":2},"spec_sha256":"d02295deed7d5c3043c8187f8c2fe291c37b858558322dc3e7c0756b19ab1da0"}	1796073016	0f243f59e8df2a7922b4ac83006e1ac9ec39bcf02e37a913cd4d068bf0ca148e	e1b9ee66a9183e3b5227ee4bfcfd71276760f665aa3612640c32498f38c2ab8a
bud_yihohys4paeohpmmpnsvsokmui	26	grant_changed	800000000	800000000000	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	gra_t4hgnsyj5d7l4uaigxu56pwgwi	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796073016	497798df9c4954dd24bf9bbf51f07eec84b2085befc457cf387a576f3990d13d	2f137cb8b0ae8e0f88f6ee83c9b8c57e782b887e46fc277ba2d9e2dfeff48ee5
bud_yihohys4paeohpmmpnsvsokmui	27	grant_closed	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	gra_t4hgnsyj5d7l4uaigxu56pwgwi	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796073016	2f137cb8b0ae8e0f88f6ee83c9b8c57e782b887e46fc277ba2d9e2dfeff48ee5	58700199f34b97bd3d2922c9156b60eefc5dd7b4d3e7d6222f9cc69be36db2bd
bud_yihohys4paeohpmmpnsvsokmui	28	grant_reopened	0	0	0	pri_mntnxyxijueqfkfcyr7m5vzzm4	gra_t4hgnsyj5d7l4uaigxu56pwgwi	{"api_key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","principal_head":{"hash":"8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04","sequence":2}}	1796073016	58700199f34b97bd3d2922c9156b60eefc5dd7b4d3e7d6222f9cc69be36db2bd	e950b8b680bc513f0d93a43b4955ebc2af89a192ec99582b21f528a00f28d3db
bud_rml5lun33f5p4ety54i2t3ub4q	1	budget_opened	1000000000	1000000000000	0	pri_aylvb2bxuaqjgcngrok22zjvvy	bud_rml5lun33f5p4ety54i2t3ub4q	{"accountant":"basic","api_key_id":"key_gswcem6tex2bbrwznuxfvaxxgy","delta":"0.000001","delta_conversion":"0","epsilon":"1","name":"budget 32","principal_head":{"hash":"64625c6d188c67f7ae7f39df6a134ab7c4b94411ce2e01acae3d4e589527857e","sequence":2}}	1796073017	cbcd9217b30fe92c2b6c9d5affd31fc95192e115c525ecfcd4bab61485f568a2	15719c4b5c27c637b4b55b2b49b2d023708b0709076b3c338eb78577339ead5c
bud_rml5lun33f5p4ety54i2t3ub4q	2	dataset_registered	0	0	0	pri_aylvb2bxuaqjgcngrok22zjvvy	dat_4oheplngrhmj7crcrcmtpthrti	{"api_key_id":"key_gswcem6tex2bbrwznuxfvaxxgy","category_count":2,"commitment":"a8836ca33c15abf214139f182d3a04feeea3989f3d61dd97db58a69507fc8f92","description_sha256":"9c22a092edbb94054af17b0474fcce9e26eaafd83379799dd0f066543381605d","name":"Paid and not drawn","principal_head":{"hash":"64625c6d188c67f7ae7f39df6a134ab7c4b94411ce2e01acae3d4e589527857e","sequence":2},"record_count":11,"records_per_unit":1,"relation":"replace_one"}	1796073017	15719c4b5c27c637b4b55b2b49b2d023708b0709076b3c338eb78577339ead5c	96e17130682d2157e88de9a7e86f0cd5c06523a78e5822ee4985900671507ee0
bud_rml5lun33f5p4ety54i2t3ub4q	3	release_charged	200000000	0	0	pri_aylvb2bxuaqjgcngrok22zjvvy	rel_mgoea2oqhnqkfyi5dd7n4h7t6i	{"api_key_id":"key_gswcem6tex2bbrwznuxfvaxxgy","commitment":"a8836ca33c15abf214139f182d3a04feeea3989f3d61dd97db58a69507fc8f92","dataset_id":"dat_4oheplngrhmj7crcrcmtpthrti","key_hash":"fc92436b7d63e74d5e9ddd9273d88c476c9581444642682e2f1a8712d2ca8e9e","mechanism":"simplex_geometric","owner_id":"pri_aylvb2bxuaqjgcngrok22zjvvy","payload_hash":"ad30cca57d1804afef3f82c313604057c94c35c3aef517da30d78716b0e3e2c8","principal_head":{"hash":"64625c6d188c67f7ae7f39df6a134ab7c4b94411ce2e01acae3d4e589527857e","sequence":2},"spec_sha256":"5faf52277445f7bcab24291ecd13d2f37dee3dc6e12db0b49a47b6b1c78cd7f0"}	1796073025	96e17130682d2157e88de9a7e86f0cd5c06523a78e5822ee4985900671507ee0	cd61e5726d43d6dd52b26f57a73577215b34d30e3ef9073578eb08d6a00f7b67
\.


--
-- Data for Name: grants; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.grants (id, dataset_id, principal_id, epsilon_cap, delta_cap, rho_cap, epsilon_spent, delta_spent, rho_spent, expires_at, closed_at, created_at, created_nanoseconds, stored_bytes, owner_id, dataset_nanoseconds) FROM stdin;
gra_7xvshxskx45pz4rhqo24r3bgmq	dat_bpdsr7ng5qoan52ljckhydcwze	pri_duqxwe4j5x2ttzyvbfy3vgevpi	0	800000000000	140000000000	0	0	43964384706	32472144000	\N	1796072987	1796072987755992475	111145	pri_mntnxyxijueqfkfcyr7m5vzzm4	1796072987557784283
gra_t4hgnsyj5d7l4uaigxu56pwgwi	dat_a5u3qehmcm63czn7o5udhnan44	pri_duqxwe4j5x2ttzyvbfy3vgevpi	800000000	800000000000	0	199997009	100000000000	0	32472144000	\N	1796072987	1796072987723638695	23872	pri_mntnxyxijueqfkfcyr7m5vzzm4	1796072987486955057
\.


--
-- Data for Name: holdings; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.holdings (owner_id, budgets, datasets, grants) FROM stdin;
pri_3jwoanhf5kvdwdkkilofpohh2y	0	0	0
pri_mntnxyxijueqfkfcyr7m5vzzm4	4	6	2
pri_aylvb2bxuaqjgcngrok22zjvvy	1	1	0
\.


--
-- Data for Name: hourly_spending; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.hourly_spending (budget_id, hour, releases, epsilon, delta, rho) FROM stdin;
bud_lcsea6rvd2fhal3k5ujrxskdhm	498909	7	0	0	43964384706
bud_arpn3a7mtyrji46d2rsv6kftmy	498909	5	655504631	100000000000	0
bud_yihohys4paeohpmmpnsvsokmui	498909	7	871705986	100000000000	0
bud_x5tyrf4tfzcwdun3nkrl2u4fu4	498909	1	100000000	0	0
bud_rml5lun33f5p4ety54i2t3ub4q	498909	1	200000000	0	0
\.


--
-- Data for Name: installation; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.installation (id, identity, created_at, restore_pending_since, restores) FROM stdin;
1	21179d0392e54bf7b6e5c0e5665e70c7	1796072983	\N	0
\.


--
-- Data for Name: jobs; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.jobs (id, principal_id, key, kind, input, state, result, problem, created_at, finished_at, leased_until, tries, created_nanoseconds, signature, used_at) FROM stdin;
cer_57rhxgul6jncr3yjgirnflxhbe	pri_duqxwe4j5x2ttzyvbfy3vgevpi	4031337bf29654cc4dc47514234dba89e4e7e93020c0ba6e8c0216729007e063	certificate	{"mechanism": {"calibration": "certified", "delta": "0.0000001", "epsilon": "0.1", "kind": "exponential"}, "n": 240, "prior": ["1.0", "1.0"], "version": 4}	ready	{"certificate": {"details": {"loss": "0.099997008", "loss_range": "0.148875720", "rounding": "2.771e-11"}, "loss": {"delta": "0.0000001", "epsilon": "0.099997009", "rho": "0.001009435228", "rho_delta": "0"}, "method": "exact_channel", "relation": "replace_one", "statement": "(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel."}, "event": {"calibration": "certified", "delta": "0.0000001", "epsilon0": "0.146859191", "event": "exponential", "gamma": "0.0265", "n": 240, "prior": ["1.0", "1.0"], "uniform_admixture": null}}	\N	1796072992	1796072992	\N	0	1796072992342941263	{"body":{"computation":"certificate","input_sha256":"fbaf9913582f83a3e06fbb87495af13eeadcfa0ad6501b5441f62d719465742e","job_id":"cer_57rhxgul6jncr3yjgirnflxhbe","key":"4031337bf29654cc4dc47514234dba89e4e7e93020c0ba6e8c0216729007e063","kind":"private-posterior job 1","outcome_sha256":"874007bef745300889a8a02d4860f33454eaa5c32ec999e7800d704a78bc42bb","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi"},"key_id":"139e3940e64b5491","signature":"wOcnwSLHPOUyKdD_Rgz2FUd9_qFNocaSyn8__T_weLn77tj4xmZufA4gYSIf5srN_tK8tZqBcasYapQLHJ2kAQ"}	1796072992
cer_e5lrnftkbkrvexvqpgd6ueu6gm	pri_duqxwe4j5x2ttzyvbfy3vgevpi	116bc72db34d25c0f9a0db166068ef62ec8a968e5d8d95110bd1128d08d6bdac	certificate	{"mechanism": {"calibration": "proven", "delta": "0.0000001", "epsilon": "0.1", "kind": "exponential"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"change_of_rate": "0.044264479", "draw": "rejection", "excess_by_ratio": "0.059336596", "excess_by_tail": "1.355692916", "normalisers": "0.001824692", "rounding": "4.214e-11", "score": "0.053909420"}, "loss": {"delta": "0", "epsilon": "0.099998592", "rho": "0.002321993715", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3."}, "event": {"calibration": "proven", "delta": "0.0000001", "epsilon0": "0.10781884", "event": "exponential", "gamma": "0.0342", "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	\N	1796072995	1796072995	\N	0	1796072995545677646	{"body":{"computation":"certificate","input_sha256":"2781f561a3dd5da4a3c60da815abea8c06997f2f4b4b011ab408544c3e0d58f6","job_id":"cer_e5lrnftkbkrvexvqpgd6ueu6gm","key":"116bc72db34d25c0f9a0db166068ef62ec8a968e5d8d95110bd1128d08d6bdac","kind":"private-posterior job 1","outcome_sha256":"9e575f9ddef8a9817b49d895f9646890759e0f13011249f0150f564410d563aa","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi"},"key_id":"139e3940e64b5491","signature":"uuhpC3_38GGZLBIKi5IAnrwB3tiknVsu897zLdW4phO3OFaF5sfn75iuP8UHfdyTinB54SAKWfcGhOA1mPF9BQ"}	1796072995
cer_5xjzk6gv5242hvrrpiberlmdra	pri_duqxwe4j5x2ttzyvbfy3vgevpi	a25e0502fec8106892833f732a280cb930adffa714474ded93453cfb3b853e38	certificate	{"mechanism": {"delta": "0.0000001", "kind": "exponential_published", "nominal_epsilon": "0.2"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"change_of_rate": "0.013980835", "draw": "rejection", "excess_by_ratio": "0.013980835", "excess_by_tail": "0.167125342", "normalisers": "0.005005989", "rounding": "6.634e-11", "score": "0.100000000"}, "loss": {"delta": "0", "epsilon": "0.118986825", "rho": "0.00509726344", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3."}, "event": {"calibration": "published", "delta": "0.0000001", "epsilon0": "0.2", "event": "exponential", "gamma": "0.004279815109635818", "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	\N	1796072996	1796072996	\N	0	1796072996365621897	{"body":{"computation":"certificate","input_sha256":"cd8127786ab6fc97cab3601ccf993b5e06627f7fce88aab8a5c11e085156d24b","job_id":"cer_5xjzk6gv5242hvrrpiberlmdra","key":"a25e0502fec8106892833f732a280cb930adffa714474ded93453cfb3b853e38","kind":"private-posterior job 1","outcome_sha256":"34f6cfbbd7c3f0aa462956dbdf1a7670c38fe10bbfaff26c29bf61445d6eb763","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi"},"key_id":"139e3940e64b5491","signature":"zgo_eKhxLY5iQUWPRWezaK4qI3KKZcsUjiNB_IuSrcUJ7kCYbsDNStLi9auO7GhbhWKcEpl62AoGIiaPfplQDw"}	1796072996
cer_47hm5rlshwxtux234lgvcxz6y4	pri_duqxwe4j5x2ttzyvbfy3vgevpi	469099b7acca9336f5c9388b7e6372b46896354dae0460b9a648d373284ba81e	certificate	{"mechanism": {"delta": "0.0000001", "epsilon": "0.3", "kind": "exponential_global"}, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "version": 4}	ready	{"certificate": {"details": {"draw": "rejection", "normalisers": "0.002500479", "rounding": "1.782e-11", "score": "0.150000000"}, "loss": {"delta": "0", "epsilon": "0.15250048", "rho": "0.011249999939", "rho_delta": "0"}, "method": "theorem", "relation": "replace_one", "statement": "(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2."}, "event": {"calibration": "global", "delta": "0.0000001", "epsilon0": "0.299999999", "event": "exponential", "gamma": null, "n": 667, "prior": ["0.5", "0.5", "0.5", "0.5", "0.5"], "uniform_admixture": null}}	\N	1796072997	1796072997	\N	0	1796072997636303777	{"body":{"computation":"certificate","input_sha256":"16b4415c69e4b4e51c27ac2054afd57b731267e984bcbe902d047df1a4358510","job_id":"cer_47hm5rlshwxtux234lgvcxz6y4","key":"469099b7acca9336f5c9388b7e6372b46896354dae0460b9a648d373284ba81e","kind":"private-posterior job 1","outcome_sha256":"fbd90c1cc0dc5b798ba89715d11abbeec85c1ef5aeb499de633f430a08eb76f6","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi"},"key_id":"139e3940e64b5491","signature":"BIiUW1CCr1pOPGy36JYaDnqzt8QGTqe5W4GnjH48he7n1wJqsgy1dKnjTsvr99284l5yRh2Rp9KFdQAUJcGYAw"}	1796072997
\.


--
-- Data for Name: key_checks; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.key_checks (kind, key_id, check_value, created_at, retired_at) FROM stdin;
counts	k1	f522ac82754c352661661a5acc1c991766bc05de7d6ae91245ed185928313541	1796072984	\N
\.


--
-- Data for Name: principal_entries; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principal_entries (principal_id, sequence, kind, actor_id, subject_id, detail, created_at, previous_hash, hash) FROM stdin;
pri_s26mowgzgupnxyqf4qy5mlss3m	1	key_issued	command-line	key_2wqjtstge2p2fr26ot7asyus64	{"key_sha256":"92e37942d8e16338182b7a21952848c4ede43fd1aa68c95383fac66b35af5cd8","role":"admin"}	1796072983	648b9442a70f4d2dec91e92181328001d93a88463a99652c2d825ecf580f3fda	0acf3c953a405c204882ac340ee96d735b4ad13ad3663afbbe5e4608ba1852a4
pri_mntnxyxijueqfkfcyr7m5vzzm4	1	token_issued	pri_s26mowgzgupnxyqf4qy5mlss3m	enr_de7aa3zypilmpbcomm5vyhgtma	{"recovers":false,"role":"owner","token_sha256":"79f8297fbb81f70f5bf19562192295847b98ab4a7ca85d155f2f836b41020fd4"}	1796072987	d34993ab19f2100cfb6524909463f23168b34f0f4c6a0bc77dd925f350e5a542	e6b94ac20a862ddb10a100db26a75d0cc1b5716ba940db667b3831c5e5f95fdc
pri_mntnxyxijueqfkfcyr7m5vzzm4	2	enrolled	pri_mntnxyxijueqfkfcyr7m5vzzm4	enr_de7aa3zypilmpbcomm5vyhgtma	{"code_sha256":"d075ea41dc0a37468df2e992bf98b31ad9e938133e39c7e943944495b2fe83ac","issued_by":"pri_s26mowgzgupnxyqf4qy5mlss3m","key_id":"key_x2ylaoh3gnojwebgqxg6bal3ja","key_sha256":"51c425416cd11ec565f7598c783f04424ea4e1dc10a74795ef18bf42ffd0bf0f"}	1796072987	e6b94ac20a862ddb10a100db26a75d0cc1b5716ba940db667b3831c5e5f95fdc	8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04
pri_duqxwe4j5x2ttzyvbfy3vgevpi	1	token_issued	pri_s26mowgzgupnxyqf4qy5mlss3m	enr_t46qdwf4iz2czjinemzq4yscda	{"recovers":false,"role":"analyst","token_sha256":"2629c134a41cf9787b039e3d9866757a3b20c1a8aacdb8b681c94c54b4171a69"}	1796072987	4eef7b8379881e8c13e9ac4a82f16ae93a5339bb01cf63020a68b82af6415ce8	1a51c8520f912a1fd701928875c8df99ac2d32d2f1e9670d69284de006e7df6e
pri_duqxwe4j5x2ttzyvbfy3vgevpi	2	enrolled	pri_duqxwe4j5x2ttzyvbfy3vgevpi	enr_t46qdwf4iz2czjinemzq4yscda	{"code_sha256":"93c180c0997832de391483ed951e91168ed76f88fa95bda24ab505d763471c2d","issued_by":"pri_s26mowgzgupnxyqf4qy5mlss3m","key_id":"key_oxkws6rsitiwtrbdbursfkju7y","key_sha256":"7f5659dc421192125261f4cafe03eddb5c4cccf5b8186cbd579de9e811ad39b7"}	1796072987	1a51c8520f912a1fd701928875c8df99ac2d32d2f1e9670d69284de006e7df6e	4095f7ee6b3246186793b03d50c5ee0101985a46c333d38d05c07fd8f1666ec9
pri_ighhud734zr47uhn35fo24gbea	1	token_issued	pri_s26mowgzgupnxyqf4qy5mlss3m	enr_hhztse5gqzuspqa23sihksm4wu	{"recovers":false,"role":"analyst","token_sha256":"72b1e747046bf48dbd479df51ee35bf25896311af7632ccfd84b854c953414bf"}	1796073016	e0a498059fdbb5c89f6b90749352760ffda358c03330c79eab24ff4953a67d4d	2d79edabcb5472ea02e0f1ae46d0966310f076e1234333ce2d56e31316204948
pri_ighhud734zr47uhn35fo24gbea	2	enrolled	pri_ighhud734zr47uhn35fo24gbea	enr_hhztse5gqzuspqa23sihksm4wu	{"code_sha256":"f4eb06d4768294041470d782956f88803c80d1762eec47c6f06fee616e902921","issued_by":"pri_s26mowgzgupnxyqf4qy5mlss3m","key_id":"key_d2abddpj72jsokxp5ven4zkozm","key_sha256":"a7f2416053ff3b5b9cccce45792561114ea6c0cf0baa18cfa02114abebb68bd1"}	1796073016	2d79edabcb5472ea02e0f1ae46d0966310f076e1234333ce2d56e31316204948	ab01a9dffbafa3be140c3fe99863f898b0274b8b83c654541fa92fb8c5fd9255
pri_ighhud734zr47uhn35fo24gbea	3	access_requested	pri_ighhud734zr47uhn35fo24gbea	acc_bgphsp5wendnfnbsx3mjy7mxhy	{"api_key_id":"key_d2abddpj72jsokxp5ven4zkozm","dataset_id":"dat_a5u3qehmcm63czn7o5udhnan44","requested":[100000000,0,0]}	1796073016	ab01a9dffbafa3be140c3fe99863f898b0274b8b83c654541fa92fb8c5fd9255	50d3490f1863ca62128ce316c954b701711815c397502b58c0c8d71f6c1769e2
pri_ighhud734zr47uhn35fo24gbea	4	access_requested	pri_ighhud734zr47uhn35fo24gbea	acc_ix6jay7mr4iw6m57x5t4tok3vy	{"api_key_id":"key_d2abddpj72jsokxp5ven4zkozm","dataset_id":"dat_a5u3qehmcm63czn7o5udhnan44","requested":[50000000,0,0]}	1796073016	50d3490f1863ca62128ce316c954b701711815c397502b58c0c8d71f6c1769e2	24e6f0fcdbd97a7ea14575ee128a061111130d2021d42522e98ef2daa33f53ea
pri_qlkznza6fowraabhcgh6sjofri	1	token_issued	pri_s26mowgzgupnxyqf4qy5mlss3m	enr_6i53bvxxnnimvueyuylftlhkoi	{"recovers":false,"role":"analyst","token_sha256":"2ca6fa86a5b91b5345da63e2d58f5d7e212afb0a12a9ab33364bc5ab20ffaf89"}	1796073016	4a347b770adb829cdf72a39d40efdb4a5469fc1fb44e30e9844175c8db778fb4	e20d4ede75488a8ebc191cad23d96882433a7866080df9d322965120fc322ea1
pri_qlkznza6fowraabhcgh6sjofri	2	enrolled	pri_qlkznza6fowraabhcgh6sjofri	enr_6i53bvxxnnimvueyuylftlhkoi	{"code_sha256":"12b9dca388eb09eac7de6cae49cff0923d2d61e5a13df0b53ff40eefb3a5f983","issued_by":"pri_s26mowgzgupnxyqf4qy5mlss3m","key_id":"key_ymgqxsbdimdsv7dxdv7kcqxbfq","key_sha256":"7ae0ccb706ff56e33c756fb7a8ce89060034eab378b85dc18283fbfcb63dcc9c"}	1796073016	e20d4ede75488a8ebc191cad23d96882433a7866080df9d322965120fc322ea1	c7db73c696c2e0853ac90350b3d0f04bdd9ea1e256efadd1a3f31113f67258a2
pri_qlkznza6fowraabhcgh6sjofri	3	principal_revoked	pri_s26mowgzgupnxyqf4qy5mlss3m	pri_qlkznza6fowraabhcgh6sjofri	{}	1796073016	c7db73c696c2e0853ac90350b3d0f04bdd9ea1e256efadd1a3f31113f67258a2	fb0ff053572fe54e34a1b52e522f61c1c798186cc4916c6c31a5c80bbd1b5323
pri_3jwoanhf5kvdwdkkilofpohh2y	1	token_issued	pri_s26mowgzgupnxyqf4qy5mlss3m	enr_ul6he5eckafw2uskj3ppjv6q4y	{"recovers":false,"role":"owner","token_sha256":"6ec3b257f429900dbfe84181833b974fdd98404313642bf00ef4366308c57a01"}	1796073016	501890c9ce66ce002698cfe865c0473ef686f0cd7501d62ced9ada0a815a50c0	a929f45244babdd34e5fe0cc41ad2ba52ad3624de49530c94acc4f61811de053
pri_3jwoanhf5kvdwdkkilofpohh2y	2	enrolled	pri_3jwoanhf5kvdwdkkilofpohh2y	enr_ul6he5eckafw2uskj3ppjv6q4y	{"code_sha256":"497080644092ae26a27f30feec21c8ccec7d72e0780c0124217a2143bb88b8a5","issued_by":"pri_s26mowgzgupnxyqf4qy5mlss3m","key_id":"key_4v2fln7qzymywmt4mdw5cxuk3a","key_sha256":"c895102fafffc7eec86f5916203e82e880d971bf32e85ea116b0545b3ad0841a"}	1796073016	a929f45244babdd34e5fe0cc41ad2ba52ad3624de49530c94acc4f61811de053	da9a23e6a52395e79d659c845a60041c07926600c5fcf4df55543f496c88581a
pri_3jwoanhf5kvdwdkkilofpohh2y	3	principal_revoked	pri_s26mowgzgupnxyqf4qy5mlss3m	pri_3jwoanhf5kvdwdkkilofpohh2y	{}	1796073016	da9a23e6a52395e79d659c845a60041c07926600c5fcf4df55543f496c88581a	862bd4007245293bd9c559fcca6d4fd504a957dc88c7072e8dfa13d3ff4c3b47
pri_aylvb2bxuaqjgcngrok22zjvvy	1	token_issued	pri_s26mowgzgupnxyqf4qy5mlss3m	enr_ifmfxwnrhlxpoiufonltoyjwvm	{"recovers":false,"role":"owner","token_sha256":"084cd91cdbcbb9f1582ecb598a6a92ebdf6c882c539d896be487c5b70b3a86a0"}	1796073017	da6ebbb9ced54d79a645f7313cf86462cae3609aba937fc93744452899dcbcd4	356478686353ee44f520bc9f5827919088602a2554efebba14154fd20addefe6
pri_aylvb2bxuaqjgcngrok22zjvvy	2	enrolled	pri_aylvb2bxuaqjgcngrok22zjvvy	enr_ifmfxwnrhlxpoiufonltoyjwvm	{"code_sha256":"6141c2b280557011af58ce028fd334a97ee9e3f96df2b26b2ece419c6ca0793f","issued_by":"pri_s26mowgzgupnxyqf4qy5mlss3m","key_id":"key_gswcem6tex2bbrwznuxfvaxxgy","key_sha256":"b0b2d3b23ac5561483b706f2550026a0d0f285901331cc73b0a78cfa9e82c66e"}	1796073017	356478686353ee44f520bc9f5827919088602a2554efebba14154fd20addefe6	64625c6d188c67f7ae7f39df6a134ab7c4b94411ce2e01acae3d4e589527857e
\.


--
-- Data for Name: principal_names; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principal_names (principal_id, name) FROM stdin;
pri_s26mowgzgupnxyqf4qy5mlss3m	first admin
pri_mntnxyxijueqfkfcyr7m5vzzm4	owner
pri_duqxwe4j5x2ttzyvbfy3vgevpi	analyst
pri_ighhud734zr47uhn35fo24gbea	another
pri_qlkznza6fowraabhcgh6sjofri	gone
pri_3jwoanhf5kvdwdkkilofpohh2y	leaving
pri_aylvb2bxuaqjgcngrok22zjvvy	late
\.


--
-- Data for Name: principals; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.principals (id, role, created_at, revoked_at, frozen_until, recovery_id, sequence, head_hash, created_nanoseconds) FROM stdin;
pri_s26mowgzgupnxyqf4qy5mlss3m	admin	1796072983	\N	\N	\N	1	0acf3c953a405c204882ac340ee96d735b4ad13ad3663afbbe5e4608ba1852a4	1796072983693814431
pri_mntnxyxijueqfkfcyr7m5vzzm4	owner	1796072987	\N	\N	\N	2	8778dd1ed64aab0ddbf8c226dd3f7571aad51af74bebf99f8669934054ab3c04	1796072987336625234
pri_duqxwe4j5x2ttzyvbfy3vgevpi	analyst	1796072987	\N	\N	\N	2	4095f7ee6b3246186793b03d50c5ee0101985a46c333d38d05c07fd8f1666ec9	1796072987400409858
pri_ighhud734zr47uhn35fo24gbea	analyst	1796073016	\N	\N	\N	4	24e6f0fcdbd97a7ea14575ee128a061111130d2021d42522e98ef2daa33f53ea	1796073016301862982
pri_qlkznza6fowraabhcgh6sjofri	analyst	1796073016	1796073016	\N	\N	3	fb0ff053572fe54e34a1b52e522f61c1c798186cc4916c6c31a5c80bbd1b5323	1796073016496608828
pri_3jwoanhf5kvdwdkkilofpohh2y	owner	1796073016	1796073016	\N	\N	3	862bd4007245293bd9c559fcca6d4fd504a957dc88c7072e8dfa13d3ff4c3b47	1796073016559777640
pri_aylvb2bxuaqjgcngrok22zjvvy	owner	1796073017	\N	\N	\N	2	64625c6d188c67f7ae7f39df6a134ab7c4b94411ce2e01acae3d4e589527857e	1796073017551074268
\.


--
-- Data for Name: public_texts; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.public_texts (release_id, text, created_at) FROM stdin;
rel_lblkoa6iaflc2ahklli7lsq33y	{"kind":"counts","id":"rel_lblkoa6iaflc2ahklli7lsq33y","dataset_id":"dat_a5u3qehmcm63czn7o5udhnan44","budget_id":"bud_yihohys4paeohpmmpnsvsokmui","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[35.0,207.0],"noisy_counts":[34,206],"released_counts":[34,206],"categories":[{"label":"category 0","mean":0.1446280991735537,"standard_deviation":0.022563199954647593,"naive_interval":{"level":0.95,"low":0.10328749768211906,"high":0.19152657926775993}},{"label":"category 1","mean":0.8553719008264463,"standard_deviation":0.022563199954647593,"naive_interval":{"level":0.95,"low":0.80847342073224,"high":0.8967125023178809}}]},"created_at":"2026-11-30T21:09:47Z","signature":{"body":{"kind":"private-posterior release signature 1","release_id":"rel_lblkoa6iaflc2ahklli7lsq33y","sha256":"e977962447a6d4748410223c66dd0ebe1047da055dcfb74d1bef627896b5f608"},"key_id":"139e3940e64b5491","signature":"kDhVxxoL5ciHMQRPJGsPwHIZ8r3F6ne2dGmJgN8ZVHBEX_91aDnJUi9dS-HWz3sEEx7CEDZuyqRDs1Pvjxo9AQ"}}	1796072997
\.


--
-- Data for Name: query_charges; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.query_charges (release_id, dataset_id, budget_id, sequence, grant_id, measured, apart, epsilon_alone, delta_alone, rho_alone, epsilon_granted, delta_granted, rho_granted) FROM stdin;
qry_fzlshfvfvcj43eipfddu4opizi	dat_bpdsr7ng5qoan52ljckhydcwze	bud_lcsea6rvd2fhal3k5ujrxskdhm	10	gra_7xvshxskx45pz4rhqo24r3bgmq	[]	[]	0	0	0	0	0	0
qry_jc727b7cdadh4nuz6b324bxoei	dat_hur5f64hbdzo7x7acyg5vlv34y	bud_arpn3a7mtyrji46d2rsv6kftmy	3	\N	[{"coefficients":[1,1,1,-1],"denominator":1,"rate":"0.049928884","relation":"add_remove"}]	[false]	49928884	0	0	49928884	0	0
\.


--
-- Data for Name: releases; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.releases (id, dataset_id, budget_id, sequence, principal_id, key_hash, payload_hash, spec, epsilon_charged, delta_charged, rho_charged, epsilon_remaining, delta_remaining, rho_remaining, receipt, created_at, state, leased_until, drawn, result, public_since, kind, owner_id, signature, noise) FROM stdin;
rel_4g2saffhqyjx7i5ysixqkaf52m	dat_a5u3qehmcm63czn7o5udhnan44	bud_yihohys4paeohpmmpnsvsokmui	8	pri_duqxwe4j5x2ttzyvbfy3vgevpi	1c9759f73696aa697efb885b0f14bb08e75ccbc1b2b71fa41abfd6ad9341f1ea	c4286f41eb738171b26121f3c6166ae59a51099c458d0c11e6f4b91334e35e8c	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"exponential","calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"exponential","n":240,"prior":["1.0","1.0"],"epsilon0":"0.146859191","gamma":"0.0265","uniform_admixture":null,"calibration":"certified","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"method":"exact_channel","statement":"(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel.","relation":"replace_one","details":{"loss":"0.099997008","loss_range":"0.148875720","rounding":"2.771e-11"}},"outcome":"signed"}	99997009	100000000000	0	700002991	700000000000	0	{"body":{"accountant":"basic","at":1796072992,"budget_id":"bud_yihohys4paeohpmmpnsvsokmui","chain_hash":"d4959f26073a67d543893a3b35dfc3d799e876d8724730e70ba0e9ea03c5fe72","commitment":"a451313068e53ce7fb5d2aee364e5d6c6ad13368275954684abdc44fd1645cf7","dataset_id":"dat_a5u3qehmcm63czn7o5udhnan44","delta_units":100000000000,"epsilon_units":99997009,"grant_id":"gra_t4hgnsyj5d7l4uaigxu56pwgwi","key_hash":"1c9759f73696aa697efb885b0f14bb08e75ccbc1b2b71fa41abfd6ad9341f1ea","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"c4286f41eb738171b26121f3c6166ae59a51099c458d0c11e6f4b91334e35e8c","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_4g2saffhqyjx7i5ysixqkaf52m","rho_units":0,"sequence":8,"spec_sha256":"48de9568da6bad5d723e32b67476db1a50dea093102b678cb885bb613747710c"},"key_id":"139e3940e64b5491","signature":"-YTy5ZV4tXW9w_8KdKbyKPMUQPstLMkd6mX0vBGxaXoenlR2zHzsoBFW8TawgmrHFHxLxZXNFjBJy0F8ZzpcBA"}	1796072992	complete	1796073014	{"noisy": [10, 230], "on_simplex": [10, 230]}	{"kind":"counts","id":"rel_4g2saffhqyjx7i5ysixqkaf52m","dataset_id":"dat_a5u3qehmcm63czn7o5udhnan44","budget_id":"bud_yihohys4paeohpmmpnsvsokmui","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"exponential","n":240,"prior":["1.0","1.0"],"epsilon0":"0.146859191","gamma":"0.0265","uniform_admixture":null,"calibration":"certified","delta":"0.0000001"},"prior":[1.0,1.0],"mechanism":{"kind":"exponential","calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"requested":{"calibration":"certified","epsilon":"0.1","delta":"0.0000001"},"certified":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.099997009","delta":"0.0000001"},"remaining_after":{"accountant":"basic","epsilon":"0.700002991","delta":"0.0000007"},"certificate":{"method":"exact_channel","statement":"(0.099997009, 0.0000001)-differentially private when one record changes its category, by evaluation of the whole channel.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.099997009","delta":"0.0000001","rho":"0.001009435228","rho_delta":"0"},"details":{"loss":"0.099997008","loss_range":"0.148875720","rounding":"2.771e-11"}},"posterior":{"concentration":[11.0,231.0],"noisy_counts":[10,230],"released_counts":[10,230],"categories":[{"label":"category 0","mean":0.045454545454545456,"standard_deviation":0.013362380358912074,"naive_interval":{"level":0.95,"low":0.02300200005830298,"high":0.07498281251971088}},{"label":"category 1","mean":0.9545454545454546,"standard_deviation":0.013362380358912074,"naive_interval":{"level":0.95,"low":0.9250171874802892,"high":0.976997999941697}}]},"created_at":"2026-11-30T21:09:52Z","receipt":{"body":{"accountant":"basic","at":1796072992,"budget_id":"bud_yihohys4paeohpmmpnsvsokmui","chain_hash":"d4959f26073a67d543893a3b35dfc3d799e876d8724730e70ba0e9ea03c5fe72","commitment":"a451313068e53ce7fb5d2aee364e5d6c6ad13368275954684abdc44fd1645cf7","dataset_id":"dat_a5u3qehmcm63czn7o5udhnan44","delta_units":100000000000,"epsilon_units":99997009,"grant_id":"gra_t4hgnsyj5d7l4uaigxu56pwgwi","key_hash":"1c9759f73696aa697efb885b0f14bb08e75ccbc1b2b71fa41abfd6ad9341f1ea","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"c4286f41eb738171b26121f3c6166ae59a51099c458d0c11e6f4b91334e35e8c","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_4g2saffhqyjx7i5ysixqkaf52m","rho_units":0,"sequence":8,"spec_sha256":"48de9568da6bad5d723e32b67476db1a50dea093102b678cb885bb613747710c"},"key_id":"139e3940e64b5491","signature":"-YTy5ZV4tXW9w_8KdKbyKPMUQPstLMkd6mX0vBGxaXoenlR2zHzsoBFW8TawgmrHFHxLxZXNFjBJy0F8ZzpcBA"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"ca61e8013164683099a0a68e2ab2b1822c947de749c57599927d7de3a167245a","drawn_sha256":"caf8d6395db4d841ebbaa1e194f750d2a090892311d07c7f5a6ff84ea3da3501","kind":"private-posterior outcome 1","release_id":"rel_4g2saffhqyjx7i5ysixqkaf52m"},"key_id":"139e3940e64b5491","signature":"fEJz7DXwwNgexrRbJ6CHqdw9NhamXLGkXWhbUrsOcQrCQD809Ja0aBlktlTDYgftmpAuMsBjb8yBNoT1yvXwBA"}	d1e6c7d13a10130a1c9555b5c6ff908c184914e0a062caebc58532c8aaecadce
rel_lblkoa6iaflc2ahklli7lsq33y	dat_a5u3qehmcm63czn7o5udhnan44	bud_yihohys4paeohpmmpnsvsokmui	7	pri_duqxwe4j5x2ttzyvbfy3vgevpi	26f3202193478521650af8914c5baf137db6695232b1096104b63ca7e52397b7	d68222f1991a5b80b3265965324e38f989e966897ac9f0cacb8566fa667c2345	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"outcome":"signed"}	100000000	0	0	800000000	800000000000	0	{"body":{"accountant":"basic","at":1796072987,"budget_id":"bud_yihohys4paeohpmmpnsvsokmui","chain_hash":"273c39c6df0d72a2599490be8328845783bd17803b8d36b2ff8abd1b32b2eee6","commitment":"a451313068e53ce7fb5d2aee364e5d6c6ad13368275954684abdc44fd1645cf7","dataset_id":"dat_a5u3qehmcm63czn7o5udhnan44","delta_units":0,"epsilon_units":100000000,"grant_id":"gra_t4hgnsyj5d7l4uaigxu56pwgwi","key_hash":"26f3202193478521650af8914c5baf137db6695232b1096104b63ca7e52397b7","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"d68222f1991a5b80b3265965324e38f989e966897ac9f0cacb8566fa667c2345","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_lblkoa6iaflc2ahklli7lsq33y","rho_units":0,"sequence":7,"spec_sha256":"10a7363c7c7dd16567922b0c458c6387d519169ca8b5df194b816224b50c3fcd"},"key_id":"139e3940e64b5491","signature":"iOugOdRopg8RWfe_ZDryDKOeMw2ZaaHk2sRYPLEmemdnWLxb46NrOsB6Mff8Wofro_mQUtGV_uAOVWVi7gniCQ"}	1796072987	complete	1796073009	{"noisy": [34, 206], "on_simplex": [34, 206]}	{"kind":"counts","id":"rel_lblkoa6iaflc2ahklli7lsq33y","dataset_id":"dat_a5u3qehmcm63czn7o5udhnan44","budget_id":"bud_yihohys4paeohpmmpnsvsokmui","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":240,"category_count":2,"records_per_unit":1,"event":{"event":"simplex_geometric","n":240,"m":2,"epsilon":"0.1"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.8","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[35.0,207.0],"noisy_counts":[34,206],"released_counts":[34,206],"categories":[{"label":"category 0","mean":0.1446280991735537,"standard_deviation":0.022563199954647593,"naive_interval":{"level":0.95,"low":0.10328749768211906,"high":0.19152657926775993}},{"label":"category 1","mean":0.8553719008264463,"standard_deviation":0.022563199954647593,"naive_interval":{"level":0.95,"low":0.80847342073224,"high":0.8967125023178809}}]},"created_at":"2026-11-30T21:09:47Z","receipt":{"body":{"accountant":"basic","at":1796072987,"budget_id":"bud_yihohys4paeohpmmpnsvsokmui","chain_hash":"273c39c6df0d72a2599490be8328845783bd17803b8d36b2ff8abd1b32b2eee6","commitment":"a451313068e53ce7fb5d2aee364e5d6c6ad13368275954684abdc44fd1645cf7","dataset_id":"dat_a5u3qehmcm63czn7o5udhnan44","delta_units":0,"epsilon_units":100000000,"grant_id":"gra_t4hgnsyj5d7l4uaigxu56pwgwi","key_hash":"26f3202193478521650af8914c5baf137db6695232b1096104b63ca7e52397b7","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"d68222f1991a5b80b3265965324e38f989e966897ac9f0cacb8566fa667c2345","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_lblkoa6iaflc2ahklli7lsq33y","rho_units":0,"sequence":7,"spec_sha256":"10a7363c7c7dd16567922b0c458c6387d519169ca8b5df194b816224b50c3fcd"},"key_id":"139e3940e64b5491","signature":"iOugOdRopg8RWfe_ZDryDKOeMw2ZaaHk2sRYPLEmemdnWLxb46NrOsB6Mff8Wofro_mQUtGV_uAOVWVi7gniCQ"}}	1796072997	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"5d8f0e2ba62ff0609f468b2b313a215c7340616ba390d35156f4254cc146cd8a","drawn_sha256":"c6b593103b1090f01dbddab355cddb92ffd94d373ffa1a07fdb544815868d31a","kind":"private-posterior outcome 1","release_id":"rel_lblkoa6iaflc2ahklli7lsq33y"},"key_id":"139e3940e64b5491","signature":"pcdh-aidNtUAfpAZB2KfF6WMpsZrQstak94bDbNZRY-Ol2UWCUMEJBou0iYbe4n4bzWkWTbiP_XDg4DEZtwyBQ"}	617164c5ad962d693d33ccc189560b9ec58d78489b0efd0afdd8e96bb4c7e781
rel_53uypm4vu6tjoswxhljls732ja	dat_bpdsr7ng5qoan52ljckhydcwze	bud_lcsea6rvd2fhal3k5ujrxskdhm	4	pri_duqxwe4j5x2ttzyvbfy3vgevpi	de761a723be4e6a63b720cab845b2a0a442d84409095436e70d2c7bb3e9d8925	9c690a93080fa0756395757340e1159b7e0933c97cb2d8dda05009c972b0fb52	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"simplex_geometric","n":667,"m":5,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"outcome":"signed"}	0	0	2856598834	0	800000000000	137143401166	{"body":{"accountant":"zcdp","at":1796072992,"budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","chain_hash":"264c821ecadc98b2a18622e031c0737b1704fb128be983c2eb846bdbde7d15fd","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","delta_units":0,"epsilon_units":0,"grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"de761a723be4e6a63b720cab845b2a0a442d84409095436e70d2c7bb3e9d8925","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"9c690a93080fa0756395757340e1159b7e0933c97cb2d8dda05009c972b0fb52","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_53uypm4vu6tjoswxhljls732ja","rho_units":2856598834,"sequence":4,"spec_sha256":"d50ee1ae431e2a16942bbc3ea9e59afc9fc7a923a40acb7b08b730c728420921"},"key_id":"139e3940e64b5491","signature":"2f08gd7Xk4qQRqfTxbStDtbWU80l3J8UnYrzAbmpnjdeu5_sf554I_fdFoQ_goUzzqnFN_VUcb4w1wZknCDnBA"}	1796072992	complete	1796073014	{"noisy": [28, 307, -11, 35, 308], "on_simplex": [26, 304, 0, 32, 305]}	{"kind":"counts","id":"rel_53uypm4vu6tjoswxhljls732ja","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"simplex_geometric","n":667,"m":5,"epsilon":"0.1"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002856598834","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.137143401166","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.002856598834","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[26.5,304.5,0.5,32.5,305.5],"noisy_counts":[28,307,-11,35,308],"released_counts":[26,304,0,32,305],"categories":[{"label":"female · yes","mean":0.039581777445855115,"standard_deviation":0.007529713483628446,"naive_interval":{"level":0.95,"low":0.026170843797486333,"high":0.055592032013791336}},{"label":"female · no","mean":0.4548170276325616,"standard_deviation":0.019230479280177324,"naive_interval":{"level":0.95,"low":0.4172658790999132,"high":0.4926238816512443}},{"label":"female · unknown","mean":0.0007468259895444362,"standard_deviation":0.0010549893818436278,"naive_interval":{"level":0.95,"low":7.342569629795003e-7,"high":0.0037491302822801123}},{"label":"male · yes","mean":0.04854368932038835,"standard_deviation":0.008299681453286701,"naive_interval":{"level":0.95,"low":0.03359407684508264,"high":0.06604333874819265}},{"label":"male · no","mean":0.4563106796116505,"standard_deviation":0.019235626098090475,"naive_interval":{"level":0.95,"low":0.4187452095865451,"high":0.4941234021064625}}]},"created_at":"2026-11-30T21:09:52Z","receipt":{"body":{"accountant":"zcdp","at":1796072992,"budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","chain_hash":"264c821ecadc98b2a18622e031c0737b1704fb128be983c2eb846bdbde7d15fd","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","delta_units":0,"epsilon_units":0,"grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"de761a723be4e6a63b720cab845b2a0a442d84409095436e70d2c7bb3e9d8925","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"9c690a93080fa0756395757340e1159b7e0933c97cb2d8dda05009c972b0fb52","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_53uypm4vu6tjoswxhljls732ja","rho_units":2856598834,"sequence":4,"spec_sha256":"d50ee1ae431e2a16942bbc3ea9e59afc9fc7a923a40acb7b08b730c728420921"},"key_id":"139e3940e64b5491","signature":"2f08gd7Xk4qQRqfTxbStDtbWU80l3J8UnYrzAbmpnjdeu5_sf554I_fdFoQ_goUzzqnFN_VUcb4w1wZknCDnBA"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"cd02fa7d556882940a276a641ac6149c07d686130d4d84a99b803e46721cb11d","drawn_sha256":"c99cf444083c89b3ab8e9e5fd1eeba7b714adb615e38ebe94349a4b2c1833879","kind":"private-posterior outcome 1","release_id":"rel_53uypm4vu6tjoswxhljls732ja"},"key_id":"139e3940e64b5491","signature":"aFp89bjJSPm4QfY5ogkck6yqbTySQz6mOm0GYeHCK5vxZadIOJ03e14WLrIBDEREtQwTGdDTlWy7dBH7cHkKCg"}	078888c4843c1625c62b7dcd98773b85acba0238372e15767c5b50fa298c70cc
rel_wtuqtaznx3swfcmbdg3ncilami	dat_bpdsr7ng5qoan52ljckhydcwze	bud_lcsea6rvd2fhal3k5ujrxskdhm	7	pri_duqxwe4j5x2ttzyvbfy3vgevpi	b40f9bdf1c24eeb39356c1f6f275a7ad47ed657393a73a58be57dad49a4a8e3a	f1e2fae420b387be1213d2a7ca20c70aa708a90dfa4904f6ecd12ddfc0f09d44	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential","calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.10781884","gamma":"0.0342","uniform_admixture":null,"calibration":"proven","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"method":"theorem","statement":"(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","details":{"change_of_rate":"0.044264479","draw":"rejection","excess_by_ratio":"0.059336596","excess_by_tail":"1.355692916","normalisers":"0.001824692","rounding":"4.214e-11","score":"0.053909420"}},"outcome":"signed"}	0	0	2321993715	0	800000000000	122382878673	{"body":{"accountant":"zcdp","at":1796072995,"budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","chain_hash":"39cfa8ccceb6174ae42c102dffa464e9e83f51eb6c23a7848e3f6c1d2a6f98f6","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","delta_units":0,"epsilon_units":0,"grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"b40f9bdf1c24eeb39356c1f6f275a7ad47ed657393a73a58be57dad49a4a8e3a","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"f1e2fae420b387be1213d2a7ca20c70aa708a90dfa4904f6ecd12ddfc0f09d44","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_wtuqtaznx3swfcmbdg3ncilami","rho_units":2321993715,"sequence":7,"spec_sha256":"11419c44b830dd1c0ae7df2ad3d1b9d6ddf6ab2b81d403ac5b1f813cf4dbf33d"},"key_id":"139e3940e64b5491","signature":"ewh_9tHCQDGeZkroE9xIzHJYiu88apvNS6bQuwTif-StYkiwq8CDzqAQlljfJQdHsqfuSGWtKD4ZDvGzV88xAQ"}	1796072995	complete	1796073017	{"noisy": [30, 15, 397, 27, 198], "on_simplex": [30, 15, 397, 27, 198]}	{"kind":"counts","id":"rel_wtuqtaznx3swfcmbdg3ncilami","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.10781884","gamma":"0.0342","uniform_admixture":null,"calibration":"proven","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential","calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"requested":{"calibration":"proven","epsilon":"0.1","delta":"0.0000001"},"certified":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002321993715","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.122382878673","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.099998592, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.099998592","delta":"0","rho":"0.002321993715","rho_delta":"0"},"details":{"change_of_rate":"0.044264479","draw":"rejection","excess_by_ratio":"0.059336596","excess_by_tail":"1.355692916","normalisers":"0.001824692","rounding":"4.214e-11","score":"0.053909420"}},"posterior":{"concentration":[30.5,15.5,397.5,27.5,198.5],"noisy_counts":[30,15,397,27,198],"released_counts":[30,15,397,27,198],"categories":[{"label":"female · yes","mean":0.04555638536221061,"standard_deviation":0.008052864216871052,"naive_interval":null},{"label":"female · no","mean":0.02315160567587752,"standard_deviation":0.005807707706157256,"naive_interval":null},{"label":"female · unknown","mean":0.5937266616878267,"standard_deviation":0.01896719224447467,"naive_interval":null},{"label":"male · yes","mean":0.041075429424943986,"standard_deviation":0.00766450105806331,"naive_interval":null},{"label":"male · no","mean":0.29648991784914114,"standard_deviation":0.01763765066692267,"naive_interval":null}]},"created_at":"2026-11-30T21:09:55Z","receipt":{"body":{"accountant":"zcdp","at":1796072995,"budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","chain_hash":"39cfa8ccceb6174ae42c102dffa464e9e83f51eb6c23a7848e3f6c1d2a6f98f6","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","delta_units":0,"epsilon_units":0,"grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"b40f9bdf1c24eeb39356c1f6f275a7ad47ed657393a73a58be57dad49a4a8e3a","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"f1e2fae420b387be1213d2a7ca20c70aa708a90dfa4904f6ecd12ddfc0f09d44","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_wtuqtaznx3swfcmbdg3ncilami","rho_units":2321993715,"sequence":7,"spec_sha256":"11419c44b830dd1c0ae7df2ad3d1b9d6ddf6ab2b81d403ac5b1f813cf4dbf33d"},"key_id":"139e3940e64b5491","signature":"ewh_9tHCQDGeZkroE9xIzHJYiu88apvNS6bQuwTif-StYkiwq8CDzqAQlljfJQdHsqfuSGWtKD4ZDvGzV88xAQ"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"990124167e704f75fb09c4947fc519ea9f620a0b0b7cfc4a847ee9dc88f40d74","drawn_sha256":"39931f887bf0c85203a1c832faa0c5fed2a16738299a2930da8ec6fb41965984","kind":"private-posterior outcome 1","release_id":"rel_wtuqtaznx3swfcmbdg3ncilami"},"key_id":"139e3940e64b5491","signature":"4lLnSDy2uXwFYC88eolQqdrfr8oH38GaEf1k72P4VZjBO9PnskhygWiFnQ97d2xU0jaQ0ozywfu_WsbP53uTCQ"}	cc266d3bfe3260b3c74e0666c2567e0809ad6809f3c80b01c246a78bb18cca51
rel_brrhxo42jtvpvzk7l3pcifiglu	dat_jfyozgwed24ydkh7w7plny7stu	bud_yihohys4paeohpmmpnsvsokmui	9	pri_mntnxyxijueqfkfcyr7m5vzzm4	4695675428ff5a5c9db6aa485d07a8f187300bebee4f3dfba0971310fc789e21	7ec33afae9a73d3d8ccb6fbe86e2f86cb5b4171e37279359c551690d0c272696	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":2,"accountant":"basic","event":{"event":"simplex_geometric","n":21,"m":2,"epsilon":"0.05"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"method":"theorem","statement":"(0.1, 0)-differentially private when 2 records change their categories, by group privacy from one record: The release is 0.05-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.05/2","support":"lattice","records_per_unit":"2","epsilon_of_one_record":"0.05"}},"outcome":"signed"}	100000000	0	0	700002991	900000000000	0	{"body":{"accountant":"basic","at":1796072997,"budget_id":"bud_yihohys4paeohpmmpnsvsokmui","chain_hash":"d16bf43ede748de3f703b0ff02177f8d45d1180b3163a9ccdf79843926db67da","commitment":"2de90792ce0278e852d98813e15d02a8e2babe4be25020c689366975b1686e0e","dataset_id":"dat_jfyozgwed24ydkh7w7plny7stu","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"4695675428ff5a5c9db6aa485d07a8f187300bebee4f3dfba0971310fc789e21","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"7ec33afae9a73d3d8ccb6fbe86e2f86cb5b4171e37279359c551690d0c272696","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_brrhxo42jtvpvzk7l3pcifiglu","rho_units":0,"sequence":9,"spec_sha256":"9f52c9cfd9d8fc1d1837912c94f9d08c85d55fd7d6e2d28cae8cfd7a11ede0a3"},"key_id":"139e3940e64b5491","signature":"T09_sKj2BHcmg5xtFPHyJeKS-VK6pneTlZZIUzdYyvIouayJ_afkJtR2nIGOo_fQOqDrfKsL0MHhT-I7bqWxAw"}	1796072997	complete	1796073019	{"noisy": [17, 4], "on_simplex": [17, 4]}	{"kind":"counts","id":"rel_brrhxo42jtvpvzk7l3pcifiglu","dataset_id":"dat_jfyozgwed24ydkh7w7plny7stu","budget_id":"bud_yihohys4paeohpmmpnsvsokmui","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":21,"category_count":2,"records_per_unit":2,"event":{"event":"simplex_geometric","n":21,"m":2,"epsilon":"0.05"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.700002991","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"(0.1, 0)-differentially private when 2 records change their categories, by group privacy from one record: The release is 0.05-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004877549367","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.05/2","support":"lattice","records_per_unit":"2","epsilon_of_one_record":"0.05"}},"posterior":{"concentration":[18.0,5.0],"noisy_counts":[17,4],"released_counts":[17,4],"categories":[{"label":"category 0","mean":0.782608695652174,"standard_deviation":0.08419529013494385,"naive_interval":{"level":0.95,"low":0.5971542169221287,"high":0.9217937396481075}},{"label":"category 1","mean":0.21739130434782608,"standard_deviation":0.08419529013494385,"naive_interval":{"level":0.95,"low":0.07820626035189253,"high":0.40284578307787133}}]},"created_at":"2026-11-30T21:09:57Z","receipt":{"body":{"accountant":"basic","at":1796072997,"budget_id":"bud_yihohys4paeohpmmpnsvsokmui","chain_hash":"d16bf43ede748de3f703b0ff02177f8d45d1180b3163a9ccdf79843926db67da","commitment":"2de90792ce0278e852d98813e15d02a8e2babe4be25020c689366975b1686e0e","dataset_id":"dat_jfyozgwed24ydkh7w7plny7stu","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"4695675428ff5a5c9db6aa485d07a8f187300bebee4f3dfba0971310fc789e21","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"7ec33afae9a73d3d8ccb6fbe86e2f86cb5b4171e37279359c551690d0c272696","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_brrhxo42jtvpvzk7l3pcifiglu","rho_units":0,"sequence":9,"spec_sha256":"9f52c9cfd9d8fc1d1837912c94f9d08c85d55fd7d6e2d28cae8cfd7a11ede0a3"},"key_id":"139e3940e64b5491","signature":"T09_sKj2BHcmg5xtFPHyJeKS-VK6pneTlZZIUzdYyvIouayJ_afkJtR2nIGOo_fQOqDrfKsL0MHhT-I7bqWxAw"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"239c841c97965016db8882113f8bcb060293b75f1f8d1657a3de32c7de69477d","drawn_sha256":"eeb1f8f4a61daedb40d8211568ae586d5b86b04bd3991935006947e3837ff9f4","kind":"private-posterior outcome 1","release_id":"rel_brrhxo42jtvpvzk7l3pcifiglu"},"key_id":"139e3940e64b5491","signature":"jVAnJ0L6ZyV7oa08DhBUBq4XWh6Vc7jLiWMjTEzwXdq5K9jZx_dy0uHJTIwkDscU9zcb8D9GlSFr8p1uitvsDQ"}	bae31f12ba639074b95ef0f7721d784825530152cf3bc2370a3fcfe5c1036561
rel_fso5oljs2thzwpq65lgr33ivoe	dat_bpdsr7ng5qoan52ljckhydcwze	bud_lcsea6rvd2fhal3k5ujrxskdhm	11	pri_duqxwe4j5x2ttzyvbfy3vgevpi	e1cae991e3e8e4fd6424234cc56a93ef4ddf59152490089f4047b2504103ec4a	f0cb8ff36b1f8e959134e7e8fadc49878218185858468b30f9810c77399064e8	{"request":{"margins":null,"all":1,"weights":null,"rho":"0.01","half_widths":null,"confidence":0.95,"delta":"0.0000001","noise":"independent","mechanism":{"kind":"margins","rho":"0.01"}},"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"margins","n":667,"levels":[2,3],"impossible":[[1,2]],"margins":[[0],[1],[0,1]],"loss":"rho","losses":["0.004619615349","0.005327615998","0.000052768653"],"delta":"0.0000001","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"method":"theorem","statement":"The release is 0.01-zCDP, and hence (0.689914956, 0.0000001)-differentially private when the records of one unit change: 3 margins have independent discrete Gaussian noise on every cell, and their losses add.","relation":"replace_one","details":{"losses":"0.004619615349, 0.005327615998, 0.000052768653","records_per_unit":"1"}},"tables":[{"margin":[0],"deviation":10.383813017063224,"intervals":[[0.9,17.1317805659303],[0.95,20.40382938037369],[0.99,26.798863568486773]]},{"margin":[1],"deviation":11.158740393124116,"intervals":[[0.9,18.410297979465348],[0.95,21.926534569435198],[0.99,28.798819942163085]]}],"outcome":"signed"}	0	0	10000000000	0	800000000000	96035615294	{"body":{"accountant":"zcdp","at":1796073001,"budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","chain_hash":"ac06c13a5dc98b670c62b488b98035595e73a7f1fc4f29cc6f8bed6c783435bd","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","delta_units":0,"epsilon_units":0,"grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"e1cae991e3e8e4fd6424234cc56a93ef4ddf59152490089f4047b2504103ec4a","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"f0cb8ff36b1f8e959134e7e8fadc49878218185858468b30f9810c77399064e8","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_fso5oljs2thzwpq65lgr33ivoe","rho_units":10000000000,"sequence":11,"spec_sha256":"fc149d1b52e10e3f00e82ab34d8d096ca66102a151a4e3e077aacfc78447cc71"},"key_id":"139e3940e64b5491","signature":"tKOM0-wtC4HXFLpTup-dpo7s7SyDeEOEZIyuEL9bKiMCK9fGXs7gcJ4ipYX3nfMrqll_dbPn8t9iJAOXbwZWBQ"}	1796073001	complete	1796073023	{"noisy": [[353, 299], [75, 608, 12], [-174, 377, -35, 140, 356, -75]]}	{"kind":"margins","id":"rel_fso5oljs2thzwpq65lgr33ivoe","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","state":"complete","attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"margins","n":667,"levels":[2,3],"impossible":[[1,2]],"margins":[[0],[1],[0,1]],"loss":"rho","losses":["0.004619615349","0.005327615998","0.000052768653"],"delta":"0.0000001","records_per_unit":1},"mechanism":{"kind":"margins","rho":"0.01"},"requested":{"rho":"0.01"},"certified":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.01","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.096035615294","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.01-zCDP, and hence (0.689914956, 0.0000001)-differentially private when the records of one unit change: 3 margins have independent discrete Gaussian noise on every cell, and their losses add.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"details":{"losses":"0.004619615349, 0.005327615998, 0.000052768653","records_per_unit":"1"}},"measured":[{"attributes":["sex"],"cell_count":2,"cost":{"accountant":"zcdp","rho":"0.004619615349","delta":"0"},"noise":"discrete_gaussian","noise_parameter":"1000000000000/4619615349","noise_standard_deviation":14.712859651267273,"noisy_counts":[353,299]},{"attributes":["ill"],"cell_count":3,"cost":{"accountant":"zcdp","rho":"0.005327615998","delta":"0"},"noise":"discrete_gaussian","noise_parameter":"500000000000/2663807999","noise_standard_deviation":13.70040932869151,"noisy_counts":[75,608,12]},{"attributes":["sex","ill"],"cell_count":6,"cost":{"accountant":"zcdp","rho":"0.000052768653","delta":"0"},"noise":"discrete_gaussian","noise_parameter":"1000000000000/52768653","noise_standard_deviation":137.6613410075883,"noisy_counts":[-174,377,-35,140,356,-75]}],"tables":[{"attributes":["sex"],"cell_count":2,"standard_deviation":10.383813017063224,"intervals":[{"confidence":0.9,"half_width":17.1317805659303},{"confidence":0.95,"half_width":20.40382938037369},{"confidence":0.99,"half_width":26.798863568486773}],"estimates":[359.9177535526843,307.0822464473157]},{"attributes":["ill"],"cell_count":3,"standard_deviation":11.158740393124116,"intervals":[{"confidence":0.9,"half_width":18.410297979465348},{"confidence":0.95,"half_width":21.926534569435198},{"confidence":0.99,"half_width":28.798819942163085}],"estimates":[65.30363990766449,599.4567837303774,2.2395763619582]}],"created_at":"2026-11-30T21:10:01Z","receipt":{"body":{"accountant":"zcdp","at":1796073001,"budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","chain_hash":"ac06c13a5dc98b670c62b488b98035595e73a7f1fc4f29cc6f8bed6c783435bd","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","delta_units":0,"epsilon_units":0,"grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"e1cae991e3e8e4fd6424234cc56a93ef4ddf59152490089f4047b2504103ec4a","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"f0cb8ff36b1f8e959134e7e8fadc49878218185858468b30f9810c77399064e8","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_fso5oljs2thzwpq65lgr33ivoe","rho_units":10000000000,"sequence":11,"spec_sha256":"fc149d1b52e10e3f00e82ab34d8d096ca66102a151a4e3e077aacfc78447cc71"},"key_id":"139e3940e64b5491","signature":"tKOM0-wtC4HXFLpTup-dpo7s7SyDeEOEZIyuEL9bKiMCK9fGXs7gcJ4ipYX3nfMrqll_dbPn8t9iJAOXbwZWBQ"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"d76bd28409a763cbc1eb7aece0004138c7c8847c89cee6b62228403812acd59a","drawn_sha256":"5a6186c1a1c170e42398371a505c793681b1e8fc4be3b27071e12cdd3c0d3a92","kind":"private-posterior outcome 1","release_id":"rel_fso5oljs2thzwpq65lgr33ivoe"},"key_id":"139e3940e64b5491","signature":"wpZBLiGXYi-JY1qGJhA3HD9Y1RtPcqHvvfF3PcbtAGy89VWbMmwfCHXuqvWLje-Uawyf6ySd0q5LcQ60Adx-AA"}	55a27c85ec41e26a6bc203f17496e996bf98b78615c2246030a1bbcff4c3578a
rel_4t6gby6oorsnknka4a2eijjwh4	dat_bpdsr7ng5qoan52ljckhydcwze	bud_lcsea6rvd2fhal3k5ujrxskdhm	5	pri_duqxwe4j5x2ttzyvbfy3vgevpi	b1a92166a4103eede8fa84089c31ff52ece709d79203c31d54d11c9746f12c47	75627f02c3ce51f3be96ed1d66fc3ad6f972c5c04020687e143100ea8f942e68	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"laplace","epsilon":"0.1"},"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"laplace","n":667,"m":5,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: Laplace noise of scale 2/0.1 on all counts but the last, which one replaced record changes by 2 in all.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_scale":"2/0.1"}},"outcome":"signed"}	0	0	2438528778	0	800000000000	134704872388	{"body":{"accountant":"zcdp","at":1796072992,"budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","chain_hash":"7665a5090ce10210bb48778441505dde184865f5b09d235336b95e27ac37511a","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","delta_units":0,"epsilon_units":0,"grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"b1a92166a4103eede8fa84089c31ff52ece709d79203c31d54d11c9746f12c47","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"75627f02c3ce51f3be96ed1d66fc3ad6f972c5c04020687e143100ea8f942e68","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_4t6gby6oorsnknka4a2eijjwh4","rho_units":2438528778,"sequence":5,"spec_sha256":"0208b80d8a0289db392da173fb54cafdf8258e23aeba92e29a68284d2725d348"},"key_id":"139e3940e64b5491","signature":"D9OUAVBStRvTrAyKSQWBFGto4XQfe2a4xmAwREa3Vq-4EHGChKnTQG0D8lNQVwct4p3mFUmnMpbL10j0dQ22AA"}	1796072992	complete	1796073014	{"noisy": [28, 322, 14, 19], "on_simplex": [28, 322, 14, 19, 284]}	{"kind":"counts","id":"rel_4t6gby6oorsnknka4a2eijjwh4","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"laplace","n":667,"m":5,"epsilon":"0.1"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"laplace","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.002438528778","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.134704872388","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: Laplace noise of scale 2/0.1 on all counts but the last, which one replaced record changes by 2 in all.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.002438528778","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_scale":"2/0.1"}},"posterior":{"concentration":[28.5,322.5,14.5,19.5,284.5],"noisy_counts":[28,322,14,19],"released_counts":[28,322,14,19,284],"categories":[{"label":"female · yes","mean":0.04256908140403286,"standard_deviation":0.007796532118097795,"naive_interval":{"level":0.95,"low":0.028625205033120712,"high":0.05909591954534077}},{"label":"female · no","mean":0.4817027632561613,"standard_deviation":0.01929654801488824,"naive_interval":{"level":0.95,"low":0.4439459500096481,"high":0.5195631269663208}},{"label":"female · unknown","mean":0.021657953696788648,"standard_deviation":0.0056215318898101725,"naive_interval":{"level":0.95,"low":0.012051877288910665,"high":0.03395822191359607}},{"label":"male · yes","mean":0.02912621359223301,"standard_deviation":0.006494175360103409,"naive_interval":{"level":0.95,"low":0.01778137038471619,"high":0.04312672466386315}},{"label":"male · no","mean":0.42494398805078415,"standard_deviation":0.01909068569990576,"naive_interval":{"level":0.95,"low":0.387751561541934,"high":0.46256117880600034}}]},"created_at":"2026-11-30T21:09:52Z","receipt":{"body":{"accountant":"zcdp","at":1796072992,"budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","chain_hash":"7665a5090ce10210bb48778441505dde184865f5b09d235336b95e27ac37511a","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","delta_units":0,"epsilon_units":0,"grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"b1a92166a4103eede8fa84089c31ff52ece709d79203c31d54d11c9746f12c47","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"75627f02c3ce51f3be96ed1d66fc3ad6f972c5c04020687e143100ea8f942e68","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_4t6gby6oorsnknka4a2eijjwh4","rho_units":2438528778,"sequence":5,"spec_sha256":"0208b80d8a0289db392da173fb54cafdf8258e23aeba92e29a68284d2725d348"},"key_id":"139e3940e64b5491","signature":"D9OUAVBStRvTrAyKSQWBFGto4XQfe2a4xmAwREa3Vq-4EHGChKnTQG0D8lNQVwct4p3mFUmnMpbL10j0dQ22AA"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"69521cf20db21e3dee58529c37bcd56518006fc5030b755fa41c812310a752de","drawn_sha256":"51d86ec900759ac3d1642ef1285457a4673ffb0ee4edc8540da5698c2bfca5ed","kind":"private-posterior outcome 1","release_id":"rel_4t6gby6oorsnknka4a2eijjwh4"},"key_id":"139e3940e64b5491","signature":"l8ht8-zw9J_83QI7PkC9Q1JRvV5GN3gSxAVFCltuP71JyG7C0FlfY4ZbuWCvRSPlE_OAUpJ_dnbGrJ02TYjyBA"}	f684e15882c4fad16341317a054735af18a92d59195da15e42db5abdc79772a0
rel_2aexg4uma4lwk5cmmxxfhxmlky	dat_bpdsr7ng5qoan52ljckhydcwze	bud_lcsea6rvd2fhal3k5ujrxskdhm	6	pri_duqxwe4j5x2ttzyvbfy3vgevpi	2ca61738062799d05efec06f257821c07674494e389725a5bcceb658e592d4d6	da6d7dd5518efc3151e40080afbc97e06938dace685584d7b6d567fda59571be	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"gaussian","rho":"0.01","delta":"0.0000001"},"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"gaussian","n":667,"m":5,"rho":"0.01","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"method":"theorem","statement":"The release is 0.01-zCDP: discrete Gaussian noise with sigma^2 = 1/0.01 on every count, and replacing one record moves two counts by 1. Hence it is (0.689914956, 0.0000001)-differentially private.","relation":"replace_one","details":{"l2_sensitivity_squared":"2","noise_variance":"1/0.01"}},"outcome":"signed"}	0	0	10000000000	0	800000000000	124704872388	{"body":{"accountant":"zcdp","at":1796072992,"budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","chain_hash":"ad742ddbc97813cffec29f472dc81c36290680216ab92ec68f9477e6549dec1b","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","delta_units":0,"epsilon_units":0,"grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"2ca61738062799d05efec06f257821c07674494e389725a5bcceb658e592d4d6","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"da6d7dd5518efc3151e40080afbc97e06938dace685584d7b6d567fda59571be","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_2aexg4uma4lwk5cmmxxfhxmlky","rho_units":10000000000,"sequence":6,"spec_sha256":"14bfbe9eb542437c1e130fc65016104df89b775eade59c3f32d561bee8b41a46"},"key_id":"139e3940e64b5491","signature":"I-ckA4SyeRpDU4ewXINNjFgNLjA3WMwSlZ_i4BCFPzR5sFPaWuSJqAZPGPUdj-pMI6xfcgo5Eb9B3FgHWJHxBw"}	1796072992	complete	1796073014	{"noisy": [37, 313, -16, 20, 272], "on_simplex": [43, 319, 0, 27, 278]}	{"kind":"counts","id":"rel_2aexg4uma4lwk5cmmxxfhxmlky","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"gaussian","n":667,"m":5,"rho":"0.01","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"gaussian","rho":"0.01","delta":"0.0000001"},"requested":{"rho":"0.01","delta":"0.0000001"},"certified":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.01","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.124704872388","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"The release is 0.01-zCDP: discrete Gaussian noise with sigma^2 = 1/0.01 on every count, and replacing one record moves two counts by 1. Hence it is (0.689914956, 0.0000001)-differentially private.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.689914956","delta":"0.0000001","rho":"0.01","rho_delta":"0"},"details":{"l2_sensitivity_squared":"2","noise_variance":"1/0.01"}},"posterior":{"concentration":[43.5,319.5,0.5,27.5,278.5],"noisy_counts":[37,313,-16,20,272],"released_counts":[43,319,0,27,278],"categories":[{"label":"female · yes","mean":0.06497386109036594,"standard_deviation":0.00951879168675325,"naive_interval":{"level":0.95,"low":0.04758283196755123,"high":0.08482352349556896}},{"label":"female · no","mean":0.4772218073188947,"standard_deviation":0.019289433841463813,"naive_interval":{"level":0.95,"low":0.4394916274164519,"high":0.5150808969410866}},{"label":"female · unknown","mean":0.0007468259895444362,"standard_deviation":0.0010549893818436278,"naive_interval":{"level":0.95,"low":7.342569629795003e-7,"high":0.0037491302822801123}},{"label":"male · yes","mean":0.041075429424943986,"standard_deviation":0.00766450105806331,"naive_interval":{"level":0.95,"low":0.02739530441056355,"high":0.05734670597396297}},{"label":"male · no","mean":0.41598207617625094,"standard_deviation":0.019034917813365807,"naive_interval":{"level":0.95,"low":0.37892439244089704,"high":0.4535152410443616}}]},"created_at":"2026-11-30T21:09:52Z","receipt":{"body":{"accountant":"zcdp","at":1796072992,"budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","chain_hash":"ad742ddbc97813cffec29f472dc81c36290680216ab92ec68f9477e6549dec1b","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","delta_units":0,"epsilon_units":0,"grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"2ca61738062799d05efec06f257821c07674494e389725a5bcceb658e592d4d6","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"da6d7dd5518efc3151e40080afbc97e06938dace685584d7b6d567fda59571be","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_2aexg4uma4lwk5cmmxxfhxmlky","rho_units":10000000000,"sequence":6,"spec_sha256":"14bfbe9eb542437c1e130fc65016104df89b775eade59c3f32d561bee8b41a46"},"key_id":"139e3940e64b5491","signature":"I-ckA4SyeRpDU4ewXINNjFgNLjA3WMwSlZ_i4BCFPzR5sFPaWuSJqAZPGPUdj-pMI6xfcgo5Eb9B3FgHWJHxBw"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"daaa40eaea66adbb18528563adfacf6ed4377a95c0d001359df51cea8c617ce6","drawn_sha256":"a27e92cac7577f0a3751aabc0964db79629583263d0b84163be979dc4e555c47","kind":"private-posterior outcome 1","release_id":"rel_2aexg4uma4lwk5cmmxxfhxmlky"},"key_id":"139e3940e64b5491","signature":"4Pqg-9v_JMp1_cpMnnNTpHDyPGJhXQ3e1rbH3HpJzaHyHtURx05RwGOl6MzeBYWzH5bF5Sbd-x89qmtrdg1cBQ"}	868d8a02503306c9d4543af9383a053d9aefa0455477cb68d315be5114253986
rel_mzlf4qbw4a5fsgi72qenwuqfu4	dat_bpdsr7ng5qoan52ljckhydcwze	bud_lcsea6rvd2fhal3k5ujrxskdhm	8	pri_duqxwe4j5x2ttzyvbfy3vgevpi	6eb5fef882d0ba919bbc36ffa4f0c234b9b9ca0401996c6fb8f39b56132d12e3	0e9322aba38cd129a28d5b4ac34897a0f9bcc1910de0dac2fcdf74260b1ba0bc	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_published","nominal_epsilon":"0.2","delta":"0.0000001"},"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.2","gamma":"0.004279815109635818","uniform_admixture":null,"calibration":"published","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"method":"theorem","statement":"(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","details":{"change_of_rate":"0.013980835","draw":"rejection","excess_by_ratio":"0.013980835","excess_by_tail":"0.167125342","normalisers":"0.005005989","rounding":"6.634e-11","score":"0.100000000"}},"outcome":"signed"}	0	0	5097263440	0	800000000000	117285615233	{"body":{"accountant":"zcdp","at":1796072996,"budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","chain_hash":"3fc39e712764e294e848dc7ad330186e05cc93976abf8f4cc1f9ef68cf9d9ae0","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","delta_units":0,"epsilon_units":0,"grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"6eb5fef882d0ba919bbc36ffa4f0c234b9b9ca0401996c6fb8f39b56132d12e3","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"0e9322aba38cd129a28d5b4ac34897a0f9bcc1910de0dac2fcdf74260b1ba0bc","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_mzlf4qbw4a5fsgi72qenwuqfu4","rho_units":5097263440,"sequence":8,"spec_sha256":"9784fb48bf18dfe7be33e9b027cfa7efc3e2808873d5d4d954c39daed77c5976"},"key_id":"139e3940e64b5491","signature":"FHwzue03jwL1zv-mKKpBW5tq0O94Gpe9wXIxDyNfesMMKv3TenY4MFTMJuYzhGZA_s81PN4GU2F9B0IeSVIdCg"}	1796072996	complete	1796073018	{"noisy": [116, 5, 407, 47, 92], "on_simplex": [116, 5, 407, 47, 92]}	{"kind":"counts","id":"rel_mzlf4qbw4a5fsgi72qenwuqfu4","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.2","gamma":"0.004279815109635818","uniform_admixture":null,"calibration":"published","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_published","nominal_epsilon":"0.2","delta":"0.0000001"},"requested":{"nominal_epsilon":"0.2","delta":"0.0000001"},"certified":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.00509726344","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.117285615233","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.118986825, 0)-differentially private when one record changes its category, by Theorems 1 to 3.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.118986825","delta":"0","rho":"0.00509726344","rho_delta":"0"},"details":{"change_of_rate":"0.013980835","draw":"rejection","excess_by_ratio":"0.013980835","excess_by_tail":"0.167125342","normalisers":"0.005005989","rounding":"6.634e-11","score":"0.100000000"}},"posterior":{"concentration":[116.5,5.5,407.5,47.5,92.5],"noisy_counts":[116,5,407,47,92],"released_counts":[116,5,407,47,92],"categories":[{"label":"female · yes","mean":0.1740104555638536,"standard_deviation":0.014641162333613242,"naive_interval":null},{"label":"female · no","mean":0.008215085884988798,"standard_deviation":0.0034859039140905075,"naive_interval":null},{"label":"female · unknown","mean":0.6086631814787155,"standard_deviation":0.018847965569294294,"naive_interval":null},{"label":"male · yes","mean":0.07094846900672143,"standard_deviation":0.009914984159889673,"naive_interval":null},{"label":"male · no","mean":0.13816280806572068,"standard_deviation":0.013326275902533618,"naive_interval":null}]},"created_at":"2026-11-30T21:09:56Z","receipt":{"body":{"accountant":"zcdp","at":1796072996,"budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","chain_hash":"3fc39e712764e294e848dc7ad330186e05cc93976abf8f4cc1f9ef68cf9d9ae0","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","delta_units":0,"epsilon_units":0,"grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"6eb5fef882d0ba919bbc36ffa4f0c234b9b9ca0401996c6fb8f39b56132d12e3","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"0e9322aba38cd129a28d5b4ac34897a0f9bcc1910de0dac2fcdf74260b1ba0bc","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_mzlf4qbw4a5fsgi72qenwuqfu4","rho_units":5097263440,"sequence":8,"spec_sha256":"9784fb48bf18dfe7be33e9b027cfa7efc3e2808873d5d4d954c39daed77c5976"},"key_id":"139e3940e64b5491","signature":"FHwzue03jwL1zv-mKKpBW5tq0O94Gpe9wXIxDyNfesMMKv3TenY4MFTMJuYzhGZA_s81PN4GU2F9B0IeSVIdCg"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"2855cbb800340b9b12aff18d7cc753a62ee4154e67cfe97889e1b081b3d2b394","drawn_sha256":"0086172e466554ba3772b1fd46a81f677da7f024666895c06217600a2b105903","kind":"private-posterior outcome 1","release_id":"rel_mzlf4qbw4a5fsgi72qenwuqfu4"},"key_id":"139e3940e64b5491","signature":"QxvQmBUEMkaCAUZojUF9iFKfCTX6o5UAj-McnQwImjSylB4GE_-yf4WwiWz_wO9v7tnuv8loQXVBlBqOBVr3BQ"}	66897ec283be598865c09d81dd5df41dd6fda750f80fd0c44b55955f12558a36
rel_eags6dkwve5gth73sfcmkguqni	dat_bpdsr7ng5qoan52ljckhydcwze	bud_lcsea6rvd2fhal3k5ujrxskdhm	9	pri_duqxwe4j5x2ttzyvbfy3vgevpi	491b4c51f0b5f4dfec2ec6b3cf964915ee71d9d0867ad046862d20b7264e4266	eaf79c95927136c2a6d0573019f88758636ba7608b7df0c93fed6c909f07a4ee	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_global","epsilon":"0.3","delta":"0.0000001"},"level":0.95},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"accountant":"zcdp","event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.299999999","gamma":null,"uniform_admixture":null,"calibration":"global","delta":"0.0000001"},"certificate":{"loss":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"method":"theorem","statement":"(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2.","relation":"replace_one","details":{"draw":"rejection","normalisers":"0.002500479","rounding":"1.782e-11","score":"0.150000000"}},"outcome":"signed"}	0	0	11249999939	0	800000000000	106035615294	{"body":{"accountant":"zcdp","at":1796072997,"budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","chain_hash":"ce0e1d34edb61762986e7070cff0a536543cb5c60c98060396a7a3395768df74","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","delta_units":0,"epsilon_units":0,"grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"491b4c51f0b5f4dfec2ec6b3cf964915ee71d9d0867ad046862d20b7264e4266","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"eaf79c95927136c2a6d0573019f88758636ba7608b7df0c93fed6c909f07a4ee","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_eags6dkwve5gth73sfcmkguqni","rho_units":11249999939,"sequence":9,"spec_sha256":"b531568053e3af35e68ff31a6b83498ca938a98b22a8c9a4ad1d2a84ca73ba6c"},"key_id":"139e3940e64b5491","signature":"Sv0yBwp6CwYm81ti1KjuSQMs5NKGp4F6Qn-ayk-mZTCwno15Oy6yWNXQIjTnKwBEf-gIdLGEpHIT-inCmuxVBw"}	1796072997	complete	1796073019	{"noisy": [171, 185, 143, 85, 83], "on_simplex": [171, 185, 143, 85, 83]}	{"kind":"counts","id":"rel_eags6dkwve5gth73sfcmkguqni","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","state":"complete","labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"record_count":667,"category_count":5,"records_per_unit":1,"event":{"event":"exponential","n":667,"prior":["0.5","0.5","0.5","0.5","0.5"],"epsilon0":"0.299999999","gamma":null,"uniform_admixture":null,"calibration":"global","delta":"0.0000001"},"prior":[0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"exponential_global","epsilon":"0.3","delta":"0.0000001"},"requested":{"epsilon":"0.3","delta":"0.0000001"},"certified":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"charged":{"accountant":"zcdp","rho":"0.011249999939","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.106035615294","delta":"0.0000008"},"certificate":{"method":"theorem","statement":"(0.15250048, 0)-differentially private when one record changes its category, by Theorem 2.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.15250048","delta":"0","rho":"0.011249999939","rho_delta":"0"},"details":{"draw":"rejection","normalisers":"0.002500479","rounding":"1.782e-11","score":"0.150000000"}},"posterior":{"concentration":[171.5,185.5,143.5,85.5,83.5],"noisy_counts":[171,185,143,85,83],"released_counts":[171,185,143,85,83],"categories":[{"label":"female · yes","mean":0.2561613144137416,"standard_deviation":0.01685763945725916,"naive_interval":null},{"label":"female · no","mean":0.2770724421209858,"standard_deviation":0.017284016226268597,"naive_interval":null},{"label":"female · unknown","mean":0.21433905899925318,"standard_deviation":0.015847795198609602,"naive_interval":null},{"label":"male · yes","mean":0.1277072442120986,"standard_deviation":0.012889602026419512,"naive_interval":null},{"label":"male · no","mean":0.12471994025392083,"standard_deviation":0.012759747294406754,"naive_interval":null}]},"created_at":"2026-11-30T21:09:57Z","receipt":{"body":{"accountant":"zcdp","at":1796072997,"budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","chain_hash":"ce0e1d34edb61762986e7070cff0a536543cb5c60c98060396a7a3395768df74","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","delta_units":0,"epsilon_units":0,"grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"491b4c51f0b5f4dfec2ec6b3cf964915ee71d9d0867ad046862d20b7264e4266","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"eaf79c95927136c2a6d0573019f88758636ba7608b7df0c93fed6c909f07a4ee","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"rel_eags6dkwve5gth73sfcmkguqni","rho_units":11249999939,"sequence":9,"spec_sha256":"b531568053e3af35e68ff31a6b83498ca938a98b22a8c9a4ad1d2a84ca73ba6c"},"key_id":"139e3940e64b5491","signature":"Sv0yBwp6CwYm81ti1KjuSQMs5NKGp4F6Qn-ayk-mZTCwno15Oy6yWNXQIjTnKwBEf-gIdLGEpHIT-inCmuxVBw"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"624120bf723097e1ed8dbe6c00ab4e9fb2d847888356ccfbe3d84b0b2e1ea9f8","drawn_sha256":"ea23e9f39c96053c93d549be67f9617f75779bc8233ca6a44e73ceb8d191b1c8","kind":"private-posterior outcome 1","release_id":"rel_eags6dkwve5gth73sfcmkguqni"},"key_id":"139e3940e64b5491","signature":"SGrwTe1QQ4-obnIX3kjnahcyC32zRAauZ1Y7a8GzLlwvQ_wHONUAZ0uIIjCTko6V7X1wBjMo-1MgHWgDFvd0DA"}	3fb45b201f8b5bdf87f7e17ca53be1962a4a01477b6d4b0a03e7cf9e1a7692c9
qry_fzlshfvfvcj43eipfddu4opizi	dat_bpdsr7ng5qoan52ljckhydcwze	bud_lcsea6rvd2fhal3k5ujrxskdhm	10	pri_duqxwe4j5x2ttzyvbfy3vgevpi	7d911cd6df58ce1b4ea117c1b708fb78dadce9547187ea02e8fa800fbdb5091a	f179f781477d5c2aca764aee04f98b3e4bea746f991c203eac2c2a24f3ea9773	{"kind":"query","request":{"queries":[{"of":{"where":{"sex":["female"]}},"weights":null,"half_width":60.0,"confidence":0.95,"between":null},{"of":{"where":{"ill":["yes"]}},"weights":null,"half_width":null,"confidence":0.95,"between":null}],"constraints":null},"labels":["female · yes","female · no","female · unknown","male · yes","male · no"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["yes","no","unknown"]}],"unit":"one person","records_per_unit":1,"record_count":667,"accountant":"zcdp","rests_on":["rel_2aexg4uma4lwk5cmmxxfhxmlky","rel_4t6gby6oorsnknka4a2eijjwh4","rel_53uypm4vu6tjoswxhljls732ja"],"numbers":112,"event":null,"certificate":null,"errors":[[9.788915081308065,20.181351330445235],[9.705615976809382,20.01069142989388]],"outcome":"signed"}	0	0	0	0	800000000000	106035615294	{"body":{"accountant":"zcdp","at":1796072998,"budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","chain_hash":"b38399f7a89bcdbe7913cfe118482c7f3439a0866cee25b2adfd7c6be0af700d","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","delta_units":0,"epsilon_units":0,"grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"7d911cd6df58ce1b4ea117c1b708fb78dadce9547187ea02e8fa800fbdb5091a","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"f179f781477d5c2aca764aee04f98b3e4bea746f991c203eac2c2a24f3ea9773","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"qry_fzlshfvfvcj43eipfddu4opizi","rho_units":0,"sequence":10,"spec_sha256":"0e477c13692d65f92a27221e19c0ebc05e01ec7dd786f1991e1ee5e2b50c7103"},"key_id":"139e3940e64b5491","signature":"g6rX5hKaZhv6NShfLndGPYFt0-m1jL5hZipXxz0r5m4P-Ojl8tMQhfvVEaVx1zrCVm6yzAI7VnknuqqtTycDBg"}	1796072998	complete	1796072998	[]	{"kind":"queries","id":"qry_fzlshfvfvcj43eipfddu4opizi","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","state":"complete","queries":[{"of":{"where":{"sex":["female"]}},"weights":null,"half_width":60.0,"confidence":0.95,"between":null},{"of":{"where":{"ill":["yes"]}},"weights":null,"half_width":null,"confidence":0.95,"between":null}],"answers":[{"estimate":354.6782079685823,"standard_deviation":9.788915081308065,"interval":{"low":334.49685663813295,"high":374.8595592990316,"half_width":20.181351330449328,"confidence":0.95},"probability":null,"used":[{"release_id":"rel_2aexg4uma4lwk5cmmxxfhxmlky","weights":[0.3194095282302017,0.3194095282302017,0.3194095282302017,-0.4547561376488578,-0.5034724470417472]},{"release_id":"rel_4t6gby6oorsnknka4a2eijjwh4","weights":[0.039922031444299975,0.039922031444299975,0.039922031444299975,-0.05683859503909906]},{"release_id":"rel_53uypm4vu6tjoswxhljls732ja","weights":[0.05325394018425852,0.053253940184258525,0.05325394018425852,-0.07581976745328296,-0.0839420530994926]}],"with_constraints":null},{"estimate":69.51758681462843,"standard_deviation":9.705615976809382,"interval":{"low":49.50689538472996,"high":89.5282782445269,"half_width":20.010691429898475,"confidence":0.95},"probability":null,"used":[{"release_id":"rel_2aexg4uma4lwk5cmmxxfhxmlky","weights":[0.4709949074464876,-0.3031707584325719,-0.30317075843257185,0.4709949074464876,-0.33564829802783147]},{"release_id":"rel_4t6gby6oorsnknka4a2eijjwh4","weights":[0.05886822979066633,-0.037892396692732706,-0.037892396692732706,0.05886822979066633]},{"release_id":"rel_53uypm4vu6tjoswxhljls732ja","weights":[0.0785271960020195,-0.05054651163552197,-0.05054651163552197,0.07852719600201952,-0.05596136873299508]}],"with_constraints":null}],"covariance":[[95.82285846906049,-13.534660941865617],[-13.534660941865617,94.19898148929754]],"measured":[],"charged":{"accountant":"zcdp","rho":"0","delta":"0"},"standalone_cost":{"accountant":"zcdp","rho":"0","delta":"0"},"remaining_after":{"accountant":"zcdp","rho":"0.106035615294","delta":"0.0000008"},"record_count":667,"category_count":5,"records_per_unit":1,"event":null,"certificate":null,"created_at":"2026-11-30T21:09:58Z","receipt":{"body":{"accountant":"zcdp","at":1796072998,"budget_id":"bud_lcsea6rvd2fhal3k5ujrxskdhm","chain_hash":"b38399f7a89bcdbe7913cfe118482c7f3439a0866cee25b2adfd7c6be0af700d","commitment":"8ef568c400f2fc02cc215978dd3b0a93a75160d7f547fabd6d424c990b576a49","dataset_id":"dat_bpdsr7ng5qoan52ljckhydcwze","delta_units":0,"epsilon_units":0,"grant_id":"gra_7xvshxskx45pz4rhqo24r3bgmq","key_hash":"7d911cd6df58ce1b4ea117c1b708fb78dadce9547187ea02e8fa800fbdb5091a","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"f179f781477d5c2aca764aee04f98b3e4bea746f991c203eac2c2a24f3ea9773","principal_id":"pri_duqxwe4j5x2ttzyvbfy3vgevpi","release_id":"qry_fzlshfvfvcj43eipfddu4opizi","rho_units":0,"sequence":10,"spec_sha256":"0e477c13692d65f92a27221e19c0ebc05e01ec7dd786f1991e1ee5e2b50c7103"},"key_id":"139e3940e64b5491","signature":"g6rX5hKaZhv6NShfLndGPYFt0-m1jL5hZipXxz0r5m4P-Ojl8tMQhfvVEaVx1zrCVm6yzAI7VnknuqqtTycDBg"}}	\N	query	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"be5b00f0d6f81352571d67d3d2d2130842efdc57120800aa38732411bf9bc3ec","drawn_sha256":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945","kind":"private-posterior outcome 1","release_id":"qry_fzlshfvfvcj43eipfddu4opizi"},"key_id":"139e3940e64b5491","signature":"5DrGfHBR0eO9K1KnpZhFVfTswpZQvNUHCl84jfzPCWjYEojAUUCRiY50nouDQVb26DXiIo6d7UyxeX3wBW5fDA"}	3d00e83950c449483ecaf191ef32ed084eabf08f8538917d96424053400b044a
qry_jc727b7cdadh4nuz6b324bxoei	dat_hur5f64hbdzo7x7acyg5vlv34y	bud_arpn3a7mtyrji46d2rsv6kftmy	3	pri_mntnxyxijueqfkfcyr7m5vzzm4	da20cbbdb028d917a2dea9f8c2f8824385c42b9c8f9d2399638d0a9ac0dc65a3	0e48e6866377e3661b2aa79de361721d662595848745c3679711ef7e8043758d	{"kind":"query","request":{"queries":[{"of":null,"weights":["1","1","1","-1"],"half_width":60.0,"confidence":0.95,"between":null}],"constraints":null},"labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"unit":"one person","records_per_unit":1,"record_count":null,"accountant":"basic","rests_on":[],"numbers":42,"event":{"event":"linear","n":null,"m":4,"denominator":1,"rows":[[1,1,1,-1]],"rates":["0.049928884"],"records_per_unit":1},"certificate":{"loss":{"epsilon":"0.049928884","delta":"0","rho":"0.001225958538","rho_delta":"0"},"method":"theorem","statement":"The release is 0.049928884-differentially private: a query is answered with Laplace noise, and adding or removing one record moves the answers by at most 0.049928884 scales of it in all, for the worst cell.","relation":"add_remove","details":{"rates":"0.049928884","coarsest_grid_in_scales":"1/1048576"}},"errors":[[28.324557832558305,59.99998465524612]],"outcome":"signed"}	49928884	0	0	950071116	1000000000000	0	{"body":{"accountant":"basic","at":1796073001,"budget_id":"bud_arpn3a7mtyrji46d2rsv6kftmy","chain_hash":"3110dcebd8d930635d52e8b948d3453d88ba8f531def6c00f9bd60d806b973f0","commitment":"a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","delta_units":0,"epsilon_units":49928884,"grant_id":"","key_hash":"da20cbbdb028d917a2dea9f8c2f8824385c42b9c8f9d2399638d0a9ac0dc65a3","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"0e48e6866377e3661b2aa79de361721d662595848745c3679711ef7e8043758d","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"qry_jc727b7cdadh4nuz6b324bxoei","rho_units":0,"sequence":3,"spec_sha256":"d9ead0a33f8dc6069e78a84c5ae547f7d6ac728ecee44c9af43dd88cf7fa5c6a"},"key_id":"139e3940e64b5491","signature":"VMqHdQTRhbHaMye5deyTNMqVTFM129J3TQC9dfCl6dXdk4DRjSzJ26_VM4U8L3awfgb96zHcLkz5z3OC5B0jCg"}	1796073001	complete	1796073023	["1786009/32768"]	{"kind":"queries","id":"qry_jc727b7cdadh4nuz6b324bxoei","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","budget_id":"bud_arpn3a7mtyrji46d2rsv6kftmy","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","state":"complete","queries":[{"of":null,"weights":["1","1","1","-1"],"half_width":60.0,"confidence":0.95,"between":null}],"answers":[{"estimate":54.504669189453125,"standard_deviation":28.324557832558305,"interval":{"low":-5.495330724582111,"high":114.50466910348837,"half_width":59.999999914035236,"confidence":0.95},"probability":null,"used":[{"release_id":"qry_jc727b7cdadh4nuz6b324bxoei","weights":[1.0]}],"with_constraints":null}],"covariance":[[802.2805764099403]],"measured":[{"coefficients":[1,1,1,-1],"denominator":1,"rate":"0.049928884","answer":54.504669189453125,"exact_answer":"1786009/32768"}],"charged":{"accountant":"basic","epsilon":"0.049928884","delta":"0"},"standalone_cost":{"accountant":"basic","epsilon":"0.049928884","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.950071116","delta":"0.000001"},"record_count":null,"category_count":4,"records_per_unit":1,"event":{"event":"linear","n":null,"m":4,"denominator":1,"rows":[[1,1,1,-1]],"rates":["0.049928884"],"records_per_unit":1},"certificate":{"loss":{"epsilon":"0.049928884","delta":"0","rho":"0.001225958538","rho_delta":"0"},"method":"theorem","statement":"The release is 0.049928884-differentially private: a query is answered with Laplace noise, and adding or removing one record moves the answers by at most 0.049928884 scales of it in all, for the worst cell.","relation":"add_remove","details":{"rates":"0.049928884","coarsest_grid_in_scales":"1/1048576"},"unit":"one person"},"created_at":"2026-11-30T21:10:01Z","receipt":{"body":{"accountant":"basic","at":1796073001,"budget_id":"bud_arpn3a7mtyrji46d2rsv6kftmy","chain_hash":"3110dcebd8d930635d52e8b948d3453d88ba8f531def6c00f9bd60d806b973f0","commitment":"a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","delta_units":0,"epsilon_units":49928884,"grant_id":"","key_hash":"da20cbbdb028d917a2dea9f8c2f8824385c42b9c8f9d2399638d0a9ac0dc65a3","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"0e48e6866377e3661b2aa79de361721d662595848745c3679711ef7e8043758d","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"qry_jc727b7cdadh4nuz6b324bxoei","rho_units":0,"sequence":3,"spec_sha256":"d9ead0a33f8dc6069e78a84c5ae547f7d6ac728ecee44c9af43dd88cf7fa5c6a"},"key_id":"139e3940e64b5491","signature":"VMqHdQTRhbHaMye5deyTNMqVTFM129J3TQC9dfCl6dXdk4DRjSzJ26_VM4U8L3awfgb96zHcLkz5z3OC5B0jCg"}}	\N	query	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"8aa2f134193202e6c1bddee65cd5b94bcd68784921b3e80db5e359700c7ee1db","drawn_sha256":"c0f097c793e5647f47fd7de58fe768214ca7c2f631a57d62c1c9680ec62739bd","kind":"private-posterior outcome 1","release_id":"qry_jc727b7cdadh4nuz6b324bxoei"},"key_id":"139e3940e64b5491","signature":"eUfFH-mSwMNrPHUBjLQUzRUQlxiHf27o6oWAhcmHDNCn18DyHfu241umWEKaLjbWj4zsUnndLoulEnPZHsn9BA"}	2833fcf3d230be1d8cbe8ab18b96a2c481fa02b1ff4049a2e87c929647dc8bf9
rel_47ul7ib4xjxansg5wk2avi3nta	dat_hur5f64hbdzo7x7acyg5vlv34y	bud_arpn3a7mtyrji46d2rsv6kftmy	4	pri_mntnxyxijueqfkfcyr7m5vzzm4	5fd01cd208d2cba9542196becafef6f76b0cca02c8be4bf32748b21aa58a8fad	80cd97d8faa4ce947db32a57bcc687510468a1668248e2bf7d7a716b7012cc59	{"request":{"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"geometric","epsilon":"0.1"},"level":0.95},"labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"private_size","m":4,"law":"geometric","epsilon":"0.1","delta":"0","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private when one record is added or removed: two-sided geometric noise of scale 1/0.1 on every count.","relation":"add_remove","details":{"records_per_unit":"1","l1_sensitivity":"1","noise_scale":"1/0.1"}},"outcome":"signed"}	100000000	0	0	850071116	1000000000000	0	{"body":{"accountant":"basic","at":1796073003,"budget_id":"bud_arpn3a7mtyrji46d2rsv6kftmy","chain_hash":"de6f425f589f099dc955d0dc8262d150e19aa9b67076dcb3623d421c3dc4e37c","commitment":"a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"5fd01cd208d2cba9542196becafef6f76b0cca02c8be4bf32748b21aa58a8fad","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"80cd97d8faa4ce947db32a57bcc687510468a1668248e2bf7d7a716b7012cc59","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_47ul7ib4xjxansg5wk2avi3nta","rho_units":0,"sequence":4,"spec_sha256":"1259e2490806687bd377dffd4a3ce4cd002d24dc79f2febb83b8dd3e3aab30ef"},"key_id":"139e3940e64b5491","signature":"r_pT8vxDZLT1S2fLYURiaZcraOWW4lnBeEpibFZVj3310JA3ukjrGpOJxebfvrR_VWY_O5UuAShxtzC6tvSoCA"}	1796073003	complete	1796073025	{"noisy": [21, 52, 13, 26], "on_simplex": [21, 52, 13, 26]}	{"kind":"counts","id":"rel_47ul7ib4xjxansg5wk2avi3nta","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","budget_id":"bud_arpn3a7mtyrji46d2rsv6kftmy","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","state":"complete","labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"record_count":null,"category_count":4,"records_per_unit":1,"event":{"event":"private_size","m":4,"law":"geometric","epsilon":"0.1","delta":"0","records_per_unit":1},"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.850071116","delta":"0.000001"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private when one record is added or removed: two-sided geometric noise of scale 1/0.1 on every count.","relation":"add_remove","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"records_per_unit":"1","l1_sensitivity":"1","noise_scale":"1/0.1"}},"posterior":{"concentration":[22.0,53.0,14.0,27.0],"noisy_counts":[21,52,13,26],"released_counts":[21,52,13,26],"categories":[{"label":"female · no","mean":0.1896551724137931,"standard_deviation":0.03624301736350058,"naive_interval":{"level":0.95,"low":0.12394535527403043,"high":0.26548913447471456}},{"label":"female · yes","mean":0.45689655172413796,"standard_deviation":0.04605293245363306,"naive_interval":{"level":0.95,"low":0.3675075447812648,"high":0.5476939331422428}},{"label":"male · no","mean":0.1206896551724138,"standard_deviation":0.03011710226392767,"naive_interval":{"level":0.95,"low":0.06818111731109505,"high":0.18554852358898946}},{"label":"male · yes","mean":0.23275862068965517,"standard_deviation":0.03906843056142026,"naive_interval":{"level":0.95,"low":0.16077984978667284,"high":0.3134605232048016}}]},"created_at":"2026-11-30T21:10:03Z","receipt":{"body":{"accountant":"basic","at":1796073003,"budget_id":"bud_arpn3a7mtyrji46d2rsv6kftmy","chain_hash":"de6f425f589f099dc955d0dc8262d150e19aa9b67076dcb3623d421c3dc4e37c","commitment":"a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"5fd01cd208d2cba9542196becafef6f76b0cca02c8be4bf32748b21aa58a8fad","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"80cd97d8faa4ce947db32a57bcc687510468a1668248e2bf7d7a716b7012cc59","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_47ul7ib4xjxansg5wk2avi3nta","rho_units":0,"sequence":4,"spec_sha256":"1259e2490806687bd377dffd4a3ce4cd002d24dc79f2febb83b8dd3e3aab30ef"},"key_id":"139e3940e64b5491","signature":"r_pT8vxDZLT1S2fLYURiaZcraOWW4lnBeEpibFZVj3310JA3ukjrGpOJxebfvrR_VWY_O5UuAShxtzC6tvSoCA"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"22606b284ded164a2199e8467cec4d724db081ba2c135658affa686342c3d30f","drawn_sha256":"8f7118f0dadef171020a88f1b3b9408816a5c86eacf81a44e36f524a9ec42a0d","kind":"private-posterior outcome 1","release_id":"rel_47ul7ib4xjxansg5wk2avi3nta"},"key_id":"139e3940e64b5491","signature":"QIZ42rt-ByNVceOF4NAHMuC4lqnajdSn7wl4z1FjhfY0Recv6USF5xnshT81majEMFwU1RHggk2Pk-x3By0NBw"}	5730d676fdf3e9961c2db7804b6ac56e6dc08707f854ce2228380535cea55311
rel_bzmu5yc65l3lxvwqwbrmpeox7u	dat_p5czlvbjb5ei5kh2gsld6ywiya	bud_yihohys4paeohpmmpnsvsokmui	11	pri_mntnxyxijueqfkfcyr7m5vzzm4	8bc6c0384fd3e1c2bd1eed0a4160b012802518f4cb8c9bebd9fb5f547fd2202a	c66145dff637ced772b608178ff3ee501e4e8a8c8b69070869ed457ed1c7fdd0	{"request":{"margins":null,"all":1,"weights":null,"epsilon":"0.2","half_widths":null,"confidence":0.95,"delta":"0.000000001","noise":"blocks","mechanism":{"kind":"margins","epsilon":"0.2"}},"attributes":[{"name":"sex","levels":["female","male"]},{"name":"smoker","levels":["never","former","current"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"blocks","n":145,"levels":[2,3],"impossible":[],"blocks":[[[0],[1]]],"epsilons":["0.2"],"records_per_unit":1},"certificate":{"loss":{"epsilon":"0.2","delta":"0","rho":"0.015113174936","rho_delta":"0"},"method":"theorem","statement":"The release is 0.2-differentially private when the records of one unit change: the noise of the 2 margins has the sum 0 in each, and its probability falls like exp(-rate N) with the largest size N of a margin's noise in a block, which one unit changes by at most its records. The losses of the blocks add.","relation":"replace_one","details":{"losses":"0.2","records_per_unit":"1"}},"tables":[{"margin":[0],"deviation":12.904213324244497,"intervals":[[0.9,21.0,27],[0.95,26.0,31],[0.99,36.0,42]]},{"margin":[1],"deviation":11.780665455967604,"intervals":[[0.9,19.0,27],[0.95,24.0,31],[0.99,35.0,42]]}],"outcome":"signed"}	200000000	0	0	500002991	900000000000	0	{"body":{"accountant":"basic","at":1796073007,"budget_id":"bud_yihohys4paeohpmmpnsvsokmui","chain_hash":"11b70a27c13bd8aeb1f398ccae75e040e1351b5a887038841a59552f7799c79e","commitment":"fed9902d8f120067e7b7ee4fbb6ed15c6f88278583309b2bc05d0e935a24bcdf","dataset_id":"dat_p5czlvbjb5ei5kh2gsld6ywiya","delta_units":0,"epsilon_units":200000000,"grant_id":"","key_hash":"8bc6c0384fd3e1c2bd1eed0a4160b012802518f4cb8c9bebd9fb5f547fd2202a","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"c66145dff637ced772b608178ff3ee501e4e8a8c8b69070869ed457ed1c7fdd0","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_bzmu5yc65l3lxvwqwbrmpeox7u","rho_units":0,"sequence":11,"spec_sha256":"886cf8b538b09adaa8785e80799102b907505c753f886b9eff950c0e5d509d9d"},"key_id":"139e3940e64b5491","signature":"m94PN_OW-B4vpP6jsKRkoOgSwkNUHnUrYDK8b6fLtmLnJ7PHIigJHKmGN93MiPJC_GGWd_h00NV2jCf9bLahDQ"}	1796073007	complete	1796073041	{"noisy": [[65, 80], [48, 69, 28]]}	{"kind":"margins","id":"rel_bzmu5yc65l3lxvwqwbrmpeox7u","dataset_id":"dat_p5czlvbjb5ei5kh2gsld6ywiya","budget_id":"bud_yihohys4paeohpmmpnsvsokmui","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","state":"complete","attributes":[{"name":"sex","levels":["female","male"]},{"name":"smoker","levels":["never","former","current"]}],"record_count":145,"category_count":6,"records_per_unit":1,"event":{"event":"blocks","n":145,"levels":[2,3],"impossible":[],"blocks":[[[0],[1]]],"epsilons":["0.2"],"records_per_unit":1},"mechanism":{"kind":"margins","epsilon":"0.2"},"requested":{"epsilon":"0.2"},"certified":{"epsilon":"0.2","delta":"0","rho":"0.015113174936","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.2","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.500002991","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"The release is 0.2-differentially private when the records of one unit change: the noise of the 2 margins has the sum 0 in each, and its probability falls like exp(-rate N) with the largest size N of a margin's noise in a block, which one unit changes by at most its records. The losses of the blocks add.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.2","delta":"0","rho":"0.015113174936","rho_delta":"0"},"details":{"losses":"0.2","records_per_unit":"1"}},"measured":[{"attributes":["sex"],"cell_count":2,"cost":{"accountant":"basic","epsilon":"0.2","delta":"0"},"noise":"max_norm","noise_parameter":"1/5","noise_standard_deviation":12.904213324244497,"block":1,"noisy_counts":[65,80]},{"attributes":["smoker"],"cell_count":3,"cost":{"accountant":"basic","epsilon":"0.2","delta":"0"},"noise":"max_norm","noise_parameter":"1/5","noise_standard_deviation":11.780665455967604,"block":1,"noisy_counts":[48,69,28]}],"tables":[{"attributes":["sex"],"cell_count":2,"standard_deviation":12.904213324244497,"intervals":[{"confidence":0.9,"half_width":21.0,"simultaneous_half_width":27},{"confidence":0.95,"half_width":26.0,"simultaneous_half_width":31},{"confidence":0.99,"half_width":36.0,"simultaneous_half_width":42}],"estimates":[65.0,80.0]},{"attributes":["smoker"],"cell_count":3,"standard_deviation":11.780665455967604,"intervals":[{"confidence":0.9,"half_width":19.0,"simultaneous_half_width":27},{"confidence":0.95,"half_width":24.0,"simultaneous_half_width":31},{"confidence":0.99,"half_width":35.0,"simultaneous_half_width":42}],"estimates":[48.0,69.0,28.0]}],"created_at":"2026-11-30T21:10:07Z","receipt":{"body":{"accountant":"basic","at":1796073007,"budget_id":"bud_yihohys4paeohpmmpnsvsokmui","chain_hash":"11b70a27c13bd8aeb1f398ccae75e040e1351b5a887038841a59552f7799c79e","commitment":"fed9902d8f120067e7b7ee4fbb6ed15c6f88278583309b2bc05d0e935a24bcdf","dataset_id":"dat_p5czlvbjb5ei5kh2gsld6ywiya","delta_units":0,"epsilon_units":200000000,"grant_id":"","key_hash":"8bc6c0384fd3e1c2bd1eed0a4160b012802518f4cb8c9bebd9fb5f547fd2202a","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"c66145dff637ced772b608178ff3ee501e4e8a8c8b69070869ed457ed1c7fdd0","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_bzmu5yc65l3lxvwqwbrmpeox7u","rho_units":0,"sequence":11,"spec_sha256":"886cf8b538b09adaa8785e80799102b907505c753f886b9eff950c0e5d509d9d"},"key_id":"139e3940e64b5491","signature":"m94PN_OW-B4vpP6jsKRkoOgSwkNUHnUrYDK8b6fLtmLnJ7PHIigJHKmGN93MiPJC_GGWd_h00NV2jCf9bLahDQ"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"aad2339b191f573ff65d9ca6370c75efa3c9e4e1d86f6fe51c402ed301a4b96b","drawn_sha256":"24b134322e1928ab00f39581e4aa95082d9389c96179b20a53ba47133c1b1455","kind":"private-posterior outcome 1","release_id":"rel_bzmu5yc65l3lxvwqwbrmpeox7u"},"key_id":"139e3940e64b5491","signature":"hLQWSFlm6yebpdccHI-6vBXtfb_fm2_dwAQWSzrgxYPyEl0LNL_XuTCyifKCVs2hn6E0WH2GTfKbvR2ZrweECA"}	4ba7b33232b417b959e21400f7d311ab132ab146d7ad103f6cde4c6388024360
rel_cyeztk4ax3jzilsuztsv32jkdm	dat_hur5f64hbdzo7x7acyg5vlv34y	bud_arpn3a7mtyrji46d2rsv6kftmy	5	pri_mntnxyxijueqfkfcyr7m5vzzm4	10cc6c18e9d004fe969c5a6d2ae68d777113aec4dd4fdaea3e1b3e154a4e363e	3556fc8e13e7b1a7392b872e18a4fab740fd777fd9213d2deec4ad6b70c9c5a8	{"request":{"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"laplace","epsilon":"0.1"},"level":0.95},"labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"private_size","m":4,"law":"laplace","epsilon":"0.1","delta":"0","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004758129099","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private when one record is added or removed: rounded-down Laplace noise of scale 1/0.1 on every count.","relation":"add_remove","details":{"records_per_unit":"1","l1_sensitivity":"1","noise_scale":"1/0.1"}},"outcome":"signed"}	100000000	0	0	750071116	1000000000000	0	{"body":{"accountant":"basic","at":1796073003,"budget_id":"bud_arpn3a7mtyrji46d2rsv6kftmy","chain_hash":"87140c4c5bd8706e2fa58ba3c7684dba0bd77204f542b5c057e3540bf0a2875f","commitment":"a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"10cc6c18e9d004fe969c5a6d2ae68d777113aec4dd4fdaea3e1b3e154a4e363e","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"3556fc8e13e7b1a7392b872e18a4fab740fd777fd9213d2deec4ad6b70c9c5a8","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_cyeztk4ax3jzilsuztsv32jkdm","rho_units":0,"sequence":5,"spec_sha256":"da8f259f089a874395ce3ecb5ae3b7e93ba31b0e4a027c0bbfdc8a2dc3e7471e"},"key_id":"139e3940e64b5491","signature":"3s6WSLO4VIK7hH_J0KcFRgnNDBixjOhgcCRZ0bckaHZTUw5fUbGpEN2WupgEr6lk0u4ikSMMThoj0q75Q1L9CQ"}	1796073003	complete	1796073025	{"noisy": [36, 29, 20, 3], "on_simplex": [36, 29, 20, 3]}	{"kind":"counts","id":"rel_cyeztk4ax3jzilsuztsv32jkdm","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","budget_id":"bud_arpn3a7mtyrji46d2rsv6kftmy","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","state":"complete","labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"record_count":null,"category_count":4,"records_per_unit":1,"event":{"event":"private_size","m":4,"law":"laplace","epsilon":"0.1","delta":"0","records_per_unit":1},"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"laplace","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004758129099","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.750071116","delta":"0.000001"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private when one record is added or removed: rounded-down Laplace noise of scale 1/0.1 on every count.","relation":"add_remove","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004758129099","rho_delta":"0"},"details":{"records_per_unit":"1","l1_sensitivity":"1","noise_scale":"1/0.1"}},"posterior":{"concentration":[37.0,30.0,21.0,4.0],"noisy_counts":[36,29,20,3],"released_counts":[36,29,20,3],"categories":[{"label":"female · no","mean":0.40217391304347827,"standard_deviation":0.050845544809723316,"naive_interval":{"level":0.95,"low":0.3047818309448816,"high":0.5035961730266804}},{"label":"female · yes","mean":0.32608695652173914,"standard_deviation":0.04861017342390848,"naive_interval":{"level":0.95,"low":0.23466609073736336,"high":0.42467030358803454}},{"label":"male · no","mean":0.22826086956521738,"standard_deviation":0.04352206769263672,"naive_interval":{"level":0.95,"low":0.14888249148243815,"high":0.31882031525763216}},{"label":"male · yes","mean":0.043478260869565216,"standard_deviation":0.021146672048431306,"naive_interval":{"level":0.95,"low":0.012104567309986974,"high":0.09333242800564356}}]},"created_at":"2026-11-30T21:10:03Z","receipt":{"body":{"accountant":"basic","at":1796073003,"budget_id":"bud_arpn3a7mtyrji46d2rsv6kftmy","chain_hash":"87140c4c5bd8706e2fa58ba3c7684dba0bd77204f542b5c057e3540bf0a2875f","commitment":"a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"10cc6c18e9d004fe969c5a6d2ae68d777113aec4dd4fdaea3e1b3e154a4e363e","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"3556fc8e13e7b1a7392b872e18a4fab740fd777fd9213d2deec4ad6b70c9c5a8","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_cyeztk4ax3jzilsuztsv32jkdm","rho_units":0,"sequence":5,"spec_sha256":"da8f259f089a874395ce3ecb5ae3b7e93ba31b0e4a027c0bbfdc8a2dc3e7471e"},"key_id":"139e3940e64b5491","signature":"3s6WSLO4VIK7hH_J0KcFRgnNDBixjOhgcCRZ0bckaHZTUw5fUbGpEN2WupgEr6lk0u4ikSMMThoj0q75Q1L9CQ"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"0f79cfa629cc0075ddb28cd50f3db8172a529615e23679c3662993f72596315d","drawn_sha256":"b5749aa9e80bffba18da89d3a0d5be3f38b0e612c66c3abe4c5f3e33402b0224","kind":"private-posterior outcome 1","release_id":"rel_cyeztk4ax3jzilsuztsv32jkdm"},"key_id":"139e3940e64b5491","signature":"kRoMw1Fx4mdU4Tuizmh5piTBZGHGo6WY3LrD1rL2s_fXSJMCeYdrIGYKwtjLNk4_nZwlWAGUOV27sKVJHRdrCA"}	f391066abd0ecaca9fa521a1d351f833144894e3c59272241fed630fdbd5b197
rel_57xl6l5oasq665npcdiyl4dtte	dat_hur5f64hbdzo7x7acyg5vlv34y	bud_arpn3a7mtyrji46d2rsv6kftmy	6	pri_mntnxyxijueqfkfcyr7m5vzzm4	621a09c99d8a4cbfbad3a12816ef5df9e77ebcbb2454e90b8cdd28532bada099	a4c49cfe9e7b7bd95417d4ad8fb8e582f0f0b20240214558a62163eee52dfc04	{"request":{"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"gaussian","rho":"0.001","delta":"0.0000001"},"level":0.95},"labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"private_size","m":4,"law":"gaussian","rho":"0.001","delta":"0.0000001","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.205575747","delta":"0.0000001","rho":"0.001","rho_delta":"0"},"method":"theorem","statement":"The release is 0.001-zCDP when one record is added or removed: discrete Gaussian noise with sigma^2 = 500 on every count. Hence it is (0.205575747, 0.0000001)-differentially private.","relation":"add_remove","details":{"records_per_unit":"1","noise_variance":"500"}},"outcome":"signed"}	205575747	100000000000	0	544495369	900000000000	0	{"body":{"accountant":"basic","at":1796073003,"budget_id":"bud_arpn3a7mtyrji46d2rsv6kftmy","chain_hash":"9eba2a0a448dbd6395c80945f773a0ba9dddef5a6f9f5e9d18c11cd09ff12df6","commitment":"a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","delta_units":100000000000,"epsilon_units":205575747,"grant_id":"","key_hash":"621a09c99d8a4cbfbad3a12816ef5df9e77ebcbb2454e90b8cdd28532bada099","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"a4c49cfe9e7b7bd95417d4ad8fb8e582f0f0b20240214558a62163eee52dfc04","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_57xl6l5oasq665npcdiyl4dtte","rho_units":0,"sequence":6,"spec_sha256":"7014039a4c6246314f0b1e1ddec1f476e33483c09650bb3ab7bc29e8a3d92c58"},"key_id":"139e3940e64b5491","signature":"EVyIaqHD7x_cbIE3NcP_AH7Zf3nQZXxU3Vs1Iq2bdAX8x0q6xzmMtGbBSuClc7YA6pvxl4MP26XCKRnUl8giAA"}	1796073003	complete	1796073025	{"noisy": [-12, -15, 48, -17], "on_simplex": [0, 0, 48, 0]}	{"kind":"counts","id":"rel_57xl6l5oasq665npcdiyl4dtte","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","budget_id":"bud_arpn3a7mtyrji46d2rsv6kftmy","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","state":"complete","labels":["female · no","female · yes","male · no","male · yes"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"record_count":null,"category_count":4,"records_per_unit":1,"event":{"event":"private_size","m":4,"law":"gaussian","rho":"0.001","delta":"0.0000001","records_per_unit":1},"prior":[1.0,1.0,1.0,1.0],"mechanism":{"kind":"gaussian","rho":"0.001","delta":"0.0000001"},"requested":{"rho":"0.001","delta":"0.0000001"},"certified":{"epsilon":"0.205575747","delta":"0.0000001","rho":"0.001","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.205575747","delta":"0.0000001"},"remaining_after":{"accountant":"basic","epsilon":"0.544495369","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"The release is 0.001-zCDP when one record is added or removed: discrete Gaussian noise with sigma^2 = 500 on every count. Hence it is (0.205575747, 0.0000001)-differentially private.","relation":"add_remove","unit":"one person","loss":{"epsilon":"0.205575747","delta":"0.0000001","rho":"0.001","rho_delta":"0"},"details":{"records_per_unit":"1","noise_variance":"500"}},"posterior":{"concentration":[1.0,1.0,49.0,1.0],"noisy_counts":[-12,-15,48,-17],"released_counts":[0,0,48,0],"categories":[{"label":"female · no","mean":0.019230769230769232,"standard_deviation":0.01886443531430473,"naive_interval":{"level":0.95,"low":0.0004963044077377714,"high":0.06977703074953864}},{"label":"female · yes","mean":0.019230769230769232,"standard_deviation":0.01886443531430473,"naive_interval":{"level":0.95,"low":0.0004963044077377714,"high":0.06977703074953864}},{"label":"male · no","mean":0.9423076923076923,"standard_deviation":0.03202708326938659,"naive_interval":{"level":0.95,"low":0.8654135088703359,"high":0.9877009117447599}},{"label":"male · yes","mean":0.019230769230769232,"standard_deviation":0.01886443531430473,"naive_interval":{"level":0.95,"low":0.0004963044077377714,"high":0.06977703074953864}}]},"created_at":"2026-11-30T21:10:03Z","receipt":{"body":{"accountant":"basic","at":1796073003,"budget_id":"bud_arpn3a7mtyrji46d2rsv6kftmy","chain_hash":"9eba2a0a448dbd6395c80945f773a0ba9dddef5a6f9f5e9d18c11cd09ff12df6","commitment":"a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","delta_units":100000000000,"epsilon_units":205575747,"grant_id":"","key_hash":"621a09c99d8a4cbfbad3a12816ef5df9e77ebcbb2454e90b8cdd28532bada099","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"a4c49cfe9e7b7bd95417d4ad8fb8e582f0f0b20240214558a62163eee52dfc04","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_57xl6l5oasq665npcdiyl4dtte","rho_units":0,"sequence":6,"spec_sha256":"7014039a4c6246314f0b1e1ddec1f476e33483c09650bb3ab7bc29e8a3d92c58"},"key_id":"139e3940e64b5491","signature":"EVyIaqHD7x_cbIE3NcP_AH7Zf3nQZXxU3Vs1Iq2bdAX8x0q6xzmMtGbBSuClc7YA6pvxl4MP26XCKRnUl8giAA"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"fe01f0fbd673f8a2ec46dcea90b0a71ec0bc2f499b29baf9ff4f8593bd06f514","drawn_sha256":"cd22cb58a4b130d0a4c0fa175e8c5b9c541fc251bb82dbbf2e4696aade4bbde8","kind":"private-posterior outcome 1","release_id":"rel_57xl6l5oasq665npcdiyl4dtte"},"key_id":"139e3940e64b5491","signature":"g0-Z_HSVyHH2yieyRA0DWd40JMMTIkFk3gJOGCjTio4xAhHuKDbmdODZ8Tr2mQQ30bz7_ntekIIMjSvJxpd2Dw"}	60fe700463655e4585c4012175eea395c725962bc67d8a613aa3c78b93a46229
rel_l3dpwi2f4ldpxpxwmedirite3y	dat_hur5f64hbdzo7x7acyg5vlv34y	bud_arpn3a7mtyrji46d2rsv6kftmy	7	pri_mntnxyxijueqfkfcyr7m5vzzm4	096c493dfb2d3ec77c98e0102d032ac288663b5e1ba8735429fba08c4d5c88a3	b8649be5433db1d0fd8f3985fc8c9df631a90e11e2dfe1623304bc09a9872186	{"request":{"margins":[["ill"]],"all":null,"weights":null,"epsilon":"0.2","half_widths":null,"confidence":0.95,"delta":"0.000000001","noise":"independent","mechanism":{"kind":"margins","epsilon":"0.2"}},"attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"margins","n":null,"levels":[2,2],"impossible":[],"margins":[[1]],"loss":"epsilon","losses":["0.2"],"delta":"0","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.2","delta":"0","rho":"0.019933598925","rho_delta":"0"},"method":"theorem","statement":"The release is 0.2-differentially private when the records of one unit are added or removed: 1 margin has independent two-sided geometric noise on every cell, and their losses add.","relation":"add_remove","details":{"losses":"0.2","records_per_unit":"1"}},"tables":[{"margin":[1],"deviation":7.059296433661497,"intervals":[[0.9,11.0],[0.95,15.0],[0.99,23.0]]}],"outcome":"signed"}	200000000	0	0	344495369	900000000000	0	{"body":{"accountant":"basic","at":1796073004,"budget_id":"bud_arpn3a7mtyrji46d2rsv6kftmy","chain_hash":"c76b3d8674e586284e2920f82dc7600086d84141fc4a297177d1e698e05fb2f8","commitment":"a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","delta_units":0,"epsilon_units":200000000,"grant_id":"","key_hash":"096c493dfb2d3ec77c98e0102d032ac288663b5e1ba8735429fba08c4d5c88a3","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"b8649be5433db1d0fd8f3985fc8c9df631a90e11e2dfe1623304bc09a9872186","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_l3dpwi2f4ldpxpxwmedirite3y","rho_units":0,"sequence":7,"spec_sha256":"472bac32b46625f9bc1104fed7fb8666c57cab4af9e34bddf6ba966f86dbaab6"},"key_id":"139e3940e64b5491","signature":"_4PcNkG-bpsppG1xZbcg3n9krqb4mePqv9wbbwlNUgIarU_SeKkfMHbmk_KxjyKTNXxqznU3HReGqOnScvuCAw"}	1796073004	complete	1796073026	{"noisy": [[66, 9]]}	{"kind":"margins","id":"rel_l3dpwi2f4ldpxpxwmedirite3y","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","budget_id":"bud_arpn3a7mtyrji46d2rsv6kftmy","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","state":"complete","attributes":[{"name":"sex","levels":["female","male"]},{"name":"ill","levels":["no","yes"]}],"record_count":null,"category_count":4,"records_per_unit":1,"event":{"event":"margins","n":null,"levels":[2,2],"impossible":[],"margins":[[1]],"loss":"epsilon","losses":["0.2"],"delta":"0","records_per_unit":1},"mechanism":{"kind":"margins","epsilon":"0.2"},"requested":{"epsilon":"0.2"},"certified":{"epsilon":"0.2","delta":"0","rho":"0.019933598925","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.2","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.344495369","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"The release is 0.2-differentially private when the records of one unit are added or removed: 1 margin has independent two-sided geometric noise on every cell, and their losses add.","relation":"add_remove","unit":"one person","loss":{"epsilon":"0.2","delta":"0","rho":"0.019933598925","rho_delta":"0"},"details":{"losses":"0.2","records_per_unit":"1"}},"measured":[{"attributes":["ill"],"cell_count":2,"cost":{"accountant":"basic","epsilon":"0.2","delta":"0"},"noise":"geometric","noise_parameter":"1/5","noise_standard_deviation":7.059296433661497,"noisy_counts":[66,9]}],"tables":[{"attributes":["ill"],"cell_count":2,"standard_deviation":7.059296433661497,"intervals":[{"confidence":0.9,"half_width":11.0},{"confidence":0.95,"half_width":15.0},{"confidence":0.99,"half_width":23.0}],"estimates":[66.0,9.0]}],"created_at":"2026-11-30T21:10:04Z","receipt":{"body":{"accountant":"basic","at":1796073004,"budget_id":"bud_arpn3a7mtyrji46d2rsv6kftmy","chain_hash":"c76b3d8674e586284e2920f82dc7600086d84141fc4a297177d1e698e05fb2f8","commitment":"a960d6b332e79a0264677e4d592c12dd7a96230daabd907e4bb1d245142c2052","dataset_id":"dat_hur5f64hbdzo7x7acyg5vlv34y","delta_units":0,"epsilon_units":200000000,"grant_id":"","key_hash":"096c493dfb2d3ec77c98e0102d032ac288663b5e1ba8735429fba08c4d5c88a3","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"b8649be5433db1d0fd8f3985fc8c9df631a90e11e2dfe1623304bc09a9872186","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_l3dpwi2f4ldpxpxwmedirite3y","rho_units":0,"sequence":7,"spec_sha256":"472bac32b46625f9bc1104fed7fb8666c57cab4af9e34bddf6ba966f86dbaab6"},"key_id":"139e3940e64b5491","signature":"_4PcNkG-bpsppG1xZbcg3n9krqb4mePqv9wbbwlNUgIarU_SeKkfMHbmk_KxjyKTNXxqznU3HReGqOnScvuCAw"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"fb9593bc26d2b01124669a03b55354e4e694c0e8a4936e26a18907a4714a80c8","drawn_sha256":"04da1f9c46700af63fed8d784e5b5da01531c21c97d20f4284f4a85e048342fb","kind":"private-posterior outcome 1","release_id":"rel_l3dpwi2f4ldpxpxwmedirite3y"},"key_id":"139e3940e64b5491","signature":"VY_4BaJMpZmwE-aQz3ZNykJVl5kBFrfm0Ms4dKG0UfJ5aIdNipPdzpUYbcXGUTkvv5Gk_9NvHhQGouTWxpXlBw"}	01343d0004538836d12bf452f1377adeff2393a7797d7248b77a6f7f5b262eb8
rel_mbehwgmafpdw2nwlpjhrptl43q	dat_p5czlvbjb5ei5kh2gsld6ywiya	bud_yihohys4paeohpmmpnsvsokmui	13	pri_mntnxyxijueqfkfcyr7m5vzzm4	21c27f7d134ae024838427983ec293a1cadfeca922b7284217d1880bdbade222	8d35508f13e31d2685febbe1946db86f8c5ce100ae28b2f08df7e42d57b08d76	{"request":{"margins":null,"all":1,"weights":null,"half_widths":[40.0],"confidence":0.95,"delta":"0.000000001","noise":"independent","mechanism":{"kind":"margins","epsilon":"0.171708977"}},"attributes":[{"name":"sex","levels":["female","male"]},{"name":"smoker","levels":["never","former","current"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"margins","n":145,"levels":[2,3],"impossible":[],"margins":[[0,1]],"loss":"epsilon","losses":["0.171708977"],"delta":"0","records_per_unit":1},"certificate":{"loss":{"epsilon":"0.171708977","delta":"0","rho":"0.007366468904","rho_delta":"0"},"method":"theorem","statement":"The release is 0.171708977-differentially private when the records of one unit change: 1 margin has independent two-sided geometric noise on every cell, and their losses add.","relation":"replace_one","details":{"losses":"0.171708977","records_per_unit":"1"}},"tables":[{"margin":[0],"deviation":20.16806571851107,"intervals":[[0.9,33.0],[0.95,40.0],[0.99,55.5]]},{"margin":[1],"deviation":19.01463471063349,"intervals":[[0.9,31.108361567885872],[0.95,38.381641977396185],[0.99,53.733607982693215]]}],"outcome":"signed"}	171708977	0	0	228294014	900000000000	0	{"body":{"accountant":"basic","at":1796073016,"budget_id":"bud_yihohys4paeohpmmpnsvsokmui","chain_hash":"5ed7b545ffa0a17bfec1e57500eca74b5a785ba02f8e4000b2bf7423611f0588","commitment":"fed9902d8f120067e7b7ee4fbb6ed15c6f88278583309b2bc05d0e935a24bcdf","dataset_id":"dat_p5czlvbjb5ei5kh2gsld6ywiya","delta_units":0,"epsilon_units":171708977,"grant_id":"","key_hash":"21c27f7d134ae024838427983ec293a1cadfeca922b7284217d1880bdbade222","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"8d35508f13e31d2685febbe1946db86f8c5ce100ae28b2f08df7e42d57b08d76","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_mbehwgmafpdw2nwlpjhrptl43q","rho_units":0,"sequence":13,"spec_sha256":"6327504809c396aef195069af2a33527bc816285edfc41a81782dcfc75b29608"},"key_id":"139e3940e64b5491","signature":"ZBVCUh-mUVNA-AiOLOqEB2p4221yE8Vsy9JmB0JzOvbxyvy7dy05MQRvQEZW70N4qIRh9GAfHNJkOm55gGuOBA"}	1796073016	complete	1796073038	{"noisy": [[3, 42, 21, -21, 25, -2]]}	{"kind":"margins","id":"rel_mbehwgmafpdw2nwlpjhrptl43q","dataset_id":"dat_p5czlvbjb5ei5kh2gsld6ywiya","budget_id":"bud_yihohys4paeohpmmpnsvsokmui","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","state":"complete","attributes":[{"name":"sex","levels":["female","male"]},{"name":"smoker","levels":["never","former","current"]}],"record_count":145,"category_count":6,"records_per_unit":1,"event":{"event":"margins","n":145,"levels":[2,3],"impossible":[],"margins":[[0,1]],"loss":"epsilon","losses":["0.171708977"],"delta":"0","records_per_unit":1},"mechanism":{"kind":"margins","epsilon":"0.171708977"},"requested":{},"certified":{"epsilon":"0.171708977","delta":"0","rho":"0.007366468904","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.171708977","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.228294014","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"The release is 0.171708977-differentially private when the records of one unit change: 1 margin has independent two-sided geometric noise on every cell, and their losses add.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.171708977","delta":"0","rho":"0.007366468904","rho_delta":"0"},"details":{"losses":"0.171708977","records_per_unit":"1"}},"measured":[{"attributes":["sex","smoker"],"cell_count":6,"cost":{"accountant":"basic","epsilon":"0.171708977","delta":"0"},"noise":"geometric","noise_parameter":"171708977/2000000000","noise_standard_deviation":16.46715670308997,"noisy_counts":[3,42,21,-21,25,-2]}],"tables":[{"attributes":["sex"],"cell_count":2,"standard_deviation":20.16806571851107,"intervals":[{"confidence":0.9,"half_width":33.0},{"confidence":0.95,"half_width":40.0},{"confidence":0.99,"half_width":55.5}],"estimates":[104.5,40.5]},{"attributes":["smoker"],"cell_count":3,"standard_deviation":19.01463471063349,"intervals":[{"confidence":0.9,"half_width":31.108361567885872},{"confidence":0.95,"half_width":38.381641977396185},{"confidence":0.99,"half_width":53.733607982693215}],"estimates":[7.666666666666664,92.66666666666666,44.66666666666667]}],"created_at":"2026-11-30T21:10:16Z","receipt":{"body":{"accountant":"basic","at":1796073016,"budget_id":"bud_yihohys4paeohpmmpnsvsokmui","chain_hash":"5ed7b545ffa0a17bfec1e57500eca74b5a785ba02f8e4000b2bf7423611f0588","commitment":"fed9902d8f120067e7b7ee4fbb6ed15c6f88278583309b2bc05d0e935a24bcdf","dataset_id":"dat_p5czlvbjb5ei5kh2gsld6ywiya","delta_units":0,"epsilon_units":171708977,"grant_id":"","key_hash":"21c27f7d134ae024838427983ec293a1cadfeca922b7284217d1880bdbade222","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"8d35508f13e31d2685febbe1946db86f8c5ce100ae28b2f08df7e42d57b08d76","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_mbehwgmafpdw2nwlpjhrptl43q","rho_units":0,"sequence":13,"spec_sha256":"6327504809c396aef195069af2a33527bc816285edfc41a81782dcfc75b29608"},"key_id":"139e3940e64b5491","signature":"ZBVCUh-mUVNA-AiOLOqEB2p4221yE8Vsy9JmB0JzOvbxyvy7dy05MQRvQEZW70N4qIRh9GAfHNJkOm55gGuOBA"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"4757652d98a810fb03f904e30d21dbca7ddee2efdcfb37a8aaa23e28da536f2c","drawn_sha256":"e3f5f8b0129cb0bdd175ea98f0f819ac4ca6f991c3f969cdbe95ee855906cd51","kind":"private-posterior outcome 1","release_id":"rel_mbehwgmafpdw2nwlpjhrptl43q"},"key_id":"139e3940e64b5491","signature":"aviuPHdlj-6NogMTFjjfcN9m5jW2eUHkWSm4c5-7W6T9pxo80hMtJ_0CWro57OHmPdLDJQ-jFkuhIT6P5RMjAA"}	52fb6adef367ca6eb0e69525a51dd5a47ccd267e0f2858dcf4e34aaebac2f6e7
rel_4x6osvfksv3wu5sgidnyre4bmm	dat_p5czlvbjb5ei5kh2gsld6ywiya	bud_yihohys4paeohpmmpnsvsokmui	12	pri_mntnxyxijueqfkfcyr7m5vzzm4	421d894b4298a1c5f1ed78c80c684ff954bfbacb6e8455beb0da33be1661b834	4537091900c8fe8c61b43c346aedeca19ac03247e36d8041d1d2fb3c3c3a3ca4	{"request":{"prior":[2.0,1.0,2.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"level":0.95},"labels":["female · never","female · former","female · current","male · never","male · former","male · current"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"smoker","levels":["never","former","current"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":145,"m":4,"epsilon":"0.1","merged":[[0,1],[3,4]]},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.002999500499","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"outcome":"signed"}	100000000	0	0	400002991	900000000000	0	{"body":{"accountant":"basic","at":1796073007,"budget_id":"bud_yihohys4paeohpmmpnsvsokmui","chain_hash":"4693d9b3e7303c12dd67b49761b9b5b727644ebf46af4bd6007fc46e51b4378d","commitment":"fed9902d8f120067e7b7ee4fbb6ed15c6f88278583309b2bc05d0e935a24bcdf","dataset_id":"dat_p5czlvbjb5ei5kh2gsld6ywiya","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"421d894b4298a1c5f1ed78c80c684ff954bfbacb6e8455beb0da33be1661b834","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"4537091900c8fe8c61b43c346aedeca19ac03247e36d8041d1d2fb3c3c3a3ca4","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_4x6osvfksv3wu5sgidnyre4bmm","rho_units":0,"sequence":12,"spec_sha256":"103311a6cd13283ab300ef8c619cdd093c7a492a7e60d8851cf8d5cbf8e6d262"},"key_id":"139e3940e64b5491","signature":"J3u3Av2596hMt5UFTl0I1Gic4_d270UzAR53RHsKrNbE93kMRhCPgC-SwAbSHVYOC20Lu7ldNR9v-xH5RJKICQ"}	1796073007	complete	1796073029	{"noisy": [75, 22, 36, 12], "on_simplex": [75, 22, 36, 12]}	{"kind":"counts","id":"rel_4x6osvfksv3wu5sgidnyre4bmm","dataset_id":"dat_p5czlvbjb5ei5kh2gsld6ywiya","budget_id":"bud_yihohys4paeohpmmpnsvsokmui","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","state":"complete","labels":["female · never","female · former","female · current","male · never","male · former","male · current"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"smoker","levels":["never","former","current"]}],"record_count":145,"category_count":6,"records_per_unit":1,"event":{"event":"simplex_geometric","n":145,"m":4,"epsilon":"0.1","merged":[[0,1],[3,4]]},"prior":[2.0,1.0,2.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.002999500499","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.400002991","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.002999500499","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[77.0,23.0,38.0,13.0],"noisy_counts":[75,22,36,12],"released_counts":[75,22,36,12],"categories":[{"label":"female · never + female · former","mean":0.5099337748344371,"standard_deviation":0.04054735049731645,"naive_interval":{"level":0.95,"low":0.43045021547414664,"high":0.5891680069125611}},{"label":"female · current","mean":0.152317880794702,"standard_deviation":0.029145409495108916,"naive_interval":{"level":0.95,"low":0.09975195141558656,"high":0.21359421872617906}},{"label":"male · never + male · former","mean":0.25165562913907286,"standard_deviation":0.03519915832031341,"naive_interval":{"level":0.95,"low":0.1859304369076144,"high":0.3236100200889078}},{"label":"male · current","mean":0.08609271523178808,"standard_deviation":0.02275162799493211,"naive_interval":{"level":0.95,"low":0.04695522023944719,"high":0.1355738902126391}}]},"created_at":"2026-11-30T21:10:07Z","receipt":{"body":{"accountant":"basic","at":1796073007,"budget_id":"bud_yihohys4paeohpmmpnsvsokmui","chain_hash":"4693d9b3e7303c12dd67b49761b9b5b727644ebf46af4bd6007fc46e51b4378d","commitment":"fed9902d8f120067e7b7ee4fbb6ed15c6f88278583309b2bc05d0e935a24bcdf","dataset_id":"dat_p5czlvbjb5ei5kh2gsld6ywiya","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"421d894b4298a1c5f1ed78c80c684ff954bfbacb6e8455beb0da33be1661b834","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"4537091900c8fe8c61b43c346aedeca19ac03247e36d8041d1d2fb3c3c3a3ca4","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_4x6osvfksv3wu5sgidnyre4bmm","rho_units":0,"sequence":12,"spec_sha256":"103311a6cd13283ab300ef8c619cdd093c7a492a7e60d8851cf8d5cbf8e6d262"},"key_id":"139e3940e64b5491","signature":"J3u3Av2596hMt5UFTl0I1Gic4_d270UzAR53RHsKrNbE93kMRhCPgC-SwAbSHVYOC20Lu7ldNR9v-xH5RJKICQ"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"aa1d015690c9100d5171d86c957d155c4f9433a24a9fae99a3ab95391ccd6d91","drawn_sha256":"5ccbfc2524c89e201d8aaed714cc44c8fcad6ec65888a54f4d3ba955af6a79e3","kind":"private-posterior outcome 1","release_id":"rel_4x6osvfksv3wu5sgidnyre4bmm"},"key_id":"139e3940e64b5491","signature":"hJoGDYkOTltl8ghm3LznY9ceku9jxi-5sTXykT3Re-fNe12GhISO9lCozMTAEwwi8uVN6LSfUVTaGqY-LdvgCw"}	3bec23eb679ea96e6cef538f3a0f4b6a7d4a6dd9bc87c5ad711c6dce53d47027
rel_tiiswyswlaffyvudiiyjqxaeey	dat_p5czlvbjb5ei5kh2gsld6ywiya	bud_yihohys4paeohpmmpnsvsokmui	14	pri_mntnxyxijueqfkfcyr7m5vzzm4	2aa35cd9729a4e784ab7930308f3e2cd9afc0d258c5c719edaf13914b2f59b8f	dc81a2a3ab6ba7785d3ac9064b5718f3f270b27f73e6b1ebd22f201d3c004566	{"request":{"prior":[0.5,0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"level":0.95},"labels":["female · never","female · former","female · current","male · never","male · former","male · current"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"smoker","levels":["never","former","current"]}],"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":145,"m":6,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.002777226791","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"outcome":"signed"}	100000000	0	0	128294014	900000000000	0	{"body":{"accountant":"basic","at":1796073016,"budget_id":"bud_yihohys4paeohpmmpnsvsokmui","chain_hash":"f59c19e8efcc86168943c15511906611189f6d10fca322ada172732eb587484c","commitment":"fed9902d8f120067e7b7ee4fbb6ed15c6f88278583309b2bc05d0e935a24bcdf","dataset_id":"dat_p5czlvbjb5ei5kh2gsld6ywiya","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"2aa35cd9729a4e784ab7930308f3e2cd9afc0d258c5c719edaf13914b2f59b8f","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"dc81a2a3ab6ba7785d3ac9064b5718f3f270b27f73e6b1ebd22f201d3c004566","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_tiiswyswlaffyvudiiyjqxaeey","rho_units":0,"sequence":14,"spec_sha256":"f7c5ab5df02c3f125d531851fea2e906424ee129ad15d4ba6ba76e7dbcc7aa55"},"key_id":"139e3940e64b5491","signature":"y_QNyskUk1PKHHk0Ysu2t96Oc9Dgw4Wvt0Fl7bhCGwEhM17rgXVflZ8vlZUXdgcQiEMUHR2gXsU0srZmfvlVCQ"}	1796073016	complete	1796073038	{"noisy": [32, 20, 3, 43, 48, -1], "on_simplex": [32, 20, 3, 43, 47, 0]}	{"kind":"counts","id":"rel_tiiswyswlaffyvudiiyjqxaeey","dataset_id":"dat_p5czlvbjb5ei5kh2gsld6ywiya","budget_id":"bud_yihohys4paeohpmmpnsvsokmui","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","state":"complete","labels":["female · never","female · former","female · current","male · never","male · former","male · current"],"attributes":[{"name":"sex","levels":["female","male"]},{"name":"smoker","levels":["never","former","current"]}],"record_count":145,"category_count":6,"records_per_unit":1,"event":{"event":"simplex_geometric","n":145,"m":6,"epsilon":"0.1"},"prior":[0.5,0.5,0.5,0.5,0.5,0.5],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.002777226791","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.128294014","delta":"0.0000009"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.002777226791","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[32.5,20.5,3.5,43.5,47.5,0.5],"noisy_counts":[32,20,3,43,48,-1],"released_counts":[32,20,3,43,47,0],"categories":[{"label":"female · never","mean":0.2195945945945946,"standard_deviation":0.033913906852245046,"naive_interval":{"level":0.95,"low":0.15687866526189928,"high":0.28948453640773913}},{"label":"female · former","mean":0.13851351351351351,"standard_deviation":0.02829939645141685,"naive_interval":{"level":0.95,"low":0.08788726163511217,"high":0.19837630650367485}},{"label":"female · current","mean":0.02364864864864865,"standard_deviation":0.012448387423056295,"naive_interval":{"level":0.95,"low":0.005780529866617545,"high":0.05345395797474665}},{"label":"male · never","mean":0.2939189189189189,"standard_deviation":0.03732054043542646,"naive_interval":{"level":0.95,"low":0.2235501275684583,"high":0.3695628608982503}},{"label":"male · former","mean":0.32094594594594594,"standard_deviation":0.03824502825317245,"naive_interval":{"level":0.95,"low":0.24841295381986023,"high":0.39806279191315}},{"label":"male · current","mean":0.0033783783783783786,"standard_deviation":0.004753638619016729,"naive_interval":{"level":0.95,"low":3.334689520778845e-6,"high":0.016914290161174413}}]},"created_at":"2026-11-30T21:10:16Z","receipt":{"body":{"accountant":"basic","at":1796073016,"budget_id":"bud_yihohys4paeohpmmpnsvsokmui","chain_hash":"f59c19e8efcc86168943c15511906611189f6d10fca322ada172732eb587484c","commitment":"fed9902d8f120067e7b7ee4fbb6ed15c6f88278583309b2bc05d0e935a24bcdf","dataset_id":"dat_p5czlvbjb5ei5kh2gsld6ywiya","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"2aa35cd9729a4e784ab7930308f3e2cd9afc0d258c5c719edaf13914b2f59b8f","kind":"private-posterior receipt 1","owner_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","payload_hash":"dc81a2a3ab6ba7785d3ac9064b5718f3f270b27f73e6b1ebd22f201d3c004566","principal_id":"pri_mntnxyxijueqfkfcyr7m5vzzm4","release_id":"rel_tiiswyswlaffyvudiiyjqxaeey","rho_units":0,"sequence":14,"spec_sha256":"f7c5ab5df02c3f125d531851fea2e906424ee129ad15d4ba6ba76e7dbcc7aa55"},"key_id":"139e3940e64b5491","signature":"y_QNyskUk1PKHHk0Ysu2t96Oc9Dgw4Wvt0Fl7bhCGwEhM17rgXVflZ8vlZUXdgcQiEMUHR2gXsU0srZmfvlVCQ"}}	\N	posterior	pri_mntnxyxijueqfkfcyr7m5vzzm4	{"body":{"answer_sha256":"e15ee439128cbff3b8dafbf304cb932043dd48e8602a33ecfdea43aa5fadfbf9","drawn_sha256":"dd78e0e49255072e1db342a5ba6decbb1013e5c1bbf3c54dc65a1cae2da5430f","kind":"private-posterior outcome 1","release_id":"rel_tiiswyswlaffyvudiiyjqxaeey"},"key_id":"139e3940e64b5491","signature":"kUce5fohPRXOAkhNBRoQPbP93b0f4y6LXFFeIrzr0IdxTB5mQa4VAVu1e-YNlM19gVdazfSal7xRzv7EDrK7DA"}	413d14758d5acfefaf91abc175921e2ad32f06a77e595607f4cf329a0d99b684
rel_lwqlvlua3whw5uuesarp7b2qou	dat_ftzp25s324oazrh75ggkqxbaj4	bud_x5tyrf4tfzcwdun3nkrl2u4fu4	3	pri_3jwoanhf5kvdwdkkilofpohh2y	b48afedc0109475c40083dc9ab554b493addd102891ab9ebc0e6891dced88aa4	fc7912eb13b4fcb94cea8fc7e278385bad42e421739fec437132d85bd26450f9	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":15,"m":2,"epsilon":"0.1"},"certificate":{"loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"outcome":"signed"}	100000000	0	0	900000000	1000000000000	0	{"body":{"accountant":"basic","at":1796073016,"budget_id":"bud_x5tyrf4tfzcwdun3nkrl2u4fu4","chain_hash":"e1b9ee66a9183e3b5227ee4bfcfd71276760f665aa3612640c32498f38c2ab8a","commitment":"a37545da651a58a77935425171f80317546d5e7c78ae13ce3c9543e810e84e3e","dataset_id":"dat_ftzp25s324oazrh75ggkqxbaj4","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"b48afedc0109475c40083dc9ab554b493addd102891ab9ebc0e6891dced88aa4","kind":"private-posterior receipt 1","owner_id":"pri_3jwoanhf5kvdwdkkilofpohh2y","payload_hash":"fc7912eb13b4fcb94cea8fc7e278385bad42e421739fec437132d85bd26450f9","principal_id":"pri_3jwoanhf5kvdwdkkilofpohh2y","release_id":"rel_lwqlvlua3whw5uuesarp7b2qou","rho_units":0,"sequence":3,"spec_sha256":"d02295deed7d5c3043c8187f8c2fe291c37b858558322dc3e7c0756b19ab1da0"},"key_id":"139e3940e64b5491","signature":"4kgad6YYnfPiFZsUofg48ZW29jXXfeKNOxyY965erjRbMrKrHU-RjHmUBk3OReW5D2K91CdqxXOEmEq80EhiAw"}	1796073016	complete	1796073038	{"noisy": [-19, 34], "on_simplex": [0, 15]}	{"kind":"counts","id":"rel_lwqlvlua3whw5uuesarp7b2qou","dataset_id":"dat_ftzp25s324oazrh75ggkqxbaj4","budget_id":"bud_x5tyrf4tfzcwdun3nkrl2u4fu4","principal_id":"pri_3jwoanhf5kvdwdkkilofpohh2y","state":"complete","labels":["category 0","category 1"],"attributes":null,"record_count":15,"category_count":2,"records_per_unit":1,"event":{"event":"simplex_geometric","n":15,"m":2,"epsilon":"0.1"},"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.1"},"requested":{"epsilon":"0.1"},"certified":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"charged":{"accountant":"basic","epsilon":"0.1","delta":"0"},"remaining_after":{"accountant":"basic","epsilon":"0.9","delta":"0.000001"},"certificate":{"method":"theorem","statement":"The release is 0.1-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","unit":"one person","loss":{"epsilon":"0.1","delta":"0","rho":"0.004995837496","rho_delta":"0"},"details":{"l1_sensitivity":"2","noise_rate":"0.1/2","support":"lattice"}},"posterior":{"concentration":[1.0,16.0],"noisy_counts":[-19,34],"released_counts":[0,15],"categories":[{"label":"category 0","mean":0.058823529411764705,"standard_deviation":0.0554593553871802,"naive_interval":{"level":0.95,"low":0.0015811117227658884,"high":0.2059072142078227}},{"label":"category 1","mean":0.9411764705882353,"standard_deviation":0.0554593553871802,"naive_interval":{"level":0.95,"low":0.7940927857921773,"high":0.9984188882772341}}]},"created_at":"2026-11-30T21:10:16Z","receipt":{"body":{"accountant":"basic","at":1796073016,"budget_id":"bud_x5tyrf4tfzcwdun3nkrl2u4fu4","chain_hash":"e1b9ee66a9183e3b5227ee4bfcfd71276760f665aa3612640c32498f38c2ab8a","commitment":"a37545da651a58a77935425171f80317546d5e7c78ae13ce3c9543e810e84e3e","dataset_id":"dat_ftzp25s324oazrh75ggkqxbaj4","delta_units":0,"epsilon_units":100000000,"grant_id":"","key_hash":"b48afedc0109475c40083dc9ab554b493addd102891ab9ebc0e6891dced88aa4","kind":"private-posterior receipt 1","owner_id":"pri_3jwoanhf5kvdwdkkilofpohh2y","payload_hash":"fc7912eb13b4fcb94cea8fc7e278385bad42e421739fec437132d85bd26450f9","principal_id":"pri_3jwoanhf5kvdwdkkilofpohh2y","release_id":"rel_lwqlvlua3whw5uuesarp7b2qou","rho_units":0,"sequence":3,"spec_sha256":"d02295deed7d5c3043c8187f8c2fe291c37b858558322dc3e7c0756b19ab1da0"},"key_id":"139e3940e64b5491","signature":"4kgad6YYnfPiFZsUofg48ZW29jXXfeKNOxyY965erjRbMrKrHU-RjHmUBk3OReW5D2K91CdqxXOEmEq80EhiAw"}}	\N	posterior	pri_3jwoanhf5kvdwdkkilofpohh2y	{"body":{"answer_sha256":"edf884b53429db8183a0bfc7615d3870e535c934011afa8d79da9151644d8c1e","drawn_sha256":"63659687af83dbaeb1a02a4b6b647a19521d36af756266c866afe8fb0b490b20","kind":"private-posterior outcome 1","release_id":"rel_lwqlvlua3whw5uuesarp7b2qou"},"key_id":"139e3940e64b5491","signature":"q25_AyCobck25kNY1iW-IeJXi9S-nw94EsxsFbvZMPXb0fHjRSqwgoRkW3uJpmx34lQrt6YiDIq7GHCrnCt0BQ"}	8e52d0ff7451ba4ab6ecd4bf1e1b84d811a31ff416e5d6ceee04b5bef9592719
rel_mgoea2oqhnqkfyi5dd7n4h7t6i	dat_4oheplngrhmj7crcrcmtpthrti	bud_rml5lun33f5p4ety54i2t3ub4q	3	pri_aylvb2bxuaqjgcngrok22zjvvy	fc92436b7d63e74d5e9ddd9273d88c476c9581444642682e2f1a8712d2ca8e9e	ad30cca57d1804afef3f82c313604057c94c35c3aef517da30d78716b0e3e2c8	{"request":{"prior":[1.0,1.0],"mechanism":{"kind":"simplex_geometric","epsilon":"0.2"},"level":0.95},"labels":["category 0","category 1"],"attributes":null,"unit":"one person","records_per_unit":1,"accountant":"basic","event":{"event":"simplex_geometric","n":11,"m":2,"epsilon":"0.2"},"certificate":{"loss":{"epsilon":"0.2","delta":"0","rho":"0.019933598925","rho_delta":"0"},"method":"theorem","statement":"The release is 0.2-differentially private: its probability falls like exp(-(epsilon/2) ||z||_1) with the noise z, an integer vector of sum zero, and replacing one record moves the counts by 2 in the same norm.","relation":"replace_one","details":{"l1_sensitivity":"2","noise_rate":"0.2/2","support":"lattice"}},"outcome":"signed"}	200000000	0	0	800000000	1000000000000	0	{"body":{"accountant":"basic","at":1796073025,"budget_id":"bud_rml5lun33f5p4ety54i2t3ub4q","chain_hash":"cd61e5726d43d6dd52b26f57a73577215b34d30e3ef9073578eb08d6a00f7b67","commitment":"a8836ca33c15abf214139f182d3a04feeea3989f3d61dd97db58a69507fc8f92","dataset_id":"dat_4oheplngrhmj7crcrcmtpthrti","delta_units":0,"epsilon_units":200000000,"grant_id":"","key_hash":"fc92436b7d63e74d5e9ddd9273d88c476c9581444642682e2f1a8712d2ca8e9e","kind":"private-posterior receipt 1","owner_id":"pri_aylvb2bxuaqjgcngrok22zjvvy","payload_hash":"ad30cca57d1804afef3f82c313604057c94c35c3aef517da30d78716b0e3e2c8","principal_id":"pri_aylvb2bxuaqjgcngrok22zjvvy","release_id":"rel_mgoea2oqhnqkfyi5dd7n4h7t6i","rho_units":0,"sequence":3,"spec_sha256":"5faf52277445f7bcab24291ecd13d2f37dee3dc6e12db0b49a47b6b1c78cd7f0"},"key_id":"139e3940e64b5491","signature":"w9DPMHVXUqjaCDZat41ODfNDzR0zOJmTs9HeWGAJ2Az9CacmzWHvfSDiPTgP4eeLAO01sPlNXges-nPJK_PvAg"}	1796073025	paid	1796073167	\N	\N	\N	posterior	pri_aylvb2bxuaqjgcngrok22zjvvy		7064fcba93740347e3cc02ea120dc194adcfb0187c7785c1a85519d775e9b16c
\.


--
-- Data for Name: spending; Type: TABLE DATA; Schema: public; Owner: posterior_owner
--

COPY public.spending (budget_id, dataset_id, principal_id, kind, releases, epsilon, delta, rho) FROM stdin;
bud_yihohys4paeohpmmpnsvsokmui	dat_a5u3qehmcm63czn7o5udhnan44	pri_duqxwe4j5x2ttzyvbfy3vgevpi	posterior	2	199997009	100000000000	0
bud_yihohys4paeohpmmpnsvsokmui	dat_jfyozgwed24ydkh7w7plny7stu	pri_mntnxyxijueqfkfcyr7m5vzzm4	posterior	1	100000000	0	0
bud_lcsea6rvd2fhal3k5ujrxskdhm	dat_bpdsr7ng5qoan52ljckhydcwze	pri_duqxwe4j5x2ttzyvbfy3vgevpi	query	0	0	0	0
bud_lcsea6rvd2fhal3k5ujrxskdhm	dat_bpdsr7ng5qoan52ljckhydcwze	pri_duqxwe4j5x2ttzyvbfy3vgevpi	posterior	7	0	0	43964384706
bud_arpn3a7mtyrji46d2rsv6kftmy	dat_hur5f64hbdzo7x7acyg5vlv34y	pri_mntnxyxijueqfkfcyr7m5vzzm4	query	1	49928884	0	0
bud_arpn3a7mtyrji46d2rsv6kftmy	dat_hur5f64hbdzo7x7acyg5vlv34y	pri_mntnxyxijueqfkfcyr7m5vzzm4	posterior	4	605575747	100000000000	0
bud_yihohys4paeohpmmpnsvsokmui	dat_p5czlvbjb5ei5kh2gsld6ywiya	pri_mntnxyxijueqfkfcyr7m5vzzm4	posterior	4	571708977	0	0
bud_x5tyrf4tfzcwdun3nkrl2u4fu4	dat_ftzp25s324oazrh75ggkqxbaj4	pri_3jwoanhf5kvdwdkkilofpohh2y	posterior	1	100000000	0	0
bud_rml5lun33f5p4ety54i2t3ub4q	dat_4oheplngrhmj7crcrcmtpthrti	pri_aylvb2bxuaqjgcngrok22zjvvy	posterior	1	200000000	0	0
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


