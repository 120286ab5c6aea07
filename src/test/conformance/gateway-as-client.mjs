// What the conformance suite starts as a client: hands the address of its server to the test, which waits at the address
// given first, and ends as the test says.
const [test, server] = process.argv.slice(2);
const answer = await fetch(test, {
  method: "POST",
  body: JSON.stringify({
    server,
    scenario: process.env.MCP_CONFORMANCE_SCENARIO,
    context: JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}"),
  }),
});
console.log(await answer.text());
process.exit(answer.ok ? 0 : 1);
