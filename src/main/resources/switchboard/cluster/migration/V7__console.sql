-- Who is signed in to the console, on any gateway. What people may do is not here: it is looked up each time.
CREATE TABLE console_session (
  key text PRIMARY KEY,              -- SHA-256 of the token
  team text NOT NULL,
  identity text NOT NULL,
  proof text,                        -- SHA-256 of the API key; null for who has signed in at an issuer
  token_grant text,                  -- what the issuer has said, without a token (JSON); null for who has signed in with a key
  ends timestamptz NOT NULL,         -- at the latest
  idle bigint NOT NULL,              -- how long it lasts without use, in milliseconds
  used timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 200);
CREATE INDEX console_session_owner ON console_session (team, identity);
