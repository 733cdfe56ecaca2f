import type { JSX } from "preact";
import { CopyButton } from "../../../parts/copy_button.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { State } from "../../../parts/state.tsx";
import type { ObjectProps } from "../../../shell/area.ts";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { time } from "../../../texts/mod.ts";
import { Check } from "./check.tsx";
import { neededRecords, type Proof } from "./needed.ts";
import { texts } from "./texts.ts";
import { Ways } from "./ways.tsx";

interface ShownDomain {
  readonly id: bigint;
  readonly name: string;
  readonly status: string;
  readonly nsCluster?: { readonly hosts?: readonly string[] };
}

/** The guide to the verification of a domain: what to enter where, and the check. */
export default function VerificationPanel({ object, reload }: ObjectProps): JSX.Element {
  const domain = object as unknown as ShownDomain;
  const { value: text } = texts;
  const needed = useLoaded(async (signal) => {
    const [proof, hosts] = await Promise.all([
      callPath("NSDomainService/findNSDomainVerifyingInfo", { nsDomainId: domain.id }, signal) as unknown as Promise<
        Proof
      >,
      hostsOf(domain, signal),
    ]);
    return { proof, hosts };
  }, [domain.id]);
  if (domain.status === "forbidden") return <p class="notice bad">{text.forbidden}</p>;
  if (needed.error !== undefined) return <Failure error={needed.error} onRetry={needed.reload} />;
  if (needed.value === undefined) return <Skeleton rows={5} />;
  const { proof, hosts } = needed.value;
  if (hosts.length === 0) return <p class="notice warn">{text.noHosts}</p>;
  if (domain.status === "verified") {
    return (
      <div class="panel pad">
        <p class="verified">
          <State kind="ok" text={text.verified} /> {fill(text.verifiedHelp, { name: domain.name })}
        </p>
        <Hosts hosts={hosts} />
      </div>
    );
  }
  return (
    <div class="panel guide">
      <p class="intro">{fill(text.intro, { name: domain.name })}</p>
      <ol class="steps">
        <li>
          <div>
            <b>{fill(text.enter, { name: domain.name })}</b>
            <p class="dim">{text.enterHelp}</p>
            <Ways domain={domain.name} records={neededRecords(domain.name, hosts, proof)} />
            {proof.requireTXT && <p class="dim">{fill(text.valid, { time: time(proof.expiresAt) })}</p>}
          </div>
        </li>
        <li>
          <div>
            <b>{text.check}</b>
            <p class="dim">{text.checkHelp}</p>
            <Check nsDomainId={domain.id} onVerified={reload} />
          </div>
        </li>
        <li>
          <div>
            <b>{text.move}</b>
            <p class="dim">{text.moveHelp}</p>
            <Hosts hosts={hosts} />
          </div>
        </li>
      </ol>
    </div>
  );
}

function Hosts({ hosts }: { hosts: readonly string[] }): JSX.Element {
  return (
    <ul class="copied">
      {hosts.map((host) => (
        <li key={host}>
          <code>{host}</code>
          <CopyButton text={host} what={host} />
        </li>
      ))}
    </ul>
  );
}

/** Returns the name servers of the domain's cluster, or those for new domains. */
async function hostsOf({ nsCluster }: ShownDomain, signal: AbortSignal): Promise<readonly string[]> {
  const own = nsCluster?.hosts ?? [];
  if (own.length > 0 || !mayCall("NSClusterService/findAvailableNSHostsForUser")) return own;
  return (await callPath("NSClusterService/findAvailableNSHostsForUser", {}, signal))["hosts"] as readonly string[];
}
