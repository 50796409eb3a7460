-- The shared base: roles, row-level security, the fallback of the rate limits, kept keys, and additions to River's jobs.
--
-- No role owns a table, so row-level security applies to all roles.
--   franchise360_api     the HTTP process: sees one franchiser at a time
--   franchise360_worker  the job process: separate policies let its sweeps see every franchiser
--   franchise360_lookup  owns the few functions that find a row before its franchiser is known
-- They may not log in until the operator gives them a password (ALTER ROLE … LOGIN PASSWORD …).
--
-- Rules for the files of all owners:
--   A sweep and its job's preview share one condition: a function of the rows' owner. Postgres inlines the function,
--   so the query can use the index.
--   Other packages read an owner's tables through views named _overview. A view runs with its reader's rights, so row-level
--   security applies. Only the owner's package queries a table directly.
--   An owner queries rows of another owner through that owner's functions, which Postgres inlines.
--   check_function_bodies is off, because functions may call functions of later files. rules_test.go checks every body afterwards.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

DO $$
DECLARE r text;
BEGIN
    FOREACH r IN ARRAY ARRAY['franchise360_api', 'franchise360_worker', 'franchise360_lookup'] LOOP
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = r) THEN
                EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS', r);
            END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL; -- concurrent migration of another database in this cluster
        END;
    END LOOP;
END $$;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO franchise360_api, franchise360_worker, franchise360_lookup;

DO $$
DECLARE r text;
BEGIN
    FOREACH r IN ARRAY ARRAY['franchise360_api', 'franchise360_worker'] LOOP
        -- Postgres 15 has no reserved connections.
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'pg_use_reserved_connections')
            AND NOT pg_has_role(r, 'pg_use_reserved_connections', 'MEMBER') THEN
            BEGIN
                EXECUTE format('GRANT pg_use_reserved_connections TO %I', r);
            EXCEPTION
                WHEN insufficient_privilege THEN
                    RAISE NOTICE 'only a superuser can grant pg_use_reserved_connections to %', r;
                WHEN unique_violation OR internal_error THEN
                    NULL; -- concurrent migration of another database in this cluster
            END;
        END IF;
    END LOOP;
END $$;

-- uuidv7 replaces the server's function of that name, which Postgres has from 18 on: the time in milliseconds, its fraction in twelve bits,
-- which keeps a session's ids in order, then random bits.
DO $$
BEGIN
    IF to_regprocedure('pg_catalog.uuidv7()') IS NULL THEN
        CREATE FUNCTION uuidv7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
            RETURN (SELECT (lpad(to_hex(t / 1000), 12, '0') || to_hex(28672 + t % 1000 * 4096 / 1000) || right(gen_random_uuid()::text, 17))::uuid
                FROM (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint) AS microseconds (t));
    END IF;
END $$;

-- current_franchiser returns the transaction's franchiser, NULL if not set. After a transaction that set it, the setting reads '' instead
-- of NULL, hence nullif.
CREATE FUNCTION current_franchiser() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('app.franchiser_id', true), '')::uuid;

-- current_request returns the transaction's request id, or NULL.
CREATE FUNCTION current_request() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('app.request_id', true), '')::uuid;

CREATE FUNCTION day_in_india(at timestamptz) RETURNS date
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (at AT TIME ZONE 'Asia/Kolkata')::date;

-- isolate enables row-level security on a table: the API accesses only its franchiser's rows, the worker all rows. The migration that
-- creates the table calls it; key is the franchiser column.
CREATE PROCEDURE isolate(tbl regclass, key name DEFAULT 'franchiser_id')
    LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tbl);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', tbl);
    EXECUTE format('CREATE POLICY own_rows ON %s TO franchise360_api
        USING (%I = (SELECT current_franchiser())) WITH CHECK (%I = (SELECT current_franchiser()))', tbl, key, key);
    EXECUTE format('CREATE POLICY every_row ON %s TO franchise360_worker USING (true) WITH CHECK (true)', tbl);
END $$;

-- refuse_change makes a table append-only, for its owner too.
CREATE FUNCTION refuse_change() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

-- The arguments are the allowed transitions, as from>to. The error's constraint is <table>_transitions.
CREATE FUNCTION keep_to_transitions() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NOT OLD.state || '>' || NEW.state = ANY (TG_ARGV) THEN
        RAISE EXCEPTION 'a row of % does not go from % to %', TG_TABLE_NAME, OLD.state, NEW.state
            USING ERRCODE = 'check_violation', CONSTRAINT = TG_TABLE_NAME || '_transitions';
    END IF;
    RETURN NEW;
END $$;

-- is_worker reports whether the worker is the caller. current_user would be the calling function's owner.
CREATE FUNCTION is_worker() RETURNS boolean
    LANGUAGE sql STABLE
    RETURN coalesce(nullif(nullif(current_setting('role'), 'none'), ''), session_user::text) = 'franchise360_worker';

-- Rows must start in a first state. Otherwise an insert of a paid payment would bypass the transitions. The check runs after the insert,
-- because an upsert proposes later states of existing rows. Tests and repairs write as the tables' owner.

-- The arguments are the allowed first states. The error's constraint is <table>_first_state.
CREATE FUNCTION keep_to_first_states() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT NEW.state = ANY (TG_ARGV) THEN
        RAISE EXCEPTION 'a row of % does not begin as %', TG_TABLE_NAME, NEW.state
            USING ERRCODE = 'check_violation', CONSTRAINT = TG_TABLE_NAME || '_first_state';
    END IF;
    RETURN NULL;
END $$;

-- id_in parses a text as UUID, or returns NULL.
CREATE FUNCTION id_in(q text) RETURNS uuid LANGUAGE sql IMMUTABLE
    AS $$ SELECT CASE WHEN q ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN q::uuid END $$;

-- words_of returns a query for names that contain a word with each of q's words as prefix. Without words it matches nothing. An "and" between
-- words counts as little as "&".
CREATE FUNCTION words_of(q text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT regexp_replace(plainto_tsquery('simple', regexp_replace(q, ' and ', ' & ', 'gi'))::text, '''( &|$)', ''':*\1', 'g')::tsquery $$;

-- number_in parses a typed document number: its end without leading zeros, a pattern for the part before, and whether it includes the
-- financial year. Three to six digits match the end of any series.
CREATE FUNCTION number_in(q text) RETURNS TABLE (beginning text, ending text, year boolean) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT '%', ltrim(q, '0'), false WHERE q ~ '^[0-9]{3,6}$' AND q !~ '^0+$'
    UNION ALL
    SELECT CASE m[1] WHEN '' THEN '%' ELSE upper(m[1]) END || m[2] || '%', ltrim(m[3], '0'), true
        FROM (SELECT regexp_match(regexp_replace(lower(q), '[^a-z0-9]', '', 'g'), '^([a-z]{0,6})([0-9]{4})([0-9]{1,6})$') AS m) typed
        WHERE q !~ '^[0-9]*$' AND m[3] !~ '^0+$'
    UNION ALL
    SELECT upper(m[1]) || '%', ltrim(m[2], '0'), false
        FROM (SELECT regexp_match(regexp_replace(lower(q), '[^a-z0-9]', '', 'g'), '^([a-z]{1,6})([0-9]{1,6})$') AS m) typed
        WHERE m[2] !~ '^0+$' $$;

-- search_limit is the maximum number of results per kind: app.search_limit of the transaction, else 8.
CREATE FUNCTION search_limit() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT coalesce(nullif(current_setting('app.search_limit', true), ''), '8')::integer $$;

-- Owner and callers of the functions above.
REVOKE ALL ON FUNCTION id_in(text), words_of(text), number_in(text), search_limit() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION id_in(text), words_of(text), number_in(text), search_limit() TO franchise360_lookup;

-- sound_words returns a name's words by sound, so that spellings of one Indian name match. Vowels become a, i and u; ch becomes C; an h
-- after a letter, doubled letters, a final a, accents, initials and the title Dr are dropped. Zh is j at the beginning, l elsewhere. Devanagari is
-- read as Latin.
CREATE FUNCTION sound_words(name text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    s text := translate(regexp_replace(normalize(lower(name), NFD), '[\u0300-\u036f]', '', 'g'), 'ऑॉअआाइईिीउऊुूएऐेैओऔोौकखगघचछजझञङटठतथडढदधनणपफबभमंँयरऋृलळवशषसह''’़्‍‌',
                                     'ooaaaiiiiuuuuiiiiuuuukkggCCjjnnttttddddnnpfbbmnnirrrllvsssh');
BEGIN
    s := regexp_replace(' ' || regexp_replace(s, '[^a-zC]+', ' ', 'g') || ' ', ' ([a-zC] )+', ' ', 'g');
    s := regexp_replace(s, ' (?:dr|da|do) (?=[a-z])', ' ');
    s := regexp_replace(replace(s, ' zh', ' j'), ' (mohd|mohmd|muhd|mhd|md) ', ' mohamad ', 'g');
    s := replace(replace(replace(replace(s, 'chr', 'kr'), 'tch', 'ch'), 'chh', 'ch'), 'ch', 'C');
    s := replace(replace(replace(replace(s, 'ce', 'se'), 'ci', 'si'), 'cy', 'si'), 'ck', 'k');
    s := replace(replace(replace(replace(s, 'x', 'ks'), 'zh', 'l'), 'ph', 'f'), ' h', ' H');
    s := regexp_replace(s, '[ao][uw](?![aeiouy])', 'u', 'g');
    s := replace(translate(s, 'Hwyeoqzch', 'hviiukjk'), 'ai', 'i');
    s := replace(regexp_replace(s, '(.)\1+', '\1', 'g'), 'a ', ' ');
    RETURN array_remove(string_to_array(s, ' '), '');
END $$;
-- sound_keys returns search keys of words: each word's consonants, and variants with one letter removed, marked with ~ and =. Two words
-- that differ by a wrong, missing, additional or swapped letter share a marked key.
CREATE FUNCTION sound_keys(words text[]) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    word text;
    consonants text;
    keys text[] := '{}';
BEGIN
    FOREACH word IN ARRAY words LOOP
        consonants := left(word, 1) || translate(substr(word, 2), 'aiu', '');
        keys := keys || consonants || ('~' || consonants);
        IF length(consonants) > 4 THEN
            FOR i IN 1..length(consonants) LOOP
                keys := keys || ('~' || left(consonants, i - 1) || substr(consonants, i + 1));
            END LOOP;
        ELSE
            keys := keys || ('=' || word);
            IF length(word) > 2 THEN
                FOR i IN 1..length(word) LOOP
                    keys := keys || ('=' || left(word, i - 1) || substr(word, i + 1));
                END LOOP;
            END IF;
        END IF;
    END LOOP;
    RETURN keys;
END $$;
CREATE FUNCTION sounds_of(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT public.sound_keys(public.sound_words(name)) $$;
-- sound_forms returns the sets of keys to search for a name that sounds like q: its words, then the name with two neighbours written as one
-- word, and with a word written as two, of at least two and three sounds.
CREATE FUNCTION sound_forms(q text) RETURNS SETOF text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ROWS 10 AS $$
DECLARE
    words text[] := public.sound_words(q);
    size integer := cardinality(words);
    form text[];
    keys text[];
BEGIN
    FOR form IN
        SELECT f.form FROM (
            SELECT 0 AS place, words AS form WHERE size > 0
            UNION ALL SELECT 1, words[:n - 1] || regexp_replace(words[n] || words[n + 1], '(.)\1+', '\1', 'g') || words[n + 2:]
                FROM generate_series(1, size - 1) n WHERE size <= 3
            UNION ALL SELECT 2, words[:n - 1] || left(words[n], i) || substr(words[n], i + 1) || words[n + 1:]
                FROM generate_series(1, size) n, generate_series(2, length(words[n]) - 3) i WHERE size <= 2) f ORDER BY f.place
    LOOP
        SELECT array_agg(left(word, 1) || translate(substr(word, 2), 'aiu', '')) INTO keys FROM unnest(form) AS word;
        -- Two short sounds are part of too many names.
        CONTINUE WHEN cardinality(form) > size AND (SELECT max(length(key)) FROM unnest(keys) AS key) < 3;
        RETURN NEXT keys;
    END LOOP;
END $$;
-- sounds_near returns the marked keys of word n of q, for words that differ by one letter. If q has no word n, word 1 is used.
CREATE FUNCTION sounds_near(q text, n integer) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT array_agg(key) FROM unnest((SELECT public.sound_keys(ARRAY[coalesce(w[n], w[1])]) FROM public.sound_words(q) AS w)) AS key
        WHERE left(key, 1) IN ('~', '=') $$;
REVOKE ALL ON FUNCTION sound_words(text), sound_keys(text[]), sounds_of(text), sound_forms(text), sounds_near(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sound_forms(text), sounds_near(text, integer) TO franchise360_lookup;
-- Needed to write the indexes.
GRANT EXECUTE ON FUNCTION sound_words(text), sound_keys(text[]), sounds_of(text) TO franchise360_api, franchise360_worker, franchise360_lookup;

-- Rate limits while Redis is unavailable: one row per subject and window. Subjects are keyed hashes.
CREATE TABLE rate_limits (
    subject      text        NOT NULL,
    window_start timestamptz NOT NULL,
    hits         int         NOT NULL,
    expires_at   timestamptz NOT NULL,
    PRIMARY KEY (subject, window_start)
);
CREATE INDEX rate_limits_expiry ON rate_limits (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limits TO franchise360_api, franchise360_worker;

-- Used proofs of work (see pkg/platform/guard), until they expire.
CREATE TABLE spent_work (
    id         bytea       PRIMARY KEY,
    expires_at timestamptz NOT NULL
);
CREATE INDEX spent_work_expiry ON spent_work (expires_at);
GRANT SELECT, INSERT, DELETE ON spent_work TO franchise360_api, franchise360_worker;

-- Keys that outlive SECRET_KEY. Values hashed under them (trial mobiles, recovery codes, limit subjects) cannot be rehashed, because the
-- plain text is not stored. Each key is sealed under SECRET_KEY; a rotation only reseals them.
CREATE TABLE kept_keys (
    purpose    text        PRIMARY KEY,
    sealed     bytea       NOT NULL,
    created_at timestamptz NOT NULL
);
GRANT SELECT, INSERT ON kept_keys TO franchise360_api, franchise360_worker;

-- The first line of an error without identifiers, times, amounts and counts, to group errors by cause. Three-digit numbers (HTTP codes) and
-- text after code, error or status stay: 401 and 503 are two causes.
CREATE FUNCTION job_cause(error text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN left(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(split_part(error, E'\n', 1),
        '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', '…', 'g'),
        '\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?', '…', 'g'),
        '\m\d{1,3}(\.\d{1,5}){3}(:\d+)?', 'n.n.n.n', 'g'),
        '\m(?=\w*[0-9])(?!([A-Z]+_)+[A-Z0-9]{1,6}\M)\w{8,}\M', '…', 'g'),
        '(₹|\mRs\.? ?|\mINR ?)[0-9][0-9,]*(\.[0-9]+)?', '…', 'g'),
        '[0-9]+(\.[0-9]+)?(ns|µs|us|ms|s|m|h)\M', 'n\2', 'g'),
        '(?<!(code|error|errno|status|sqlstate|Code|Error|Status|SQLSTATE)[ :=#(]{1,3})\m([0-9]{1,2}|[0-9]{4,})\M', 'n', 'g'), 300);

-- keep_unknown_job reschedules a job of an unknown kind, because a newer worker will know it. River's rescuer discards a stuck job of an
-- unknown kind with attempts left, and a failed attempt at an unknown kind uses up the last one. No other path discards such jobs.
CREATE FUNCTION keep_unknown_job() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.attempt < NEW.max_attempts
        OR NEW.errors[array_upper(NEW.errors, 1)] ->> 'error' LIKE 'job kind is not registered in the client''s Workers bundle: %' THEN
        NEW.state := 'scheduled';
        NEW.scheduled_at := now() + interval '10 seconds';
        NEW.finalized_at := NULL;
        NEW.attempt := greatest(NEW.attempt - 1, 0);
        NEW.metadata := NEW.metadata || jsonb_build_object('snoozed_at', now());
    END IF;
    RETURN NEW;
END $$;

-- River's migrations run before this file. The following extends its tables.
ALTER TABLE river_job ADD COLUMN failure_cause text
    GENERATED ALWAYS AS (CASE WHEN errors IS NOT NULL THEN job_cause(errors[array_upper(errors, 1)] ->> 'error') END) STORED;
ALTER TABLE river_job ADD COLUMN first_cause text
    GENERATED ALWAYS AS (CASE WHEN errors IS NOT NULL THEN job_cause(errors[1] ->> 'error') END) STORED;
-- Each change of a job's state wrote two GIN indexes. No query filters on parts of the metadata. Smaller indexes serve the two queries on
-- arguments: live duplicates, and the job that sent a code.
DROP INDEX river_job_metadata_index, river_job_args_index;
CREATE INDEX jobs_of_franchiser ON river_job ((metadata ->> 'franchiser_id'), id DESC)
    WHERE metadata ->> 'franchiser_id' IS NOT NULL;
CREATE INDEX job_twins ON river_job (jsonb_hash_extended(args, 0))
    WHERE state IN ('available', 'pending', 'retryable', 'running', 'scheduled');
CREATE INDEX jobs_of_code ON river_job ((args ->> 'code_id')) WHERE args ->> 'code_id' IS NOT NULL;
CREATE INDEX failing_jobs ON river_job ((coalesce(attempted_at, finalized_at, created_at)) DESC, id DESC)
    WHERE state IN ('discarded', 'cancelled', 'retryable') OR state IN ('available', 'running') AND cardinality(errors) > 0;
CREATE INDEX failed_job_args ON river_job USING gin (args)
    WHERE state IN ('discarded', 'cancelled', 'retryable') OR state IN ('available', 'running') AND cardinality(errors) > 0;
CREATE TRIGGER keep_unknown BEFORE UPDATE ON river_job FOR EACH ROW
    WHEN (NEW.state = 'discarded' AND OLD.state = 'running') EXECUTE FUNCTION keep_unknown_job();
GRANT INSERT ON river_job TO franchise360_lookup;
GRANT USAGE ON SEQUENCE river_job_id_seq TO franchise360_lookup;
-- Staff search jobs by number.
GRANT SELECT (id, metadata) ON river_job TO franchise360_lookup;
-- Admins pause and resume queues.
GRANT UPDATE ON river_queue TO franchise360_api;

-- A number with leading zeros belongs to a document.
CREATE FUNCTION find_job(q text) RETURNS TABLE (id bigint, franchiser_id uuid) LANGUAGE sql STABLE AS $$
 SELECT j.id, nullif(j.metadata ->> 'franchiser_id', '')::uuid FROM public.river_job j
        WHERE j.id = CASE WHEN q ~ '^[1-9][0-9]{0,17}$' THEN q::bigint END  $$;

-- queue_job inserts a job like platform/queue's Inserter, for triggers. A worker picks it up at its next poll.
CREATE FUNCTION queue_job(kind text, args jsonb, queue text, attempts int, franchiser uuid) RETURNS bigint
    LANGUAGE sql VOLATILE
    AS $$ INSERT INTO public.river_job (kind, args, queue, max_attempts, metadata)
        VALUES (kind, args, queue, attempts, jsonb_strip_nulls(jsonb_build_object('franchiser_id', franchiser, 'request_id', public.current_request())))
        RETURNING id $$;

-- Owner and callers of the functions above.
REVOKE ALL ON FUNCTION find_job(text), queue_job(text, jsonb, text, int, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_job(text), queue_job(text, jsonb, text, int, uuid) TO franchise360_lookup;

CREATE VIEW job_overview WITH (security_invoker = true) AS
    SELECT id, kind, queue, state, attempt, max_attempts, args, metadata, errors, failure_cause, attempted_by, created_at, scheduled_at,
        attempted_at, finalized_at, first_cause
    FROM river_job;
COMMENT ON VIEW job_overview IS 'platform/queue: the jobs of River';
GRANT SELECT ON job_overview TO franchise360_api, franchise360_worker;

CREATE VIEW queue_overview WITH (security_invoker = true) AS
    SELECT name, paused_at FROM river_queue;
COMMENT ON VIEW queue_overview IS 'platform/queue: the queues and their pause times';
GRANT SELECT ON queue_overview TO franchise360_api, franchise360_worker;
-- +goose StatementEnd
