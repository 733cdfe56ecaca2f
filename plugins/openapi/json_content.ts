import { type DescField, type DescFile, type DescMessage, getOption } from "@bufbuild/protobuf";
import { json } from "edgehelm/proto/options_pb.js";

/** The JSON that a bytes field contains. */
export interface JsonContent {
  readonly message: DescMessage;
  /** True for a JSON array of such objects. */
  readonly isList: boolean;
}

const SHAPES = "edgehelm.shapes.";
const LIST = "[]";

/**
 * Returns the declared content of a bytes field; undefined if it may contain any JSON.
 *
 * @throws Error if the message is neither in the file of the field nor in one that it imports
 */
export function contentOf(field: DescField): JsonContent | undefined {
  const declared = getOption(field, json);
  if (declared === "") return undefined;
  const isList = declared.endsWith(LIST);
  const name = isList ? declared.slice(0, -LIST.length) : declared;
  const typeName = name.includes(".") ? name : SHAPES + name;
  const { file } = field.parent;
  const message = [file, ...file.dependencies].flatMap(messagesOf).find((one) => one.typeName === typeName);
  if (message === undefined) throw new Error(`${field.toString()}: no imported file declares ${typeName}`);
  return { message, isList };
}

function messagesOf({ messages }: DescFile): readonly DescMessage[] {
  return messages;
}
