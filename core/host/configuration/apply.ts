import { ApiError } from "../../client/api_error.ts";
import { UsageError } from "../api_cli/exit_codes.ts";
import type { Api } from "./api.ts";
import { candidates } from "./circles.ts";
import { type IdOf, objectKey, Requests, Unresolved } from "./changes.ts";
import { concurrently } from "./concurrently.ts";
import { Creations } from "./creations.ts";
import type { Wanted, WantedObjects } from "./import_files.ts";
import type { Installation } from "./installation.ts";
import type { Item, Known } from "./item.ts";
import type { Kind, Write } from "./kinds.ts";
import { type Change, orderedIds, type Plan, referrersFirst } from "./plan.ts";
import type { Secrets } from "./secrets.ts";
import type { ValueCodec, Values } from "./values.ts";

/** The numbers of objects that an application of a plan wrote. */
export interface Done {
  created: number;
  changed: number;
  deleted: number;
}

/** The surroundings of an application. */
export interface ApplyDeps {
  readonly api: Api;
  readonly codec: ValueCodec;
  readonly secrets: Secrets;
  readonly wanted: WantedObjects;
  /** Makes the plan again. */
  plan(known: Known): Promise<Plan>;
  /** Reports progress. */
  progress(done: number, total: number): void;
}

/** Brings an installation to what a plan says. */
export class Application {
  readonly #deps: ApplyDeps;
  readonly #requests: Requests;
  readonly #ids = new Map<string, Map<string, string>>();
  readonly done: Done = { created: 0, changed: 0, deleted: 0 };
  #total = 0;

  constructor(deps: ApplyDeps) {
    this.#deps = deps;
    const idOf: IdOf = (kind, label) => this.#ids.get(kind)?.get(label);
    this.#requests = new Requests(deps.codec, deps.secrets, idOf);
  }

  /** @throws ApiError, or UsageError, at the first object that fails; `done` tells what was done before. */
  async run(first: Plan, { deletes }: { readonly deletes: boolean }): Promise<void> {
    this.#total = first.creates.length + first.changes.length + (deletes ? first.surplus.length : 0);
    this.#learn(first.installation);
    // a secret that is missing is reported before anything is written
    for (const wanted of first.creates) this.#requests.create(wanted, creationOf(wanted), true);
    const known = await this.#create(first);
    // a new object may differ from its file in what its creation does not take
    const plan = first.creates.length === 0 ? first : await this.#deps.plan(known);
    this.#requireFound(plan);
    this.#learn(plan.installation);
    const created = new Set(first.creates);
    this.#total += plan.changes.filter(({ wanted }) => created.has(wanted)).length;
    await concurrently(plan.changes, (change) => this.#change(change));
    for (const kind of plan.orders) await this.#order(kind, plan);
    if (deletes) {
      for (const round of referrersFirst(plan.surplus)) {
        await concurrently(round, (item) => this.#remove(item));
      }
    }
  }

  #learn({ items }: Installation): void {
    for (const [name, list] of items) {
      for (const { id, label } of list) if (id !== undefined) this.#know(name, label, id);
    }
  }

  #know(kind: string, label: string, id: string): void {
    const ids = this.#ids.get(kind) ?? new Map<string, string>();
    this.#ids.set(kind, ids.set(label, id));
  }

  /** An installation may keep a value in another form, under which the files would not find the object again. */
  #requireFound({ creates: [lost], installation }: Plan): void {
    if (lost === undefined) return;
    const { kind, label, place } = lost;
    const id = this.#ids.get(kind.name)?.get(label);
    const item = (installation.items.get(kind.name) ?? []).find((each) => each.id !== undefined && each.id === id);
    const hint = item === undefined ? "" : `: write it as "${item.label}"`;
    throw new UsageError(`${place()}: the installation has ${kind.name} "${label}" under another name${hint}`);
  }

  #step(): void {
    const { created, changed, deleted } = this.done;
    this.#deps.progress(created + changed + deleted, this.#total);
  }

  /** Creates objects, each after those that it refers to. Returns the ids of those that no list has. */
  async #create({ creates, installation }: Plan): Promise<Known> {
    const creations = new Creations(
      this.#deps.api,
      installation,
      async () => (await this.#deps.plan(new Map())).installation,
    );
    const known = new Map<string, Map<string, string>>();
    const made = async (wanted: Wanted, request: Values) => {
      const { kind, label } = wanted;
      const id = await this.#named(wanted, () => creations.create(wanted, request));
      if (id !== undefined) {
        this.#know(kind.name, label, id);
        if (kind.list === undefined) known.set(kind.name, (known.get(kind.name) ?? new Map()).set(id, label));
      }
      this.done.created++;
      this.#step();
    };
    let left = [...creates];
    while (left.length > 0) {
      const [ready, waiting] = this.#parted(left);
      await inTurns(ready, (wanted) => made(wanted, this.#requests.create(wanted, wanted.kind.create!)));
      left = waiting;
      if (ready.length === 0) left = await this.#createInCircle(waiting, made);
    }
    return known;
  }

  /** Parts objects into those of which all references exist, and the others. */
  #parted(creates: readonly Wanted[]): [ready: Wanted[], waiting: Wanted[]] {
    const ready: Wanted[] = [];
    const waiting: Wanted[] = [];
    for (const wanted of creates) {
      (this.#requests.missing(wanted, creationOf(wanted)).size === 0 ? ready : waiting).push(wanted);
    }
    return [ready, waiting];
  }

  /** Creates one of several objects that refer to each other without its references, which a change adds later. */
  async #createInCircle(
    waiting: readonly Wanted[],
    made: (wanted: Wanted, request: Values) => Promise<void>,
  ): Promise<Wanted[]> {
    let refusal: unknown = new UsageError("objects refer to each other, and none can be created first");
    for (const wanted of candidates(waiting, (each) => this.#requests.missing(each, each.kind.create!))) {
      try {
        await made(wanted, this.#requests.create(wanted, wanted.kind.create!, true));
        return waiting.filter((each) => each !== wanted);
      } catch (error) {
        if (!(error instanceof ApiError) || error.isTemporary) throw error;
        refusal = error;
      }
    }
    throw refusal;
  }

  async #change({ wanted, item, differences }: Change): Promise<void> {
    const open = new Set(differences.map(({ path }) => path.split(".")[0]!));
    for (const write of wanted.kind.changes) {
      if (!write.fields.some(({ file }) => file !== undefined && open.has(file))) continue;
      const request = this.#resolved(() => this.#requests.change(wanted, item, write));
      await this.#named(wanted, () => this.#deps.api.call(write.operation, request));
      for (const { file } of write.fields) if (file !== undefined) open.delete(file);
    }
    const [fixed] = open;
    if (fixed !== undefined) {
      throw new UsageError(
        `${wanted.place(fixed)}: ${fixed}: cannot be changed; delete ${wanted.kind.name} "${wanted.label}" first, or ` +
          "give the object another name",
      );
    }
    this.done.changed++;
    this.#step();
  }

  #resolved(make: () => Values): Values {
    try {
      return make();
    } catch (error) {
      throw error instanceof Unresolved ? new UsageError(error.message) : error;
    }
  }

  async #order(kind: Kind, plan: Plan): Promise<void> {
    const [field] = Object.keys(kind.order!.fields);
    await this.#deps.api.call(kind.order!, {
      [field!]: orderedIds(kind, this.#deps.wanted, plan.installation, plan.pairs),
    });
    this.done.changed++;
  }

  async #remove({ kind, id, label, values }: Item): Promise<void> {
    const { operation, fields } = kind.remove!;
    const keys = kind.key.map((path) => path.split(".")[0]);
    const own = fields.filter(({ file }) => file !== undefined && keys.includes(file));
    const request = id === undefined
      ? Object.fromEntries(own.map(({ name, file }) => {
        const field = kind.fields.get(file!)!;
        return [
          name,
          this.#deps.codec.write(field, values[file!], { reference: () => undefined, secret: () => undefined }),
        ];
      }))
      : { [kind.id!]: id };
    await named(`${kind.name} "${label}"`, () => this.#deps.api.call(operation, { ...kind.constants, ...request }));
    this.done.deleted++;
    this.#step();
  }

  async #named<Result>(wanted: Wanted, call: () => Promise<Result>): Promise<Result> {
    return await named(`${wanted.place()}: ${wanted.kind.name} "${wanted.label}"`, call);
  }
}

function creationOf({ kind, place }: Wanted): Write {
  if (kind.create !== undefined) return kind.create;
  throw new UsageError(`${place()}: objects of ${kind.name} cannot be created`);
}

/** Adds the name of an object to the error of a call. */
async function named<Result>(name: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, reason, requestId, retryAfterSeconds } = error;
    throw new ApiError({
      message: `${name}: ${error.message}`,
      code,
      reason,
      requestId,
      retryAfterSeconds,
      cause: error,
    });
  }
}

/** Objects that only a number tells apart are created one after another, so that the numbers stay theirs. */
async function inTurns(items: readonly Wanted[], work: (item: Wanted) => Promise<void>): Promise<void> {
  const turns = new Map<string, Wanted[]>();
  for (const item of items) {
    const base = objectKey(item.kind.name, item.label.replace(/~\d+$/, ""));
    const turn = turns.get(base);
    if (turn === undefined) turns.set(base, [item]);
    else turn.push(item);
  }
  await concurrently([...turns.values()], async (turn) => {
    for (const item of turn) await work(item);
  });
}
