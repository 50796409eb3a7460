-- Whether an order can still have an effect, for proformas that ask for it: staff may not read orders themselves.

-- +goose Up
-- +goose StatementBegin
-- order_has_ended reports whether an order can have no effect any more: it was paid or cancelled, or the subscription has changed since it
-- was priced. A replaced order may still be paid until then.
CREATE FUNCTION order_has_ended(wanted uuid) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path TO pg_catalog, public
    AS $$ SELECT o.state NOT IN ('open', 'superseded') OR o.base_revision <> coalesce(s.revision, 0)
    FROM public.orders o LEFT JOIN public.subscriptions s ON s.franchiser_id = o.franchiser_id WHERE o.id = wanted $$;
-- +goose StatementEnd
GRANT SELECT (state, base_revision) ON orders TO franchise360_lookup;
GRANT SELECT (revision) ON subscriptions TO franchise360_lookup;
ALTER FUNCTION order_has_ended(uuid) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION order_has_ended(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION order_has_ended(uuid) TO franchise360_api, franchise360_worker;

-- +goose Down
DROP FUNCTION order_has_ended(uuid);
REVOKE SELECT (revision) ON subscriptions FROM franchise360_lookup;
REVOKE SELECT (state, base_revision) ON orders FROM franchise360_lookup;
