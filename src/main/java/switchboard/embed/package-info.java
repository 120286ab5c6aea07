/** Embedding models: the interface, models in this process, and models at providers. */
@NullMarked
package switchboard.embed;

import org.jspecify.annotations.NullMarked;
