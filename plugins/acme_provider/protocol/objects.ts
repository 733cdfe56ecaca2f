import type { Clock } from "edgehelm";
import type { ACMEAuthorization, ACMEChallenge, ACMEOrder } from "../contract/connections.ts";
import { type JsonObject, problemText, retryAfter, textOf, textsOf } from "./responses.ts";
import { requireUrl } from "./session.ts";

const MAX_NAMES = 1000;
const MAX_CHALLENGES = 20;

/** Reads an order from a response. */
export function orderOf(url: string, order: JsonObject, response: Response, clock: Clock): ACMEOrder {
  const { host } = new URL(url);
  const identifiers = Array.isArray(order["identifiers"]) ? order["identifiers"].slice(0, MAX_NAMES) : [];
  const certificate = order["certificate"];
  return {
    url,
    status: textOf(order["status"]),
    names: identifiers.map((identifier: JsonObject) => textOf(identifier?.["value"]).toLowerCase()),
    authorizations: textsOf(order["authorizations"], MAX_NAMES).map((one) => requireUrl(host, "authorization", one)),
    finalize: requireUrl(host, "finalize", order["finalize"]),
    certificate: certificate === undefined ? "" : requireUrl(host, "certificate", certificate),
    error: problemText(order["error"]),
    retryAfterSeconds: retryAfter(response, clock),
  };
}

/** Reads an authorization from a response. */
export function authorizationOf(url: string, authorization: JsonObject): ACMEAuthorization {
  const { host } = new URL(url);
  const { identifier, wildcard, challenges } = authorization;
  const list = Array.isArray(challenges) ? challenges.slice(0, MAX_CHALLENGES) : [];
  return {
    name: textOf((identifier as JsonObject | undefined)?.["value"]).toLowerCase(),
    isWildcard: wildcard === true,
    status: textOf(authorization["status"]),
    challenges: list.map((challenge: JsonObject): ACMEChallenge => ({
      type: textOf(challenge?.["type"]),
      url: requireUrl(host, "challenge", challenge?.["url"]),
      token: textOf(challenge?.["token"]),
      status: textOf(challenge?.["status"]),
      error: problemText(challenge?.["error"]),
    })),
  };
}
