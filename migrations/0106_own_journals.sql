-- Journals without a customer (adjustments of the gateway, bank charges), the money of held payments in the books, and
-- the lines of settlements that give money back.

-- +goose Up
INSERT INTO ledger_accounts (code, name, type, position) VALUES
    ('held_payments', 'Payments held for staff', 'liability', 14),
    ('gateway_adjustments', 'Gateway adjustments', 'expense', 15)
    ON CONFLICT DO NOTHING;

ALTER TABLE ledger_journals DROP CONSTRAINT IF EXISTS ledger_journals_kind_check;
ALTER TABLE ledger_journals
    ALTER COLUMN franchiser_id DROP NOT NULL,
    ADD CONSTRAINT ledger_journals_kind_check CHECK (kind IN
        ('sale', 'capture', 'extra_capture', 'held_capture', 'held_release', 'credit_note', 'refund', 'settlement',
        'settlement_return', 'adjustment', 'chargeback', 'chargeback_loss')),
    -- The policy own_rows shows a row without a franchiser to nobody but the worker.
    ADD CONSTRAINT ledger_journals_own CHECK (franchiser_id IS NOT NULL
        OR kind = 'adjustment' AND payment_id IS NULL AND invoice_id IS NULL);
ALTER TABLE ledger_lines ALTER COLUMN franchiser_id DROP NOT NULL,
    ADD FOREIGN KEY (journal_id) REFERENCES ledger_journals (id);

-- +goose StatementBegin
-- check_balance refuses, at COMMIT, a journal without lines, whose debits differ from its credits, or with a line of
-- somebody else. It runs with the rights of whoever commits: lines that row-level security hides from it count as missing,
-- so it errs to refusing.
CREATE OR REPLACE FUNCTION check_balance() RETURNS trigger
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

-- Money that is held now, and in no book so far.
WITH held AS (
    INSERT INTO ledger_journals (id, franchiser_id, kind, reference, payment_id, description, posted_at)
    SELECT gen_random_uuid(), franchiser_id, 'held_capture', id::text, id, 'Payment held for staff', coalesce(decided_at, created_at)
    FROM payments WHERE state = 'held' AND NOT surplus AND captured_paise > 0
    RETURNING id, franchiser_id, payment_id
)
INSERT INTO ledger_lines (journal_id, franchiser_id, position, account, debit_paise, credit_paise)
SELECT h.id, h.franchiser_id, side.position, side.account, side.debit * p.captured_paise, side.credit * p.captured_paise
FROM held h JOIN payments p ON p.id = h.payment_id,
    (VALUES (1, 'gateway_clearing', 1, 0), (2, 'held_payments', 0, 1)) AS side (position, account, debit, credit);

-- +goose Down
-- The accounts, kinds and journals stay: books are never shortened.
SELECT 1;
