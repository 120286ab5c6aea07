package switchboard.testing.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import switchboard.call.Json;
import switchboard.replica.ReplicaNode;
import switchboard.testing.IndexContents;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Programs;
import switchboard.testing.ReplicaProcesses;
import switchboard.testing.ToolResult;

/** Whether all gateways have the same documents, those that are expected, in their answers, in their files and in the database. */
final class ReplicaAgreement {
    private final ReplicaProcesses replicas;
    private final String view;
    private final ExpectedDocuments expected;
    private final Path folder;

    ReplicaAgreement(ReplicaProcesses replicas, String view, ExpectedDocuments expected, Path folder) {
        this.replicas = replicas;
        this.view = view;
        this.expected = expected;
        this.folder = folder;
    }

    /** A document as a gateway has it. */
    private record Found(String id, String text) {}

    /** Fails unless those of the gateways are so; returns how many documents there are. What was in doubt is known from here on. */
    int check(String when) {
        Map<String, Found> first = documents(0, when);
        for (int index = 1; index < replicas.count(); index++) {
            equal(when + ": documents of gateway " + index, first, documents(index, when));
        }
        for (String source : expected.sources()) {
            Found found = first.get(source);
            String text = found == null ? ExpectedDocuments.GONE : found.text();
            if (!expected.of(source).texts().contains(text)) {
                throw new AssertionError(when + ": " + source + " is \"" + text + "\" instead of "
                        + expected.of(source).texts());
            }
            expected.found(source, text, found == null ? null : found.id());
        }
        equal(when + ": known sources", new TreeSet<>(first.keySet()), known());
        Map<String, List<String>> files = files(0);
        for (int index = 1; index < replicas.count(); index++) {
            equal(when + ": files of gateway " + index, files, files(index));
        }
        return first.size();
    }

    /** Fails unless the files are like those of a gateway that has just read the database. */
    void withDatabase(PostgresCluster database) {
        equal("files of a new gateway", files(0), rebuilt(database));
    }

    private Map<String, List<String>> files(int index) {
        return IndexContents.of(replicas.data(index).resolve("shared"));
    }

    private TreeSet<String> known() {
        TreeSet<String> known = new TreeSet<>(expected.sources());
        known.removeIf(source -> expected.of(source).texts().contains(ExpectedDocuments.GONE));
        return known;
    }

    /** All documents of a gateway, by their sources. */
    private Map<String, Found> documents(int index, String when) {
        Map<String, Found> all = new TreeMap<>();
        try (McpTestClient client = replicas.client(index, view)) {
            ToolResult listed = client.call("list_documents", Json.object().put("limit", 1000));
            for (JsonNode document : listed.structured().path("documents")) {
                String id = document.path("doc_id").asText();
                String source = document.path("source").asText();
                String text = client.call("get_document", Json.object().put("doc_id", id))
                        .structured()
                        .path("content")
                        .asText();
                if (all.put(source, new Found(id, text)) != null) {
                    throw new AssertionError(when + ": gateway " + index + " has twice: " + document);
                }
            }
        }
        return all;
    }

    /** What the files of a gateway that has just read the database have. */
    private Map<String, List<String>> rebuilt(PostgresCluster database) {
        try {
            Path own = Files.createTempDirectory(folder, "rebuilt");
            try (ReplicaNode node = new ReplicaNode(database, ReplicaRounds.SCHEMA, own).joined()) {
                node.complete();
            }
            Map<String, List<String>> contents = IndexContents.of(own);
            Programs.delete(own);
            return contents;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void equal(String what, Object wanted, Object there) {
        if (!wanted.equals(there)) {
            throw new AssertionError(what + " differ: " + difference(wanted, there));
        }
    }

    private static String difference(Object wanted, Object there) {
        TreeSet<String> missing = lines(wanted);
        missing.removeAll(lines(there));
        TreeSet<String> more = lines(there);
        more.removeAll(lines(wanted));
        return missing.size() + " missing " + DocumentClients.shortly(missing.toString()) + ", " + more.size()
                + " more than there should be " + DocumentClients.shortly(more.toString());
    }

    private static TreeSet<String> lines(Object what) {
        List<String> lines = new ArrayList<>();
        switch (what) {
            case Map<?, ?> map ->
                map.forEach((key, value) -> {
                    if (value instanceof List<?> list) {
                        list.forEach(one -> lines.add(key + " " + one));
                    } else {
                        lines.add(key + " " + value);
                    }
                });
            case Iterable<?> all -> all.forEach(one -> lines.add(one.toString()));
            default -> lines.add(what.toString());
        }
        return new TreeSet<>(lines);
    }
}
