import process from "node:process";
import { Hono } from "hono";
import Database from "libsql";

// The same responses from bare Hono handlers on Deno.serve, without any of the kernel.
const [databasePath = ""] = process.argv.slice(2);
const app = new Hono();

app.post("/HelloWorldService/sayHello", async (c) => {
  const { id, name } = await c.req.json();
  return c.json({ code: 200, data: { result: `hello, ${name} (${id})` }, message: "ok" });
});

const database = new Database(databasePath);
database.exec("pragma query_only = 1");
const find = database.prepare("select * from nsDomains where id = ?");
app.post("/NSDomainService/findNSDomain", async (c) => {
  const { nsDomainId } = await c.req.json();
  return c.json({ code: 200, data: { nsDomain: find.get([BigInt(nsDomainId)]) }, message: "ok" });
});

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(`hono: listening on http://127.0.0.1:${port}`),
}, app.fetch);
process.once("SIGTERM", () => process.exit(0));
