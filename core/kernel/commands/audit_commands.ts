import { kernelErrors } from "../../base/errors.ts";
import { StartupError } from "../../base/startup_error.ts";
import type { Audit } from "../../calls/audit/audit.ts";
import { type AuditVerification, headOf, headText } from "../../calls/audit/verification.ts";
import type { Command } from "../../plugin_api/extension_points.ts";

/** The maximum number of records whose content one command deletes. */
const MAX_ERASED = 1000;

/** Returns the commands that verify the audit log and delete contents of it. */
export function auditCommands(audit: Audit, verification: AuditVerification): Command[] {
  return [{
    name: "audit verify",
    usage: "[--head <id>:<hash>]: finds records of the audit log that were deleted, changed or cut off",
    async run(call, args) {
      const known = args.length === 0 ? undefined : headArgument(args);
      const { records, erased, head, errors } = await verification.verify(call, known);
      if (errors.length > 0) throw new StartupError(["the audit log is not whole", ...errors]);
      return [`the audit log is whole: ${records} records, ${erased} of them without content, head ${headText(head)}`];
    },
  }, {
    name: "audit erase",
    usage: "<id>...: deletes the content of audit records that are older than audit.guardDays; their hashes stay",
    async run(call, args) {
      const ids = [...new Set(args.map(idArgument))];
      if (ids.length === 0 || ids.length > MAX_ERASED) {
        throw kernelErrors.malformed(`1 to ${MAX_ERASED} ids of records are required, got ${ids.length}`);
      }
      await call.transact((inner) => audit.erase(inner, ids));
      return [`deleted the content of ${ids.length} audit records`];
    },
  }];
}

function idArgument(text: string): bigint {
  if (/^[1-9]\d{0,17}$/.test(text)) return BigInt(text);
  throw kernelErrors.malformed(`the id of a record must be a whole number above 0, got "${text.slice(0, 40)}"`);
}

function headArgument(args: readonly string[]) {
  const [flag = "", value = "", ...others] = args[0]?.startsWith("--head=")
    ? ["--head", args[0].slice("--head=".length), ...args.slice(1)]
    : args;
  const head = headOf(value);
  if (flag === "--head" && head !== undefined && others.length === 0) return head;
  throw kernelErrors.malformed(`--head must be <id>:<hash> as in the log line "audit head", got "${args.join(" ")}"`);
}
