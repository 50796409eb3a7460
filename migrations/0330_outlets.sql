-- The outlets of a store become records of their own: where each is, whether it is open, and what changed. They stay in the table
-- of the franchises that the plan's limit counts, so that a release from before goes on adding to it.

-- +goose Up
ALTER TABLE franchises
    ADD COLUMN code        text        NOT NULL DEFAULT '' CHECK (code ~ '^([A-Z0-9][A-Z0-9-]{0,19})?$'), -- the owner's own, unique
    ADD COLUMN address     text        NOT NULL DEFAULT '' CHECK (char_length(address) <= 120),
    ADD COLUMN state_id    text        CHECK (state_id ~ '^[0-3][0-9]$'), -- the GST code of the State, NULL while unknown
    ADD COLUMN pin         text        NOT NULL DEFAULT '' CHECK (pin ~ '^([1-9][0-9]{5})?$'),
    ADD COLUMN phone       text        NOT NULL DEFAULT '' CHECK (phone ~ '^([1-9][0-9]{9})?$'),
    ADD COLUMN hours       text        NOT NULL DEFAULT '' CHECK (char_length(hours) <= 100),
    ADD COLUMN state       text        NOT NULL DEFAULT 'open',
    ADD COLUMN revision    int         NOT NULL DEFAULT 1 CHECK (revision >= 1), -- goes up with every change
    ADD COLUMN request_key text        CHECK (char_length(request_key) BETWEEN 8 AND 128), -- of the form that added it
    ADD COLUMN updated_at  timestamptz,
    ADD CONSTRAINT franchises_state_check CHECK (state IN ('planned', 'open', 'paused', 'closed'));
CREATE UNIQUE INDEX franchises_code ON franchises (franchiser_id, tenant_id, code) WHERE code <> '' AND removed_at IS NULL;
CREATE UNIQUE INDEX franchises_request ON franchises (franchiser_id, tenant_id, request_key) WHERE request_key IS NOT NULL;
CREATE INDEX franchises_by_name ON franchises (franchiser_id, tenant_id, name_key, id) WHERE removed_at IS NULL;
-- As in pkg/outlet/state.go, against which a test holds every pair of states.
CREATE TRIGGER transitions BEFORE UPDATE OF state ON franchises FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'planned>open', 'planned>closed', 'open>paused', 'open>closed', 'paused>open', 'paused>closed', 'closed>open');
CREATE TRIGGER first_states AFTER INSERT ON franchises FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('planned', 'open');
ALTER TABLE franchises ENABLE ALWAYS TRIGGER first_states;

-- What happened to outlets, and who did it. Details name fields and states, never what was written into them.
CREATE TABLE outlet_events (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    tenant_id     uuid        NOT NULL,
    outlet_id     uuid        REFERENCES franchises,
    actor         text        NOT NULL CHECK (actor IN ('owner', 'partner')),
    kind          text        NOT NULL CHECK (kind ~ '^[a-z_]{3,40}$'),
    details       jsonb       NOT NULL DEFAULT '{}',
    at            timestamptz NOT NULL,
    request_id    uuid        DEFAULT current_request(),
    FOREIGN KEY (franchiser_id, tenant_id) REFERENCES tenants (franchiser_id, id)
);
CREATE INDEX outlet_events_of_outlet ON outlet_events (franchiser_id, outlet_id, at DESC);
CREATE INDEX outlet_events_of_franchiser ON outlet_events (franchiser_id, at DESC);
CALL isolate('outlet_events');
GRANT SELECT, INSERT ON outlet_events TO franchise360_api, franchise360_worker;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON outlet_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A closed outlet keeps its record and takes no place.
CREATE OR REPLACE VIEW franchise_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id FROM franchises WHERE removed_at IS NULL AND state <> 'closed';
COMMENT ON VIEW franchise_overview IS 'outlet: the outlets that count towards the limit';

-- +goose Down
CREATE OR REPLACE VIEW franchise_overview WITH (security_invoker = true) AS
    SELECT id, franchiser_id FROM franchises WHERE removed_at IS NULL;
COMMENT ON VIEW franchise_overview IS 'tenant: the franchises that count towards the limit';
DROP TABLE outlet_events;
DROP TRIGGER first_states ON franchises;
DROP TRIGGER transitions ON franchises;
DROP INDEX franchises_by_name, franchises_request, franchises_code;
ALTER TABLE franchises
    DROP COLUMN updated_at, DROP COLUMN request_key, DROP COLUMN revision, DROP COLUMN state, DROP COLUMN hours, DROP COLUMN phone,
    DROP COLUMN pin, DROP COLUMN state_id, DROP COLUMN address, DROP COLUMN code;
