//go:build race

package gazetteer

// slowdown is what the race detector costs.
const slowdown = 10
