package switchboard.convert;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.filter.FilterFactory;
import org.jspecify.annotations.Nullable;

/** Measures the decompressed size of a PDF's streams. A stream may be compressed several times with several filters. */
final class PdfStreams {
    /** Filters of pictures, which are never unpacked for text. */
    private static final Set<String> OF_PICTURES =
            Set.of("DCTDecode", "DCT", "JPXDecode", "CCITTFaxDecode", "CCF", "JBIG2Decode");

    private PdfStreams() {}

    /** The sum of the sizes after each filter of {@code stream}; a number above {@code most} if it is more. */
    static long unpacked(COSStream stream, long most) {
        if (COSName.IMAGE.equals(stream.getCOSName(COSName.SUBTYPE))) {
            return 0;
        }
        List<COSName> filters = filters(stream.getFilters());
        long length = 0;
        try (InputStream raw = stream.createRawInputStream()) {
            InputStream in = raw;
            for (int i = 0;
                    i < filters.size() && !OF_PICTURES.contains(filters.get(i).getName());
                    i++) {
                Counted out = new Counted(most - length, i + 1 < filters.size());
                try {
                    FilterFactory.INSTANCE.getFilter(filters.get(i)).decode(in, out, stream, i);
                } finally {
                    length += out.length;
                }
                in = out.read();
            }
        } catch (IOException | RuntimeException _) {
            return length; // too long, or damaged, which is the library's to repair or refuse
        }
        return length;
    }

    private static List<COSName> filters(@Nullable COSBase filters) {
        List<COSName> names = new ArrayList<>();
        if (filters instanceof COSName name) {
            names.add(name);
        } else if (filters instanceof COSArray array) {
            for (int i = 0; i < array.size(); i++) {
                if (array.getObject(i) instanceof COSName name) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    /** Keeps the output for the next filter, and stops when it is too large. */
    private static final class Counted extends OutputStream {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private final long most;
        private final boolean keeps;
        private long length;

        Counted(long most, boolean keeps) {
            this.most = most;
            this.keeps = keeps;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            length += count;
            if (length > most) {
                throw new IOException("too long");
            }
            if (keeps) {
                kept.write(bytes, from, count);
            }
        }

        InputStream read() {
            return new ByteArrayInputStream(kept.toByteArray());
        }
    }
}
