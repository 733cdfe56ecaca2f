import { writeFile } from "node:fs/promises";
import { reasonsModules } from "./modules.ts";

const modules = reasonsModules();
await Promise.all(modules.map(({ path, text }) => writeFile(path, text)));
console.log(`wrote the reasons of errors of ${modules.length} plugins`);
