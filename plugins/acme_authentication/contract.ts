import { type Call, type Contract, defineContract } from "edgehelm";

/** A response to the question of a provider. */
export interface ACMEAuthentication {
  readonly token: string;
  readonly key: string;
  /** The site with the name that is proved: only nodes that serve it get the response. */
  readonly serverId: bigint;
  readonly acmeTaskId: bigint;
}

/** Lets nodes respond to the questions of providers. */
export interface ACMEAuthentications {
  publish(call: Call, authentication: ACMEAuthentication): Promise<void>;
  /** Removes the responses of a task. */
  removeOfTask(call: Call, acmeTaskId: bigint): Promise<void>;
}
export const ACMEAuthentications: Contract<ACMEAuthentications> = defineContract("acme_authentication");
