import { statfsSync } from "node:fs";
import { StartupError } from "../../base/startup_error.ts";
import { sqliteCode } from "../../storage/constraint.ts";
import { errorMessage } from "../settings/files.ts";
import { openFileLimit, tooFewFiles } from "../settings/open_files.ts";
import { readOnlyText } from "./data_directory.ts";

/** Causes of failed starts that lie in the machine: codes of the system and of SQLite, with what to do about them. */
const CAUSES: readonly { readonly codes: RegExp; text(dataDirectory: string): string }[] = [
  {
    codes: /^(?:ENOSPC|EDQUOT|SQLITE_FULL)$/,
    text: noSpaceText,
  },
  { codes: /^(?:EROFS|SQLITE_READONLY)/, text: readOnlyText },
  { codes: /^(?:EMFILE|ENFILE)$/, text: () => tooFewFiles(openFileLimit()) },
];

/** Further causes. An error with advice of its own keeps it. */
const OTHER_CAUSES = /^(?:EACCES|EPERM|EIO|SQLITE_(?:CANTOPEN|PERM|IOERR))/;

/** Texts of SQLite in errors that keep no code. */
const TEXTS: readonly (readonly [text: string, code: string])[] = [
  ["database or disk is full", "SQLITE_FULL"],
  ["disk I/O error", "SQLITE_IOERR"],
  ["attempt to write a readonly database", "SQLITE_READONLY"],
  ["unable to open database file", "SQLITE_CANTOPEN"],
];

/** With less free space, an error of the disk comes from a disk that is full: not every write says so. */
const NO_SPACE = 64 * 1024;

/** The numbers of errors on Linux, which some errors of the runtimes have in place of a code. */
const CODES: Readonly<Record<string, string>> = {
  23: "ENFILE",
  24: "EMFILE",
  28: "ENOSPC",
  30: "EROFS",
  122: "EDQUOT",
};

/** Returns a failure of the machine as one line for the operator, and any other error unchanged. */
export function machineError(error: unknown, dataDirectory: string): unknown {
  const codes = codesOf(error);
  for (const cause of CAUSES) {
    if (codes.some((code) => cause.codes.test(code))) {
      return new StartupError(cause.text(dataDirectory), { cause: error });
    }
  }
  if (error instanceof StartupError || !codes.some((code) => OTHER_CAUSES.test(code))) return error;
  if (codes.some((code) => /IOERR|^EIO$/.test(code)) && freeBytes(dataDirectory) < NO_SPACE) {
    return new StartupError(noSpaceText(dataDirectory), { cause: error });
  }
  const reason = errorMessage(error).split("\n", 1)[0];
  const text = `the data directory "${dataDirectory}" cannot be used (${reason}); check its owner and its disk`;
  return new StartupError(text, { cause: error });
}

function noSpaceText(path: string): string {
  return `no space is left for the data directory "${path}"; free some, or set EDGEHELM_DATA to another disk`;
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

/** Returns the codes of an error and its causes. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let cause = error; cause instanceof Error && codes.length < 10; cause = cause.cause) {
    const [, number = ""] = /\bos error (\d+)\b/.exec(cause.message) ?? [];
    const { message } = cause;
    const [, code] = TEXTS.find(([text]) => message.includes(text)) ?? [];
    codes.push(sqliteCode(cause) ?? code ?? CODES[number] ?? ("code" in cause ? String(cause.code) : ""));
  }
  return codes;
}
