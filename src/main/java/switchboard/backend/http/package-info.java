/** The backend type {@code http}: searches of other servers, declared request by request. */
@NullMarked
package switchboard.backend.http;

import org.jspecify.annotations.NullMarked;
