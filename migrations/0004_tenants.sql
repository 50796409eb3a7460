-- The franchiser's store (its tenant) and its business address.

-- +goose Up
CREATE TABLE tenants (
    id                  uuid        PRIMARY KEY,
    franchiser_id       uuid        NOT NULL UNIQUE REFERENCES franchisers,
    store_name          text        NOT NULL CHECK (char_length(store_name) BETWEEN 2 AND 50),
    store_type_id       int         NOT NULL REFERENCES business_types,
    store_username      text        NOT NULL UNIQUE, -- the franchiser's mobile, and follows it
    store_password_hash text        NOT NULL,
    slug                text        NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
    created_at          timestamptz NOT NULL,
    updated_at          timestamptz NOT NULL,
    closed_at           timestamptz,                 -- set by an erasure; its pages are gone
    UNIQUE (franchiser_id, id)
);
CALL isolate('tenants');
GRANT SELECT, INSERT, UPDATE ON tenants TO franchise360_api, franchise360_worker;

CREATE TABLE business_addresses (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL UNIQUE REFERENCES franchisers,
    address       text        NOT NULL,
    street        text        NOT NULL,
    landmark      text        NOT NULL,
    country_id    text        NOT NULL REFERENCES countries,
    state_id      text        NOT NULL REFERENCES states, -- the place of supply
    city          text        NOT NULL,
    city_id       text        REFERENCES cities,          -- NULL where the city was typed and is not in the list
    zipcode       text        NOT NULL CHECK (zipcode ~ '^[1-9][0-9]{5}$'),
    latitude      numeric(9, 6),
    longitude     numeric(9, 6),
    location      text        NOT NULL,
    legal_name    text        NOT NULL DEFAULT '',
    gstin         text        NOT NULL DEFAULT '',
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL
);
CALL isolate('business_addresses');
GRANT SELECT, INSERT, UPDATE ON business_addresses TO franchise360_api, franchise360_worker;
GRANT DELETE ON business_addresses TO franchise360_worker;

-- +goose Down
DROP TABLE business_addresses, tenants;
