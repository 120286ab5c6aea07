/** Sessions of the legacy protocol versions: their owners, expiry, and which one is replaced at the limit. */
@NullMarked
package switchboard.session;

import org.jspecify.annotations.NullMarked;
