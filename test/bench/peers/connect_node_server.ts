import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { HelloWorldService } from "../../../plugins/hello_world/proto/service_hello_world_pb.ts";

// HelloWorldService on connect-node: the echo alone, without any of the kernel.
const server = createServer(connectNodeAdapter({
  routes: (router) =>
    router.service(HelloWorldService, { sayHello: ({ id, name }) => ({ result: `hello, ${name} (${id})` }) }),
}));
server.listen(0, "127.0.0.1", () => {
  console.log(`connect-node: listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once("SIGTERM", () => process.exit(0));
