-- Passkeys of staff, beside password and authenticator. Signatures are checked in the api, which the database cannot see: so a session is
-- begun only with the passkey's secret, which stands here sealed under the master key and as a hash. A hole in a statement opens none.

-- +goose Up
-- No process accesses the table directly.
CREATE TABLE staff_passkeys (
    id            uuid        PRIMARY KEY,
    staff_id      uuid        NOT NULL REFERENCES staff,
    name          text        NOT NULL CHECK (name ~ '\S'), -- that its owner gave it
    credential_id bytea       NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
    public_key    bytea       NOT NULL,
    transports    text[]      NOT NULL,
    synced        boolean     NOT NULL, -- may be copied to other devices of its owner
    use_count     bigint      NOT NULL, -- as it counts its own uses; 0 if it does not
    sealed        bytea       NOT NULL, -- its secret, encrypted
    secret_hash   bytea       NOT NULL CHECK (octet_length(secret_hash) = 32),
    created_at    timestamptz NOT NULL,
    last_used_at  timestamptz
);
CREATE INDEX staff_passkeys_of_staff ON staff_passkeys (staff_id);
GRANT SELECT, INSERT, DELETE, UPDATE (name, use_count, last_used_at) ON staff_passkeys TO franchise360_lookup;

-- What browsers were asked to sign, each once, within minutes.
CREATE TABLE staff_passkey_challenges (
    holder     bytea       PRIMARY KEY CHECK (octet_length(holder) = 32), -- the hash of the session's token that adds one, or of the cookie's that signs in
    purpose    text        NOT NULL CHECK (purpose IN ('add', 'sign_in')),
    challenge  bytea       NOT NULL CHECK (octet_length(challenge) >= 16),
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
);
CREATE INDEX staff_passkey_challenges_expire ON staff_passkey_challenges (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON staff_passkey_challenges TO franchise360_lookup;
GRANT SELECT (holder, expires_at), DELETE ON staff_passkey_challenges TO franchise360_worker;

-- What members are told by e-mail of their own sign-in.
CREATE TABLE staff_notices (
    id         uuid        PRIMARY KEY,
    staff_id   uuid        NOT NULL REFERENCES staff,
    email      text        NOT NULL,
    kind       text        NOT NULL CHECK (kind IN ('passkey_added', 'passkey_removed', 'passkey_copied')),
    about      text        NOT NULL, -- the passkey's name
    address    text        NOT NULL, -- from where it was done
    created_at timestamptz NOT NULL,
    sent_at    timestamptz,
    send_error text        NOT NULL DEFAULT ''
);
CREATE INDEX staff_notices_created ON staff_notices (created_at);
GRANT INSERT ON staff_notices TO franchise360_lookup;
GRANT SELECT, UPDATE (sent_at, send_error), DELETE ON staff_notices TO franchise360_worker;

-- +goose StatementBegin
-- end_staff_passkeys takes the passkeys of a member away who is disabled, or whose authenticator is reset.
CREATE FUNCTION end_staff_passkeys() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
    DELETE FROM public.staff_passkeys WHERE staff_id = NEW.id;
    RETURN NULL;
END $$;

-- passkeys_of_staff are a member's passkeys, for the member, admins and auditors.
CREATE FUNCTION passkeys_of_staff(member uuid)
    RETURNS TABLE (id uuid, name text, credential_id bytea, transports text[], synced boolean, created_at timestamptz, last_used_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT p.id, p.name, p.credential_id, p.transports, p.synced, p.created_at, p.last_used_at FROM public.staff_passkeys p
        WHERE p.staff_id = member
            AND ((SELECT public.acting_staff()) = member OR (SELECT public.acting_staff('auditor')) IS NOT NULL)
        ORDER BY p.created_at, p.id $$;

-- ask_new_staff_passkey notes a challenge for the acting session, in place of an earlier one. It says 'password' unless the password's hash
-- is right, 'many' where the member has the most already, or 'done'.
CREATE FUNCTION ask_new_staff_passkey(hash text, asked bytea, most int, until timestamptz) RETURNS text
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    member uuid;
BEGIN
    SELECT m.id INTO member FROM public.staff m WHERE m.id = public.acting_staff() AND m.password_hash = hash;
    IF member IS NULL THEN
        RETURN 'password';
    ELSIF (SELECT count(*) FROM public.staff_passkeys p WHERE p.staff_id = member) >= most THEN
        RETURN 'many';
    END IF;
    INSERT INTO public.staff_passkey_challenges (holder, purpose, challenge, expires_at)
    VALUES (decode(current_setting('app.proof', true), 'hex'), 'add', asked, until)
    ON CONFLICT (holder) DO UPDATE SET purpose = excluded.purpose, challenge = excluded.challenge, expires_at = excluded.expires_at, used_at = NULL;
    RETURN 'done';
END $$;

-- ask_staff_passkey notes a challenge for a browser that signs in.
CREATE FUNCTION ask_staff_passkey(cookie bytea, asked bytea, until timestamptz) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ INSERT INTO public.staff_passkey_challenges (holder, purpose, challenge, expires_at) VALUES (cookie, 'sign_in', asked, until) $$;

-- use_staff_passkey_challenge uses the holder's challenge up and returns it; NULL if it was used, is too old or serves another purpose.
CREATE FUNCTION use_staff_passkey_challenge(of bytea, what text, moment timestamptz) RETURNS bytea
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.staff_passkey_challenges SET used_at = moment
        WHERE holder = of AND purpose = what AND used_at IS NULL AND expires_at > moment RETURNING challenge $$;

-- add_staff_passkey adds a passkey to the acting member's, whose session had its challenge used just now and so told the password. It says
-- 'expired', 'many', 'known' for a passkey that somebody has, or 'done'. A notice is told to the member.
CREATE FUNCTION add_staff_passkey(passkey uuid, n text, credential bytea, key bytea, by_way text[], copies boolean, uses bigint,
        closed bytea, digest bytea, most int, notice uuid, from_address text, moment timestamptz)
    RETURNS text
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    m public.staff;
BEGIN
    SELECT * INTO m FROM public.staff WHERE id = public.acting_staff() FOR UPDATE;
    DELETE FROM public.staff_passkey_challenges WHERE holder = decode(nullif(current_setting('app.proof', true), ''), 'hex')
        AND purpose = 'add' AND used_at IS NOT NULL AND expires_at > moment;
    IF m.id IS NULL OR NOT FOUND THEN
        RETURN 'expired';
    ELSIF (SELECT count(*) FROM public.staff_passkeys p WHERE p.staff_id = m.id) >= most THEN
        RETURN 'many';
    END IF;
    INSERT INTO public.staff_passkeys (id, staff_id, name, credential_id, public_key, transports, synced, use_count, sealed, secret_hash, created_at)
    VALUES (passkey, m.id, n, credential, key, by_way, copies, uses, closed, digest, moment)
    ON CONFLICT (credential_id) DO NOTHING;
    IF NOT FOUND THEN
        RETURN 'known';
    END IF;
    IF notice IS NOT NULL THEN
        INSERT INTO public.staff_notices (id, staff_id, email, kind, about, address, created_at)
        VALUES (notice, m.id, m.email, 'passkey_added', n, from_address, moment);
    END IF;
    RETURN 'done';
END $$;

-- rename_staff_passkey renames one of the acting member's; it returns the name before, NULL where there is none.
CREATE FUNCTION rename_staff_passkey(passkey uuid, n text) RETURNS text
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    before text;
BEGIN
    SELECT p.name INTO before FROM public.staff_passkeys p WHERE p.id = passkey AND p.staff_id = public.acting_staff() FOR UPDATE;
    UPDATE public.staff_passkeys SET name = n WHERE id = passkey AND before IS NOT NULL;
    RETURN before;
END $$;

-- remove_staff_passkey removes one of the acting member's, if the password's hash is right; the other sessions end. It says 'password',
-- 'missing' or 'done' with the passkey's name.
CREATE FUNCTION remove_staff_passkey(hash text, passkey uuid, notice uuid, from_address text, moment timestamptz, OUT outcome text, OUT was text)
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    m public.staff;
BEGIN
    SELECT * INTO m FROM public.staff WHERE id = public.acting_staff() AND password_hash = hash FOR UPDATE;
    IF m.id IS NULL THEN
        outcome := 'password';
        RETURN;
    END IF;
    DELETE FROM public.staff_passkeys p WHERE p.id = passkey AND p.staff_id = m.id RETURNING p.name INTO was;
    IF was IS NULL THEN
        outcome := 'missing';
        RETURN;
    END IF;
    UPDATE public.staff_sessions SET ended_at = moment WHERE staff_id = m.id AND ended_at IS NULL
        AND token_hash <> decode(current_setting('app.proof', true), 'hex');
    IF notice IS NOT NULL THEN
        INSERT INTO public.staff_notices (id, staff_id, email, kind, about, address, created_at)
        VALUES (notice, m.id, m.email, 'passkey_removed', was, from_address, moment);
    END IF;
    outcome := 'done';
END $$;

-- find_staff_passkey is a passkey with its owner, who is not disabled.
CREATE FUNCTION find_staff_passkey(credential bytea)
    RETURNS TABLE (id uuid, name text, public_key bytea, synced boolean, use_count bigint, sealed bytea,
        staff_id uuid, email text, staff_name text, role text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT p.id, p.name, p.public_key, p.synced, p.use_count, p.sealed, m.id, m.email, m.name, m.role
        FROM public.staff_passkeys p JOIN public.staff m ON m.id = p.staff_id
        WHERE p.credential_id = credential AND m.disabled_at IS NULL $$;

-- begin_staff_passkey_session opens a session for whoever shows the passkey's secret, and counts the use. It says 'refused', 'copied' where
-- the count did not grow, or 'open'.
CREATE FUNCTION begin_staff_passkey_session(passkey uuid, secret bytea, uses bigint, session uuid, token bytea, from_address text,
        moment timestamptz, until timestamptz)
    RETURNS text
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    member uuid;
    before bigint;
BEGIN
    -- The account is locked before its passkey, as where it is disabled.
    SELECT m.id INTO member FROM public.staff m
    WHERE m.id = (SELECT p.staff_id FROM public.staff_passkeys p WHERE p.id = passkey) AND m.disabled_at IS NULL FOR UPDATE;
    SELECT p.use_count INTO before FROM public.staff_passkeys p
    WHERE p.id = passkey AND p.staff_id = member AND p.secret_hash = sha256(secret) FOR UPDATE;
    IF before IS NULL THEN
        RETURN 'refused';
    ELSIF greatest(uses, before) > 0 AND uses <= before THEN
        RETURN 'copied';
    END IF;
    UPDATE public.staff_passkeys SET use_count = uses, last_used_at = moment WHERE id = passkey;
    INSERT INTO public.staff_sessions (id, staff_id, token_hash, created_at, seen_at, expires_at, address)
    VALUES (session, member, token, moment, moment, until, from_address);
    RETURN 'open';
END $$;

-- note_copied_staff_passkey records that a passkey came with a count that did not grow, ten times an hour at most, and whether it did.
CREATE FUNCTION note_copied_staff_passkey(passkey uuid, secret bytea, record uuid, notice uuid, why text, from_address text, moment timestamptz)
    RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    p public.staff_passkeys;
BEGIN
    SELECT * INTO p FROM public.staff_passkeys k WHERE k.id = passkey AND k.secret_hash = sha256(secret) FOR UPDATE;
    IF p.id IS NULL OR (SELECT count(*) FROM public.staff_actions a WHERE a.staff_id = p.staff_id AND a.action = 'passkey_copied'
            AND a.at > moment - interval '1 hour') >= 10 THEN
        RETURN false;
    END IF;
    INSERT INTO public.staff_actions (id, staff_id, action, target, reason, at)
    VALUES (record, p.staff_id, 'passkey_copied', 'staff:' || p.staff_id, why, moment);
    IF notice IS NOT NULL THEN
        INSERT INTO public.staff_notices (id, staff_id, email, kind, about, address, created_at)
        SELECT notice, m.id, m.email, 'passkey_copied', p.name, from_address, moment FROM public.staff m WHERE m.id = p.staff_id;
    END IF;
    RETURN true;
END $$;
-- +goose StatementEnd
ALTER FUNCTION end_staff_passkeys() OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION end_staff_passkeys() FROM PUBLIC;
CREATE TRIGGER end_passkeys AFTER UPDATE OF disabled_at, totp_secret ON staff
    FOR EACH ROW WHEN (NEW.disabled_at IS NOT NULL OR NEW.totp_secret IS NULL) EXECUTE FUNCTION end_staff_passkeys();
-- +goose StatementBegin
DO $$
DECLARE
    f text;
BEGIN
    FOREACH f IN ARRAY ARRAY['passkeys_of_staff(uuid)', 'ask_new_staff_passkey(text, bytea, int, timestamptz)',
        'ask_staff_passkey(bytea, bytea, timestamptz)', 'use_staff_passkey_challenge(bytea, text, timestamptz)',
        'add_staff_passkey(uuid, text, bytea, bytea, text[], boolean, bigint, bytea, bytea, int, uuid, text, timestamptz)',
        'rename_staff_passkey(uuid, text)', 'remove_staff_passkey(text, uuid, uuid, text, timestamptz)', 'find_staff_passkey(bytea)',
        'begin_staff_passkey_session(uuid, bytea, bigint, uuid, bytea, text, timestamptz, timestamptz)',
        'note_copied_staff_passkey(uuid, bytea, uuid, uuid, text, text, timestamptz)'] LOOP
        EXECUTE format('ALTER FUNCTION %s OWNER TO franchise360_lookup', f);
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO franchise360_api', f);
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER end_passkeys ON staff;
DROP FUNCTION end_staff_passkeys(), passkeys_of_staff(uuid), ask_new_staff_passkey(text, bytea, int, timestamptz),
    ask_staff_passkey(bytea, bytea, timestamptz), use_staff_passkey_challenge(bytea, text, timestamptz),
    add_staff_passkey(uuid, text, bytea, bytea, text[], boolean, bigint, bytea, bytea, int, uuid, text, timestamptz),
    rename_staff_passkey(uuid, text), remove_staff_passkey(text, uuid, uuid, text, timestamptz), find_staff_passkey(bytea),
    begin_staff_passkey_session(uuid, bytea, bigint, uuid, bytea, text, timestamptz, timestamptz),
    note_copied_staff_passkey(uuid, bytea, uuid, uuid, text, text, timestamptz);
DROP TABLE staff_notices, staff_passkey_challenges, staff_passkeys;
