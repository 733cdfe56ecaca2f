#!/usr/bin/env node
import process from "node:process";
import { runCommandLine } from "./command_line.ts";
import { reportFailure } from "./failure.ts";

try {
  await runCommandLine(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  process.exit(reportFailure(error));
}
