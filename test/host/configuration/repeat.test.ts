import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import openapi from "../../../plugins/openapi/plugin.ts";
import { OriginService } from "../../../plugins/origin/proto/service_origin_pb.ts";
import shelves from "../../fixtures/shelves/plugin.ts";
import { contents, openInstallation, rigOf, temporaryFolder } from "./rig.ts";

const ORIGINS = 5;

/** A site with origins, which no list has. */
async function writeSite(folder: string): Promise<void> {
  const labels = Array.from({ length: ORIGINS }, (_, index) => `origin ${index}`);
  const origins = labels.map((label, index) =>
    `- label: ${label}
  isOn: true
  addr: { protocol: http, host: 198.51.100.${index + 1}, portRange: "80" }
`
  );
  const proxy = `- label: proxy
  primaryOrigins:
${labels.map((label) => `    - { isOn: true, originId: ${label} }\n`).join("")}`;
  await writeFile(join(folder, "Origin.yaml"), origins.join(""));
  await writeFile(join(folder, "ReverseProxy.yaml"), proxy);
  await writeFile(join(folder, "NodeCluster.yaml"), "- name: edge\n");
  await writeFile(
    join(folder, "Server.yaml"),
    `- name: shop
  type: httpProxy
  nodeCluster: edge
  serverNames: [{ name: shop.example.com, type: full }]
  reverseProxy: { isOn: true, reverseProxyId: proxy }
`,
  );
}

/** Creates an origin and returns its id, which tells how many were created before. */
async function nextOriginId(edgehelm: TestKernel): Promise<number> {
  const { originId } = await edgehelm.call(as.admin(), OriginService.method.createOrigin, {
    name: "next",
    addr: { protocol: "http", host: "198.51.100.99", portRange: "80" },
  });
  return Number(originId);
}

test("an apply that was cut off and is repeated makes nothing twice, not even what no list has", async () => {
  await using edgehelm = await openInstallation();
  await using folder = await temporaryFolder();
  await writeSite(folder.path);
  const cut = await rigOf(edgehelm, (path) => path.endsWith("/createReverseProxy"));
  await expect(cut.apply(folder.path)).rejects.toThrow("createReverseProxy fails");
  const rig = await rigOf(edgehelm);
  await rig.apply(folder.path);
  expect(await rig.plan(folder.path)).toEqual(["no changes"]);
  expect(await nextOriginId(edgehelm)).toBe(ORIGINS + 1);
});

test("what was deleted is made again, in what refers to it too, and each time", async () => {
  await using edgehelm = await openInstallation();
  await using folder = await temporaryFolder();
  await using none = await temporaryFolder();
  await writeSite(folder.path);
  await writeFile(join(none.path, "Server.yaml"), "[]\n");
  await writeFile(join(none.path, "NodeCluster.yaml"), "[]\n");
  const rig = await rigOf(edgehelm);
  for (let turn = 0; turn < 3; turn++) {
    expect(JSON.parse((await rig.apply(folder.path))[0]!)).toMatchObject({ created: ORIGINS + 3 });
    expect(await rig.plan(folder.path)).toEqual(["no changes"]);
    await rig.apply(none.path, "--delete");
  }
});

test("what an earlier apply makes after the plan is not made again", async () => {
  await using edgehelm = await testKernel({ plugins: [openapi, shelves] });
  await using folder = await temporaryFolder();
  await using exported = await temporaryFolder();
  await writeFile(join(folder.path, "Shelf.yaml"), "- name: novels\n  width: 80\n- name: poems\n  width: 40\n");
  const rig = await rigOf(edgehelm);
  await rig.apply(folder.path);
  let reads = 0;
  const late = await rigOf(edgehelm, () => false, (path) => path.endsWith("/listShelves") && reads++ === 0);
  expect(await late.apply(folder.path)).toEqual(['{"created":2,"changed":0,"deleted":0}']);
  await rig.export(exported.path);
  expect((await contents(exported.path))["Shelf.yaml"]!.match(/name:/g)).toHaveLength(2);
});
