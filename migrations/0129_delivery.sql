-- The delivery ledger: each bought feature and add-on has one row per customer with the responsible person or system, a promised day, a
-- state and proof. Triggers keep the rows equal to what the customer has bought, in the transaction of the purchase.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- What is delivered to a customer. item is a feature's name or an add-on's key. A row that ended begins anew if the item is bought again.
CREATE TABLE deliveries (
    id            uuid        PRIMARY KEY DEFAULT uuidv7(),
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    order_id      uuid        NOT NULL, -- the order that began it
    item          text        NOT NULL CHECK (char_length(item) BETWEEN 1 AND 80),
    name          text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
    add_on        boolean     NOT NULL,
    how           text        NOT NULL CHECK (how IN ('product', 'connected', 'staff')),
    proof_by      text        NOT NULL CHECK (proof_by IN ('', 'domain', 'partner', 'contact', 'limit')), -- what the product looks for
    state         text        NOT NULL,
    promised_on   date        NOT NULL,
    needs         text        NOT NULL DEFAULT '' CHECK (char_length(needs) <= 300), -- from the customer
    proof         text        NOT NULL DEFAULT '' CHECK (char_length(proof) <= 500), -- a link or a sentence
    staff_id      uuid        REFERENCES staff, -- the responsible colleague
    system        text        NOT NULL DEFAULT '' CHECK (char_length(system) <= 80), -- the connected system that reported last
    revision      int         NOT NULL DEFAULT 1 CHECK (revision >= 1), -- counts the changes
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    waiting_since date        CHECK (waiting_since IS NULL OR state = 'waiting_for_customer'),
    delivered_at  timestamptz CHECK (state <> 'delivered' OR delivered_at IS NOT NULL),
    ended_at      timestamptz CHECK ((ended_at IS NOT NULL) = (state = 'ended')),
    end_reason    text        NOT NULL DEFAULT '' CHECK ((end_reason <> '') = (state = 'ended')
        AND end_reason IN ('', 'changed', 'expired', 'refunded', 'erased')),
    late_on       date, -- the promised day whose lateness was announced
    reminders     smallint    NOT NULL DEFAULT 0 CHECK (reminders BETWEEN 0 AND 2), -- sent to the customer since waiting_since
    done_steps    text[]      NOT NULL DEFAULT '{}' CHECK (cardinality(done_steps) <= 20), -- of the checklist in pkg/plan/delivery.json
    UNIQUE (franchiser_id, id),
    UNIQUE (franchiser_id, item),
    FOREIGN KEY (franchiser_id, order_id) REFERENCES orders (franchiser_id, id),
    CONSTRAINT deliveries_state_check CHECK (state IN ('planned', 'waiting_for_customer', 'in_progress', 'delivered', 'not_applicable', 'ended')),
    CONSTRAINT deliveries_delivered_has_proof CHECK (state <> 'delivered' OR proof <> '')
);
CREATE INDEX deliveries_of_order ON deliveries (franchiser_id, order_id);
CREATE INDEX deliveries_open ON deliveries (promised_on, id) WHERE state IN ('planned', 'waiting_for_customer', 'in_progress');
CREATE INDEX deliveries_of_staff ON deliveries (staff_id) WHERE staff_id IS NOT NULL;
CALL isolate('deliveries');
CREATE POLICY lookup ON deliveries FOR SELECT TO franchise360_lookup USING (true);
-- As in pkg/delivery/state.go; a test compares every pair of states.
CREATE TRIGGER transitions BEFORE UPDATE OF state ON deliveries FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions(
        'planned>waiting_for_customer', 'planned>in_progress', 'planned>delivered', 'planned>not_applicable', 'planned>ended',
        'waiting_for_customer>in_progress', 'waiting_for_customer>delivered', 'waiting_for_customer>not_applicable', 'waiting_for_customer>ended',
        'in_progress>waiting_for_customer', 'in_progress>delivered', 'in_progress>not_applicable', 'in_progress>ended',
        'delivered>in_progress', 'delivered>ended', 'not_applicable>planned', 'not_applicable>ended',
        'ended>planned', 'ended>waiting_for_customer', 'ended>delivered');
CREATE TRIGGER first_states AFTER INSERT ON deliveries FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('planned', 'waiting_for_customer', 'delivered');
ALTER TABLE deliveries ENABLE ALWAYS TRIGGER first_states;
GRANT SELECT, INSERT, UPDATE ON deliveries TO franchise360_api, franchise360_worker;
GRANT SELECT ON deliveries TO franchise360_lookup;

-- History of a delivery. Only a digest and an erasure change a row: the erasure removes the note.
CREATE TABLE delivery_events (
    id            uuid        PRIMARY KEY DEFAULT uuidv7(),
    franchiser_id uuid        NOT NULL,
    delivery_id   uuid        NOT NULL,
    kind          text        NOT NULL CHECK (kind IN ('begun', 'moved', 'assigned', 'noted', 'ended', 'late', 'checked', 'provided', 'reminded')),
    from_state    text        NOT NULL DEFAULT '',
    to_state      text        NOT NULL,
    note          text        NOT NULL DEFAULT '' CHECK (char_length(note) <= 500),
    actor         text        NOT NULL CHECK (actor IN ('product', 'staff', 'system', 'customer')),
    staff_id      uuid        REFERENCES staff,
    at            timestamptz NOT NULL,
    request_id    uuid        DEFAULT current_request(),
    -- A connected system's report: its API key, and the Idempotency-Key with the hash of the content.
    api_key_id    uuid        REFERENCES api_keys,
    report_key    text        CHECK (char_length(report_key) BETWEEN 8 AND 128),
    report_hash   bytea,
    UNIQUE (api_key_id, franchiser_id, report_key),
    CHECK ((actor = 'system') = (api_key_id IS NOT NULL)),
    CHECK (num_nonnulls(api_key_id, report_key, report_hash) IN (0, 3)),
    -- What the customer is told of: one digest per topic and day lists all its events.
    topic         text        GENERATED ALWAYS AS (CASE WHEN kind = 'late' THEN 'late'
        WHEN kind IN ('begun', 'moved', 'reminded') AND to_state = 'waiting_for_customer' THEN 'needed'
        WHEN kind = 'moved' AND to_state = 'delivered' AND actor <> 'product' THEN 'done' END) STORED,
    digest        uuid, -- the subject of the message
    digest_on     date,
    CHECK ((digest IS NULL) = (digest_on IS NULL)),
    FOREIGN KEY (franchiser_id, delivery_id) REFERENCES deliveries (franchiser_id, id),
    CHECK ((actor = 'staff') = (staff_id IS NOT NULL))
);
CREATE INDEX delivery_events_of_delivery ON delivery_events (franchiser_id, delivery_id, at DESC);
CREATE INDEX delivery_events_of_staff ON delivery_events (staff_id) WHERE staff_id IS NOT NULL;
CREATE INDEX delivery_events_untold ON delivery_events (franchiser_id, topic) WHERE topic IS NOT NULL AND digest IS NULL;
CREATE INDEX delivery_events_told ON delivery_events (franchiser_id, topic, digest_on) WHERE digest IS NOT NULL;
CALL isolate('delivery_events');
GRANT SELECT, INSERT ON delivery_events TO franchise360_api, franchise360_worker;
GRANT UPDATE (note, digest, digest_on) ON delivery_events TO franchise360_worker;
CREATE POLICY lookup ON delivery_events FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT (id, franchiser_id, delivery_id, kind, at) ON delivery_events TO franchise360_lookup;

-- tell_deliveries tells connected systems of the parts that they deliver.
CREATE FUNCTION tell_deliveries() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM public.tell_webhooks('delivery.changed', n.franchiser_id, jsonb_build_object('account_id', n.franchiser_id,
        'delivery_id', n.delivery_id, 'state', n.to_state), n.at)
    FROM told n JOIN public.deliveries d ON d.franchiser_id = n.franchiser_id AND d.id = n.delivery_id
    WHERE d.how = 'connected' AND n.kind IN ('begun', 'moved', 'ended', 'late', 'provided') AND (SELECT public.webhooks_wanted());
    RETURN NULL;
END $$;
CREATE TRIGGER tell_webhooks AFTER INSERT ON delivery_events REFERENCING NEW TABLE AS told FOR EACH STATEMENT EXECUTE FUNCTION tell_deliveries();

-- Files for a delivery: from the customer what is needed, from staff a proof. They are small, and an erasure deletes them.
CREATE TABLE delivery_files (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    delivery_id   uuid        NOT NULL,
    staff_id      uuid        REFERENCES staff, -- NULL: the customer sent it
    name          text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
    content_type  text        NOT NULL CHECK (content_type IN ('image/png', 'image/jpeg', 'image/webp', 'application/pdf', 'text/csv',
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')),
    content       bytea       NOT NULL CHECK (octet_length(content) BETWEEN 1 AND 5242880),
    created_at    timestamptz NOT NULL,
    FOREIGN KEY (franchiser_id, delivery_id) REFERENCES deliveries (franchiser_id, id)
);
CREATE INDEX delivery_files_of_delivery ON delivery_files (franchiser_id, delivery_id, created_at);
CREATE INDEX delivery_files_of_staff ON delivery_files (staff_id) WHERE staff_id IS NOT NULL;
CALL isolate('delivery_files');
GRANT SELECT, INSERT ON delivery_files TO franchise360_api;
GRANT SELECT, DELETE ON delivery_files TO franchise360_worker;

-- settle_deliveries makes the rows of customers equal to what they have bought. It begins new items, keeps those that continue, and ends the
-- others. A plan that expired less than 90 days ago keeps its delivered items if it is bought again. The contact page and raised limits
-- are there from the payment on.
-- A row that needs something from the customer waits for it. Promised days count from the purchase, but not from before not_before.
CREATE FUNCTION settle_deliveries(customers uuid[], not_before date) RETURNS void
    LANGUAGE sql AS $$
    WITH wanted AS MATERIALIZED (
        SELECT DISTINCT ON (h.franchiser_id, x.item) h.franchiser_id, h.order_id, x.item, coalesce(h.name, x.item) AS name,
            h.key IS NOT NULL AS add_on, coalesce(d.how, 'staff') AS how, coalesce(d.proof_by, '') AS proof_by, coalesce(d.needs, '') AS needs, h.at,
            b.begins_on, working_day_after(b.begins_on, coalesce(d.days, 10)) AS promised_on,
            CASE WHEN d.proof_by IN ('contact', 'limit') THEN 'delivered' WHEN d.needs <> '' THEN 'waiting_for_customer' ELSE 'planned' END AS state
        FROM held_overview h
            CROSS JOIN LATERAL (SELECT h.key WHERE h.key IS NOT NULL
                UNION ALL SELECT p.item FROM plan_items(h.catalogue_revision, h.plan_id) p WHERE h.key IS NULL) x (item)
            LEFT JOIN plan_delivery_overview d ON d.item = x.item
            CROSS JOIN LATERAL (SELECT greatest(h.since, day_in_india(h.at), not_before) AS begins_on) b
        WHERE h.franchiser_id = ANY (customers)
        ORDER BY h.franchiser_id, x.item, h.since
    ), put AS (
        INSERT INTO deliveries AS old (franchiser_id, order_id, item, name, add_on, how, proof_by, state, promised_on, needs, proof, created_at,
            updated_at, waiting_since, delivered_at)
        SELECT w.franchiser_id, w.order_id, w.item, w.name, w.add_on, w.how, w.proof_by, coalesce(k.state, w.state), w.promised_on, w.needs,
            coalesce(k.proof, CASE w.proof_by WHEN 'contact' THEN '/contact' WHEN 'limit' THEN '/dashboard' ELSE '' END), w.at, w.at,
            CASE coalesce(k.state, w.state) WHEN 'waiting_for_customer' THEN w.begins_on END,
            coalesce(k.delivered_at, CASE w.state WHEN 'delivered' THEN w.at END)
        FROM wanted w LEFT JOIN LATERAL (SELECT 'delivered' AS state, o.proof, o.delivered_at FROM deliveries o
            WHERE o.franchiser_id = w.franchiser_id AND o.item = w.item AND o.end_reason = 'expired' AND o.proof <> ''
                AND o.ended_at > w.at - interval '90 days') k ON true
        WHERE NOT EXISTS (SELECT FROM deliveries e WHERE e.franchiser_id = w.franchiser_id
            AND (e.end_reason = 'erased' OR e.item = w.item AND e.state <> 'ended'))
        ON CONFLICT (franchiser_id, item) DO UPDATE SET
            order_id = excluded.order_id, name = excluded.name, how = excluded.how, proof_by = excluded.proof_by, state = excluded.state,
            promised_on = excluded.promised_on, needs = excluded.needs, proof = excluded.proof, waiting_since = excluded.waiting_since,
            delivered_at = excluded.delivered_at, ended_at = NULL, end_reason = '', late_on = NULL, reminders = 0, done_steps = '{}', revision = old.revision + 1,
            updated_at = excluded.updated_at
        RETURNING id, franchiser_id, state, updated_at
    ), over AS (
        UPDATE deliveries d SET state = 'ended', ended_at = e.at, end_reason = e.reason, waiting_since = NULL, revision = d.revision + 1, updated_at = e.at
        FROM unnest(customers) c (id) CROSS JOIN LATERAL purchase_ended(c.id) e
        WHERE d.franchiser_id = c.id AND d.state <> 'ended'
            AND NOT EXISTS (SELECT FROM wanted w WHERE w.franchiser_id = d.franchiser_id AND w.item = d.item)
        RETURNING d.id, d.franchiser_id, d.updated_at
    )
    INSERT INTO delivery_events (franchiser_id, delivery_id, kind, to_state, actor, at)
    SELECT franchiser_id, id, 'begun', state, 'product', updated_at FROM put
    UNION ALL SELECT franchiser_id, id, 'ended', 'ended', 'product', updated_at FROM over $$;

-- deliveries_for_staff returns deliveries for staff, open ones first, in the order of promised days, with their customer and the total, up to 10,001. wanted
-- is a state, open, late, due (promised within three days), provided (staff did nothing since the customer sent what is needed) or unanswered (waits
-- after two reminders). word is a part of the item's name.
CREATE FUNCTION deliveries_for_staff(wanted text, wanted_how text, owner uuid, nobody boolean, of_customer uuid, word text, today date, most int, passing int)
    RETURNS TABLE (id uuid, franchiser_id uuid, order_id uuid, item text, name text, add_on boolean, how text, state text, promised_on date, needs text,
        proof text, staff_id uuid, system text, revision int, waiting_since date, updated_at timestamptz, delivered_at timestamptz, ended_at timestamptz,
        end_reason text, proof_by text, done_steps text[], customer text, total bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY WITH found AS MATERIALIZED (
            SELECT d.id, d.promised_on, d.state NOT IN ('planned', 'waiting_for_customer', 'in_progress') AS is_over FROM public.deliveries d
            WHERE (CASE wanted WHEN '' THEN true
                    WHEN 'open' THEN d.state IN ('planned', 'waiting_for_customer', 'in_progress')
                    WHEN 'late' THEN d.state IN ('planned', 'in_progress') AND d.promised_on < today
                    WHEN 'due' THEN d.state IN ('planned', 'in_progress') AND d.promised_on BETWEEN today AND today + 3
                    WHEN 'unanswered' THEN d.state = 'waiting_for_customer' AND d.reminders = 2
                    WHEN 'provided' THEN d.state = 'in_progress' AND d.promised_on >= today AND (SELECT e.kind FROM public.delivery_events e
                        WHERE e.franchiser_id = d.franchiser_id AND e.delivery_id = d.id AND e.kind <> 'assigned' ORDER BY e.at DESC, e.id DESC LIMIT 1) = 'provided'
                    ELSE d.state = wanted END)
                AND (wanted_how = '' OR d.how = wanted_how) AND (owner IS NULL OR d.staff_id = owner) AND (NOT nobody OR d.staff_id IS NULL)
                AND (of_customer IS NULL OR d.franchiser_id = of_customer)
                AND (word = '' OR strpos(lower(d.name), lower(word)) > 0)
            ORDER BY is_over, d.promised_on, d.id LIMIT 10001
        )
        SELECT d.id, d.franchiser_id, d.order_id, d.item, d.name, d.add_on, d.how, d.state, d.promised_on, d.needs, d.proof, d.staff_id, d.system,
            d.revision, d.waiting_since, d.updated_at, d.delivered_at, d.ended_at, d.end_reason, d.proof_by, d.done_steps, c.name, (SELECT count(*) FROM found)
        FROM (SELECT f.id, f.is_over FROM found f ORDER BY f.is_over, f.promised_on, f.id LIMIT most OFFSET passing) page JOIN public.deliveries d ON d.id = page.id
            CROSS JOIN LATERAL public.named_customer(d.franchiser_id) c
        ORDER BY page.is_over, d.promised_on, d.id;
    END $$;

-- follow_purchases settles the deliveries of customers whose subscription, term or add-ons a statement changed.
CREATE FUNCTION follow_purchases() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    customers uuid[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        customers := ARRAY(SELECT DISTINCT n.franchiser_id FROM after n);
    ELSIF TG_ARGV[0] = 'state' THEN
        customers := ARRAY(SELECT n.franchiser_id FROM after n JOIN before o ON o.id = n.id
            WHERE n.state = 'expired' AND o.state <> 'expired' OR n.state = 'grace' AND o.state = 'expired');
    ELSIF TG_ARGV[0] = 'status' THEN
        customers := ARRAY(SELECT DISTINCT n.franchiser_id FROM after n JOIN before o ON o.id = n.id WHERE n.status <> o.status);
    ELSE
        customers := ARRAY(SELECT DISTINCT n.franchiser_id FROM after n JOIN before o ON o.id = n.id WHERE n.ended_on IS DISTINCT FROM o.ended_on);
    END IF;
    IF customers <> '{}' THEN
        PERFORM public.settle_deliveries(customers, '-infinity');
    END IF;
    RETURN NULL;
END $$;

-- Triggers on earlier files' tables for functions of this file. A plan that begins has a new term, so its state alone changes nothing.
CREATE TRIGGER follow_state AFTER UPDATE ON subscriptions REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT
    EXECUTE FUNCTION follow_purchases('state');
CREATE TRIGGER follow_begun AFTER INSERT ON terms REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION follow_purchases();
CREATE TRIGGER follow_status AFTER UPDATE ON terms REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT
    EXECUTE FUNCTION follow_purchases('status');
CREATE TRIGGER follow_begun AFTER INSERT ON subscription_add_ons REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION follow_purchases();
CREATE TRIGGER follow_ended AFTER UPDATE ON subscription_add_ons REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT
    EXECUTE FUNCTION follow_purchases('ended_on');

-- Owner and callers of the functions above.
ALTER FUNCTION deliveries_for_staff(text, text, uuid, boolean, uuid, text, date, int, int) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION deliveries_for_staff(text, text, uuid, boolean, uuid, text, date, int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deliveries_for_staff(text, text, uuid, boolean, uuid, text, date, int, int) TO franchise360_api;
-- +goose StatementEnd
