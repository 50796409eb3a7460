-- What follows the right password, in one round trip: the session with its first refresh token, or the challenge that
-- stands before it, and who signed in.

-- +goose Up
-- +goose StatementBegin
-- begin_session runs with its caller's rights and sets the franchiser for the rest of the transaction, so that row-level
-- security holds inside it as anywhere. It answers no row where the password was changed since it was checked: the
-- account's row stays locked, so that a session of the old password can't begin while a reset ends all of them.
CREATE FUNCTION begin_session(
    f uuid, checked_hash text, now_at timestamptz, remembered boolean,
    session_id uuid, session_access bytea, session_access_expires timestamptz, session_expires timestamptz,
    session_agent text, session_address text, session_refresh bytea,
    challenge bytea, challenge_expires timestamptz)
    RETURNS TABLE (id uuid, mobile text, email text, first_name text, last_name text, totp_enabled boolean,
        created_at timestamptz, erasure_requested_at timestamptz, store_name text, has_address boolean)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    who franchisers%ROWTYPE;
BEGIN
    PERFORM set_config('app.franchiser_id', f::text, true);
    SELECT * INTO who FROM franchisers a
    WHERE a.id = f AND a.erased_at IS NULL AND a.password_hash = checked_hash FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF who.totp_enabled_at IS NOT NULL THEN
        INSERT INTO totp_challenges (token_hash, franchiser_id, remember, expires_at)
        VALUES (challenge, f, remembered, challenge_expires);
    ELSE
        INSERT INTO sessions (id, franchiser_id, access_hash, access_expires_at, refreshed_at, expires_at, remember,
                              user_agent, ip_address, created_at)
        VALUES (session_id, f, session_access, session_access_expires, now_at, session_expires, remembered,
                session_agent, session_address, now_at);
        INSERT INTO refresh_tokens (token_hash, franchiser_id, session_id, issued_at)
        VALUES (session_refresh, f, session_id, now_at);
    END IF;
    RETURN QUERY SELECT who.id, who.mobile, who.email, who.first_name, who.last_name, who.totp_enabled_at IS NOT NULL,
        who.created_at, who.erasure_requested_at,
        coalesce((SELECT t.store_name FROM tenants t WHERE t.franchiser_id = f AND t.closed_at IS NULL), ''),
        EXISTS (SELECT FROM business_addresses b WHERE b.franchiser_id = f);
END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION begin_session(uuid, text, timestamptz, boolean, uuid, bytea, timestamptz, timestamptz, text, text,
    bytea, bytea, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION begin_session(uuid, text, timestamptz, boolean, uuid, bytea, timestamptz, timestamptz, text, text,
    bytea, bytea, timestamptz) TO franchise360_api;

-- +goose Down
DROP FUNCTION begin_session(uuid, text, timestamptz, boolean, uuid, bytea, timestamptz, timestamptz, text, text,
    bytea, bytea, timestamptz);
