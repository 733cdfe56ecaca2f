import type { Api } from "./api.ts";
import { checkSetting } from "./health/check.ts";
import type { KnotConfiguration } from "./knot/configuration.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { feedAfter, zonesAfter } from "./pulls.ts";
import type { NodeState } from "./store/node_state.ts";
import { takeKeySets, takeKeySetsOf } from "./key_sets.ts";
import { takeRoutes } from "./routes/feed.ts";
import { keyOf } from "./keys.ts";
import type { Zones } from "./zones.ts";

export interface SyncDeps {
  readonly state: NodeState;
  readonly configuration: KnotConfiguration;
  readonly zones: Zones;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The feeds that this agent follows, by the types that notify of them, and its positions in them. */
const FEEDS = {
  nsDomainChanged: "domains",
  nsRecordChanged: "zones",
  nsKeyChanged: "keys",
  nsDNSSECChanged: "dnssec",
  nsRouteChanged: "routes",
} as const;

interface Round {
  readonly api: Api;
  /** True if everything is fetched again. */
  readonly isAnew: boolean;
  readonly latest: ReadonlyMap<string, bigint>;
  /** The domains whose zones changed. */
  readonly touched: Set<string>;
  /** The domains whose keys or settings of transfers changed. */
  readonly transfers: Set<string>;
  /** The domains whose signing keys changed. */
  readonly signing: Set<string>;
  /** The domains that the server named in a round that fetches everything. */
  readonly named: Set<string>;
}

/** Brings a node up to date in rounds. A round that is cut off is repeated from where the one before ended. */
export class Sync {
  readonly #deps: SyncDeps;

  constructor(deps: SyncDeps) {
    this.#deps = deps;
  }

  async run(api: Api): Promise<void> {
    const { state, zones } = this.#deps;
    const { positions } = state;
    const versions = Object.entries(FEEDS).map(([type, name]) => ({
      type,
      version: BigInt(positions[name]),
    }));
    const request = { history: positions.history, versions };
    const known = await api.zones.compareNSFeedVersions(request, {
      signal: api.signal,
    });
    const isAnew = !known.isKnown;
    if (isAnew && positions.history !== "") {
      this.#deps.metrics.add("resets");
      this.#deps.log.warn("the installation does not know the versions of this node: fetching everything again");
    }
    if (isAnew) state.startOver();
    const latest = new Map(known.versions.map(({ type, version }) => [type, version]));
    const sets = {
      touched: new Set<string>(),
      transfers: new Set<string>(),
      signing: new Set<string>(),
      named: new Set<string>(),
    };
    const round: Round = { api, isAnew, latest, ...sets };
    const config = await this.#takeConfig(round);
    const domains = await this.#takeDomains(round);
    const keys = await this.#takeKeys(round);
    const dnssec = await this.#takeKeySets(round);
    const routes = await this.#takeRoutes(round);
    const changed = await this.#listZones(round);
    if (isAnew) {
      for (const id of [...state.zones.keys()]) {
        if (!round.named.has(id)) await zones.drop(id);
      }
    }
    await this.#takeZones(round);
    if (routes !== positions.routes) await zones.setRoutes();
    await zones.setTransfers(round.transfers);
    await zones.setSigning(round.signing);
    // the round is repeated until every zone is signed as it must be
    zones.requireSigned();
    state.savePositions({
      history: known.history,
      config,
      domains,
      keys,
      dnssec,
      routes,
      zones: changed,
    });
  }

  /** The settings of the cluster are in the beginning of every zone. */
  async #takeConfig({ api, touched }: Round): Promise<string> {
    const { state } = this.#deps;
    const { nsNodeJSON } = await api.nodes.findCurrentNSNodeConfig(
      {},
      {
        signal: api.signal,
      },
    );
    const text = new TextDecoder().decode(nsNodeJSON);
    const version = text === "" ? "" : String((JSON.parse(text) as { version: number }).version);
    if (version !== state.positions.config) {
      for (const id of state.zones.keys()) {
        touched.add(id);
      }
    }
    return version;
  }

  async #takeDomains({ api, isAnew, latest, touched, transfers, named }: Round): Promise<string> {
    const { state } = this.#deps;
    let last = BigInt(state.positions.domains);
    if (!isNew(latest.get("nsDomainChanged"), last)) return String(last);
    const list = async (version: bigint, size: bigint) =>
      (
        await api.domains.listNSDomainsAfterVersion(
          { version, size },
          {
            signal: api.signal,
          },
        )
      ).nsDomains;
    for await (const domains of feedAfter(last, list)) {
      for (const { id: number, isOn, isDeleted, tsigJSON, recordsHealthCheckJSON, version } of domains) {
        const id = String(number);
        last = version;
        const isServed = isOn && !isDeleted;
        if (isServed || state.zones.has(id)) touched.add(id);
        if (!isServed) {
          named.delete(id);
          const file = state.zones.get(id);
          if (file !== undefined) file.head = { ...file.head, isOn: false };
          continue;
        }
        named.add(id);
        const file = state.zone(id);
        const isTransferred = tsigJSON.length > 0 && JSON.parse(new TextDecoder().decode(tsigJSON)).isOn === true;
        if (file.head.isTransferred !== isTransferred || isAnew) {
          transfers.add(id);
        }
        // on disk with the records that follow
        file.head = { ...file.head, isOn: true, isTransferred, check: checkSetting(recordsHealthCheckJSON) };
      }
    }
    return String(last);
  }

  async #takeKeys({ api, isAnew, latest, transfers }: Round): Promise<string> {
    const { state } = this.#deps;
    let last = BigInt(state.positions.keys);
    if (isAnew) {
      for (const { nsDomainId } of state.keys.values()) {
        transfers.add(nsDomainId);
      }
      state.keys.clear();
    }
    if (!isAnew && !isNew(latest.get("nsKeyChanged"), last)) {
      return String(last);
    }
    const list = async (version: bigint, size: bigint) =>
      (
        await api.keys.listNSKeysAfterVersion(
          { version, size },
          {
            signal: api.signal,
          },
        )
      ).nsKeys;
    for await (const keys of feedAfter(last, list)) {
      for (const key of keys) {
        last = key.version;
        const found = keyOf(key);
        transfers.add(String(key.nsDomain?.id ?? 0n));
        if (found === undefined) state.keys.delete(String(key.id));
        else state.keys.set(found.id, found);
      }
    }
    state.saveKeys();
    return String(last);
  }

  async #takeKeySets({ api, isAnew, latest, signing }: Round): Promise<string> {
    const { state } = this.#deps;
    const newest = latest.get("nsDNSSECChanged");
    if (newest === undefined || !isAnew && newest <= BigInt(state.positions.dnssec)) return state.positions.dnssec;
    const { last, changed } = await takeKeySets(api, state, isAnew);
    for (const id of changed) signing.add(id);
    return String(last);
  }

  async #takeRoutes({ api, isAnew, latest }: Round): Promise<string> {
    const { state } = this.#deps;
    const last = BigInt(state.positions.routes);
    if (!isAnew && !isNew(latest.get("nsRouteChanged"), last)) return String(last);
    return String(await takeRoutes(api, state, isAnew));
  }

  async #listZones({ api, latest, touched }: Round): Promise<string> {
    let last = BigInt(this.#deps.state.positions.zones);
    if (!isNew(latest.get("nsRecordChanged"), last)) return String(last);
    const list = async (version: bigint, size: bigint) =>
      (
        await api.zones.listNSZonesAfterVersion(
          { version, size },
          {
            signal: api.signal,
          },
        )
      ).zones;
    for await (const zones of feedAfter(last, list)) {
      for (const { nsDomainId, version } of zones) {
        last = version;
        if (this.#deps.state.zones.has(String(nsDomainId))) {
          touched.add(String(nsDomainId));
        }
      }
    }
    return String(last);
  }

  async #takeZones({ api, isAnew, latest, touched }: Round): Promise<void> {
    const { state, zones, metrics } = this.#deps;
    const positions = new Map<string, bigint>();
    for (const id of zones.unclear) touched.add(id);
    for (const id of touched) {
      const { isOn, version } = state.zone(id).head;
      if (isOn) positions.set(id, isAnew ? 0n : BigInt(version));
      else await zones.drop(id);
    }
    const begun = [...positions.keys()].filter((id) => state.zone(id).head.served === 0);
    if (begun.length > 0 && latest.has("nsDNSSECChanged")) await takeKeySetsOf(api, state, begun);
    for await (const pulled of zonesAfter(api, positions)) {
      await zones.take(pulled, positions.get(pulled.id) === 0n);
    }
    metrics.set("zones", state.zones.size);
    metrics.set(
      "records",
      [...state.zones.values()].reduce((sum, { rows }) => sum + rows.size, 0),
    );
  }
}

/** Feeds that the server does not have are not followed. */
function isNew(latest: bigint | undefined, last: bigint): boolean {
  return latest !== undefined && latest > last;
}
