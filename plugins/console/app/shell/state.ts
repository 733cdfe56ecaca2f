import { computed, signal } from "@preact/signals";
import type { Client } from "edgehelm/client";
import type { Model } from "../api/model.ts";
import { resourcesOf } from "../api/resources.ts";
import { currentSession, loadModel, type Session, sessionClient } from "../api/session.ts";

/** Who is signed in; undefined before that is known, null if nobody is. */
export const session = signal<Session | null | undefined>(undefined);
export const model = signal<Model | undefined>(undefined);
export const client: Client = sessionClient(() => session.value = null);

/** The operations that the reader may call. */
export const operations = computed(() => {
  if (!session.value || model.value === undefined) return [];
  return model.value.operationsOf(session.value);
});

/** The kinds of objects that the reader may list. */
export const resources = computed(() => resourcesOf(operations.value));

/** Finds out who is signed in, and loads what the installation serves. */
export async function begin(): Promise<void> {
  session.value = await currentSession() ?? null;
  if (session.value !== null) await prepare();
}

export async function prepare(): Promise<void> {
  model.value ??= await loadModel();
}
