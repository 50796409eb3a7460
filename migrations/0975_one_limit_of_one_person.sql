-- Accounts that may be one person's have one limit a day for what is given back without a second person.

-- +goose Up
-- +goose StatementBegin
-- staff_behind are the people who may be behind an account at the moment, each with the time until which: the account's own, for ever, and
-- whoever opened it, or opened the account of one of these. opening is the one that ends first on the way there. Of several openings of one
-- account by one member the one that ends last counts alone: to follow each would take minutes where two opened each other's often.
CREATE OR REPLACE FUNCTION staff_behind(member uuid, moment timestamptz) RETURNS TABLE (who uuid, until timestamptz, opening uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    WITH RECURSIVE behind (who, until, opening) AS (
        SELECT member, 'infinity'::timestamptz, NULL::uuid
        UNION
        SELECT o.opened_by, least(b.until, o.counts_until), CASE WHEN o.counts_until < b.until THEN o.id ELSE b.opening END
        FROM behind b CROSS JOIN LATERAL (SELECT DISTINCT ON (n.opened_by) n.id, n.opened_by, n.counts_until FROM public.staff_openings n
            WHERE n.staff_id = b.who AND n.counts_until > moment ORDER BY n.opened_by, n.counts_until DESC, n.id) o)
    SELECT b.who, b.until, b.opening FROM behind b $$;

-- staff_of_one_person are the accounts that may be of the same person as the member's at the moment or later, the member's own included.
CREATE FUNCTION staff_of_one_person(member uuid, moment timestamptz) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT member UNION SELECT m.id FROM public.staff m WHERE EXISTS (SELECT FROM public.staff_tie(member, m.id, moment)) $$;

-- alone_in_acts is what a member of staff, and whoever may be the same person, has had done without a second person in a time, in paise.
CREATE OR REPLACE FUNCTION alone_in_acts(who uuid, after timestamptz, before timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SET search_path = pg_catalog, public AS $$
    SELECT coalesce(sum(amount_paise), 0)::bigint FROM public.staff_acts
    WHERE requested_by IN (SELECT one FROM public.staff_of_one_person(who, after) one) AND NOT needs_approval AND state IN ('approved', 'done')
        AND requested_at >= after AND requested_at < before $$;
-- +goose StatementEnd
ALTER FUNCTION staff_of_one_person(uuid, timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION staff_of_one_person(uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION staff_of_one_person(uuid, timestamptz) TO franchise360_api, franchise360_worker;

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION staff_behind(member uuid, moment timestamptz) RETURNS TABLE (who uuid, until timestamptz, opening uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    WITH RECURSIVE behind (who, until, opening) AS (
        SELECT member, 'infinity'::timestamptz, NULL::uuid
        UNION
        SELECT o.opened_by, least(b.until, o.counts_until), CASE WHEN o.counts_until < b.until THEN o.id ELSE b.opening END
        FROM behind b JOIN public.staff_openings o ON o.staff_id = b.who AND o.counts_until > moment)
    SELECT b.who, b.until, b.opening FROM behind b $$;

CREATE OR REPLACE FUNCTION alone_in_acts(who uuid, after timestamptz, before timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SET search_path = pg_catalog, public AS $$
    SELECT coalesce(sum(amount_paise), 0)::bigint FROM public.staff_acts
    WHERE requested_by = who AND NOT needs_approval AND state IN ('approved', 'done')
        AND requested_at >= after AND requested_at < before $$;
-- +goose StatementEnd
DROP FUNCTION staff_of_one_person(uuid, timestamptz);
