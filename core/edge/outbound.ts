import { kernelErrors, RpcError } from "../base/errors.ts";
import type { Outbound } from "../base/outbound.ts";
import { StartupError } from "../base/startup_error.ts";
import { OutboundClient } from "../outbound/client.ts";
import { outboundRules, type OutboundSettings } from "../outbound/settings.ts";
import type { Transport } from "../outbound/transport.ts";

/** Sends requests with the fetch of a worker, whose platform resolves names: only listed hosts can be allowed. */
const transport: Transport = {
  checksAddresses: false,
  async send({ url, method, headers, body, ca }, signal) {
    if (ca !== undefined) throw kernelErrors.unavailable("workers trust the authorities of their platform only");
    const response = await fetch(url, { method, headers, body: body ?? null, redirect: "manual", signal });
    // the form in which browsers hide a redirect, which therefore cannot be checked
    if (response.type === "opaqueredirect") {
      throw kernelErrors.unavailable(`${url.host} redirects, unseen by this runtime`);
    }
    return response;
  },
  // the platform resolves names
  requireAddresses: () => Promise.resolve(),
  connect({ host }) {
    return Promise.reject(kernelErrors.unavailable(`workers cannot connect to ${host}: they speak HTTP only`));
  },
};

/** @throws StartupError that names the setting */
export function edgeOutbound(settings: OutboundSettings | undefined): Outbound {
  try {
    return new OutboundClient(transport, outboundRules(settings).hosts);
  } catch (error) {
    throw error instanceof RpcError ? new StartupError(error.message, { cause: error }) : error;
  }
}
