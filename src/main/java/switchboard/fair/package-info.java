/** How what is bounded is shared between teams. */
@NullMarked
package switchboard.fair;

import org.jspecify.annotations.NullMarked;
