-- +goose Up
-- Each change of a job's state wrote into two GIN indexes. Nobody asks for jobs by parts of their metadata, and the two
-- questions about arguments are answered by smaller indexes: has a live job a twin, and which job sent a code.
DROP INDEX river_job_metadata_index;
DROP INDEX river_job_args_index;
CREATE INDEX job_twins ON river_job (jsonb_hash_extended(args, 0))
    WHERE state IN ('available', 'pending', 'retryable', 'running', 'scheduled');
CREATE INDEX jobs_of_code ON river_job ((args ->> 'code_id')) WHERE args ->> 'code_id' IS NOT NULL;

-- +goose Down
DROP INDEX jobs_of_code;
DROP INDEX job_twins;
CREATE INDEX river_job_args_index ON river_job USING gin (args);
CREATE INDEX river_job_metadata_index ON river_job USING gin (metadata);
