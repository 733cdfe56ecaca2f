import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { CopyButton } from "../../../parts/copy_button.tsx";
import { fill } from "../../../texts/fill.ts";
import { messageLines, type NeededRecord, zoneLines } from "./needed.ts";
import { texts } from "./texts.ts";

const WAYS = ["oneByOne", "zoneFile", "message"] as const;

/** The records that are needed, as they are entered: one by one, as a zone file, or by another person. */
export function Ways({ domain, records }: { domain: string; records: readonly NeededRecord[] }): JSX.Element {
  const [way, setWay] = useState<(typeof WAYS)[number]>("oneByOne");
  const { value: text } = texts;
  return (
    <>
      <div class="tabs" role="tablist">
        {WAYS.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            aria-selected={one === way}
            onClick={() => setWay(one)}
          >
            {text[one]}
          </button>
        ))}
      </div>
      {way === "oneByOne" && <OneByOne records={records} />}
      {way === "zoneFile" && <Whole text={zoneLines(records)} />}
      {way === "message" && (
        <>
          <p class="dim">{text.messageHelp}</p>
          <Whole text={messageLines(domain, records)} />
        </>
      )}
    </>
  );
}

function OneByOne({ records }: { records: readonly NeededRecord[] }): JSX.Element {
  const { value: text } = texts;
  return (
    <table class="needed">
      <thead>
        <tr>
          <th>{text.type}</th>
          <th>{text.recordName}</th>
          <th>{text.value}</th>
        </tr>
      </thead>
      <tbody>
        {records.map(({ type, name, value }) => (
          <tr key={value}>
            <td>{type}</td>
            <td>
              <code>{name}</code> <CopyButton text={name} what={fill(text.nameOf, { type })} />
            </td>
            <td>
              <code>{value}</code> <CopyButton text={value} what={fill(text.valueOf, { type })} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Whole({ text }: { text: string }): JSX.Element {
  return (
    <div class="whole">
      <pre class="code" tabIndex={0}>{text}</pre>
      <CopyButton text={text} what={texts.value.records} />
    </div>
  );
}
