package objectstore

import "errors"

// Open returns the store that the settings name whose names begin with the prefix, such as S3_ for S3_ENDPOINT and S3_BUCKET.
func Open(getenv func(string) string, prefix string) (*Store, error) {
	for _, name := range []string{"ENDPOINT", "BUCKET"} {
		if getenv(prefix+name) == "" {
			return nil, errors.New(prefix + name + " is not set")
		}
	}
	return New(Options{
		Endpoint: getenv(prefix + "ENDPOINT"), Region: getenv(prefix + "REGION"), Bucket: getenv(prefix + "BUCKET"),
		AccessKey: getenv(prefix + "ACCESS_KEY"), SecretKey: getenv(prefix + "SECRET_KEY"),
	})
}
