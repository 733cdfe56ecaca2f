import { create, type DescMessage } from "@bufbuild/protobuf";
import { type Fields, isObject } from "./value.ts";

/** Makes messages as create() does, only by copying one. */
export function blankMessage(desc: DescMessage): () => Fields {
  const template = create(desc) as unknown as Fields;
  // Editions and proto2 keep default values in the prototype, which a copy would lose.
  if (Object.getPrototypeOf(template) !== Object.prototype) return () => create(desc) as unknown as Fields;
  const holders = Object.keys(template).filter((name) => Array.isArray(template[name]) || isRecord(template[name]));
  if (holders.length === 0) return () => ({ ...template });
  return () => {
    const message = { ...template };
    for (const name of holders) {
      const holder = template[name];
      message[name] = Array.isArray(holder) ? [] : { ...holder as Fields };
    }
    return message;
  };
}
