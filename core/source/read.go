package source

// Read gives the bytes of a listed file. An error is a *SkipError: a fault of that file alone.
//
// The file is opened without following links and without waiting, must be a regular one, and must not have grown over
// the limit since it was listed.
func (t *Tree) Read(f *File) ([]byte, error) {
	var data []byte
	var err error
	if f.ObjectID != "" {
		data, err = t.blobs.read(f.ObjectID, t.maxBytes)
	} else {
		data, err = t.readPath(t.prefix+f.Path, t.maxBytes)
	}
	if err != nil {
		return nil, &SkipError{Path: f.Path, Reason: skipReasonFor(err), Err: err}
	}
	return data, nil
}

func (t *Tree) readPath(path string, limit int64) ([]byte, error) {
	f, err := t.top.openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readRegular(f, limit)
}
