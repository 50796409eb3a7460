-- Rates of tax with the days from which they are in force. A running subscription keeps the prices of its catalogue, but the
-- rate of tax is the law's: always that of the newest catalogue.

-- +goose Up
ALTER TABLE catalogue_revisions ADD COLUMN gst_rates jsonb; -- [{"from": "2017-07-01", "rate_bps": 1800}], the oldest first
UPDATE catalogue_revisions SET gst_rates = jsonb_build_array(jsonb_build_object('from', '2017-07-01', 'rate_bps', gst_rate_bps));
ALTER TABLE catalogue_revisions ALTER COLUMN gst_rates SET NOT NULL,
    ADD CHECK (jsonb_typeof(gst_rates) = 'array' AND jsonb_array_length(gst_rates) > 0);
ALTER TABLE catalogue_revisions DROP COLUMN gst_rate_bps;

-- +goose Down
ALTER TABLE catalogue_revisions ADD COLUMN gst_rate_bps int CHECK (gst_rate_bps BETWEEN 0 AND 10000);
UPDATE catalogue_revisions SET gst_rate_bps = (gst_rates -> -1 ->> 'rate_bps')::int;
ALTER TABLE catalogue_revisions ALTER COLUMN gst_rate_bps SET NOT NULL;
ALTER TABLE catalogue_revisions DROP COLUMN gst_rates;
