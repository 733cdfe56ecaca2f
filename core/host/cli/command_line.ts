import { importLater } from "./import_later.ts";

const STOP_MILLISECONDS = 10_000;

/** The commands of the program itself. Each loads what it needs, so that none waits for the modules of others. */
const OWN_COMMANDS: Readonly<Record<string, OwnCommand>> = {
  start: {
    usage: "",
    run: async () => await (await importLater<typeof import("./serve.ts")>("./serve.ts")).serve(),
  },
  dev: {
    usage: "[manifest]",
    explainsItself: true,
    run: async (args) =>
      await (await importLater<typeof import("../dev/dev_command.ts")>("../dev/dev_command.ts")).dev(args),
  },
  migrate: {
    usage: "",
    run: async () => await withKernel(() => Promise.resolve(["all tables are up to date"])),
  },
  backup: {
    usage: "<file> [--force]",
    run: async (args) =>
      await (await importLater<typeof import("../backup/backup_command.ts")>("../backup/backup_command.ts")).backup(
        args,
      ),
  },
  restore: {
    usage: "<file> [--force]",
    run: async (args) =>
      await (await importLater<typeof import("../backup/restore_command.ts")>("../backup/restore_command.ts")).restore(
        args,
      ),
  },
  doctor: {
    usage: "",
    run: async () =>
      await (await importLater<typeof import("../doctor/doctor_command.ts")>("../doctor/doctor_command.ts")).doctor(),
  },
  config: {
    usage: "check | print",
    run: async (args) =>
      await (await importLater<typeof import("./config_command.ts")>("./config_command.ts")).configCommand(args),
  },
  bundle: {
    usage: "<manifest> <folder>",
    run: async (args) =>
      await (await importLater<typeof import("../bundle/bundle_command.ts")>("../bundle/bundle_command.ts")).bundle(
        args,
      ),
  },
  pack: {
    usage: "[plugin folder] <new folder>",
    run: async (args) =>
      await (await importLater<typeof import("../pack/pack_command.ts")>("../pack/pack_command.ts")).pack(args),
  },
  plugin: {
    usage: "list | add | remove | disable | enable | update | undo | why | new | gen | check",
    run: async (args) =>
      await (await importLater<typeof import("./plugin_command.ts")>("./plugin_command.ts")).pluginCommand(args),
  },
};

interface OwnCommand {
  readonly usage: string;
  /** True if the command runs with `--help`, and says more than its usage. */
  readonly explainsItself?: boolean;
  /** Runs the command and returns the lines to print. */
  run(args: readonly string[]): Promise<readonly string[] | void>;
}

/** Runs a command of the program itself, one that calls an installation or, if there is neither, one of a plugin. */
export async function runCommandLine([name = "start", ...args]: readonly string[]): Promise<void> {
  if (["help", "--help", "-h"].includes(name)) return print(await helpLines());
  const own = Object.hasOwn(OWN_COMMANDS, name) ? OWN_COMMANDS[name] : undefined;
  if (own !== undefined) {
    // before the command runs: start would serve, and backup would write a file with this name
    if (own.explainsItself !== true && args.some((word) => word === "--help" || word === "-h")) {
      return print([`usage: edgehelm ${usageOf(name, own)}`]);
    }
    return print(await own.run(args) ?? []);
  }
  const { runApiCommand } = await importLater<typeof import("../api_cli/mod.ts")>("../api_cli/mod.ts");
  if (!await runApiCommand([name, ...args], Object.keys(OWN_COMMANDS))) await runPluginCommand([name, ...args]);
}

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}

async function helpLines(): Promise<string[]> {
  const { API_COMMANDS } = await importLater<typeof import("../api_cli/mod.ts")>("../api_cli/mod.ts");
  return [
    "usage: edgehelm <command>",
    "",
    "An installation on this machine (plugins add commands of their own, such as admin, keys and logins):",
    ...ownUsages(),
    "",
    "Any installation, from anywhere:",
    ...API_COMMANDS,
  ];
}

function ownUsages(): string[] {
  return Object.entries(OWN_COMMANDS).map(([name, command]) => `  ${usageOf(name, command)}`);
}

function usageOf(name: string, { usage }: OwnCommand): string {
  return `${name} ${usage}`.trimEnd();
}

/** Opens the kernel, which migrates the database, runs the work, and closes the kernel. */
async function withKernel(work: (kernel: OpenedKernel) => Promise<readonly string[]>): Promise<readonly string[]> {
  const { openKernel } = await importLater<typeof import("../load/open_kernel.ts")>("../load/open_kernel.ts");
  const { kernel, close } = await openKernel();
  try {
    return [...kernel.notices, ...await work(kernel)];
  } finally {
    await close(STOP_MILLISECONDS);
  }
}

type OpenedKernel = Awaited<ReturnType<typeof import("../load/open_kernel.ts")["openKernel"]>>["kernel"];

/** Runs a command in the server that holds the database file or, if there is none, in this process. */
async function runPluginCommand(args: readonly string[]): Promise<void> {
  const { runInstallationCommand } = await importLater<typeof import("../control/installation_command.ts")>(
    "../control/installation_command.ts",
  );
  const local = await runInstallationCommand(args);
  if (local !== undefined) return print(local);
  const { runKernelCommand } = await importLater<typeof import("../control/kernel_command.ts")>(
    "../control/kernel_command.ts",
  );
  print(await withKernel((kernel) => runKernelCommand(kernel, args, ownUsages())));
}
