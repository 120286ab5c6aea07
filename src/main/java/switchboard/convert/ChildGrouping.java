package switchboard.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;

/**
 * Puts the children of elements that have very many into groups. The Markdown converter copies the list of all children for
 * each paragraph, {@code div} and quotation among them, so its time and memory would grow with their square. A group is a
 * {@code section}, which adds nothing to the Markdown. Lists, tables and preformatted text stay as they are: the converter
 * reads their children once.
 */
final class ChildGrouping {
    private static final int MOST = 200;
    private static final Set<String> KEPT =
            Set.of("ul", "ol", "dl", "menu", "dir", "table", "thead", "tbody", "tfoot", "tr", "pre");

    private ChildGrouping() {}

    /** Groups the children of {@code body} and of all elements in it. */
    static void make(Element body) {
        for (Element element : body.getAllElements()) {
            if (element.childNodeSize() > MOST && !KEPT.contains(element.normalName())) {
                List<Node> children = new ArrayList<>(element.childNodes());
                element.empty(); // at once, because each single removal would move all that follow
                element.appendChildren(grouped(children));
            }
        }
    }

    /**
     * No group ends beside text or an inline element, where it would end a paragraph. Between two groups is the line break or
     * the blank line that the converter writes between the elements there.
     */
    private static List<Node> grouped(List<Node> nodes) {
        List<Node> all = new ArrayList<>();
        int from = 0;
        for (int to = 1; to <= nodes.size(); to++) {
            boolean end = to == nodes.size();
            if (end || (to - from >= MOST && block(nodes.get(to - 1)) && block(nodes.get(to)))) {
                all.add(new Element("section").appendChildren(nodes.subList(from, to)));
                if (!end) {
                    all.add(LineBreaks.mark(!division(nodes.get(to - 1)) || !division(nodes.get(to))));
                }
                from = to;
            }
        }
        return all;
    }

    private static boolean division(Node node) {
        return node.normalName().equals("div");
    }

    private static boolean block(Node node) {
        return node instanceof Element element && element.isBlock();
    }
}
