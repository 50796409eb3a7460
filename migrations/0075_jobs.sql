-- What staff need of jobs beyond River's own tables: causes, outcomes that outlive River's retention, changes of many jobs
-- at once, and who works and when. Jobs run on the machine's time, so their times here are the machine's as well, in UTC.

-- +goose Up
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

-- What River deletes is kept here, by a trigger, so that none can be missed. franchiser_ref gives no access to anything.
CREATE TABLE job_outcomes (
    job_id         bigint      PRIMARY KEY,
    kind           text        NOT NULL,
    queue          text        NOT NULL,
    state          text        NOT NULL,
    attempt        int         NOT NULL,
    max_attempts   int         NOT NULL,
    args           jsonb       NOT NULL,
    errors         jsonb       NOT NULL, -- of each failed attempt: at, attempt, error
    franchiser_ref text,
    payment_ref    text,
    created_at     timestamptz NOT NULL,
    scheduled_at   timestamptz NOT NULL,
    attempted_at   timestamptz,
    finalized_at   timestamptz
);
CREATE INDEX job_outcomes_of_franchiser ON job_outcomes (franchiser_ref, job_id DESC) WHERE franchiser_ref IS NOT NULL;
CREATE INDEX job_outcomes_of_kind ON job_outcomes (kind, created_at DESC);
CREATE INDEX job_outcomes_age ON job_outcomes (created_at);
GRANT SELECT ON job_outcomes TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON job_outcomes TO franchise360_worker;

-- +goose StatementBegin
CREATE FUNCTION keep_job_outcomes() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_outcomes (job_id, kind, queue, state, attempt, max_attempts, args, errors, franchiser_ref, payment_ref,
        created_at, scheduled_at, attempted_at, finalized_at)
    SELECT g.id, g.kind, g.queue, CASE WHEN g.metadata ? 'dismissed_at' THEN 'dismissed' ELSE g.state::text END, g.attempt, g.max_attempts, g.args,
        coalesce((SELECT jsonb_agg(e - 'trace' ORDER BY n) FROM unnest(g.errors) WITH ORDINALITY AS x (e, n)), '[]'),
        g.metadata ->> 'franchiser_id', g.metadata ->> 'payment_id', g.created_at, g.scheduled_at, g.attempted_at, g.finalized_at
    FROM gone g
    ON CONFLICT (job_id) DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER keep_outcomes AFTER DELETE ON river_job REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION keep_job_outcomes();

-- One change of one or many jobs by a member of staff; its key makes a repeated request the same change.
CREATE TABLE job_operations (
    id             uuid        PRIMARY KEY,
    staff_id       uuid        NOT NULL REFERENCES staff,
    action         text        NOT NULL CHECK (action IN ('rerun', 'cancel', 'dismiss', 'snooze')),
    reason         text        NOT NULL CHECK (reason ~ '\S'),
    snooze_seconds int         CHECK ((snooze_seconds IS NOT NULL) = (action = 'snooze')),
    key            text        NOT NULL CHECK (char_length(key) BETWEEN 8 AND 128),
    request        bytea       NOT NULL CHECK (octet_length(request) = 32), -- SHA-256 of what was asked for
    total          int         NOT NULL CHECK (total >= 0),
    created_at     timestamptz NOT NULL,
    finished_at    timestamptz,
    UNIQUE (staff_id, key)
);
CREATE INDEX job_operations_newest ON job_operations (created_at DESC);
GRANT SELECT, INSERT, UPDATE ON job_operations TO franchise360_api, franchise360_worker;

-- The jobs of a change, fixed when it was asked for, and what became of each; done is NULL while it waits.
CREATE TABLE job_operation_items (
    operation_id uuid    NOT NULL REFERENCES job_operations,
    job_id       bigint  NOT NULL,
    done         boolean,
    message      text    NOT NULL DEFAULT '',
    PRIMARY KEY (operation_id, job_id)
);
CREATE INDEX job_operation_items_waiting ON job_operation_items (operation_id, job_id) WHERE done IS NULL;
GRANT SELECT, INSERT, UPDATE ON job_operation_items TO franchise360_api, franchise360_worker;

-- The changes of many are worked in the background, where each is recorded like any other.
GRANT SELECT, INSERT ON staff_actions TO franchise360_worker;
GRANT SELECT (id, role, disabled_at) ON staff TO franchise360_worker;

-- The worker processes that live, and what the schedule says; each process tells it again and again.
CREATE TABLE worker_processes (
    id         text        PRIMARY KEY,
    started_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL,
    queues     jsonb       NOT NULL -- how many jobs at once, by queue
);
CREATE TABLE job_schedules (
    kind          text        PRIMARY KEY,
    queue         text        NOT NULL,
    every_seconds bigint      NOT NULL CHECK (every_seconds > 0),
    seen_at       timestamptz NOT NULL
);
GRANT SELECT ON worker_processes, job_schedules TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON worker_processes, job_schedules TO franchise360_worker;
GRANT UPDATE ON river_queue TO franchise360_api; -- admins pause and resume

-- +goose StatementBegin
-- How many rows a sweep would take at that moment, counted up to 10,001: a number and nothing else leaves the rows of others.
CREATE FUNCTION support_due(sweep text, at timestamptz) RETURNS bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
DECLARE
    today date := (at AT TIME ZONE 'Asia/Kolkata')::date;
    n     bigint;
BEGIN
    CASE sweep
    WHEN 'expire_subscriptions' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.subscriptions WHERE due_on <= today LIMIT 10001) x;
    WHEN 'apply_add_on_changes' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.subscription_add_ons
            WHERE ended_on IS NULL AND next_billing_cycle_status = 0 AND paid_until <= today LIMIT 10001) x;
    WHEN 'remind_renewals' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.subscriptions s WHERE s.renew_on BETWEEN today AND today + 30
            AND s.paid_until = s.renew_on AND s.state IN ('trialing', 'active', 'grace') LIMIT 10001) x;
    WHEN 'sweep_payments' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.payments WHERE next_check_at < at LIMIT 10001) x;
    WHEN 'sweep_domains' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.custom_domains WHERE next_check_at <= at LIMIT 10001) x;
    WHEN 'erase_accounts' THEN
        SELECT count(*) INTO n FROM (SELECT FROM public.franchisers
            WHERE erasure_requested_at <= at AND erased_at IS NULL LIMIT 10001) x;
    END CASE;
    RETURN n;
END $$;
-- +goose StatementEnd
CREATE POLICY lookup_due ON subscriptions FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup_due ON subscription_add_ons FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (due_on, renew_on, paid_until, state) ON subscriptions TO franchise360_lookup;
GRANT SELECT (ended_on, next_billing_cycle_status, paid_until) ON subscription_add_ons TO franchise360_lookup;
GRANT SELECT (next_check_at) ON payments TO franchise360_lookup;
GRANT SELECT (next_check_at) ON custom_domains TO franchise360_lookup;
ALTER FUNCTION support_due(text, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION support_due(text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION support_due(text, timestamptz) TO franchise360_api;

-- +goose Down
DROP FUNCTION support_due(text, timestamptz);
REVOKE SELECT (next_check_at) ON custom_domains FROM franchise360_lookup;
REVOKE SELECT (next_check_at) ON payments FROM franchise360_lookup;
REVOKE SELECT (ended_on, next_billing_cycle_status, paid_until) ON subscription_add_ons FROM franchise360_lookup;
REVOKE SELECT (due_on, renew_on, paid_until, state) ON subscriptions FROM franchise360_lookup;
DROP POLICY lookup_due ON subscription_add_ons;
DROP POLICY lookup_due ON subscriptions;
REVOKE UPDATE ON river_queue FROM franchise360_api;
DROP TABLE job_schedules, worker_processes;
REVOKE SELECT (id, role, disabled_at) ON staff FROM franchise360_worker;
REVOKE SELECT, INSERT ON staff_actions FROM franchise360_worker;
DROP TABLE job_operation_items, job_operations;
DROP TRIGGER keep_outcomes ON river_job;
DROP FUNCTION keep_job_outcomes();
DROP TABLE job_outcomes;
DROP INDEX failed_jobs;
ALTER TABLE river_job DROP COLUMN failure_cause;
DROP FUNCTION job_cause(text);
