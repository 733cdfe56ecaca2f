import process from "node:process";
import { RpcError } from "../../base/errors.ts";
import { StartupError } from "../../base/startup_error.ts";
import { runCommandLine } from "./command_line.ts";

/** EX_CONFIG of sysexits.h. */
const EXIT_CONFIGURATION = 78;

try {
  await runCommandLine(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  const expected = error instanceof StartupError || error instanceof RpcError;
  console.error(expected ? `edgehelm: ${error.message}` : error);
  process.exit(error instanceof StartupError ? EXIT_CONFIGURATION : 1);
}
