-- The ledger: balanced, append-only journals of debits and credits in paise, and checks of the books.
--
-- Functions that read all customers' books check the staff proof.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

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
    ('tax_not_recovered', 'Tax not recovered from recipients', 'expense', 16),
    ('rounding', 'Rounding differences', 'expense', 17), -- invoice and payment differ: tax is rounded per line
    ('bank_receipts', 'Bank receipts not assigned to an order', 'liability', 30),
    ('tds_receivable', 'Income tax deducted at source, receivable', 'asset', 31),
    ('gst_tds_receivable', 'GST deducted at source, receivable', 'asset', 32),
    ('deferred_revenue', 'Deferred revenue', 'liability', 33);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_accounts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT ON ledger_accounts TO franchise360_api, franchise360_worker, franchise360_lookup;

-- check_balance rejects, at COMMIT, a journal without lines, with unequal debits and credits, or with another franchiser's line. It runs as
-- the committing role. Lines hidden by row-level security count as missing, so the check fails safe.
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

-- Postings take a lock in shared mode that locking the books takes exclusively. So no posting begun before commits after it.
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

-- credit_applied: a credit note pays for an upgrade. refund_loss, chargeback_loss: money was returned without an invoice to credit.
-- input_tax_refused: the recipient refused to reverse, so a note's tax is owed again; input_tax_restored undoes it.
CREATE TABLE ledger_journals (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        REFERENCES franchisers, -- NULL for the operator: gateway adjustments, bank charges
    kind          text        NOT NULL CHECK (kind IN
        ('sale', 'capture', 'extra_capture', 'held_capture', 'held_release', 'credit_note', 'refund', 'settlement',
        'settlement_return', 'adjustment', 'chargeback', 'chargeback_loss', 'credit_applied', 'refund_loss',
        'input_tax_refused', 'input_tax_restored', 'rounding')),
    reference     text        NOT NULL CHECK (char_length(reference) BETWEEN 1 AND 100),
    payment_id    uuid,
    invoice_id    uuid,
    description   text        NOT NULL,
    posted_at     timestamptz NOT NULL,
    happened_at   timestamptz CHECK (happened_at < posted_at),
    UNIQUE (kind, reference), -- an event is posted once
    UNIQUE (franchiser_id, id),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id),
    FOREIGN KEY (franchiser_id, invoice_id) REFERENCES invoices (franchiser_id, id),
    -- The policy own_rows shows a row without a franchiser only to the worker.
    CONSTRAINT ledger_journals_own CHECK (franchiser_id IS NOT NULL
        OR kind = 'adjustment' AND payment_id IS NULL AND invoice_id IS NULL)
);
CREATE INDEX ledger_journals_of_payment ON ledger_journals (franchiser_id, payment_id);
CREATE INDEX ledger_journals_of_invoice ON ledger_journals (franchiser_id, invoice_id);
CREATE INDEX ledger_journals_by_time ON ledger_journals (posted_at);
COMMENT ON COLUMN ledger_journals.happened_at IS 'The event''s time if its day was already locked; NULL if posted_at is the time.';
CALL isolate('ledger_journals');
CREATE POLICY lookup ON ledger_journals FOR SELECT TO franchise360_lookup USING (true);
CREATE CONSTRAINT TRIGGER balanced AFTER INSERT ON ledger_journals DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION check_balance();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_journals
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER not_locked BEFORE INSERT ON ledger_journals FOR EACH ROW EXECUTE FUNCTION refuse_locked();
GRANT SELECT, INSERT ON ledger_journals TO franchise360_api, franchise360_worker;
GRANT SELECT (id, kind, posted_at, happened_at, franchiser_id, payment_id, invoice_id,
    description) ON ledger_journals TO franchise360_lookup;

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
CREATE POLICY lookup ON ledger_lines FOR SELECT TO franchise360_lookup USING (true);
CREATE CONSTRAINT TRIGGER balanced AFTER INSERT ON ledger_lines DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION check_balance();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_lines
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT, INSERT ON ledger_lines TO franchise360_api, franchise360_worker;
GRANT SELECT (journal_id, account, debit_paise, credit_paise, franchiser_id, position) ON ledger_lines TO franchise360_lookup;

-- The first instant that is open for posting.
CREATE FUNCTION books_open_from() RETURNS timestamptz
    LANGUAGE sql STABLE
    AS $$ SELECT coalesce((SELECT (locked_through + 1)::timestamp AT TIME ZONE 'Asia/Kolkata'
        FROM book_locks ORDER BY sequence DESC LIMIT 1), '-infinity') $$;

-- The books are locked through a month's end: no entry may be dated earlier. A late event is booked on the first open day and keeps its
-- true date in happened_at. Append-only; the last entry counts.
CREATE TABLE book_locks (
    sequence       int         PRIMARY KEY CHECK (sequence > 0),
    locked_through date        CHECK (locked_through = (date_trunc('month', locked_through::timestamp) + interval '1 month - 1 day')::date),
    reason         text        NOT NULL CHECK (char_length(reason) BETWEEN 3 AND 500),
    staff_id       uuid        NOT NULL REFERENCES staff,
    staff_name     text        NOT NULL,
    recorded_at    timestamptz NOT NULL
);
COMMENT ON COLUMN book_locks.locked_through IS 'The last locked day in India, NULL if no day is.';
-- Admins lock the books as themselves, under the proof of their session, like requests and approvals.
ALTER TABLE book_locks ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody_reads ON book_locks FOR SELECT TO franchise360_api USING (true);
CREATE POLICY every_row ON book_locks TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);
CREATE POLICY own_name ON book_locks FOR INSERT TO franchise360_api
    WITH CHECK (staff_id = (SELECT acting_staff('admin')) AND (locked_through + 1)::timestamp AT TIME ZONE 'Asia/Kolkata' > books_open_from());
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON book_locks
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT, INSERT ON book_locks TO franchise360_api, franchise360_worker;
GRANT SELECT ON book_locks TO franchise360_lookup;

-- Checks of the books, with their input.
CREATE TABLE book_checks (
    id           uuid        PRIMARY KEY,
    checked_at   timestamptz NOT NULL,
    journals     bigint      NOT NULL,
    documents    bigint      NOT NULL,
    payments     bigint      NOT NULL,
    debit_paise  bigint      NOT NULL,
    credit_paise bigint      NOT NULL,
    findings     int         NOT NULL CHECK (findings >= 0)
);
CREATE INDEX book_checks_newest ON book_checks (checked_at DESC);
ALTER TABLE book_checks ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_row ON book_checks TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY staff_see ON book_checks FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
GRANT SELECT ON book_checks TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON book_checks TO franchise360_worker;

-- Findings of a check, by rule.
CREATE TABLE book_check_results (
    check_id  uuid  NOT NULL REFERENCES book_checks ON DELETE CASCADE,
    invariant text  NOT NULL CHECK (invariant ~ '^[a-z_]{1,60}$'),
    findings  int   NOT NULL CHECK (findings >= 0),
    rows      jsonb NOT NULL DEFAULT '[]', -- the first findings: subject, detail
    PRIMARY KEY (check_id, invariant)
);
ALTER TABLE book_check_results ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_row ON book_check_results TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY staff_see ON book_check_results FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
GRANT SELECT ON book_check_results TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON book_check_results TO franchise360_worker;

-- books_of_sales sums the journals of invoices and credit notes of a period by the accounts of a GST return.
CREATE FUNCTION books_of_sales(after timestamptz, before timestamptz)
    RETURNS TABLE (journals bigint, value_paise bigint, cgst_paise bigint, sgst_paise bigint, igst_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT count(DISTINCT j.id),
            coalesce(sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account IN ('revenue', 'refunds')), 0)::bigint,
            coalesce(sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account = 'output_cgst'), 0)::bigint,
            coalesce(sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account IN ('output_sgst', 'output_utgst')), 0)::bigint,
            coalesce(sum(l.credit_paise - l.debit_paise) FILTER (WHERE l.account = 'output_igst'), 0)::bigint
        FROM public.ledger_journals j JOIN public.ledger_lines l ON l.journal_id = j.id
        WHERE j.posted_at >= after AND j.posted_at < before AND j.kind IN ('sale', 'credit_note');
    END $$;

-- books_at sums each account over entries before a moment.
CREATE FUNCTION books_at(before timestamptz)
    RETURNS TABLE (account text, name text, type text, debit_paise bigint, credit_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT a.code, a.name, a.type, coalesce(s.debit, 0)::bigint, coalesce(s.credit, 0)::bigint
        FROM public.ledger_accounts a LEFT JOIN (SELECT l.account, sum(l.debit_paise) AS debit, sum(l.credit_paise) AS credit
            FROM public.ledger_lines l JOIN public.ledger_journals j ON j.id = l.journal_id
            WHERE j.posted_at < before GROUP BY l.account) s ON s.account = a.code
        ORDER BY a.position;
    END $$;

-- books_by_month sums a period's income and expenses by months in India.
CREATE FUNCTION books_by_month(after timestamptz, before timestamptz)
    RETURNS TABLE (month date, account text, name text, type text, debit_paise bigint, credit_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT date_trunc('month', j.posted_at AT TIME ZONE 'Asia/Kolkata')::date, a.code, a.name, a.type,
            sum(l.debit_paise)::bigint, sum(l.credit_paise)::bigint
        FROM public.ledger_journals j JOIN public.ledger_lines l ON l.journal_id = j.id JOIN public.ledger_accounts a ON a.code = l.account
        WHERE j.posted_at >= after AND j.posted_at < before AND a.type IN ('income', 'expense')
        GROUP BY 1, a.code ORDER BY a.position, 1;
    END $$;

-- own_account_by_month returns the operator's month-end balances of an account, for months in India with entries. Entries count in the
-- month of their event, even if a lock delayed their booking.
CREATE FUNCTION own_account_by_month(wanted text)
    RETURNS TABLE (month date, balance_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT m.month, sum(m.paise) OVER (ORDER BY m.month)::bigint
        FROM (SELECT date_trunc('month', coalesce(j.happened_at, j.posted_at) AT TIME ZONE 'Asia/Kolkata')::date AS month,
                sum(l.credit_paise - l.debit_paise) AS paise
            FROM public.ledger_lines l JOIN public.ledger_journals j ON j.id = l.journal_id
            WHERE l.franchiser_id IS NULL AND l.account = wanted GROUP BY 1) m ORDER BY 1;
    END $$;

-- books_by_entry returns a period's entries, one row per line.
CREATE FUNCTION books_by_entry(after timestamptz, before timestamptz)
    RETURNS TABLE (journal_id uuid, kind text, franchiser_id uuid, payment_id uuid, invoice_id uuid, description text, posted_at timestamptz,
        account text, debit_paise bigint, credit_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT j.id, j.kind, j.franchiser_id, j.payment_id, j.invoice_id, j.description, j.posted_at,
            l.account, l.debit_paise, l.credit_paise
        FROM public.ledger_journals j JOIN public.ledger_lines l ON l.journal_id = j.id
        WHERE j.posted_at >= after AND j.posted_at < before
        ORDER BY j.posted_at, j.id, l.position;
    END $$;

-- customers_in_books returns customers with a first entry in a period.
CREATE FUNCTION customers_in_books(after timestamptz, before timestamptz)
    RETURNS TABLE (franchiser_id uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT j.franchiser_id FROM public.ledger_journals j
        WHERE j.franchiser_id IS NOT NULL AND j.posted_at < before
        GROUP BY j.franchiser_id HAVING min(j.posted_at) >= after;
    END $$;

-- books_are_locked returns whether a moment's day in India is locked.
CREATE FUNCTION books_are_locked(moment timestamptz) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT coalesce((SELECT l.locked_through FROM public.book_locks l ORDER BY l.sequence DESC LIMIT 1)
        >= (moment AT TIME ZONE 'Asia/Kolkata')::date, false) $$;

-- unsettled_by_month returns, per month with entries: captured but unsettled at its end, settled in it, and the fees of these settlements
-- before tax.
CREATE FUNCTION unsettled_by_month(before timestamptz) RETURNS TABLE (month date, unsettled_paise bigint, settled_paise bigint, fees_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT m.month, sum(m.clearing) OVER (ORDER BY m.month)::bigint, m.settled::bigint, m.fees::bigint
        FROM (SELECT date_trunc('month', j.posted_at AT TIME ZONE 'Asia/Kolkata')::date AS month,
                coalesce(sum(l.debit_paise - l.credit_paise) FILTER (WHERE l.account = 'gateway_clearing'), 0) AS clearing,
                coalesce(sum(l.credit_paise) FILTER (WHERE l.account = 'gateway_clearing' AND j.kind = 'settlement'), 0) AS settled,
                coalesce(sum(l.debit_paise - l.credit_paise) FILTER (WHERE l.account = 'fees' AND j.kind = 'settlement'), 0) AS fees
            FROM public.ledger_journals j JOIN public.ledger_lines l ON l.journal_id = j.id
            WHERE j.posted_at < before AND l.account IN ('gateway_clearing', 'fees') GROUP BY 1) m ORDER BY 1;
    END $$;

-- Owner and callers of the functions above.
ALTER FUNCTION books_of_sales(timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION books_at(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION books_by_month(timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION own_account_by_month(text) OWNER TO franchise360_lookup;
ALTER FUNCTION books_by_entry(timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION customers_in_books(timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION books_are_locked(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION unsettled_by_month(timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION books_of_sales(timestamptz, timestamptz), books_at(timestamptz), books_by_month(timestamptz, timestamptz),
    own_account_by_month(text), books_by_entry(timestamptz, timestamptz), customers_in_books(timestamptz, timestamptz),
    books_are_locked(timestamptz), unsettled_by_month(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION books_of_sales(timestamptz, timestamptz), books_at(timestamptz), books_by_month(timestamptz, timestamptz),
    own_account_by_month(text), books_by_entry(timestamptz, timestamptz), customers_in_books(timestamptz, timestamptz),
    unsettled_by_month(timestamptz) TO franchise360_api;

-- Triggers on earlier files' tables that call functions of this file.
CREATE TRIGGER not_locked BEFORE INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION refuse_locked();
-- +goose StatementEnd
