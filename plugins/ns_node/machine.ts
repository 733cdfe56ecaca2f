import type { Call, DeployPackage } from "edgehelm";

/** A piece of a file. */
export interface Chunk {
  readonly data: Uint8Array;
  /** The MD5 sum of the whole file, in hexadecimal. */
  readonly sum: string;
}

/** How to reach the machine of a node. */
export interface SSHTarget {
  readonly host: string;
  readonly port: number;
  readonly grantId: bigint;
}

/** What a node is to be set up with. */
export interface Installation extends SSHTarget {
  readonly uniqueId: string;
  readonly secret: string;
  readonly installDir: string;
}

/** What the machine that the server runs on offers. */
export interface Machine {
  /** The deploy packages of DNS nodes. */
  packages(call: Call): Promise<readonly DeployPackage[]>;
  /** A piece of a package from `offset` on, at most `size` bytes. */
  chunk(call: Call, filename: string, offset: bigint, size: number): Promise<Chunk>;
  /** Installs a node over SSH; throws an `InstallFailure` when a step fails. Absent where there is no SSH. */
  readonly install?: (call: Call, installation: Installation) => Promise<void>;
  /** Starts the program of a node over SSH; throws with the reason when it does not. */
  readonly start?: (call: Call, target: SSHTarget) => Promise<void>;
  readonly stop?: (call: Call, target: SSHTarget) => Promise<void>;
}

/** Why an installation ended, for people and for programs. */
export class InstallFailure extends Error {
  override readonly name = "InstallFailure";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
