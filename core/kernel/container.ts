import "./reflect.ts";
import { container as root, type DependencyContainer, instanceCachingFactory } from "tsyringe";
import { type Contract, type ExtensionPoint, providerOf } from "../base/contract.ts";
import { notRunning } from "./degradation.ts";

/** The contracts and extension points of one kernel. */
export class Container {
  readonly #container: DependencyContainer = root.createChildContainer();
  readonly #contributions = new Map<string, Contributions>();
  /** The plugins that do not run, with the extension points to which they would contribute. */
  readonly #missing = new Map<string, readonly string[]>();

  /** @throws Error if the contract is already provided */
  provide<Shape>(contract: Contract<Shape>, implementation: Shape): void {
    if (this.provides(contract)) throw new Error(`contract "${contract.id}" is provided twice`);
    this.#container.register(contract.id, { useFactory: instanceCachingFactory(() => implementation) });
  }

  provides(contract: Contract<unknown>): boolean {
    return this.#container.isRegistered(contract.id) && !this.#missing.has(providerOf(contract));
  }

  /** Returns the implementation of a contract, or undefined if none is provided. */
  resolve<Shape>(contract: Contract<Shape>): Shape | undefined {
    return this.provides(contract) ? this.#container.resolve<Shape>(contract.id) : undefined;
  }

  contribute<Shape>(point: ExtensionPoint<Shape>, contribution: Shape, owner: string): void {
    const { list, owners } = this.#of(point);
    list.push(contribution);
    owners.push(owner);
  }

  contributions<Shape>(point: ExtensionPoint<Shape>): readonly Shape[] {
    return this.#of(point).list as Shape[];
  }

  /**
   * Removes what a plugin provided and contributed, and refuses what its contributions would have guarded.
   *
   * @param points the ids of the extension points to which it would contribute
   */
  withdraw(plugin: string, points: readonly string[]): void {
    this.#missing.set(plugin, points);
    for (const { point, list, owners } of this.#contributions.values()) {
      for (let index = owners.length - 1; index >= 0; index--) {
        if (owners[index] !== plugin) continue;
        // the list itself, which others have read already
        list.splice(index, 1);
        owners.splice(index, 1);
      }
      if (points.includes(point.id)) addStandIn(point, list, owners, plugin);
    }
  }

  #of(point: ExtensionPoint<unknown>): Contributions {
    let found = this.#contributions.get(point.id);
    if (found === undefined) {
      found = { point, list: [], owners: [] };
      this.#contributions.set(point.id, found);
      for (const [plugin, points] of this.#missing) {
        if (points.includes(point.id)) addStandIn(point, found.list, found.owners, plugin);
      }
    }
    return found;
  }
}

interface Contributions {
  readonly point: ExtensionPoint<unknown>;
  readonly list: unknown[];
  /** The plugin of each contribution. */
  readonly owners: string[];
}

/** Adds a contribution whose methods fail, for a plugin that does not run. */
function addStandIn({ refused }: ExtensionPoint<unknown>, list: unknown[], owners: string[], plugin: string): void {
  if (refused.length === 0) return;
  list.push(Object.fromEntries(refused.map((method) => [method, () => Promise.reject(notRunning(plugin))])));
  owners.push(plugin);
}
