import { testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import { fromVariables } from "../../../../core/edge/mod.ts";
import { readEdgeKey } from "../../../../core/edge/options.ts";
import { zlibCompress, zlibDecompress } from "../../../../core/host/listen/compress.ts";
import { createHttpApp } from "../../../../core/transports/http/app.ts";
import type { HttpOptions } from "../../../../core/transports/http/options.ts";
import hello from "../../../../plugins/hello_world/plugin.ts";

const TOKEN = "metricstoken0001";
const OPTIONS: HttpOptions = {
  errorStatus: "ok",
  behindProxy: false,
  corsOrigins: [],
  notReady: () => Promise.resolve(undefined),
  compress: zlibCompress,
  decompress: zlibDecompress,
};

test("metrics are not served without a token in the settings", async () => {
  await using edgehelm = await testKernel({ plugins: [hello] });
  const app = createHttpApp(edgehelm.kernel, OPTIONS);
  expect((await app.request("/metrics", { headers: { authorization: "Bearer " } })).status).toBe(404);
});

test("metrics are for readers with the token", async () => {
  await using edgehelm = await testKernel({ plugins: [hello] });
  const app = createHttpApp(edgehelm.kernel, {
    ...OPTIONS,
    metrics: { text: () => Promise.resolve("calls 1\n"), token: TOKEN },
  });
  const read = (authorization?: string) =>
    app.request("/metrics", authorization === undefined ? {} : { headers: { authorization } });
  for (
    const wrong of [undefined, "", "Bearer", "Bearer ", "Bearer wrong", `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN]
  ) {
    const response = await read(wrong);
    expect([wrong, response.status, response.headers.get("www-authenticate")]).toEqual([wrong, 401, "Bearer"]);
    expect(await response.text()).not.toContain("calls");
  }
  const response = await read(`Bearer ${TOKEN}`);
  expect([response.status, await response.text()]).toEqual([200, "calls 1\n"]);
});

test("a token for metrics has at least 16 characters", async () => {
  const variables = { EDGEHELM_DATABASE_URL: "https://database.test", EDGEHELM_KEY: "11".repeat(32) };
  const read = (token: string) =>
    readEdgeKey({ plugins: [], ...fromVariables({ ...variables, EDGEHELM_METRICS_TOKEN: token }) });
  await read("");
  await read(TOKEN);
  await expect(read("short")).rejects.toThrow(
    "EDGEHELM_METRICS_TOKEN must be 16 to 1024 characters without white space",
  );
});
