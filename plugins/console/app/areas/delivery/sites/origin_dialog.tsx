import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { fill } from "../../../texts/fill.ts";
import { addOrigin, changeOrigin, type Origin, type OriginGroup, type OriginInput } from "./origins.ts";
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
  const protocols = protocolsOf(type, origin?.addr?.protocol);
  const [input, setInput] = useState<OriginInput>({
    name: origin?.name ?? "",
    weight: origin === undefined ? 10 : origin.weight ?? 0,
    protocol: origin?.addr?.protocol ?? protocols[0]!,
    host: origin?.addr?.host ?? "",
    portRange: origin?.addr?.portRange ?? (protocols[0] === "http" ? "80" : ""),
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
      <label class="field">
        {text.protocol}
        <select
          value={input.protocol}
          onChange={(event) => {
            const protocol = event.currentTarget.value;
            change({ protocol, portRange: portFor(protocol, input) });
          }}
        >
          {protocols.map((protocol) => <option key={protocol} value={protocol}>{protocol}</option>)}
        </select>
      </label>
      <label class="field">
        {text.host}
        <input
          required
          autocomplete="off"
          spellcheck={false}
          value={input.host}
          onInput={(event) => change({ host: event.currentTarget.value.trim() })}
        />
        <span class="help">{text.hostHelp}</span>
      </label>
      <label class="field">
        {text.port}
        <input
          required
          inputMode="numeric"
          autocomplete="off"
          value={input.portRange}
          onInput={(event) => change({ portRange: event.currentTarget.value.trim() })}
        />
      </label>
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

const USUAL_PORTS: Readonly<Record<string, string>> = { http: "80", https: "443" };

/** The usual port of the other protocol, unless somebody entered a port of their own. */
function portFor(protocol: string, { protocol: before, portRange }: OriginInput): string {
  return portRange === USUAL_PORTS[before] ? USUAL_PORTS[protocol] ?? portRange : portRange;
}

function protocolsOf(type: string, current: string | undefined): readonly string[] {
  const usual = type === "tcpProxy" ? ["tcp", "tls"] : type === "udpProxy" ? ["udp"] : ["http", "https"];
  return current === undefined || usual.includes(current) ? usual : [...usual, current];
}
