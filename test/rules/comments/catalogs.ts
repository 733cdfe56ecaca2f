import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalog } from "../../../core/host/gen/comment_modules.ts";
import type { Comments } from "edgehelm/runtime";
import { root } from "../generated.ts";

/** The comments of the proto files in one folder, and their Chinese. */
export interface TranslatedFolder {
  /** Relative to the root of the project. */
  readonly folder: string;
  readonly texts: ReadonlySet<string>;
  readonly catalog: Catalog;
}

const NO_CATALOG = "{}";

/** Reads the folders of proto files whose comments the API describes. */
export async function translatedFolders(): Promise<TranslatedFolder[]> {
  const plugins = readdirSync(join(root, "plugins")).map((name) => `plugins/${name}/proto`);
  const candidates = ["proto", "proto/models", "proto/shapes", ...plugins];
  const folders = candidates.filter((folder) => read(join(root, folder, "comments_pb.ts")) !== undefined);
  return await Promise.all(folders.map(async (folder) => {
    const { comments } = await import(join(root, folder, "comments_pb.ts")) as { readonly comments: Comments };
    const catalog = JSON.parse(read(join(root, folder, "comments_zh.json")) ?? NO_CATALOG) as Catalog;
    return { folder, texts: new Set(Object.values(comments)), catalog };
  }));
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Returns the texts in a comment that are the same in every language: code, literals and numbers. */
export function unchangedParts(text: string): string[] {
  const code = text.match(/`[^`]+`/g) ?? [];
  const literals = text.match(/"[^"\s]+"/g) ?? [];
  const numbers = text.match(/(?<![\w.])\d[\d.:/]*\d(?![\w])/g) ?? [];
  return [...code, ...literals.filter((literal) => /^"[\x20-\x7e]+"$/.test(literal)), ...numbers];
}

/** Returns what a translation lost of its original. */
export function lostParts(text: string, translation: string): string[] {
  return unchangedParts(text).filter((part) => !translation.includes(part));
}
