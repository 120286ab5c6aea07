/** Tools as data: descriptors read from {@code backends/<type>/tools.json}, views over them, argument validation. */
@NullMarked
package switchboard.catalog;

import org.jspecify.annotations.NullMarked;
