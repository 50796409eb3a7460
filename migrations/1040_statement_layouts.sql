-- The columns of bank statements that no description fits, as a person chose them; and numbers of transfers that begin with a zero.

-- +goose Up
-- The columns under a line of headings, remembered for the next file with the same headings.
CREATE TABLE statement_layouts (
    headings  text        PRIMARY KEY CHECK (headings <> '' AND char_length(headings) <= 4000), -- capitals and digits, separated by |
    columns   text[]      NOT NULL CHECK (cardinality(columns) BETWEEN 2 AND 100),
    day_order text        NOT NULL CHECK (day_order IN ('', 'day_first', 'month_first')),
    chosen_by uuid        NOT NULL REFERENCES staff,
    chosen_at timestamptz NOT NULL
);
ALTER TABLE statement_layouts ENABLE ROW LEVEL SECURITY;
CREATE POLICY office_read ON statement_layouts FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY own_name ON statement_layouts FOR INSERT TO franchise360_api WITH CHECK (chosen_by = (SELECT acting_staff('finance')));
CREATE POLICY another_choice ON statement_layouts FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff('finance')) IS NOT NULL) WITH CHECK (chosen_by = (SELECT acting_staff('finance')));
GRANT SELECT, INSERT, UPDATE (columns, day_order, chosen_by, chosen_at) ON statement_layouts TO franchise360_api;

-- +goose StatementBegin
-- clean_utr is a transfer's number as it is stored and compared: capitals and digits, without the word before it (UTR, RRN, NEFT and the
-- like) and without the zeros with which banks fill up a number of digits. The twelve digits of IMPS and UPI stay whole: from 2030 on they
-- begin with a zero. Behind that zero stands the day of the year, 001 to 366. CleanUTR of pkg/transfer does the same.
CREATE OR REPLACE FUNCTION clean_utr(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT CASE WHEN bare ~ '^0*[0-9]{12}$' AND substr(right(bare, 12), 2, 3) BETWEEN '001' AND '366' THEN right(bare, 12)
            WHEN bare ~ '^0+[1-9][0-9]{5,}$' THEN ltrim(bare, '0') ELSE bare END
        FROM (SELECT regexp_replace(regexp_replace(upper(said), '[^A-Z0-9]', '', 'g'),
            '^(?:UTR|RRN|REF|NEFT|RTGS|IMPS|UPI)(?:NUMBER|NO|CR|IN)?((?:[0-9]{12}|[A-Z][A-Z0-9]{15}|[A-Z][A-Z0-9]{21})$)', '\1') AS bare) c $$;
-- +goose StatementEnd
REINDEX INDEX refunds_by_utr;
REINDEX INDEX reversals_by_utr;

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION clean_utr(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT CASE WHEN bare ~ '^0+[1-9][0-9]{5,}$' THEN ltrim(bare, '0') ELSE bare END
        FROM (SELECT regexp_replace(regexp_replace(upper(said), '[^A-Z0-9]', '', 'g'),
            '^(?:UTR|RRN|REF|NEFT|RTGS|IMPS|UPI)(?:NUMBER|NO|CR|IN)?((?:[0-9]{12}|[A-Z][A-Z0-9]{15}|[A-Z][A-Z0-9]{21})$)', '\1') AS bare) c $$;
-- +goose StatementEnd
REINDEX INDEX refunds_by_utr;
REINDEX INDEX reversals_by_utr;
DROP TABLE statement_layouts;
