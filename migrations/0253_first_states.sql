-- +goose Up
-- A row begins in a first state: who could insert a payment as paid, or a refund as done, would need no way there. After the insertion,
-- because an upsert proposes later states of rows that are there already. Tests and repairs write as the owner of the tables.

-- +goose StatementBegin
-- The arguments are the states in which a row may begin. The constraint in the error is <table>_first_state.
CREATE FUNCTION keep_to_first_states() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT NEW.state = ANY (TG_ARGV) THEN
        RAISE EXCEPTION 'a row of % does not begin as %', TG_TABLE_NAME, NEW.state
            USING ERRCODE = 'check_violation', CONSTRAINT = TG_TABLE_NAME || '_first_state';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER first_states AFTER INSERT ON payments FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('created');
ALTER TABLE payments ENABLE ALWAYS TRIGGER first_states;

CREATE TRIGGER first_states AFTER INSERT ON refunds FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('requested', 'sent');
ALTER TABLE refunds ENABLE ALWAYS TRIGGER first_states;

CREATE TRIGGER first_states AFTER INSERT ON disputes FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('open');
ALTER TABLE disputes ENABLE ALWAYS TRIGGER first_states;

CREATE TRIGGER first_states AFTER INSERT ON reversals FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('waiting', 'approved');
ALTER TABLE reversals ENABLE ALWAYS TRIGGER first_states;

CREATE TRIGGER first_states AFTER INSERT ON subscriptions FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('trialing', 'active');
ALTER TABLE subscriptions ENABLE ALWAYS TRIGGER first_states;

CREATE TRIGGER first_states AFTER INSERT ON orders FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('open', 'scheduled');
ALTER TABLE orders ENABLE ALWAYS TRIGGER first_states;

-- +goose Down
DROP TRIGGER first_states ON payments;
DROP TRIGGER first_states ON refunds;
DROP TRIGGER first_states ON disputes;
DROP TRIGGER first_states ON reversals;
DROP TRIGGER first_states ON subscriptions;
DROP TRIGGER first_states ON orders;
DROP FUNCTION keep_to_first_states();
