-- What workers report of themselves, for the alerts, which another tool of the staff raises.

-- +goose Up
CREATE VIEW worker_overview WITH (security_invoker = true) AS
    SELECT id, seen_at, queues, seen_at > clock_timestamp() - interval '45 seconds' AS lives FROM worker_processes;
COMMENT ON VIEW worker_overview IS 'jobadmin: the worker processes, and whether each has reported lately';
CREATE VIEW schedule_overview WITH (security_invoker = true) AS
    SELECT kind, queue, every_seconds, seen_at, next_run_at FROM job_schedules;
COMMENT ON VIEW schedule_overview IS 'jobadmin: the recurring jobs, and when the leading worker runs each next';
GRANT SELECT ON worker_overview, schedule_overview TO franchise360_api, franchise360_worker;

-- +goose Down
DROP VIEW schedule_overview, worker_overview;
