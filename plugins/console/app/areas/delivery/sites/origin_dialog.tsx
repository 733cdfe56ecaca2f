import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { fill } from "../../../texts/fill.ts";
import { AddressFields } from "./address_fields.tsx";
import { addOrigin, changeOrigin, type Origin, type OriginGroup, type OriginInput } from "./origins.ts";
import { firstAddress } from "./protocols.ts";
import { texts } from "./texts.ts";

interface OriginDialogProps {
  readonly serverId: bigint;
  /** The type of the site, such as httpProxy. */
  readonly type: string;
  readonly reverseProxyId: bigint | undefined;
  readonly group: OriginGroup;
  /** The origin to change; a new one without it. */
  readonly origin: Origin | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Adds an origin to a site, or changes one. */
export function OriginDialog(props: OriginDialogProps): JSX.Element {
  const { serverId, type, reverseProxyId, group, origin, onDone, onClose } = props;
  const [input, setInput] = useState<OriginInput>({
    name: origin?.name ?? "",
    weight: origin === undefined ? 10 : origin.weight ?? 0,
    ...firstAddress(type),
    ...origin?.addr,
  });
  const { value: text } = texts;
  const change = (changes: Partial<OriginInput>) => setInput({ ...input, ...changes });
  async function save(): Promise<void> {
    if (origin === undefined) await addOrigin(serverId, reverseProxyId, group, input);
    else await changeOrigin(origin, input);
    onDone();
  }
  const newTitle = group === "primary" ? text.addOrigin : text.addBackup;
  return (
    <ActionDialog
      title={origin === undefined ? newTitle : fill(text.editTitle, { name: origin.addr?.host ?? "" })}
      action={origin === undefined ? newTitle : text.save}
      onAct={save}
      onClose={onClose}
    >
      <AddressFields type={type} address={input} onChange={change} />
      <label class="field">
        {text.weight}
        <input
          type="number"
          min={0}
          required
          value={input.weight}
          onInput={(event) => change({ weight: Number(event.currentTarget.value) })}
        />
        <span class="help">{text.weightHelp}</span>
      </label>
      <label class="field">
        {text.label}
        <input
          autocomplete="off"
          value={input.name}
          onInput={(event) => change({ name: event.currentTarget.value })}
        />
        <span class="help">{text.labelHelp}</span>
      </label>
    </ActionDialog>
  );
}
