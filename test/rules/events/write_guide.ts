import { readFile, writeFile } from "node:fs/promises";
import { root } from "../generated.ts";
import { GUIDE, withKinds } from "./kinds.ts";

const path = root + GUIDE;
await writeFile(path, await withKinds(await readFile(path, "utf8")));
console.log(`wrote the kinds of events to ${GUIDE}`);
