import process from "node:process";
import { RpcError } from "../../base/errors.ts";
import { StartupError } from "../../base/startup_error.ts";
import { commandLine } from "./command_line.ts";

/** What sysexits.h calls a configuration error. */
const EXIT_CONFIGURATION = 78;

try {
  await commandLine(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  const expected = error instanceof StartupError || error instanceof RpcError;
  console.error(expected ? `edgehelm: ${error.message}` : error);
  process.exit(error instanceof StartupError ? EXIT_CONFIGURATION : 1);
}
