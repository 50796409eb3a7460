-- Disputes that staff close, and hints that cannot crowd out later ones.

-- +goose Up

-- Dismissed: staff looked at the gateway, and it knows of no such dispute.
ALTER TABLE disputes
    DROP CONSTRAINT disputes_confirmed,
    DROP CONSTRAINT disputes_state_check,
    ADD CONSTRAINT disputes_state_check CHECK (state IN ('open', 'won', 'lost', 'dismissed')),
    ADD CONSTRAINT disputes_confirmed CHECK (confirmed OR state IN ('open', 'dismissed'));
GRANT UPDATE (state, confirmed, decided_at) ON disputes TO franchise360_api;

-- +goose StatementBegin
-- The api may not close a dispute as lost: that moves money, and is the worker's.
CREATE FUNCTION check_closed_dispute() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_user = 'franchise360_api' AND (OLD.state <> 'open' OR NEW.state NOT IN ('won', 'dismissed')) THEN
        RAISE EXCEPTION 'the api closes open disputes as won or dismissed only' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER disputes_closed BEFORE UPDATE ON disputes FOR EACH ROW EXECUTE FUNCTION check_closed_dispute();

-- A hint that had its effect may be forgotten; what was signed, and what is not seen to yet, never.
GRANT DELETE ON payment_events TO franchise360_api, franchise360_worker;
CREATE POLICY forget_hints ON payment_events AS RESTRICTIVE FOR DELETE TO franchise360_api, franchise360_worker
    USING (NOT signed AND applied_at IS NOT NULL);

ALTER TABLE settlement_differences DROP CONSTRAINT settlement_differences_kind_check;
ALTER TABLE settlement_differences ADD CONSTRAINT settlement_differences_kind_check CHECK (kind IN
    ('unknown_to_us', 'not_paid_here', 'not_settled', 'capture_amount', 'settled_twice', 'unknown_refund',
        'refund_amount', 'refund_returned', 'unknown_dispute', 'dispute_taken', 'dispute_returned', 'net_amount', 'changed', 'withdrawn'));

-- +goose Down
DELETE FROM settlement_differences WHERE kind = 'dispute_taken';
ALTER TABLE settlement_differences DROP CONSTRAINT settlement_differences_kind_check;
ALTER TABLE settlement_differences ADD CONSTRAINT settlement_differences_kind_check CHECK (kind IN
    ('unknown_to_us', 'not_paid_here', 'not_settled', 'capture_amount', 'settled_twice', 'unknown_refund',
        'refund_amount', 'refund_returned', 'unknown_dispute', 'dispute_returned', 'net_amount', 'changed', 'withdrawn'));
DROP POLICY forget_hints ON payment_events;
REVOKE DELETE ON payment_events FROM franchise360_api, franchise360_worker;
DROP TRIGGER disputes_closed ON disputes;
DROP FUNCTION check_closed_dispute();
REVOKE UPDATE (state, confirmed, decided_at) ON disputes FROM franchise360_api;
UPDATE disputes SET state = 'won', confirmed = true WHERE state = 'dismissed';
ALTER TABLE disputes
    DROP CONSTRAINT disputes_confirmed,
    DROP CONSTRAINT disputes_state_check,
    ADD CONSTRAINT disputes_state_check CHECK (state IN ('open', 'won', 'lost')),
    ADD CONSTRAINT disputes_confirmed CHECK (confirmed OR state = 'open');
