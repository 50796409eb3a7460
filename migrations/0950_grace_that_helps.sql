-- What staff are shown before more grace is given to many: whom it would help, not whom the outage hit.

-- +goose Up
-- +goose StatementBegin
-- grace_helped has of the customers whose last day of grace is one of the days, both included, those who could renew on the day today
-- with that many more days, or with as many as they may still be given: at most so many, and how many there are.
CREATE FUNCTION grace_helped(first date, last date, more int, today date, most int) RETURNS TABLE (franchiser_id uuid, last_day date, total bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT s.franchiser_id, s.renew_on + 6 + s.grace_extra, count(*) OVER ()
            FROM public.subscriptions s
            WHERE s.state IN ('grace', 'expired') AND NOT s.trial AND NOT s.revoked AND s.paid_until = s.renew_on
                AND s.renew_on BETWEEN first - 26 AND last - 6 AND s.renew_on + 6 + s.grace_extra BETWEEN first AND last
                AND s.grace_extra < 20 AND s.renew_on + 6 + least(s.grace_extra + more, 20) >= today
            ORDER BY s.franchiser_id LIMIT most;
    END $$;
-- +goose StatementEnd
ALTER FUNCTION grace_helped(date, date, int, date, int) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION grace_helped(date, date, int, date, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION grace_helped(date, date, int, date, int) TO franchise360_api;

-- +goose Down
DROP FUNCTION grace_helped(date, date, int, date, int);
