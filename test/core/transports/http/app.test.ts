import { gunzipSync } from "node:zlib";
import { testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { admin, authorized, edgehelm, get, plugin, send } from "./rig.ts";

describe("paths", () => {
  test.each(["/ProbeService/look", "/ProbeService/Look", "/ProbeService/lookEnabled"])("%s is found", async (path) => {
    expect(await edgehelm.post(path, {}, admin)).toMatchObject({ code: 200, message: "ok" });
  });

  test.each([
    ["/ProbService/look", 'there is no service "ProbService"; did you mean /ProbeService/look?'],
    ["/ProbeService/lok", 'ProbeService has no method "lok"; did you mean /ProbeService/look?'],
    ["/zzzzzzzzzz/y", 'there is no service "zzzzzzzzzz"; calls are POST /<ServiceName>/<methodName>'],
  ])("%s is not found, and the response suggests a path", async (path, message) => {
    expect(await edgehelm.post(path, {}, admin)).toMatchObject({ status: 404, code: 404, message });
  });

  test.each(["GET", "PUT", "DELETE"])("%s is refused", async (method) => {
    const response = await send("/ProbeService/look", undefined, {}, method);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    const message = `${method} is not allowed on /ProbeService/look: send a POST`;
    expect(await response.json()).toMatchObject({ code: 405, message });
  });

  test("the root describes the server, for GET and POST", async () => {
    for (const method of ["GET", "POST"]) {
      const { code, message, data } = await (await send("/", undefined, {}, method)).json();
      expect([code, message, data.name, data.explorer]).toEqual([200, "ok", "Edgehelm", "/explorer"]);
    }
  });

  test("the explorer shows every operation and loads only its own files", async () => {
    const response = await get("/explorer");
    const page = await response.text();
    for (const { path } of edgehelm.kernel.operations.all) expect(page).toContain(`data-path="${path}"`);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    for (const [, file] of page.matchAll(/(?:src|href)="([^"]+)"/g)) expect((await get(file!)).status).toBe(200);
  });

  test("probes and keys are served", async () => {
    expect((await get("/livez")).status).toBe(200);
    expect((await get("/readyz")).status).toBe(200);
    const { keys } = await (await get("/.well-known/jwks.json")).json();
    expect(keys).toMatchObject([{ kty: "OKP", crv: "Ed25519" }]);
  });
});

describe("the envelope", () => {
  test("has its keys in order, contains default values, and 64-bit numbers as strings", async () => {
    const response = await send("/ProbeService/look", '{"number":"9007199254740993"}', await authorized());
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await response.text()).toBe('{"code":200,"data":{"text":"","number":"9007199254740993"},"message":"ok"}');
  });

  test("of an error has a reason and a request id, and HTTP status 200", async () => {
    const response = await send("/ProbeService/look", "{}", { "x-request-id": "mine-1" });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      code: 401,
      data: {},
      message: "an access token is required in the header X-Cloud-Access-Token",
      reason: "kernel.token_missing",
      requestId: "mine-1",
    });
  });

  test("has its code as HTTP status if errorStatus is mirror", async () => {
    await using mirror = await testKernel({ plugins: [plugin], http: { errorStatus: "mirror" } });
    expect((await mirror.post("/ProbeService/look", {})).status).toBe(401);
    expect((await mirror.post("/ProbeService/tell", {}, admin)).status).toBe(501);
  });

  test.each(["x-cloud-response-pretty", "x-edge-response-pretty", "edge-response-pretty"])(
    "is indented for %s",
    async (header) => {
      const text = await (await send("/ProbeService/look", "", await authorized({ [header]: "on" }))).text();
      expect(text).toBe(
        '{\n  "code": 200,\n  "data": {\n    "text": "",\n    "number": 0\n  },\n  "message": "ok"\n}\n',
      );
    },
  );

  test("is compressed if it is large and the client accepts it", async () => {
    const body = '{"number": 2000}';
    const gzip = await send("/ProbeService/reach", body, await authorized({ "accept-encoding": "gzip" }));
    expect(gzip.headers.get("content-encoding")).toBe("gzip");
    const { data } = JSON.parse(gunzipSync(new Uint8Array(await gzip.arrayBuffer())).toString());
    expect(data.text.length).toBe(24_000);
    for (const [accepted, chosen] of [["br, gzip", "br"], ["br;q=0, gzip", "gzip"], ["identity", null]] as const) {
      const response = await send("/ProbeService/reach", body, await authorized({ "accept-encoding": accepted }));
      expect(response.headers.get("content-encoding")).toBe(chosen);
    }
  });
});

describe("the access token", () => {
  test.each([
    ["x-cloud-access-token", ""],
    ["x-edge-access-token", ""],
    ["edge-access-token", ""],
    ["authorization", "Bearer "],
  ])("is accepted in %s", async (header, scheme) => {
    const headers = { [header]: `${scheme}${await edgehelm.token(admin)}` };
    expect(await (await send("/ProbeService/look", "{}", headers)).json()).toMatchObject({ code: 200 });
  });

  test("is ignored by getAPIAccessToken", async () => {
    const body = '{"type":"admin","accessKeyId":"admin:1"}';
    const headers = { "x-cloud-access-token": "nonsense" };
    const response = await (await send("/APIAccessTokenService/getAPIAccessToken", body, headers)).json();
    expect(response.data.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });
});

describe("protocols", () => {
  test("a stream over JSON is unimplemented", async () => {
    expect(await edgehelm.post("/ProbeService/tell", {}, admin)).toMatchObject({ status: 200, code: 501 });
  });

  test("native gRPC is refused, naming the other listener", async () => {
    const headers = { "content-type": "application/grpc" };
    const response = await send("/edgehelm.test.probe.ProbeService/look", undefined, headers);
    expect([response.headers.get("grpc-status"), response.headers.get("grpc-message")])
      .toEqual(["12", expect.stringContaining("native gRPC needs a listener of its own")]);
  });

  test("other origins are allowed only if corsOrigins lists them", async () => {
    const preflight = { origin: "https://console.example.com", "access-control-request-method": "POST" };
    const closed = await send("/ProbeService/look", undefined, preflight, "OPTIONS");
    expect(closed.headers.get("access-control-allow-origin")).toBeNull();
    await using open = await testKernel({ plugins: [plugin], http: { corsOrigins: ["https://console.example.com"] } });
    const request = new Request("http://edgehelm.test/ProbeService/look", { method: "OPTIONS", headers: preflight });
    const allowed = await open.fetch(request);
    expect(allowed.headers.get("access-control-allow-origin")).toBe("https://console.example.com");
  });

  test("corsOrigins may allow all origins, whose pages read when to try again", async () => {
    await using open = await testKernel({ plugins: [plugin], http: { corsOrigins: ["*"] } });
    const headers = { origin: "https://anywhere.example.com" };
    const response = await open.fetch(new Request("http://edgehelm.test/livez", { headers }));
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-expose-headers")).toContain("retry-after");
  });
});
