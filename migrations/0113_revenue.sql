-- Revenue recognition by day: invoiced revenue is deferred (Ind AS 115, AS 9) until its days have passed.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- The value of an invoice line before tax, spread evenly over its days. A credit note ends the row and starts the next one with the rest. A
-- line without a term is earned on the day it is booked.
CREATE TABLE revenue_lines (
    invoice_id     uuid   NOT NULL,
    position       int    NOT NULL,
    sequence       int    NOT NULL CHECK (sequence >= 0), -- 0 is the line as invoiced
    franchiser_id  uuid   NOT NULL,
    document_id    uuid   NOT NULL, -- the invoice, or the credit note that started the row
    booked_on      date   NOT NULL,
    ended_on       date   CHECK (ended_on >= booked_on), -- when a credit note replaced it, else NULL
    from_on        date   NOT NULL,
    to_on          date   NOT NULL CHECK (to_on >= from_on), -- the first day after it
    amount_paise   bigint NOT NULL CHECK (amount_paise >= 0), -- unearned amount at its start
    credited_paise bigint NOT NULL DEFAULT 0 CHECK (credited_paise >= 0), -- the unearned part that was credited
    PRIMARY KEY (invoice_id, position, sequence),
    FOREIGN KEY (franchiser_id, invoice_id) REFERENCES invoices (franchiser_id, id),
    FOREIGN KEY (franchiser_id, document_id) REFERENCES invoices (franchiser_id, id),
    CHECK ((sequence = 0) = (document_id = invoice_id)),
    CHECK (sequence > 0 OR credited_paise = 0)
);
CREATE INDEX revenue_lines_by_end ON revenue_lines (to_on);
CREATE INDEX revenue_lines_by_day ON revenue_lines (booked_on);
CREATE INDEX revenue_lines_of_document ON revenue_lines (document_id);
CREATE INDEX revenue_lines_of_franchiser ON revenue_lines (franchiser_id);
CALL isolate('revenue_lines');
CREATE POLICY staff_read ON revenue_lines FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE TRIGGER no_delete BEFORE DELETE OR TRUNCATE ON revenue_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT ON revenue_lines TO franchise360_api;
GRANT SELECT, INSERT ON revenue_lines TO franchise360_worker;
GRANT UPDATE (ended_on) ON revenue_lines TO franchise360_worker;

-- Daily changes of deferred revenue, as in its journal. A day opens with the previous day's closing.
CREATE TABLE revenue_days (
    day              date        PRIMARY KEY,
    opening_paise    bigint      NOT NULL,
    billed_paise     bigint      NOT NULL CHECK (billed_paise >= 0),
    recognised_paise bigint      NOT NULL CHECK (recognised_paise >= 0),
    credited_paise   bigint      NOT NULL CHECK (credited_paise >= 0),
    closing_paise    bigint      NOT NULL CHECK (closing_paise >= 0),
    booked_at        timestamptz NOT NULL,
    CHECK (closing_paise = opening_paise + billed_paise - recognised_paise - credited_paise)
);
ALTER TABLE revenue_days ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON revenue_days FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY every_row ON revenue_days TO franchise360_worker USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON revenue_days
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT ON revenue_days TO franchise360_api;
GRANT SELECT, INSERT ON revenue_days TO franchise360_worker;

-- revenue_unearned returns the unearned part of an amount at the end of a day, rounded half up. The amount is spread evenly over from_on to
-- before to_on.
CREATE FUNCTION revenue_unearned(amount bigint, from_on date, to_on date, day date) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN to_on <= day + 1 THEN 0 WHEN day + 1 <= from_on THEN amount
        ELSE div(2 * amount::numeric * (to_on - day - 1) + (to_on - from_on), 2 * (to_on - from_on))::bigint END;

-- revenue_left sums the unearned part of all lines.
CREATE FUNCTION revenue_left(day date) RETURNS bigint
    LANGUAGE sql STABLE
    RETURN (SELECT coalesce(sum(revenue_unearned(l.amount_paise, l.from_on, l.to_on, revenue_left.day)), 0)::bigint FROM revenue_lines l
        WHERE l.to_on > revenue_left.day + 1 AND l.booked_on <= revenue_left.day AND (l.ended_on IS NULL OR l.ended_on > revenue_left.day));
-- +goose StatementEnd
