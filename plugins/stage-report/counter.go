package report

import (
	"fmt"
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// codecs are loaded when a report first needs them: the vocabularies are large.
var codecs = map[string]func() (tokenizer.Codec, error){
	"o200k_base":  sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) }),
	"cl100k_base": sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.Cl100kBase) }),
}

// counter counts tokens and remembers what it has counted. It is used by one goroutine.
type counter struct {
	codec tokenizer.Codec
	known map[string]int
	// err is the first fault of the tokenizer; counts after it mean nothing.
	err error
}

func newCounter(encoding string) (*counter, error) {
	load, ok := codecs[encoding]
	if !ok {
		return nil, fmt.Errorf("load tokenizer: there is no encoding %q", encoding)
	}
	codec, err := load()
	if err != nil {
		return nil, fmt.Errorf("load tokenizer: %w", err)
	}
	return &counter{codec: codec, known: map[string]int{}}, nil
}

// count gives the tokens of one line, its line feed included.
func (c *counter) count(line string) int {
	n, ok := c.known[line]
	if !ok {
		n = c.exact(line)
		c.known[line] = n
	}
	return n
}

// exact counts without remembering.
func (c *counter) exact(text string) int {
	n, err := c.codec.Count(text)
	if err != nil && c.err == nil {
		c.err = err
	}
	return n
}
