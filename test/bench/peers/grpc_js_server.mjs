// HelloWorldService on @grpc/grpc-js: the echo alone, without any of the kernel.
import process from "node:process";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

const [root] = process.argv.slice(2);
const path = "plugins/hello_world/proto/service_hello_world.proto";
const { HelloWorldService } = grpc.loadPackageDefinition(loader.loadSync(path, { includeDirs: [root] })).pb;
const server = new grpc.Server();
server.addService(HelloWorldService.service, {
  SayHello: ({ request: { id, name } }, answer) => answer(null, { result: `hello, ${name} (${id})` }),
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(`grpc-js: listening on http://127.0.0.1:${port}`);
});
process.once("SIGTERM", () => process.exit(0));
