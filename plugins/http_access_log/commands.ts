import { choiceField, type Clock, type Command, idField, invalid, kernelErrors } from "edgehelm";
import { exportDay } from "./export_logs.ts";
import { importLogs } from "./import/import_logs.ts";
import { FORMATS, type ImportDefaults, LogReader } from "./import/reader.ts";
import type { LogHost } from "./log_host.ts";
import type { LogStore } from "./log_store.ts";
import type { LogOwners } from "./owners.ts";
import { latestSecond } from "./received.ts";
import { dayField } from "./request_id.ts";

export interface CommandDeps {
  readonly logs: LogStore;
  readonly owners: LogOwners;
  readonly host: LogHost | undefined;
  readonly clock: Clock;
}

/** What the operator can do with logs on the command line. */
export function logCommands({ logs, owners, host, clock }: CommandDeps): readonly Command[] {
  function machine(): LogHost {
    if (host === undefined) throw kernelErrors.unavailable("there is no machine to read and write files on");
    return host;
  }

  const days: Command = {
    name: "logs days",
    usage: " shows the days of which there are access logs",
    async run(call) {
      const all = await logs.days(call);
      return all.map(({ day, rows, bytes }) => `${day}  ${rows} rows${bytes > 0n ? `  ${bytes} bytes` : ""}`);
    },
  };

  const drop: Command = {
    name: "logs drop",
    usage: "<day> removes the access logs of a day",
    async run(call, words) {
      const [day] = plainWords(words, 1, "<day>");
      dayField("day", day!);
      while (!await logs.dropDay(call, BigInt(day!)));
      return [`the access logs of ${day} are gone`];
    },
  };

  const exported: Command = {
    name: "logs export",
    usage: "<day> <file> writes the access logs of a day as lines of JSON",
    async run(call, words) {
      const [day, path] = plainWords(words, 2, "<day> <file>");
      dayField("day", day!);
      const rows = await exportDay(call, { logs, host: machine() }, BigInt(day!), path!);
      return [`wrote ${rows} access logs of ${day} to ${path}`];
    },
  };

  const imported: Command = {
    name: "logs import",
    usage: "<file> [--format=combined|caddy|edgehelm] [--server=<id>] [--node=<id>] [--host=<name>] [--scheme=https] " +
      "reads the log of nginx, Apache, Caddy or an export",
    async run(call, words) {
      const { path, format, defaults } = importWords(words);
      const reader = new LogReader(format, defaults, latestSecond(clock.now()));
      const report = await importLogs(call, { logs, owners, host: machine() }, reader, path);
      const { lines, read, malformed, faults } = report;
      return [
        `read ${read} access logs in ${lines} lines of ${path}; ${malformed} lines could not be read`,
        ...faults.map((fault) => `  ${fault}`),
      ];
    },
  };

  return [days, drop, exported, imported];
}

function plainWords(words: readonly string[], count: number, form: string): readonly string[] {
  if (words.length === count) return words;
  throw invalid("arguments", `must be ${form}, got "${words.join(" ")}"`);
}

const OPTION = /^--(format|server|node|host|scheme)=(.*)$/;

function importWords(words: readonly string[]) {
  const options = new Map<string, string>();
  const paths: string[] = [];
  for (const word of words) {
    const [, name, value] = OPTION.exec(word) ?? [];
    if (name !== undefined) options.set(name, value!);
    else if (word.startsWith("--")) throw invalid("arguments", `must not have "${word}"`);
    else paths.push(word);
  }
  const [path] = plainWords(paths, 1, "<file> with options");
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
