import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { callPath } from "../../../shell/call.ts";
import { fill } from "../../../texts/fill.ts";
import type { Certificate } from "./certificate.ts";
import { texts } from "./texts.ts";

interface UploadProps {
  /** The certificate that the new one takes the place of. */
  readonly renewed: Certificate | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Stores a certificate with its key, or renews one: what uses it presents the new one. */
export function UploadDialog({ renewed, onDone, onClose }: UploadProps): JSX.Element {
  const { value: text } = texts;
  const [name, setName] = useState("");
  const [certificate, setCertificate] = useState("");
  const [key, setKey] = useState("");
  const [isCA, setCA] = useState(false);
  async function send(): Promise<void> {
    if (certificate.trim() === "") throw new Error(text.missing);
    const encoder = new TextEncoder();
    const content = { certData: encoder.encode(certificate), keyData: encoder.encode(key) };
    // without other fields, a renewal keeps them
    if (renewed !== undefined) {
      await callPath("SSLCertService/updateSSLCert", { sslCertId: BigInt(renewed.id), ...content });
    } else await callPath("SSLCertService/createSSLCert", { isOn: true, name, isCA, ...content });
    onDone();
  }
  return (
    <ActionDialog
      title={renewed === undefined ? text.upload : fill(text.renewTitle, { name: renewed.name })}
      action={renewed === undefined ? text.upload : text.renew}
      onAct={send}
      onClose={onClose}
    >
      <PemField label={text.certificate} value={certificate} onInput={setCertificate} />
      <PemField label={text.key} value={key} onInput={setKey} />
      {renewed === undefined && (
        <>
          <label class="field">
            {text.name}
            <input value={name} autocomplete="off" onInput={(event) => setName(event.currentTarget.value)} />
            <span class="help">{text.nameHelp}</span>
          </label>
          <label class="field check-field">
            <input type="checkbox" checked={isCA} onChange={(event) => setCA(event.currentTarget.checked)} />
            {text.isCA}
          </label>
        </>
      )}
    </ActionDialog>
  );
}

interface PemProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function PemField({ label, value, onInput }: PemProps): JSX.Element {
  return (
    <div class="field wide">
      <label>
        {label}
        <textarea
          class="mono pem"
          rows={5}
          spellcheck={false}
          autocomplete="off"
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </label>
      <input
        type="file"
        aria-label={`${label}: ${texts.value.file}`}
        onChange={(event) => event.currentTarget.files?.[0]?.text().then(onInput)}
      />
    </div>
  );
}
