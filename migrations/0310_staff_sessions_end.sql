-- +goose Up
-- A look at an account ends with the sign-in that asked for it, and stands in the customer's list for ever: the sign-in need not.
ALTER TABLE support_views ALTER COLUMN session_id DROP NOT NULL;
ALTER TABLE support_views DROP CONSTRAINT support_views_session_id_fkey;
ALTER TABLE support_views ADD CONSTRAINT support_views_session_id_fkey
    FOREIGN KEY (session_id) REFERENCES staff_sessions ON DELETE SET NULL NOT VALID;
ALTER TABLE support_views VALIDATE CONSTRAINT support_views_session_id_fkey;

-- purge_staff_sessions deletes sessions that ended by themselves before a moment, at most so many at once, and says how many.
-- +goose StatementBegin
CREATE FUNCTION purge_staff_sessions(before timestamptz, most integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    WITH gone AS (
        DELETE FROM public.staff_sessions WHERE id = ANY (ARRAY(
            SELECT s.id FROM public.staff_sessions s WHERE s.expires_at < before LIMIT most))
        RETURNING id)
    SELECT count(*) FROM gone $$;
-- +goose StatementEnd
GRANT DELETE ON staff_sessions TO franchise360_lookup;
ALTER FUNCTION purge_staff_sessions(timestamptz, integer) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION purge_staff_sessions(timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_staff_sessions(timestamptz, integer) TO franchise360_worker;

-- +goose Down
DROP FUNCTION purge_staff_sessions(timestamptz, integer);
REVOKE DELETE ON staff_sessions FROM franchise360_lookup;
