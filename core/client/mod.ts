/**
 * Calls the API with types: `edgehelm/client`, for browsers, workers, Deno and Node.
 *
 * The client takes the descriptors of services, which `protoc-gen-es` generates: those of this project are in
 * `edgehelm/plugins/<name>/proto/`, a vendor's are in the vendor's package. Only the services that a program imports
 * become part of it.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { createClient, pages } from "edgehelm/client";
 * import { as, testKernel } from "edgehelm/testing";
 * import { HelloWorldService } from "edgehelm/plugins/hello_world/proto/service_hello_world_pb.js";
 * import plugin from "edgehelm/plugins/hello_world/plugin.js";
 *
 * await using edgehelm = await testKernel({ plugins: [plugin] });
 * const client = createClient({
 *   baseUrl: "http://localhost",
 *   token: async () => (await edgehelm.token(as.admin()))!,
 *   fetch: async (input, init) => await edgehelm.fetch(new Request(input, init)),
 * });
 * const { result } = await client.service(HelloWorldService).sayHello({ id: 7n, name: "Ada" });
 * deepEqual(result, "hello, Ada (7)");
 *
 * const numbers = pages(({ offset, size }) => Promise.resolve([1n, 2n, 3n].slice(Number(offset)).slice(0, Number(size))),
 *   (page) => page, { size: 2 });
 * deepEqual(await Array.fromAsync(numbers), [1n, 2n, 3n]);
 * ```
 *
 * @module
 */
export { ApiError, type ApiErrorDetails } from "./api_error.ts";
export { type Client, type ClientOptions, createClient } from "./client.ts";
export { pages, type PagesOptions } from "./pages.ts";
export type { Fetch } from "./request.ts";
export type { RetryOptions } from "./retry.ts";
export type { CallOptions, ServiceClient } from "./service_client.ts";
export type { AccessKey } from "./token_source.ts";
