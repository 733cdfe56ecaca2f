import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { State } from "../../../parts/state.tsx";
import { callPath } from "../../../shell/call.ts";
import { mayCall, session } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { plural, relativeTime, texts as common, time } from "../../../texts/mod.ts";
import { type Certificate, type CertificateFilter, loadCertificates, stateOf } from "./certificate.ts";
import { texts } from "./texts.ts";
import { UploadDialog } from "./upload_dialog.tsx";

const SIZE = 20;
const STATES = ["all", "expiring", "expired"] as const;
const MAX_NAMES = 3;

type Doing = { readonly what: "upload" | "renew" | "remove"; readonly certificate?: Certificate };

/** The certificates, those that expire first to see by one press. */
export default function CertificatesPage({ steps }: { steps: readonly string[] }): JSX.Element {
  const wanted = STATES.find((state) => state === steps[0]) ?? "all";
  const [filter, setFilter] = useState<CertificateFilter>({ keyword: "", state: wanted, isOfUsers: false });
  const [offset, setOffset] = useState(0);
  const [doing, setDoing] = useState<Doing>();
  const page = useLoaded((signal) => loadCertificates(filter, offset, SIZE, signal), [filter, offset]);
  const { value: text } = texts;
  const choose = (changes: Partial<CertificateFilter>) => {
    setOffset(0);
    setFilter({ ...filter, ...changes });
  };
  const close = () => setDoing(undefined);
  const isFiltered = filter.keyword !== "" || filter.state !== "all" || filter.isOfUsers;
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        <span class="sp" />
        {mayCall("SSLCertService/createSSLCert") && (
          <button
            type="button"
            class="btn primary"
            onClick={() => setDoing({ what: "upload" })}
          >
            {text.upload}
          </button>
        )}
      </div>
      <p class="sub">{text.help}</p>
      <div class="panel">
        <div class="bar">
          <input
            type="search"
            class="find"
            placeholder={text.filter}
            aria-label={text.filter}
            value={filter.keyword}
            onChange={(event) => choose({ keyword: event.currentTarget.value.trim() })}
          />
          {session.value?.type === "admin" && (
            <button
              type="button"
              class={filter.isOfUsers ? "chip on" : "chip"}
              aria-pressed={filter.isOfUsers}
              onClick={() => choose({ isOfUsers: !filter.isOfUsers })}
            >
              {text.ofCustomers}
            </button>
          )}
          {STATES.map((state) => (
            <button
              key={state}
              type="button"
              class={state === filter.state ? "chip on" : "chip"}
              aria-pressed={state === filter.state}
              onClick={() => choose({ state })}
            >
              {text[state]}
            </button>
          ))}
        </div>
        {page.error !== undefined && <Failure error={page.error} onRetry={page.reload} />}
        {page.value === undefined && page.error === undefined && <Skeleton rows={6} />}
        {page.value?.certificates.length === 0 && <p class="empty">{isFiltered ? text.noMatch : text.empty}</p>}
        {page.value !== undefined && page.value.certificates.length > 0 && (
          <>
            <Rows certificates={page.value.certificates} onDo={setDoing} />
            <div class="pager">
              <span class="dim">{plural(text.total, page.value.total)}</span>
              <span class="sp" />
              <button type="button" class="btn" disabled={offset === 0} onClick={() => setOffset(offset - SIZE)}>
                {common.value.previous}
              </button>
              <button
                type="button"
                class="btn"
                disabled={offset + SIZE >= page.value.total}
                onClick={() => setOffset(offset + SIZE)}
              >
                {common.value.next}
              </button>
            </div>
          </>
        )}
      </div>
      {(doing?.what === "upload" || doing?.what === "renew") && (
        <UploadDialog renewed={doing.certificate} onDone={page.reload} onClose={close} />
      )}
      {doing?.what === "remove" && (
        <RemoveDialog certificate={doing.certificate!} onDone={page.reload} onClose={close} />
      )}
    </>
  );
}

interface RowsProps {
  readonly certificates: readonly Certificate[];
  readonly onDo: (doing: Doing) => void;
}

function Rows({ certificates, onDo }: RowsProps): JSX.Element {
  const { value: text } = texts;
  return (
    <table class="list certificates">
      <thead>
        <tr>
          <th>{text.name}</th>
          <th>{text.state}</th>
          <th>{text.names}</th>
          <th>{text.issuer}</th>
          <th>{text.until}</th>
          <th>
            <span class="hidden">{text.renew}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {certificates.map((certificate) => {
          const ends = BigInt(certificate.timeEndAt);
          return (
            <tr key={certificate.id}>
              <td class="first" title={fill(text.fingerprint, { print: certificate.fingerprint })}>
                {certificate.name}
              </td>
              <td>
                <State {...stateOf(certificate)} />
              </td>
              <td class="mono">{shortList(certificate.dnsNames ?? [])}</td>
              <td>{certificate.commonNames?.[0]}</td>
              <td>
                <time title={time(ends)}>{relativeTime(ends)}</time>
              </td>
              <td class="row-actions">
                {mayCall("SSLCertService/updateSSLCert") && (
                  <button
                    type="button"
                    class="btn quiet"
                    onClick={() => onDo({ what: "renew", certificate })}
                  >
                    {text.renew}
                  </button>
                )}
                {mayCall("SSLCertService/deleteSSLCert") && (
                  <button
                    type="button"
                    class="btn quiet"
                    aria-label={fill(text.removeTitle, { name: certificate.name })}
                    onClick={() => onDo({ what: "remove", certificate })}
                  >
                    {text.remove}
                  </button>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface RemoveProps {
  readonly certificate: Certificate;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function RemoveDialog({ certificate: { id, name }, onDone, onClose }: RemoveProps): JSX.Element {
  const { value: text } = texts;
  async function remove(): Promise<void> {
    await callPath("SSLCertService/deleteSSLCert", { sslCertId: BigInt(id) });
    onDone();
  }
  return (
    <ActionDialog
      title={fill(text.removeTitle, { name })}
      action={text.remove}
      isDangerous
      onAct={remove}
      onClose={onClose}
    >
      <p>{text.removeHelp}</p>
    </ActionDialog>
  );
}

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(", ");
  return names.length <= MAX_NAMES ? shown : fill(texts.value.more, { names: shown, n: names.length - MAX_NAMES });
}
