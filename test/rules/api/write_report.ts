import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { root } from "../generated.ts";
import { removedAtOnce } from "./deprecation.ts";
import { apiReport, REPORT } from "./report.ts";

const present = apiReport();
const removed = removedAtOnce(readFileSync(root + REPORT, "utf8"), present);
if (removed.length > 0) {
  console.error(`these were not marked @deprecated before: ${removed.join(", ")}`);
  process.exit(1);
}
writeFileSync(root + REPORT, present);
