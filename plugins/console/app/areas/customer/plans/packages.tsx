import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { listOf } from "../../../parts/lists/list_of.ts";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { callPath } from "../../../shell/call.ts";
import { fill } from "../../../texts/fill.ts";
import { bytesText, dayText } from "../../../texts/amounts.ts";
import type { UserPackage } from "../models.ts";
import type { Balance } from "../reader.ts";
import { PackageDialog } from "./package_dialog.tsx";
import { loadPackageOffers, mayBuyPackages, regionName } from "./package_offers.ts";
import { texts } from "./texts.ts";

interface PackagesProps {
  readonly balance: Balance | undefined;
  readonly onPaid: () => void;
  readonly onMissing: (amount: number) => void;
}

const PATH = "UserTrafficPackageService/listUserTrafficPackages";

/** The traffic packages of the customer, and how to buy more. */
export function Packages({ balance, onPaid, onMissing }: PackagesProps): JSX.Element | null {
  const [isBuying, setBuying] = useState(false);
  const [removing, setRemoving] = useState<UserPackage>();
  const loaded = useLoaded(async (signal) => {
    const [owned, offers] = await Promise.all([
      listOf<UserPackage>(PATH, "userTrafficPackages", { offset: 0n, size: 100n }, signal),
      loadPackageOffers(signal),
    ]);
    return { owned, offers };
  }, []);
  const { value: text } = texts;
  const { value } = loaded;
  if (value !== undefined && value.owned.length === 0 && value.offers.length === 0) return null;
  const done = () => {
    loaded.reload();
    onPaid();
  };
  return (
    <section class="panel section">
      <div class="bar">
        <h2>{text.packages}</h2>
        <span class="dim">{text.packagesHelp}</span>
        <span class="sp" />
        {value !== undefined && value.offers.length > 0 && mayBuyPackages() && (
          <button
            type="button"
            class="btn primary"
            onClick={() => setBuying(true)}
          >
            {text.buyPackage}
          </button>
        )}
      </div>
      {loaded.error !== undefined && <Failure error={loaded.error} onRetry={loaded.reload} />}
      {value !== undefined && value.owned.length > 0 && (
        <table class="list">
          <thead>
            <tr>
              <th>{text.region}</th>
              <th>{text.left}</th>
              <th>{text.until}</th>
              <th>
                <span class="hidden">{text.remove}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {value.owned.map((one) => (
              <tr key={one.id}>
                <td class="first">{regionName(one.nodeRegionId, value.owned)}</td>
                <td>
                  <Left of={one} />
                </td>
                <td>{dayText(one.dayTo)}</td>
                <td class="buttons">
                  {one.canDelete && (
                    <button type="button" class="btn quiet" onClick={() => setRemoving(one)}>{text.remove}</button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isBuying && value && (
        <PackageDialog
          offers={value.offers}
          owned={value.owned}
          balance={balance}
          onDone={done}
          onClose={() => setBuying(false)}
          onMissing={onMissing}
        />
      )}
      {removing && (
        <ActionDialog
          title={`${text.remove}: ${fill(text.packageName, { size: bytesText(removing.totalBytes) })}`}
          action={text.remove}
          isDangerous
          onAct={async () => {
            const request = { userTrafficPackageId: removing.id };
            await callPath("UserTrafficPackageService/deleteUserTrafficPackage", request);
            loaded.reload();
          }}
          onClose={() => setRemoving(undefined)}
        >
          <Left of={removing} />
        </ActionDialog>
      )}
    </section>
  );
}

function Left({ of: { totalBytes, usedBytes } }: { of: UserPackage }): JSX.Element {
  const left = totalBytes - usedBytes;
  const text = fill(texts.value.leftOf, { left: bytesText(left), total: bytesText(totalBytes) });
  return (
    <span class="left">
      <meter min={0} max={Number(totalBytes)} value={Number(left)} aria-label={text} /> {text}
    </span>
  );
}
