// Package tagfile writes the facts of files for other programs: as JSON Lines, or as a tags file that editors read. Both
// take one file at a time, in the order of paths, and keep none of them in memory.
package tagfile

import (
	"github.com/repox-dev/repox/sdk/tag"
)

// File is what is known of one file.
type File struct {
	Path     string
	Language string
	Tags     *tag.File
	// Targets gives for each import the paths of the files that it leads to.
	Targets [][]string
	// Limitations are what stands between the file and its facts.
	Limitations []Limitation
}

// Limitation is something that is not known, and why.
type Limitation struct {
	// Code is a word such as parse_error.
	Code string
	// Line counts from 1; 0 is the file as a whole.
	Line    uint32
	Message string
}

// Writer takes files in the order of their paths.
type Writer interface {
	// Write takes a file. It does not keep it.
	Write(f *File) error
	// Close writes what is left. It does not close what is written to.
	Close() error
}
