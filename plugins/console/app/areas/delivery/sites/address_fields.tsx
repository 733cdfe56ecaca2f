import type { JSX } from "preact";
import type { Address } from "./origins.ts";
import { protocolsOf, withProtocol } from "./protocols.ts";
import { texts } from "./texts.ts";

interface AddressFieldsProps {
  /** The type of the site, such as httpProxy. */
  readonly type: string;
  readonly address: Address;
  /** What the server says against the address. */
  readonly error?: string | undefined;
  readonly onChange: (address: Address) => void;
}

/** The address of an origin: protocol, host and port. */
export function AddressFields({ type, address, error, onChange }: AddressFieldsProps): JSX.Element {
  const { value: text } = texts;
  return (
    <>
      <label class="field">
        {text.protocol}
        <select
          value={address.protocol}
          onChange={(event) => onChange(withProtocol(address, event.currentTarget.value))}
        >
          {protocolsOf(type, address.protocol).map((protocol) => (
            <option key={protocol} value={protocol}>{protocol}</option>
          ))}
        </select>
      </label>
      <label class="field">
        {text.host}
        <input
          required
          autocomplete="off"
          spellcheck={false}
          value={address.host}
          aria-invalid={error !== undefined}
          onInput={(event) => onChange({ ...address, host: event.currentTarget.value.trim() })}
        />
        <span class="help">{text.hostHelp}</span>
      </label>
      <label class="field">
        {text.port}
        <input
          required
          inputMode="numeric"
          autocomplete="off"
          value={address.portRange}
          aria-invalid={error !== undefined}
          onInput={(event) => onChange({ ...address, portRange: event.currentTarget.value.trim() })}
        />
      </label>
      {error !== undefined && <p class="error" role="alert">{error}</p>}
    </>
  );
}
