-- The roles of the house. None of them owns a table, so row-level security binds them all.
--   franchise360_api     the HTTP process: sees one franchiser at a time
--   franchise360_worker  the job process: sweeps see every franchiser, through policies of its own
--   franchise360_lookup  owns the few narrow functions that must find a row before its franchiser is known
-- They may not log in until the operator gives them a password (ALTER ROLE … LOGIN PASSWORD …).

-- +goose Up
-- +goose StatementBegin
DO $$
DECLARE r text;
BEGIN
    FOREACH r IN ARRAY ARRAY['franchise360_api', 'franchise360_worker', 'franchise360_lookup'] LOOP
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = r) THEN
                EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS', r);
            END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL; -- another database of the same cluster was migrated at the same moment
        END;
    END LOOP;
END $$;
-- +goose StatementEnd

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO franchise360_api, franchise360_worker, franchise360_lookup;

-- +goose StatementBegin
-- current_franchiser is the franchiser of this transaction, NULL where none was set. After a transaction that set
-- it, a custom setting reads '' and not NULL, hence nullif.
CREATE FUNCTION current_franchiser() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('app.franchiser_id', true), '')::uuid;
-- +goose StatementEnd

-- +goose StatementBegin
-- isolate puts a table under row-level security: the API sees and writes the rows of its franchiser only, the worker
-- all of them. Called by the migration that creates the table; key is the column that holds the franchiser.
CREATE PROCEDURE isolate(tbl regclass, key name DEFAULT 'franchiser_id')
    LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tbl);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', tbl);
    EXECUTE format('CREATE POLICY own_rows ON %s TO franchise360_api
        USING (%I = (SELECT current_franchiser())) WITH CHECK (%I = (SELECT current_franchiser()))', tbl, key, key);
    EXECUTE format('CREATE POLICY every_row ON %s TO franchise360_worker USING (true) WITH CHECK (true)', tbl);
END $$;
-- +goose StatementEnd

-- +goose Down
DROP PROCEDURE isolate(regclass, name);
DROP FUNCTION current_franchiser();
REVOKE USAGE ON SCHEMA public FROM franchise360_api, franchise360_worker, franchise360_lookup;
GRANT CREATE ON SCHEMA public TO PUBLIC;
