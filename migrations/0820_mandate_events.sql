-- What happened to each mandate and who did it, for the customer and for staff.

-- +goose Up
-- What happened to a mandate, in order; never changed. actor bank means the bank, or the customer in its app, as the gateway tells. state
-- is that of the mandate after it.
CREATE TABLE mandate_events (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    mandate_id    uuid        NOT NULL,
    at            timestamptz NOT NULL,
    kind          text        NOT NULL CHECK (kind IN ('requested', 'confirmed', 'limited', 'refused', 'paused', 'resumed', 'skipped', 'unskipped',
        'replaced', 'stopped', 'ended')),
    actor         text        NOT NULL CHECK (actor IN ('customer', 'bank', 'system')),
    state         text        NOT NULL,
    renew_on      date,   -- the renewal that it is about
    amount_paise  bigint, -- the limit of a debit, or the bill that was refused
    cause         text        NOT NULL DEFAULT '',
    request_id    uuid        DEFAULT current_request(),
    FOREIGN KEY (franchiser_id, mandate_id) REFERENCES mandates (franchiser_id, id)
);
CREATE INDEX mandate_events_list ON mandate_events (franchiser_id, at DESC);
-- A bill that a mandate does not allow is told of once.
CREATE UNIQUE INDEX mandate_events_one_refusal ON mandate_events (mandate_id, renew_on) WHERE kind = 'refused';
CALL isolate('mandate_events');
GRANT SELECT, INSERT ON mandate_events TO franchise360_api, franchise360_worker;

-- What is known of the mandates from before.
INSERT INTO mandate_events (id, franchiser_id, mandate_id, at, kind, actor, state, amount_paise)
    SELECT uuidv7(), m.franchiser_id, m.id, m.created_at, 'requested', 'customer', 'requested', m.agreed_cap_paise FROM mandates m
    UNION ALL
    SELECT uuidv7(), m.franchiser_id, m.id, m.active_at, 'confirmed', 'bank', 'active', NULL FROM mandates m WHERE m.active_at IS NOT NULL
    UNION ALL
    SELECT uuidv7(), m.franchiser_id, m.id, m.held_at, 'paused', 'customer', 'active', NULL FROM mandates m WHERE m.held_at IS NOT NULL
    UNION ALL
    SELECT uuidv7(), m.franchiser_id, m.id, m.stop_asked_at, 'stopped', 'customer', 'active', NULL FROM mandates m WHERE m.stop_asked_at IS NOT NULL
    UNION ALL
    SELECT uuidv7(), m.franchiser_id, m.id, m.ended_at, 'ended', 'bank', m.state, NULL FROM mandates m WHERE m.ended_at IS NOT NULL;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON mandate_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- +goose Down
DROP TABLE mandate_events;
