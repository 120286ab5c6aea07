/** How work that others finish is waited for without losing its end; a leaf. */
@NullMarked
package switchboard.async;

import org.jspecify.annotations.NullMarked;
