import "./reflect.ts";
import { container as root, type DependencyContainer, instanceCachingFactory } from "tsyringe";
import type { Contract, ExtensionPoint } from "../base/contract.ts";

/** The contracts and extension points of one kernel. */
export class Container {
  readonly #container: DependencyContainer = root.createChildContainer();
  readonly #contributions = new Map<string, unknown[]>();

  /** @throws Error if the contract is already provided */
  provide<Shape>(contract: Contract<Shape>, implementation: Shape): void {
    if (this.provides(contract)) throw new Error(`contract "${contract.id}" is provided twice`);
    this.#container.register(contract.id, { useFactory: instanceCachingFactory(() => implementation) });
  }

  provides(contract: Contract<unknown>): boolean {
    return this.#container.isRegistered(contract.id);
  }

  /** Returns the implementation of a contract, or undefined if none is provided. */
  resolve<Shape>(contract: Contract<Shape>): Shape | undefined {
    return this.provides(contract) ? this.#container.resolve<Shape>(contract.id) : undefined;
  }

  contribute<Shape>(point: ExtensionPoint<Shape>, contribution: Shape): void {
    this.#list(point).push(contribution);
  }

  contributions<Shape>(point: ExtensionPoint<Shape>): readonly Shape[] {
    return this.#list(point);
  }

  #list<Shape>(point: ExtensionPoint<Shape>): Shape[] {
    let list = this.#contributions.get(point.id);
    if (list === undefined) this.#contributions.set(point.id, list = []);
    return list as Shape[];
  }
}
