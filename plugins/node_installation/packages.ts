import { type Call, type Clock, invalid, unixSeconds } from "edgehelm";
import { byteSums } from "edgehelm/runtime";
import type { Files } from "../file/contract.ts";
import { deployPackages, latestPackage } from "../node_base/contract.ts";
import type { NodePackage } from "./contract.ts";
import { errors } from "./errors.ts";
import type { PackageRow, PackageStore } from "./store.ts";

const READ_BYTES = 1024 * 1024;

/** The packages of node programs: files of the installation with a known sum. */
export class Packages {
  readonly #store: PackageStore;
  readonly #files: Files;
  readonly #clock: Clock;

  constructor(store: PackageStore, files: Files, clock: Clock) {
    this.#store = store;
    this.#files = files;
    this.#clock = clock;
  }

  /** Makes a finished file a package, after its content was compared with the sum that the caller expects. */
  async create(call: Call, fileId: bigint, sha256: string): Promise<bigint> {
    const file = await this.#files.requireOwned(call, fileId);
    if (file.userId !== 0n) throw invalid("fileId", `file ${fileId} belongs to a user`);
    if (!file.isFinished) throw invalid("fileId", `file ${fileId} is not finished`);
    const { program, found } = described(file.filename);
    const sums = byteSums();
    for (let offset = 0n; offset < file.size;) {
      const bytes = await this.#files.read(call, fileId, offset, READ_BYTES);
      if (bytes.length === 0) throw invalid("fileId", `file ${fileId} has no content`);
      sums.update(bytes);
      offset += BigInt(bytes.length);
    }
    const { sha256: actual, md5 } = sums.end();
    if (actual !== sha256) throw errors.sum_differs(file.filename, actual);
    const row = { program, ...found, fileId, size: file.size, sha256, md5, createdAt: unixSeconds(this.#clock) };
    return await call.transact(async (inner) => {
      const { filename } = found;
      if (await this.#store.named.first(inner, { filename }) !== undefined) throw errors.package_exists(filename);
      return (await this.#store.insert.one(inner, row)).id;
    });
  }

  /** Deletes a package with its file. */
  async remove(call: Call, id: bigint): Promise<void> {
    const row = await this.#store.find.first(call, { id });
    if (row === undefined) throw errors.package_not_found(id);
    await this.#store.remove.run(call, { id });
    await this.#files.remove(call, row.fileId);
  }

  async all(call: Call): Promise<readonly PackageRow[]> {
    return await this.#store.all.all(call, {});
  }

  /** Returns the newest package of each operating system and architecture. */
  async latest(call: Call, program: string): Promise<PackageRow[]> {
    const rows = await this.#store.ofProgram.all(call, { program });
    return [...Map.groupBy(rows, ({ os, arch }) => `${os} ${arch}`).values()].map((some) => latestPackage(some)!);
  }

  async read(call: Call, { fileId }: PackageRow, offset: bigint, bytes: number): Promise<Uint8Array> {
    return await this.#files.read(call, fileId, offset, bytes);
  }
}

/** Returns for what a package is, which its name says: program, system, architecture and version. */
function described(filename: string) {
  const program = filename.split("-").slice(0, -3).join("-");
  const [found] = /^[a-z0-9-]+$/.test(program) ? deployPackages(program, [filename]) : [];
  if (found !== undefined) return { program, found };
  const expected = "must be a file with a name such as edge-dns-linux-amd64-v1.2.3.tar.gz";
  throw invalid("fileId", `${expected}, got "${filename.slice(0, 80)}"`);
}

/** Returns what other plugins see of a package. */
export function packageSummary({ os, arch, version, filename, sha256, md5 }: PackageRow): NodePackage {
  return { os, arch, version, filename, sha256, md5 };
}
