-- Whose days of grace ended in a time, so that staff can give more of them to everybody whom an outage hit.

-- +goose Up
GRANT SELECT (revoked) ON subscriptions TO franchise360_lookup;
-- +goose StatementBegin
-- grace_ended_of_all has the customers whose last day of grace is one of the days, both included, by their id after one: at most that
-- many, and how many there are.
CREATE FUNCTION grace_ended_of_all(first date, last date, after uuid, most int)
    RETURNS TABLE (franchiser_id uuid, last_day date, total bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT s.franchiser_id, s.renew_on + 6 + s.grace_extra, count(*) OVER ()
    FROM public.subscriptions s
    WHERE s.state IN ('grace', 'expired') AND NOT s.trial AND NOT s.revoked AND s.paid_until = s.renew_on
        AND s.renew_on BETWEEN first - 26 AND last - 6 AND s.renew_on + 6 + s.grace_extra BETWEEN first AND last
        AND s.franchiser_id > after
    ORDER BY s.franchiser_id LIMIT most $$;
CREATE FUNCTION grace_ended(first date, last date, most int) RETURNS TABLE (franchiser_id uuid, last_day date, total bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT * FROM public.grace_ended_of_all(first, last, '00000000-0000-0000-0000-000000000000', most);
    END $$;
-- +goose StatementEnd
ALTER FUNCTION grace_ended_of_all(date, date, uuid, int) OWNER TO franchise360_lookup;
ALTER FUNCTION grace_ended(date, date, int) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION grace_ended_of_all(date, date, uuid, int), grace_ended(date, date, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION grace_ended(date, date, int) TO franchise360_api;
GRANT EXECUTE ON FUNCTION grace_ended_of_all(date, date, uuid, int) TO franchise360_worker;

-- +goose Down
DROP FUNCTION grace_ended(date, date, int), grace_ended_of_all(date, date, uuid, int);
REVOKE SELECT (revoked) ON subscriptions FROM franchise360_lookup;
