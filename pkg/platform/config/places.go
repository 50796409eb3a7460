package config

import "net/url"

// Places configures the provider of address suggestions: Google with its key, Photon with its address, else the gazetteer.
type Places struct{ Provider, GoogleKey, GoogleURL, PhotonURL string }

// googlePlaces is the host of Google's Places API.
const googlePlaces = "places.googleapis.com"

func (r *reader) places() Places {
	address := r.getenv("PLACES_URL")
	if address == "" {
		return Places{Provider: "gazetteer"}
	}
	r.checkURL("PLACES_URL", address)
	u, err := url.Parse(address)
	if err != nil || u.Hostname() != googlePlaces {
		return Places{Provider: "photon", PhotonURL: address}
	}
	key := u.Query().Get("key")
	if key == "" || u.Scheme != "https" || u.User != nil {
		r.fail("PLACES_URL", "Google wants https and ?key=… in its address")
	}
	return Places{Provider: "google", GoogleKey: key, GoogleURL: "https://" + u.Host}
}
