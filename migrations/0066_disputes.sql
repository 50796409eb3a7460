-- Disputes of customers' banks (chargebacks): what is disputed, how it ends, and what is booked when it is lost.

-- +goose Up
CREATE TABLE disputes (
    id                 uuid        PRIMARY KEY,
    franchiser_id      uuid        NOT NULL,
    payment_id         uuid        NOT NULL,
    gateway_dispute_id text        NOT NULL,
    state              text        NOT NULL CHECK (state IN ('open', 'won', 'lost')),
    amount_paise       bigint      NOT NULL CHECK (amount_paise >= 0), -- what was taken back, once it is lost
    refund_id          uuid,                                          -- the part that was still left of the payment
    opened_at          timestamptz NOT NULL,
    decided_at         timestamptz,
    UNIQUE (franchiser_id, id),
    UNIQUE (payment_id, gateway_dispute_id),
    FOREIGN KEY (franchiser_id, payment_id) REFERENCES payments (franchiser_id, id),
    FOREIGN KEY (franchiser_id, refund_id) REFERENCES refunds (franchiser_id, id),
    CHECK ((state = 'open') = (decided_at IS NULL))
);
CREATE INDEX disputes_of_franchiser ON disputes (franchiser_id, opened_at DESC);
CREATE INDEX disputes_open ON disputes (opened_at) WHERE state = 'open';
CALL isolate('disputes');
GRANT SELECT ON disputes TO franchise360_api;
GRANT SELECT, INSERT, UPDATE ON disputes TO franchise360_worker;

INSERT INTO ledger_accounts (code, name, type, position) VALUES ('chargebacks', 'Chargebacks lost', 'expense', 13)
    ON CONFLICT DO NOTHING;
ALTER TABLE ledger_journals DROP CONSTRAINT IF EXISTS ledger_journals_kind_check;
ALTER TABLE ledger_journals ADD CONSTRAINT ledger_journals_kind_check CHECK (kind IN
    ('sale', 'capture', 'extra_capture', 'credit_note', 'refund', 'settlement', 'adjustment', 'chargeback', 'chargeback_loss'));

-- +goose Down
-- The account and the wider rule stay: journals may name them, and books are never shortened.
DROP TABLE disputes;
