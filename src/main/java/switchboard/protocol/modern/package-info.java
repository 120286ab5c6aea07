/** The stateless protocol from 2026-07-28 on. */
@NullMarked
package switchboard.protocol.modern;

import org.jspecify.annotations.NullMarked;
