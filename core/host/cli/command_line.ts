import { StartupError } from "../../base/startup_error.ts";
import { importLater } from "./import_later.ts";

const STOP_MILLISECONDS = 10_000;

/** The commands of the program itself. Each loads what it needs, so that none waits for the modules of others. */
const OWN_COMMANDS: Readonly<Record<string, OwnCommand>> = {
  start: {
    usage: "[--strict] [--new] [--without-backup]",
    about: "serves the installation, without plugins that fail, or with --strict only if none does",
    run: async (args) => {
      const flags = readFlags("start", args, ["--strict", "--new", "--without-backup"]);
      const options = {
        isAnew: flags.has("--new"),
        mayDegrade: !flags.has("--strict"),
        withoutBackup: flags.has("--without-backup"),
      };
      await (await importLater<typeof import("./serve.ts")>("./serve.ts")).serve(options);
    },
  },
  dev: {
    usage: "[manifest]",
    about: "serves an installation, and takes up changes of plugins when their files are saved",
    explainsItself: true,
    run: async (args) =>
      await (await importLater<typeof import("../dev/dev_command.ts")>("../dev/dev_command.ts")).dev(args),
  },
  migrate: {
    usage: "[--new] [--without-backup] | --check [--json]",
    about: "creates or updates the tables of the installation, after a backup, or with --check says what it would do",
    run: async (args) => {
      if (args.includes("--check")) {
        const flags = readFlags("migrate", args, ["--check", "--json"]);
        const { checkMigrations } = await importLater<typeof import("./migrate_check.ts")>(
          "./migrate_check.ts",
        );
        return await checkMigrations(flags.has("--json"));
      }
      const flags = readFlags("migrate", args, ["--new", "--without-backup"]);
      const options = { isAnew: flags.has("--new"), withoutBackup: flags.has("--without-backup") };
      return await withKernel(() => Promise.resolve(["all tables are up to date"]), options);
    },
  },
  backup: {
    usage: "<file> [--force]",
    about: "copies the database into a file, even while a server uses it",
    run: async (args) =>
      await (await importLater<typeof import("../backup/commands/backup_command.ts")>(
        "../backup/commands/backup_command.ts",
      )).backup(
        args,
      ),
  },
  restore: {
    usage: "<file, s3:// address or latest> [--force]",
    about: "replaces the database by a backup",
    run: async (args) =>
      await (await importLater<typeof import("../backup/commands/restore_command.ts")>(
        "../backup/commands/restore_command.ts",
      )).restore(
        args,
      ),
  },
  check: {
    usage: "",
    about: "verifies every page and index of the database, even while a server uses it",
    run: async (args) =>
      await (await importLater<typeof import("../check/check_command.ts")>("../check/check_command.ts")).check(args),
  },
  doctor: {
    usage: "",
    about: "checks the machine and the settings, and says what to do",
    run: async () =>
      await (await importLater<typeof import("../doctor/doctor_command.ts")>("../doctor/doctor_command.ts")).doctor(),
  },
  config: {
    usage: "check | print",
    about: "checks the settings, or prints them with their defaults",
    run: async (args) =>
      await (await importLater<typeof import("./config_command.ts")>("./config_command.ts")).configCommand(args),
  },
  bundle: {
    usage: "<manifest> <folder>",
    about: "bundles an installation for edge runtimes",
    run: async (args) =>
      await (await importLater<typeof import("../bundle/bundle_command.ts")>("../bundle/bundle_command.ts")).bundle(
        args,
      ),
  },
  pack: {
    usage: "[plugin folder] <new folder>",
    about: "makes an npm package of a plugin, or of Edgehelm itself",
    run: async (args) =>
      await (await importLater<typeof import("../pack/pack_command.ts")>("../pack/pack_command.ts")).pack(args),
  },
  plugin: {
    usage: "<action>",
    about: "adds, removes, lists, creates and checks plugins; see: edgehelm help plugin",
    explainsItself: true,
    run: async (args) =>
      await (await importLater<typeof import("./plugin_command.ts")>("./plugin_command.ts")).pluginCommand(args),
  },
};

interface OwnCommand {
  readonly usage: string;
  readonly about: string;
  /** True if the command runs with `--help`, and says more than its usage. */
  readonly explainsItself?: boolean;
  /** Runs the command and returns the lines to print. */
  run(args: readonly string[]): Promise<readonly string[] | void>;
}

/** Runs a command of the program itself, one that calls an installation or, if there is neither, one of a plugin. */
export async function runCommandLine([name = "start", ...args]: readonly string[]): Promise<void> {
  if (["help", "--help", "-h"].includes(name)) return await help(args.filter((word) => !isHelpFlag(word)));
  const own = Object.hasOwn(OWN_COMMANDS, name) ? OWN_COMMANDS[name] : undefined;
  if (own !== undefined) {
    // before the command runs: start would serve, and backup would write a file with this name
    if (own.explainsItself !== true && args.some(isHelpFlag)) return print(explanationOf(name, own));
    return print(await own.run(args) ?? []);
  }
  if (!await runApi([name, ...args])) await runPluginCommand([name, ...args]);
}

/** Explains a command or, without one, lists all. */
async function help([name, ...rest]: readonly string[]): Promise<void> {
  const { API_COMMANDS } = await apiCli();
  if (name === undefined) return print(helpLines(API_COMMANDS));
  if (Object.hasOwn(OWN_COMMANDS, name)) return await runCommandLine([name, ...rest, "--help"]);
  if (await runApi([name, ...rest.slice(0, 1), "--help"])) return;
  const { explainPluginCommands } = await importLater<typeof import("./plugin_commands_help.ts")>(
    "./plugin_commands_help.ts",
  );
  print(await explainPluginCommands([name, ...rest].join(" "), otherNames(API_COMMANDS)));
}

/** @throws StartupError for an argument that is none of the flags */
function readFlags(name: string, args: readonly string[], flags: readonly string[]): ReadonlySet<string> {
  const unknown = args.find((arg) => !flags.includes(arg));
  if (unknown === undefined) return new Set(args);
  const usage = flags.map((flag) => `[${flag}]`).join(" ");
  throw new StartupError(`unknown argument "${unknown}"; usage: edgehelm ${name} ${usage}`);
}

function isHelpFlag(word: string): boolean {
  return word === "--help" || word === "-h";
}

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}

function helpLines(apiCommands: readonly string[]): string[] {
  return [
    "usage: edgehelm <command>",
    "",
    "An installation on this machine:",
    ...ownUsages(),
    "  Plugins add commands of their own, such as admin, keys and logins.",
    "",
    "Any installation, from anywhere; each of its operations is a command:",
    ...apiCommands,
    "",
    "edgehelm help <command> explains one of them, and edgehelm <service> --help lists operations.",
  ];
}

function ownUsages(): string[] {
  const width = Math.max(...Object.entries(OWN_COMMANDS).map(([name, command]) => usageOf(name, command).length));
  return Object.entries(OWN_COMMANDS).map(([name, command]) =>
    `  ${usageOf(name, command).padEnd(width)}  ${command.about}`
  );
}

function explanationOf(name: string, command: OwnCommand): string[] {
  const about = command.about.charAt(0).toUpperCase() + command.about.slice(1);
  return [`usage: edgehelm ${usageOf(name, command)}`, "", `${about}.`];
}

function usageOf(name: string, { usage }: OwnCommand): string {
  return `${name} ${usage}`.trimEnd();
}

/** Returns the names of the commands that are no plugin's, which a misspelt name may mean. */
function otherNames(apiCommands: readonly string[]): string[] {
  const names = apiCommands.map((line) => line.trim().split(" ")[0]!).filter((name) => !name.startsWith("<"));
  return [...Object.keys(OWN_COMMANDS), ...new Set(names)];
}

async function apiCli() {
  return await importLater<typeof import("../api_cli/mod.ts")>("../api_cli/mod.ts");
}

async function runApi(args: readonly string[]): Promise<boolean> {
  return await (await apiCli()).runApiCommand(args, Object.keys(OWN_COMMANDS));
}

/** Opens the kernel, which migrates the database, runs the work, and closes the kernel. */
async function withKernel(
  work: (kernel: OpenedKernel) => Promise<readonly string[]>,
  options: Pick<MachineOptions, "isAnew" | "withoutBackup"> = {},
): Promise<readonly string[]> {
  const { openKernel } = await importLater<typeof import("../load/open_kernel.ts")>("../load/open_kernel.ts");
  const { kernel, close } = await openKernel(options);
  try {
    return [...kernel.notices, ...await work(kernel)];
  } finally {
    await close(STOP_MILLISECONDS);
  }
}

type MachineOptions = import("../load/open_kernel.ts").MachineOptions;
type OpenedKernel = Awaited<ReturnType<typeof import("../load/open_kernel.ts")["openKernel"]>>["kernel"];

/** Runs a command in the server that holds the database file or, if there is none, in this process. */
async function runPluginCommand(args: readonly string[]): Promise<void> {
  const others = otherNames((await apiCli()).API_COMMANDS);
  const { runInstallationCommand } = await importLater<typeof import("../control/installation_command.ts")>(
    "../control/installation_command.ts",
  );
  const local = await runInstallationCommand(args, others);
  if (local !== undefined) return print(local);
  const { requireCommandBeforeFirstStart } = await importLater<typeof import("./plugin_commands_help.ts")>(
    "./plugin_commands_help.ts",
  );
  await requireCommandBeforeFirstStart(args, others);
  const { runKernelCommand } = await importLater<typeof import("../control/kernel_command.ts")>(
    "../control/kernel_command.ts",
  );
  print(await withKernel((kernel) => runKernelCommand(kernel, args, others)));
}
