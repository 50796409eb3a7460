package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/config"
)

const strongKey = "9f2c41d07be6a835f0c7d21e58b9634af1a0873c5d6e92b417ce0d8f3a64b25b"

// The addresses of both SMS providers.
const (
	msg91  = "msg91://393846AbCdEf1234@api.msg91.com?sender=FRNCHS"
	twilio = "twilio://AC0123456789abcdef:8b1f27d0@api.twilio.com?from=MG0123456789abcdef"
)

// outside loads a complete configuration with the given settings overridden.
func outside(settings map[string]string) (config.Config, error) {
	whole := map[string]string{
		"APP_ENV": "production", "DATABASE_URL": "postgres://db/x?sslmode=require", "REDIS_URL": "redis://:4b8e1f@redis:6379/0", "S3_ENDPOINT": "https://s3.ap-south-1.amazonaws.com",
		"GATEWAY": "payu", "PAYU_URL": "https://secure.payu.in", "PAYU_API_URL": "https://info.payu.in",
		"PAYU_KEY": "gtKFFx", "PAYU_SALT": "4R38IvwiV57FwVpsgOvTXBdLE4tHUXFW", "TENANT_BASE_DOMAIN": "franchise360.example", "PUBLIC_URL": "https://franchise360.example",
		"SECRET_KEY": strongKey, "TENANT_IPS": "203.0.113.7", "SUPPLIER_GSTIN": "27AAPFU0939F1ZV", "SUPPLIER_ADDRESS": "Pune", "SMS_URL": msg91 + "," + twilio,
		"SUPPLIER_NAME": "Mango Lane Private Limited", "SUPPLIER_EMAIL": "help@franchise360.example", "SUPPLIER_PHONE": "+91 20 4000 0360",
		"GRIEVANCE_OFFICER": "Meera Kulkarni|Grievance Officer|grievance@franchise360.example|+91 20 4000 0361|Monday to Friday, 10 am to 6 pm",
	}
	return load(func(name string) string {
		if v, ok := settings[name]; ok {
			return v
		}
		return whole[name]
	})
}

func TestObjectStore_WithoutKeys_UsesTheMachinesRole(t *testing.T) {
	t.Parallel()
	_, err := outside(nil)
	require.NoError(t, err, "no keys: the role of the machine")
	_, err = outside(map[string]string{"S3_ACCESS_KEY": "AKIDEXAMPLE", "S3_SECRET_KEY": "wJalrXUtnFEMI/K7MDENG"})
	require.NoError(t, err)
	_, err = outside(map[string]string{"S3_ACCESS_KEY": "a"})
	require.ErrorContains(t, err, "S3_SECRET_KEY")
	_, err = outside(map[string]string{"S3_SECRET_KEY": "b"})
	require.ErrorContains(t, err, "S3_ACCESS_KEY")
}

func TestProduction_InboxAsAnSMSProvider_IsRefused(t *testing.T) {
	t.Parallel()
	_, err := outside(map[string]string{"SMS_URL": msg91 + ", https://inbox.example"})
	require.ErrorContains(t, err, "SMS_URL: the inbox exists in development only")
	_, err = outside(map[string]string{"SMS_URL": msg91 + "&receipt_key=short"})
	require.ErrorContains(t, err, "SMS_URL: want a receipt_key of 24 characters")
	_, err = outside(map[string]string{"SMS_URL": msg91 + "&receipt_key=" + strongKey[:48]})
	require.NoError(t, err)
}

func TestProduction_WeakSettings_AreRefused(t *testing.T) {
	t.Parallel()
	_, err := outside(nil)
	require.NoError(t, err)
	razorpay := func(changes ...string) map[string]string {
		m := map[string]string{
			"GATEWAY": "razorpay", "RAZORPAY_URL": "https://api.razorpay.com", "RAZORPAY_KEY_ID": "rzp_live_ILgsfZCZoFIKMb",
			"RAZORPAY_KEY_SECRET": "EnLs21M47BllR3X8PSFtjtbd", "RAZORPAY_WEBHOOK_SECRET": "mango tree of 2026",
		}
		for i := 0; i < len(changes); i += 2 {
			m[changes[i]] = changes[i+1]
		}
		return m
	}
	_, err = outside(razorpay())
	require.NoError(t, err)
	one := func(name, value string) map[string]string { return map[string]string{name: value} }
	for what, c := range map[string]struct {
		settings map[string]string
		named    string
	}{
		"zeros":                 {one("SECRET_KEY", strings.Repeat("0", 64)), "SECRET_KEY"},
		"a repeated key":        {one("SECRET_KEY", strings.Repeat("0123456789abcdef", 4)), "SECRET_KEY"},
		"half a key twice":      {one("SECRET_KEY", strongKey[:32]+strongKey[:32]), "SECRET_KEY"},
		"a short salt":          {one("PAYU_SALT", "s"), "PAYU_SALT"},
		"a salt of one letter":  {one("PAYU_SALT", strings.Repeat("x", 32)), "PAYU_SALT"},
		"a short key":           {one("PAYU_KEY", "k"), "PAYU_KEY"},
		"the test gateway":      {one("PAYU_URL", "https://test.payu.in"), "PAYU_URL"},
		"the test API":          {one("PAYU_API_URL", "https://test.payu.in"), "PAYU_API_URL"},
		"an open gateway":       {one("PAYU_URL", "http://secure.payu.in"), "PAYU_URL"},
		"a test account":        {razorpay("RAZORPAY_KEY_ID", "rzp_test_1DP5mmOlF5G5ag"), "RAZORPAY_KEY_ID"},
		"a short secret":        {razorpay("RAZORPAY_KEY_SECRET", "secret"), "RAZORPAY_KEY_SECRET"},
		"no webhook secret":     {razorpay("RAZORPAY_WEBHOOK_SECRET", ""), "RAZORPAY_WEBHOOK_SECRET"},
		"a weak webhook secret": {razorpay("RAZORPAY_WEBHOOK_SECRET", "123456"), "RAZORPAY_WEBHOOK_SECRET"},
		"open MSG91":            {one("SMS_URL", "http://api.msg91.com"), "SMS_URL"},
		"open Twilio":           {one("SMS_URL", "http://127.0.0.1:9"), "SMS_URL"},
		"open objects":          {one("S3_ENDPOINT", "http://objects:9000"), "S3_ENDPOINT"},
		"open downloads":        {one("S3_PUBLIC_ENDPOINT", "http://objects.franchise360.example"), "S3_PUBLIC_ENDPOINT"},
		"default store keys":    {map[string]string{"S3_ACCESS_KEY": "minioadmin", "S3_SECRET_KEY": "minioadmin"}, "S3_SECRET_KEY"},
		"a short store key":     {map[string]string{"S3_ACCESS_KEY": "franchise360", "S3_SECRET_KEY": "a"}, "S3_SECRET_KEY"},
		"no base domain":        {one("TENANT_BASE_DOMAIN", ""), "TENANT_BASE_DOMAIN"},
		"a local base domain":   {one("TENANT_BASE_DOMAIN", "franchise360.localhost"), "TENANT_BASE_DOMAIN"},
		"any proxy":             {one("TRUSTED_PROXIES", "0.0.0.0/0"), "TRUSTED_PROXIES"},
		"any proxy in halves":   {one("TRUSTED_PROXIES", "0.0.0.0/1,128.0.0.0/1"), "TRUSTED_PROXIES"},
		"any proxy of IPv6":     {one("TRUSTED_PROXIES", "10.0.0.0/8,::/0"), "TRUSTED_PROXIES"},
		"mapped proxies":        {one("TRUSTED_PROXIES", "::ffff:0:0/96"), "TRUSTED_PROXIES"},
		"no proxy at all":       {one("TRUSTED_PROXIES", "proxy"), "TRUSTED_PROXIES"},
		"no GSTIN":              {one("SUPPLIER_GSTIN", "abc"), "SUPPLIER_GSTIN"},
		"a wrong check digit":   {one("SUPPLIER_GSTIN", "27AAPFU0939F1ZW"), "SUPPLIER_GSTIN"},
		"an old key of zeros":   {one("SECRET_KEY", strongKey+","+strings.Repeat("0", 64)), "SECRET_KEY"},
		"a shouted test":        {one("PAYU_URL", "https://TEST.payu.in"), "PAYU_URL"},
		"the test API, dotted":  {one("PAYU_API_URL", "https://Test.PayU.in.:443/x"), "PAYU_API_URL"},
		"another host":          {one("PAYU_API_URL", "https://info.payu.in@evil.example"), "PAYU_API_URL"},
		"another SMS host":      {one("SMS_URL", "msg91://key@api.msg91.com@evil.example?sender=FRNCHS"), "SMS_URL"},
		"another store":         {one("S3_ENDPOINT", "https://s3.amazonaws.com@evil.example"), "S3_ENDPOINT"},
		"another site":          {one("PUBLIC_URL", "https://franchise360.example@evil.example"), "PUBLIC_URL"},
		"a public /8":           {one("TRUSTED_PROXIES", "8.0.0.0/8"), "TRUSTED_PROXIES"},
		"all in /8":             {one("TRUSTED_PROXIES", everyEighth()), "TRUSTED_PROXIES"},
		"many public /12":       {one("TRUSTED_PROXIES", "8.0.0.0/12,8.16.0.0/12,8.32.0.0/12"), "TRUSTED_PROXIES"},
		"public ones of IPv6":   {one("TRUSTED_PROXIES", "2000::/7"), "TRUSTED_PROXIES"},
		"a salt that is a word": {one("PAYU_SALT", "password"), "PAYU_SALT"},
		"a doubled store key":   {map[string]string{"S3_ACCESS_KEY": "worker", "S3_SECRET_KEY": "minioadminminioadmin"}, "S3_SECRET_KEY"},
		"a store placeholder":   {map[string]string{"S3_ACCESS_KEY": "worker", "S3_SECRET_KEY": "changeme12345678"}, "S3_SECRET_KEY"},
		"a repeated store key":  {map[string]string{"S3_ACCESS_KEY": "worker", "S3_SECRET_KEY": "mango7mango7mango7"}, "S3_SECRET_KEY"},
		"a receipt key of a":    {one("SMS_URL", msg91+"&receipt_key="+strings.Repeat("a", 24)), "SMS_URL"},
		"a huge refund limit":   {one("REFUND_APPROVAL_ABOVE", "99999999999"), "REFUND_APPROVAL_ABOVE"},
		"an open Redis":         {one("REDIS_URL", "redis://redis:6379/0"), "REDIS_URL"},
		"Redis without secret":  {one("REDIS_URL", "rediss://cache.example.com:6379/0"), "REDIS_URL"},
		"a Sentinel's secret":   {one("REDIS_URL", "redis://:4b8e1f@sentinel:26379?master_name=main"), "REDIS_URL"},
		"a Sentinel outside":    {one("REDIS_URL", "redis://sentinel:26379?master_name=main&password=4b8e1f&addr=one.example.com:26379"), "REDIS_URL"},
		"Redis in clear":        {one("REDIS_URL", "redis://:4b8e1f@cache.example.com:6379/0"), "REDIS_URL"},
		"open Photon":           {one("PLACES_URL", "http://photon.example.com"), "PLACES_URL"},
		"no legal name":         {one("SUPPLIER_NAME", ""), "SUPPLIER_NAME"},
		"no phone":              {one("SUPPLIER_PHONE", " "), "SUPPLIER_PHONE"},
		"no officer":            {one("GRIEVANCE_OFFICER", ""), "GRIEVANCE_OFFICER"},
		"no designation":        {one("GRIEVANCE_OFFICER", "Meera Kulkarni"), "GRIEVANCE_OFFICER"},
		"an officer's no mail":  {one("GRIEVANCE_OFFICER", "Meera Kulkarni|Grievance Officer|grievance|+91 20 4000 0361|10 am to 6 pm"), "GRIEVANCE_OFFICER"},
		"an officer's no phone": {one("GRIEVANCE_OFFICER", "Meera Kulkarni|Grievance Officer|grievance@franchise360.example||10 am to 6 pm"), "GRIEVANCE_OFFICER"},
		"no hours":              {one("GRIEVANCE_OFFICER", "Meera Kulkarni|Grievance Officer|grievance@franchise360.example|+91 20 4000 0361"), "GRIEVANCE_OFFICER"},
		"a wrong CIN":           {one("SUPPLIER_CIN", "U7290MH2024PTC000360"), "SUPPLIER_CIN"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			_, err := outside(c.settings)
			require.ErrorContains(t, err, c.named+": ")
			c.settings["APP_ENV"], c.settings["TENANT_IPS"] = "production", ""
			_, err = outside(c.settings)
			require.ErrorContains(t, err, c.named+": ", "all at once")
			require.ErrorContains(t, err, "TENANT_IPS: ", "all at once")
		})
	}
	test := razorpay("RAZORPAY_KEY_ID", "rzp_test_1DP5mmOlF5G5ag", "GATEWAY", "razorpay,payu", "PAYU_URL", "https://test.payu.in", "ALLOW_INSECURE", "test-gateway")
	_, err = outside(test)
	require.NoError(t, err, "a rehearsal says so")
	_, err = outside(map[string]string{"S3_ENDPOINT": "http://objects:9000", "S3_PUBLIC_ENDPOINT": "https://objects.franchise360.example", "ALLOW_INSECURE": "objects"})
	require.NoError(t, err)
	_, err = outside(map[string]string{"APP_ENV": "development", "SECRET_KEY": strings.Repeat("0", 64), "PAYU_SALT": "s"})
	require.NoError(t, err)
}

func everyEighth() string {
	var list []string
	for n := range 256 {
		list = append(list, fmt.Sprintf("%d.0.0.0/8", n))
	}
	return strings.Join(list, ",")
}

func TestProduction_StrongSettings_AreAccepted(t *testing.T) {
	t.Parallel()
	for name, values := range map[string][]string{
		"SECRET_KEY":            {strongKey, strongKey + ",c3a8f01e5d7b926440efb1d8a79c235e16f4809b7da2c35fe8016b94d7ca53f2"},
		"TRUSTED_PROXIES":       {"", "172.30.80.0/24", "10.0.0.0/8,192.168.0.0/16,fc00::/7,127.0.0.1,::1", "172.64.0.0/13,104.16.0.0/13,2a06:98c0::/29"},
		"PAYU_SALT":             {"eCwWELxi", "4R38IvwiV57FwVpsgOvTXBdLE4tHUXFW"},
		"REDIS_URL":             {"rediss://:4b8e1f@cache.example.com:6379/0", "redis://:4b8e1f@10.0.0.7:6379", "redis://:4b8e1f@cache.internal", "redis://sentinel:26379?master_name=main&password=4b8e1f&addr=10.0.0.8:26379"},
		"PLACES_URL":            {"https://places.googleapis.com?key=AIzaSyD", "", "http://photon:2322", "http://10.0.0.9:2322", "https://photon.example.com"},
		"REFUND_APPROVAL_ABOVE": {"", "0", "50000", "1000000"},
		"TENANT_IPS":            {"203.0.113.7,2001:db8::7"},
	} {
		for _, value := range values {
			_, err := outside(map[string]string{name: value})
			require.NoError(t, err, "%s=%s", name, value)
		}
	}
	for _, ip := range []string{"127.0.0.1", "203.0.113.7,10.0.0.1", "0.0.0.0", "::1", "fe80::1"} {
		_, err := outside(map[string]string{"TENANT_IPS": ip})
		require.ErrorContains(t, err, "TENANT_IPS: ", ip)
	}
}

func TestProduction_PostgresWithoutTLS_IsRefused(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"postgres://db/x?sslmode=disable", "postgres://db/x?sslmode=prefer", "postgres://db/x?sslmode=allow", "postgres://db/x?sslmode=%64isable",
		"postgresql://db/x?%73slmode=disable", "postgres://db,db2/x?sslmode=prefer", "host=db dbname=x sslmode=disable", "postgres://db/x?sslmode=Disable",
		"postgres://db/x?sslmode=disable&sslmode=require", "postgres:///x?host=db&sslmode=allow",
	} {
		for _, name := range []string{"DATABASE_URL", "DATABASE_READ_URL"} {
			_, err := outside(map[string]string{name: url})
			require.ErrorContains(t, err, name+": ", url)
			require.NotContains(t, err.Error(), url, "it may hold a password")
		}
	}
	for _, url := range []string{
		"postgres://db/x", "postgres://db/x?sslmode=require", "postgres://db/x?sslmode=verify-full", "postgres://api:p%40ss@db:5432/x?sslmode=verify-ca",
		"postgres:///x?host=pg2,pg1&port=5432,5432&target_session_attrs=read-write",
	} {
		_, err := outside(map[string]string{"DATABASE_URL": url, "DATABASE_READ_URL": url})
		require.NoError(t, err, url)
	}
	_, err := outside(map[string]string{"DATABASE_URL": "postgres://db/x?sslmode=disable", "ALLOW_INSECURE": "database"})
	require.NoError(t, err)
}

func TestProduction_OpenStore_NamesTheSettingThatAllowsIt(t *testing.T) {
	t.Parallel()
	_, err := outside(map[string]string{"S3_ENDPOINT": "http://objects:9000"})
	require.ErrorContains(t, err, "S3_ENDPOINT: for a store on the same machine set ALLOW_INSECURE=objects")
}
