import type { Call } from "edgehelm";

/** The credentials with which to log in to a machine. They must never be logged or be part of an error. */
export interface MachineLogin {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  /** Empty if the login is by key. */
  readonly password: string;
  /** PEM; empty if the login is by password. */
  readonly privateKey: string;
  readonly passphrase: string;
}

/** The public key with which a machine proves who it is. */
export interface HostKey {
  /** The algorithm, such as `ssh-ed25519`. */
  readonly type: string;
  /** Such as `SHA256:` and 43 characters of base64. */
  readonly fingerprint: string;
}

/** The conditions under which a connection is opened. */
export interface ConnectOptions {
  /** The algorithm of the key to ask for first; empty if there is none. */
  readonly keyType: string;
  /** Decides whether the key of the machine is the right one; otherwise nothing is sent to it. */
  verify(key: HostKey): Promise<boolean>;
  /** Closes the connection. */
  readonly signal: AbortSignal;
  /** The time for the whole connection. */
  readonly timeoutMilliseconds: number;
}

/** The result of a command. Texts are cut after 16 KiB. */
export interface CommandResult {
  /** The exit status; -1 if a signal ended the command. */
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The bytes to send to a file. */
export interface UploadSource {
  readonly size: number;
  /** Returns up to `bytes` bytes from an offset; at least one before the end. */
  read(offset: number, bytes: number): Promise<Uint8Array>;
}

/** A machine to which a connection is open. */
export interface Machine {
  /**
   * Runs a command and waits for its end.
   *
   * @param command a line for the shell of the account, see `commandLine`
   * @param input what the command reads
   */
  run(command: string, input: string, timeoutMilliseconds: number): Promise<CommandResult>;
  /** Writes a file from an offset on, which is the size that it already has. Uses SFTP if the machine has it. */
  upload(path: string, source: UploadSource, offset: number): Promise<void>;
  close(): void;
}

/** The part of a host that the plugin needs: SSH. */
export interface InstallationHost {
  /** @throws RpcError if the machine cannot be reached or refuses the login */
  connect(call: Call, login: MachineLogin, options: ConnectOptions): Promise<Machine>;
}
