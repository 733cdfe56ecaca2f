// A DNS node on @grpc/grpc-js. It connects, prints each message as a line of JSON and echoes the data of commands. It
// exits when its stream ends.
import process from "node:process";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

const [address, uniqueId, secret, root] = process.argv.slice(2);
const files = ["api_access_token", "ns_node"].map((name) => `plugins/${name}/proto/service_${name}.proto`);
const { pb } = grpc.loadPackageDefinition(
  loader.loadSync(files, { includeDirs: [root], longs: String, keepCase: true, defaults: true }),
);
const credentials = grpc.credentials.createInsecure();
// Without keepalive, the node would wait for a suspended instance.
const options = { "grpc.keepalive_time_ms": 10_000, "grpc.keepalive_timeout_ms": 2000 };

function print(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

new pb.APIAccessTokenService(address, credentials).GetAPIAccessToken(
  { type: "dns", accessKeyId: uniqueId, accessKey: secret },
  (error, response) => error ? end(error) : connect(response.token),
);

function connect(token) {
  const metadata = new grpc.Metadata();
  metadata.set("x-cloud-access-token", token);
  const stream = new pb.NSNodeService(address, credentials, options).nsNodeStream(metadata);
  stream.on("data", ({ code, requestId, dataJSON }) => {
    print({ code });
    if (requestId !== "0" && code !== "ignore") stream.write({ requestId, isOk: true, message: "done", dataJSON });
  });
  stream.on("error", end);
  stream.on("end", () => end({ code: 0, details: "" }));
}

function end({ code, details }) {
  print({ code: "end", status: code, details });
  process.exit(0);
}
