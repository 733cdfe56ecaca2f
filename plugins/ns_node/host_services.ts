import type { Call } from "edgehelm";
import type { DeployPackage } from "../node_base/contract.ts";

/** A chunk of a file. */
export interface Chunk {
  readonly data: Uint8Array;
  /** The MD5 sum of the whole file, in hexadecimal. */
  readonly sum: string;
}

/** The address and the grant of a node's machine. */
export interface SSHTarget {
  readonly host: string;
  readonly port: number;
  readonly grantId: bigint;
}

/** The parameters of the installation of a node. */
export interface Installation extends SSHTarget {
  readonly uniqueId: string;
  readonly secret: string;
  readonly installDir: string;
}

/** The services of the host that the edge does not have: files and, optionally, SSH. */
export interface HostServices {
  /** Returns the deploy packages of DNS nodes. */
  packages(call: Call): Promise<readonly DeployPackage[]>;
  /** Returns up to `size` bytes of a package, starting at `offset`. */
  chunk(call: Call, filename: string, offset: bigint, size: number): Promise<Chunk>;
  /** Installs a node over SSH and throws an `InstallError` if a step fails. Absent on hosts without SSH. */
  readonly install?: (call: Call, installation: Installation) => Promise<void>;
  /** Starts the program of a node over SSH and throws an error with the reason if it fails. */
  readonly start?: (call: Call, target: SSHTarget) => Promise<void>;
  /** Stops the program of a node over SSH and throws an error with the reason if it fails. */
  readonly stop?: (call: Call, target: SSHTarget) => Promise<void>;
}

/** The error of an installation, with a machine-readable code. */
export class InstallError extends Error {
  override readonly name = "InstallError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
