import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { messageOf } from "../../../parts/failure.tsx";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";
import { texts } from "../texts.ts";
import { ImportDialog, type ImportProps } from "../zone_file/import_dialog.tsx";

interface FileButtonsProps extends Pick<ImportProps, "domain" | "ownTypes"> {
  /** True while there are changes that an import would hide. */
  readonly isChanged: boolean;
  readonly onDone: () => void;
}

/** Imports and exports the zone as a file. */
export function FileButtons({ domain, ownTypes, isChanged, onDone }: FileButtonsProps): JSX.Element {
  const { value: text } = texts;
  const [isImporting, setImporting] = useState(false);
  const [note, setNote] = useState("");
  async function download(): Promise<void> {
    try {
      const { zoneFile } = await callPath("NSZoneFileService/exportNSZoneFile", { nsDomainId: domain.id });
      save(`${domain.name}.zone`, String(zoneFile));
    } catch (error) {
      setNote(messageOf(error));
    }
  }
  return (
    <>
      {note !== "" && <span class="dim" role="status">{note}</span>}
      {mayCall("NSZoneFileService/importNSZoneFile") && (
        <button
          type="button"
          class="btn"
          disabled={isChanged}
          title={isChanged ? text.sendFirst : undefined}
          onClick={() => setImporting(true)}
        >
          {text.importZone}
        </button>
      )}
      {mayCall("NSZoneFileService/exportNSZoneFile") && (
        <button type="button" class="btn" onClick={download}>{text.exportZone}</button>
      )}
      {isImporting && (
        <ImportDialog
          domain={domain}
          ownTypes={ownTypes}
          onClose={() => setImporting(false)}
          onDone={(summary) => {
            setImporting(false);
            setNote(summary);
            onDone();
          }}
        />
      )}
    </>
  );
}

function save(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
