import { Buffer } from "node:buffer";
import type { NSKey } from "../../ns_key/proto/service_ns_key_pb.ts";
import type { Key } from "./store/node_state.ts";

/** Returns a key as Knot needs it, or undefined if it signs nothing. */
export function keyOf({ id, isOn, isDeleted, name, algo, secret, secretType, nsDomain }: NSKey): Key | undefined {
  if (!isOn || isDeleted || secret === "") return undefined;
  return {
    id: String(id),
    nsDomainId: String(nsDomain?.id ?? 0n),
    name,
    algorithm: algo.replace(/\.$/, ""),
    secret: secretType === "clear" ? Buffer.from(secret).toString("base64") : secret,
  };
}
