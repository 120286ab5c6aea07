/**
 * Code shared by the backends on the embedded store: health, maintenance, and searching together with other backends.
 */
@NullMarked
package switchboard.backend.embedded;

import org.jspecify.annotations.NullMarked;
