-- What staff asked for names new mobiles and recipients of invoices; an erasure takes that away. What was done, by whom and why stays.

-- +goose Up
ALTER TABLE staff_acts ADD COLUMN erased_at timestamptz;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION keep_staff_act() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.erased_at IS NOT NULL AND OLD.erased_at IS NULL AND NEW.content = '{}' AND NEW.facts = '[]' AND NEW.state = OLD.state
        AND OLD.state NOT IN ('waiting', 'approved') THEN
        OLD.content = NEW.content;
        OLD.facts = NEW.facts;
    END IF;
    IF (OLD.kind, OLD.subject, OLD.content, OLD.facts, OLD.amount_paise, OLD.requested_by, OLD.needs_approval)
            <> (NEW.kind, NEW.subject, NEW.content, NEW.facts, NEW.amount_paise, NEW.requested_by, NEW.needs_approval)
        OR OLD.franchiser_ref IS DISTINCT FROM NEW.franchiser_ref
        OR OLD.erased_at IS NOT NULL AND NEW.erased_at IS DISTINCT FROM OLD.erased_at
        OR OLD.decided_by IS NOT NULL AND NEW.decided_by IS DISTINCT FROM OLD.decided_by THEN
        RAISE EXCEPTION 'what was asked for or decided stays so' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION keep_staff_act() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.kind, OLD.subject, OLD.content, OLD.facts, OLD.amount_paise, OLD.requested_by, OLD.needs_approval)
            <> (NEW.kind, NEW.subject, NEW.content, NEW.facts, NEW.amount_paise, NEW.requested_by, NEW.needs_approval)
        OR OLD.franchiser_ref IS DISTINCT FROM NEW.franchiser_ref
        OR OLD.decided_by IS NOT NULL AND NEW.decided_by IS DISTINCT FROM OLD.decided_by THEN
        RAISE EXCEPTION 'what was asked for or decided stays so' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
ALTER TABLE staff_acts DROP COLUMN erased_at;
