-- A session of staff ends when nobody used it for a while; seen_at is exact to the minute.

-- +goose Up
-- The default is for processes of the release before, which go on for a moment beside the new ones.
ALTER TABLE staff_sessions ADD COLUMN seen_at timestamptz NOT NULL DEFAULT now();
GRANT UPDATE (seen_at) ON staff_sessions TO franchise360_lookup;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION begin_staff_session(e text, hash text, session uuid, token bytea, step bigint, at timestamptz, until timestamptz)
    RETURNS uuid
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    WITH m AS (UPDATE public.staff m SET totp_last_step = step
        WHERE m.email = e AND m.password_hash = hash AND m.disabled_at IS NULL AND m.totp_last_step < step RETURNING m.id)
    INSERT INTO public.staff_sessions (id, staff_id, token_hash, created_at, seen_at, expires_at)
    SELECT session, m.id, token, at, at, until FROM m RETURNING staff_id $$;
-- +goose StatementEnd
DROP FUNCTION find_staff_session(bytea, timestamptz);
-- +goose StatementBegin
-- find_staff_session is the live session of the token that was used since the given moment.
CREATE FUNCTION find_staff_session(token bytea, at timestamptz, used_since timestamptz)
    RETURNS TABLE (session_id uuid, staff_id uuid, email text, name text, role text, seen_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.id, m.id, m.email, m.name, m.role, s.seen_at FROM public.staff_sessions s JOIN public.staff m ON m.id = s.staff_id
        WHERE s.token_hash = token AND s.ended_at IS NULL AND s.expires_at > at AND s.seen_at > used_since AND m.disabled_at IS NULL $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION see_staff_session(token bytea, at timestamptz) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.staff_sessions SET seen_at = at WHERE token_hash = token AND seen_at < at $$;
-- +goose StatementEnd
ALTER FUNCTION find_staff_session(bytea, timestamptz, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION see_staff_session(bytea, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_staff_session(bytea, timestamptz, timestamptz), see_staff_session(bytea, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_staff_session(bytea, timestamptz, timestamptz), see_staff_session(bytea, timestamptz) TO franchise360_api;

-- +goose Down
DROP FUNCTION see_staff_session(bytea, timestamptz), find_staff_session(bytea, timestamptz, timestamptz);
-- +goose StatementBegin
CREATE FUNCTION find_staff_session(token bytea, at timestamptz)
    RETURNS TABLE (session_id uuid, staff_id uuid, email text, name text, role text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.id, m.id, m.email, m.name, m.role FROM public.staff_sessions s JOIN public.staff m ON m.id = s.staff_id
        WHERE s.token_hash = token AND s.ended_at IS NULL AND s.expires_at > at AND m.disabled_at IS NULL $$;
-- +goose StatementEnd
ALTER FUNCTION find_staff_session(bytea, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_staff_session(bytea, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_staff_session(bytea, timestamptz) TO franchise360_api;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION begin_staff_session(e text, hash text, session uuid, token bytea, step bigint, at timestamptz, until timestamptz)
    RETURNS uuid
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    WITH m AS (UPDATE public.staff m SET totp_last_step = step
        WHERE m.email = e AND m.password_hash = hash AND m.disabled_at IS NULL AND m.totp_last_step < step RETURNING m.id)
    INSERT INTO public.staff_sessions (id, staff_id, token_hash, created_at, expires_at)
    SELECT session, m.id, token, at, until FROM m RETURNING staff_id $$;
-- +goose StatementEnd
ALTER TABLE staff_sessions DROP COLUMN seen_at;
