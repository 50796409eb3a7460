-- The people of a franchiser's account: invited by mobile, each in a role. A member is a person with an account of their own
-- (franchisers), who acts in another's; the session says in which, and is checked against the membership at every request.

-- +goose Up
CREATE TABLE team_members (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL REFERENCES franchisers, -- whose account it is
    name          text        NOT NULL CHECK (char_length(name) BETWEEN 2 AND 50),
    mobile        text        NOT NULL CHECK (mobile ~ '^([6-9][0-9]{9})?$'), -- that was invited; empty once it is erased
    role          text        NOT NULL CHECK (role IN ('accountant', 'manager')),
    state         text        NOT NULL,
    person_id     uuid        REFERENCES franchisers, -- who accepted
    invited_at    timestamptz NOT NULL,
    accepted_at   timestamptz,
    ended_at      timestamptz,
    seen_at       timestamptz, -- to five minutes
    UNIQUE (franchiser_id, id),
    CONSTRAINT team_members_state_check CHECK (state IN ('invited', 'active', 'removed')),
    CONSTRAINT team_members_accepted_check CHECK ((person_id IS NULL) = (accepted_at IS NULL)),
    CONSTRAINT team_members_other_check CHECK (person_id <> franchiser_id)
);
CREATE UNIQUE INDEX team_members_mobile ON team_members (franchiser_id, mobile) WHERE state <> 'removed';
CREATE UNIQUE INDEX team_members_person ON team_members (franchiser_id, person_id) WHERE state = 'active';
CREATE INDEX team_members_of_person ON team_members (person_id) WHERE person_id IS NOT NULL;
CALL isolate('team_members');
GRANT SELECT, INSERT, UPDATE ON team_members TO franchise360_api, franchise360_worker;
-- As in pkg/account/team.go, against which a test holds every pair of states.
CREATE TRIGGER transitions BEFORE UPDATE OF state ON team_members FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('invited>active', 'invited>removed', 'active>removed');
CREATE TRIGGER first_states AFTER INSERT ON team_members FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('invited');
ALTER TABLE team_members ENABLE ALWAYS TRIGGER first_states;

-- SMS with an invitation; its link follows from the row's id. Only the newest of a member counts.
CREATE TABLE team_invitations (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    member_id     uuid        NOT NULL,
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    sent_at       timestamptz,
    send_error    text        NOT NULL DEFAULT '',
    request_id    uuid        DEFAULT current_request(),
    FOREIGN KEY (franchiser_id, member_id) REFERENCES team_members (franchiser_id, id)
);
CREATE INDEX team_invitations_of_member ON team_invitations (franchiser_id, member_id, created_at DESC, id DESC);
CREATE INDEX team_invitations_of_account ON team_invitations (franchiser_id, created_at DESC);
CALL isolate('team_invitations');
GRANT SELECT, INSERT, UPDATE, DELETE ON team_invitations TO franchise360_api, franchise360_worker;

-- What happened to the team, and what its members did: an act is written before it is done, and gets its outcome afterwards.
CREATE TABLE team_events (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    member_id     uuid        NOT NULL,
    actor         text        NOT NULL CHECK (actor IN ('owner', 'member')),
    kind          text        NOT NULL CHECK (kind IN ('invited', 'resent', 'withdrawn', 'accepted', 'role_changed', 'removed', 'left', 'act')),
    role          text        NOT NULL DEFAULT '', -- that the member had, or got
    operation     text        NOT NULL DEFAULT '', -- of an act: the method and the route
    outcome       text        CHECK (outcome IN ('done', 'refused')),
    at            timestamptz NOT NULL,
    request_id    uuid        DEFAULT current_request(),
    FOREIGN KEY (franchiser_id, member_id) REFERENCES team_members (franchiser_id, id)
);
CREATE INDEX team_events_of_account ON team_events (franchiser_id, at DESC, id DESC);
CREATE INDEX team_events_of_request ON team_events (franchiser_id, (request_id::text)) WHERE kind = 'act';
CALL isolate('team_events');
GRANT SELECT, INSERT, UPDATE (outcome) ON team_events TO franchise360_api;
GRANT SELECT, INSERT ON team_events TO franchise360_worker;

-- In which account a session acts: NULL in the person's own.
ALTER TABLE sessions ADD COLUMN account_id uuid, ADD COLUMN member_id uuid,
    ADD CONSTRAINT sessions_member_fkey FOREIGN KEY (account_id, member_id) REFERENCES team_members (franchiser_id, id),
    ADD CONSTRAINT sessions_member_check CHECK ((account_id IS NULL) = (member_id IS NULL)),
    DROP CONSTRAINT sessions_end_reason_check,
    ADD CONSTRAINT sessions_end_reason_check CHECK (end_reason IN ('logout', 'revoked', 'password_reset', 'mobile_changed', 'refresh_reuse',
        'erased', 'staff', 'switched', 'removed', 'left'));
CREATE INDEX sessions_of_member ON sessions (account_id, member_id) WHERE member_id IS NOT NULL;

CREATE POLICY lookup ON team_members FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup ON team_invitations FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY lookup_ends ON sessions FOR UPDATE TO franchise360_lookup USING (true) WITH CHECK (true);
GRANT SELECT ON team_members TO franchise360_lookup;
GRANT SELECT (id, franchiser_id) ON team_invitations TO franchise360_lookup;
GRANT UPDATE (ended_at, end_reason, end_request_id) ON sessions TO franchise360_lookup;

-- +goose StatementBegin
-- find_session is find_session_by_access with the account in which the session acts: a session of a member who is none any more is
-- not found. The older function stays for processes of the release before.
CREATE FUNCTION find_session(h bytea, at timestamptz)
    RETURNS TABLE (id uuid, person_id uuid, access_expires_at timestamptz, account_id uuid, member_id uuid, role text, seen_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT s.id, s.franchiser_id, s.access_expires_at, s.account_id, s.member_id, m.role, m.seen_at
          FROM public.sessions s LEFT JOIN public.team_members m ON m.id = s.member_id AND m.state = 'active'
          WHERE s.access_hash = h AND s.ended_at IS NULL AND s.access_expires_at > at AND s.expires_at > at
            AND (s.member_id IS NULL OR m.id IS NOT NULL) $$;

CREATE FUNCTION find_renewed_session(h bytea)
    RETURNS TABLE (id uuid, person_id uuid, account_id uuid, member_id uuid, role text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT t.session_id, t.franchiser_id, s.account_id, s.member_id, m.role FROM public.refresh_tokens t
          JOIN public.sessions s ON s.id = t.session_id LEFT JOIN public.team_members m ON m.id = s.member_id AND m.state = 'active'
          WHERE t.token_hash = h AND (s.member_id IS NULL OR m.id IS NOT NULL) $$;

-- own_memberships are those of the franchiser of the transaction, in other accounts.
CREATE FUNCTION own_memberships() RETURNS TABLE (member_id uuid, account_id uuid, role text, name text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT m.id, m.franchiser_id, m.role, c.name FROM public.team_members m
          CROSS JOIN LATERAL public.named_customer(m.franchiser_id) c
          WHERE m.person_id = public.current_franchiser() AND m.state = 'active' AND NOT c.erased ORDER BY lower(c.name), m.id $$;

-- find_team_invitation is the account that sent an invitation.
CREATE FUNCTION find_team_invitation(invitation uuid) RETURNS TABLE (franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT i.franchiser_id FROM public.team_invitations i WHERE i.id = invitation $$;

-- account_name is how the account of the transaction is named to people who are invited to it or act in it.
CREATE FUNCTION account_name() RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT c.name FROM public.named_customer(public.current_franchiser()) c $$;

-- end_sessions_of_member ends what a member of the transaction's account has open in it, and nothing else of that person.
CREATE FUNCTION end_sessions_of_member(member uuid, at timestamptz, why text) RETURNS SETOF bytea
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ UPDATE public.sessions s SET ended_at = at, end_reason = why, end_request_id = public.current_request()
          WHERE s.account_id = public.current_franchiser() AND s.member_id = member AND s.ended_at IS NULL RETURNING s.access_hash $$;
-- +goose StatementEnd
ALTER FUNCTION find_session(bytea, timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION find_renewed_session(bytea) OWNER TO franchise360_lookup;
ALTER FUNCTION own_memberships() OWNER TO franchise360_lookup;
ALTER FUNCTION find_team_invitation(uuid) OWNER TO franchise360_lookup;
ALTER FUNCTION account_name() OWNER TO franchise360_lookup;
ALTER FUNCTION end_sessions_of_member(uuid, timestamptz, text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_session(bytea, timestamptz), find_renewed_session(bytea), own_memberships(), find_team_invitation(uuid),
    account_name(), end_sessions_of_member(uuid, timestamptz, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_session(bytea, timestamptz), find_renewed_session(bytea), own_memberships(), find_team_invitation(uuid),
    account_name(), end_sessions_of_member(uuid, timestamptz, text) TO franchise360_api;
GRANT EXECUTE ON FUNCTION account_name(), end_sessions_of_member(uuid, timestamptz, text) TO franchise360_worker;

-- +goose Down
DROP FUNCTION end_sessions_of_member(uuid, timestamptz, text), account_name(), find_team_invitation(uuid), own_memberships(),
    find_renewed_session(bytea), find_session(bytea, timestamptz);
REVOKE UPDATE (ended_at, end_reason, end_request_id) ON sessions FROM franchise360_lookup;
DROP POLICY lookup_ends ON sessions;
UPDATE sessions SET end_reason = 'revoked' WHERE end_reason IN ('switched', 'removed', 'left');
ALTER TABLE sessions DROP COLUMN account_id, DROP COLUMN member_id,
    DROP CONSTRAINT sessions_end_reason_check,
    ADD CONSTRAINT sessions_end_reason_check CHECK (end_reason IN ('logout', 'revoked', 'password_reset', 'mobile_changed', 'refresh_reuse',
        'erased', 'staff'));
DROP TABLE team_events, team_invitations, team_members;
