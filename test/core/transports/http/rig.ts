import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import apiAccessToken from "../../../../plugins/api_access_token/plugin.ts";
import { probePlugin } from "../../probe.ts";

export const plugin = probePlugin(() => ({
  look: ({ text, number }) => ({ text, number }),
  reach: ({ number }) => ({ text: "a long text ".repeat(Number(number)) }),
}));

export const admin = as.admin();
export type Headers = Record<string, string>;

export let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({
    plugins: [plugin, apiAccessToken],
    limits: { httpBodyBytes: 1024, anonymousBodyBytes: 1024 },
  });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

/** Sends one request. */
export async function send(path: string, body?: string, headers: Headers = {}, method = "POST"): Promise<Response> {
  return await edgehelm.fetch(new Request(`http://edgehelm.test${path}`, { method, headers, ...(body && { body }) }));
}

export function get(path: string): Promise<Response> {
  return send(path, undefined, {}, "GET");
}

export async function authorized(headers: Headers = {}): Promise<Headers> {
  return { "x-cloud-access-token": (await edgehelm.token(admin))!, ...headers };
}
