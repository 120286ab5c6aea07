package switchboard.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.contentstream.operator.Operator;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSObject;
import org.apache.pdfbox.cos.COSObjectKey;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.io.MemoryUsageSetting;
import org.apache.pdfbox.io.RandomAccessReadBuffer;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageTree;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;
import org.apache.pdfbox.pdmodel.graphics.form.PDFormXObject;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.pdfbox.text.TextPosition;
import org.jspecify.annotations.Nullable;

/** Converts PDF to text, page by page. Scanned pages have no text and stay empty. */
final class PdfReader {
    private static final long MEMORY = 64L << 20;

    ConvertedDocument read(RawDocument rawDocument, ConvertLimits limits) throws ConvertException {
        try (PDDocument document = Loader.loadPDF(
                new WantedBytes(rawDocument.bytes(), limits),
                "",
                null,
                null,
                MemoryUsageSetting.setupMixed(MEMORY).streamCache)) {
            bound(document, limits);
            PdfPages.check(document, limits);
            return pages(document, limits);
        } catch (InvalidPasswordException _) {
            throw new ConvertException(
                    ConvertException.Reason.UNREADABLE, "the PDF is protected by a password; remove it first");
        } catch (IOException | RuntimeException e) {
            TemporaryFileCheck.check(e);
            for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
                if (cause instanceof ConvertException stopped) {
                    throw stopped;
                }
            }
            throw new ConvertException(ConvertException.Reason.UNREADABLE, "the PDF is damaged or truncated");
        }
    }

    private static ConvertedDocument pages(PDDocument document, ConvertLimits limits)
            throws IOException, ConvertException {
        WantedText stripper = new WantedText(limits);
        stripper.setLineSeparator("\n");
        StringBuilder text = new StringBuilder();
        List<Integer> starts = new ArrayList<>();
        for (PDPage page : document.getPages()) {
            limits.check();
            starts.add(text.length());
            text.append(TextDecoder.lines(stripper.textOf(document, page))
                            .replace("\0", "")
                            .strip())
                    .append("\n\n");
            if (text.length() > limits.maxChars()) {
                throw limits.tooMuchText();
            }
        }
        String title = document.getDocumentInformation().getTitle();
        return new ConvertedDocument(text.toString(), ConvertedDocument.Markup.PLAIN, title, starts);
    }

    /** Refuses streams that become too large, because the library unpacks whole streams into memory. */
    private static void bound(PDDocument document, ConvertLimits limits) throws IOException, ConvertException {
        long unpacked = 0;
        for (COSObjectKey key : document.getDocument().getXrefTable().keySet()) {
            limits.check();
            COSObject object = document.getDocument().getObjectFromPool(key);
            COSBase value = object == null ? null : object.getObject();
            if (value instanceof COSStream stream) {
                unpacked += PdfStreams.unpacked(stream, limits.maxUnpacked() - unpacked);
            }
            if (unpacked > limits.maxUnpacked()) {
                throw limits.tooMuchUnpacked();
            }
        }
    }

    /** Checks for cancellation at each read, because a parser that loops keeps reading. */
    private static final class WantedBytes extends RandomAccessReadBuffer {
        private static final int MASK = (1 << 12) - 1;

        private final ConvertLimits limits;
        private int reads;

        WantedBytes(byte[] bytes, ConvertLimits limits) {
            super(bytes);
            this.limits = limits;
        }

        @Override
        public int read() throws IOException {
            if ((++reads & MASK) == 0) {
                ask(limits);
            }
            return super.read();
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            ask(limits);
            return super.read(to, offset, length);
        }
    }

    /**
     * Checks for cancellation and size while text is extracted: nested drawings can multiply the text of a small page
     * without limit.
     */
    private static final class WantedText extends PDFTextStripper {
        private static final int MAX_GLYPHS = 2_000_000;

        private static final int MAX_DRAWINGS = 1_000_000;

        private final ConvertLimits limits;
        private final Set<COSBase> drawn = Collections.newSetFromMap(new IdentityHashMap<>());
        private @Nullable PDPage wanted;
        private int glyphs;
        private int drawings;

        WantedText(ConvertLimits limits) {
            this.limits = limits;
            setStartPage(0);
        }

        /**
         * The text of one page. It is processed directly, because the library's own way goes through all pages each
         * time.
         */
        String textOf(PDDocument document, PDPage page) throws IOException {
            wanted = page;
            return getText(document);
        }

        @Override
        protected void processPages(PDPageTree all) throws IOException {
            PDPage page = wanted;
            if (page != null && page.hasContents()) {
                processPage(page);
            }
        }

        /** Ignores a drawing that contains itself. */
        @Override
        public void showForm(PDFormXObject form) throws IOException {
            drawings++;
            if (drawn.add(form.getCOSObject())) {
                try {
                    super.showForm(form);
                } finally {
                    drawn.remove(form.getCOSObject());
                }
            }
        }

        @Override
        public void processPage(PDPage page) throws IOException {
            glyphs = 0;
            drawings = 0;
            super.processPage(page);
        }

        @Override
        protected void processTextPosition(TextPosition text) {
            if (++glyphs <= MAX_GLYPHS) {
                super.processTextPosition(text);
            }
        }

        @Override
        protected void processOperator(Operator operator, List<COSBase> operands) throws IOException {
            ask(limits);
            if (glyphs > MAX_GLYPHS) {
                throw new IOException(new ConvertException(
                        ConvertException.Reason.TOO_LARGE, "a page of it has more than " + MAX_GLYPHS + " letters"));
            }
            if (drawings > MAX_DRAWINGS) {
                throw new IOException(new ConvertException(
                        ConvertException.Reason.TOO_LARGE, "a page of it has more than " + MAX_DRAWINGS + " drawings"));
            }
            super.processOperator(operator, operands);
        }
    }

    /** Checks for cancellation. The library only passes on I/O errors. */
    private static void ask(ConvertLimits limits) throws IOException {
        try {
            limits.check();
        } catch (ConvertException e) {
            throw new IOException(e);
        }
    }
}
