import { computed, signal } from "@preact/signals";
import type { Model } from "../api/model.ts";
import { resourcesOf } from "../api/resources.ts";
import { loadComments, loadModel, type Session } from "../api/session.ts";

/** The session of the reader; undefined before the sign-in. */
export const session = signal<Session | undefined>(undefined);
const comments = signal<Readonly<Record<string, string>>>({});
export const model = signal<Model | undefined>(undefined);

/** The operations that the reader may call. */
export const operations = computed(() => {
  if (session.value === undefined || model.value === undefined) return [];
  return model.value.operationsOf(session.value);
});

/** The kinds of objects that the reader may list. */
export const resources = computed(() => resourcesOf(operations.value));

/** True if the reader may list this kind of object. */
export function isListed(noun: string): boolean {
  return resources.value.some((resource) => resource.noun === noun);
}

/** True if the reader may call an operation, such as `NSDomainService/createNSDomain`. */
export function mayCall(path: string): boolean {
  return operations.value.some((operation) => operation.path === `/${path}`);
}

/** Loads what the installation serves, once. Its comments come later: pages show them when they are there. */
export async function prepare(): Promise<Model> {
  if (model.value !== undefined) return model.value;
  model.value = await loadModel();
  loadComments().then((loaded) => comments.value = loaded, () => undefined);
  return model.value;
}

/** Returns the comment of a service, operation, message or field, by its full name. */
export function commentOf(typeName: string): string {
  return comments.value[typeName] ?? "";
}
