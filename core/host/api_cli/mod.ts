import process from "node:process";
import { nearest } from "../../base/nearest.ts";
import { type ApiDocument, ApiDocuments } from "./api_document.ts";
import { call } from "./call.ts";
import { candidates, COMPLETE, completionScript } from "./completion.ts";
import { UsageError } from "./exit_codes.ts";
import { listProfiles, login, logout } from "./login.ts";
import { chosenProfile } from "./profiles.ts";
import { Session } from "./session.ts";
import { tailLogs } from "./tail.ts";

/** The commands that call an installation, beside those for its operations, as people read them. */
export const API_COMMANDS = [
  "  <service> <method> [flags]      calls an operation, such as: NSDomainService findNSDomain --nsDomainId 1",
  "  <service> [--help]              lists the operations of a service",
  "  services                        lists the services",
  "  login [--url <address>] [--type admin] [--id <id>] [--secret @file] [--profile <name>]",
  "  logout [--profile <name>]       removes a profile",
  "  profiles                        lists the profiles",
  "  logs tail [--serverId <id>] [--domain <host>] [--errors]   prints new access logs",
  "  export <folder> [--kind <name>] [--with-secrets]   writes the configuration to files with names instead of ids",
  "  plan <folder> [--delete] [--json]                  shows what apply would change",
  "  apply <folder> [--delete] [--yes] [--json]         brings the installation to what the files say",
  "  completion bash|zsh|fish        prints the script of a shell",
];

/** The arguments, without the profile that they may name before the command. */
interface Arguments {
  readonly profile: string | undefined;
  readonly words: readonly string[];
}

/**
 * Runs a command that calls an installation.
 *
 * @param otherCommands the names of commands that do not, for completion
 * @returns false if the arguments are no such command
 * @throws UsageError or ApiError
 */
export async function runApiCommand(args: readonly string[], otherCommands: readonly string[]): Promise<boolean> {
  const { profile, words } = readArguments(args);
  const [name = "", second = "", ...flags] = words;
  const usage = usageOf(name);
  if (usage.length > 0 && words.slice(1).some((word) => word === "--help" || word === "-h")) return print(usage);
  if (name === "login") return print(await login([...profileFlag(profile), ...words.slice(1)]));
  if (name === "logout") return print(await logout([...profileFlag(profile), ...words.slice(1)]));
  if (name === "profiles") return print(await listProfiles());
  if (name === "completion") return print([completionScript(second)]);
  if (name === COMPLETE) return print(await complete(profile, words.slice(1), otherCommands));
  if (name === "services") return print([...(await open(profile).then(({ document }) => document())).services.keys()]);
  if (name === "logs" && second === "tail") return await tail(profile, flags);
  const onFiles = FILE_COMMANDS[name];
  if (onFiles !== undefined) return await runOnFiles(profile, onFiles, words.slice(1));
  return await runOperation(profile, words);
}

/** Returns how a command is called; nothing for the name of a service or of another command. */
function usageOf(name: string): string[] {
  return API_COMMANDS.map((line) => line.trim()).filter((line) => line.split(" ")[0] === name)
    .map((line) => `usage: edgehelm ${line}`);
}

type FileCommand = "exportCommand" | "planCommand" | "applyCommand";

/** The commands for the configuration as files, which other commands do not load. */
const FILE_COMMANDS: Readonly<Record<string, FileCommand>> = {
  export: "exportCommand",
  plan: "planCommand",
  apply: "applyCommand",
};

async function runOnFiles(
  profile: string | undefined,
  command: FileCommand,
  args: readonly string[],
): Promise<true> {
  const { session, document } = await open(profile);
  const commands = await import("../configuration/command.ts");
  const { lines, code } = await commands[command]({ session, document: await document(true) }, args);
  process.exitCode = code;
  return print(lines);
}

function readArguments([first, second, ...rest]: readonly string[]): Arguments {
  if (first === undefined) return { profile: undefined, words: [] };
  if (first !== "--profile" && first !== "-p") {
    return { profile: undefined, words: [first, ...second === undefined ? [] : [second], ...rest] };
  }
  if (second === undefined) throw new UsageError(`${first}: must be followed by the name of a profile`);
  return { profile: second, words: rest };
}

function profileFlag(profile: string | undefined): string[] {
  return profile === undefined ? [] : ["--profile", profile];
}

async function open(named: string | undefined) {
  const { name, profile } = await chosenProfile(named);
  const documents = new ApiDocuments(profile.url);
  return { session: new Session(name, profile), document: (isFresh = false) => documents.load({ isFresh }) };
}

async function complete(
  profile: string | undefined,
  words: readonly string[],
  otherCommands: readonly string[],
): Promise<string[]> {
  const kept = await chosenProfile(profile).then(
    ({ profile: { url } }) => new ApiDocuments(url).kept(),
    () => undefined,
  );
  const own = API_COMMANDS.map((line) => line.trim().split(" ")[0]!).filter((word) => !word.startsWith("<"));
  return candidates(words, [...own, ...otherCommands], kept);
}

async function tail(profile: string | undefined, flags: readonly string[]): Promise<true> {
  const { session } = await open(profile);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  process.once("SIGTERM", () => stop.abort());
  await tailLogs(session, flags, stop.signal, (line) => console.log(line)).catch((error) => {
    if (!stop.signal.aborted) throw error;
  });
  return true;
}

async function runOperation(profile: string | undefined, words: readonly string[]): Promise<boolean> {
  const [service = "", method = "", ...flags] = words;
  // the short name of a service may also be the name of a plugin's command
  const isCertain = /.service$/i.test(service) || profile !== undefined;
  const opened = isCertain ? await open(profile) : await open(profile).catch(() => undefined);
  if (opened === undefined) return false;
  const { session, document: load } = opened;
  let document = isCertain ? await load() : await load().catch(() => undefined);
  // a plugin may have been added since the document was kept
  if (isCertain && !serves(document!, service, method)) document = await load(true);
  const operation = document?.operation(service, method);
  if (operation !== undefined) {
    await call(session, document!, operation, flags);
    return true;
  }
  const found = document?.service(service);
  if (found !== undefined && ["", "--help", "-h"].includes(method)) return print(methodsOf(document!, found));
  if (!isCertain) return false;
  throw new UsageError(
    found === undefined
      ? `${session.url} serves no service "${service}"${meant(service, document!.services.keys())}; list them with: ` +
        "edgehelm services"
      : `${found} has no operation "${method}"${meant(method, document!.services.get(found)!)}; list them with: ` +
        `edgehelm ${found}`,
  );
}

function meant(name: string, candidates: Iterable<string>): string {
  const found = nearest(name.replaceAll(/[-_]/g, ""), candidates);
  return found === undefined ? "" : `, did you mean "${found}"?`;
}

function serves(document: ApiDocument, service: string, method: string): boolean {
  return document.service(service) !== undefined &&
    (method === "" || method.startsWith("-") || document.operation(service, method) !== undefined);
}

function methodsOf(document: ApiDocument, service: string): string[] {
  const methods = document.services.get(service)!;
  const width = Math.max(...methods.map((method) => method.length));
  return methods.map((method) => `${method.padEnd(width)}  ${document.summary(service, method)}`);
}

function print(lines: readonly string[]): true {
  for (const line of lines) console.log(line);
  return true;
}
