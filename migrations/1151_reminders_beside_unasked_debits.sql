-- Customers get the messages of grace and expiry whatever their debit waits for: one that was never asked for let the plan lapse in silence.

-- +goose Up
-- +goose StatementBegin
-- renews_by_debit reports whether a subscription's term before renews_on is to be paid by a mandate. A debit is announced a week before
-- the last day of the term, so that one that is not announced five days before it is not waited for any longer. Once the term is over, no
-- debit is waited for.
CREATE OR REPLACE FUNCTION renews_by_debit(subscription uuid, renews_on date, today date) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.debited_renewals r WHERE r.subscription_id = subscription
        AND (r.live_on = renews_on AND today < renews_on
            OR renews_on - 1 - today >= 5 AND r.by_mandate AND r.tried_on IS DISTINCT FROM renews_on)) $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION renews_by_debit(subscription uuid, renews_on date, today date) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT EXISTS (SELECT FROM public.debited_renewals r WHERE r.subscription_id = subscription
        AND (r.live_on = renews_on AND NOT (r.asked AND today >= renews_on)
            OR renews_on - 1 - today >= 5 AND r.by_mandate AND r.tried_on IS DISTINCT FROM renews_on)) $$;
-- +goose StatementEnd
