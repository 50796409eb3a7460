-- What visitors of the public site left is found again for the export and the erasure of a person's data, by the mobile
-- or the e-mail that was typed.

-- +goose Up
CREATE INDEX contact_requests_mobile ON contact_requests (mobile) WHERE mobile <> '';
CREATE INDEX contact_requests_email ON contact_requests (email);
-- The consents of an address go with it.
GRANT DELETE ON newsletter_subscriptions TO franchise360_worker;

-- +goose Down
REVOKE DELETE ON newsletter_subscriptions FROM franchise360_worker;
DROP INDEX contact_requests_email, contact_requests_mobile;
