/** What the backends on the embedded store share: health, maintenance, and how their collections are searched with others. */
@NullMarked
package switchboard.backend.embedded;

import org.jspecify.annotations.NullMarked;
