// Package support is what the people who help customers work with.
package support
