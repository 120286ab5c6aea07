-- What operators have decided. It holds on every gateway, whatever its files say.

-- The one row grows with each decision, so that gateways see that there is something to read. Its lock puts decisions in order.
CREATE TABLE decided (
  revision bigint NOT NULL
);
INSERT INTO decided VALUES (0);

-- Backends that are switched off.
CREATE TABLE switched_off (
  backend text PRIMARY KEY,
  reason text NOT NULL,
  since timestamptz NOT NULL DEFAULT now()
);

-- Keys that are refused for good. A row stays, because some file may still have the key.
CREATE TABLE revoked_key (
  sha256 text PRIMARY KEY,
  id text NOT NULL,
  team text NOT NULL,
  since timestamptz NOT NULL DEFAULT now()
);

-- The approved definitions of the tools of other servers, by an operator or by their first use on any gateway.
CREATE TABLE approved_tool (
  backend text NOT NULL,
  tool text NOT NULL,
  hash text NOT NULL,
  by_operator boolean NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (backend, tool)
);
