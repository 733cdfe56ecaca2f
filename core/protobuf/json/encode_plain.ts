import { create, type DescMessage, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { ListValueSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import { refuse } from "./encode_scalar.ts";
import { isRecord } from "./value.ts";

type Text = (value: unknown) => string;

/** Writes the messages that are plain JSON themselves; `undefined` for any other message. */
export function plainMessageText(desc: DescMessage, where: string): Text | undefined {
  switch (desc.typeName) {
    case "google.protobuf.Struct":
      return guarded(JSON.stringify, where);
    case "google.protobuf.Value":
      return guarded((value) => wellKnownText(ValueSchema, value as MessageInitShape<typeof ValueSchema>), where);
    case "google.protobuf.ListValue":
      return guarded(
        (value) => wellKnownText(ListValueSchema, value as MessageInitShape<typeof ListValueSchema>),
        where,
      );
    default:
      return undefined;
  }
}

function wellKnownText<Desc extends DescMessage>(desc: Desc, init: MessageInitShape<Desc>): string {
  return JSON.stringify(toJson(desc, create(desc, init)));
}

/** Names the field when the value is none that JSON has, such as a bigint. */
function guarded(text: Text, where: string): Text {
  return (value) => {
    if (!isRecord(value)) return refuse(where, "an object", value);
    try {
      return text(value);
    } catch (error) {
      throw new TypeError(`${where}: expected plain JSON`, { cause: error });
    }
  };
}
