package switchboard.convert;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.jspecify.annotations.Nullable;

/**
 * Checks a PDF's page tree before the library reads it, because the library recurses, follows parents, and trusts the
 * declared number of pages.
 */
final class PdfPages {
    private static final int MAX_DEPTH = 64;
    private static final int MAX_PAGES = 100_000;

    private final ConvertLimits limits;
    private final Set<COSBase> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Node> open = new ArrayDeque<>();
    private int pages;

    private record Node(COSDictionary node, int depth) {}

    private PdfPages(ConvertLimits limits) {
        this.limits = limits;
    }

    /** Refuses a tree with a cycle, or that is very deep, or has very many pages. */
    static void check(PDDocument document, ConvertLimits limits) throws ConvertException {
        COSDictionary root = document.getDocumentCatalog().getCOSObject().getCOSDictionary(COSName.PAGES);
        if (root != null) {
            new PdfPages(limits).walk(root);
        }
    }

    private void walk(COSDictionary root) throws ConvertException {
        open.add(new Node(root, 0));
        while (!open.isEmpty()) {
            limits.check();
            Node next = open.removeLast();
            parents(next.node());
            COSArray kids = next.node().getCOSArray(COSName.KIDS);
            if (kids == null) {
                count();
            } else {
                inner(next, kids);
            }
        }
    }

    private void inner(Node node, COSArray kids) throws ConvertException {
        if (!seen.add(node.node())) {
            throw circle();
        }
        if (node.depth() >= MAX_DEPTH) {
            throw new ConvertException(
                    ConvertException.Reason.UNREADABLE, "the PDF's pages are nested more than " + MAX_DEPTH + " deep");
        }
        for (int i = 0; i < kids.size(); i++) {
            if (kids.getObject(i) instanceof COSDictionary kid) {
                if (open.size() > MAX_PAGES) {
                    throw tooMany();
                }
                open.add(new Node(kid, node.depth() + 1));
            }
        }
    }

    private void count() throws ConvertException {
        if (++pages > MAX_PAGES) {
            throw tooMany();
        }
    }

    /** Checks the parents of a page, where inherited entries such as fonts are looked up. */
    private static void parents(COSDictionary node) throws ConvertException {
        @Nullable COSDictionary parent = parent(node);
        for (int steps = 0; parent != null; steps++) {
            if (steps > MAX_DEPTH) {
                throw circle();
            }
            parent = parent(parent);
        }
    }

    private static @Nullable COSDictionary parent(COSDictionary node) {
        COSDictionary parent = node.getCOSDictionary(COSName.PARENT);
        return parent == null ? node.getCOSDictionary(COSName.P) : parent;
    }

    private static ConvertException circle() {
        return new ConvertException(ConvertException.Reason.UNREADABLE, "the PDF's tree of pages goes in a circle");
    }

    private static ConvertException tooMany() {
        return new ConvertException(ConvertException.Reason.TOO_LARGE, "the PDF has more than " + MAX_PAGES + " pages");
    }
}
