package switchboard.backend.agentroot.source;

import io.vertx.core.Future;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.backend.agentroot.source.FolderWalk.FoundFile;
import switchboard.backend.agentroot.text.MetadataExtractor;
import switchboard.backend.agentroot.text.Utf8;
import switchboard.call.CallContext;
import switchboard.call.ToolException;
import switchboard.call.Verb;

/** The records in files below the operator's roots: the path of a record is that of its file, followed by the record's name. */
public final class RecordProvider implements DocumentProvider {
    private static final Set<String> OPTIONS = Stream.concat(FileTree.OPTIONS.stream(), RecordFormat.OPTIONS.stream())
            .collect(Collectors.toUnmodifiableSet());

    private final FileTree tree;
    private final RecordFormat format;

    private RecordProvider(FileTree tree, RecordFormat format) {
        this.tree = tree;
        this.format = format;
    }

    /** Rows of delimited values: {@code csv}. */
    public static RecordProvider csv(FileTree tree) {
        return new RecordProvider(tree, new CsvRecords());
    }

    /** Elements of JSON arrays, and lines of JSON: {@code json}. */
    public static RecordProvider json(FileTree tree) {
        return new RecordProvider(tree, new JsonRecords());
    }

    @Override
    public String type() {
        return format.type();
    }

    @Override
    public String defaultPattern() {
        return "**/*";
    }

    @Override
    public Set<String> options() {
        return OPTIONS;
    }

    @Override
    public Verb verb() {
        return Verb.FILES;
    }

    @Override
    public Future<CollectionOrigin> check(CollectionOrigin origin, CallContext context) {
        return tree.check(origin, context);
    }

    @Override
    public Future<Void> find(CollectionOrigin origin, CallContext context) {
        return tree.find(origin, context);
    }

    @Override
    public Future<List<Skipped>> unmounted(CollectionOrigin origin, Collection<String> gone, CallContext context) {
        return tree.unmounted(origin, gone, context);
    }

    @Override
    public Future<Scan> scan(CollectionOrigin origin, CallContext context) {
        return tree.list(origin, format::takes, context)
                .compose(found -> tree.run(context, () -> {
                    RecordRows rows = new RecordRows(tree.limits());
                    found.skipped().forEach(one -> rows.skip(one.path(), one.reason(), one.permission()));
                    if (!found.complete()) {
                        rows.incomplete();
                    }
                    boolean room = true;
                    for (FoundFile file : found.files()) {
                        if (context.cancelled()) {
                            rows.incomplete();
                            break;
                        }
                        room = room && read(file, origin, rows);
                        if (!room) {
                            rows.incomplete();
                            // Records of earlier updates may be stored below it.
                            skip(file, "is not read to its end", origin, rows);
                        }
                    }
                    return rows.scan();
                }));
    }

    /** Takes the records of one file; false if there is no room for more. */
    private boolean read(FoundFile found, CollectionOrigin origin, RecordRows rows) throws IOException {
        boolean[] room = {true};
        try {
            FileTree.ReadFile file = tree.read(found.file(), tree.permissions(origin));
            String text = Utf8.decoded(file.bytes());
            String stem = MetadataExtractor.stem(found.path());
            format.read(text.startsWith("\uFEFF") ? text.substring(1) : text, origin, row -> {
                String title = row.title() == null ? stem + " " + row.name() : row.title();
                room[0] = rows.add(
                        found.path() + "/" + row.name(),
                        new RecordRows.DataRecord(
                                row.name(),
                                title,
                                row.text(),
                                row.facts(),
                                file.permission().and(row.permission())),
                        file.modified());
                return room[0];
            });
        } catch (ToolException e) {
            skip(found, String.valueOf(e.failed().message()), origin, rows);
        }
        return room[0];
    }

    /** The records may say more than the file. */
    private void skip(FoundFile found, String reason, CollectionOrigin origin, RecordRows rows) {
        rows.skip(
                found.path(),
                reason,
                tree.permissions(origin).ofUnread(found.file()).inPart());
    }
}
