//go:build cgo

package treesitter

// replaceWorker gives the extractor a worker with another memory limit, in bytes.
func (e *extractor) replaceWorker(limit uint64) {
	old := e.worker
	e.worker = newWorker(limit)
	deleteWorker(old)
}
