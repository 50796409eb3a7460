-- Jobs and queues are River's tables, which platform/queue owns. The tools of the staff read them by views.

-- +goose Up
CREATE VIEW job_overview WITH (security_invoker = true) AS
    SELECT id, kind, queue, state, attempt, max_attempts, args, metadata, errors, failure_cause, attempted_by, created_at, scheduled_at,
        attempted_at, finalized_at
    FROM river_job;
COMMENT ON VIEW job_overview IS 'platform/queue: the jobs that River keeps';
GRANT SELECT ON job_overview TO franchise360_api, franchise360_worker;

CREATE VIEW queue_overview WITH (security_invoker = true) AS
    SELECT name, paused_at FROM river_queue;
COMMENT ON VIEW queue_overview IS 'platform/queue: the queues, and since when one is paused';
GRANT SELECT ON queue_overview TO franchise360_api, franchise360_worker;

-- +goose Down
DROP VIEW queue_overview, job_overview;
