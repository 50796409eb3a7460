-- Staff views of an account with the customer's consent. The rows belong to the operator; franchiser_ref gives no access.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- Permission to view an account for a limited time, read-only. The consent code is HMAC(key, id) cut to six digits and is not stored; the
-- browser's token is stored as SHA-256.
CREATE TABLE support_views (
    id              uuid        PRIMARY KEY,
    franchiser_ref  uuid        NOT NULL,
    staff_id        uuid        NOT NULL REFERENCES staff,
    session_id      uuid        REFERENCES staff_sessions ON DELETE SET NULL, -- the view ends with the session
    reason          text        NOT NULL CHECK (reason ~ '\S'),
    requested_at    timestamptz NOT NULL,
    code_expires_at timestamptz NOT NULL,
    tries           int         NOT NULL DEFAULT 0,
    token_hash      bytea       UNIQUE CHECK (octet_length(token_hash) = 32),
    begun_at        timestamptz,
    ends_at         timestamptz,
    ended_at        timestamptz,
    ended_by        text        CHECK (ended_by IN ('staff', 'customer', 'another')),
    CHECK ((begun_at IS NULL) = (token_hash IS NULL) AND (begun_at IS NULL) = (ends_at IS NULL)),
    CHECK ((ended_at IS NULL) = (ended_by IS NULL))
);
CREATE INDEX support_views_of_franchiser ON support_views (franchiser_ref, requested_at DESC);
CREATE INDEX support_views_of_staff ON support_views (staff_id);
CREATE INDEX support_views_of_session ON support_views (session_id);
ALTER TABLE support_views ENABLE ROW LEVEL SECURITY;
-- Auditors record their reads, and change nothing else.
CREATE POLICY own_views ON support_views TO franchise360_api
    USING (staff_id = (SELECT acting_staff()) OR franchiser_ref = (SELECT current_franchiser()))
    WITH CHECK (staff_id = (SELECT acting_staff('help')) OR franchiser_ref = (SELECT current_franchiser()) AND ended_by = 'customer');
CREATE POLICY every_row ON support_views FOR SELECT TO franchise360_worker, franchise360_lookup USING (true);
CREATE POLICY old_rows ON support_views FOR DELETE TO franchise360_worker USING (true);
-- The worker deletes old rows.
GRANT SELECT, INSERT, UPDATE ON support_views TO franchise360_api;
GRANT SELECT, DELETE ON support_views TO franchise360_worker;
GRANT SELECT ON support_views TO franchise360_lookup;

-- find_staff_view returns the open view of the browser's token. It ends with the staff session or when the member is disabled.
CREATE FUNCTION find_staff_view(token bytea, at timestamptz)
        RETURNS TABLE (id uuid, franchiser_ref uuid, staff_id uuid, staff_name text, session_id uuid, reason text, requested_at
        timestamptz, code_expires_at timestamptz, begun_at timestamptz, ends_at timestamptz, ended_at timestamptz, ended_by text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public
    AS $$ SELECT v.id, v.franchiser_ref, v.staff_id, s.staff_name, v.session_id, v.reason, v.requested_at, v.code_expires_at, v.begun_at,
            v.ends_at, v.ended_at, v.ended_by
        FROM public.support_views v JOIN LATERAL public.live_staff_session(v.session_id, at) s ON s.staff_id = v.staff_id
        WHERE v.token_hash = token AND v.ended_at IS NULL AND v.ends_at > at $$;

-- Owner and callers of the function above.
ALTER FUNCTION find_staff_view(bytea, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_staff_view(bytea, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_staff_view(bytea, timestamptz) TO franchise360_api;

-- Foreign keys of earlier files.
ALTER TABLE support_messages ADD FOREIGN KEY (view_id) REFERENCES support_views;
-- +goose StatementEnd
