package switchboard.federation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import switchboard.call.TermStatistics;
import switchboard.catalog.PublishedTool;

/**
 * Ranks tools for a task by keyword. Name and title, the beginning of the description, the whole description and the
 * arguments are scored separately and added with weights.
 */
final class ToolRanking {
    private static final double NAME = 0.4;
    private static final double PURPOSE = 0.25;
    private static final double DESCRIPTION = 0.25;
    private static final double ARGUMENTS = 0.1;

    private final KeywordScore keywords;

    ToolRanking(KeywordScore keywords) {
        this.keywords = keywords;
    }

    /** {@code tools}, the best first; ties by name. */
    List<PublishedTool> of(String task, List<PublishedTool> tools) {
        double[] scores = new double[tools.size()];
        add(scores, NAME, task, tools, ToolRanking::name);
        add(scores, PURPOSE, task, tools, ToolRanking::purpose);
        add(scores, DESCRIPTION, task, tools, tool -> tool.descriptor().description());
        add(scores, ARGUMENTS, task, tools, ToolRanking::arguments);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < tools.size(); i++) {
            order.add(i);
        }
        order.sort(Comparator.<Integer>comparingDouble(i -> -scores[i])
                .thenComparing(i -> tools.get(i).name()));
        return order.stream().map(tools::get).toList();
    }

    private void add(
            double[] scores,
            double weight,
            String task,
            List<PublishedTool> tools,
            Function<PublishedTool, String> field) {
        double[] own = keywords.of(task, tools.stream().map(field).toList(), TermStatistics.NONE);
        for (int i = 0; i < scores.length; i++) {
            scores[i] += weight * own[i];
        }
    }

    private static String name(PublishedTool tool) {
        return (tool.name() + " " + tool.backend()).replace('_', ' ').replace('-', ' ') + " "
                + tool.descriptor().title();
    }

    private static String purpose(PublishedTool tool) {
        String description = tool.descriptor().description();
        int end = description.indexOf(". ");
        return end < 0 ? description : description.substring(0, end);
    }

    private static String arguments(PublishedTool tool) {
        StringBuilder text = new StringBuilder();
        if (tool.descriptor().inputSchema().path("properties") instanceof ObjectNode properties) {
            for (Map.Entry<String, JsonNode> argument : properties.properties()) {
                text.append(argument.getKey())
                        .append(' ')
                        .append(argument.getValue().path("description").asText())
                        .append('\n');
            }
        }
        return text.toString();
    }
}
