/** Access to files: opening without following links, and creating for the owner only. Uses no other packages. */
@NullMarked
package switchboard.files;

import org.jspecify.annotations.NullMarked;
