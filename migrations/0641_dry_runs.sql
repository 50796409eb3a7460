-- A change of many jobs is tried before it is made, acts on the jobs that were tried, and follows what became of them.

-- +goose Up
-- The jobs that a member of staff is about to change, as they were when the dialog opened; kept for a day.
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
GRANT SELECT, INSERT, UPDATE (total) ON job_dry_runs TO franchise360_api;
GRANT SELECT, DELETE ON job_dry_runs TO franchise360_worker;

-- What the change would do with each job; outcome is NULL until it was looked at.
CREATE TABLE job_dry_run_items (
    dry_run_id uuid   NOT NULL REFERENCES job_dry_runs ON DELETE CASCADE,
    job_id     bigint NOT NULL,
    outcome    text   CHECK (outcome IN ('acts', 'nothing', 'refused')),
    message    text   NOT NULL DEFAULT '',
    twin       bigint, -- a hash of kind and arguments: of twins only the first runs
    PRIMARY KEY (dry_run_id, job_id)
);
CREATE INDEX job_dry_run_items_left ON job_dry_run_items (dry_run_id, job_id) WHERE outcome IS NULL;
GRANT SELECT, INSERT, UPDATE ON job_dry_run_items TO franchise360_api;
GRANT SELECT, DELETE ON job_dry_run_items TO franchise360_worker;

ALTER TABLE job_operation_items ADD COLUMN changed_at timestamptz, -- on the machine's time, as the jobs' own
    ADD COLUMN refusal text NOT NULL DEFAULT ''; -- the kind of reason, as "running"
CREATE INDEX job_operation_items_of_job ON job_operation_items (job_id);

-- +goose Down
DROP INDEX job_operation_items_of_job;
ALTER TABLE job_operation_items DROP COLUMN changed_at, DROP COLUMN refusal;
DROP TABLE job_dry_run_items, job_dry_runs;
