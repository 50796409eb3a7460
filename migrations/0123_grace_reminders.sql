-- Reminders go on after the end of what was paid: days is how many before it they belong to, and below 0 after it.

-- +goose Up
ALTER TABLE renewal_reminders DROP CONSTRAINT renewal_reminders_days_check;
ALTER TABLE renewal_reminders ADD CONSTRAINT renewal_reminders_days_check CHECK (days BETWEEN -60 AND 60);
CREATE INDEX subscriptions_expired ON subscriptions (expired_on) WHERE state = 'expired';

-- +goose Down
DROP INDEX subscriptions_expired;
DELETE FROM renewal_reminders WHERE days < 0;
ALTER TABLE renewal_reminders DROP CONSTRAINT renewal_reminders_days_check;
ALTER TABLE renewal_reminders ADD CONSTRAINT renewal_reminders_days_check CHECK (days >= 0);
