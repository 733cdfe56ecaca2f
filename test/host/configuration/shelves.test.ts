import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import openapi from "../../../plugins/openapi/plugin.ts";
import shelves from "../../fixtures/shelves/plugin.ts";
import { type ConfigurationRig, contents, edit, rigOf, temporaryFolder } from "./rig.ts";

const FILE = "Shelf.yaml";
const SHELVES = `- name: novels
  width: 80
  next: poems
- name: poems
  width: 40
  next: novels
`;

/** An installation with the plugin of a vendor, and a folder with a file of its kind. */
async function opened(text: string, fails?: (path: string) => boolean) {
  const edgehelm = await testKernel({ plugins: [openapi, shelves] });
  const folder = await temporaryFolder();
  await writeFile(join(folder.path, FILE), text);
  const rig = await rigOf(edgehelm, fails);
  return {
    edgehelm,
    rig,
    folder: folder.path,
    async [Symbol.asyncDispose]() {
      await edgehelm[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Returns the names and widths of the shelves of an installation. */
async function exported(rig: ConfigurationRig): Promise<string> {
  await using folder = await temporaryFolder();
  await rig.export(folder.path);
  return (await contents(folder.path))[FILE] ?? "";
}

test("the plugin of a vendor takes part, with shelves that refer to each other", async () => {
  await using world = await opened(SHELVES);
  expect(await world.rig.plan(world.folder)).toEqual([
    '+ Shelf "novels"',
    '+ Shelf "poems"',
    "2 to create, 0 to change, 0 to keep",
  ]);
  expect(await world.rig.apply(world.folder)).toEqual(['{"created":2,"changed":1,"deleted":0}']);
  expect(await exported(world.rig)).toBe(SHELVES);
});

test("a change shows what was and what will be, and leaves alone what the file leaves out", async () => {
  await using world = await opened(SHELVES);
  await world.rig.apply(world.folder);
  await writeFile(join(world.folder, FILE), "- name: novels\n  width: 90\n");
  expect(await world.rig.plan(world.folder)).toEqual([
    '~ Shelf "novels"',
    "    width: 80 -> 90",
    '- Shelf "poems" (kept; --delete deletes it)',
    "0 to create, 1 to change, 1 to keep",
  ]);
  expect(JSON.parse((await world.rig.plan(world.folder, "--json"))[0]!)).toEqual({
    create: [],
    change: [{ kind: "Shelf", name: "novels", fields: [{ field: "width", before: 80, after: 90 }] }],
    order: [],
    keep: [{ kind: "Shelf", name: "poems" }],
  });
  await world.rig.apply(world.folder);
  expect(await exported(world.rig)).toBe(SHELVES.replace("80", "90"));
});

test("only --delete deletes, and only objects of kinds that have a file", async () => {
  await using world = await opened(SHELVES);
  await world.rig.apply(world.folder);
  await writeFile(join(world.folder, FILE), "[]\n");
  await world.rig.apply(world.folder);
  expect(await exported(world.rig)).toBe(SHELVES);
  expect(await world.rig.apply(world.folder, "--delete")).toEqual(['{"created":0,"changed":0,"deleted":2}']);
  expect(await exported(world.rig)).toBe("");
});

test("another name is explained: the old object stays", async () => {
  await using world = await opened("- name: novels\n  width: 80\n");
  await world.rig.apply(world.folder);
  await edit(world.folder, FILE, (text) => text.replace("novels", "stories"));
  expect((await world.rig.plan(world.folder)).slice(0, 3)).toEqual([
    '+ Shelf "stories"',
    '- Shelf "novels" (kept; --delete deletes it)',
    expect.stringMatching(/"stories" differs from it in its name only/),
  ]);
});

test("after an error the command goes on where it stopped", async () => {
  let left = 2;
  const names = Array.from({ length: 20 }, (_, index) => `- name: shelf ${index}\n  width: 1\n`).join("");
  await using world = await opened(names, (path) => path.endsWith("createShelf") && left-- < 0);
  await expect(world.rig.apply(world.folder)).rejects.toThrow("createShelf fails");
  left = Infinity;
  const created = world.rig.writes().length;
  await world.rig.apply(world.folder);
  expect((await exported(world.rig)).match(/name:/g)).toHaveLength(20);
  expect(world.rig.writes().length - created).toBeLessThan(19);
});

describe("errors name file and line", () => {
  test.each([
    ["- name: novels\n  widht: 3\n", /Shelf\.yaml:2: Shelf has no field "widht"; did you mean width\?$/],
    ["- name: novels\n  next: poem\n- name: poems\n", /Shelf\.yaml:2: next: Shelf "poem" does not exist; did you mean/],
    ["- name: novels\n- name: novels\n", /Shelf\.yaml:2: "novels" is in line 1 already; .*"novels~2"/],
    ["- width: 3\n", /Shelf\.yaml:1: name: is missing/],
    ["name: novels\n", /Shelf\.yaml:1: must be a list/],
    ["- name: [novels\n", /Shelf\.yaml:\d: /],
    ["- name: novels\n  width: [3]\n", /Shelf\.yaml:2: width: must not be a list/],
    ["- name: novels\n  width: wide\n", /Shelf\.yaml:1: Shelf "novels": width/],
  ])("%j", async (text, message) => {
    await using world = await opened(text);
    await expect(world.rig.apply(world.folder)).rejects.toThrow(message);
    expect((await exported(world.rig)).length).toBe(0);
  });

  test("a file of no kind", async () => {
    await using world = await opened(SHELVES);
    await writeFile(join(world.folder, "Shelff.yaml"), "[]\n");
    await expect(world.rig.plan(world.folder)).rejects.toThrow(
      /Shelff\.yaml: no kind has this name; did you mean Shelf/,
    );
  });
});
