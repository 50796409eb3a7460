-- Notices as the gateways send them: some signed by nobody, some naming a payment only by the gateway's own name for it.

-- +goose Up

-- What nobody signed is a hint: the gateway is asked, and only its answer is booked.
ALTER TABLE payment_events
    ADD COLUMN signed boolean NOT NULL DEFAULT true,
    ADD CONSTRAINT payment_events_small CHECK (octet_length(fields::text) <= 16384) NOT VALID; -- older ones may be larger

-- A dispute of which only an unsigned notice told is for staff to look up at the gateway. It moves nothing before that.
ALTER TABLE disputes
    ADD COLUMN confirmed boolean NOT NULL DEFAULT true,
    ADD CONSTRAINT disputes_confirmed CHECK (confirmed OR state = 'open');
CREATE INDEX disputes_by_name ON disputes (gateway_dispute_id);

-- Since when a request is making the gateway's order, which another one waits for.
ALTER TABLE payments ADD COLUMN order_claimed_at timestamptz;

CREATE INDEX payments_by_capture ON payments (gateway_payment_id) WHERE gateway_payment_id IS NOT NULL;
-- +goose StatementBegin
CREATE FUNCTION find_payment(g text, t text, r text, c text) RETURNS TABLE (id uuid, franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT p.id, p.franchiser_id FROM public.payments p WHERE p.gateway = g AND t <> '' AND p.transaction_id = t
          UNION ALL
          SELECT p.id, p.franchiser_id FROM public.payments p
          WHERE p.gateway = g AND t = '' AND r <> '' AND p.gateway_reference = r
          UNION ALL
          SELECT p.id, p.franchiser_id FROM public.payments p
          WHERE p.gateway = g AND t = '' AND r = '' AND c <> '' AND p.gateway_payment_id = c $$;
-- +goose StatementEnd
ALTER FUNCTION find_payment(text, text, text, text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_payment(text, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_payment(text, text, text, text) TO franchise360_api, franchise360_worker;

-- +goose Down
DROP FUNCTION find_payment(text, text, text, text);
DROP INDEX payments_by_capture;
ALTER TABLE payments DROP COLUMN order_claimed_at;
DROP INDEX disputes_by_name;
ALTER TABLE disputes DROP CONSTRAINT disputes_confirmed, DROP COLUMN confirmed;
ALTER TABLE payment_events DROP CONSTRAINT payment_events_small, DROP COLUMN signed;
