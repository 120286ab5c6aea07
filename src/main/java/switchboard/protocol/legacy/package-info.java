/** The protocol up to 2025-11-25: handshake, sessions, batches, the standing stream. Nothing else depends on it. */
@NullMarked
package switchboard.protocol.legacy;

import org.jspecify.annotations.NullMarked;
