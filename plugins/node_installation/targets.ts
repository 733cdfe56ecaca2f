import type { Call } from "edgehelm";
import type { NodeGrantLogin, NodeGrants } from "../node_grant/contract.ts";
import type { InstallableNode, NodeLogin } from "./contract.ts";
import { InstallError } from "./errors.ts";

/** A complete login. */
export interface Target extends NodeLogin {
  readonly grant: NodeGrantLogin;
}

/** Returns the login of a node with its grant, or what is missing. */
export async function targetOf(
  call: Call,
  grants: NodeGrants,
  { login }: InstallableNode,
): Promise<Target | InstallError> {
  if (login === undefined) return new InstallError("EMPTY_LOGIN", "the node has no login");
  if (login.host === "") return new InstallError("EMPTY_SSH_HOST", "the login has no host");
  if (login.port === 0) return new InstallError("EMPTY_SSH_PORT", "the login has no port");
  if (login.grantId === 0n) return new InstallError("EMPTY_GRANT", "the login has no grant");
  const grant = await grants.login(call, login.grantId);
  if (grant === undefined) return new InstallError("EMPTY_GRANT", `grant ${login.grantId} does not exist`);
  return { ...login, grant };
}
