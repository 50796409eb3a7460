package main

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"
)

// alerts lists Prometheus's alerts of the last while: those that fired, and in brackets those whose time to fire had not passed.
// Nobody looks at the cluster from outside.
func (f *form) alerts(ctx context.Context, last time.Duration) []string {
	address := f.read().Prometheus
	if address == "" {
		return nil
	}
	query := fmt.Sprintf(`max by (alertname, alertstate) (max_over_time(ALERTS{alertname!~"Watchdog|SiteNotProbed"}[%ds]))`, int(last.Seconds())+1)
	var answer struct {
		Data struct {
			Result []struct {
				Metric struct {
					Name  string `json:"alertname"`
					State string `json:"alertstate"`
				} `json:"metric"`
			} `json:"result"`
		} `json:"data"`
	}
	if err := f.get(ctx, address+"/api/v1/query?query="+url.QueryEscape(query), &answer); err != nil {
		f.note("read the alerts: %v", err)
		return nil
	}
	fired := map[string]bool{}
	for _, alert := range answer.Data.Result {
		fired[alert.Metric.Name] = fired[alert.Metric.Name] || alert.Metric.State == "firing"
	}
	var names []string
	for name, whole := range fired {
		if !whole {
			name = "(" + name + ")"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
