/** Sessions of the legacy era: who owns them, when they expire, who gives way when there are too many. */
@NullMarked
package switchboard.session;

import org.jspecify.annotations.NullMarked;
