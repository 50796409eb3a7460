-- Outcomes of jobs of the house are kept a month and those of customers two years. Looking for the former by age alone reads two
-- years of the latter each day.

-- +goose Up
CREATE INDEX job_outcomes_own_age ON job_outcomes (created_at) WHERE franchiser_ref IS NULL;

-- +goose Down
DROP INDEX job_outcomes_own_age;
