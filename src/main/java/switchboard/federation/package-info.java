/** Tools made of what several backends offer: one search over all of them, one way to read what it found. */
@NullMarked
package switchboard.federation;

import org.jspecify.annotations.NullMarked;
