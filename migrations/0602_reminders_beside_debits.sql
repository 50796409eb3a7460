-- +goose Up
-- Nobody is asked to pay by hand what is debited. While a debit of a renewal is announced or under way, and while a mandate is to debit
-- one that is not announced yet, no reminder of that renewal is due; once nothing is to be debited any more, they go on as for everybody.

-- renews_by_debit reports whether a subscription's term before renew_on is to be paid by a mandate. A debit is announced a week before
-- the last day of the term, so that one that is not announced five days before it is not waited for any longer.
-- +goose StatementBegin
CREATE FUNCTION renews_by_debit(subscription uuid, renews_on date, today date) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.mandate_debits d WHERE d.subscription_id = subscription AND d.renew_on = renews_on
            AND d.state IN ('planned', 'noticed', 'asked'))
        OR renews_on - 1 - today >= 5 AND EXISTS (SELECT FROM public.mandates m WHERE m.subscription_id = subscription
            AND m.state = 'active' AND m.held_at IS NULL AND m.stop_asked_at IS NULL)
            AND NOT EXISTS (SELECT FROM public.mandate_debits d WHERE d.subscription_id = subscription AND d.renew_on = renews_on) $$;
-- +goose StatementEnd
ALTER FUNCTION renews_by_debit(uuid, date, date) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION renews_by_debit(uuid, date, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION renews_by_debit(uuid, date, date) TO franchise360_api, franchise360_worker;
GRANT SELECT (subscription_id, state, held_at, stop_asked_at) ON mandates TO franchise360_lookup;
GRANT SELECT (subscription_id, renew_on, state) ON mandate_debits TO franchise360_lookup;

-- +goose Down
REVOKE SELECT (subscription_id, renew_on, state) ON mandate_debits FROM franchise360_lookup;
REVOKE SELECT (subscription_id, state, held_at, stop_asked_at) ON mandates FROM franchise360_lookup;
DROP FUNCTION renews_by_debit(uuid, date, date);
