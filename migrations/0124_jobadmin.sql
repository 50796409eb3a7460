-- Failed jobs and queues: outcomes kept beyond River's retention, bulk changes of jobs with dry runs, and the worker processes. Jobs use
-- the system clock, so all times here do too, in UTC.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- Jobs deleted by River, stored by a trigger so that every one is kept. franchiser_ref gives no access.
CREATE TABLE job_outcomes (
    job_id         bigint      PRIMARY KEY,
    kind           text        NOT NULL,
    queue          text        NOT NULL,
    state          text        NOT NULL,
    attempt        int         NOT NULL,
    max_attempts   int         NOT NULL,
    args           jsonb       NOT NULL,
    errors         jsonb       NOT NULL, -- per failed attempt: at, attempt, error
    franchiser_ref text,
    payment_ref    text,
    created_at     timestamptz NOT NULL,
    scheduled_at   timestamptz NOT NULL,
    attempted_at   timestamptz,
    finalized_at   timestamptz,
    request_ref    text
);
CREATE INDEX job_outcomes_of_franchiser ON job_outcomes (franchiser_ref, job_id DESC) WHERE franchiser_ref IS NOT NULL;
CREATE INDEX job_outcomes_of_kind ON job_outcomes (kind, created_at DESC);
CREATE INDEX job_outcomes_age ON job_outcomes (created_at);
CREATE INDEX job_outcomes_own_age ON job_outcomes (created_at) WHERE franchiser_ref IS NULL;
GRANT SELECT ON job_outcomes TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON job_outcomes TO franchise360_worker;

-- A change of jobs by a member of staff; key is its idempotency key.
CREATE TABLE job_operations (
    id             uuid        PRIMARY KEY,
    staff_id       uuid        NOT NULL REFERENCES staff,
    action         text        NOT NULL CHECK (action IN ('rerun', 'cancel', 'dismiss', 'snooze')),
    reason         text        NOT NULL CHECK (reason ~ '\S'),
    snooze_seconds int         CHECK ((snooze_seconds IS NOT NULL) = (action = 'snooze')),
    key            text        NOT NULL CHECK (char_length(key) BETWEEN 8 AND 128),
    request        bytea       NOT NULL CHECK (octet_length(request) = 32), -- SHA-256 of the request
    total          int         NOT NULL CHECK (total >= 0),
    created_at     timestamptz NOT NULL,
    finished_at    timestamptz,
    UNIQUE (staff_id, key)
);
CREATE INDEX job_operations_newest ON job_operations (created_at DESC);
ALTER TABLE job_operations ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_see ON job_operations FOR SELECT TO franchise360_api USING (true);
CREATE POLICY progress ON job_operations FOR UPDATE TO franchise360_api USING (true);
CREATE POLICY own_name ON job_operations FOR INSERT TO franchise360_api WITH CHECK (staff_id = (SELECT acting_staff('help')));
CREATE POLICY every_row ON job_operations TO franchise360_worker USING (true) WITH CHECK (true);
-- The worker deletes old rows.
GRANT SELECT, INSERT ON job_operations TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON job_operations TO franchise360_worker;
GRANT UPDATE (total, finished_at) ON job_operations TO franchise360_api;

-- The jobs of a change, fixed at the request, and each result; done is NULL while it waits.
CREATE TABLE job_operation_items (
    operation_id uuid    NOT NULL REFERENCES job_operations,
    job_id       bigint  NOT NULL,
    done         boolean,
    message      text    NOT NULL DEFAULT '',
    changed_at   timestamptz, -- system clock, as the jobs
    refusal      text    NOT NULL DEFAULT '', -- kind of reason, as "running"
    PRIMARY KEY (operation_id, job_id)
);
CREATE INDEX job_operation_items_waiting ON job_operation_items (operation_id, job_id) WHERE done IS NULL;
CREATE INDEX job_operation_items_of_job ON job_operation_items (job_id);
-- The worker deletes old rows.
GRANT SELECT, INSERT, UPDATE ON job_operation_items TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON job_operation_items TO franchise360_worker;

-- The worker processes; each reports regularly.
CREATE TABLE worker_processes (
    id         text        PRIMARY KEY,
    started_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL,
    queues     jsonb       NOT NULL -- concurrent jobs by queue
);
GRANT SELECT ON worker_processes TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON worker_processes TO franchise360_worker;

-- Recurring jobs, reported by the workers.
CREATE TABLE job_schedules (
    kind          text        PRIMARY KEY,
    queue         text        NOT NULL,
    every_seconds bigint      NOT NULL CHECK (every_seconds > 0),
    seen_at       timestamptz NOT NULL,
    next_run_at   timestamptz -- reported by the leader, the only worker with timers
);
GRANT SELECT ON job_schedules TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON job_schedules TO franchise360_worker;

-- Dry runs: the jobs that a member of staff is about to change, as of the dialog's opening; kept a day.
CREATE TABLE job_dry_runs (
    id             uuid        PRIMARY KEY,
    staff_id       uuid        NOT NULL REFERENCES staff,
    action         text        NOT NULL CHECK (action IN ('rerun', 'cancel', 'dismiss', 'snooze')),
    total          int         NOT NULL CHECK (total >= 0),
    created_at     timestamptz NOT NULL
);
CREATE INDEX job_dry_runs_age ON job_dry_runs (created_at);
ALTER TABLE job_dry_runs ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_name ON job_dry_runs TO franchise360_api
    USING (staff_id = (SELECT acting_staff())) WITH CHECK (staff_id = (SELECT acting_staff()));
CREATE POLICY every_row ON job_dry_runs TO franchise360_worker USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON job_dry_runs TO franchise360_api;
GRANT SELECT, DELETE ON job_dry_runs TO franchise360_worker;
GRANT UPDATE (total) ON job_dry_runs TO franchise360_api;

-- The change's effect on each job; outcome is NULL until evaluated.
CREATE TABLE job_dry_run_items (
    dry_run_id uuid   NOT NULL REFERENCES job_dry_runs ON DELETE CASCADE,
    job_id     bigint NOT NULL,
    outcome    text   CHECK (outcome IN ('acts', 'nothing', 'refused')),
    message    text   NOT NULL DEFAULT '',
    twin       bigint, -- hash of kind and arguments: of twins only the first runs
    PRIMARY KEY (dry_run_id, job_id)
);
CREATE INDEX job_dry_run_items_left ON job_dry_run_items (dry_run_id, job_id) WHERE outcome IS NULL;
GRANT SELECT, INSERT, UPDATE ON job_dry_run_items TO franchise360_api;
GRANT SELECT, DELETE ON job_dry_run_items TO franchise360_worker;

CREATE FUNCTION keep_job_outcomes() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_outcomes (job_id, kind, queue, state, attempt, max_attempts, args, errors, franchiser_ref, payment_ref, request_ref,
        created_at, scheduled_at, attempted_at, finalized_at)
    SELECT g.id, g.kind, g.queue, CASE WHEN g.metadata ? 'dismissed_at' THEN 'dismissed' ELSE g.state::text END, g.attempt, g.max_attempts, g.args,
        coalesce((SELECT jsonb_agg(e - 'trace' ORDER BY n) FROM unnest(g.errors) WITH ORDINALITY AS x (e, n)), '[]'),
        g.metadata ->> 'franchiser_id', g.metadata ->> 'payment_id', g.metadata ->> 'request_id',
        g.created_at, g.scheduled_at, g.attempted_at, g.finalized_at
    FROM gone g
    ON CONFLICT (job_id) DO NOTHING;
    RETURN NULL;
END $$;

CREATE VIEW worker_overview WITH (security_invoker = true) AS
    SELECT id, seen_at, queues, seen_at > clock_timestamp() - interval '45 seconds' AS lives FROM worker_processes;
COMMENT ON VIEW worker_overview IS 'jobadmin: worker processes, and whether each is alive';
GRANT SELECT ON worker_overview TO franchise360_api, franchise360_worker;

CREATE VIEW schedule_overview WITH (security_invoker = true) AS
    SELECT kind, queue, every_seconds, seen_at, next_run_at FROM job_schedules;
COMMENT ON VIEW schedule_overview IS 'jobadmin: recurring jobs, and the next run of each';
GRANT SELECT ON schedule_overview TO franchise360_api, franchise360_worker;

-- Triggers on earlier files' tables for functions of this file.
CREATE TRIGGER keep_outcomes AFTER DELETE ON river_job REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION keep_job_outcomes();
-- +goose StatementEnd
