-- What admins record of the books stands in their own name, under the proof of their session, as requests and approvals do.

-- +goose Up
ALTER TABLE book_locks ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody_reads ON book_locks FOR SELECT TO franchise360_api USING (true);
CREATE POLICY own_name ON book_locks FOR INSERT TO franchise360_api WITH CHECK (staff_id = (SELECT acting_staff('admin')));
CREATE POLICY every_row ON book_locks TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);
CREATE POLICY own_name ON input_tax_states AS RESTRICTIVE FOR INSERT TO franchise360_api
    WITH CHECK (staff_id = (SELECT acting_staff('admin')));

-- +goose StatementBegin
CREATE FUNCTION require_own_acknowledgement() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF current_user = 'franchise360_api' AND NEW.acknowledged_by IS DISTINCT FROM OLD.acknowledged_by THEN
        -- A statement of its own, because other roles may not run the function.
        IF NEW.acknowledged_by IS DISTINCT FROM public.acting_staff('admin') THEN
            RAISE EXCEPTION 'a difference is acknowledged in one''s own name' USING ERRCODE = 'insufficient_privilege';
        END IF;
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER own_name BEFORE UPDATE OF acknowledged_by ON settlement_differences
    FOR EACH ROW EXECUTE FUNCTION require_own_acknowledgement();

-- +goose Down
DROP TRIGGER own_name ON settlement_differences;
DROP FUNCTION require_own_acknowledgement();
DROP POLICY own_name ON input_tax_states;
DROP POLICY every_row ON book_locks;
DROP POLICY own_name ON book_locks;
DROP POLICY everybody_reads ON book_locks;
ALTER TABLE book_locks DISABLE ROW LEVEL SECURITY;
