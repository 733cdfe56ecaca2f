import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Catalog, commentModules } from "../gen/comment_modules.ts";
import { protoComments } from "../gen/proto_comments.ts";

const CATALOG = /^comments_(?<language>[a-z]{2,3})\.json$/;

/**
 * Writes the comments in an encoded descriptor set beside the proto files that they stand in, in English and in each
 * language of which the folder has a catalog, such as `comments_zh.json`: an object from English to translated texts.
 */
export async function writeComments(root: string, descriptorSet: Uint8Array): Promise<string[]> {
  const written: string[] = [];
  for (const { folder, comments } of protoComments(descriptorSet)) {
    const path = resolve(root, folder);
    // the folders of imported files are elsewhere
    if (!await isFolder(path)) continue;
    for (const [name, source] of commentModules(comments, await readCatalogs(path))) {
      await writeFile(join(path, name), source);
    }
    written.push(folder);
  }
  return [`wrote the comments of ${written.length} folder${written.length === 1 ? "" : "s"}`];
}

/** Reads the catalogs of a folder with proto files, by language. */
export async function readCatalogs(folder: string): Promise<Map<string, Catalog>> {
  const catalogs = new Map<string, Catalog>();
  for (const name of await readdir(folder)) {
    const language = CATALOG.exec(name)?.groups?.["language"];
    if (language === undefined) continue;
    catalogs.set(language, catalogOf(name, await readFile(join(folder, name), "utf8")));
  }
  return catalogs;
}

function catalogOf(name: string, text: string): Catalog {
  const value: unknown = JSON.parse(text);
  const isCatalog = typeof value === "object" && value !== null && !Array.isArray(value) &&
    Object.values(value).every((translation) => typeof translation === "string");
  if (!isCatalog) throw new Error(`${name}: must be an object from English texts to translated ones`);
  return value as Catalog;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
