package switchboard.convert;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.InflaterInputStream;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSObject;
import org.apache.pdfbox.cos.COSObjectKey;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.io.MemoryUsageSetting;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;
import org.apache.pdfbox.text.PDFTextStripper;

/** PDF to text, page by page. Scanned pages have no text and stay empty. */
final class PdfReader {
    private static final long MEMORY = 64L << 20;
    private static final int BUFFER = 64 * 1024;

    Converted read(Source source, ConvertLimits limits) throws ConvertException {
        try (PDDocument document =
                Loader.loadPDF(source.bytes(), "", null, null, MemoryUsageSetting.setupMixed(MEMORY).streamCache)) {
            bound(document, limits);
            return pages(document, limits);
        } catch (InvalidPasswordException _) {
            throw new ConvertException(
                    ConvertException.Reason.UNREADABLE, "the PDF is protected by a password; remove it first");
        } catch (IOException | IllegalArgumentException | IllegalStateException | ClassCastException e) {
            throw new ConvertException(ConvertException.Reason.UNREADABLE, "the PDF is damaged or truncated");
        }
    }

    private static Converted pages(PDDocument document, ConvertLimits limits) throws IOException, ConvertException {
        PDFTextStripper stripper = new PDFTextStripper();
        stripper.setLineSeparator("\n");
        StringBuilder text = new StringBuilder();
        List<Integer> starts = new ArrayList<>();
        for (int page = 1; page <= document.getNumberOfPages(); page++) {
            limits.check();
            stripper.setStartPage(page);
            stripper.setEndPage(page);
            starts.add(text.length());
            text.append(TextDecoder.lines(stripper.getText(document))
                            .replace("\0", "")
                            .strip())
                    .append("\n\n");
            if (text.length() > limits.maxChars()) {
                throw limits.tooMuchText();
            }
        }
        String title = document.getDocumentInformation().getTitle();
        return new Converted(text.toString(), Converted.Markup.PLAIN, title, starts);
    }

    /** The library unpacks whole streams into memory, so those that would become too large are found before. */
    private static void bound(PDDocument document, ConvertLimits limits) throws IOException, ConvertException {
        long unpacked = 0;
        byte[] buffer = new byte[BUFFER];
        for (COSObjectKey key : document.getDocument().getXrefTable().keySet()) {
            limits.check();
            COSObject object = document.getDocument().getObjectFromPool(key);
            COSBase value = object == null ? null : object.getObject();
            if (value instanceof COSStream stream && inflates(stream)) {
                unpacked += inflated(stream, buffer, limits.maxUnpacked() - unpacked);
            }
            if (unpacked > limits.maxUnpacked()) {
                throw limits.tooMuchUnpacked();
            }
        }
    }

    /** Pictures are never unpacked for their text. */
    private static boolean inflates(COSStream stream) {
        boolean picture = COSName.IMAGE.equals(stream.getCOSName(COSName.SUBTYPE));
        return !picture && String.valueOf(stream.getFilters()).contains(COSName.FLATE_DECODE.getName());
    }

    private static long inflated(COSStream stream, byte[] buffer, long most) throws IOException {
        long length = 0;
        try (InputStream in = new InflaterInputStream(stream.createRawInputStream())) {
            for (int read = in.read(buffer); read >= 0 && length <= most; read = in.read(buffer)) {
                length += read;
            }
        } catch (java.util.zip.ZipException | java.io.EOFException _) {
            return length; // a damaged stream is the library's to repair or refuse
        }
        return length;
    }
}
