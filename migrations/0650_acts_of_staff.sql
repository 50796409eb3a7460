-- What staff ask to have done for a customer, of which a second person decides where money or identity moves.

-- +goose Up
-- Whoever asked for money to go back may withdraw it until somebody has decided.
ALTER TABLE reversals DROP CONSTRAINT reversals_state_check;
ALTER TABLE reversals ADD CONSTRAINT reversals_state_check
    CHECK (state IN ('waiting', 'approved', 'declined', 'withdrawn', 'done', 'failed'));
ALTER TABLE reversals DROP CONSTRAINT reversals_check2;
ALTER TABLE reversals ADD CONSTRAINT reversals_decided_by_another
    CHECK (NOT needs_approval OR state IN ('waiting', 'withdrawn') OR decided_by IS NOT NULL);
DROP TRIGGER transitions ON reversals;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON reversals FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'waiting>approved', 'waiting>declined', 'waiting>withdrawn', 'approved>done', 'approved>failed', 'approved>waiting');
DROP POLICY another_decides ON reversals;
CREATE POLICY another_decides ON reversals FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL)
    WITH CHECK (decided_by = (SELECT acting_staff('admin')) AND decided_by <> requested_by AND state IN ('approved', 'declined')
        OR requested_by = (SELECT acting_staff('admin')) AND decided_by IS NULL AND state = 'withdrawn');

-- A held payment may be accepted although less came in than was asked for.
DROP TRIGGER transitions ON payments;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON payments FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'created>pending', 'created>paid', 'created>failed', 'created>expired', 'created>held',
        'pending>paid', 'pending>failed', 'pending>expired', 'pending>held',
        'failed>paid', 'failed>held', 'expired>paid', 'expired>held', 'held>refunded', 'held>paid', 'paid>refunded');

-- credit_parts are the parts of the invoice's lines that the refund's credit note takes off, where they are not in proportion.
ALTER TABLE refunds ADD COLUMN credit_parts jsonb;

-- Paise by which an invoice differs from what was paid, because tax is rounded by line.
INSERT INTO ledger_accounts (code, name, type, position) VALUES ('rounding', 'Rounding differences', 'expense', 17) ON CONFLICT DO NOTHING;
ALTER TABLE ledger_journals DROP CONSTRAINT ledger_journals_kind_check;
ALTER TABLE ledger_journals ADD CONSTRAINT ledger_journals_kind_check CHECK (kind IN
    ('sale', 'capture', 'extra_capture', 'held_capture', 'held_release', 'credit_note', 'refund', 'settlement',
    'settlement_return', 'adjustment', 'chargeback', 'chargeback_loss', 'credit_applied', 'refund_loss',
    'input_tax_refused', 'input_tax_restored', 'rounding'));

-- One act that staff ask for. content is what exactly, and does not change once it is asked for, so that what is approved is what is
-- done. facts are what staff were shown of it. An act whose customer is named by franchiser_ref gives no access to its rows. The
-- worker does what is approved, once.
CREATE TABLE staff_acts (
    id              uuid        PRIMARY KEY,
    kind            text        NOT NULL CHECK (kind IN ('short_payment', 'correct_recipient', 'cancel_plan', 'reset_authenticator',
        'change_mobile', 'outage_grace')),
    franchiser_ref  uuid        REFERENCES franchisers,  -- none for an act on many
    subject         text        NOT NULL,                -- what must not be acted on twice at once
    content         jsonb       NOT NULL,
    facts           jsonb       NOT NULL,
    amount_paise    bigint      NOT NULL DEFAULT 0 CHECK (amount_paise >= 0),
    reason          text        NOT NULL CHECK (reason ~ '\S'),
    state           text        NOT NULL CHECK (state IN ('waiting', 'approved', 'declined', 'withdrawn', 'done', 'failed')),
    needs_approval  boolean     NOT NULL,
    key             text        NOT NULL CHECK (char_length(key) BETWEEN 8 AND 128),
    requested_by    uuid        NOT NULL REFERENCES staff,
    requested_at    timestamptz NOT NULL,
    decided_by      uuid        REFERENCES staff,
    decided_at      timestamptz,
    decision_reason text        NOT NULL DEFAULT '',
    progress        text        NOT NULL DEFAULT '',     -- how far an act on many is: the last customer
    handled         int         NOT NULL DEFAULT 0,
    outcome         text        NOT NULL DEFAULT '',     -- what was done, or why it could not be
    finished_at     timestamptz,
    UNIQUE (requested_by, key),
    CHECK (decided_by <> requested_by),
    CHECK ((decided_by IS NULL) = (decided_at IS NULL)),
    CHECK (NOT needs_approval OR state IN ('waiting', 'withdrawn') OR decided_by IS NOT NULL),
    CHECK ((state IN ('done', 'failed')) = (finished_at IS NOT NULL))
);
CREATE UNIQUE INDEX staff_acts_one_open ON staff_acts (subject) WHERE state IN ('waiting', 'approved');
CREATE INDEX staff_acts_list ON staff_acts (requested_at DESC, id DESC);
CREATE INDEX staff_acts_of_franchiser ON staff_acts (franchiser_ref, requested_at DESC);
GRANT SELECT, INSERT ON staff_acts TO franchise360_api;
GRANT UPDATE (state, decided_by, decided_at, decision_reason) ON staff_acts TO franchise360_api;
GRANT SELECT, UPDATE ON staff_acts TO franchise360_worker;
ALTER TABLE staff_acts ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON staff_acts FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
-- Whoever is no admin needs an admin for everything.
CREATE POLICY own_name ON staff_acts FOR INSERT TO franchise360_api
    WITH CHECK (requested_by = (SELECT acting_staff()) AND decided_by IS NULL
        AND state = CASE WHEN needs_approval THEN 'waiting' ELSE 'approved' END
        AND (needs_approval OR (SELECT acting_staff('admin')) IS NOT NULL));
CREATE POLICY another_decides ON staff_acts FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL)
    WITH CHECK (decided_by = (SELECT acting_staff('admin')) AND decided_by <> requested_by AND state IN ('approved', 'declined')
        OR requested_by = (SELECT acting_staff()) AND decided_by IS NULL AND state = 'withdrawn');
CREATE POLICY every_row ON staff_acts TO franchise360_worker USING (true) WITH CHECK (true);
CREATE TRIGGER transitions BEFORE UPDATE OF state ON staff_acts FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('waiting>approved', 'waiting>declined', 'waiting>withdrawn', 'approved>done', 'approved>failed');
CREATE TRIGGER first_states AFTER INSERT ON staff_acts FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('waiting', 'approved');
ALTER TABLE staff_acts ENABLE ALWAYS TRIGGER first_states;
-- +goose StatementBegin
CREATE FUNCTION keep_staff_act() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.kind, OLD.subject, OLD.content, OLD.facts, OLD.amount_paise, OLD.requested_by, OLD.needs_approval)
            <> (NEW.kind, NEW.subject, NEW.content, NEW.facts, NEW.amount_paise, NEW.requested_by, NEW.needs_approval)
        OR OLD.franchiser_ref IS DISTINCT FROM NEW.franchiser_ref
        OR OLD.decided_by IS NOT NULL AND NEW.decided_by IS DISTINCT FROM OLD.decided_by THEN
        RAISE EXCEPTION 'what was asked for or decided stays so' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

-- alone_in_acts is what a member of staff has had done without a second person in a time, in paise.
CREATE FUNCTION alone_in_acts(who uuid, after timestamptz, before timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SET search_path = pg_catalog, public AS $$
    SELECT coalesce(sum(amount_paise), 0)::bigint FROM public.staff_acts
    WHERE requested_by = who AND NOT needs_approval AND state IN ('approved', 'done')
        AND requested_at >= after AND requested_at < before $$;
-- +goose StatementEnd
CREATE TRIGGER keep_act BEFORE UPDATE ON staff_acts FOR EACH ROW EXECUTE FUNCTION keep_staff_act();

-- +goose Down
DROP TABLE staff_acts;
DROP FUNCTION keep_staff_act(), alone_in_acts(uuid, timestamptz, timestamptz);
-- The account and its journals stay: books are never shortened.
ALTER TABLE refunds DROP COLUMN credit_parts;
DROP TRIGGER transitions ON payments;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON payments FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'created>pending', 'created>paid', 'created>failed', 'created>expired', 'created>held',
        'pending>paid', 'pending>failed', 'pending>expired', 'pending>held',
        'failed>paid', 'failed>held', 'expired>paid', 'expired>held', 'held>refunded', 'paid>refunded');
DROP POLICY another_decides ON reversals;
CREATE POLICY another_decides ON reversals FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL)
    WITH CHECK (decided_by = (SELECT acting_staff('admin')) AND decided_by <> requested_by AND state IN ('approved', 'declined'));
DROP TRIGGER transitions ON reversals;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON reversals FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'waiting>approved', 'waiting>declined', 'approved>done', 'approved>failed', 'approved>waiting');
ALTER TABLE reversals DROP CONSTRAINT reversals_decided_by_another;
ALTER TABLE reversals ADD CONSTRAINT reversals_check2 CHECK (NOT needs_approval OR state IN ('waiting', 'withdrawn') OR decided_by IS NOT NULL);
