/**
 * Runs statements on SQLite files, each in its own process, because SQLite can't be interrupted in the middle of a step, and one step may take hours.
 */
@NullMarked
package switchboard.backend.agentroot.sqlite;

import org.jspecify.annotations.NullMarked;
