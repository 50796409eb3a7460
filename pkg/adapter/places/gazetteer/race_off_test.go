//go:build !race

package gazetteer

// slowdown is what the race detector would cost.
const slowdown = 1
