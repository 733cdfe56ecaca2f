import { type Client, createClient } from "edgehelm/client";
import { type Model, modelOf, type Reader } from "./model.ts";

/** The caller who is signed in. */
export interface Session extends Reader {
  readonly id: number;
  readonly name: string;
}

/** The refusal of a sign-in, in the words of the server. */
export class SignInError extends Error {
  readonly needsCode: boolean;

  constructor(message: string, needsCode: boolean) {
    super(message);
    this.needsCode = needsCode;
  }
}

/** A header that pages of other origins cannot send without asking first. */
const HEADERS = { "content-type": "application/json", "x-edgehelm-console": "1" };
const MARGIN_MILLISECONDS = 30_000;

export interface SignIn {
  readonly type: "admin" | "user";
  readonly username?: string;
  readonly password?: string;
  readonly accessKeyId?: string;
  readonly accessKey?: string;
  readonly code?: string;
}

/** Returns who is signed in, or undefined. */
export async function currentSession(): Promise<Session | undefined> {
  const response = await fetch("/console/session", { headers: HEADERS });
  return response.ok ? await response.json() as Session : undefined;
}

/** @throws SignInError if the server refuses the credentials */
export async function signIn(credentials: SignIn): Promise<Session> {
  const response = await fetch("/console/session", {
    method: "POST",
    headers: HEADERS,
    body: JSON.stringify(credentials),
  });
  const answer = await response.json();
  if (!response.ok) throw new SignInError(answer.message ?? response.statusText, answer.needsCode === true);
  return answer as Session;
}

export async function signOut(): Promise<void> {
  await fetch("/console/session", { method: "DELETE", headers: HEADERS });
}

/** Creates the client of a session, whose access tokens stay in the memory of the page. */
export function sessionClient(onEnd: () => void): Client {
  let current: { readonly token: string; readonly expiresAt: number } | undefined;
  async function token(): Promise<string> {
    if (current !== undefined && Date.now() < current.expiresAt - MARGIN_MILLISECONDS) return current.token;
    const response = await fetch("/console/token", { method: "POST", headers: HEADERS });
    if (!response.ok) {
      onEnd();
      throw new Error("the session has ended: sign in again");
    }
    const { token, expiresAt } = await response.json() as { readonly token: string; readonly expiresAt: number };
    current = { token, expiresAt: expiresAt * 1000 };
    return token;
  }
  return createClient({ baseUrl: location.origin, token });
}

/** Loads what the installation serves. */
export async function loadModel(): Promise<Model> {
  const [descriptors, comments] = await Promise.all([
    fetch("/console/api.binpb").then((response) => response.bytes()),
    fetch("/console/comments.json").then((response) => response.json()),
  ]);
  return modelOf(descriptors, comments);
}
