-- What gateways share. A migration only adds to what the version before uses, since both run during an upgrade.

-- The oldest migration that a gateway must know to use this schema. One that knows less does not become ready.
CREATE TABLE requirement (
  least integer NOT NULL
);
INSERT INTO requirement VALUES (1);

-- The gateways that run. A row is refreshed every two seconds.
CREATE TABLE node (
  id text PRIMARY KEY,
  name text NOT NULL,
  version text NOT NULL,
  started timestamptz NOT NULL DEFAULT now(),
  seen timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

-- Sessions of MCP versions that have them. No index has last_used, so that touches stay within their page.
CREATE TABLE session (
  key text PRIMARY KEY,              -- SHA-256 of the id
  team text NOT NULL,
  identity text NOT NULL,
  proof text,                        -- SHA-256 of the key that made it
  view text NOT NULL,
  state text NOT NULL,               -- JSON; not jsonb, which refuses U+0000
  revision bigint NOT NULL DEFAULT 1,
  created timestamptz NOT NULL DEFAULT now(),
  last_used timestamptz NOT NULL DEFAULT now(),
  calls_until timestamptz NOT NULL DEFAULT '-infinity',
  streams_until timestamptz NOT NULL DEFAULT '-infinity',
  stream_node text,                  -- where its stream is open
  node text,                         -- where its only connection is (HTTP+SSE)
  rights text                        -- what the token allows that opened that connection, as a digest
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
CREATE INDEX session_team ON session (team);

-- Messages from one node to another, which deletes what it reads.
CREATE TABLE message (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  target text NOT NULL,
  kind text NOT NULL,
  session text NOT NULL,
  body text NOT NULL,
  created timestamptz NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
CREATE INDEX message_target ON message (target, id);
