import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { servedApi } from "../../../core/kernel/served/served_api.ts";
import type { Plugin } from "../../../core/plugin_api/plugin.ts";
import { commentModules } from "../../../core/host/gen/comment_modules.ts";
import { readCatalogs } from "../../../core/host/vendor/write_comments.ts";

const COMMENTS = new Map([["acme.Note.text", "The text."], ["acme.Note.author", "Who wrote it."]]);

async function catalogFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "edgehelm-catalogs-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

test("a folder with catalogs gets a module for each language, and one that imports them", async () => {
  const folder = await catalogFolder({ "comments_zh.json": '{ "The text.": "文本。" }', "notes.json": "[]" });
  const modules = commentModules(COMMENTS, await readCatalogs(folder));
  for (const [name, source] of modules) await writeFile(join(folder, name), source);
  expect([...modules.keys()]).toEqual(["comments_pb.ts", "comments_zh_pb.ts"]);
  expect(await readFile(join(folder, "comments_pb.ts"), "utf8")).toContain('zh: () => import("./comments_zh_pb.ts")');
});

test("a catalog with anything but texts is refused by name", async () => {
  const folder = await catalogFolder({ "comments_fr.json": '{ "The text.": 1 }' });
  await expect(readCatalogs(folder)).rejects.toThrow("comments_fr.json: must be an object");
});

test("comments without a translation stay English", async () => {
  const plugin = {
    manifest: { name: "notes" },
    comments: () =>
      Promise.resolve({
        comments: Object.fromEntries(COMMENTS),
        translations: { zh: () => Promise.resolve({ comments: { "acme.Note.text": "文本。" } }) },
      }),
  } as unknown as Plugin;
  const api = servedApi([plugin], []);
  expect(await api.comments("zh")).toMatchObject({ "acme.Note.text": "文本。", "acme.Note.author": "Who wrote it." });
  expect(await api.comments("fr")).toMatchObject({ "acme.Note.text": "The text." });
  expect(await api.comments("toString")).toMatchObject({ "acme.Note.text": "The text." });
  expect(await api.comments()).toMatchObject({ "acme.Note.text": "The text." });
});
