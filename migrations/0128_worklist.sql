-- Claims of work list rows by staff. The rows belong to other owners. The claim of a finished row is deleted after a month.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- A claimed row of the work list.
CREATE TABLE work_claims (
    kind       text        NOT NULL CHECK (kind ~ '^[a-z_]{1,40}$'),
    row_key    text        NOT NULL CHECK (char_length(row_key) BETWEEN 1 AND 120),
    claimed_by uuid        NOT NULL REFERENCES staff,
    claimed_at timestamptz NOT NULL,
    PRIMARY KEY (kind, row_key)
);
ALTER TABLE work_claims ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_row ON work_claims TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY staff_see ON work_claims FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY own_name ON work_claims FOR INSERT TO franchise360_api WITH CHECK (claimed_by = (SELECT acting_staff()));
CREATE POLICY take_over ON work_claims FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL) WITH CHECK (claimed_by = (SELECT acting_staff()));
CREATE POLICY release ON work_claims FOR DELETE TO franchise360_api USING (claimed_by = (SELECT acting_staff()));
GRANT SELECT, INSERT, UPDATE, DELETE ON work_claims TO franchise360_api;
GRANT SELECT, DELETE ON work_claims TO franchise360_worker;
-- +goose StatementEnd
