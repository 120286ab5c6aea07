package switchboard.eval;

import org.apache.commons.codec.digest.DigestUtils;
import switchboard.call.Json;

/**
 * Names and lines of the files of a judged set, in the format of BEIR (Thakur et al. 2021) as {@link JudgedSet} reads it. No line
 * has a line feed at its end.
 */
public final class BeirFiles {
    /** Documents, a line of JSON each. */
    public static final String CORPUS = "corpus.jsonl";

    /** Queries, a line of JSON each. */
    public static final String QUERIES = "queries.jsonl";

    /** Judgments, a line each, with tabs between query, document and grade, after {@link #HEADER}. */
    public static final String QRELS = "qrels.tsv";

    /** The first line of {@link #QRELS}. */
    public static final String HEADER = "query-id\tcorpus-id\tscore";

    private static final int ID_CHARS = 16;

    private BeirFiles() {}

    /** The id of a query: the same for the same query, so that files of two moments fit together. */
    public static String id(String query) {
        return DigestUtils.sha256Hex(query).substring(0, ID_CHARS);
    }

    /** The line of a query. */
    public static String query(String query) {
        return Json.text(Json.object().put("_id", id(query)).put("text", query));
    }

    /** The line of a document. */
    public static String document(String id, String title, String text) {
        return Json.text(Json.object().put("_id", id).put("title", title).put("text", text));
    }

    /**
     * The line of a judgment.
     *
     * @param document the id of the document, without tabs and line feeds
     * @param grade 0 for a document that does not answer, higher for better ones
     */
    public static String judgment(String query, String document, int grade) {
        return id(query) + "\t" + document + "\t" + grade;
    }
}
