package config_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const whatsAppSecrets = "?app_secret=9f1c27d0b64e83a5f21790ce4d86b3a5&verify_token=Kj2mX9vQ4tR7wZ1bN6cL3hD8"

// whole is a production configuration in which every optional part is on, so that every setting is read and judged.
func whole() map[string]string {
	return map[string]string{
		"GATEWAY": "payu,razorpay", "RAZORPAY_URL": "https://api.razorpay.com", "RAZORPAY_KEY_ID": "rzp_live_ILgsfZCZoFIKMb",
		"RAZORPAY_KEY_SECRET": "EnLs21M47BllR3X8PSFtjtbd", "RAZORPAY_WEBHOOK_SECRET": "mango tree of 2026",
		"BANK_ACCOUNT": "50200012345678|HDFC0000360|Mango Lane Private Limited|HDFC Bank", "BANK_TRANSFER_MINIMUM": "10000",
		"WHATSAPP_URL": "https://106540352242922:EAAJB2ZAnQx4wBO6Tk9mRz1Vq8LsY@graph.facebook.com/v24.0" + whatsAppSecrets,
		"EMAIL_FROM":   "Franchise 360 <billing@franchise360.example>", "EMAIL_INBOUND_SECRET": "7c1d90b64e83a5f21790ce4d86b3a5f2", "SMTP_URL": "smtps://mail.example.com",
		"ALERT_EMAIL": "oncall@franchise360.example", "ALERT_WEBHOOK_URL": "https://alerts.example.com/in",
		"ALERT_WEBHOOK_SECRET": "whsec_3Qm9vX1pL7sT2bN8cR5wK0dF4gH6jZyA1eU9iO2xYqM=",
		"EINVOICE_FROM":        "2027-04-01", "EINVOICE_URL": "https://franchise360:Mango-Tree-Of-2026@gsp.example.com?client_id=AABCF29GSPTXYZ&client_secret=pJ4Vn8Qw2Zt6Lm9c",
		"EINVOICE_PUBLIC_KEY": "-----BEGIN PUBLIC KEY-----",
		"S3_ACCESS_KEY":       "worker", "S3_SECRET_KEY": "wJalrXUtnFEMI/K7MDENG", "SIGNING_CERT_FILE": "/run/signing/signer.p12",
		"PLACES_URL": "http://photon:2322",
	}
}

// said describes how a production process checks a setting: whether it must be set, and which values it refuses. For text that only people
// or providers read, the only refused value is one that is too long, which every setting refuses.
type said struct {
	needed  bool
	refused []string
	taken   []string
}

func everySetting() map[string]said {
	text := said{taken: []string{"0", "-1"}}
	neededText := said{needed: true, taken: []string{"0", "-1"}}
	flag := said{refused: []string{"0", "-1", "yes", "TRUE"}, taken: []string{"true", "false"}}
	address := said{refused: []string{"0", "-1", "example.com", "ftp://example.com", "https://example.com:99999", "http://example.com"}}
	neededAddress := said{needed: true, refused: address.refused}
	secret := said{needed: true, refused: []string{"0", "-1", strings.Repeat("0", 1000)}}
	alertAddress := said{refused: []string{
		"0", "-1", "example.com", "ftp://example.com", "https://example.com:99999", "http://example.com", "https://10.0.0.1/x", "https://[::1]/x",
		"https://localhost/x", "https://hooks/x", "https://user:word@example.com",
	}}
	bind := said{refused: []string{"0", "-1", "localhost", ":99999", ":-1", "http://localhost:80"}, taken: []string{":0", "0.0.0.0:8080", "[::1]:80"}}
	pool := said{refused: []string{"0", "-1", "1", "1001", "9223372036854775808"}}
	mail := said{needed: true, refused: []string{"0", "-1"}}
	return map[string]said{
		"APP_ENV":            {needed: true, refused: []string{"0", "-1", "staging"}},
		"LOG_DIR":            {refused: []string{"0", "-1", "logs"}, taken: []string{"/var/log/franchise360"}},
		"LOG_LEVEL":          {refused: []string{"0", "-1", "loud"}},
		"LIMITS":             {refused: []string{"0", "-1", "wide"}},
		"HTTP_ADDR":          bind,
		"METRICS_ADDR":       bind,
		"PUBLIC_URL":         {needed: true, refused: append([]string{"https://franchise360.example/shop", "https://franchise360.example?a=b"}, address.refused...)},
		"WEB_DIR":            text, // the api doesn't start where it is no built web client
		"TRUSTED_PROXIES":    {refused: []string{"0", "-1", "0.0.0.0/0", "10.0.0.0/33", "8.0.0.0/8"}},
		"TENANT_BASE_DOMAIN": {needed: true, refused: []string{"0", "-1", "localhost", "203.0.113.7", "a b.example", "*.franchise360.example", "https://franchise360.example"}},
		"TENANT_IPS":         {needed: true, refused: []string{"0", "-1", "0.0.0.0", "10.0.0.1"}},
		"DNS_SERVER":         {refused: []string{"0", "-1", "1.1.1.1", "1.1.1.1:0", "1.1.1.1:99999", ":53"}, taken: []string{"1.1.1.1:53", "[2606:4700::1111]:53"}},

		"DATABASE_URL":      {needed: true, refused: []string{"0", "-1", "postgres://db/x?sslmode=disable"}},
		"DATABASE_READ_URL": {refused: []string{"0", "-1", "postgres://db/x?sslmode=disable"}},
		"DATABASE_POOL":     pool,
		"REDIS_URL":         {needed: true, refused: []string{"0", "-1", "redis://redis:6379"}},
		"ALLOW_INSECURE":    {refused: []string{"0", "-1", "true", "database,redis"}, taken: []string{"database", "database, objects,test-gateway"}},

		"SECRET_KEY": {needed: true, refused: []string{"0", "-1", strings.Repeat("0", 64), strongKey + ",0", strongKey + ",-1", strongKey + "," + strings.Repeat("0", 64)}},

		"S3_ENDPOINT":        neededAddress,
		"S3_PUBLIC_ENDPOINT": address,
		"S3_REGION":          {refused: []string{"0", "-1", "ap south"}},
		"S3_BUCKET":          {refused: []string{"0", "-1", "Documents", "a/b", strings.Repeat("a", 64)}},
		"S3_ACCESS_KEY":      {needed: true, refused: []string{"minioadmin"}}, // where its secret is set
		"S3_SECRET_KEY":      secret,

		"GATEWAY":  {needed: true, refused: []string{"0", "-1", "paypal"}},
		"PAYU_KEY": secret, "PAYU_SALT": secret, "RAZORPAY_KEY_ID": secret, "RAZORPAY_KEY_SECRET": secret, "RAZORPAY_WEBHOOK_SECRET": secret,
		"PAYU_URL": neededAddress, "PAYU_API_URL": neededAddress, "RAZORPAY_URL": neededAddress,
		"AUTOMATIC_RENEWAL":     {refused: []string{"0", "-1", "upi,upi", "paper"}, taken: []string{"upi,card,enach", "enach"}},
		"GATEWAY_FEATURES":      {refused: []string{"0", "-1", "true", "smart-collect"}, taken: []string{"payu-disputes-signed", "razorpay-smart-collect,payu-upi-retries"}},
		"PG_CHARGE_BPS":         {refused: []string{"-1", "1001", "10001", "9223372036854775808"}, taken: []string{"0", "1000"}},
		"REFUND_APPROVAL_ABOVE": {refused: []string{"-1", "1000001", "9223372036854775808"}, taken: []string{"0", "1000000"}},

		"SMS_URL": {needed: true, refused: append([]string{
			"inbox", msg91 + ",pigeon://key@pigeon.example", "msg91://393846AbCdEf1234@api.msg91.com", "msg91://api.msg91.com?sender=FRNCHS", "msg91://key@?sender=FRNCHS",
			"msg91://key@api.msg91.com:99999?sender=FRNCHS", "msg91://key@api.msg91.com/v2?sender=FRNCHS", msg91 + "&receipt-key=" + strongKey[:48],
			msg91 + "&receipt_key=" + strings.Repeat("0", 1000), "twilio://AC0123456789abcdef@api.twilio.com?from=MG1", "twilio://AC0123456789abcdef:@api.twilio.com?from=MG1",
			"twilio://AC0123456789abcdef:8b1f27d0@api.twilio.com", "twilio://AC0123456789abcdef:8b1f27d0@api.twilio.com?from=+14155550100",
		}, address.refused...), taken: []string{twilio, msg91, "twilio://AC0123456789abcdef:8b1f27d0@api.twilio.com?from=%2B14155550100"}},
		"TIME_MACHINE_URL":     {refused: []string{"0", "-1", "http://127.0.0.1:9", "https://machine.example", "https://:0123456789abcdef01234567@machine.example"}}, // development's
		"DLT_TEMPLATES":        {refused: []string{"0", "-1", "otp=1,otp=2"}},
		"EMAIL_INBOUND_SECRET": {refused: []string{"0", "-1", strings.Repeat("0", 1000)}},
		"EMAIL_FROM":           {needed: true, refused: []string{"0", "-1"}}, // where SMTP_URL is set
		"CONTACT_HOURS":        {refused: []string{"0", "-1", "18:00-10:00", "10-18"}, taken: []string{"09:30-19:00"}},
		"SMTP_URL":             {refused: []string{"0", "-1", "smtps://mail.example.com:99999", "https://mail.example.com"}},

		// Each is needed where another one is set.
		"EINVOICE_FROM": {refused: []string{"0", "-1", "tomorrow", "2027-02-30"}}, "EINVOICE_URL": {needed: true, refused: append([]string{
			"https://gsp.example.com", "https://franchise360@gsp.example.com?client_id=AABCF29GSPTXYZ&client_secret=pJ4Vn8Qw2Zt6Lm9c",
			"https://franchise360:Mango-Tree-Of-2026@gsp.example.com?client_id=AABCF29GSPTXYZ",
			"http://franchise360:Mango-Tree-Of-2026@gsp.example.com?client_id=AABCF29GSPTXYZ&client_secret=pJ4Vn8Qw2Zt6Lm9c",
			"https://franchise360:0000000000@gsp.example.com?client_id=AABCF29GSPTXYZ&client_secret=pJ4Vn8Qw2Zt6Lm9c",
			"https://franchise360:Mango-Tree-Of-2026@gsp.example.com?client_id=AABCF29GSPTXYZ&client_secret=00000000000",
		}, address.refused...)},
		"EINVOICE_PUBLIC_KEY": neededText, // the worker doesn't start with an invalid one
		"WHATSAPP_URL": {refused: append([]string{
			"https://meta.example.com/graph", "https://1065403522:EAAJB2ZAnQx4wBO6Tk9mRz1Vq8LsY@meta.example.com/v24" + whatsAppSecrets,
			"https://1065403522:EAAJB2ZAnQx4wBO6Tk9mRz1Vq8LsY@meta.example.com/v24.0/me" + whatsAppSecrets,
			"http://1065403522:EAAJB2ZAnQx4wBO6Tk9mRz1Vq8LsY@meta.example.com/v24.0" + whatsAppSecrets,
			"https://+919876543210:EAAJB2ZAnQx4wBO6Tk9mRz1Vq8LsY@meta.example.com/v24.0" + whatsAppSecrets,
			"https://12%2034567:EAAJB2ZAnQx4wBO6Tk9mRz1Vq8LsY@meta.example.com/v24.0" + whatsAppSecrets,
			"https://:EAAJB2ZAnQx4wBO6Tk9mRz1Vq8LsY@meta.example.com/v24.0" + whatsAppSecrets,
			"https://1065403522@meta.example.com/v24.0" + whatsAppSecrets, "https://1065403522:0000000000@meta.example.com/v24.0" + whatsAppSecrets,
			"https://1065403522:EAAJB2ZAnQx4wBO6Tk9%20mRz1Vq8LsY@meta.example.com/v24.0" + whatsAppSecrets,
			"https://1065403522:EAAJB2ZAnQx4wBO6Tk9mRz1Vq8LsY@meta.example.com/v24.0?app_secret=9f1c27d0b64e83a5f21790ce4d86b3a5",
			"https://1065403522:EAAJB2ZAnQx4wBO6Tk9mRz1Vq8LsY@meta.example.com/v24.0?app_secret=0&verify_token=Kj2mX9vQ4tR7wZ1bN6cL3hD8",
			"https://1065403522:EAAJB2ZAnQx4wBO6Tk9mRz1Vq8LsY@meta.example.com/v24.0?app_secret=9f1c27d0b64e83a5f21790ce4d86b3a5&verify_token=" + strings.Repeat("0", 1000),
		}, address.refused...)},

		"ALERT_EMAIL":          {refused: []string{"0", "-1", "oncall", "On Call <oncall@example.com>"}},
		"ALERT_SLACK_URL":      alertAddress,
		"ALERT_WEBHOOK_URL":    {needed: true, refused: alertAddress.refused}, // where its secret is set
		"ALERT_WEBHOOK_SECRET": {needed: true, refused: []string{"0", "-1", "whsec_", "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}},
		"SMS_PER_DAY":          {refused: []string{"0", "-1", "99", "100000001"}, taken: []string{"100"}},
		"ALERT_BACKUP_MISSING": {refused: []string{"-1", "59m", "9000h"}, taken: []string{"0", "26h"}},

		"PLACES_URL": {refused: []string{
			"0", "-1", "http://photon.example.com", "https://places.googleapis.com", "http://places.googleapis.com?key=AIzaSyD", "https://a@places.googleapis.com?key=AIzaSyD",
		}, taken: []string{"https://places.googleapis.com?key=AIzaSyD"}},

		"SUPPLIER_NAME": neededText, "SUPPLIER_ADDRESS": neededText, "SUPPLIER_PHONE": neededText,
		"SUPPLIER_GSTIN": {needed: true, refused: []string{"0", "-1", "27AAPFU0939F1ZW"}},
		"SUPPLIER_EMAIL": mail,
		"SUPPLIER_CIN":   {refused: []string{"0", "-1"}},
		"GRIEVANCE_OFFICER": {needed: true, refused: []string{
			"0", "-1", "Arun Rao|Officer for complaints", "Arun Rao||grievance@franchise360.example|+91 20 4000 0361|10 am to 6 pm",
		}},
		"SUPPLIER_TERMS": text, "SUPPLIER_SIGNATORY": text,
		"BANK_ACCOUNT": {refused: []string{
			"0", "-1", "50 100|HDFC0000360|Mango Lane", "50200012345678|HDFC1234|Mango Lane", "50200012345678|HDFC0000360| ", "50200012345678|HDFC0000360",
			"50200012345678|HDFC0000360|Mango Lane|HDFC Bank|Pune",
		}, taken: []string{"50200012345678|hdfc0000360|Mango Lane"}},
		"BANK_TRANSFER_MINIMUM": {refused: []string{"-1", "1000001", "9223372036854775808"}, taken: []string{"0", "1000000"}},
		"GST_ANNUAL_RETURNS":    {refused: []string{"0", "-1", "26-28:2027-10-01"}},
		"SIGNING_CERT_FILE":     text, // the worker doesn't start with an invalid one
		"SIGNING_CERT_PASSWORD": text,
		"SIGNING_INVOICES":      flag,

		"OTEL_EXPORTER_OTLP_ENDPOINT": {refused: []string{"0", "-1", "http://otel.example.in"}},
		"OTEL_EXPORTER_OTLP_HEADERS":  {refused: []string{"0", "-1"}},
		"OTEL_TRACES_SAMPLER_ARG":     {refused: []string{"-1", "1.1", "NaN", "Inf"}, taken: []string{"0", "1"}},
	}
}

// For any setting that is empty, zero, negative or absurdly large, production has a default, or refuses it by its name without showing the
// value.
func TestSettings_EmptyZeroNegativeOrHuge_HaveADefaultOrAreRefused(t *testing.T) {
	t.Parallel()
	load := func(changes map[string]string) error {
		settings := whole()
		maps.Copy(settings, changes)
		_, err := outside(settings)
		return err
	}
	require.NoError(t, load(nil))
	for name, s := range everySetting() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			empty := load(map[string]string{name: ""})
			if s.needed {
				require.ErrorContains(t, empty, name+": ", "empty")
			}
			for _, value := range append(slices.Clone(s.refused), strings.Repeat("7", 1<<20)) {
				err := load(map[string]string{name: value})
				require.ErrorContains(t, err, name+": ", "%.80q", value)
				if len(value) > 20 {
					require.NotContains(t, err.Error(), value, "no value is shown, which may be a secret")
				}
			}
			for _, value := range s.taken {
				if err := load(map[string]string{name: value}); err != nil {
					require.NotContains(t, err.Error(), name+": ", "%q", value)
				}
			}
		})
	}
}

// The table above has exactly the settings that are read.
func TestSettings_EachOneRead_IsInTheTable(t *testing.T) {
	t.Parallel()
	read := map[string]bool{}
	_, err := load(func(name string) string {
		read[strings.TrimSuffix(name, "_FILE")] = true
		return map[string]string{"APP_ENV": "production", "GATEWAY": "payu,razorpay"}[name]
	})
	require.Error(t, err)
	for _, own := range []string{"SIGNING_CERT"} { // the setting whose own name ends in _FILE
		delete(read, own)
		read[own+"_FILE"] = true
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(everySetting())), slices.Collect(maps.Keys(read)))
}

// The exception for plain text to the database does not cover a standby, which runs on another machine.
func TestPlainTextDatabase_ExceptionDoesNotApplyToTheStandby(t *testing.T) {
	t.Parallel()
	clear := "postgres://db/x?sslmode=disable"
	_, err := outside(map[string]string{"DATABASE_URL": clear, "DATABASE_READ_URL": clear, "ALLOW_INSECURE": "database"})
	require.ErrorContains(t, err, "DATABASE_READ_URL: allows a connection in clear")
	require.NotContains(t, err.Error(), "DATABASE_URL: ")
}

// A setting without effect must not look like a signature.
func TestSigning_WithoutACertificate_IsRefused(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{"SIGNING_INVOICES": "true", "SIGNING_CERT_PASSWORD": "x"} {
		_, err := outside(map[string]string{name: value})
		require.ErrorContains(t, err, "SIGNING_CERT_FILE: is not set", name)
	}
}
