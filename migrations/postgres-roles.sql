-- Roles and database for PostgreSQL, run once by its superuser with psql; the passwords come from the environment.
--
-- posterior_owner owns the schema and runs the migrations. posterior_service is what the service connects as: every migration ends by giving it the
-- rights it needs (migrations/rights.py), among which there is no UPDATE, DELETE or TRUNCATE on ledger entries, so that a fault or an
-- intruder in the service cannot rewrite what was spent.

\set ON_ERROR_STOP on
\getenv owner_password POSTGRES_OWNER_PASSWORD
\getenv service_password POSTGRES_SERVICE_PASSWORD

CREATE ROLE posterior_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE posterior_service LOGIN PASSWORD :'service_password';

CREATE DATABASE posterior OWNER posterior_owner;
REVOKE ALL ON DATABASE posterior FROM PUBLIC;
GRANT CONNECT ON DATABASE posterior TO posterior_service;
