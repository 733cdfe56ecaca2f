// Lists the comments without a Chinese translation, and those of which there is one no more; an argument names a folder.
import process from "node:process";
import { translatedFolders } from "./catalogs.ts";

const [, , wanted = ""] = process.argv;
for (const { folder, texts, catalog } of await translatedFolders()) {
  if (!folder.startsWith(wanted)) continue;
  for (const text of texts) if (!(text in catalog)) console.log(`${folder} lacks ${JSON.stringify(text)}`);
  for (const text of Object.keys(catalog)) if (!texts.has(text)) console.log(`${folder} has ${JSON.stringify(text)}`);
}
