import type { Installation } from "../../installation/installation.ts";
import type { NodeKey } from "./nodes.ts";

/** Returns a function that calls operations over HTTP as a DNS node. */
export async function nodeCall(installation: Installation, { uniqueId, secret }: NodeKey) {
  const key = { type: "dns", accessKeyId: uniqueId, accessKey: secret };
  const path = "/APIAccessTokenService/getAPIAccessToken";
  const { token } = await installation.call<{ token: string }>(path, key);
  return async <Response>(path: string, request: unknown): Promise<Response> => {
    const response = await fetch(`http://127.0.0.1:${installation.httpPort}${path}`, {
      method: "POST",
      headers: { "x-cloud-access-token": token },
      body: JSON.stringify(request),
    });
    const { code, data, message } = await response.json();
    if (code !== 200) throw new Error(`${path}: ${message}`);
    return data;
  };
}
