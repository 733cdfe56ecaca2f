import { afterAll, beforeAll, expect, test } from "vitest";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../harness/server.ts";

/** Occurs in every secret that must not be logged, and nowhere else. */
const MARK = "unmistakable";
const PLUGINS = ["admin", "api_access_token", "ns_cluster", "ns_domain", "ns_domain_group", "user", "user_access_key"];

let installation: Record<string, string>;
let server: Server;
let token: string;
beforeAll(async () => {
  installation = await installationDirectory(PLUGINS);
  server = await Server.start({
    ...installation,
    ...CHOSEN_KEY,
    EDGEHELM_ADMIN_ACCESS_KEY: `${MARK}0123456789012345678901`.slice(0, 32),
    EDGEHELM_LOG: "debug",
  });
  token = await server.token(CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY_ID, `${MARK}0123456789012345678901`.slice(0, 32));
});
afterAll(() => removeInstallation(installation));

interface TestRequest {
  readonly path: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly verb?: string;
}

const json = (value: unknown) => JSON.stringify(value);
const GET_TOKEN = "/APIAccessTokenService/getAPIAccessToken";
const authorized = () => ({ "x-cloud-access-token": token });

/** Returns requests with a marked secret in every possible place, for successful calls and for every kind of error. */
function requests(): TestRequest[] {
  const login = { type: "admin", accessKeyId: `${MARK}id`, accessKey: MARK };
  const places = [
    "x-cloud-access-token",
    "x-edge-access-token",
    "edge-access-token",
    "authorization",
    "cookie",
    "x-request-id",
    "idempotency-key",
    "user-agent",
    "referer",
  ];
  const user = { username: "marked", password: `${MARK}-password`, fullname: MARK, nodeClusterId: 0 };
  return [
    { path: GET_TOKEN, body: json(login) },
    { path: GET_TOKEN, body: json({ ...login, type: MARK }) },
    { path: `${GET_TOKEN}?token=${MARK}`, body: json(login) },
    { path: `/${MARK}/${MARK}?secret=${MARK}`, body: json(login) },
    { path: `/NSDomainService/${MARK}`, body: json(login) },
    { path: "/NSDomainService/listNSDomains", verb: "DELETE" },
    { path: `/?${MARK}=1`, verb: "GET" },
    { path: `/metrics?${MARK}`, verb: "GET" },
    ...places.map((name) => ({
      path: "/NSDomainService/listNSDomains",
      // A valid request id is logged, a malformed one is not.
      headers: { [name]: name === "authorization" ? `Bearer ${MARK}` : `${MARK} ${MARK}` },
    })),
    { path: "/NSDomainService/listNSDomains", body: `{"keyword": "${MARK}"`, headers: authorized() },
    { path: "/NSDomainService/listNSDomains", body: `{"size": "${MARK}"}`, headers: authorized() },
    { path: "/NSDomainService/listNSDomains", body: `{"keyword": "${MARK}"}`, headers: authorized() },
    { path: "/NSDomainService/createNSDomain", body: json({ name: MARK, nsClusterId: 99 }), headers: authorized() },
    { path: "/UserService/createUser", body: json(user), headers: authorized() },
    { path: "/UserService/createUser", body: json(user), headers: authorized() },
    { path: "/AdminService/createAdmin", body: json({ username: MARK, password: MARK }), headers: authorized() },
    { path: "/AdminService/createAdmin", body: json({ username: "short", password: "x" }), headers: authorized() },
    { path: "/UserService/loginUser", body: json(user) },
    { path: "/AdminService/loginAdmin", body: json(user), headers: authorized() },
    {
      path: "/pb.NSDomainService/listNSDomains",
      body: `{"keyword": ["${MARK}"]}`,
      headers: { ...authorized(), "content-type": "application/json" },
    },
    {
      path: "/pb.NSDomainService/listNSDomains",
      body: MARK,
      headers: { ...authorized(), "content-type": "application/grpc-web+proto" },
    },
    {
      path: "/pb.NSDomainService/listNSDomains",
      body: MARK,
      headers: { ...authorized(), "content-type": "application/grpc" },
    },
  ];
}

test("no log line contains a secret, whatever callers send", async () => {
  const statuses: number[] = [];
  for (const { path, body, headers = {}, verb = "POST" } of requests()) {
    const init = { method: verb, headers, ...body === undefined ? {} : { body } };
    const response = await fetch(server.url + path, init);
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  const tooLarge = await fetch(server.url + GET_TOKEN, { method: "POST", body: `${MARK}`.repeat(3_000_000) });
  expect(tooLarge.status).toBe(413);
  expect(await server.stop()).toBe(0);

  const { output } = server;
  const codes = new Set([...output.matchAll(/"code":(\d+)/g)].map(([, code]) => code));
  expect([...codes].sort()).toEqual(expect.arrayContaining(["200", "400", "401", "409", "413"]));
  expect(output.split("\n").filter((line) => line.includes(MARK) || line.includes(token))).toEqual([]);
});

test("every line has the same shape", () => {
  const lines = server.output.split("\n").filter((line) => line.startsWith("{"));
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) {
    expect(Object.keys(JSON.parse(line)).slice(0, 3)).toEqual(["time", "level", "message"]);
    expect(JSON.parse(line)).toMatchObject({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: expect.stringMatching(/^(debug|info|warn|error)$/),
    });
  }
  const calls = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === "call");
  for (const call of calls) {
    expect(Object.keys(call).slice(3)).toEqual([
      ...["requestId", "role", "callerId", "keyId", "address", "operation", "code", "milliseconds"],
    ]);
  }
});
