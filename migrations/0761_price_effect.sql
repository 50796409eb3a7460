-- What a change of the catalogue would do to the bills of customers.

-- +goose Up
GRANT SELECT (service_id, next_service_id, next_plan_type, next_add_on_ids) ON subscriptions TO franchise360_lookup;
GRANT SELECT (franchiser_id, subscription_id, add_on_id) ON subscription_add_ons TO franchise360_lookup;
GRANT SELECT (franchiser_id, subscription_id, service_id, plan_type, status) ON terms TO franchise360_lookup;
CREATE POLICY lookup_next ON terms FOR SELECT TO franchise360_lookup USING (status = 'scheduled');

-- +goose StatementBegin
-- renewals_priced is the next renewal of every paid plan that runs, at two catalogues, in paise before tax. prices has a row for each tier
-- and each add-on, monthly and yearly: {"id", "type", "before", "after"}, the price null where it is not sold. A renewal is that of
-- QuoteRenewal: the change that waits for it, or the prepaid term, or else the running plan, with the add-ons that renew and are sold.
-- Where the plan itself is not sold, there is no price.
CREATE FUNCTION renewals_priced(prices jsonb)
    RETURNS TABLE (franchiser_id uuid, service_id uuid, plan_type text, renews_on date, before_paise bigint, after_paise bigint)
    LANGUAGE sql STABLE AS $$
    WITH p AS MATERIALIZED (
        SELECT x.id, x.type, x.before, x.after FROM jsonb_to_recordset(prices) AS x (id uuid, type text, before bigint, after bigint)
    ), coming AS (
        SELECT s.id, s.franchiser_id, s.paid_until AS renews_on, s.next_add_on_ids, s.paid_until > s.renew_on AS prepaid,
            coalesce(s.next_service_id, t.service_id, s.service_id) AS service_id,
            coalesce(s.next_plan_type, t.plan_type, s.plan_type) AS plan_type
        FROM public.subscriptions s LEFT JOIN public.terms t ON s.paid_until > s.renew_on AND t.franchiser_id = s.franchiser_id
            AND t.subscription_id = s.id AND t.status = 'scheduled'
        WHERE s.state IN ('active', 'grace') AND NOT s.trial AND NOT s.revoked
    ), chosen AS (
        SELECT c.id, u.add_on_id FROM coming c CROSS JOIN LATERAL unnest(c.next_add_on_ids) AS u (add_on_id)
        WHERE c.next_add_on_ids IS NOT NULL
        UNION ALL
        SELECT c.id, a.add_on_id FROM coming c JOIN public.subscription_add_ons a ON a.franchiser_id = c.franchiser_id
            AND a.subscription_id = c.id AND a.ended_on IS NULL AND a.next_billing_cycle_status = 1
            AND (NOT c.prepaid OR a.paid_until = c.renews_on)
        WHERE c.next_add_on_ids IS NULL
    ), added AS (
        SELECT c.id, sum(p.before)::bigint AS before, sum(p.after)::bigint AS after
        FROM chosen a JOIN coming c ON c.id = a.id JOIN p ON p.id = a.add_on_id AND p.type = c.plan_type GROUP BY c.id
    )
    SELECT c.franchiser_id, c.service_id, c.plan_type, c.renews_on, p.before + coalesce(a.before, 0), p.after + coalesce(a.after, 0)
    FROM coming c LEFT JOIN p ON p.id = c.service_id AND p.type = c.plan_type LEFT JOIN added a ON a.id = c.id $$;

-- price_effect sums renewals_priced up by tier and period, for staff.
CREATE FUNCTION price_effect(prices jsonb)
    RETURNS TABLE (service_id uuid, plan_type text, customers bigint, dearer bigint, cheaper bigint, ended bigint, before_paise bigint,
        after_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff();
    RETURN QUERY SELECT r.service_id, r.plan_type, count(*), count(*) FILTER (WHERE r.after_paise > r.before_paise),
            count(*) FILTER (WHERE r.after_paise < r.before_paise),
            count(*) FILTER (WHERE r.after_paise IS NULL AND r.before_paise IS NOT NULL),
            coalesce(sum(r.before_paise), 0)::bigint, coalesce(sum(r.after_paise), 0)::bigint
        FROM public.renewals_priced(prices) r GROUP BY 1, 2; END $$;

-- price_effect_on names the customers whose renewal changes, or everybody, as where the tax changes; who renews first comes first.
CREATE FUNCTION price_effect_on(prices jsonb, everybody boolean, at_most int, beyond int)
    RETURNS TABLE (franchiser_id uuid, name text, service_id uuid, plan_type text, renews_on date, before_paise bigint, after_paise bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff();
    RETURN QUERY SELECT x.franchiser_id, c.name, x.service_id, x.plan_type, x.renews_on, x.before_paise, x.after_paise
        FROM (SELECT r.* FROM public.renewals_priced(prices) r WHERE everybody OR r.after_paise IS DISTINCT FROM r.before_paise
            ORDER BY r.renews_on, r.franchiser_id LIMIT at_most OFFSET beyond) x
        CROSS JOIN LATERAL public.named_customer(x.franchiser_id) c ORDER BY x.renews_on, x.franchiser_id; END $$;
-- +goose StatementEnd
ALTER FUNCTION price_effect(jsonb) OWNER TO franchise360_lookup;
ALTER FUNCTION price_effect_on(jsonb, boolean, int, int) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION renewals_priced(jsonb), price_effect(jsonb), price_effect_on(jsonb, boolean, int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION renewals_priced(jsonb) TO franchise360_lookup;
GRANT EXECUTE ON FUNCTION price_effect(jsonb), price_effect_on(jsonb, boolean, int, int) TO franchise360_api;

-- +goose Down
DROP FUNCTION price_effect_on(jsonb, boolean, int, int), price_effect(jsonb), renewals_priced(jsonb);
DROP POLICY lookup_next ON terms;
REVOKE SELECT (franchiser_id, subscription_id, service_id, plan_type, status) ON terms FROM franchise360_lookup;
REVOKE SELECT (franchiser_id, subscription_id, add_on_id) ON subscription_add_ons FROM franchise360_lookup;
REVOKE SELECT (service_id, next_service_id, next_plan_type, next_add_on_ids) ON subscriptions FROM franchise360_lookup;
