-- What each check of the books found, rule by rule: the board of the money's invariants and its trend.

-- +goose Up
CREATE TABLE book_checks (
    id         uuid        PRIMARY KEY,
    checked_at timestamptz NOT NULL,
    journals   bigint      NOT NULL,
    documents  bigint      NOT NULL,
    payments   bigint      NOT NULL,
    debit_paise  bigint    NOT NULL,
    credit_paise bigint    NOT NULL,
    findings   int         NOT NULL CHECK (findings >= 0)
);
CREATE INDEX book_checks_newest ON book_checks (checked_at DESC);
CREATE TABLE book_check_results (
    check_id  uuid  NOT NULL REFERENCES book_checks ON DELETE CASCADE,
    invariant text  NOT NULL CHECK (invariant ~ '^[a-z_]{1,60}$'),
    findings  int   NOT NULL CHECK (findings >= 0),
    rows      jsonb NOT NULL DEFAULT '[]', -- the first of them, each with subject and detail
    PRIMARY KEY (check_id, invariant)
);
GRANT SELECT, INSERT, DELETE ON book_checks, book_check_results TO franchise360_worker;
GRANT SELECT ON book_checks, book_check_results TO franchise360_api;
ALTER TABLE book_checks ENABLE ROW LEVEL SECURITY;
ALTER TABLE book_check_results ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_row ON book_checks TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY every_row ON book_check_results TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY staff_see ON book_checks FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY staff_see ON book_check_results FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);

-- +goose Down
DROP TABLE book_check_results, book_checks;
