import { StartupError } from "../../base/startup_error.ts";
import { ChildProgram } from "../child/child_program.ts";
import { requireLocalPath } from "../settings/database_path.ts";
import { readEnvironment } from "../settings/environment.ts";
import { exists, sizeText } from "../settings/files.ts";
import { readSettings } from "../settings/settings.ts";
import { mismatchOf } from "../sqlite/database_identity.ts";
import type { CheckMessage } from "./check_message.ts";

/**
 * Runs `check`: verifies every page, index and search table of the database, even while a server uses it. The work is
 * done by a child process with one read transaction, which delays no reader and no writer.
 *
 * @returns lines for the operator
 * @throws StartupError that lists the damage
 */
export async function check(args: readonly string[]): Promise<string[]> {
  if (args.length > 0) throw new StartupError("usage: check");
  const settings = await readSettings(readEnvironment());
  const path = requireLocalPath(settings);
  const mismatch = mismatchOf(settings.dataDirectory, path);
  if (mismatch !== undefined) throw new StartupError(mismatch);
  if (!await exists(path)) throw new StartupError(`the database "${path}" does not exist`);
  const { damage, bytes, tables, indexes } = await checkInChild(path);
  if (damage.length > 0) {
    throw new StartupError([
      ...damage.map((line) => `the database "${path}" is damaged: ${line}`),
      'stop every process that uses the database and run "restore <backup> --force"',
    ]);
  }
  return [`checked ${tables} tables and ${indexes} indexes in ${path} (${sizeText(bytes)}): no damage`];
}

async function checkInChild(path: string): Promise<CheckMessage> {
  const outcome = Promise.withResolvers<CheckMessage>();
  // The program has the extension of this file: .js in the packed project.
  const program = import.meta.url.replace("check_command", "check_process");
  const child = new ChildProgram<null, CheckMessage>("the check process", program, [path], {
    response: outcome.resolve,
    end: outcome.reject,
  });
  // the pipes of a child keep no process alive
  const alive = setInterval(() => {}, 60_000);
  try {
    child.send(null);
    return await outcome.promise;
  } finally {
    clearInterval(alive);
    child.kill();
  }
}
