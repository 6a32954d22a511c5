// Package monitoring tests the alerts and the dashboard of folder monitoring: the alerts by
// promtool, the queries of the dashboard by Prometheus' own engine, on samples of a broadcaster.
package monitoring
