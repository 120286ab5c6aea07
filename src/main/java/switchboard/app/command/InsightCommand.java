package switchboard.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import switchboard.app.BackendTypes;
import switchboard.app.InsightAccess;
import switchboard.app.InsightRun;
import switchboard.call.Json;
import switchboard.insight.BeirExport;
import switchboard.insight.Forgetting;
import switchboard.insight.GapReport;
import switchboard.insight.ImplicitJudgments;
import switchboard.insight.SearchGaps;
import switchboard.watch.WatchForgetting;

/** {@code switchboard insight}. */
@Command(
        name = "insight",
        description =
                "Show what searches did not find, and what was read; export or forget the search log. insight.teams in the configuration"
                        + " says whose searches are logged.",
        subcommands = {
            InsightCommand.Gaps.class,
            InsightCommand.Judgments.class,
            InsightCommand.Export.class,
            InsightCommand.Forget.class
        },
        footer = "  switchboard insight gaps --team research")
public final class InsightCommand {
    /** {@code switchboard insight gaps}. */
    @Command(
            name = "gaps",
            description =
                    "Show what could not be answered, by meaning, with sources that have no part in any answer, and slow"
                            + " questions.",
            footer = "  switchboard insight gaps --team research --days 7")
    static final class Gaps extends PrintingCommand implements Callable<Integer> {
        private static final int MOST_GROUPS = 50;

        @Mixin
        private final GatewayOptions options = new GatewayOptions();

        @Option(names = "--team", paramLabel = "TEAM", description = "Only this team.")
        private @Nullable String team;

        @Option(names = "--days", paramLabel = "N", description = "Of the last N days; by default 30.")
        private int days = 30;

        @Option(
                names = "--min-relevance",
                paramLabel = "R",
                description = "A question is answered by a hit of at least this relevance, 0 to 1; by default 0.5.")
        private double leastRelevance = 0.5;

        @Option(names = "--json", description = "Print JSON.")
        private boolean json;

        @Override
        public Integer call() throws IOException {
            Logging.forPeople();
            if (days < 1) {
                throw wrongUsage("--days: " + days + " is less than 1.");
            }
            if (!(leastRelevance >= 0 && leastRelevance <= 1)) {
                throw wrongUsage("--min-relevance: " + leastRelevance + " is not from 0 to 1.");
            }
            GapReport report = new InsightRun(options.load(BackendTypes.shipped()), options.installation())
                    .gaps(
                            team,
                            new SearchGaps(Clock.systemUTC().instant().minus(Duration.ofDays(days)), leastRelevance),
                            MOST_GROUPS);
            out().println(json ? Json.text(Json.tree(report)) : String.join(System.lineSeparator(), lines(report)));
            out().flush();
            return 0;
        }

        private List<String> lines(GapReport report) {
            List<String> lines = new ArrayList<>();
            lines.add(
                    report.searches() == 0
                            ? "No search was logged in the last " + days
                                    + " days. insight.teams in the configuration turns the log on."
                            : "%d of %d searches gave nothing relevant, and led to nothing that was read."
                                    .formatted(report.unanswered(), report.searches()));
            if (report.without_text() > 0) {
                lines.add(report.without_text()
                        + " of these are in no group, because the text of their queries is not kept.");
            }
            for (GapReport.QuestionGroup group : report.groups()) {
                lines.add("");
                lines.add("%d x %s%s"
                        .formatted(
                                group.count(),
                                String.join(", ", group.words()),
                                group.best_relevance() == null
                                        ? ""
                                        : " (best relevance %.2f)".formatted(group.best_relevance())));
                group.questions().forEach(question -> lines.add("    " + question.replaceAll("\\s+", " ")));
            }
            for (GapReport.SilentSource source : report.silent_sources()) {
                lines.add("%s has no part in any answer: asked %d times, failed %d times."
                        .formatted(source.source(), source.asked(), source.failed()));
            }
            return lines;
        }
    }

    /** {@code switchboard insight judgments}. */
    @Command(
            name = "judgments",
            description =
                    "Print which documents answer which queries, by what was read, as JSON lines with counts and a"
                            + " confidence; or write them as a judged set that eval reads.",
            footer = {
                "  switchboard insight judgments --team research",
                "  switchboard insight judgments --team research --beir judged"
            })
    static final class Judgments extends PrintingCommand implements Callable<Integer> {
        @Mixin
        private final GatewayOptions options = new GatewayOptions();

        @Option(
                names = "--team",
                paramLabel = "TEAM",
                required = true,
                description = "Of this team; without teams, \"\".")
        private String team = "";

        @Option(
                names = "--beir",
                paramLabel = "DIR",
                description = "Write corpus.jsonl, queries.jsonl and qrels.tsv into this folder, with grades 1 and 2.")
        private @Nullable Path beir;

        @Override
        public Integer call() throws IOException {
            Logging.forPeople();
            ImplicitJudgments judgments = new ImplicitJudgments();
            try (InsightAccess insight = options.insight()) {
                insight.log().read(team, judgments::add);
            }
            ImplicitJudgments.ReadJudgments read = judgments.judgments();
            PrintWriter out = out();
            if (beir == null) {
                read.judged().forEach(hit -> out.println(Json.text(hit.json())));
            } else {
                out.println(
                        read.write(beir) + " judgments of " + read.grades().size() + " queries are in " + beir + ".");
            }
            out.flush();
            return 0;
        }
    }

    /** {@code switchboard insight export}. */
    @Command(
            name = "export",
            description = "Print the log as JSON lines, or write it as a judged set that eval reads.",
            footer = {
                "  switchboard insight export --team research",
                "  switchboard insight export --team research --beir judged"
            })
    static final class Export extends PrintingCommand implements Callable<Integer> {
        @Mixin
        private final GatewayOptions options = new GatewayOptions();

        @Option(names = "--team", paramLabel = "TEAM", description = "Only this team.")
        private @Nullable String team;

        @Option(
                names = "--beir",
                paramLabel = "DIR",
                description =
                        "Write corpus.jsonl, queries.jsonl and qrels.tsv into this folder: a document that was read"
                                + " after a search has the grade 1 for its query.")
        private @Nullable Path beir;

        @Override
        public Integer call() throws IOException {
            Logging.forPeople();
            PrintWriter out = out();
            BeirExport export = new BeirExport();
            try (InsightAccess insight = options.insight()) {
                insight.log().read(team, beir == null ? line -> out.println(Json.text(line)) : export::add);
            }
            if (beir == null) {
                out.flush();
                return 0;
            }
            BeirExport.ExportedCounts counts = export.write(beir);
            out.println(counts.judgments() + " judgments of " + counts.queries() + " queries are in " + beir + ".");
            if (counts.withoutText() > 0) {
                err().println(
                                counts.withoutText()
                                        + " searches are left out, because the text of their queries is not kept (insight.teams: queries).");
            }
            return 0;
        }
    }

    /** {@code switchboard insight forget}. */
    @Command(
            name = "forget",
            description =
                    "Remove from the log, and of standing questions, what meets all that is given. A gateway may run meanwhile.",
            footer = {
                "  switchboard insight forget --team research --key agent-1",
                "  switchboard insight forget --document switchboard://vectordb/default/a.md",
                "  switchboard insight forget --before 2026-01-31"
            })
    static final class Forget extends PrintingCommand implements Callable<Integer> {
        @Mixin
        private final GatewayOptions options = new GatewayOptions();

        @Option(names = "--team", paramLabel = "TEAM", description = "Of this team.")
        private @Nullable String team;

        @Option(
                names = "--key",
                paramLabel = "ID",
                description = "Of the key with this id, or of this subject of tokens.")
        private @Nullable String key;

        @Option(
                names = "--document",
                paramLabel = "ADDRESS",
                description =
                        "This document, among hits, as one that was read, and as news; the searches and questions stay.")
        private @Nullable String document;

        @Option(
                names = "--before",
                paramLabel = "TIME",
                description = "What is older: a day such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z.")
        private @Nullable String before;

        @Override
        public Integer call() throws IOException {
            Logging.forPeople();
            Forgetting forgetting = new Forgetting(team, key, document, before == null ? null : time(before));
            if (forgetting.everything()) {
                throw wrongUsage("Say what to forget: --team, --key, --document or --before.");
            }
            long lines;
            OptionalLong questions;
            try (InsightAccess insight = options.insight()) {
                lines = insight.log().forget(forgetting, Clock.systemUTC().instant());
                questions = insight.forget(new WatchForgetting(
                        team,
                        key,
                        document,
                        forgetting.before() == null ? null : forgetting.before().toEpochMilli()));
            }
            out().println(
                            lines == 0
                                    ? "The search log has nothing of it."
                                    : lines + " lines are gone or have changed.");
            out().println(
                            questions.isEmpty()
                                    ? "The running gateway forgets standing questions within some seconds."
                                    : questions.getAsLong() + " standing questions are gone or have changed.");
            return 0;
        }

        private Instant time(String text) {
            try {
                return text.contains("T")
                        ? Instant.parse(text)
                        : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
            } catch (DateTimeException _) {
                throw wrongUsage("--before: \"" + text + "\" is neither a day such as 2026-01-31 nor a time such as"
                        + " 2026-01-31T12:00:00Z.");
            }
        }
    }
}
