package switchboard.bench;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Vert.x and nothing else, which is the limit for a gateway made of it: answers each path with the bytes of the file of
 * that name, and the two database requests with a query and its rows. Arguments: port, folder of answers, and the
 * database's port, name and user.
 */
final class PlainServer extends AbstractVerticle {
    private final int port;
    private final Map<String, Buffer> answers;
    private final @Nullable Pool database;

    private PlainServer(int port, Map<String, Buffer> answers, @Nullable Pool database) {
        this.port = port;
        this.answers = answers;
        this.database = database;
    }

    static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        Map<String, Buffer> answers = new HashMap<>();
        try (Stream<Path> files = Files.list(Path.of(arguments[1]))) {
            for (Path file : files.toList()) {
                answers.put("/" + file.getFileName(), Buffer.buffer(Files.readAllBytes(file)));
            }
        }
        Vertx vertx = Vertx.vertx();
        @Nullable Pool database = arguments.length > 2 ? pool(vertx, arguments) : null;
        vertx.deployVerticle(
                () -> new PlainServer(port, answers, database),
                new DeploymentOptions().setInstances(VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE));
    }

    private static Pool pool(Vertx vertx, String[] arguments) {
        PgConnectOptions options = new PgConnectOptions()
                .setHost("127.0.0.1")
                .setPort(Integer.parseInt(arguments[2]))
                .setDatabase(arguments[3])
                .setUser(arguments[4])
                .setCachePreparedStatements(true);
        return PgBuilder.pool()
                .with(new PoolOptions().setMaxSize(8).setShared(true))
                .connectingTo(options)
                .using(vertx)
                .build();
    }

    @Override
    public void start(Promise<Void> started) {
        vertx.createHttpServer()
                .requestHandler(this::answer)
                .listen(port, "127.0.0.1")
                .<Void>mapEmpty()
                .onComplete(started);
    }

    private void answer(HttpServerRequest request) {
        request.body()
                .compose(body -> switch (request.path()) {
                    case "/W3" -> query(Tables.POINT_READ, Tuple.of(arguments(body).getLong("id")));
                    case "/W4" -> query(Tables.NEAREST, Tuple.of(arguments(body).getString("vector")));
                    default -> Future.succeededFuture(answers.get(request.path()));
                })
                .onSuccess(answer -> request.response()
                        .putHeader("Content-Type", "application/json")
                        .end(answer))
                .onFailure(failure -> request.response().setStatusCode(500).end(failure.toString()));
    }

    private static JsonObject arguments(Buffer body) {
        return body.toJsonObject().getJsonObject("params").getJsonObject("arguments");
    }

    private Future<Buffer> query(String sql, Tuple parameters) {
        return database.preparedQuery(sql).execute(parameters).map(PlainServer::encoded);
    }

    private static Buffer encoded(RowSet<Row> rows) {
        JsonArray list = new JsonArray();
        rows.forEach(row -> list.add(row.toJson()));
        JsonObject text = new JsonObject().put("type", "text").put("text", list.encode());
        return new JsonObject()
                .put("jsonrpc", "2.0")
                .put("id", 1)
                .put("result", new JsonObject().put("content", new JsonArray().add(text)))
                .toBuffer();
    }
}
