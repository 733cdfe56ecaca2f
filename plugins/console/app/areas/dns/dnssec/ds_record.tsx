import type { JSX } from "preact";
import { CopyButton } from "../../../parts/copy_button.tsx";
import { texts } from "./texts.ts";

/** A DS record as a whole, and its parts, which the forms of registrars ask for one by one. */
export function DSRecord({ text: record }: { text: string }): JSX.Element {
  const { value: text } = texts;
  const [, , , keyTag = "", algorithm = "", digestType = "", digest = ""] = record.split(" ");
  const parts = [
    [text.record, record],
    [text.keyTag, keyTag],
    [text.algorithm, algorithm],
    [text.digestType, digestType],
    [text.digest, digest],
  ] as const;
  return (
    <dl class="ds">
      {parts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
            <CopyButton text={value} what={name} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
