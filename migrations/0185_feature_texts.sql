-- What each feature of a plan does, by its name. A text is no part of what was bought, so it has no revision: a plan that runs
-- under an older revision is described in the words of today.

-- +goose Up
CREATE TABLE plan_features (
    name  text PRIMARY KEY,
    about text NOT NULL CHECK (about <> '')
);

GRANT SELECT ON plan_features TO franchise360_api, franchise360_worker, franchise360_lookup;
GRANT INSERT, UPDATE ON plan_features TO franchise360_worker;

-- +goose Down
DROP TABLE plan_features;
