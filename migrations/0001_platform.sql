-- What every package relies on: the roles, row-level security, the limits' fallback, kept keys, and additions to River's job table.
--
-- None of the roles owns a table, so row-level security binds them all.
--   franchise360_api     the HTTP process: sees one franchiser at a time
--   franchise360_worker  the job process: sweeps see every franchiser, through policies of its own
--   franchise360_lookup  owns the few narrow functions that must find a row before its franchiser is known
-- They may not log in until the operator gives them a password (ALTER ROLE … LOGIN PASSWORD …).
--
-- Two things are done alike in the files of all domains:
--   What a sweep takes and what the preview of its job counts is one condition: a function of the domain that owns the rows, called
--   by the sweep and by the function that counts for the preview. Postgres puts the condition into the query, so that its index
--   serves.
--   What a domain lets others read of its tables where one round trip matters are views whose names end in _overview. They run with
--   the rights of whoever reads them, so that row-level security holds. Only the owner's package names a table itself; a view is
--   changed like a call that others use.

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

-- current_request is the request that this transaction serves, NULL if it serves none.
CREATE FUNCTION current_request() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('app.request_id', true), '')::uuid;

CREATE FUNCTION day_in_india(at timestamptz) RETURNS date
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (at AT TIME ZONE 'Asia/Kolkata')::date;

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

-- refuse_change keeps a table append-only, for its owner too.
CREATE FUNCTION refuse_change() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

-- The arguments are all changes of state that are allowed, each as from>to. The constraint in the error is <table>_transitions.
CREATE FUNCTION keep_to_transitions() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NOT OLD.state || '>' || NEW.state = ANY (TG_ARGV) THEN
        RAISE EXCEPTION 'a row of % does not go from % to %', TG_TABLE_NAME, OLD.state, NEW.state
            USING ERRCODE = 'check_violation', CONSTRAINT = TG_TABLE_NAME || '_transitions';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd

-- The limits' fallback while Redis is away: one row a subject and window. Subjects are keyed hashes.
CREATE TABLE rate_limits (
    subject      text        NOT NULL,
    window_start timestamptz NOT NULL,
    hits         int         NOT NULL,
    expires_at   timestamptz NOT NULL,
    PRIMARY KEY (subject, window_start)
);
CREATE INDEX rate_limits_expiry ON rate_limits (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limits TO franchise360_api, franchise360_worker;

-- Work that was used up (see pkg/platform/guard), until it has expired anyway.
CREATE TABLE spent_work (
    id         bytea       PRIMARY KEY,
    expires_at timestamptz NOT NULL
);
CREATE INDEX spent_work_expiry ON spent_work (expires_at);
GRANT SELECT, INSERT, DELETE ON spent_work TO franchise360_api, franchise360_worker;

-- Keys that outlive SECRET_KEY: the values hashed under them (mobiles that used their trial, recovery codes, subjects of limits)
-- cannot be hashed again, because their plain text is not stored. Each is sealed under SECRET_KEY, so a new one only reseals them.
CREATE TABLE kept_keys (
    purpose    text        PRIMARY KEY,
    sealed     bytea       NOT NULL,
    created_at timestamptz NOT NULL
);
GRANT SELECT, INSERT ON kept_keys TO franchise360_api, franchise360_worker;

-- River's own migrations run before this file. The following changes its job table for the product.

-- +goose StatementBegin
-- The first line of an error without what differs from one time to the next, so that one cause is one group.
CREATE FUNCTION job_cause(error text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN left(regexp_replace(regexp_replace(regexp_replace(split_part(error, E'\n', 1),
        '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', '…', 'g'),
        '\m(?=\w*[0-9])\w{8,}\M', '…', 'g'),
        '[0-9]+', 'n', 'g'), 300);
-- +goose StatementEnd

ALTER TABLE river_job ADD COLUMN failure_cause text
    GENERATED ALWAYS AS (CASE WHEN errors IS NOT NULL THEN job_cause(errors[array_upper(errors, 1)] ->> 'error') END) STORED;
CREATE INDEX failed_jobs ON river_job ((coalesce(attempted_at, finalized_at, created_at)) DESC, id DESC)
    WHERE state IN ('discarded', 'cancelled', 'retryable');
CREATE INDEX jobs_of_franchiser ON river_job ((metadata ->> 'franchiser_id'), id DESC)
    WHERE metadata ->> 'franchiser_id' IS NOT NULL;

-- Each change of a job's state wrote into two GIN indexes. Nobody asks for jobs by parts of their metadata, and the two
-- questions about arguments are answered by smaller indexes: has a live job a twin, and which job sent a code.
DROP INDEX river_job_metadata_index, river_job_args_index;
CREATE INDEX job_twins ON river_job (jsonb_hash_extended(args, 0))
    WHERE state IN ('available', 'pending', 'retryable', 'running', 'scheduled');
CREATE INDEX jobs_of_code ON river_job ((args ->> 'code_id')) WHERE args ->> 'code_id' IS NOT NULL;

-- +goose Down
CREATE INDEX river_job_args_index ON river_job USING gin (args);
CREATE INDEX river_job_metadata_index ON river_job USING gin (metadata);
DROP INDEX jobs_of_code, job_twins, jobs_of_franchiser, failed_jobs;
ALTER TABLE river_job DROP COLUMN failure_cause;
DROP FUNCTION job_cause(text);
DROP TABLE kept_keys, spent_work, rate_limits;
DROP FUNCTION keep_to_transitions(), refuse_change();
DROP PROCEDURE isolate(regclass, name);
DROP FUNCTION day_in_india(timestamptz), current_request(), current_franchiser();
REVOKE USAGE ON SCHEMA public FROM franchise360_api, franchise360_worker, franchise360_lookup;
GRANT CREATE ON SCHEMA public TO PUBLIC;
