import type { JSX } from "preact";
import { CopyButton } from "../../../parts/copy_button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { linkTo } from "../../../shell/route.ts";
import { fill } from "../../../texts/fill.ts";
import { time } from "../../../texts/mod.ts";
import { jsonOf } from "./export.ts";
import type { AuditLog } from "./logs.ts";
import { RecordDetails } from "./record_details.tsx";
import { texts } from "./texts.ts";
import { Who } from "./who.tsx";

/** One record, and the way to others like it. */
export function LogDetails({ log, onClose }: { log: AuditLog; onClose: () => void }): JSX.Element {
  const { value: text } = texts;
  return (
    <Dialog title={fill(text.record, { id: String(log.id) })} onClose={onClose}>
      <p>{log.description}</p>
      <dl class="log-fields">
        <div>
          <dt>{text.time}</dt>
          <dd>{time(log.createdAt)}</dd>
        </div>
        <div>
          <dt>{text.who}</dt>
          <dd>
            <Who log={log} />
          </dd>
        </div>
        {log.action !== "" && (
          <div>
            <dt>{text.action}</dt>
            <dd class="mono">{log.action}</dd>
          </div>
        )}
        {log.ip !== "" && (
          <div>
            <dt>{text.address}</dt>
            <dd class="mono">{log.ip}</dd>
          </div>
        )}
      </dl>
      {log.source === "audit" && <RecordDetails logId={log.id} />}
      <div class="similar">
        {log.ip !== "" && (
          <a class="btn" href={linkTo(["audit"], { keyword: log.ip })} onClick={onClose}>{text.sameAddress}</a>
        )}
        {log.action !== "" && (
          <a class="btn" href={linkTo(["audit"], { keyword: log.action })} onClick={onClose}>{text.sameAction}</a>
        )}
        <CopyButton text={jsonOf([log])} what={text.copyJson} />
      </div>
      <div class="actions">
        <button type="button" class="btn" onClick={onClose}>{text.close}</button>
      </div>
    </Dialog>
  );
}
