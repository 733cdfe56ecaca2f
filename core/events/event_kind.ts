import { type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { isSecretName } from "../base/secret_names.ts";

/** The urgency of an event. */
export type EventLevel = "info" | "success" | "warning" | "error";

/** The text of a message about an event, with fields of its data in braces, such as `{name}`. */
export interface EventText {
  readonly subject: string;
  readonly body: string;
}

/** The languages in which each event has a text. */
export type EventTexts = Readonly<Record<"en" | "zh", EventText>>;

/** A kind of event. See {@link defineEvent}. */
export interface EventKind<Data extends DescMessage = DescMessage> {
  readonly name: string;
  readonly level: EventLevel;
  readonly data: Data;
  readonly about: string;
  readonly isForOwner: boolean;
  readonly modules: readonly string[];
  readonly texts: EventTexts;
}

/** The argument of {@link defineEvent}. */
export interface EventSpec<Data extends DescMessage> {
  /**
   * `<plugin>.<what happened>` in snake_case, such as `ns_node.went_offline`. There is one dot, as in the names of jobs
   * and the reasons of errors: what stands before it is the owner, and nothing is grouped below an owner.
   */
  readonly name: string;
  readonly level: EventLevel;
  /**
   * The schema of its data, a message in the proto files of the plugin, whose comment says when the event is emitted.
   * Its fields may not have names of secrets, and may not be bytes.
   */
  readonly data: Data;
  /** The field of the data that identifies the object that it is about, such as `nsNodeId`. */
  readonly about: Exclude<string & keyof MessageShape<Data>, "$typeName" | "$unknown">;
  /** True if messages also go to the user whom the object belongs to, and not only to admins. False by default. */
  readonly isForOwner?: boolean;
  /**
   * The modules of the plugin whose admins hear of it; one of them is enough. Super admins hear of everything. Empty, the
   * default, means super admins only.
   */
  readonly modules?: readonly string[];
  readonly texts: EventTexts;
}

/**
 * Declares a kind of event. A plugin lists its kinds in `events` of `definePlugin`, and emits them with the contract
 * `Events`.
 *
 * @example
 * ```ts
 * export const nodeWentOffline = defineEvent({
 *   name: "ns_node.went_offline",
 *   level: "error",
 *   data: NSNodeWentOfflineSchema,
 *   about: "nsNodeId",
 *   texts: {
 *     en: { subject: "DNS node {name} is offline", body: "The node {name} has been silent since {since}." },
 *     zh: { subject: "DNS 节点 {name} 离线", body: "节点 {name} 自 {since} 起没有响应。" },
 *   },
 * });
 * ```
 */
export function defineEvent<Data extends DescMessage>(spec: EventSpec<Data>): EventKind<Data> {
  return { isForOwner: false, modules: [], ...spec };
}

const NAME = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;
const PLACE = /\{([^{}]*)\}/g;

/** Returns the errors of the kinds that a plugin declares. */
export function eventKindErrors(owner: string, kinds: readonly EventKind[]): string[] {
  const seen = new Set<string>();
  return kinds.flatMap((kind) => {
    const { name } = kind;
    const errors = kindErrors(owner, kind).map((error) => `event "${name}": ${error}`);
    if (seen.has(name)) errors.push(`event "${name}" is declared twice`);
    seen.add(name);
    return errors;
  });
}

function kindErrors(owner: string, { name, data, about, texts }: EventKind): string[] {
  const errors = dataErrors(data);
  if (!NAME.test(name) || !name.startsWith(`${owner}.`)) {
    errors.push(`its name must be "${owner}." and snake_case without another dot`);
  }
  const fields = new Set(data.fields.map(({ localName }) => localName));
  if (!fields.has(about)) errors.push(`about: ${data.name} has no field "${about}"`);
  for (const [language, { subject, body }] of Object.entries(texts)) {
    for (const [, field = ""] of `${subject}\n${body}`.matchAll(PLACE)) {
      if (!fields.has(field)) errors.push(`texts.${language}: ${data.name} has no field "${field}"`);
    }
  }
  return errors;
}

/** Returns the errors of the fields of data, also of messages in it. */
function dataErrors(data: DescMessage, seen = new Set<DescMessage>()): string[] {
  if (seen.has(data)) return [];
  seen.add(data);
  return data.fields.flatMap((field) => {
    const at = `data: ${data.name}.${field.localName}`;
    const errors = isSecretName(field.localName) ? [`${at} has the name of a secret`] : [];
    if (field.scalar === ScalarType.BYTES) errors.push(`${at} may not be bytes`);
    return field.message === undefined ? errors : [...errors, ...dataErrors(field.message, seen)];
  });
}
