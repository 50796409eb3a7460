-- A job that waits again or runs again after an error fails until it has succeeded, so the lists of failed jobs have it too.

-- +goose Up
CREATE INDEX failing_jobs ON river_job ((coalesce(attempted_at, finalized_at, created_at)) DESC, id DESC)
    WHERE state IN ('discarded', 'cancelled', 'retryable') OR state IN ('available', 'running') AND cardinality(errors) > 0;
DROP INDEX failed_jobs;

-- +goose Down
CREATE INDEX failed_jobs ON river_job ((coalesce(attempted_at, finalized_at, created_at)) DESC, id DESC)
    WHERE state IN ('discarded', 'cancelled', 'retryable');
DROP INDEX failing_jobs;
