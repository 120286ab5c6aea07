/** Composing and ending futures, and sending HTTP requests. Uses no other packages. */
@NullMarked
package switchboard.async;

import org.jspecify.annotations.NullMarked;
