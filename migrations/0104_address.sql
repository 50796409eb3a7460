-- India's States and districts, for addresses and tax, and the business address of each franchiser.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- The id of a country is its ISO 3166-1 code.
CREATE TABLE countries (
    id   text PRIMARY KEY CHECK (id ~ '^[A-Z]{2}$'),
    name text NOT NULL UNIQUE
);
INSERT INTO countries (id, name) VALUES ('IN', 'India');
GRANT SELECT ON countries TO franchise360_api, franchise360_worker, franchise360_lookup;

-- The id of a State is its GST code (first two digits of a GSTIN). keys are names without case, accents or punctuation, also old names.
CREATE TABLE states (
    id         text   PRIMARY KEY CHECK (id ~ '^[0-3][0-9]$'),
    country_id text   NOT NULL REFERENCES countries,
    name       text   NOT NULL UNIQUE,
    keys       text[] NOT NULL DEFAULT '{}' -- names that an address may use
);
INSERT INTO states (id, country_id, name, keys) VALUES
    ('01', 'IN', 'Jammu and Kashmir', '{jammuandkashmir,jammukashmir,jandk,jk}'),
    ('02', 'IN', 'Himachal Pradesh', '{himachalpradesh}'),
    ('03', 'IN', 'Punjab', '{punjab}'),
    ('04', 'IN', 'Chandigarh', '{chandigarh,chandigarhut}'),
    ('05', 'IN', 'Uttarakhand', '{uttarakhand,uttaranchal}'),
    ('06', 'IN', 'Haryana', '{haryana}'),
    ('07', 'IN', 'Delhi', '{delhi,nctofdelhi,newdelhi,nationalcapitalterritoryofdelhi,delhinct}'),
    ('08', 'IN', 'Rajasthan', '{rajasthan}'),
    ('09', 'IN', 'Uttar Pradesh', '{uttarpradesh}'),
    ('10', 'IN', 'Bihar', '{bihar}'),
    ('11', 'IN', 'Sikkim', '{sikkim}'),
    ('12', 'IN', 'Arunachal Pradesh', '{arunachalpradesh}'),
    ('13', 'IN', 'Nagaland', '{nagaland}'),
    ('14', 'IN', 'Manipur', '{manipur}'),
    ('15', 'IN', 'Mizoram', '{mizoram}'),
    ('16', 'IN', 'Tripura', '{tripura}'),
    ('17', 'IN', 'Meghalaya', '{meghalaya}'),
    ('18', 'IN', 'Assam', '{assam}'),
    ('19', 'IN', 'West Bengal', '{westbengal}'),
    ('20', 'IN', 'Jharkhand', '{jharkhand}'),
    ('21', 'IN', 'Odisha', '{odisha,orissa}'),
    ('22', 'IN', 'Chhattisgarh', '{chhattisgarh,chattisgarh,chhatisgarh}'),
    ('23', 'IN', 'Madhya Pradesh', '{madhyapradesh}'),
    ('24', 'IN', 'Gujarat', '{gujarat}'),
    ('26', 'IN', 'Dadra and Nagar Haveli and Daman and Diu', '{dadraandnagarhavelianddamananddiu,dadraandnagarhaveli,damananddiu,dnhdd,dadranagarhavelianddamandiu}'),
    ('27', 'IN', 'Maharashtra', '{maharashtra}'),
    ('29', 'IN', 'Karnataka', '{karnataka}'),
    ('30', 'IN', 'Goa', '{goa}'),
    ('31', 'IN', 'Lakshadweep', '{lakshadweep}'),
    ('32', 'IN', 'Kerala', '{kerala}'),
    ('33', 'IN', 'Tamil Nadu', '{tamilnadu,tamilnad}'),
    ('34', 'IN', 'Puducherry', '{puducherry,pondicherry}'),
    ('35', 'IN', 'Andaman and Nicobar Islands', '{andamanandnicobarislands,andamanandnicobar,andamannicobarislands}'),
    ('36', 'IN', 'Telangana', '{telangana,telengana}'),
    ('37', 'IN', 'Andhra Pradesh', '{andhrapradesh}'),
    ('38', 'IN', 'Ladakh', '{ladakh}');
GRANT SELECT ON states TO franchise360_api, franchise360_worker, franchise360_lookup;

-- The id of a city is its State's code and its first key. keys are its names without case, accents and punctuation, old names included.
CREATE TABLE cities (
    id       text   PRIMARY KEY,
    state_id text   NOT NULL REFERENCES states,
    name     text   NOT NULL CHECK (char_length(name) BETWEEN 2 AND 25),
    keys     text[] NOT NULL,
    UNIQUE (state_id, name)
);
GRANT SELECT ON cities TO franchise360_api, franchise360_worker, franchise360_lookup;

-- A franchiser's place of business, and the name on its invoices.
CREATE TABLE business_addresses (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL UNIQUE REFERENCES franchisers,
    address       text        NOT NULL,
    street        text        NOT NULL,
    landmark      text        NOT NULL,
    country_id    text        NOT NULL REFERENCES countries,
    state_id      text        NOT NULL REFERENCES states, -- the place of supply
    city          text        NOT NULL,
    city_id       text        REFERENCES cities, -- NULL if the typed city is not in the list
    zipcode       text        NOT NULL CHECK (zipcode ~ '^[1-9][0-9]{5}$'),
    latitude      numeric(9, 6),
    longitude     numeric(9, 6),
    location      text        NOT NULL,
    legal_name    text        NOT NULL DEFAULT '',
    gstin         text        NOT NULL DEFAULT '',
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL
);
CREATE INDEX business_addresses_search_name ON business_addresses (lower(btrim(legal_name)) COLLATE "C") WHERE legal_name <> '';
CREATE INDEX business_addresses_search_words ON business_addresses USING gin (to_tsvector('simple', legal_name)) WHERE legal_name <> '';
CREATE INDEX business_addresses_search_sounds ON business_addresses USING gin (sounds_of(legal_name)) WHERE legal_name <> '';
CREATE INDEX business_addresses_search_gstin ON business_addresses (lower(gstin) COLLATE "C") WHERE gstin <> '';
CREATE INDEX business_addresses_search_pan ON business_addresses (lower(substr(gstin, 3, 10)) COLLATE "C") WHERE gstin <> '';
CALL isolate('business_addresses');
-- Payments show the customer's name.
CREATE POLICY lookup ON business_addresses FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT, INSERT, UPDATE ON business_addresses TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON business_addresses TO franchise360_worker;
GRANT SELECT (franchiser_id, legal_name, gstin) ON business_addresses TO franchise360_lookup;

-- legal_name_of returns the legal name of a business address.
CREATE FUNCTION legal_name_of(franchiser uuid) RETURNS TABLE (legal_name text)
    LANGUAGE sql STABLE
    AS $$ SELECT a.legal_name FROM public.business_addresses a WHERE a.franchiser_id = franchiser $$;

-- search_sounding_addresses finds companies like search_sounding_people.
CREATE FUNCTION search_sounding_addresses(q text, near boolean) RETURNS TABLE (franchiser_id uuid, label text) LANGUAGE sql STABLE AS $$
    (SELECT a.franchiser_id, a.legal_name FROM public.sound_forms(q) AS keys
        JOIN public.business_addresses a ON public.sounds_of(a.legal_name) @> keys
        WHERE NOT near AND a.legal_name <> ''
        LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT a.franchiser_id, a.legal_name FROM public.business_addresses a
        WHERE near AND public.sounds_of(a.legal_name) && public.sounds_near(q, 1) AND public.sounds_of(a.legal_name) && public.sounds_near(q, 2)
            AND public.sounds_of(a.legal_name) && public.sounds_near(q, 3) AND a.legal_name <> ''
        LIMIT (SELECT public.search_limit())) $$;

-- search_addresses finds customers by the beginning of their legal name, GSTIN or PAN.
CREATE FUNCTION search_addresses(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    (SELECT a.franchiser_id, 'legal_name', a.legal_name, lower(btrim(a.legal_name)) = q FROM public.business_addresses a
        WHERE a.legal_name <> '' AND lower(btrim(a.legal_name)) COLLATE "C" >= q AND lower(btrim(a.legal_name)) COLLATE "C" <= q || chr(1114111)
        ORDER BY lower(btrim(a.legal_name)) COLLATE "C" LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT a.franchiser_id, 'gstin', a.gstin, lower(a.gstin) = q FROM public.business_addresses a
        WHERE length(q) >= 5 AND a.gstin <> '' AND lower(a.gstin) COLLATE "C" >= q AND lower(a.gstin) COLLATE "C" <= q || chr(1114111) LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT a.franchiser_id, 'pan', substr(a.gstin, 3, 10), lower(substr(a.gstin, 3, 10)) = q FROM public.business_addresses a
        WHERE length(q) >= 5 AND a.gstin <> '' AND lower(substr(a.gstin, 3, 10)) COLLATE "C" >= q
            AND lower(substr(a.gstin, 3, 10)) COLLATE "C" <= q || chr(1114111) LIMIT (SELECT public.search_limit()))  $$;

-- search_legal_names finds customers by the words of their legal name, in any order.
CREATE FUNCTION search_legal_names(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    (SELECT a.franchiser_id, 'legal_name', a.legal_name, lower(btrim(a.legal_name)) = q FROM public.business_addresses a
        WHERE a.legal_name <> '' AND to_tsvector('simple', a.legal_name) @@ public.words_of(q) LIMIT (SELECT public.search_limit()))  $$;

-- Owner and callers of the functions above.
REVOKE ALL ON FUNCTION legal_name_of(uuid), search_addresses(text), search_legal_names(text), search_sounding_addresses(text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION legal_name_of(uuid), search_addresses(text), search_legal_names(text), search_sounding_addresses(text, boolean)
    TO franchise360_lookup;

CREATE VIEW address_overview WITH (security_invoker = true) AS SELECT franchiser_id FROM business_addresses;
COMMENT ON VIEW address_overview IS 'address: business addresses';
GRANT SELECT ON address_overview TO franchise360_api, franchise360_worker;
-- +goose StatementEnd
