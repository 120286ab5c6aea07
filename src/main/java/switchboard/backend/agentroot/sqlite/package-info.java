/**
 * Statements of callers on SQLite files, each in a process of its own, since SQLite can't be stopped in the middle of a
 * step, and one step may take hours.
 */
@NullMarked
package switchboard.backend.agentroot.sqlite;

import org.jspecify.annotations.NullMarked;
