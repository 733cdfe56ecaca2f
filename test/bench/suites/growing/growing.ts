import { Installation } from "../../installation/installation.ts";
import { startSqld } from "../../installation/sqld.ts";
import { TemporaryFolder } from "../../installation/temporary_folder.ts";
import type { Measurement, Suite } from "../../suite.ts";
import { setupMeasurement } from "./setup_measurement.ts";
import { targetsOf } from "./targets.ts";

const INSTANCES = 4;
const KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/**
 * Reads and writes through HTTP and gRPC: of one process on a file, and of one and four instances on a libSQL server, with
 * the processor time that each call takes in the instances and in the server. All share this machine with the client.
 */
export const growing: Suite = {
  async open({ root, seconds, progress }) {
    const stack = new AsyncDisposableStack();
    const folder = stack.use(new TemporaryFolder());
    const file = stack.use(await Installation.start(root));
    const sqld = stack.use(await startSqld(folder));
    const environment = { EDGEHELM_DATABASE_URL: sqld.url, EDGEHELM_KEY: KEY };
    const instances: Installation[] = [];
    for (let count = 0; count < INSTANCES; count++) {
      progress.note(`starting instance ${count + 1} of ${INSTANCES}`);
      instances.push(stack.use(await Installation.start(root, { environment })));
    }
    const setups = [
      { name: "file", instances: [file], targets: await targetsOf(file) },
      { name: "sqld_1", instances: instances.slice(0, 1), sqld, targets: await targetsOf(instances[0]!) },
      { name: `sqld_${INSTANCES}`, instances, sqld, targets: await targetsOf(instances[0]!) },
    ];
    const measurements: Measurement[] = setups.flatMap(({ targets, ...setup }) =>
      targets.flatMap((target) => [
        setupMeasurement(setup, target, "http", seconds, folder),
        setupMeasurement(setup, target, "grpc", seconds, folder),
      ])
    );
    return { measurements, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  },
};
