import { as, type TestCaller } from "edgehelm/testing";
import { type Fields, lettersOf } from "./fixture.ts";
import { fixtures } from "./fixtures.ts";
import { fillSettings } from "./settings.ts";
import { openWorld, type World, type WorldOptions } from "./world.ts";

/** A world in which every setting that is stored as JSON has a value. */
export interface SettingsWorld extends World {
  /** The fields that refer to the objects, as `requestFor` takes them. */
  readonly objects: readonly Fields[];
  /** The callers by role: Ada, and nodes that exist. */
  readonly callers: Readonly<Record<string, TestCaller>>;
}

/** @param options additional plugins and host modules, and the database to use */
export async function openSettingsWorld(options: WorldOptions = {}): Promise<SettingsWorld> {
  const world = await openWorld(options);
  const owned: Fields[] = [];
  for (const [index, fixture] of fixtures.entries()) {
    const marker = `adathing${lettersOf(index)}`;
    owned.push((await fixture.create(world, world.ada, marker)).fields);
  }
  const filled = await fillSettings(world, Object.assign({}, ...owned));
  const callers = {
    admin: world.admin,
    user: world.ada,
    node: as.node(filled["nodeId"] as bigint),
    dns: as.dns(filled["nsNodeId"] as bigint),
    report: as.report(filled["reportNodeId"] as bigint),
    anonymous: as.anonymous(),
  };
  return { ...world, objects: [...owned, filled], callers };
}
