-- Contact requests about billing are also finance's, and so is every request that is given to a member of finance.

-- +goose Up
DROP POLICY staff_move ON contact_requests;
CREATE POLICY staff_move ON contact_requests FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff('help')) IS NOT NULL
        OR (SELECT acting_staff('finance')) IS NOT NULL AND (topic = 'billing' OR owner_id = (SELECT acting_staff('finance'))))
    WITH CHECK (handled_by = coalesce((SELECT acting_staff('help')), (SELECT acting_staff('finance'))));
DROP POLICY own_name ON contact_entries;
CREATE POLICY own_name ON contact_entries FOR INSERT TO franchise360_api
    WITH CHECK (written_by = coalesce((SELECT acting_staff('help')), (SELECT acting_staff('finance'))) AND sent_at IS NULL AND send_error = ''
        AND ((SELECT acting_staff('help')) IS NOT NULL
            OR contact_id IN (SELECT c.id FROM contact_requests c WHERE c.topic = 'billing' OR c.owner_id = (SELECT acting_staff('finance')))));
-- staff_who_answer are the members of staff to whom a contact request can be given. It takes the place of staff_who_help, which the release
-- before still calls.
-- +goose StatementBegin
CREATE FUNCTION staff_who_answer() RETURNS TABLE (id uuid, name text, role text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff();
    RETURN QUERY SELECT m.id, m.name, m.role FROM public.staff m WHERE m.disabled_at IS NULL AND m.role IN ('support', 'finance', 'admin')
        ORDER BY m.name, m.id; END $$;
-- +goose StatementEnd
ALTER FUNCTION staff_who_answer() OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION staff_who_answer() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION staff_who_answer() TO franchise360_api;

-- +goose Down
DROP FUNCTION staff_who_answer();
DROP POLICY own_name ON contact_entries;
CREATE POLICY own_name ON contact_entries FOR INSERT TO franchise360_api
    WITH CHECK (written_by = (SELECT acting_staff('help')) AND sent_at IS NULL AND send_error = '');
DROP POLICY staff_move ON contact_requests;
CREATE POLICY staff_move ON contact_requests FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff('help')) IS NOT NULL)
    WITH CHECK (handled_by = (SELECT acting_staff('help')));
