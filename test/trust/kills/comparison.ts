import type { readDatabase } from "../../harness/read_database.ts";
import { CONTRADICTIONS, type Kind } from "./kinds.ts";
import type { Writer } from "./writer.ts";

/** The differences between the rows and the acknowledged changes. */
export interface Differences {
  readonly lost: string[];
  readonly doubled: string[];
  readonly returned: string[];
  readonly contradictions: string[];
  /** The changes without a response that happened. */
  readonly happened: number;
}

/** Compares the rows with what was acknowledged. A change without a response may have happened or not. */
export function compare(
  query: (sql: string) => ReturnType<typeof readDatabase>,
  kinds: readonly Kind[],
  writers: readonly Writer[],
): Differences {
  const result = { lost: [] as string[], doubled: [] as string[], returned: [] as string[], happened: 0 };
  for (const kind of kinds) {
    const texts = new Map<string, string>();
    for (const [text] of query(kind.sql)) {
      const [label = ""] = String(text).split("=");
      if (texts.has(label)) result.doubled.push(`${kind.name} ${label} is there twice`);
      texts.set(label, String(text));
    }
    for (const { items, pending } of writers) {
      for (const item of items) {
        if (item.kind !== kind) continue;
        const text = texts.get(item.label);
        texts.delete(item.label);
        if (text === item.text) continue;
        if (pending?.item === item && pending.next === text) result.happened++;
        else result.lost.push(`${kind.name} ${item.label} is "${text}" and not "${item.text}"`);
      }
      if (pending?.kind !== "created" || pending.item.kind !== kind) continue;
      if (texts.get(pending.item.label) !== pending.next) continue;
      texts.delete(pending.item.label);
      result.happened++;
    }
    for (const text of texts.values()) {
      result.returned.push(`${kind.name} "${text}" is there although no client has it`);
    }
  }
  const contradictions = Object.entries(CONTRADICTIONS).filter(([, sql]) => query(sql).length > 0).map(([text]) =>
    text
  );
  return { ...result, contradictions };
}
