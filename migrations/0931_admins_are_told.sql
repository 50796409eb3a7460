-- Admins are told of each account with which somebody may act as one.

-- +goose Up
ALTER TABLE staff_notices DROP CONSTRAINT staff_notices_kind_check;
ALTER TABLE staff_notices ADD CONSTRAINT staff_notices_kind_check
    CHECK (kind IN ('passkey_added', 'passkey_removed', 'passkey_copied', 'admin_made')) NOT VALID;
ALTER TABLE staff_notices VALIDATE CONSTRAINT staff_notices_kind_check;
-- +goose StatementBegin
-- tell_other_admins notes for each other admin that this account is one of an admin, once a minute, and returns the notices. Whoever
-- accepts an invitation proves no session, so that it asks for none; it tells nothing that is not so.
CREATE FUNCTION tell_other_admins(member uuid, moment timestamptz) RETURNS SETOF uuid
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    INSERT INTO public.staff_notices (id, staff_id, email, kind, about, address, created_at)
    SELECT uuidv7(), a.id, a.email, 'admin_made', m.name || ', ' || m.email, '', moment
    FROM public.staff m JOIN public.staff a ON a.id <> m.id AND a.role = 'admin' AND a.disabled_at IS NULL
    WHERE m.id = member AND m.role = 'admin' AND m.disabled_at IS NULL
        AND NOT EXISTS (SELECT FROM public.staff_notices n WHERE n.staff_id = a.id AND n.kind = 'admin_made'
            AND n.about = m.name || ', ' || m.email AND n.created_at > moment - interval '1 minute')
    RETURNING id $$;
-- +goose StatementEnd
GRANT SELECT (id, staff_id, kind, about, created_at) ON staff_notices TO franchise360_lookup;
ALTER FUNCTION tell_other_admins(uuid, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION tell_other_admins(uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tell_other_admins(uuid, timestamptz) TO franchise360_api;

-- +goose Down
DROP FUNCTION tell_other_admins(uuid, timestamptz);
REVOKE SELECT (id, staff_id, kind, about, created_at) ON staff_notices FROM franchise360_lookup;
DELETE FROM staff_notices WHERE kind = 'admin_made';
ALTER TABLE staff_notices DROP CONSTRAINT staff_notices_kind_check;
ALTER TABLE staff_notices ADD CONSTRAINT staff_notices_kind_check CHECK (kind IN ('passkey_added', 'passkey_removed', 'passkey_copied'));
