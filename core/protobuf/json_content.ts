import { type DescField, type DescFile, type DescMessage, getOption } from "@bufbuild/protobuf";
import { json } from "../../proto/options_pb.ts";

const JSON_TYPES = ["object", "string", "number", "boolean"] as const;
/** A JSON type whose values have no further structure. */
export type JsonType = (typeof JSON_TYPES)[number];

/** The JSON that a bytes field contains. */
export interface JsonContent {
  /** The alternatives; usually one. */
  readonly shapes: readonly (DescMessage | JsonType)[];
  /** True for a JSON array of such values. */
  readonly isList: boolean;
}

const SHAPES = "edgehelm.shapes.";
/** `A`, `A|B`, `A[]` or `(A|B)[]`. */
const DECLARATION = /^(?:(?<one>[\w.]+(?:\|[\w.]+)*)|(?:(?<item>[\w.]+)|\((?<items>[\w.]+(?:\|[\w.]+)+)\))\[\])$/;

/**
 * Returns the declared content of a bytes field, such as `nodeJSON`; undefined if it may contain any JSON.
 *
 * @param field the field, from the descriptor of its message
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { jsonContentOf } from "edgehelm/wire";
 * import { CreatePlanRequestSchema } from "edgehelm/plugins/plan/proto/service_plan_pb.js";
 *
 * const { shapes, isList } = jsonContentOf(CreatePlanRequestSchema.field.trafficLimitJSON)!;
 * deepEqual([shapes.map(String), isList], [["message edgehelm.shapes.PlanTrafficLimit"], false]);
 * ```
 *
 * @throws Error if the declaration is not valid, or names a message that is neither in the file of the field nor in one
 * that it imports
 */
export function jsonContentOf(field: DescField): JsonContent | undefined {
  const declared = getOption(field, json);
  if (declared === "") return undefined;
  const { one, item, items } = DECLARATION.exec(declared)?.groups ?? {};
  const names = one ?? item ?? items;
  if (names === undefined) throw new Error(`${field.toString()}: "${declared}" does not describe JSON`);
  return { shapes: names.split("|").map((name) => shapeOf(field, name)), isList: one === undefined };
}

function shapeOf(field: DescField, name: string): DescMessage | JsonType {
  const type = JSON_TYPES.find((candidate) => candidate === name);
  if (type !== undefined) return type;
  const typeName = name.includes(".") ? name : SHAPES + name;
  const { file } = field.parent;
  const message = [file, ...file.dependencies].flatMap(messagesOf).find((one) => one.typeName === typeName);
  if (message === undefined) throw new Error(`${field.toString()}: no imported file declares ${typeName}`);
  return message;
}

function messagesOf({ messages }: DescFile): readonly DescMessage[] {
  return messages;
}
