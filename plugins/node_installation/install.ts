import type { Call } from "edgehelm";
import { apiYaml, serviceUnit } from "./configuration.ts";
import type { InstallableNode } from "./contract.ts";
import { InstallError } from "./errors.ts";
import type { Packages } from "./packages.ts";
import { ACTIVATE, CHECKSUM, CONFIGURE, DISCARD, PREPARE, REMOVE, STAGE, TEST, UNPACK } from "./scripts.ts";
import type { MachineSession } from "./session.ts";
import type { Progress } from "./steps.ts";
import type { PackageRow } from "./store.ts";

const UNPACK_MILLISECONDS = 300_000;
const TEST_MILLISECONDS = 40_000;
const CLEAN_MILLISECONDS = 10_000;

/** The program to install, and its place. */
export interface InstallPlan {
  readonly program: string;
  readonly node: InstallableNode;
  /** The directory of the program on the machine. */
  readonly root: string;
  readonly endpoints: readonly string[];
  /** The name of the release, different for each installation. */
  readonly release: string;
}

/** The dependencies of the steps besides the machine. */
export interface InstallDeps {
  readonly packages: Packages;
  readonly progress: Progress;
  /** Creates a call to read with. */
  readonly reads: () => Call;
  /** Ends the upload. */
  readonly signal: AbortSignal;
}

/** Brings the newest package to a machine, configures, tests and starts it. */
export class Install {
  readonly #session: MachineSession;
  readonly #plan: InstallPlan;
  readonly #deps: InstallDeps;
  #staged = "";

  constructor(session: MachineSession, plan: InstallPlan, deps: InstallDeps) {
    this.#session = session;
    this.#plan = plan;
    this.#deps = deps;
  }

  /** @throws InstallError with the code of the step that failed */
  async run(): Promise<void> {
    const { program, root, release, node, endpoints } = this.#plan;
    const { progress } = this.#deps;
    const session = this.#session;
    const of = [root, release];
    const found = await this.#package();
    progress.version = found.version;

    await progress.begin("directory");
    await session.asRoot({ text: PREPARE, args: [root], code: "CREATE_ROOT_DIRECTORY_FAILED" });

    await progress.begin("upload");
    await this.#upload(found);

    await progress.begin("unpack");
    const unpacked = { args: [root, this.#staged, release, program], milliseconds: UNPACK_MILLISECONDS };
    await session.asRoot({ text: UNPACK, ...unpacked, code: "INSTALL_HELPER_FAILED" });

    await progress.begin("configure");
    const input = apiYaml({ endpoints, uniqueId: node.uniqueId, secret: node.secret });
    await session.asRoot({ text: CONFIGURE, args: of, input, code: "INSTALL_HELPER_FAILED" });

    await progress.begin("test");
    await this.#test([...of, program]);

    await progress.begin("start");
    const unit = serviceUnit(program, root);
    const { serviceManager } = session.info;
    const args = [root, program, release, serviceManager];
    await session.asRoot({ text: ACTIVATE, args, input: unit, code: "TEST_FAILED", isFinal: true });
    await session.asAccount({ text: REMOVE, args: [this.#staged], code: "INSTALL_HELPER_FAILED", isFinal: true });
    progress.end();
  }

  /** Removes what a failed installation left, as far as the machine can be reached. */
  async clean(): Promise<void> {
    const { root, release } = this.#plan;
    const rest = { code: "INSTALL_HELPER_FAILED", milliseconds: CLEAN_MILLISECONDS, isFinal: true } as const;
    await this.#session.settled();
    await this.#session.asRoot({ text: DISCARD, args: [root, release], ...rest });
    if (this.#staged !== "") await this.#session.asAccount({ text: REMOVE, args: [this.#staged], ...rest });
  }

  async #package(): Promise<PackageRow> {
    const { program } = this.#plan;
    const { os, arch } = this.#session.info;
    const { packages, reads } = this.#deps;
    const latest = await packages.latest(reads(), program);
    const found = latest.find((candidate) => candidate.os === os && candidate.arch === arch);
    if (found !== undefined) return found;
    throw new InstallError("INSTALL_HELPER_FAILED", `there is no package of ${program} for ${os} ${arch}: upload one`);
  }

  /** Uploads the package from where an earlier upload ended, and once more if the result is not right. */
  async #upload(found: PackageRow): Promise<void> {
    const { home } = this.#session.info;
    const name = `${found.sha256.slice(0, 16)}-${found.filename}`;
    this.#staged = `${home}/.edgehelm/${name}`;
    const code = "INSTALL_HELPER_FAILED";
    const present = Number(await this.#session.asAccount({ text: STAGE, args: [name], code }));
    if (present > 0 && await this.#sent(found, present)) return;
    await this.#session.asAccount({ text: REMOVE, args: [this.#staged], code });
    if (!await this.#sent(found, 0)) {
      throw new InstallError(code, `${found.filename} arrived with another SHA-256 sum than ${found.sha256}`);
    }
  }

  /** Sends the rest of the package. Returns true if the file is then the package. */
  async #sent(found: PackageRow, offset: number): Promise<boolean> {
    const { packages, progress, reads, signal } = this.#deps;
    const size = Number(found.size);
    const code = "INSTALL_HELPER_FAILED";
    if (offset > size) return false;
    const source = {
      size,
      read: async (at: number, bytes: number) => {
        signal.throwIfAborted();
        progress.done(100 * at / size);
        return await packages.read(reads(), found, BigInt(at), bytes);
      },
    };
    if (offset < size) await this.#session.upload(this.#staged, source, offset, code);
    const sum = await this.#session.asAccount({ text: CHECKSUM, args: [this.#staged], code, milliseconds: 300_000 });
    return sum.slice(0, 64) === found.sha256;
  }

  async #test(args: readonly string[]): Promise<void> {
    try {
      await this.#session.asRoot({ text: TEST, args, code: "TEST_FAILED", milliseconds: TEST_MILLISECONDS });
    } catch (error) {
      const isCall = error instanceof InstallError && /\brpc\b/i.test(error.message);
      throw isCall ? new InstallError("RPC_TEST_FAILED", error.message) : error;
    }
  }
}
