-- Webhooks to the operator's systems: endpoints, events, deliveries and attempts. Triggers write each event in the transaction that changes
-- the row.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- Webhook endpoints of the operator.
CREATE TABLE webhook_endpoints (
    id               uuid        PRIMARY KEY,
    url              text        NOT NULL CHECK (char_length(url) BETWEEN 8 AND 500),
    description      text        NOT NULL CHECK (char_length(description) BETWEEN 2 AND 80),
    kinds            text[]      NOT NULL DEFAULT '{}', -- subscribed kinds; empty: all kinds
    state            text        NOT NULL CHECK (state IN ('enabled', 'disabled', 'removed')),
    disabled_for     text        NOT NULL DEFAULT '' CHECK (disabled_for IN ('', 'staff', 'gone', 'failing')),
    secret           bytea       NOT NULL, -- encrypted
    old_secret       bytea, -- encrypted; also signs until old_secret_until
    old_secret_until timestamptz,
    failing_since    timestamptz, -- the first failure after the last success
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    CHECK ((state = 'enabled') = (disabled_for = '')),
    CHECK ((old_secret IS NULL) = (old_secret_until IS NULL))
);
-- Staff read; admins change. RLS is not forced, as for staff tables.
ALTER TABLE webhook_endpoints ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON webhook_endpoints FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY admins_add ON webhook_endpoints FOR INSERT TO franchise360_api WITH CHECK ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY admins_change ON webhook_endpoints FOR UPDATE TO franchise360_api USING ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY every_row ON webhook_endpoints TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY tell ON webhook_endpoints FOR SELECT TO franchise360_lookup USING (true);
CREATE TRIGGER transitions BEFORE UPDATE OF state ON webhook_endpoints FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('enabled>disabled', 'disabled>enabled', 'enabled>removed', 'disabled>removed');
GRANT SELECT, INSERT, UPDATE ON webhook_endpoints TO franchise360_api;
GRANT SELECT, UPDATE ON webhook_endpoints TO franchise360_worker;
GRANT SELECT (id, kinds, state, description) ON webhook_endpoints TO franchise360_lookup;

-- Events, once for all endpoints.
CREATE TABLE webhook_events (
    id             uuid        PRIMARY KEY DEFAULT uuidv7(),
    kind           text        NOT NULL CHECK (kind ~ '^[a-z_]{3,30}\.[a-z_]{3,30}$'),
    franchiser_ref uuid, -- the franchiser; NULL in a test
    data           jsonb       NOT NULL, -- ids and states only
    at             timestamptz NOT NULL
);
CREATE INDEX webhook_events_age ON webhook_events (at);
ALTER TABLE webhook_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON webhook_events FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY admins_add ON webhook_events FOR INSERT TO franchise360_api WITH CHECK ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY every_row ON webhook_events TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY tell ON webhook_events TO franchise360_lookup USING (true) WITH CHECK (true);
CREATE TRIGGER append_only BEFORE UPDATE ON webhook_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT SELECT, INSERT ON webhook_events TO franchise360_api, franchise360_lookup;
GRANT SELECT, DELETE ON webhook_events TO franchise360_worker;

-- One row per event and endpoint. A disabled endpoint's rows are held until staff release them.
CREATE TABLE webhook_deliveries (
    id          uuid        PRIMARY KEY DEFAULT uuidv7(),
    event_id    uuid        NOT NULL REFERENCES webhook_events ON DELETE CASCADE,
    endpoint_id uuid        NOT NULL REFERENCES webhook_endpoints,
    state       text        NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'held')),
    attempts    int         NOT NULL DEFAULT 0,
    last_at     timestamptz,
    status      int, -- of the last response, or NULL
    UNIQUE (event_id, endpoint_id)
);
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, id DESC);
CREATE INDEX webhook_deliveries_undelivered ON webhook_deliveries (endpoint_id, id) WHERE state IN ('failed', 'held');
ALTER TABLE webhook_deliveries ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON webhook_deliveries FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY admins_add ON webhook_deliveries FOR INSERT TO franchise360_api WITH CHECK ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY admins_change ON webhook_deliveries FOR UPDATE TO franchise360_api USING ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY every_row ON webhook_deliveries TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY tell ON webhook_deliveries TO franchise360_lookup USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON webhook_deliveries TO franchise360_api, franchise360_lookup;
GRANT SELECT, UPDATE, DELETE ON webhook_deliveries TO franchise360_worker;
GRANT UPDATE (state) ON webhook_deliveries TO franchise360_api;

-- Attempts of a delivery, with the response.
CREATE TABLE webhook_attempts (
    delivery_id uuid        NOT NULL REFERENCES webhook_deliveries ON DELETE CASCADE,
    number      int         NOT NULL CHECK (number > 0),
    at          timestamptz NOT NULL,
    took_ms     int         NOT NULL,
    status      int,
    failure     text        NOT NULL DEFAULT '' CHECK (char_length(failure) <= 200),
    answer      text        NOT NULL DEFAULT '' CHECK (octet_length(answer) <= 4096), -- start of the body
    PRIMARY KEY (delivery_id, number)
);
ALTER TABLE webhook_attempts ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON webhook_attempts FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY every_row ON webhook_attempts TO franchise360_worker USING (true) WITH CHECK (true);
GRANT SELECT ON webhook_attempts TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON webhook_attempts TO franchise360_worker;

-- webhooks_wanted is false if no endpoint exists, so triggers can skip their work.
CREATE FUNCTION webhooks_wanted() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.webhook_endpoints e WHERE e.state <> 'removed') $$;

-- tell_webhooks writes an event, its deliveries and jobs. It does nothing if no endpoint subscribes to the kind.
CREATE FUNCTION tell_webhooks(told text, franchiser uuid, about jsonb, moment timestamptz) RETURNS void
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    event uuid;
    made record;
BEGIN
    IF NOT EXISTS (SELECT FROM public.webhook_endpoints e
        WHERE e.state <> 'removed' AND (e.kinds = '{}' OR told = ANY (e.kinds))) THEN
        RETURN;
    END IF;
    INSERT INTO public.webhook_events (kind, franchiser_ref, data, at) VALUES (told, franchiser, about, moment) RETURNING id INTO event;
    FOR made IN
        INSERT INTO public.webhook_deliveries (event_id, endpoint_id, state)
        SELECT event, e.id, CASE e.state WHEN 'enabled' THEN 'waiting' ELSE 'held' END FROM public.webhook_endpoints e
        WHERE e.state <> 'removed' AND (e.kinds = '{}' OR told = ANY (e.kinds))
        RETURNING id, state
    LOOP
        IF made.state = 'waiting' THEN
            PERFORM public.queue_job('deliver_webhook', jsonb_build_object('delivery_id', made.id), 'webhooks', 10, franchiser);
        END IF;
    END LOOP;
END $$;

-- search_webhooks finds webhook deliveries, events and endpoints by id.
CREATE FUNCTION search_webhooks(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean)
    LANGUAGE sql STABLE AS $$
    SELECT e.franchiser_ref, 'webhook_delivery', d.id::text, true FROM public.webhook_deliveries d JOIN public.webhook_events e ON e.id = d.event_id
        WHERE d.id = public.id_in(q)
    UNION ALL SELECT e.franchiser_ref, 'webhook_event', e.id::text, true FROM public.webhook_events e WHERE e.id = public.id_in(q)
    UNION ALL SELECT NULL, 'connected_system', w.description, true FROM public.webhook_endpoints w WHERE w.id = public.id_in(q) $$;

-- Owner and callers of the functions above.
ALTER FUNCTION webhooks_wanted() OWNER TO franchise360_lookup;
ALTER FUNCTION tell_webhooks(text, uuid, jsonb, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION webhooks_wanted(), tell_webhooks(text, uuid, jsonb, timestamptz), search_webhooks(text) FROM PUBLIC;
-- Roles that change the rows run the triggers.
GRANT EXECUTE ON FUNCTION webhooks_wanted(), tell_webhooks(text, uuid, jsonb, timestamptz) TO franchise360_api, franchise360_worker;
GRANT EXECUTE ON FUNCTION search_webhooks(text) TO franchise360_lookup;

-- Triggers on earlier files' tables for functions of this file.
CREATE TRIGGER tell_webhooks AFTER INSERT ON subscription_events REFERENCING NEW TABLE AS told FOR EACH STATEMENT
    EXECUTE FUNCTION tell_subscriptions();
CREATE TRIGGER tell_webhooks AFTER INSERT ON invoices FOR EACH ROW WHEN (NEW.kind IN ('invoice', 'credit_note'))
    EXECUTE FUNCTION tell_document();
CREATE TRIGGER tell_webhooks AFTER UPDATE OF state ON outlet_partners FOR EACH ROW WHEN (NEW.state = 'active' AND OLD.state <> 'active')
    EXECUTE FUNCTION tell_partner();
CREATE TRIGGER tell_webhooks AFTER INSERT OR UPDATE ON franchises FOR EACH ROW EXECUTE FUNCTION tell_outlet();
-- +goose StatementEnd
