-- When each job of the schedule runs next, told by the worker that leads, because only its timers know.

-- +goose Up
ALTER TABLE job_schedules ADD COLUMN next_run_at timestamptz;

-- +goose Down
ALTER TABLE job_schedules DROP COLUMN next_run_at;
