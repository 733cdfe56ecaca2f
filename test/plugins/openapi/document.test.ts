import { definePlugin, type Plugin } from "edgehelm";
import { testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import openapi from "../../../plugins/openapi/plugin.ts";
import { ValidService } from "../../fixtures/boot/boot_pb.ts";
import { openWorld, type World } from "../../matrix/world.ts";

// deno-lint-ignore no-explicit-any -- documents are compared by their members
type Json = any;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.edgehelm[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}) =>
  world.edgehelm.fetch(new Request(`http://localhost${path}`, { headers }));
const document = async (): Promise<Json> => await (await get("/openapi.json")).json();

describe("the OpenAPI document", () => {
  test("contains every operation that is served, and streams apart from them", async () => {
    const { paths, "x-edgehelm-streams": streams } = await document();
    const all = world.edgehelm.kernel.operations.all;
    const unary = all.filter(({ method }) => method.methodKind === "unary");
    expect(Object.keys(paths).sort()).toEqual(unary.map(({ path }) => path).sort());
    expect(streams.map(({ rpc }: Json) => rpc).sort()).toEqual(
      all.filter((operation) => !unary.includes(operation)).map(({ rpcPath }) => rpcPath).sort(),
    );
  });

  test("describes every operation, message and field by its comment", async () => {
    const { paths, tags, components } = await document();
    const missing = [
      ...Object.entries<Json>(paths).filter(([, { post }]) => post.description.startsWith("May be")),
      ...tags.filter(({ name, description }: Json) => description === name),
      ...Object.entries<Json>(components.schemas).flatMap(([name, { description, properties }]) => [
        ...description === undefined ? [name] : [],
        ...Object.entries<Json>(properties ?? {}).filter(([field, property]) =>
          name !== "ErrorEnvelope" && property.description === undefined && `${name}.${field}`
        ),
      ]),
    ];
    expect(missing).toEqual([]);
  });

  test("refers only to what it contains", async () => {
    const all = await document();
    const references = [...JSON.stringify(all).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
    expect(references.length).toBeGreaterThan(1000);
    const broken = references.filter((path) =>
      path.split("/").reduce((part: Json, name) => part?.[name], all) === undefined
    );
    expect(broken).toEqual([]);
  });

  test("lists the reasons of the errors of each operation, and whether a response is repeated", async () => {
    const { paths, components } = await document();
    const errorsOf = (path: string) => {
      const { responses } = paths[path].post;
      const { schema: { oneOf: [, error] }, ...content } = responses[200].content["application/json"];
      expect(content).toHaveProperty("example");
      expect(responses["4XX"].content["application/json"].schema).toEqual(error);
      const { reason } = error.properties;
      const [shared, own] = reason.anyOf ?? [reason, { enum: [] }];
      return [...components.schemas[shared.$ref.split("/").at(-1)].enum, ...own.enum] as string[];
    };
    const created = errorsOf("/NSDomainService/createNSDomain");
    expect(created).toEqual(expect.arrayContaining([
      ...["kernel.invalid_field", "kernel.token_missing", "kernel.module_required", "idempotency.mismatch"],
      ...["access_key.read_only", "user.state_forbids", "ns_domain.name_taken", "user.unknown"],
    ]));
    expect(created).not.toContain("ns_domain.off_by_admin");
    const found = errorsOf("/NSDomainService/findNSDomain");
    expect(found).toEqual(expect.arrayContaining(["kernel.role_forbidden", "access_key.expired"]));
    expect(found.filter((reason) => /^idempotency|read_only|outcome_unknown|name_taken/.test(reason))).toEqual([]);
    expect(errorsOf("/AdminService/deleteAdmin")).toContain("kernel.super_required");
    expect(errorsOf("/APIAccessTokenService/getAPIAccessToken")).toContain("access_token.refused");
    expect(errorsOf("/APIAccessTokenService/getAPIAccessToken")).not.toContain("kernel.token_missing");
    const { headers } = paths["/NSDomainService/createNSDomain"].post.responses[200];
    expect(headers).toEqual({ "Idempotent-Replayed": { $ref: "#/components/headers/IdempotentReplayed" } });
    expect(paths["/NSDomainService/findNSDomain"].post.responses[200]).not.toHaveProperty("headers");
  });

  test("states roles, effect, errors and the idempotency key of an operation", async () => {
    const { paths } = await document();
    expect(paths["/NSDomainService/createNSDomain"].post).toMatchObject({
      operationId: "NSDomainService.createNSDomain",
      tags: ["NSDomainService"],
      parameters: [{ $ref: "#/components/parameters/IdempotencyKey" }],
      "x-edgehelm-roles": ["admin", "user"],
      "x-edgehelm-modules": ["ns"],
      "x-edgehelm-effect": "write",
      "x-edgehelm-rpc": "/pb.NSDomainService/createNSDomain",
      "x-edgehelm-errors": expect.arrayContaining([{ reason: "ns_domain.not_found", code: 404 }]),
    });
    expect(paths["/APIAccessTokenService/getAPIAccessToken"].post).toMatchObject({ security: [] });
    expect(paths["/NSDomainService/findNSDomain"].post).not.toHaveProperty("parameters");
  });

  test("marks deprecated fields", async () => {
    const { components: { schemas } } = await document();
    const { nsRouteIds, nsRouteCodes } = schemas["CreateNSRecordRequest.Input"].properties;
    expect(nsRouteIds).toHaveProperty("deprecated", true);
    expect(nsRouteCodes).not.toHaveProperty("deprecated");
  });

  test("describes numbers as they are read and written", async () => {
    const { components: { schemas } } = await document();
    const decimal = { type: "string", pattern: "^-?(0|[1-9][0-9]*)$" };
    const long = { type: "integer", format: "int64" };
    expect(schemas["FindNSDomainRequest.Input"].properties.nsDomainId.anyOf).toMatchObject([
      long,
      decimal,
      { type: "null" },
    ]);
    expect(schemas["CreateNSDomainResponse"]).toMatchObject({
      required: ["nsDomainId"],
      properties: { nsDomainId: { anyOf: [long, decimal] } },
    });
  });

  test("describes JSON in bytes fields by its own schema", async () => {
    const { components: { schemas } } = await document();
    const { schedulingJSON, primaryOriginsJSON } = schemas["CreateReverseProxyRequest.Input"].properties;
    const scheduling = { $ref: "#/components/schemas/edgehelm.shapes.OriginScheduling.Input" };
    expect(schedulingJSON.anyOf).toMatchObject([{ contentSchema: scheduling }, scheduling, { type: "null" }]);
    expect(primaryOriginsJSON.anyOf[1]).toMatchObject({
      type: "array",
      items: { $ref: "#/components/schemas/edgehelm.shapes.OriginRef.Input" },
    });
    const { optionsJSON } = schemas["CreateHTTPCachePolicyRequest.Input"].properties;
    expect(optionsJSON.anyOf[1]).toEqual({
      anyOf: [
        { $ref: "#/components/schemas/edgehelm.shapes.HTTPFileCacheOptions.Input" },
        { $ref: "#/components/schemas/edgehelm.shapes.HTTPMemoryCacheOptions.Input" },
      ],
    });
    const { featuresJSON } = schemas["CreatePlanRequest.Input"].properties;
    expect(featuresJSON.anyOf[1]).toEqual({ type: "array", items: { type: "string" } });
    expect(schemas["CreateMetricChartRequest.Input"].properties.paramsJSON.anyOf[1]).toEqual({ type: "object" });
    // responses contain JSON as it was sent
    expect(schemas["ReverseProxy"].properties.schedulingJSON).toMatchObject({
      contentEncoding: "base64",
      contentSchema: scheduling,
    });
  });
});

test("pages are sent compressed, and not again to a client that has them", async () => {
  const plain = await get("/schemas.json");
  const etag = plain.headers.get("etag")!;
  const compressed = await get("/schemas.json", { "accept-encoding": "gzip" });
  expect(compressed.headers.get("content-encoding")).toBe("gzip");
  const text = await new Response(compressed.body!.pipeThrough(new DecompressionStream("gzip"))).text();
  expect(text).toBe(await plain.text());
  expect((await get("/schemas.json", { "if-none-match": etag })).status).toBe(304);
  expect((await get("/schemas.json", { "if-none-match": '"other"' })).status).toBe(200);
});

test("the overview has a line for every operation", async () => {
  const text = await (await get("/llms.txt")).text();
  const lines = text.split("\n").filter((line) => line.startsWith("- `POST /"));
  expect(lines).toHaveLength(world.edgehelm.kernel.operations.all.length);
  expect(lines).toContain(
    "- `POST /NSDomainService/findNSDomain` (admin, user): Finds one domain with cluster, owner and groups",
  );
});

test("a plugin of a vendor appears with its comments", async () => {
  const vendor: Plugin = definePlugin({
    manifest: { name: "vendor", version: "1.0.0", kernel: "^1", services: ["ValidService"], tables: [] },
    comments: () => import("../../fixtures/boot/comments_pb.ts"),
    setup: ({ serve }) => serve(ValidService, { idle: () => ({}) }),
  });
  await using edgehelm = await testKernel({ plugins: [openapi, vendor] });
  const { paths } = await (await edgehelm.fetch(new Request("http://localhost/openapi.json"))).json();
  expect(paths["/ValidService/idle"].post).toMatchObject({ summary: "Does nothing", tags: ["ValidService"] });
});

test("the configuration says whom users of the API may contact", async () => {
  const config = {
    openapi: { title: "Acme CDN", serverUrl: "https://api.example.com", contactEmail: "api@example.com" },
  };
  await using edgehelm = await testKernel({ plugins: [openapi], config });
  const { info, servers } = await (await edgehelm.fetch(new Request("http://localhost/openapi.json"))).json();
  expect(info).toMatchObject({ title: "Acme CDN", contact: { email: "api@example.com" } });
  expect(servers).toEqual([{ url: "https://api.example.com" }]);
});
