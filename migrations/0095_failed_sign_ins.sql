-- Sign-ins that failed, so that support can say why somebody can't get in: when, and for which reason; never what was
-- typed, nor from where. Each account keeps a limited number an hour, whatever an attacker does.

-- +goose Up
CREATE TABLE failed_sign_ins (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL REFERENCES franchisers,
    at            timestamptz NOT NULL,
    reason        text        NOT NULL CHECK (reason IN ('wrong_password', 'wrong_code', 'too_many_tries'))
);
CREATE INDEX failed_sign_ins_franchiser ON failed_sign_ins (franchiser_id, at DESC);
CREATE INDEX failed_sign_ins_at ON failed_sign_ins (at);
CALL isolate('failed_sign_ins');
GRANT SELECT, INSERT ON failed_sign_ins TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON failed_sign_ins TO franchise360_worker;

-- +goose Down
DROP TABLE failed_sign_ins;
