import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createFileRegistry } from "@bufbuild/protobuf";
import { type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeDescriptors } from "../../../plugins/console/app/api/descriptors.ts";
import { builtModules } from "../../../plugins/console/host/build.ts";
import console from "../../../plugins/console/plugin.ts";
import domains from "../../../plugins/ns_cluster/plugin.ts";
import echo from "../../fixtures/echo/plugin.ts";

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [console, domains, echo] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

const built = (name: string) => fileURLToPath(new URL(`../../../plugins/console/built/${name}`, import.meta.url));
const get = (path: string) => edgehelm.fetch(new Request(`http://localhost${path}`));

test("what the server sends is built from the sources: run `deno task console` after changing them", async () => {
  const { names, assets } = await builtModules();
  expect(await readFile(built("names.ts"), "utf8")).toBe(names);
  expect(await readFile(built("assets.ts"), "utf8") === assets).toBe(true);
});

test.each([
  ["/console", "text/html; charset=utf-8"],
  ["/console/console.js", "text/javascript; charset=utf-8"],
  ["/console/style.css", "text/css; charset=utf-8"],
  ["/console/api.binpb", "application/x-protobuf"],
  ["/console/comments.en.json", "application/json; charset=utf-8"],
  ["/console/comments.zh.json", "application/json; charset=utf-8"],
])("%s has its type, and may neither run other code nor be framed", async (path, type) => {
  const { status, headers } = await get(path);
  expect([status, headers.get("content-type")]).toEqual([200, type]);
  const policy = headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'; script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
});

test("the document has no code and no style of its own, and names no other origin", async () => {
  const page = await (await get("/console")).text();
  expect(page).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=|https?:/);
});

test("the descriptors are those of all served plugins, of vendors too, and complete", async () => {
  const set = decodeDescriptors(await (await get("/console/api.binpb")).bytes());
  const services = [...createFileRegistry(set)].filter(({ kind }) => kind === "service").map(({ typeName }) =>
    typeName
  );
  expect(services).toContain("pb.NSClusterService");
  expect(services).toContain("edgehelm.test.echo.EchoService");
  expect(services).not.toContain("pb.NSDomainService");
});

test("a browser that opens the address of the server is led to the console; programs get the description", async () => {
  const open = (accept: string) =>
    edgehelm.fetch(new Request("http://localhost/", { headers: { accept }, redirect: "manual" }));
  const page = await open("text/html,application/xhtml+xml,*/*;q=0.8");
  expect([page.status, page.headers.get("location")]).toEqual([302, "/console"]);
  expect((await (await open("*/*")).json()).data).toMatchObject({ name: "Edgehelm" });
});
