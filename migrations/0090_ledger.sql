-- The books: balanced journals of debits and credits in paise, appended and never changed.

-- +goose Up
CREATE TABLE ledger_accounts (
    code text PRIMARY KEY CHECK (code ~ '^[a-z_]{3,30}$'),
    name text NOT NULL,
    type text NOT NULL CHECK (type IN ('asset', 'liability', 'income', 'expense')),
    position int NOT NULL UNIQUE
);
INSERT INTO ledger_accounts (code, name, type, position) VALUES
    ('receivable', 'Accounts receivable', 'asset', 1),
    ('gateway_clearing', 'Payment gateway clearing', 'asset', 2),
    ('bank', 'Bank', 'asset', 3),
    ('input_tax', 'Input GST on gateway fees', 'asset', 4),
    ('customer_credit', 'Customer credit', 'liability', 5),
    ('output_cgst', 'Output CGST', 'liability', 6),
    ('output_sgst', 'Output SGST', 'liability', 7),
    ('output_utgst', 'Output UTGST', 'liability', 8),
    ('output_igst', 'Output IGST', 'liability', 9),
    ('revenue', 'Subscription revenue', 'income', 10),
    ('refunds', 'Refunds and credits given', 'income', 11),
    ('fees', 'Payment gateway fees', 'expense', 12),
    ('chargebacks', 'Chargebacks lost', 'expense', 13),
    ('held_payments', 'Payments held for staff', 'liability', 14),
    ('gateway_adjustments', 'Gateway adjustments', 'expense', 15),
    ('tax_not_recovered', 'Tax not recovered from recipients', 'expense', 16);
GRANT SELECT ON ledger_accounts TO franchise360_api, franchise360_worker;

-- credit_applied: a credit note pays for an upgrade. refund_loss, chargeback_loss: money was returned with nothing left to credit
-- for it. input_tax_refused: the tax of a note is owed again, because its recipient refused the reversal; input_tax_restored undoes it.
CREATE TABLE ledger_journals (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        REFERENCES franchisers, -- none for the operator's own: adjustments of the gateway, bank charges
    kind          text        NOT NULL CHECK (kind IN
                    ('sale', 'capture', 'extra_capture', 'held_capture', 'held_release', 'credit_note', 'refund', 'settlement',
                    'settlement_return', 'adjustment', 'chargeback', 'chargeback_loss', 'credit_applied', 'refund_loss',
                    'input_tax_refused', 'input_tax_restored')),
    reference     text        NOT NULL CHECK (char_length(reference) BETWEEN 1 AND 100),
    payment_id    uuid,
    invoice_id    uuid,
    description   text        NOT NULL,
    posted_at     timestamptz NOT NULL,
    happened_at   timestamptz CHECK (happened_at < posted_at),
    UNIQUE (kind, reference),                       -- one event is posted once
    UNIQUE (franchiser_id, id),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id),
    FOREIGN KEY (franchiser_id, invoice_id) REFERENCES invoices (franchiser_id, id),
    -- The policy own_rows shows a row without a franchiser only to the worker.
    CONSTRAINT ledger_journals_own CHECK (franchiser_id IS NOT NULL
        OR kind = 'adjustment' AND payment_id IS NULL AND invoice_id IS NULL)
);
COMMENT ON COLUMN ledger_journals.happened_at IS 'When it happened, where the books were locked for that day already; none where posted_at says it.';
CREATE INDEX ledger_journals_of_payment ON ledger_journals (franchiser_id, payment_id);
CREATE INDEX ledger_journals_of_invoice ON ledger_journals (franchiser_id, invoice_id);
CREATE INDEX ledger_journals_by_time ON ledger_journals (posted_at);
CALL isolate('ledger_journals');
GRANT SELECT, INSERT ON ledger_journals TO franchise360_api, franchise360_worker;

CREATE TABLE ledger_lines (
    journal_id    uuid   NOT NULL,
    franchiser_id uuid,
    position      int    NOT NULL CHECK (position > 0),
    account       text   NOT NULL REFERENCES ledger_accounts,
    debit_paise   bigint NOT NULL CHECK (debit_paise >= 0),
    credit_paise  bigint NOT NULL CHECK (credit_paise >= 0),
    PRIMARY KEY (journal_id, position),
    FOREIGN KEY (franchiser_id, journal_id) REFERENCES ledger_journals (franchiser_id, id),
    FOREIGN KEY (journal_id) REFERENCES ledger_journals (id),
    CHECK ((debit_paise = 0) <> (credit_paise = 0))
);
CREATE INDEX ledger_lines_of_account ON ledger_lines (franchiser_id, account);
CALL isolate('ledger_lines');
GRANT SELECT, INSERT ON ledger_lines TO franchise360_api, franchise360_worker;

-- +goose StatementBegin
-- check_balance refuses, at COMMIT, a journal without lines, whose debits differ from its credits, or with a line of
-- another franchiser. It runs with the rights of the committing role: lines that row-level security hides count as missing,
-- so that in doubt it refuses.
CREATE FUNCTION check_balance() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    journal uuid;
    lines   bigint;
    foreign_lines bigint;
    debit   numeric;
    credit  numeric;
BEGIN
    IF TG_TABLE_NAME = 'ledger_journals' THEN
        journal := NEW.id;
    ELSE
        journal := NEW.journal_id;
    END IF;
    SELECT count(*), count(*) FILTER (WHERE l.franchiser_id IS DISTINCT FROM j.franchiser_id), sum(l.debit_paise), sum(l.credit_paise)
        INTO lines, foreign_lines, debit, credit
        FROM ledger_lines l LEFT JOIN ledger_journals j ON j.id = l.journal_id WHERE l.journal_id = journal;
    IF lines < 2 OR debit <> credit OR foreign_lines > 0 THEN
        RAISE EXCEPTION 'journal % does not balance: % lines, % of others, debit %, credit %', journal, lines, foreign_lines, debit, credit
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_balanced';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER balanced AFTER INSERT ON ledger_journals DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION check_balance();
CREATE CONSTRAINT TRIGGER balanced AFTER INSERT ON ledger_lines DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION check_balance();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_journals
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_lines
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_accounts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The books are locked up to the end of a month: nothing is dated inside any more. What happened then and is learned of later is
-- booked on the first open day, and keeps its true date beside it. The history only grows; its last entry counts.
CREATE TABLE book_locks (
    sequence       int         PRIMARY KEY CHECK (sequence > 0),
    locked_through date CHECK (locked_through = (date_trunc('month', locked_through::timestamp) + interval '1 month - 1 day')::date),
    reason         text        NOT NULL CHECK (char_length(reason) BETWEEN 3 AND 500),
    staff_id       uuid        NOT NULL REFERENCES staff,
    staff_name     text        NOT NULL,
    recorded_at    timestamptz NOT NULL
);
COMMENT ON COLUMN book_locks.locked_through IS 'The last locked day in India, none where all is open.';
GRANT SELECT, INSERT ON book_locks TO franchise360_api;
GRANT SELECT ON book_locks TO franchise360_worker;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON book_locks
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What admins record about the books is in their own name, under the proof of their session, as requests and approvals are.
ALTER TABLE book_locks ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody_reads ON book_locks FOR SELECT TO franchise360_api USING (true);
CREATE POLICY own_name ON book_locks FOR INSERT TO franchise360_api WITH CHECK (staff_id = (SELECT acting_staff('admin')));
CREATE POLICY every_row ON book_locks TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);

-- +goose StatementBegin
-- The first moment in which something may be dated.
CREATE FUNCTION books_open_from() RETURNS timestamptz
    LANGUAGE sql STABLE
    AS $$ SELECT coalesce((SELECT (locked_through + 1)::timestamp AT TIME ZONE 'Asia/Kolkata'
        FROM book_locks ORDER BY sequence DESC LIMIT 1), '-infinity') $$;

-- Postings share a lock that locking the books takes exclusively: no journal begun before the lock is committed after it.
CREATE FUNCTION refuse_locked() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    dated timestamptz;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('book_locks', 0));
    IF TG_TABLE_NAME = 'invoices' THEN
        dated := NEW.issued_at;
    ELSE
        dated := NEW.posted_at;
    END IF;
    IF dated < books_open_from() THEN
        RAISE EXCEPTION 'the books are locked for %', (dated AT TIME ZONE 'Asia/Kolkata')::date
            USING ERRCODE = 'check_violation', CONSTRAINT = 'books_locked';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER not_locked BEFORE INSERT ON ledger_journals FOR EACH ROW EXECUTE FUNCTION refuse_locked();
CREATE TRIGGER not_locked BEFORE INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION refuse_locked();

-- +goose Down
DROP TRIGGER not_locked ON invoices;
DROP TABLE book_locks, ledger_lines, ledger_journals, ledger_accounts;
DROP FUNCTION refuse_locked(), books_open_from(), check_balance();
