import { testKernel } from "edgehelm/testing";
import { systemClock } from "../../../../core/base/clock.ts";
import { database } from "../../../../core/storage/database.ts";
import plugin from "../../../fixtures/notes/plugin.ts";
import { FOLDERS, noteStore, type Tables, USERS } from "../../../fixtures/notes/store.ts";
import { TemporaryFolder } from "../../installation/temporary_folder.ts";
import { latencyMeasurement } from "../../measurement/latency.ts";
import type { Suite } from "../../suite.ts";

const ROWS = 1_000_000;
const CALLS = 100;
const SIZE = 20n;
/** Deep pages begin up to so many rows before the end. */
const DEPTH = 1000n;

/** Pages, counts and searches of a list that a plugin from outside the project declares, in this process. */
export const lists: Suite = {
  async open({ rows = ROWS, progress }) {
    const stack = new AsyncDisposableStack();
    const folder = stack.use(new TemporaryFolder());
    const edgehelm = await testKernel({ plugins: [plugin], directory: folder.path, clock: systemClock });
    stack.defer(() => edgehelm.stop());
    const { list, insert } = noteStore(database<Tables>({ owner: "bench", tables: undefined }));
    const call = edgehelm.kernel.systemCall("bench");
    progress.note(`inserting ${rows} rows`);
    await call.transact((inner) => insert.run(inner, { count: rows }));
    progress.note("indexing their texts");
    await edgehelm.kernel.runJob("notes.index_notes");

    type Filter = Parameters<typeof list.page>[1];
    const page = (filter: Filter, offset: bigint) => list.page(call, filter, { offset, size: SIZE });
    const deep = (total: number, turn: number) => BigInt(total) - DEPTH + BigInt(turn) % (DEPTH - SIZE);
    const [ofUser, ofFolder] = [{ userId: 1n }, { userId: 1n, folderId: 1n }];
    const inFolder = rows / (USERS * FOLDERS / 2);
    const measure = (name: string, run: (turn: number) => Promise<unknown>) => latencyMeasurement(name, CALLS, run);
    return {
      measurements: [
        measure("page", (turn) => page({}, BigInt(turn % 100))),
        measure("page_deep", (turn) => page({}, deep(rows, turn))),
        measure("count", () => list.count(call, {})),
        measure("page_of_user_deep", (turn) => page(ofUser, deep(rows / USERS, turn))),
        measure("page_of_folder_deep", (turn) => page(ofFolder, deep(inFolder, turn))),
        measure("count_of_folder", () => list.count(call, ofFolder)),
        measure("search_rare", (turn) => page({ keyword: `bread ${1 + turn * 3_001 % rows}` }, 0n)),
        measure("search_common", (turn) => page({ keyword: "bread" }, BigInt(turn % 100))),
        measure("search_of_user", (turn) => page({ ...ofUser, keyword: "bread" }, BigInt(turn % 100))),
        measure("search_of_folder", (turn) => page({ ...ofFolder, keyword: "bread" }, BigInt(turn % 100))),
      ],
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  },
};
