import { type AccessKey, ApiError, type Client, createClient } from "edgehelm/client";
import { type Model, modelOf, type Reader } from "./model.ts";

/** The caller who is signed in. The access key stays in the memory of the page: leaving it signs out. */
export interface Session extends Reader {
  readonly name: string;
  readonly client: Client;
}

/** An access key as it is typed. */
export type SignIn = AccessKey & { readonly type: "admin" | "user" };

type Fields = Record<string, unknown>;
type Service = Record<string, (request: Fields) => Promise<Fields>>;

/** @throws ApiError if the server refuses the access key */
export async function signIn(key: SignIn, model: Model): Promise<Session> {
  const { type } = key;
  const id = await idOf(key);
  const client = createClient({ baseUrl: location.origin, accessKey: key });
  const [service, method, request] = type === "admin"
    ? ["AdminService", "findEnabledAdmin", { adminId: id }] as const
    : ["UserService", "findEnabledUser", { userId: id }] as const;
  const descriptor = model.operations.find((operation) => operation.service.name === service)?.service;
  const own = descriptor && await (client.service(descriptor) as unknown as Service)[method]!(request);
  const { username, fullname, isSuper, modules } = (own?.[type] ?? {}) as {
    readonly username?: string;
    readonly fullname?: string;
    readonly isSuper?: boolean;
    readonly modules?: readonly { readonly code: string }[];
  };
  return {
    type,
    name: fullname || username || `${type} ${id}`,
    isSuper: isSuper === true,
    modules: modules?.map(({ code }) => code) ?? [],
    client,
  };
}

/** Exchanges the key once, to learn whose it is: the token names its holder. */
async function idOf({ type, id, secret }: SignIn): Promise<bigint> {
  const body = JSON.stringify({ type, accessKeyId: id, accessKey: secret });
  const response = await fetch("/APIAccessTokenService/getAPIAccessToken", { method: "POST", body });
  const { code, data, message, reason } = await response.json();
  if (code !== 200) throw new ApiError({ code, message, reason });
  const { sub } = JSON.parse(atob(String(data.token).split(".")[1]!.replaceAll("-", "+").replaceAll("_", "/")));
  return BigInt(String(sub).split(":")[1]!);
}

/** Loads what the installation serves. */
export async function loadModel(): Promise<Model> {
  return modelOf(await (await fetch("/console/api.binpb")).bytes());
}

/** Loads the comments of what the installation serves, by full name. */
export async function loadComments(): Promise<Readonly<Record<string, string>>> {
  return await (await fetch("/console/comments.json")).json();
}
