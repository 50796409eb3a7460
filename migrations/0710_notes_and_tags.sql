-- What staff note about a customer, and the tags by which they find customers again.

-- +goose Up
-- A note is never changed, only pinned or deleted; the text goes with the customer's personal data.
CREATE TABLE customer_notes (
    id             uuid        PRIMARY KEY,
    franchiser_ref uuid        NOT NULL REFERENCES franchisers,
    text           text        NOT NULL CHECK (text ~ '\S' AND char_length(text) <= 2000),
    pinned         boolean     NOT NULL,
    written_by     uuid        NOT NULL REFERENCES staff,
    created_at     timestamptz NOT NULL
);
CREATE INDEX customer_notes_of ON customer_notes (franchiser_ref, created_at DESC, id DESC);
GRANT SELECT, INSERT, UPDATE (pinned), DELETE ON customer_notes TO franchise360_api;
GRANT SELECT, DELETE ON customer_notes TO franchise360_worker;
ALTER TABLE customer_notes ENABLE ROW LEVEL SECURITY;
-- Customers read them in the export of their data.
CREATE POLICY staff_read ON customer_notes FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL OR franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY own_name ON customer_notes FOR INSERT TO franchise360_api
    WITH CHECK (written_by IN ((SELECT acting_staff('help')), (SELECT acting_staff('finance'))));
CREATE POLICY staff_pin ON customer_notes FOR UPDATE TO franchise360_api
    USING (coalesce((SELECT acting_staff('help')), (SELECT acting_staff('finance'))) IS NOT NULL);
CREATE POLICY own_or_admin_ends ON customer_notes FOR DELETE TO franchise360_api
    USING (written_by IN ((SELECT acting_staff('help')), (SELECT acting_staff('finance'))) OR (SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY every_row ON customer_notes TO franchise360_worker USING (true) WITH CHECK (true);

CREATE TABLE customer_tags (
    franchiser_ref uuid        NOT NULL REFERENCES franchisers,
    tag            text        NOT NULL CHECK (tag ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND char_length(tag) <= 24),
    tagged_by      uuid        NOT NULL REFERENCES staff,
    tagged_at      timestamptz NOT NULL,
    PRIMARY KEY (franchiser_ref, tag)
);
CREATE INDEX customer_tags_tag ON customer_tags (tag COLLATE "C");
GRANT SELECT, INSERT, DELETE ON customer_tags TO franchise360_api;
GRANT SELECT, DELETE ON customer_tags TO franchise360_worker;
GRANT SELECT ON customer_tags TO franchise360_lookup;
ALTER TABLE customer_tags ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON customer_tags FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL OR franchiser_ref = (SELECT current_franchiser()));
CREATE POLICY own_name ON customer_tags FOR INSERT TO franchise360_api
    WITH CHECK (tagged_by IN ((SELECT acting_staff('help')), (SELECT acting_staff('finance'))));
CREATE POLICY staff_untag ON customer_tags FOR DELETE TO franchise360_api
    USING (coalesce((SELECT acting_staff('help')), (SELECT acting_staff('finance'))) IS NOT NULL);
CREATE POLICY every_row ON customer_tags TO franchise360_worker, franchise360_lookup USING (true) WITH CHECK (true);

-- +goose StatementBegin
-- support_tagged finds the customers whose tag begins with wanted, of them those with q in their name or d in their mobile.
CREATE FUNCTION support_tagged(wanted text, q text, d text)
    RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean, name text, mobile text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff();
    RETURN QUERY SELECT t.franchiser_ref, 'tag', t.tag, t.tag = wanted, c.name, c.mobile
        FROM public.customer_tags t CROSS JOIN LATERAL public.named_customer(t.franchiser_ref) c
        WHERE t.tag COLLATE "C" >= wanted AND t.tag COLLATE "C" <= wanted || chr(1114111) AND NOT c.erased
            AND (q = '' OR position(q IN lower(c.name)) > 0 OR d <> '' AND position(d IN c.mobile) > 0)
        ORDER BY t.tag <> wanted, lower(c.name), t.franchiser_ref LIMIT 50; END $$;
-- +goose StatementEnd
ALTER FUNCTION support_tagged(text, text, text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION support_tagged(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION support_tagged(text, text, text) TO franchise360_api;

-- +goose Down
DROP FUNCTION support_tagged(text, text, text);
DROP TABLE customer_tags, customer_notes;
