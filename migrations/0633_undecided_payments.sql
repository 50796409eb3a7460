-- Payments of all customers that the gateway has not decided, for the work list of the staff.

-- +goose Up
-- +goose StatementBegin
-- undecided_payments has what was begun before that time and the gateway has not decided: what it calls pending, and what it could
-- not be asked about in time. A payment that nobody went on with is neither.
CREATE FUNCTION undecided_payments(before timestamptz, late timestamptz)
    RETURNS TABLE (franchiser_id uuid, payment_id uuid, transaction_id text, gateway text, amount_paise bigint, since timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT p.franchiser_id, p.id, p.transaction_id, p.gateway, p.amount_paise, p.created_at
            FROM public.payments p WHERE p.created_at < before
                AND (p.state = 'pending' OR p.state = 'created' AND public.payment_check_is_late(p.next_check_at, late));
    END $$;
-- +goose StatementEnd
ALTER FUNCTION undecided_payments(timestamptz, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION undecided_payments(timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION undecided_payments(timestamptz, timestamptz) TO franchise360_api;

-- +goose Down
DROP FUNCTION undecided_payments(timestamptz, timestamptz);
