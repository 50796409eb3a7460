-- Which state of a row may follow which: the guard of the tables in pkg/payment/state.go and pkg/subscription/state.go, against
-- which a test holds every pair of states.

-- +goose Up
-- +goose StatementBegin
-- The arguments are all changes of state that are allowed, each as from>to. The constraint in the error is <table>_transitions.
CREATE FUNCTION keep_to_transitions() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NOT OLD.state || '>' || NEW.state = ANY (TG_ARGV) THEN
        RAISE EXCEPTION 'a row of % does not go from % to %', TG_TABLE_NAME, OLD.state, NEW.state
            USING ERRCODE = 'check_violation', CONSTRAINT = TG_TABLE_NAME || '_transitions';
    END IF;
    RETURN NEW;
END $$;

-- What was decided about a reversal stays so: who asked, who decided, and what about.
CREATE FUNCTION keep_decided_reversal() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.decided_by IS NOT NULL AND (NEW.decided_by IS DISTINCT FROM OLD.decided_by OR NEW.state = 'waiting')
        OR NEW.requested_by <> OLD.requested_by OR NEW.amount_paise <> OLD.amount_paise OR NEW.payment_id <> OLD.payment_id THEN
        RAISE EXCEPTION 'a reversal that was decided stays so' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION keep_charge() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.franchiser_id, NEW.order_id, NEW.transaction_id, NEW.gateway, NEW.amount_paise, NEW.currency, NEW.created_at)
        <> (OLD.franchiser_id, OLD.order_id, OLD.transaction_id, OLD.gateway, OLD.amount_paise, OLD.currency, OLD.created_at) THEN
        RAISE EXCEPTION 'what a payment is for does not change' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
DROP TRIGGER go_forward ON payments;
DROP FUNCTION payments_go_forward();
CREATE TRIGGER keep_charge BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION keep_charge();
DROP TRIGGER forward_only ON reversals;
DROP FUNCTION refuse_backward_reversal();
CREATE TRIGGER keep_decided BEFORE UPDATE ON reversals FOR EACH ROW EXECUTE FUNCTION keep_decided_reversal();

CREATE TRIGGER transitions BEFORE UPDATE OF state ON payments FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'created>pending', 'created>paid', 'created>failed', 'created>expired', 'created>held',
        'pending>paid', 'pending>failed', 'pending>expired', 'pending>held',
        'failed>paid', 'failed>held', 'expired>paid', 'expired>held', 'held>refunded', 'paid>refunded');
CREATE TRIGGER transitions BEFORE UPDATE OF state ON refunds FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('requested>sent', 'requested>done', 'requested>failed', 'sent>done', 'sent>failed');
CREATE TRIGGER transitions BEFORE UPDATE OF state ON disputes FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'open>won', 'open>lost', 'open>dismissed', 'won>open', 'won>lost', 'dismissed>open', 'dismissed>won', 'dismissed>lost');
CREATE TRIGGER transitions BEFORE UPDATE OF state ON reversals FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'waiting>approved', 'waiting>declined', 'approved>done', 'approved>failed', 'approved>waiting');
CREATE TRIGGER transitions BEFORE UPDATE OF state ON orders FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'open>paid', 'open>superseded', 'open>cancelled', 'superseded>paid', 'superseded>cancelled',
        'scheduled>paid', 'scheduled>done', 'scheduled>cancelled');
CREATE TRIGGER transitions BEFORE UPDATE OF state ON subscriptions FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'trialing>active', 'trialing>expired', 'active>grace', 'active>expired', 'grace>active', 'grace>expired',
        'expired>active', 'expired>grace', 'expired>lapsed', 'lapsed>active');

-- +goose Down
DROP TRIGGER transitions ON subscriptions;
DROP TRIGGER transitions ON orders;
DROP TRIGGER transitions ON reversals;
DROP TRIGGER transitions ON disputes;
DROP TRIGGER transitions ON refunds;
DROP TRIGGER transitions ON payments;
DROP TRIGGER keep_decided ON reversals;
DROP TRIGGER keep_charge ON payments;
DROP FUNCTION keep_charge();
DROP FUNCTION keep_decided_reversal();
DROP FUNCTION keep_to_transitions();
-- +goose StatementBegin
CREATE FUNCTION payments_go_forward() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> OLD.state AND NOT (CASE OLD.state
        WHEN 'created' THEN NEW.state IN ('pending', 'paid', 'failed', 'expired', 'held')
        WHEN 'pending' THEN NEW.state IN ('paid', 'failed', 'expired', 'held')
        WHEN 'failed'  THEN NEW.state IN ('paid', 'held')
        WHEN 'expired' THEN NEW.state IN ('paid', 'held')
        WHEN 'held'    THEN NEW.state IN ('paid', 'failed', 'refunded')
        WHEN 'paid'    THEN NEW.state = 'refunded'
        ELSE false END)
    THEN
        RAISE EXCEPTION 'a payment does not go from % to %', OLD.state, NEW.state
            USING ERRCODE = 'check_violation', CONSTRAINT = 'payments_go_forward';
    END IF;
    IF (NEW.franchiser_id, NEW.order_id, NEW.transaction_id, NEW.gateway, NEW.amount_paise, NEW.currency, NEW.created_at)
        <> (OLD.franchiser_id, OLD.order_id, OLD.transaction_id, OLD.gateway, OLD.amount_paise, OLD.currency, OLD.created_at) THEN
        RAISE EXCEPTION 'what a payment is for does not change' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION refuse_backward_reversal() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state IN ('declined', 'done', 'failed') AND NEW.state <> OLD.state
        OR OLD.decided_by IS NOT NULL AND NEW.decided_by IS DISTINCT FROM OLD.decided_by
        OR OLD.state = 'approved' AND NEW.state = 'waiting' AND OLD.decided_by IS NOT NULL
        OR NEW.requested_by <> OLD.requested_by OR NEW.amount_paise <> OLD.amount_paise OR NEW.payment_id <> OLD.payment_id THEN
        RAISE EXCEPTION 'a reversal that was decided stays so' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER go_forward BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION payments_go_forward();
CREATE TRIGGER forward_only BEFORE UPDATE ON reversals FOR EACH ROW EXECUTE FUNCTION refuse_backward_reversal();
