import { writeFileSync } from "node:fs";
import { apiReport, REPORT } from "./report.ts";
import { root } from "../generated.ts";

writeFileSync(root + REPORT, apiReport());
