import process from "node:process";
import { miniflareRuns } from "./miniflare_package.ts";

if (!miniflareRuns()) process.exit(1);
