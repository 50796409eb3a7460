-- What the operator's own systems are told: where (endpoints), what (events), and what became of it (deliveries and their attempts).
-- An event is written by a trigger on the rows that it tells of, so in their transaction, whoever changes them.

-- +goose Up
CREATE TABLE webhook_endpoints (
    id               uuid        PRIMARY KEY,
    url              text        NOT NULL CHECK (char_length(url) BETWEEN 8 AND 500),
    description      text        NOT NULL CHECK (char_length(description) BETWEEN 2 AND 80),
    kinds            text[]      NOT NULL DEFAULT '{}', -- those that it is told of; none means all
    state            text        NOT NULL CHECK (state IN ('enabled', 'disabled', 'removed')),
    disabled_for     text        NOT NULL DEFAULT '' CHECK (disabled_for IN ('', 'staff', 'gone', 'failing')),
    secret           bytea       NOT NULL,      -- encrypted
    old_secret       bytea,                     -- encrypted; signs too until old_secret_until
    old_secret_until timestamptz,
    failing_since    timestamptz,               -- the first failure after the last success
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    CHECK ((state = 'enabled') = (disabled_for = '')),
    CHECK ((old_secret IS NULL) = (old_secret_until IS NULL))
);
CREATE TRIGGER transitions BEFORE UPDATE OF state ON webhook_endpoints FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('enabled>disabled', 'disabled>enabled', 'enabled>removed', 'disabled>removed');

CREATE TABLE webhook_events (
    id             uuid        PRIMARY KEY DEFAULT uuidv7(),
    kind           text        NOT NULL CHECK (kind ~ '^[a-z_]{3,30}\.[a-z_]{3,30}$'),
    franchiser_ref uuid,                        -- whom it concerns; NULL in a test
    data           jsonb       NOT NULL,        -- ids and states only
    at             timestamptz NOT NULL
);
CREATE INDEX webhook_events_age ON webhook_events (at);
CREATE TRIGGER append_only BEFORE UPDATE ON webhook_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- One row an event and endpoint. Those of an endpoint that is disabled are held: nothing sends them until staff have them sent.
CREATE TABLE webhook_deliveries (
    id          uuid        PRIMARY KEY DEFAULT uuidv7(),
    event_id    uuid        NOT NULL REFERENCES webhook_events ON DELETE CASCADE,
    endpoint_id uuid        NOT NULL REFERENCES webhook_endpoints,
    state       text        NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'held')),
    attempts    int         NOT NULL DEFAULT 0,
    last_at     timestamptz,
    status      int,                            -- of the last answer, NULL without one
    UNIQUE (event_id, endpoint_id)
);
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, id DESC);
CREATE INDEX webhook_deliveries_undelivered ON webhook_deliveries (endpoint_id, id) WHERE state IN ('failed', 'held');

CREATE TABLE webhook_attempts (
    delivery_id uuid        NOT NULL REFERENCES webhook_deliveries ON DELETE CASCADE,
    number      int         NOT NULL CHECK (number > 0),
    at          timestamptz NOT NULL,
    took_ms     int         NOT NULL,
    status      int,
    failure     text        NOT NULL DEFAULT '' CHECK (char_length(failure) <= 200),
    answer      text        NOT NULL DEFAULT '' CHECK (octet_length(answer) <= 4096), -- the beginning of the body
    PRIMARY KEY (delivery_id, number)
);

GRANT SELECT, INSERT, UPDATE ON webhook_endpoints TO franchise360_api;
GRANT SELECT, UPDATE ON webhook_endpoints TO franchise360_worker;
GRANT SELECT (id, kinds, state) ON webhook_endpoints TO franchise360_lookup;
GRANT SELECT, INSERT ON webhook_events TO franchise360_api, franchise360_lookup;
GRANT SELECT, DELETE ON webhook_events TO franchise360_worker;
GRANT SELECT, INSERT, UPDATE (state) ON webhook_deliveries TO franchise360_api;
GRANT SELECT, UPDATE, DELETE ON webhook_deliveries TO franchise360_worker;
GRANT SELECT, INSERT ON webhook_deliveries TO franchise360_lookup;
GRANT SELECT ON webhook_attempts TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON webhook_attempts TO franchise360_worker;
GRANT INSERT ON river_job TO franchise360_lookup;
GRANT USAGE ON SEQUENCE river_job_id_seq TO franchise360_lookup;

-- Staff read; admins change. As the staff's own tables, these are not forced.
ALTER TABLE webhook_endpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_attempts ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON webhook_endpoints FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY admins_add ON webhook_endpoints FOR INSERT TO franchise360_api WITH CHECK ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY admins_change ON webhook_endpoints FOR UPDATE TO franchise360_api USING ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY staff_read ON webhook_events FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY admins_add ON webhook_events FOR INSERT TO franchise360_api WITH CHECK ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY staff_read ON webhook_deliveries FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY admins_add ON webhook_deliveries FOR INSERT TO franchise360_api WITH CHECK ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY admins_change ON webhook_deliveries FOR UPDATE TO franchise360_api USING ((SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY staff_read ON webhook_attempts FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY every_row ON webhook_endpoints TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY every_row ON webhook_events TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY every_row ON webhook_deliveries TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY every_row ON webhook_attempts TO franchise360_worker USING (true) WITH CHECK (true);
CREATE POLICY tell ON webhook_endpoints FOR SELECT TO franchise360_lookup USING (true);
CREATE POLICY tell ON webhook_events TO franchise360_lookup USING (true) WITH CHECK (true);
CREATE POLICY tell ON webhook_deliveries TO franchise360_lookup USING (true) WITH CHECK (true);

-- +goose StatementBegin
-- queue_job adds a job to the transaction, as platform/queue's Inserter does, for triggers. A worker finds it at its next poll.
CREATE FUNCTION queue_job(kind text, args jsonb, queue text, attempts int, franchiser uuid) RETURNS bigint
    LANGUAGE sql VOLATILE
    AS $$ INSERT INTO public.river_job (kind, args, queue, max_attempts, metadata)
        VALUES (kind, args, queue, attempts, jsonb_strip_nulls(jsonb_build_object('franchiser_id', franchiser, 'request_id', public.current_request())))
        RETURNING id $$;

-- webhooks_wanted is false while nobody is told of anything, which spares the triggers their work.
CREATE FUNCTION webhooks_wanted() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.webhook_endpoints e WHERE e.state <> 'removed') $$;

-- tell_webhooks writes one event, its deliveries and their jobs. It writes nothing where no endpoint wants that kind.
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

-- The triggers of the domains whose rows are told of.
CREATE FUNCTION tell_account() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM public.tell_webhooks('account.created', NEW.id, jsonb_build_object('account_id', NEW.id, 'state', 'open'), NEW.created_at);
    ELSIF NEW.erased_at IS NOT NULL THEN
        PERFORM public.tell_webhooks('account.closed', NEW.id, jsonb_build_object('account_id', NEW.id, 'state', 'closed'), NEW.erased_at);
    ELSE -- a change of a profile has no time of its own
        PERFORM public.tell_webhooks('account.updated', NEW.id, jsonb_build_object('account_id', NEW.id, 'state', 'open'), clock_timestamp());
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION tell_subscriptions() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM public.tell_webhooks(
        'subscription.' || CASE
            WHEN n.kind IN ('new', 'trial') THEN 'activated'
            WHEN n.kind = 'renewal' THEN 'renewed'
            WHEN n.kind = 'revoked' AND n.to_state = 'expired' THEN 'cancelled'
            WHEN n.kind = 'expired' THEN 'expired'
            ELSE 'changed' END,
        n.franchiser_id,
        jsonb_build_object('account_id', n.franchiser_id, 'subscription_id', n.subscription_id, 'state', n.to_state, 'cause', n.kind),
        n.at)
    FROM told n WHERE (SELECT public.webhooks_wanted());
    RETURN NULL;
END $$;

CREATE FUNCTION tell_document() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.kind = 'invoice' THEN
        PERFORM public.tell_webhooks('invoice.issued', NEW.franchiser_id,
            jsonb_build_object('account_id', NEW.franchiser_id, 'invoice_id', NEW.id, 'state', 'issued'), NEW.issued_at);
    ELSE
        PERFORM public.tell_webhooks('credit_note.issued', NEW.franchiser_id,
            jsonb_build_object('account_id', NEW.franchiser_id, 'credit_note_id', NEW.id, 'invoice_id', NEW.original_id, 'state', 'issued'),
            NEW.issued_at);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION tell_tenant() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM public.tell_webhooks(CASE TG_OP WHEN 'INSERT' THEN 'tenant.live' ELSE 'tenant.updated' END, NEW.franchiser_id,
        jsonb_build_object('account_id', NEW.franchiser_id, 'tenant_id', NEW.id,
            'state', CASE WHEN NEW.closed_at IS NULL THEN 'live' ELSE 'closed' END),
        CASE TG_OP WHEN 'INSERT' THEN NEW.created_at ELSE coalesce(NEW.closed_at, NEW.updated_at) END);
    RETURN NULL;
END $$;

-- A domain comes into use, or goes out of it.
CREATE FUNCTION tell_domain() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    d record := coalesce(NEW, OLD);
BEGIN
    PERFORM public.tell_webhooks('tenant.updated', d.franchiser_id,
        jsonb_build_object('account_id', d.franchiser_id, 'tenant_id', d.tenant_id, 'state', 'live'),
        CASE TG_OP WHEN 'UPDATE' THEN NEW.state_since ELSE clock_timestamp() END);
    RETURN NULL;
END $$;

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

CREATE FUNCTION tell_partner() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM public.tell_webhooks('partner.joined', NEW.franchiser_id,
        jsonb_build_object('account_id', NEW.franchiser_id, 'tenant_id', NEW.tenant_id, 'partner_id', NEW.id, 'state', NEW.state),
        NEW.accepted_at);
    RETURN NULL;
END $$;
-- +goose StatementEnd
ALTER FUNCTION webhooks_wanted() OWNER TO franchise360_lookup;
ALTER FUNCTION tell_webhooks(text, uuid, jsonb, timestamptz) OWNER TO franchise360_lookup;
-- Whoever may change what is told of may tell of it; a trigger does.
REVOKE ALL ON FUNCTION queue_job(text, jsonb, text, int, uuid), webhooks_wanted(), tell_webhooks(text, uuid, jsonb, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION queue_job(text, jsonb, text, int, uuid) TO franchise360_lookup;
GRANT EXECUTE ON FUNCTION webhooks_wanted(), tell_webhooks(text, uuid, jsonb, timestamptz) TO franchise360_api, franchise360_worker;

CREATE TRIGGER tell_created AFTER INSERT ON franchisers FOR EACH ROW EXECUTE FUNCTION tell_account();
CREATE TRIGGER tell_changed AFTER UPDATE OF mobile, email, first_name, last_name, erased_at ON franchisers FOR EACH ROW
    WHEN ((OLD.mobile, OLD.email, OLD.first_name, OLD.last_name, OLD.erased_at)
        IS DISTINCT FROM (NEW.mobile, NEW.email, NEW.first_name, NEW.last_name, NEW.erased_at))
    EXECUTE FUNCTION tell_account();
CREATE TRIGGER tell_webhooks AFTER INSERT ON subscription_events REFERENCING NEW TABLE AS told FOR EACH STATEMENT
    EXECUTE FUNCTION tell_subscriptions();
CREATE TRIGGER tell_webhooks AFTER INSERT ON invoices FOR EACH ROW WHEN (NEW.kind IN ('invoice', 'credit_note'))
    EXECUTE FUNCTION tell_document();
CREATE TRIGGER tell_live AFTER INSERT ON tenants FOR EACH ROW EXECUTE FUNCTION tell_tenant();
CREATE TRIGGER tell_changed AFTER UPDATE OF store_name, store_type_id, slug, closed_at ON tenants FOR EACH ROW
    WHEN ((OLD.store_name, OLD.store_type_id, OLD.slug, OLD.closed_at) IS DISTINCT FROM (NEW.store_name, NEW.store_type_id, NEW.slug, NEW.closed_at))
    EXECUTE FUNCTION tell_tenant();
CREATE TRIGGER tell_changed AFTER UPDATE OF state ON custom_domains FOR EACH ROW
    WHEN (OLD.state <> NEW.state AND 'active' IN (OLD.state, NEW.state)) EXECUTE FUNCTION tell_domain();
CREATE TRIGGER tell_removed AFTER DELETE ON custom_domains FOR EACH ROW WHEN (OLD.state = 'active') EXECUTE FUNCTION tell_domain();
CREATE TRIGGER tell_webhooks AFTER INSERT OR UPDATE ON franchises FOR EACH ROW EXECUTE FUNCTION tell_outlet();
CREATE TRIGGER tell_webhooks AFTER UPDATE OF state ON outlet_partners FOR EACH ROW WHEN (NEW.state = 'active' AND OLD.state <> 'active')
    EXECUTE FUNCTION tell_partner();

-- +goose Down
DROP TRIGGER tell_webhooks ON outlet_partners;
DROP TRIGGER tell_webhooks ON franchises;
DROP TRIGGER tell_removed ON custom_domains;
DROP TRIGGER tell_changed ON custom_domains;
DROP TRIGGER tell_changed ON tenants;
DROP TRIGGER tell_live ON tenants;
DROP TRIGGER tell_webhooks ON invoices;
DROP TRIGGER tell_webhooks ON subscription_events;
DROP TRIGGER tell_changed ON franchisers;
DROP TRIGGER tell_created ON franchisers;
DROP FUNCTION tell_partner(), tell_outlet(), tell_domain(), tell_tenant(), tell_document(), tell_subscriptions(), tell_account();
DROP FUNCTION tell_webhooks(text, uuid, jsonb, timestamptz), webhooks_wanted();
DROP FUNCTION queue_job(text, jsonb, text, int, uuid);
REVOKE USAGE ON SEQUENCE river_job_id_seq FROM franchise360_lookup;
REVOKE INSERT ON river_job FROM franchise360_lookup;
DROP TABLE webhook_attempts, webhook_deliveries, webhook_events, webhook_endpoints;
