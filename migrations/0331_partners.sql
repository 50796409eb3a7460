-- The partners who run outlets: invited by mobile, signed in with a code at the store's own host, and shown only their outlets.

-- +goose Up
CREATE TABLE outlet_partners (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    tenant_id     uuid        NOT NULL,
    name          text        NOT NULL CHECK (char_length(name) BETWEEN 2 AND 50),
    mobile        text        NOT NULL CHECK (mobile ~ '^([6-9][0-9]{9})?$'), -- empty once it is erased
    role          text        NOT NULL CHECK (role IN ('manager', 'viewer')),
    state         text        NOT NULL,
    invited_at    timestamptz NOT NULL,
    accepted_at   timestamptz,
    removed_at    timestamptz,
    UNIQUE (franchiser_id, id),
    FOREIGN KEY (franchiser_id, tenant_id) REFERENCES tenants (franchiser_id, id),
    CONSTRAINT outlet_partners_state_check CHECK (state IN ('invited', 'active', 'removed'))
);
CREATE UNIQUE INDEX outlet_partners_mobile ON outlet_partners (franchiser_id, tenant_id, mobile) WHERE state <> 'removed';
CALL isolate('outlet_partners');
GRANT SELECT, INSERT, UPDATE ON outlet_partners TO franchise360_api, franchise360_worker;
-- As in pkg/outlet/partner.go, against which a test holds every pair of states.
CREATE TRIGGER transitions BEFORE UPDATE OF state ON outlet_partners FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('invited>active', 'invited>removed', 'active>removed');
CREATE TRIGGER first_states AFTER INSERT ON outlet_partners FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('invited');
ALTER TABLE outlet_partners ENABLE ALWAYS TRIGGER first_states;

ALTER TABLE franchises ADD COLUMN partner_id uuid, -- who runs the outlet, NULL for the owner alone
    ADD CONSTRAINT franchises_partner_fkey FOREIGN KEY (franchiser_id, partner_id) REFERENCES outlet_partners (franchiser_id, id);
CREATE INDEX franchises_of_partner ON franchises (franchiser_id, partner_id) WHERE partner_id IS NOT NULL AND removed_at IS NULL;

-- SMS to partners: an invitation, whose link follows from the row's id, and codes to sign in, which do likewise.
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
GRANT SELECT, INSERT, UPDATE, DELETE ON partner_messages TO franchise360_api, franchise360_worker;

-- Which partner is signed in at a store's host. Tokens are stored as SHA-256.
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

-- The link of an invitation leads to the product's own host, which knows no franchiser.
CREATE POLICY lookup ON partner_messages FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (id, franchiser_id, kind) ON partner_messages TO franchise360_lookup;
-- +goose StatementBegin
CREATE FUNCTION find_invitation(message uuid) RETURNS TABLE (franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT m.franchiser_id FROM public.partner_messages m WHERE m.id = message AND m.kind = 'invitation' $$;
-- +goose StatementEnd
ALTER FUNCTION find_invitation(uuid) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_invitation(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_invitation(uuid) TO franchise360_api;

-- +goose Down
DROP FUNCTION find_invitation(uuid);
DROP TABLE partner_sessions, partner_messages;
ALTER TABLE franchises DROP COLUMN partner_id;
DROP TABLE outlet_partners;
