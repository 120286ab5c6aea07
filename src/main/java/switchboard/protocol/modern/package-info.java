/** The stateless protocol from 2026-07-28 on, and the methods that both eras share. */
@NullMarked
package switchboard.protocol.modern;

import org.jspecify.annotations.NullMarked;
