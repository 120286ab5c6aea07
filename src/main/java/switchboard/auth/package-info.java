/** Who calls and what they may do: credentials to principals, grants to decisions. */
@NullMarked
package switchboard.auth;

import org.jspecify.annotations.NullMarked;
