// Package support is for staff who help customers.
package support
