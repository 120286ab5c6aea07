/** The wire spec files of {@code src/test/resources/rpc}: reading, matching, replaying. Their README has the format. */
@NullMarked
package switchboard.testing.wire;

import org.jspecify.annotations.NullMarked;
