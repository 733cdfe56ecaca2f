import { type Call, type Contract, defineContract } from "edgehelm";

/** The contract through which other plugins find the API. */
export interface APINodes {
  /** Returns the addresses at which nodes reach the API, such as `https://api.example.com:8001`, the primary one first. */
  endpoints(call: Call): Promise<readonly string[]>;
}
export const APINodes: Contract<APINodes> = defineContract("api_node");
