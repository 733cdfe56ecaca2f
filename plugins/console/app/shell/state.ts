import { computed, effect, signal } from "@preact/signals";
import type { Model } from "../api/model.ts";
import { choicesOf } from "../api/choices.ts";
import { referencesOf } from "../api/references.ts";
import { resourcesOf } from "../api/resources.ts";
import { askConsole, type Grant } from "../api/console_requests.ts";
import { loadComments, loadModel, type Session, sessionOf } from "../api/session.ts";
import { SessionToken } from "../api/session_token.ts";
import { type Language, language } from "../texts/mod.ts";

/** The session of the reader; undefined before the sign-in. */
export const session = signal<Session | undefined>(undefined);
/** True until it is known whether the reader is signed in already. */
export const isOpening = signal(true);
/** True if people may register themselves here. */
export const mayRegister = signal(false);
/** True if people who forgot their password can set another by a code that is mailed. */
export const mayReset = signal(false);
/** Takes a new grant after the session ended while the page was used; undefined while it has not. */
export const awaitedSignIn = signal<((grant: Grant) => void) | undefined>(undefined);
let token: SessionToken | undefined;
const comments = signal<Readonly<Record<string, string>>>({});
export const model = signal<Model | undefined>(undefined);

/** The operations that the reader may call. */
export const operations = computed(() => {
  if (session.value === undefined || model.value === undefined) return [];
  return model.value.operationsOf(session.value);
});

/** The kinds of objects that the reader may list. */
export const resources = computed(() => resourcesOf(operations.value));

/** The nouns to which fields refer whose names do not say it. */
export const references = computed(() => referencesOf(operations.value));

/** The values that texts of objects may have, also where the reader may not choose them. */
export const choices = computed(() => choicesOf(model.value?.operations ?? []));

/** True if the reader may list this kind of object. */
export function isListed(noun: string): boolean {
  return resources.value.some((resource) => resource.noun === noun);
}

/** The modules that admins need for lists whose operation decides by whose the objects are. */
const MODULES: Readonly<Record<string, string>> = { UserAccessKey: "user" };

/** True if the reader has the module that a list of what belongs to others needs. */
export function hasModuleFor(noun: string): boolean {
  const [reader, module] = [session.value, MODULES[noun]];
  return module === undefined || reader?.type !== "admin" || reader.isSuper || reader.modules.includes(module);
}

/** True if the reader may call an operation, such as `NSDomainService/createNSDomain`. */
export function mayCall(path: string): boolean {
  return operations.value.some((operation) => operation.path === `/${path}`);
}

/** Loads what the installation serves, once. Its comments come later: pages show them when they are there. */
export async function prepare(): Promise<Model> {
  if (model.value !== undefined) return model.value;
  model.value = await loadModel();
  effect(() => void showComments(language.value));
  return model.value;
}

/** Those of another language stay until the new ones are there. */
async function showComments(wanted: Language): Promise<void> {
  const loaded = await loadComments(wanted).catch(() => undefined);
  if (loaded !== undefined && language.peek() === wanted) comments.value = loaded;
}

/** Returns the comment of a service, operation, message or field, by its full name. */
export function commentOf(typeName: string): string {
  return comments.value[typeName] ?? "";
}

/** Opens the console to a person who has just signed in, or lets one whose session ended go on. */
export async function enter(grant: Grant): Promise<void> {
  if (awaitedSignIn.value !== undefined) {
    const { type, id } = session.value!;
    // Another person must not go on where this one was.
    if (grant.type !== type || BigInt(grant.id) !== id) return location.reload();
    return awaitedSignIn.value(grant);
  }
  token = new SessionToken(grant, signInAgain);
  session.value = await sessionOf(grant, token, await prepare());
}

function signInAgain(): Promise<Grant> {
  return new Promise((resolve) => {
    awaitedSignIn.value = (grant) => {
      awaitedSignIn.value = undefined;
      resolve(grant);
    };
  });
}

/** Goes on with a new session of the same person, which replaces the one of this page. */
export function continueWith(grant: Grant): void {
  token?.take(grant);
  session.value = { ...session.value!, mustSetUp: grant.mustSetUp };
}

/** Makes the next call renew the token, because the server refused it. */
export function forgetToken(): void {
  token?.forget();
}

/** Continues the session whose cookie the browser has, if there is one. */
export async function reopen(): Promise<void> {
  try {
    const grant = await askConsole<Partial<Grant> & Record<"mayRegister" | "mayReset", boolean | undefined>>("token");
    mayRegister.value = grant.mayRegister === true;
    mayReset.value = grant.mayReset === true;
    if (grant.token !== undefined) await enter(grant as Grant);
  } finally {
    isOpening.value = false;
  }
}

/** Ends the session, and leaves nothing of it in the page. */
export async function leave(): Promise<void> {
  await askConsole("sign_out");
  location.reload();
}
