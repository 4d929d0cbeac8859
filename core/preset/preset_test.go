package preset

import (
	"bytes"
	"testing"
)

func TestMapIsTheFileOfThatName(t *testing.T) {
	want, err := FS.ReadFile("map.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if got := Map(); !bytes.Equal(got, want) || !bytes.Contains(got, []byte("version: 1\n")) {
		t.Errorf("got %q", got)
	}
}
