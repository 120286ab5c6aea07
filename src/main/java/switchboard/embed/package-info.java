/** Texts to vectors: the port, and its implementation that runs a model in this process. */
@NullMarked
package switchboard.embed;

import org.jspecify.annotations.NullMarked;
