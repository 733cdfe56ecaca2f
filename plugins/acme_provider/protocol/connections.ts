import { type Call, type Clock } from "edgehelm";
import { ACMEError } from "../contract/acme_error.ts";
import type { ACMEAccount, ACMEConnections, ACMEOrder, ACMERegistration } from "../contract/connections.ts";
import type { ACMEProviders } from "../contract.ts";
import { base64UrlBytes, base64UrlText } from "../contract/base64url.ts";
import { bound, importKey, signed } from "../contract/jws.ts";
import { authorizationOf, orderOf } from "./objects.ts";
import { pemBytes } from "../contract/pem.ts";
import { textsOf } from "./responses.ts";
import { ProviderSession, requireUrl } from "./session.ts";

/** The orders of an account that a search reads. */
const MAX_SEARCHED = 200;
const CHAIN_TYPE = "application/pem-certificate-chain";

/** Implements the contract `ACMEConnections`. */
export class Connections implements ACMEConnections {
  readonly #providers: ACMEProviders;
  readonly #clock: Clock;
  readonly #sessions = new Map<string, ProviderSession>();

  constructor(providers: ACMEProviders, clock: Clock) {
    this.#providers = providers;
    this.#clock = clock;
  }

  #session(code: string): ProviderSession {
    const known = this.#sessions.get(code);
    if (known !== undefined) return known;
    const provider = this.#providers.find(code);
    if (provider === undefined) throw new ACMEError(`the provider "${code}" is not configured`, "", 404);
    const session = new ProviderSession(provider, this.#clock);
    this.#sessions.set(code, session);
    return session;
  }

  async register(call: Call, code: string, { key, email, eabKid, eabKey }: ACMERegistration): Promise<string> {
    const session = this.#session(code);
    const { newAccount } = await session.directory(call);
    const secret = base64UrlBytes(eabKey);
    if (eabKid !== "" && (secret === undefined || secret.length === 0)) {
      throw new ACMEError("the key of the external account binding is not base64url", "", 400);
    }
    const { jwk } = await importKey(key);
    const response = await session.post(call, { key }, newAccount, {
      termsOfServiceAgreed: true,
      ...email !== "" && { contact: [`mailto:${email}`] },
      ...eabKid !== "" && { externalAccountBinding: await bound(jwk, eabKid, secret!, newAccount) },
    });
    await response.body?.cancel();
    return requireUrl(new URL(newAccount).host, "account", response.headers.get("location"));
  }

  async find(call: Call, code: string, key: string): Promise<string | undefined> {
    const session = this.#session(code);
    const { newAccount } = await session.directory(call);
    try {
      const response = await session.post(call, { key }, newAccount, { onlyReturnExisting: true });
      await response.body?.cancel();
      return requireUrl(new URL(newAccount).host, "account", response.headers.get("location"));
    } catch (error) {
      if (error instanceof ACMEError && error.type === "accountDoesNotExist") return undefined;
      throw error;
    }
  }

  async changeContact(call: Call, account: ACMEAccount, email: string): Promise<void> {
    const contact = email === "" ? [] : [`mailto:${email}`];
    const response = await this.#session(account.providerCode).post(call, account, account.url, { contact });
    await response.body?.cancel();
  }

  async changeKey(call: Call, account: ACMEAccount, newKey: string): Promise<void> {
    const session = this.#session(account.providerCode);
    const { keyChange } = await session.directory(call);
    const [oldKey, next] = [await importKey(account.key), await importKey(newKey)];
    const inner = await signed(next.privateKey, { jwk: next.jwk, url: keyChange }, {
      account: account.url,
      oldKey: oldKey.jwk,
    });
    const response = await session.post(call, account, keyChange, inner);
    await response.body?.cancel();
  }

  async newOrder(call: Call, account: ACMEAccount, names: readonly string[]): Promise<ACMEOrder> {
    const session = this.#session(account.providerCode);
    const { newOrder } = await session.directory(call);
    const identifiers = names.map((value) => ({ type: "dns", value }));
    const [order, response] = await session.postJson(call, account, newOrder, { identifiers });
    const url = requireUrl(new URL(newOrder).host, "order", response.headers.get("location"));
    return orderOf(url, order, response, this.#clock);
  }

  async findOrder(
    call: Call,
    account: ACMEAccount,
    names: readonly string[],
    exceptUrls: readonly string[],
  ): Promise<ACMEOrder | undefined> {
    const session = this.#session(account.providerCode);
    const [found] = await session.postJson(call, account, account.url, undefined);
    let next = typeof found["orders"] === "string" ? found["orders"] : undefined;
    const wanted = [...names].sort().join();
    for (let searched = 0; next !== undefined && searched < MAX_SEARCHED;) {
      const [list, response]: [Readonly<Record<string, unknown>>, Response] = await session.postJson(
        call,
        account,
        next,
        undefined,
      );
      for (const url of textsOf(list["orders"], MAX_SEARCHED)) {
        if (searched++ === MAX_SEARCHED) break;
        if (exceptUrls.includes(url)) continue;
        const order = await this.order(call, account, url);
        if (order.status !== "invalid" && [...order.names].sort().join() === wanted) return order;
      }
      next = nextPage(next, response);
    }
    return undefined;
  }

  async order(call: Call, account: ACMEAccount, url: string): Promise<ACMEOrder> {
    const session = this.#session(account.providerCode);
    const [order, response] = await session.postJson(call, account, url, undefined);
    return orderOf(url, order, response, this.#clock);
  }

  async authorization(call: Call, account: ACMEAccount, url: string) {
    const [authorization] = await this.#session(account.providerCode).postJson(call, account, url, undefined);
    return authorizationOf(url, authorization);
  }

  async answer(call: Call, account: ACMEAccount, challengeUrl: string): Promise<void> {
    const response = await this.#session(account.providerCode).post(call, account, challengeUrl, {});
    await response.body?.cancel();
  }

  async finalize(call: Call, account: ACMEAccount, finalizeUrl: string, csr: string): Promise<void> {
    const response = await this.#session(account.providerCode).post(call, account, finalizeUrl, { csr });
    await response.body?.cancel();
  }

  async certificate(call: Call, account: ACMEAccount, url: string): Promise<string> {
    const session = this.#session(account.providerCode);
    return await (await session.post(call, account, url, undefined, CHAIN_TYPE)).text();
  }

  async revoke(call: Call, account: ACMEAccount, certificate: string, reason: number): Promise<void> {
    const session = this.#session(account.providerCode);
    const { revokeCert } = await session.directory(call);
    const bytes = pemBytes("CERTIFICATE", certificate);
    if (bytes === undefined) throw new ACMEError("there is no certificate to revoke", "", 400);
    const response = await session.post(call, account, revokeCert, { certificate: base64UrlText(bytes), reason });
    await response.body?.cancel();
  }
}

/** Returns the URL of the next page of a list (RFC 8555, 7.1.2.1). */
function nextPage(url: string, response: Response): string | undefined {
  const [, next] = /<([^<>]{1,2000})>\s*;\s*rel="?next"?/.exec(response.headers.get("link") ?? "") ?? [];
  return next === undefined || !URL.canParse(next, url) ? undefined : new URL(next, url).href;
}
