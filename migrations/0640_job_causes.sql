-- Jobs are grouped by their first error or their last one, a status code or a provider's code is a part of the cause, and failed jobs
-- are found by their arguments.

-- +goose Up
-- +goose StatementBegin
-- The first line of an error without identifiers, times, amounts and counts, so that one cause is one group. Numbers of three digits,
-- which are codes of HTTP, and what follows the word code, error or status stay: 401 and 503 are two causes.
CREATE OR REPLACE FUNCTION job_cause(error text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN left(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(split_part(error, E'\n', 1),
        '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', '…', 'g'),
        '\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?', '…', 'g'),
        '\m\d{1,3}(\.\d{1,5}){3}(:\d+)?', 'n.n.n.n', 'g'),
        '\m(?=\w*[0-9])(?!([A-Z]+_)+[A-Z0-9]{1,6}\M)\w{8,}\M', '…', 'g'),
        '(₹|\mRs\.? ?|\mINR ?)[0-9][0-9,]*(\.[0-9]+)?', '…', 'g'),
        '[0-9]+(\.[0-9]+)?(ns|µs|us|ms|s|m|h)\M', 'n\2', 'g'),
        '(?<!(code|error|errno|status|sqlstate|Code|Error|Status|SQLSTATE)[ :=#(]{1,3})\m([0-9]{1,2}|[0-9]{4,})\M', 'n', 'g'), 300);
-- +goose StatementEnd
UPDATE river_job SET errors = errors WHERE errors IS NOT NULL; -- which writes the generated column anew
ALTER TABLE river_job ADD COLUMN first_cause text
    GENERATED ALWAYS AS (CASE WHEN errors IS NOT NULL THEN job_cause(errors[1] ->> 'error') END) STORED;
CREATE INDEX failed_job_args ON river_job USING gin (args)
    WHERE state IN ('discarded', 'cancelled', 'retryable') OR state IN ('available', 'running') AND cardinality(errors) > 0;

CREATE OR REPLACE VIEW job_overview WITH (security_invoker = true) AS
    SELECT id, kind, queue, state, attempt, max_attempts, args, metadata, errors, failure_cause, attempted_by, created_at, scheduled_at,
        attempted_at, finalized_at, first_cause
    FROM river_job;

-- +goose Down
DROP VIEW job_overview;
CREATE VIEW job_overview WITH (security_invoker = true) AS
    SELECT id, kind, queue, state, attempt, max_attempts, args, metadata, errors, failure_cause, attempted_by, created_at, scheduled_at,
        attempted_at, finalized_at
    FROM river_job;
COMMENT ON VIEW job_overview IS 'platform/queue: the jobs that River keeps';
GRANT SELECT ON job_overview TO franchise360_api, franchise360_worker;
DROP INDEX failed_job_args;
ALTER TABLE river_job DROP COLUMN first_cause;
-- +goose StatementBegin
-- The first line of an error without what differs from one time to the next, so that one cause is one group.
CREATE OR REPLACE FUNCTION job_cause(error text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN left(regexp_replace(regexp_replace(regexp_replace(split_part(error, E'\n', 1),
        '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', '…', 'g'),
        '\m(?=\w*[0-9])\w{8,}\M', '…', 'g'),
        '[0-9]+', 'n', 'g'), 300);
-- +goose StatementEnd
UPDATE river_job SET errors = errors WHERE errors IS NOT NULL;
