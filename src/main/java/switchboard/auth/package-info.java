/** Authentication and authorization: from credentials to principals, and from grants to decisions. */
@NullMarked
package switchboard.auth;

import org.jspecify.annotations.NullMarked;
