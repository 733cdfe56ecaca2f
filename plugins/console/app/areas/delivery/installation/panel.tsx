import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import type { ObjectProps } from "../../../shell/area.ts";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";
import { CANCEL, control, findInstallation, isRunning, programOf } from "./installation.ts";
import { InstallationState } from "./installation_state.tsx";
import { texts } from "./texts.ts";

const POLL_MILLISECONDS = 1500;

/** The program on the machine of a node: how far its installation is, and what can be done with it. */
export default function InstallationPanel(props: ObjectProps): JSX.Element {
  const { id, object, reload } = props;
  const { value: text } = texts;
  const program = programOf(props);
  const loaded = useLoaded((signal) => findInstallation(program.role, id, signal), [program.role, id]);
  const [failure, setFailure] = useState<unknown>();
  const [isActing, setActing] = useState(false);
  const installation = loaded.value?.installation;
  const runs = installation !== undefined && isRunning(installation);

  useEffect(() => {
    if (!runs || loaded.isLoading) return;
    const timer = setTimeout(loaded.reload, POLL_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [runs, loaded.isLoading]);
  // the object tells whether the program is installed
  const [ran, setRan] = useState(false);
  useEffect(() => {
    if (ran && !runs && loaded.value !== undefined) reload();
    setRan(runs);
  }, [runs]);

  async function act(work: () => Promise<unknown>): Promise<void> {
    setActing(true);
    setFailure(undefined);
    await work().catch(setFailure);
    setActing(false);
    loaded.reload();
  }

  const request = { [program.id]: id };
  const button = (label: string, path: string, work: () => Promise<unknown>, kind = "") =>
    mayCall(path) && (
      <button type="button" class={`btn ${kind}`} disabled={isActing} onClick={() => void act(work)}>{label}</button>
    );
  if (loaded.error !== undefined) return <Failure error={loaded.error} onRetry={loaded.reload} />;
  if (loaded.value === undefined) return <Skeleton rows={4} />;
  return (
    <div class="panel">
      <div class="bar">
        {object["isInstalled"] === true && !runs && (
          <>
            {button(text.start, program.start, () => control(program.start, request))}
            {button(text.stop, program.stop, () => control(program.stop, request))}
          </>
        )}
        <span class="sp" />
        {runs ? button(text.cancel, CANCEL, () => callPath(CANCEL, { role: program.role, nodeId: id })) : button(
          object["isInstalled"] === true ? text.again : text.install,
          program.install,
          () => callPath(program.install, request),
          "primary",
        )}
      </div>
      {failure !== undefined && <Failure error={failure} />}
      {installation === undefined
        ? <p class="empty">{text.none}</p>
        : <InstallationState installation={installation} onAccepted={loaded.reload} />}
    </div>
  );
}
