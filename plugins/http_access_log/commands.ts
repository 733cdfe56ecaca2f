import { choiceField, type Clock, idField, invalid, kernelErrors } from "edgehelm";
import type { Command } from "edgehelm/runtime";
import { uploadTimes } from "../node_base/contract.ts";
import { exportDay } from "./export_logs.ts";
import { importLogs } from "./import/import_logs.ts";
import { FORMATS, type ImportDefaults, LogReader } from "./import/reader.ts";
import type { LogFiles } from "./log_files.ts";
import type { LogStore } from "./contract/log_store.ts";
import type { LogOwners } from "./intake/owners.ts";
import { dayField } from "./request_id.ts";

export interface CommandDeps {
  readonly logs: LogStore;
  readonly owners: LogOwners;
  readonly files: LogFiles | undefined;
  readonly clock: Clock;
  readonly pastDays: number;
}

/** Returns the command line operations on access logs. */
export function logCommands({ logs, owners, files, clock, pastDays }: CommandDeps): readonly Command[] {
  function requireFiles(): LogFiles {
    if (files === undefined) throw kernelErrors.unavailable("this command needs a host with a file system");
    return files;
  }

  const days: Command = {
    name: "logs days",
    usage: " lists the days that have access logs",
    async run(call) {
      const all = await logs.days(call);
      return all.map(({ day, rows, bytes }) => `${day}  ${rows} rows${bytes > 0n ? `  ${bytes} bytes` : ""}`);
    },
  };

  const drop: Command = {
    name: "logs drop",
    usage: "<day> deletes the access logs of a day",
    async run(call, args) {
      const [day] = positional(args, 1, "<day>");
      dayField("day", day!);
      while (!await logs.dropDay(call, BigInt(day!)));
      return [`deleted the access logs of ${day}`];
    },
  };

  const exportCommand: Command = {
    name: "logs export",
    usage: "<day> <file> writes the access logs of a day as lines of JSON",
    async run(call, args) {
      const [day, path] = positional(args, 2, "<day> <file>");
      dayField("day", day!);
      const rows = await exportDay(call, { logs, files: requireFiles() }, BigInt(day!), path!);
      return [`wrote ${rows} access logs of ${day} to ${path}`];
    },
  };

  const importCommand: Command = {
    name: "logs import",
    usage: "<file> [--format=combined|caddy|edgehelm] [--server=<id>] [--node=<id>] [--host=<name>] [--scheme=https] " +
      "imports a log of nginx, Apache or Caddy, or an export",
    async run(call, args) {
      const { path, format, defaults } = importArguments(args);
      const reader = new LogReader(format, defaults, uploadTimes(call, clock, pastDays));
      const report = await importLogs(call, { logs, owners, files: requireFiles() }, reader, path);
      const { lines, imported, malformed, errors } = report;
      return [
        `imported ${imported} access logs from ${lines} lines of ${path}; ${malformed} malformed lines skipped`,
        ...errors.map((error) => `  ${error}`),
      ];
    },
  };

  return [days, drop, exportCommand, importCommand];
}

function positional(args: readonly string[], count: number, form: string): readonly string[] {
  if (args.length === count) return args;
  throw invalid("arguments", `must be ${form}, got "${args.join(" ")}"`);
}

const OPTION = /^--(format|server|node|host|scheme)=(.*)$/;

function importArguments(args: readonly string[]) {
  const options = new Map<string, string>();
  const paths: string[] = [];
  for (const arg of args) {
    const [, name, value] = OPTION.exec(arg) ?? [];
    if (name !== undefined) options.set(name, value!);
    else if (arg.startsWith("--")) throw invalid("arguments", `unknown option "${arg}"`);
    else paths.push(arg);
  }
  const [path] = positional(paths, 1, "<file> with options");
  const id = (name: string) => options.has(name) ? idField(name, idOf(name, options.get(name)!)) : 0n;
  const format = options.get("format");
  const defaults: ImportDefaults = {
    serverId: id("server"),
    nodeId: id("node"),
    host: options.get("host") ?? "",
    scheme: options.get("scheme") ?? "",
  };
  return { path: path!, format: format === undefined ? undefined : choiceField("format", format, FORMATS), defaults };
}

function idOf(name: string, text: string): bigint {
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  throw invalid(name, `must be an id, got "${text.slice(0, 60)}"`);
}
