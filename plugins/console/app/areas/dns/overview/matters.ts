import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { plural } from "../../../texts/mod.ts";
import { texts } from "./texts.ts";

/** Something that an operator should look at, and where. */
export interface Matter {
  readonly kind: "bad" | "warn";
  readonly text: string;
  readonly action: string;
  readonly link: string;
}

type Forms = Readonly<Record<"one" | "other", string>>;

interface Counted extends Omit<Matter, "text"> {
  readonly path: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly forms: Forms;
}

const SOON_DAYS = 30;
const INSTALLED = 1;
const NOT = 2;

/** Returns what needs attention, what is broken first. */
export async function loadMatters(signal: AbortSignal): Promise<readonly Matter[]> {
  const served = counted().filter(({ path }) => mayCall(path));
  const counts = await Promise.all(served.map(({ path, request }) => callPath(path, request, signal)));
  return served.flatMap(({ kind, action, link, forms }, index) => {
    const total = Number(counts[index]!["count"]);
    return total === 0 ? [] : [{ kind, text: plural(forms, total), action, link }];
  });
}

function counted(): readonly Counted[] {
  const { value: text } = texts;
  const nodes = { path: "NSNodeService/countAllNSNodesMatch", action: text.openNodes };
  const certificates = { path: "SSLCertService/countSSLCerts", action: text.renew };
  const nodesWith = (installState: number, activeState: number) => ({
    request: { installState, activeState },
    link: linkTo(["resource", "NSNode"], {
      installState: String(installState),
      activeState: String(activeState),
    }),
  });
  return [
    { ...nodes, ...nodesWith(INSTALLED, NOT), kind: "bad", forms: text.nodesDown },
    {
      ...certificates,
      request: { isExpired: true },
      kind: "bad",
      forms: text.expired,
      link: linkTo(["certificates", "expired"]),
    },
    {
      ...certificates,
      request: { expiringDays: SOON_DAYS },
      kind: "warn",
      forms: text.expiring,
      link: linkTo(["certificates", "expiring"]),
    },
    {
      path: "NSDomainService/countAllNSDomains",
      request: { status: "none" },
      kind: "warn",
      forms: text.unverified,
      action: text.openDomains,
      link: linkTo(["resource", "NSDomain"]),
    },
    { ...nodes, ...nodesWith(NOT, NOT), kind: "warn", forms: text.notInstalled },
    {
      path: "UserBillService/countAllUserBills",
      request: { paidFlag: 0 },
      kind: "warn",
      forms: text.bills,
      action: text.openBills,
      link: linkTo(["resource", "UserBill"], { paidFlag: "0" }),
    },
  ];
}
