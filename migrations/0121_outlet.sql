-- Outlets of a store: address, state, history, and the partners who run them. A partner is invited by mobile, signs in with a code at the
-- store's host, and sees only their outlets.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

CREATE FUNCTION tell_partner() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM public.tell_webhooks('partner.joined', NEW.franchiser_id,
        jsonb_build_object('account_id', NEW.franchiser_id, 'tenant_id', NEW.tenant_id, 'partner_id', NEW.id, 'state', NEW.state),
        NEW.accepted_at);
    RETURN NULL;
END $$;

-- Partners of a store, from invitation on.
CREATE TABLE outlet_partners (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    tenant_id     uuid        NOT NULL,
    name          text        NOT NULL CHECK (char_length(name) BETWEEN 2 AND 50),
    mobile        text        NOT NULL CHECK (mobile ~ '^([6-9][0-9]{9})?$'), -- empty after erasure
    role          text        NOT NULL CHECK (role IN ('manager', 'viewer')),
    state         text        NOT NULL,
    invited_at    timestamptz NOT NULL,
    accepted_at   timestamptz,
    removed_at    timestamptz,
    import_id     uuid, -- the import that added the partner
    UNIQUE (franchiser_id, id),
    FOREIGN KEY (franchiser_id, tenant_id) REFERENCES tenants (franchiser_id, id),
    CONSTRAINT outlet_partners_state_check CHECK (state IN ('invited', 'active', 'removed'))
);
CREATE UNIQUE INDEX outlet_partners_mobile ON outlet_partners (franchiser_id, tenant_id, mobile) WHERE state <> 'removed';
CALL isolate('outlet_partners');
-- As in pkg/outlet/partner.go; a test compares every pair of states.
CREATE TRIGGER transitions BEFORE UPDATE OF state ON outlet_partners FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('invited>active', 'invited>removed', 'active>removed');
CREATE TRIGGER first_states AFTER INSERT ON outlet_partners FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('invited');
ALTER TABLE outlet_partners ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT, INSERT, UPDATE ON outlet_partners TO franchise360_api, franchise360_worker;

CREATE FUNCTION tell_outlet() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    kind text := 'outlet.changed';
BEGIN
    IF NEW.removed_at IS NOT NULL AND OLD.removed_at IS NOT NULL THEN
        RETURN NULL;
    END IF;
    IF NEW.removed_at IS NOT NULL OR NEW.state = 'closed' AND OLD.state <> 'closed' THEN
        kind := 'outlet.closed';
    ELSIF NEW.state = 'open' AND OLD.state IS DISTINCT FROM 'open' THEN
        kind := 'outlet.opened';
    END IF;
    PERFORM public.tell_webhooks(kind, NEW.franchiser_id,
        jsonb_build_object('account_id', NEW.franchiser_id, 'tenant_id', NEW.tenant_id, 'outlet_id', NEW.id,
            'state', CASE WHEN NEW.removed_at IS NULL THEN NEW.state ELSE 'closed' END),
        coalesce(NEW.removed_at, NEW.updated_at, NEW.created_at));
    RETURN NULL;
END $$;

-- Outlets of a store, counted by the plan's franchise limit.
CREATE TABLE franchises (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    tenant_id     uuid        NOT NULL,
    name          text        NOT NULL CHECK (char_length(name) BETWEEN 2 AND 50),
    name_key      text        NOT NULL, -- the name in lower case
    city          text        NOT NULL CHECK (char_length(city) BETWEEN 2 AND 25),
    created_at    timestamptz NOT NULL,
    removed_at    timestamptz,
    code          text        NOT NULL DEFAULT '' CHECK (code ~ '^([A-Z0-9][A-Z0-9-]{0,19})?$'), -- set by the owner, unique
    address       text        NOT NULL DEFAULT '' CHECK (char_length(address) <= 120),
    state_id      text        CHECK (state_id ~ '^[0-3][0-9]$'), -- the State's GST code, NULL while unknown
    pin           text        NOT NULL DEFAULT '' CHECK (pin ~ '^([1-9][0-9]{5})?$'),
    phone         text        NOT NULL DEFAULT '' CHECK (phone ~ '^([1-9][0-9]{9})?$'),
    hours         text        NOT NULL DEFAULT '' CHECK (char_length(hours) <= 100),
    state         text        NOT NULL DEFAULT 'open' CHECK (state IN ('planned', 'open', 'paused', 'closed')),
    revision      int         NOT NULL DEFAULT 1 CHECK (revision >= 1), -- counts the changes
    request_key   text        CHECK (char_length(request_key) BETWEEN 8 AND 128), -- of the adding form
    updated_at    timestamptz,
    partner_id    uuid, -- who runs the outlet, NULL for the owner
    import_id     uuid, -- the import that added the outlet
    FOREIGN KEY (franchiser_id, tenant_id) REFERENCES tenants (franchiser_id, id),
    CONSTRAINT franchises_partner_fkey FOREIGN KEY (franchiser_id, partner_id) REFERENCES outlet_partners (franchiser_id, id)
);
CREATE UNIQUE INDEX franchises_name ON franchises (franchiser_id, tenant_id, name_key) WHERE removed_at IS NULL;
CREATE INDEX franchises_list ON franchises (franchiser_id, tenant_id, created_at DESC) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX franchises_code ON franchises (franchiser_id, tenant_id, code) WHERE code <> '' AND removed_at IS NULL;
CREATE UNIQUE INDEX franchises_request ON franchises (franchiser_id, tenant_id, request_key) WHERE request_key IS NOT NULL;
CREATE INDEX franchises_by_name ON franchises (franchiser_id, tenant_id, name_key, id) WHERE removed_at IS NULL;
CREATE INDEX franchises_of_import ON franchises (franchiser_id, import_id) WHERE import_id IS NOT NULL;
CREATE INDEX franchises_of_partner ON franchises (franchiser_id, partner_id) WHERE partner_id IS NOT NULL AND removed_at IS NULL;
CALL isolate('franchises');
CREATE POLICY lookup ON franchises FOR SELECT TO franchise360_lookup USING (true);
-- As in pkg/outlet/state.go; a test compares every pair of states.
CREATE TRIGGER transitions BEFORE UPDATE OF state ON franchises FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'planned>open', 'planned>closed', 'open>paused', 'open>closed', 'paused>open', 'paused>closed', 'closed>open');
CREATE TRIGGER first_states AFTER INSERT ON franchises FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('planned', 'open', 'paused');
ALTER TABLE franchises ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT, INSERT, UPDATE ON franchises TO franchise360_api, franchise360_worker;
GRANT SELECT (id, franchiser_id, name) ON franchises TO franchise360_lookup;

-- Outlet history with actors. Details name fields and states, never the entered values.
CREATE TABLE outlet_events (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    tenant_id     uuid        NOT NULL,
    outlet_id     uuid        REFERENCES franchises,
    actor         text        NOT NULL,
    kind          text        NOT NULL CHECK (kind ~ '^[a-z_]{3,40}$'),
    details       jsonb       NOT NULL DEFAULT '{}',
    at            timestamptz NOT NULL,
    request_id    uuid        DEFAULT current_request(),
    member_id     uuid, -- the acting team member
    FOREIGN KEY (franchiser_id, tenant_id) REFERENCES tenants (franchiser_id, id),
    CONSTRAINT outlet_events_actor_check CHECK (actor IN ('owner', 'partner', 'member') AND (actor = 'member') = (member_id IS NOT NULL))
);
CREATE INDEX outlet_events_of_outlet ON outlet_events (franchiser_id, outlet_id, at DESC);
CREATE INDEX outlet_events_of_franchiser ON outlet_events (franchiser_id, at DESC);
CALL isolate('outlet_events');
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON outlet_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT, INSERT ON outlet_events TO franchise360_api, franchise360_worker;

-- SMS to partners: invitations and sign-in codes. Link and code are derived from the row's id.
CREATE TABLE partner_messages (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    tenant_id     uuid        NOT NULL,
    partner_id    uuid        NOT NULL,
    kind          text        NOT NULL CHECK (kind IN ('invitation', 'code')),
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    sent_at       timestamptz,
    send_error    text        NOT NULL DEFAULT '',
    tries         int         NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 5), -- of a code
    used_at       timestamptz,
    request_id    uuid        DEFAULT current_request(),
    FOREIGN KEY (franchiser_id, partner_id) REFERENCES outlet_partners (franchiser_id, id),
    FOREIGN KEY (franchiser_id, tenant_id) REFERENCES tenants (franchiser_id, id)
);
CREATE INDEX partner_messages_of_partner ON partner_messages (franchiser_id, partner_id, created_at DESC);
CREATE INDEX partner_messages_of_store ON partner_messages (franchiser_id, created_at DESC);
CALL isolate('partner_messages');
-- An invitation's link opens the product's host, which has no franchiser.
CREATE POLICY lookup ON partner_messages FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON partner_messages TO franchise360_api, franchise360_worker;
GRANT SELECT (id, franchiser_id, kind) ON partner_messages TO franchise360_lookup;

-- Partner sessions at a store's host. Tokens are stored as SHA-256.
CREATE TABLE partner_sessions (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    tenant_id     uuid        NOT NULL,
    partner_id    uuid        NOT NULL,
    token_hash    bytea       NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    created_at    timestamptz NOT NULL,
    seen_at       timestamptz NOT NULL, -- to the minute
    expires_at    timestamptz NOT NULL,
    FOREIGN KEY (franchiser_id, partner_id) REFERENCES outlet_partners (franchiser_id, id),
    FOREIGN KEY (franchiser_id, tenant_id) REFERENCES tenants (franchiser_id, id)
);
CREATE INDEX partner_sessions_of_partner ON partner_sessions (franchiser_id, partner_id);
CALL isolate('partner_sessions');
GRANT SELECT, INSERT, DELETE ON partner_sessions TO franchise360_api, franchise360_worker;
GRANT UPDATE (seen_at) ON partner_sessions TO franchise360_api;

CREATE FUNCTION find_invitation(message uuid) RETURNS TABLE (franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT m.franchiser_id FROM public.partner_messages m WHERE m.id = message AND m.kind = 'invitation' $$;

-- search_outlets finds an outlet by its id.
CREATE FUNCTION search_outlets(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$ SELECT f.franchiser_id, 'outlet', f.name, true FROM public.franchises f WHERE f.id = public.id_in(q) $$;

-- Owner and callers of the functions above.
ALTER FUNCTION find_invitation(uuid) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_invitation(uuid), search_outlets(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_invitation(uuid) TO franchise360_api;
GRANT EXECUTE ON FUNCTION search_outlets(text) TO franchise360_lookup;

-- Closed outlets keep their record but do not count.
CREATE VIEW franchise_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id FROM franchises WHERE removed_at IS NULL AND state <> 'closed';
COMMENT ON VIEW franchise_overview IS 'tenant: the franchises that count towards the limit';
COMMENT ON VIEW franchise_overview IS 'outlet: the outlets that count towards the limit';
GRANT SELECT ON franchise_overview TO franchise360_api, franchise360_worker;

CREATE VIEW partner_overview WITH (security_invoker = true) AS SELECT franchiser_id, accepted_at FROM outlet_partners WHERE state = 'active';
COMMENT ON VIEW partner_overview IS 'outlet: the partners who accepted their invitation';
GRANT SELECT ON partner_overview TO franchise360_api, franchise360_worker;

-- A paused outlet that reopens is not opened again, and one removed with its import never opened. Accepting an invitation signs the
-- partner in.
CREATE VIEW outlet_event_overview WITH (security_invoker = true) AS
    SELECT franchiser_id, outlet_id, at,
        (kind = 'added' AND details ->> 'state' = 'open' OR kind = 'moved' AND details ->> 'to' = 'open' AND details ->> 'from' <> 'paused')
            AND NOT EXISTS (SELECT FROM franchises f WHERE f.id = e.outlet_id AND f.removed_at IS NOT NULL) AS opened,
        kind IN ('partner_accepted', 'partner_signed_in') AS signed_in
    FROM outlet_events e;
COMMENT ON VIEW outlet_event_overview IS 'outlet: events that open an outlet or sign a partner in';
GRANT SELECT ON outlet_event_overview TO franchise360_api, franchise360_worker;
-- +goose StatementEnd
