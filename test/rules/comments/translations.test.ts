import { beforeAll, expect, test } from "vitest";
import { lostParts, type TranslatedFolder, translatedFolders } from "./catalogs.ts";

let folders: readonly TranslatedFolder[];
beforeAll(async () => {
  folders = await translatedFolders();
});

const problems = (find: (folder: TranslatedFolder) => string[]) =>
  folders.flatMap((folder) => find(folder).map((text) => `${folder.folder}: ${text}`));

test("every comment of the API is there in Chinese: comments_zh.json beside the proto files", () => {
  expect(folders.length).toBeGreaterThan(60);
  expect(problems(({ texts, catalog }) => [...texts].filter((text) => !(text in catalog)))).toEqual([]);
  expect(problems(({ catalog }) => Object.values(catalog).filter((chinese) => !/\p{Script=Han}/u.test(chinese))))
    .toEqual([]);
});

test("every translation is of a comment, and the catalogs are sorted", () => {
  expect(problems(({ texts, catalog }) => Object.keys(catalog).filter((text) => !texts.has(text)))).toEqual([]);
  const unsorted = folders.filter(({ catalog }) => Object.keys(catalog).join() !== Object.keys(catalog).sort().join());
  expect(unsorted.map(({ folder }) => folder)).toEqual([]);
});

test("translations keep code, literals and numbers", () => {
  expect(
    problems(({ catalog }) =>
      Object.entries(catalog).flatMap(([text, chinese]) =>
        lostParts(text, chinese).map((part) => `${part} of ${text} (${chinese})`)
      )
    ),
  ).toEqual([]);
});

test("what a translation lost is found", () => {
  expect(lostParts('The `name`, "a" or 255 bytes; 1 means none.', '`name`，"b" 或 25 字节')).toEqual(['"a"', "255"]);
});
