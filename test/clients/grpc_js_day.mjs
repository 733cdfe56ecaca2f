// Typical calls of a DNS operator on @grpc/grpc-js, with the project's .proto files. It prints one line of JSON for each
// check.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

const [address, accessKeyId, accessKey, caFile, root] = process.argv.slice(2);
const files = ["api_access_token", "ns_cluster", "ns_domain", "user", "user_access_key"].map((name) =>
  `plugins/${name}/proto/service_${name}.proto`
);
const { pb } = grpc.loadPackageDefinition(
  loader.loadSync(files, { includeDirs: [root], longs: String, keepCase: true, defaults: true }),
);
const credentials = caFile === ""
  ? grpc.credentials.createInsecure()
  : grpc.credentials.createSsl(readFileSync(caFile));
const clients = new Map();
let token;

function call(service, method, request, accessToken = token) {
  if (!clients.has(service)) clients.set(service, new pb[service](address, credentials));
  const metadata = new grpc.Metadata();
  if (accessToken !== undefined) metadata.set("x-cloud-access-token", accessToken);
  return new Promise((resolve, reject) => {
    clients.get(service)[method](request, metadata, (error, response) => error ? reject(error) : resolve(response));
  });
}

async function expectError(code, promise) {
  const error = await promise.then(() => assert.fail("the call did not fail"), (thrown) => thrown);
  assert.equal(error.code, code, error.message);
}

const login = (type, id, secret) =>
  call("APIAccessTokenService", "GetAPIAccessToken", { type, accessKeyId: id, accessKey: secret }, undefined);
let nsClusterId;
let nsDomainId;

const checks = {
  async "an access token"() {
    token = (await login("admin", accessKeyId, accessKey)).token;
    assert.ok(token);
  },
  async "a cluster and a domain"() {
    ({ nsClusterId } = await call("NSClusterService", "createNSCluster", { name: "eu", hosts: ["ns1.edge.test"] }));
    ({ nsDomainId } = await call("NSDomainService", "createNSDomain", { nsClusterId, name: "js.example.com" }));
    const { nsDomains } = await call("NSDomainService", "listNSDomains", { keyword: "js.example", size: 10 });
    assert.deepEqual(nsDomains.map(({ id, name }) => [id, name]), [[nsDomainId, "js.example.com"]]);
    const { count } = await call("NSDomainService", "countAllNSDomains", { keyword: "js.example" });
    assert.equal(count, "1");
  },
  async "a wrong role"() {
    const { userId } = await call("UserService", "createUser", { username: "js", password: "walks in the rain" });
    const key = await call("UserAccessKeyService", "createUserAccessKey", { userId });
    const user = (await login("user", key.uniqueId, key.secret)).token;
    await expectError(
      grpc.status.PERMISSION_DENIED,
      call("NSClusterService", "createNSCluster", { name: "mine" }, user),
    );
    const { nsDomain } = await call("NSDomainService", "findNSDomain", { nsDomainId }, user);
    assert.equal(nsDomain, null);
  },
  async "a wrong and a missing token"() {
    await expectError(grpc.status.UNAUTHENTICATED, call("NSDomainService", "listNSDomains", {}, "wrong"));
    await expectError(grpc.status.UNAUTHENTICATED, call("NSDomainService", "listNSDomains", {}, ""));
  },
  async "an unknown id"() {
    await expectError(grpc.status.NOT_FOUND, call("NSDomainService", "deleteNSDomain", { nsDomainId: 999_999 }));
    assert.equal((await call("NSDomainService", "findNSDomain", { nsDomainId: 999_999 })).nsDomain, null);
  },
  async "an invalid field"() {
    await expectError(
      grpc.status.INVALID_ARGUMENT,
      call("NSDomainService", "createNSDomain", { nsClusterId, name: "a b" }),
    );
    await expectError(grpc.status.INVALID_ARGUMENT, call("NSDomainService", "listNSDomains", { size: -1 }));
  },
};

for (const [name, check] of Object.entries(checks)) {
  const error = await check().then(() => "", ({ stack }) => stack);
  console.log(JSON.stringify({ name, error }));
}
process.exit(0);
