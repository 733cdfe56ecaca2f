import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import Database from "libsql";

// What Edgehelm is measured against: bare Hono handlers behind the same listener, without any of the kernel.
const [databasePath] = process.argv.slice(2);
const app = new Hono();

app.post("/HelloWorldService/sayHello", async (c) => {
  const { id, name } = await c.req.json();
  return c.json({ code: 200, data: { result: `hello, ${name} (${id})` }, message: "ok" });
});

if (databasePath !== undefined) {
  const database = new Database(databasePath);
  database.exec("pragma query_only = 1");
  const find = database.prepare("select * from nsDomains where id = ?");
  app.post("/NSDomainService/findNSDomain", async (c) => {
    const { nsDomainId } = await c.req.json();
    const nsDomain = find.get([BigInt(nsDomainId)]);
    return c.json({ code: 200, data: { nsDomain }, message: "ok" });
  });
}

const server = createServer(getRequestListener(app.fetch));
server.listen(0, "127.0.0.1", () => {
  console.log(`bare: listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once("SIGTERM", () => process.exit(0));
