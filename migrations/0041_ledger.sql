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
    ('fees', 'Payment gateway fees', 'expense', 12);
GRANT SELECT ON ledger_accounts TO franchise360_api, franchise360_worker;

CREATE TABLE ledger_journals (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    kind          text        NOT NULL CHECK (kind IN
                    ('sale', 'capture', 'extra_capture', 'credit_note', 'refund', 'settlement', 'adjustment')),
    reference     text        NOT NULL CHECK (char_length(reference) BETWEEN 1 AND 100),
    payment_id    uuid,
    invoice_id    uuid,
    description   text        NOT NULL,
    posted_at     timestamptz NOT NULL,
    UNIQUE (kind, reference),                       -- one event is posted once
    UNIQUE (franchiser_id, id),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id),
    FOREIGN KEY (franchiser_id, invoice_id) REFERENCES invoices (franchiser_id, id)
);
CREATE INDEX ledger_journals_of_payment ON ledger_journals (franchiser_id, payment_id);
CREATE INDEX ledger_journals_of_invoice ON ledger_journals (franchiser_id, invoice_id);
CREATE INDEX ledger_journals_by_time ON ledger_journals (posted_at);
CALL isolate('ledger_journals');
GRANT SELECT, INSERT ON ledger_journals TO franchise360_api, franchise360_worker;

CREATE TABLE ledger_lines (
    journal_id    uuid   NOT NULL,
    franchiser_id uuid   NOT NULL,
    position      int    NOT NULL CHECK (position > 0),
    account       text   NOT NULL REFERENCES ledger_accounts,
    debit_paise   bigint NOT NULL CHECK (debit_paise >= 0),
    credit_paise  bigint NOT NULL CHECK (credit_paise >= 0),
    PRIMARY KEY (journal_id, position),
    FOREIGN KEY (franchiser_id, journal_id) REFERENCES ledger_journals (franchiser_id, id),
    CHECK ((debit_paise = 0) <> (credit_paise = 0))
);
CREATE INDEX ledger_lines_of_account ON ledger_lines (franchiser_id, account);
CALL isolate('ledger_lines');
GRANT SELECT, INSERT ON ledger_lines TO franchise360_api, franchise360_worker;

-- +goose StatementBegin
-- check_balance refuses, at COMMIT, a journal without lines or whose debits differ from its credits. It runs with the
-- rights of whoever commits: lines that row-level security hides from it count as missing, so it errs to refusing.
CREATE FUNCTION check_balance() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    journal uuid;
    lines   bigint;
    debit   numeric;
    credit  numeric;
BEGIN
    IF TG_TABLE_NAME = 'ledger_journals' THEN
        journal := NEW.id;
    ELSE
        journal := NEW.journal_id;
    END IF;
    SELECT count(*), sum(debit_paise), sum(credit_paise) INTO lines, debit, credit
        FROM ledger_lines WHERE journal_id = journal;
    IF lines < 2 OR debit <> credit THEN
        RAISE EXCEPTION 'journal % does not balance: % lines, debit %, credit %', journal, lines, debit, credit
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

-- +goose Down
DROP TABLE ledger_lines, ledger_journals, ledger_accounts;
DROP FUNCTION check_balance();
