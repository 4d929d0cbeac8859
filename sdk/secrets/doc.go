// Package secrets finds the secrets of a text and takes them out. Keys and tokens of known providers come from the rules of
// betterleaks; what scanners lack is here: credentials in URLs and connection strings, headers, passwords by the name they
// are assigned to, private keys in pieces, files whose format says what is secret.
package secrets
