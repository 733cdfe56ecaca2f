import { type Call, type Contract, defineContract, kernelErrors } from "edgehelm";

/** A package of a program for one kind of machine. */
export interface NodePackage {
  readonly os: string;
  readonly arch: string;
  readonly version: string;
  readonly filename: string;
  readonly sha256: string;
  /** The sum that nodes compare with, in hexadecimal. */
  readonly md5: string;
}

/** The node to install, as the plugin that stores it describes it. */
export interface InstallableNode {
  readonly name: string;
  readonly uniqueId: string;
  /** The decrypted secret of the node, which its configuration file contains. */
  readonly secret: string;
  /** The directory for programs on the machine; empty for the default. */
  readonly installDir: string;
  /** A JSON array of the addresses of the API; null for those that the installation has. */
  readonly apiNodeAddrsJSON: Uint8Array | null;
  /** Undefined if nothing is known of its machine. */
  readonly login: NodeLogin | undefined;
}

/** The means to log in to a machine; empty host, port 0 and grant 0 if they are not known. */
export interface NodeLogin {
  readonly host: string;
  readonly port: number;
  readonly grantId: bigint;
}

/** A program that nodes of one kind run. */
export interface NodeProgram {
  /** The role of the nodes. */
  readonly role: "node" | "dns";
  /** The code of the module of admins who may see and cancel its installations. */
  readonly module: string;
  /** The name of the program, with which the names of its packages begin, such as `edge-dns`. */
  readonly name: string;
  /** Returns the node, or undefined if it does not exist. */
  find(call: Call, nodeId: bigint): Promise<InstallableNode | undefined>;
  /** Marks a node as installed; runs in the transaction that ends the installation. */
  installed(call: Call, nodeId: bigint): Promise<void>;
}

/** The progress of the last installation of a node. */
export interface InstallStatus {
  readonly isRunning: boolean;
  readonly isFinished: boolean;
  readonly isOk: boolean;
  readonly error: string;
  readonly errorCode: string;
  readonly updatedAt: bigint;
}

/** Installs and controls one program. */
export interface ProgramInstaller {
  /**
   * Begins to install the newest package on a node, in the background. If the login is not complete, the installation
   * fails at once.
   *
   * @throws `node_installation.is_running`, or an `unavailable` error on hosts without SSH
   */
  request(call: Call, nodeId: bigint, kind: "install" | "upgrade"): Promise<void>;
  /** Returns the status of the installations of nodes, by id; a node without one is absent. */
  statuses(call: Call, nodeIds: readonly bigint[]): Promise<ReadonlyMap<bigint, InstallStatus>>;
  /** Forgets the installation of a node, and stops it if it runs. */
  forget(call: Call, nodeId: bigint): Promise<void>;
  /**
   * Starts or stops the program on a node.
   *
   * @returns the reason if that fails
   */
  control(call: Call, nodeId: bigint, verb: "start" | "stop"): Promise<string | undefined>;
  /** Returns the newest package of each operating system and architecture. */
  latest(call: Call): Promise<readonly NodePackage[]>;
  /** Returns up to `bytes` bytes of a package from an offset. */
  read(call: Call, filename: string, offset: bigint, bytes: number): Promise<Uint8Array>;
}

/** The contract through which the plugins of nodes install programs. */
export interface NodeInstallations {
  /** Registers a program. The plugin that stores its nodes calls it once, during setup. */
  of(program: NodeProgram): ProgramInstaller;
}
export const NodeInstallations: Contract<NodeInstallations> = defineContract("node_installation");

/** The status of a node on which nothing was installed over SSH. */
export function statusWithout(isInstalled: boolean): InstallStatus {
  return { isRunning: false, isFinished: isInstalled, isOk: isInstalled, error: "", errorCode: "", updatedAt: 0n };
}

/** @throws an `unavailable` error in installations without this plugin */
export function requireInstaller(installer: ProgramInstaller | undefined): ProgramInstaller {
  if (installer !== undefined) return installer;
  throw kernelErrors.unavailable("programs are installed by the plugin node_installation, which is not enabled");
}
