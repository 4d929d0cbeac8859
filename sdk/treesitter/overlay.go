package treesitter

import (
	"bytes"
	"regexp"
)

// Overlay writes over a text, byte for byte, for a Spec's Mask. Line feeds stay.
type Overlay struct {
	src, out []byte
}

// NewOverlay makes an overlay of a text, which it does not change.
func NewOverlay(src []byte) *Overlay { return &Overlay{src: src} }

// Fill writes a byte over a piece of the text.
func (o *Overlay) Fill(start, end int, with byte) {
	if o.out == nil {
		o.out = bytes.Clone(o.src)
	}
	for i := start; i < end; i++ {
		if o.out[i] != '\n' {
			o.out[i] = with
		}
	}
}

// Blank puts spaces over the first group of every match of the patterns.
func (o *Overlay) Blank(patterns []*regexp.Regexp) {
	for _, p := range patterns {
		for _, m := range p.FindAllSubmatchIndex(o.src, -1) {
			o.Fill(m[2], m[3], ' ')
		}
	}
}

// Text is the text as it is then, nil if nothing was written over.
func (o *Overlay) Text() []byte { return o.out }
