import { computed, signal } from "@preact/signals";
import type { Model } from "../api/model.ts";
import { resourcesOf } from "../api/resources.ts";
import { loadModel, type Session } from "../api/session.ts";

/** The session of the reader; undefined before the sign-in. */
export const session = signal<Session | undefined>(undefined);
export const model = signal<Model | undefined>(undefined);

/** The operations that the reader may call. */
export const operations = computed(() => {
  if (session.value === undefined || model.value === undefined) return [];
  return model.value.operationsOf(session.value);
});

/** The kinds of objects that the reader may list. */
export const resources = computed(() => resourcesOf(operations.value));

/** Loads what the installation serves, once. */
export async function prepare(): Promise<Model> {
  return model.value ??= await loadModel();
}
