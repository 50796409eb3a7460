-- What is the same for everybody: business types, and India's States and districts for addresses and tax.

-- +goose Up
CREATE TABLE business_types (
    id       int  PRIMARY KEY,
    name     text NOT NULL UNIQUE,
    position int  NOT NULL
);
INSERT INTO business_types (id, name, position) VALUES
    (1, 'Retail', 1), (2, 'Manufacturing', 2), (3, 'Network marketing', 3), (4, 'Food and beverage', 4),
    (5, 'Services', 5), (6, 'Education', 6), (7, 'Health and wellness', 7), (8, 'Beauty and personal care', 8),
    (9, 'Fashion and apparel', 9), (10, 'Electronics and appliances', 10), (11, 'Grocery and daily needs', 11),
    (12, 'Automotive', 12), (13, 'Logistics and courier', 13), (14, 'Travel and hospitality', 14),
    (15, 'Real estate', 15), (16, 'Community', 16), (17, 'Other', 17);

-- The id of a country is its ISO 3166-1 code.
CREATE TABLE countries (
    id   text PRIMARY KEY CHECK (id ~ '^[A-Z]{2}$'),
    name text NOT NULL UNIQUE
);
INSERT INTO countries (id, name) VALUES ('IN', 'India');

-- The id of a State is its GST code (first two digits of a GSTIN).
CREATE TABLE states (
    id              text    PRIMARY KEY CHECK (id ~ '^[0-3][0-9]$'),
    country_id      text    NOT NULL REFERENCES countries,
    name            text    NOT NULL UNIQUE,
    union_territory boolean NOT NULL,
    keys            text[]  NOT NULL DEFAULT '{}'
);
INSERT INTO states (id, country_id, name, union_territory) VALUES
    ('01', 'IN', 'Jammu and Kashmir', true), ('02', 'IN', 'Himachal Pradesh', false), ('03', 'IN', 'Punjab', false),
    ('04', 'IN', 'Chandigarh', true), ('05', 'IN', 'Uttarakhand', false), ('06', 'IN', 'Haryana', false), ('07', 'IN', 'Delhi', true),
    ('08', 'IN', 'Rajasthan', false), ('09', 'IN', 'Uttar Pradesh', false), ('10', 'IN', 'Bihar', false), ('11', 'IN', 'Sikkim', false),
    ('12', 'IN', 'Arunachal Pradesh', false), ('13', 'IN', 'Nagaland', false), ('14', 'IN', 'Manipur', false),
    ('15', 'IN', 'Mizoram', false), ('16', 'IN', 'Tripura', false), ('17', 'IN', 'Meghalaya', false), ('18', 'IN', 'Assam', false),
    ('19', 'IN', 'West Bengal', false), ('20', 'IN', 'Jharkhand', false), ('21', 'IN', 'Odisha', false),
    ('22', 'IN', 'Chhattisgarh', false), ('23', 'IN', 'Madhya Pradesh', false), ('24', 'IN', 'Gujarat', false),
    ('26', 'IN', 'Dadra and Nagar Haveli and Daman and Diu', true), ('27', 'IN', 'Maharashtra', false),
    ('29', 'IN', 'Karnataka', false), ('30', 'IN', 'Goa', false), ('31', 'IN', 'Lakshadweep', true), ('32', 'IN', 'Kerala', false),
    ('33', 'IN', 'Tamil Nadu', false), ('34', 'IN', 'Puducherry', true), ('35', 'IN', 'Andaman and Nicobar Islands', true),
    ('36', 'IN', 'Telangana', false), ('37', 'IN', 'Andhra Pradesh', false), ('38', 'IN', 'Ladakh', true);

-- keys are the names under which an address finds its State: no case, accents or punctuation, old names included.
UPDATE states SET keys = ARRAY[regexp_replace(lower(name), '[^a-z]', '', 'g')];
UPDATE states s SET keys = s.keys || a.keys FROM (VALUES
    ('01', '{jammukashmir,jandk,jk}'::text[]), ('04', '{chandigarhut}'), ('05', '{uttaranchal}'),
    ('07', '{nctofdelhi,newdelhi,nationalcapitalterritoryofdelhi,delhinct}'), ('21', '{orissa}'), ('22', '{chattisgarh,chhatisgarh}'),
    ('26', '{dadraandnagarhaveli,damananddiu,dnhdd,dadranagarhavelianddamandiu}'), ('33', '{tamilnad}'),
    ('34', '{pondicherry}'), ('35', '{andamanandnicobar,andamannicobarislands}'), ('36', '{telengana}')
) AS a (id, keys) WHERE a.id = s.id;

-- The id of a city is its State's code and its first key. keys are its names without case, accents and punctuation, old names included.
CREATE TABLE cities (
    id       text   PRIMARY KEY,
    state_id text   NOT NULL REFERENCES states,
    name     text   NOT NULL CHECK (char_length(name) BETWEEN 2 AND 25),
    keys     text[] NOT NULL,
    UNIQUE (state_id, name)
);

GRANT SELECT ON business_types, countries, states, cities TO franchise360_api, franchise360_worker, franchise360_lookup;

-- +goose Down
DROP TABLE cities, states, countries, business_types;
