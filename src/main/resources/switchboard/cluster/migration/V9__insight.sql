-- What searches of all gateways gave, and what was read after them, of the teams that have it logged.
CREATE TABLE insight_line (
  id uuid PRIMARY KEY,               -- made by the gateway, so that a line that is sent again is there once
  number bigint GENERATED ALWAYS AS IDENTITY,
  team text NOT NULL,
  asker text NOT NULL,               -- the id of the key, or the subject of a token
  kind text NOT NULL,                -- search, fetched
  since timestamptz NOT NULL,        -- when the search was answered that it tells of, by this database's clock
  time timestamptz NOT NULL,         -- what the line itself says, by the gateway's clock
  line text NOT NULL,                -- JSON; may have a null character, which jsonb refuses
  bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(line)) STORED
);
CREATE UNIQUE INDEX insight_line_order ON insight_line (team, number) INCLUDE (bytes);
CREATE INDEX insight_line_age ON insight_line (team, since);
CREATE INDEX insight_line_asker ON insight_line (asker, team, since);

-- Writers lock the one row FOR SHARE, and who notes that something is to be forgotten changes it: so a line is written before the
-- note, and goes with the rest, or its writer knows the note.
CREATE TABLE insight_state (
  forgotten bigint NOT NULL,         -- grows with each note
  hash_key bytea                     -- of the hashes of queries; made by the first gateway that needs it
);
INSERT INTO insight_state VALUES (0, NULL);

-- What was forgotten of late, with hashed names, for gateways that have not yet written what they know of it.
CREATE TABLE insight_forgotten (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  what text NOT NULL
);

-- When what is old was last removed.
CREATE TABLE insight_sweep (
  swept timestamptz NOT NULL
);
INSERT INTO insight_sweep VALUES ('-infinity');

-- What was proposed, tried and decided about weights of searches. Each gateway has the same as files, which follow.
CREATE TABLE tuning (
  team text NOT NULL,
  name text NOT NULL,                -- decisions.json, trials.json, or that of a proposal
  content text NOT NULL,
  revision bigint NOT NULL,          -- of the change that wrote it
  PRIMARY KEY (team, name)
);
CREATE INDEX tuning_revision ON tuning (revision);

-- The lock of the one row puts changes in order.
CREATE TABLE tuning_state (
  revision bigint NOT NULL
);
INSERT INTO tuning_state VALUES (0);
