import { type Client, createClient } from "edgehelm/client";
import { askConsole, type Grant } from "./console_requests.ts";
import { type Model, modelOf, type Reader } from "./model.ts";
import type { SessionToken } from "./session_token.ts";

/** The caller who is signed in. */
export interface Session extends Reader {
  /** The id of the admin or user. */
  readonly id: bigint;
  readonly name: string;
  readonly username: string;
  /** True if the reader may do nothing before there is a second factor. */
  readonly mustSetUp: boolean;
  readonly client: Client;
}

/** The credentials of a person, as they are typed. */
export type SignIn =
  & { readonly type: "admin" | "user" }
  & (
    | { readonly username: string; readonly password: string; readonly code: string }
    | { readonly accessKeyId: string; readonly accessKey: string }
  );

type Fields = Record<string, unknown>;
type Service = Record<string, (request: Fields) => Promise<Fields>>;

/**
 * Signs in. Returns undefined if the code of the second factor is missing.
 *
 * @throws ApiError if the server refuses
 */
export async function signIn(typed: SignIn): Promise<Grant | undefined> {
  const grant = await askConsole<Grant & { readonly needsCode?: boolean }>("sign_in", typed);
  return grant.needsCode ? undefined : grant;
}

/** Returns the session of the person to whom the grant was given. */
export async function sessionOf(
  { type, id: idText, mustSetUp }: Grant,
  token: SessionToken,
  model: Model,
): Promise<Session> {
  const id = BigInt(idText);
  const client = createClient({ baseUrl: location.origin, token: () => token.get() });
  const [service, method, request] = type === "admin"
    ? ["AdminService", "findEnabledAdmin", { adminId: id }] as const
    : ["UserService", "findEnabledUser", { userId: id }] as const;
  const descriptor = model.operations.find((operation) => operation.service.name === service)?.service;
  const own = descriptor && await (client.service(descriptor) as unknown as Service)[method]!(request);
  const { username = "", fullname, isSuper, Modules: modules } = (own?.[type] ?? {}) as {
    readonly username?: string;
    readonly fullname?: string;
    readonly isSuper?: boolean;
    readonly Modules?: readonly { readonly code: string }[];
  };
  return {
    type,
    id,
    name: fullname || username || `${type} ${id}`,
    username,
    mustSetUp,
    isSuper: isSuper === true,
    modules: modules?.map(({ code }) => code) ?? [],
    client,
  };
}

/** Loads what the installation serves. */
export async function loadModel(): Promise<Model> {
  return modelOf(await (await fetch("/console/api.binpb")).bytes());
}

/** Loads the comments of what the installation serves, by full name, in the language of the reader if they have it. */
export async function loadComments(language: string): Promise<Readonly<Record<string, string>>> {
  return await (await fetch(`/console/comments.${language}.json`)).json();
}
