import { isListed } from "../../../../shell/state.ts";

/** The target of receivers, as requests name it. */
export interface Target {
  /** The role of the machines; empty for the whole installation. */
  readonly role: "" | "node" | "dns";
  readonly nodeClusterId: bigint;
  readonly nodeId: bigint;
}

/** The kinds of objects that events are about. */
const PLACES = {
  all: { role: "", noun: undefined, field: undefined },
  nodeCluster: { role: "node", noun: "NodeCluster", field: "nodeClusterId" },
  node: { role: "node", noun: "Node", field: "nodeId" },
  nsCluster: { role: "dns", noun: "NSCluster", field: "nodeClusterId" },
  nsNode: { role: "dns", noun: "NSNode", field: "nodeId" },
} as const;

export type PlaceKey = keyof typeof PLACES;

/** The choice of a target, as the address of the page has it. */
export interface TargetChoice {
  readonly place: PlaceKey;
  /** The id of the object; empty for all of them. */
  readonly id: string;
}

/** Returns the kinds of objects of which the reader may choose one. */
export function offeredPlaces(): readonly PlaceKey[] {
  return (Object.keys(PLACES) as PlaceKey[]).filter((key) => {
    const { noun } = PLACES[key];
    return noun === undefined || isListed(noun);
  });
}

/** Returns the name of the kind of objects of a place; undefined for the whole installation. */
export function nounOfPlace(place: PlaceKey): string | undefined {
  return PLACES[place].noun;
}

export function choiceOf(parameters: URLSearchParams): TargetChoice {
  const [about, id] = [parameters.get("about"), parameters.get("id") ?? ""];
  const place = offeredPlaces().find((key) => key === about) ?? "all";
  return { place, id: place !== "all" && /^\d{1,18}$/.test(id) ? id : "" };
}

export function targetOf({ place, id }: TargetChoice): Target {
  const { role, field } = PLACES[place];
  const none = { role, nodeClusterId: 0n, nodeId: 0n };
  return field === undefined || id === "" ? none : { ...none, [field]: BigInt(id) };
}
