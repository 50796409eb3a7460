-- A passkey and another authenticator outlive the session that adds them, so both also ask for a code of the current authenticator.

-- +goose Up
-- +goose StatementBegin
-- spend_staff_code uses up a step of the acting member's authenticator, and tells whether it was unused.
CREATE FUNCTION spend_staff_code(step bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
    UPDATE public.staff SET totp_last_step = step WHERE id = public.acting_staff() AND totp_last_step < step;
    RETURN FOUND;
END $$;
-- +goose StatementEnd
ALTER FUNCTION spend_staff_code(bigint) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION spend_staff_code(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION spend_staff_code(bigint) TO franchise360_api;

-- +goose Down
DROP FUNCTION spend_staff_code(bigint);
