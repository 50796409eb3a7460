-- Two more roles of staff: finance, who work with money and documents, and auditors, who read everything and change nothing.

-- +goose Up
ALTER TABLE staff DROP CONSTRAINT staff_role_check,
    ADD CONSTRAINT staff_role_check CHECK (role IN ('support', 'finance', 'auditor', 'admin'));

-- +goose StatementBegin
-- acting_staff is the member of staff whose live session the transaction proves, if the member has the rank; otherwise NULL. 'support',
-- which is what is asked where nothing is said, is every member; 'help' is whoever may act for a customer; admins have every rank. The
-- api decides when a session expires, because its clock may be moved.
CREATE OR REPLACE FUNCTION acting_staff(rank text DEFAULT 'support') RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT m.id FROM public.staff_sessions s JOIN public.staff m ON m.id = s.staff_id
    WHERE s.token_hash = decode(nullif(current_setting('app.proof', true), ''), 'hex') AND s.ended_at IS NULL
        AND m.disabled_at IS NULL
        AND (rank = 'support' OR m.role = 'admin' OR m.role = rank OR rank = 'help' AND m.role = 'support') $$;
-- +goose StatementEnd

-- Auditors record what they read, and change nothing else.
ALTER POLICY own_views ON support_views
    WITH CHECK (staff_id = (SELECT acting_staff('help')) OR franchiser_ref = (SELECT current_franchiser()) AND ended_by = 'customer');
ALTER POLICY staff_move ON contact_requests
    USING ((SELECT acting_staff('help')) IS NOT NULL) WITH CHECK (handled_by = (SELECT acting_staff('help')));
ALTER POLICY own_name ON job_operations WITH CHECK (staff_id = (SELECT acting_staff('help')));

-- Finance ask for money to go back; whatever needs a second person still needs an admin.
ALTER POLICY own_name ON reversals WITH CHECK (requested_by = (SELECT acting_staff('finance')) AND decided_by IS NULL
    AND state = CASE WHEN needs_approval THEN 'waiting' ELSE 'approved' END);
ALTER POLICY own_name ON input_tax_states WITH CHECK (staff_id = (SELECT acting_staff('finance')));

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION require_own_acknowledgement() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF current_user = 'franchise360_api' AND NEW.acknowledged_by IS DISTINCT FROM OLD.acknowledged_by THEN
        -- A statement of its own, because other roles may not run the function.
        IF NEW.acknowledged_by IS DISTINCT FROM public.acting_staff('finance') THEN
            RAISE EXCEPTION 'a difference is acknowledged in one''s own name' USING ERRCODE = 'insufficient_privilege';
        END IF;
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION require_own_acknowledgement() RETURNS trigger
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
ALTER POLICY own_name ON input_tax_states WITH CHECK (staff_id = (SELECT acting_staff('admin')));
ALTER POLICY own_name ON reversals WITH CHECK (requested_by = (SELECT acting_staff('admin')) AND decided_by IS NULL
    AND state = CASE WHEN needs_approval THEN 'waiting' ELSE 'approved' END);
ALTER POLICY own_name ON job_operations WITH CHECK (staff_id = (SELECT acting_staff()));
ALTER POLICY staff_move ON contact_requests
    USING ((SELECT acting_staff()) IS NOT NULL) WITH CHECK (handled_by = (SELECT acting_staff()));
ALTER POLICY own_views ON support_views
    WITH CHECK (staff_id = (SELECT acting_staff()) OR franchiser_ref = (SELECT current_franchiser()) AND ended_by = 'customer');
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION acting_staff(rank text DEFAULT 'support') RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT m.id FROM public.staff_sessions s JOIN public.staff m ON m.id = s.staff_id
    WHERE s.token_hash = decode(nullif(current_setting('app.proof', true), ''), 'hex') AND s.ended_at IS NULL
        AND m.disabled_at IS NULL AND (rank = 'support' OR m.role = rank) $$;
-- +goose StatementEnd
-- Without their roles nobody of them may sign in; the trail keeps their accounts.
UPDATE staff SET role = 'support', disabled_at = coalesce(disabled_at, now()) WHERE role IN ('finance', 'auditor');
ALTER TABLE staff DROP CONSTRAINT staff_role_check, ADD CONSTRAINT staff_role_check CHECK (role IN ('support', 'admin'));
