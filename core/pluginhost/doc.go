// Package pluginhost starts plugins, speaks to them, watches over them and stops them.
//
// A plugin is a program of its own. Nothing it does may harm the run: whether it prints noise, crashes, hangs, floods,
// eats memory or leaves children behind, the answer is a typed error within a bounded time, and no process and no file
// stays. Start reading at Host.Start; Supervisor and Component add restarts.
//
// go-plugin negotiates the connection. The process itself is this package's business, through its own runner, because
// go-plugin waits without bound on a frozen process or on a grandchild that holds a pipe, stops reading after a long
// line, and leaves plugins alive when the host is killed.
//
// The package does not find plugins, pin them or cache what they say of themselves, and it never looks into the
// sections that it carries.
package pluginhost
