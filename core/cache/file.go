package cache

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	_ "github.com/mattn/go-sqlite3" // the driver
)

// application marks a database as ours, in the place that SQLite keeps for it: "rpox".
const application = 0x72706f78

// unmarked is how the tables of layout 1 begin, which had no such mark.
const unmarked = "CREATE TABLE entry (kind INTEGER, key BLOB, value BLOB, sum INTEGER, used INTEGER"

// finding is what lies in the place of the database.
type finding int

const (
	absent   finding = iota // nothing, or an empty file
	ours                    // a cache of this layout
	outdated                // a cache of another layout
	broken                  // no database
	foreign                 // another program's database
)

var (
	errForeign    = errors.New("it is the database of another program and stays as it is; move it away or set REPOX_CACHE_DIR to another folder")
	errNoDatabase = errors.New("file is not a database")
	errNoFile     = errors.New("it is not a file; move it away or set REPOX_CACHE_DIR to another folder")
)

// examine looks at the file's first page. SQLite is not asked: opening a database can change it already, by what a
// killed program left beside it. The mark is in the file itself from the first commit on (see connect).
func examine(path string) (finding, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return absent, nil
	}
	if err != nil {
		return broken, err
	}
	if !info.Mode().IsRegular() {
		return broken, errNoFile
	}
	if info.Size() == 0 {
		return absent, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return broken, err
	}
	defer f.Close()
	page, err := io.ReadAll(io.LimitReader(f, 4096))
	if err != nil {
		return broken, err
	}
	// The header's offsets: https://www.sqlite.org/fileformat.html#the_database_header
	if len(page) < 100 || !bytes.HasPrefix(page, []byte("SQLite format 3\x00")) {
		return broken, nil
	}
	version, id := binary.BigEndian.Uint32(page[60:]), binary.BigEndian.Uint32(page[68:])
	switch {
	case id == application && version == layout:
		return ours, nil
	case id == application, id == 0 && version == 1 && bytes.Contains(page, []byte(unmarked)):
		return outdated, nil
	}
	return foreign, nil
}

// makeFile makes the empty file that only its owner can read; SQLite gives what it puts beside it the same mode.
func makeFile(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Chmod(0o600), f.Close())
}

// settled tells whether all that was stored is in the database file itself and nothing in the log beside it, as the last
// one to close it leaves it.
func settled(path string) bool {
	info, err := os.Stat(path + "-wal")
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
}

// look opens a database that may only be read. SQLite is told that nothing changes it, since it could not even make the
// files by which it would notice. Someone else may write all the same: what is torn by that fails its checksum, or is met
// as damage.
func look(ctx context.Context, path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", address(path)+"?mode=ro&immutable=1")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "SELECT 1 FROM entry, used LIMIT 1"); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// address gives a path as a URI, with its own question marks and percent signs escaped.
func address(path string) string {
	return "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)
}

// connect opens the database. A new one gets its tables and its mark before it changes to write-ahead mode, so that they
// are in the file itself, where examine looks. Two programs may do so at once: the second changes nothing.
func connect(ctx context.Context, path string, create bool) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", fmt.Sprintf("%s?_synchronous=NORMAL&_txlock=immediate&_auto_vacuum=incremental&_busy_timeout=%d",
		address(path), busyMillis))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if create {
		_, err = db.ExecContext(ctx, fmt.Sprintf(`
			BEGIN IMMEDIATE;
			CREATE TABLE IF NOT EXISTS entry (kind INTEGER, key BLOB, value BLOB, sum INTEGER, PRIMARY KEY (kind, key)) WITHOUT ROWID;
			CREATE TABLE IF NOT EXISTS used (kind INTEGER, key BLOB, bytes INTEGER, at INTEGER, PRIMARY KEY (kind, key)) WITHOUT ROWID;
			PRAGMA application_id = %d;
			PRAGMA user_version = %d;
			COMMIT`, application, layout))
	}
	if err == nil {
		// Who cannot change the mode now, because another has just made the database, works well in the old one.
		if _, err = db.ExecContext(ctx, "PRAGMA journal_mode = WAL"); busy(err) {
			err = nil
		}
	}
	if err == nil {
		_, err = db.ExecContext(ctx, "SELECT 1 FROM entry, used LIMIT 1")
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}
