/** Bytes of documents to text, and text to chunks. Everything here computes and blocks: call it on a lane. */
@NullMarked
package switchboard.convert;

import org.jspecify.annotations.NullMarked;
