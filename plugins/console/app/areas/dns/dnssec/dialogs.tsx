import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { callPath } from "../../../shell/call.ts";
import { fill } from "../../../texts/fill.ts";
import type { Signing } from "./signing.ts";
import { texts } from "./texts.ts";

/** Something that can be done with the keys of a domain. */
export interface Act {
  readonly key: "enable" | "keep" | "disable" | "start" | "confirm";
  readonly operation: string;
  readonly isMain?: true;
}

const ENABLE = { operation: "enableNSDomainDNSSEC", isMain: true } as const;
const DISABLE: Act = { key: "disable", operation: "disableNSDomainDNSSEC" };
const START: Act = { key: "start", operation: "startNSDomainKSKRollover" };
const CONFIRM: Act = { key: "confirm", operation: "confirmNSDomainKSKRollover", isMain: true };

/** What can be done in each state. */
export const ACTS: Readonly<Record<Signing["status"], readonly Act[]>> = {
  off: [{ key: "enable", ...ENABLE }],
  signed: [DISABLE, START],
  rolling: [DISABLE, CONFIRM],
  disabling: [{ key: "keep", ...ENABLE }],
};

interface DNSSECDialogProps {
  readonly act: Act;
  readonly domain: { readonly id: bigint; readonly name: string };
  readonly onClose: () => void;
}

/** Explains what is about to be done, and does it. */
export function DNSSECDialog({ act: { key, operation }, domain, onClose }: DNSSECDialogProps): JSX.Element {
  const { value: text } = texts;
  const [isForced, setForced] = useState(false);
  const request = { nsDomainId: domain.id, ...key === "disable" && { isForced } };
  return (
    <ActionDialog
      title={fill(text[`${key}Title`], { name: domain.name })}
      action={text[key]}
      isDangerous={key === "disable"}
      onAct={() => callPath(`NSDNSSECService/${operation}`, request)}
      onClose={onClose}
    >
      <p>{text[`${key}Help`]}</p>
      {key === "disable" && (
        <>
          <label class="field check-field">
            <input type="checkbox" checked={isForced} onChange={(event) => setForced(event.currentTarget.checked)} />
            {text.force}
          </label>
          <p class="dim">{text.forceHelp}</p>
        </>
      )}
    </ActionDialog>
  );
}
