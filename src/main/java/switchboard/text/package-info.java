/** Questions about text that several packages ask; a leaf. */
@NullMarked
package switchboard.text;

import org.jspecify.annotations.NullMarked;
