import { definePlugin } from "edgehelm";
import { testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import { OWN_PATHS } from "../../../../core/kernel/own_paths.ts";
import { createHttpApp } from "../../../../core/transports/http/app.ts";
import { zlibCompress, zlibDecompress } from "../../../../core/host/listen/compress.ts";
import hello from "../../../../plugins/hello_world/plugin.ts";

const vendor = (path: string) =>
  definePlugin({
    manifest: { name: "vendor", version: "1.0.0", kernel: "^1", services: [], tables: [] },
    setup: ({ route }) => route(path, () => new Response("mine\n")),
  });

test.each([...OWN_PATHS])("no plugin can serve %s, which the installation serves itself", async (path) => {
  await expect(testKernel({ plugins: [vendor(path)] })).rejects.toThrow(
    `plugin "vendor" serves the route ${path}, which every installation has`,
  );
});

test("every page of the HTTP transport is a path that no plugin can have", async () => {
  await using edgehelm = await testKernel({ plugins: [hello] });
  const app = createHttpApp(edgehelm.kernel, {
    errorStatus: "ok",
    behindProxy: false,
    corsOrigins: [],
    notReady: () => Promise.resolve(undefined),
    compress: zlibCompress,
    decompress: zlibDecompress,
    metrics: { text: () => Promise.resolve(""), token: "any" },
  });
  const pages = app.routes.filter(({ method, path }) => method === "GET" && path !== "/" && !path.includes("*"));
  expect(pages.map(({ path }) => path).filter((path) => !edgehelm.kernel.routes.has(path)).sort()).toEqual(
    [...OWN_PATHS].sort(),
  );
});
