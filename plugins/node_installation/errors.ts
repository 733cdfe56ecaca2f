import { defineErrors } from "edgehelm";

export const errors = defineErrors("node_installation", {
  not_found: ["not_found", (role: string, id: bigint) => `nothing was installed on ${role} node ${id}`],
  is_running: ["conflict", (id: bigint) => `node ${id} is being installed: wait for its end, or cancel it`],
  not_running: ["conflict", (role: string, id: bigint) => `no installation of ${role} node ${id} is running`],
  package_not_found: ["not_found", (id: bigint) => `package ${id} does not exist`],
  package_exists: ["conflict", (filename: string) => `package "${filename}" already exists`],
  sum_differs: [
    "conflict",
    (filename: string, sha256: string) => `sha256: the file "${filename}" has the sum ${sha256}: upload it again`,
  ],
  host_key_not_found: ["not_found", (host: string, port: number) => `no host key of ${host} port ${port} is known`],
  host_key_not_offered: [
    "conflict",
    (host: string, port: number, fingerprint: string) =>
      `fingerprint: ${host} port ${port} did not offer ${fingerprint} last; load its keys again`,
  ],
});

/** The codes with which installations end. Consoles know them. */
export type InstallErrorCode =
  | "EMPTY_LOGIN"
  | "EMPTY_SSH_HOST"
  | "EMPTY_SSH_PORT"
  | "EMPTY_GRANT"
  | "SSH_LOGIN_FAILED"
  | "CREATE_ROOT_DIRECTORY_FAILED"
  | "INSTALL_HELPER_FAILED"
  | "TEST_FAILED"
  | "RPC_TEST_FAILED";

/** The end of an installation that did not succeed; the code is empty if no step failed. */
export class InstallError extends Error {
  override readonly name = "InstallError";
  readonly code: InstallErrorCode | "";

  constructor(code: InstallErrorCode | "", message: string) {
    super(message);
    this.code = code;
  }
}
