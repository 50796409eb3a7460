-- An order shows the list price of its plan beside what is charged.

-- +goose Up
CREATE OR REPLACE VIEW order_overview WITH (security_invoker=true) AS
 SELECT o.id,
    o.franchiser_id,
    o.kind,
    o.state,
    o.plan_id,
    o.service_id,
    o.plan_name,
    o.service_name,
    o.plan_type,
    o.add_on_ids,
    o.add_on_names,
    o.subscription_id,
    (o.total_paise - o.credit_paise) AS payable_paise,
    o.pg_charge_paise,
    o.effective_on,
    o.renew_on,
    o.search,
    o.created_at,
    o.paid_at,
    t.status AS term,
    t.starts_on AS term_from,
    t.renew_on AS term_to,
        CASE
            WHEN (t.status = 'replaced'::text) THEN ( SELECT n.starts_on
               FROM terms n
              WHERE ((n.subscription_id = t.subscription_id) AND (n.id > t.id))
              ORDER BY n.id
             LIMIT 1)
            WHEN ((o.kind = 'add_on'::text) AND o.credited) THEN ( SELECT n.starts_on
               FROM (orders u
                 JOIN terms n ON ((n.order_id = u.id)))
              WHERE ((u.franchiser_id = o.franchiser_id) AND (u.kind = 'upgrade'::text) AND (u.paid_at >= o.paid_at))
              ORDER BY u.paid_at
             LIMIT 1)
            ELSE NULL::date
        END AS replaced_on,
        CASE
            WHEN o.credited THEN ( SELECT max(e.at) AS max
               FROM subscription_events e
              WHERE ((e.franchiser_id = o.franchiser_id) AND (e.order_id = o.id) AND (e.kind = 'revoked'::text)))
            ELSE NULL::timestamp with time zone
        END AS revoked_at,
    s.state AS subscription_state,
    -- The plan's list price where a discount is taken off it.
    (SELECT l.amount_paise FROM order_lines l WHERE l.order_id = o.id AND l.kind = 'plan' AND l.discount_paise > 0
     ORDER BY l.position LIMIT 1) AS list_paise
   FROM ((orders o
     LEFT JOIN terms t ON ((t.order_id = o.id)))
     LEFT JOIN subscriptions s ON ((s.id = o.subscription_id)));

-- +goose Down
DROP VIEW order_overview;
CREATE VIEW order_overview WITH (security_invoker=true) AS
 SELECT o.id,
    o.franchiser_id,
    o.kind,
    o.state,
    o.plan_id,
    o.service_id,
    o.plan_name,
    o.service_name,
    o.plan_type,
    o.add_on_ids,
    o.add_on_names,
    o.subscription_id,
    (o.total_paise - o.credit_paise) AS payable_paise,
    o.pg_charge_paise,
    o.effective_on,
    o.renew_on,
    o.search,
    o.created_at,
    o.paid_at,
    t.status AS term,
    t.starts_on AS term_from,
    t.renew_on AS term_to,
        CASE
            WHEN (t.status = 'replaced'::text) THEN ( SELECT n.starts_on
               FROM terms n
              WHERE ((n.subscription_id = t.subscription_id) AND (n.id > t.id))
              ORDER BY n.id
             LIMIT 1)
            WHEN ((o.kind = 'add_on'::text) AND o.credited) THEN ( SELECT n.starts_on
               FROM (orders u
                 JOIN terms n ON ((n.order_id = u.id)))
              WHERE ((u.franchiser_id = o.franchiser_id) AND (u.kind = 'upgrade'::text) AND (u.paid_at >= o.paid_at))
              ORDER BY u.paid_at
             LIMIT 1)
            ELSE NULL::date
        END AS replaced_on,
        CASE
            WHEN o.credited THEN ( SELECT max(e.at) AS max
               FROM subscription_events e
              WHERE ((e.franchiser_id = o.franchiser_id) AND (e.order_id = o.id) AND (e.kind = 'revoked'::text)))
            ELSE NULL::timestamp with time zone
        END AS revoked_at,
    s.state AS subscription_state
   FROM ((orders o
     LEFT JOIN terms t ON ((t.order_id = o.id)))
     LEFT JOIN subscriptions s ON ((s.id = o.subscription_id)));
COMMENT ON VIEW order_overview IS 'subscription: what was ordered, what it costs, and what became of it';
GRANT SELECT ON order_overview TO franchise360_api, franchise360_worker;
