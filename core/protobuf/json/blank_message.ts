import { create, type DescMessage } from "@bufbuild/protobuf";
import type { Fields } from "./value.ts";

/** Returns a function that creates empty messages like `create`, but faster, by copying a template. */
export function blankMessage(desc: DescMessage): () => Fields {
  const template = create(desc) as unknown as Fields;
  // Editions and proto2 keep default values in the prototype, which a copy would lose.
  if (Object.getPrototypeOf(template) !== Object.prototype) return () => create(desc) as unknown as Fields;
  const lists = desc.fields.filter(({ fieldKind }) => fieldKind === "list").map(({ localName }) => localName);
  const maps = desc.fields.filter(({ fieldKind }) => fieldKind === "map").map(({ localName }) => localName);
  const oneofs = desc.oneofs.map(({ localName }) => localName);
  return () => {
    const message = { ...template };
    for (const name of lists) message[name] = [];
    for (const name of maps) message[name] = {};
    for (const name of oneofs) message[name] = { case: undefined };
    return message;
  };
}
