/** Text functions that several packages use. Uses no other packages. */
@NullMarked
package switchboard.text;

import org.jspecify.annotations.NullMarked;
