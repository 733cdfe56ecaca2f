// Holds the streams of nodes, each over a connection of its own, and responds to their commands.
// Reads the address and a line for each node from stdin: its uniqueId and secret, separated by a blank.
import process from "node:process";
import { createInterface } from "node:readline";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

const [root, address] = process.argv.slice(2);
const folders = ["plugins/ns_node/proto", "plugins/api_access_token/proto"];
const files = [
  "plugins/ns_node/proto/service_ns_node.proto",
  "plugins/api_access_token/proto/service_api_access_token.proto",
];
const definition = loader.loadSync(files, { includeDirs: [root, ...folders.map((folder) => `${root}/${folder}`)] });
const { NSNodeService, APIAccessTokenService } = grpc.loadPackageDefinition(definition).pb;
const MAX_OPENING = 64;
const tokens = new APIAccessTokenService(address, grpc.credentials.createInsecure());
const waiting = [];
for await (const line of createInterface({ input: process.stdin })) waiting.push(line.split(" "));
const count = waiting.length;
let open = 0;

function tokenOf(accessKeyId, accessKey) {
  return new Promise((resolve, reject) => {
    const request = { type: "dns", accessKeyId, accessKey };
    tokens.GetAPIAccessToken(request, (error, response) => error ? reject(error) : resolve(response.token));
  });
}

function hold(token) {
  const client = new NSNodeService(address, grpc.credentials.createInsecure(), {
    "grpc.use_local_subchannel_pool": 1,
  });
  const metadata = new grpc.Metadata();
  metadata.set("x-cloud-access-token", token);
  const stream = client.nsNodeStream(metadata);
  return new Promise((resolve, reject) => {
    stream.on("error", (error) => {
      console.error(String(error));
      reject(error);
    });
    stream.on("data", ({ code, requestId }) => {
      if (code === "connectedAPINode") resolve();
      else if (requestId !== "0" && String(requestId) !== "0") stream.write({ requestId, isOk: true, message: "" });
    });
  });
}

async function openSome() {
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    await hold(await tokenOf(...node));
    open++;
  }
}

await Promise.all(Array.from({ length: MAX_OPENING }, openSome));
console.log(`holds ${open} of ${count} streams`);
