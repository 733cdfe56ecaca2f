import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  Health as HealthService,
  HealthCheckResponse_ServingStatus as ServingStatus,
  type HealthCheckResponseSchema,
} from "../../../proto/grpc/health/v1/health_pb.ts";
import type { Call } from "../../base/call.ts";
import { kernelErrors } from "../../base/errors.ts";
import type { Handlers } from "../../plugin_api/handlers.ts";
import { type Operation, publicOperations } from "../../calls/operation.ts";

type HealthResponse = MessageInitShape<typeof HealthCheckResponseSchema>;

/** The serving status of the server, with its watchers. */
export class Health {
  readonly #isReady: () => boolean;
  readonly #watchers = new Set<() => void>();

  constructor(isReady: () => boolean) {
    this.#isReady = isReady;
  }

  get status(): ServingStatus {
    return this.#isReady() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  }

  /** Notifies watchers. Call it when the result of `isReady` may have changed. */
  changed(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** Yields the current status and every change. */
  async *watch({ signal }: Call): AsyncGenerator<ServingStatus> {
    let wake: () => void = () => {};
    const woken = () => wake();
    this.#watchers.add(woken);
    signal.addEventListener("abort", woken);
    try {
      let lastStatus: ServingStatus | undefined;
      while (!signal.aborted) {
        const next = new Promise<void>((resolve) => wake = resolve);
        const { status } = this;
        if (status !== lastStatus) yield lastStatus = status;
        else await next;
      }
    } finally {
      this.#watchers.delete(woken);
      signal.removeEventListener("abort", woken);
    }
  }
}

/**
 * Creates the operations of grpc.health.v1.Health for the services of the given operations.
 *
 * Specification: https://github.com/grpc/grpc/blob/master/doc/health-checking.md
 */
export function healthOperations(health: Health, operations: readonly Operation[]): Operation[] {
  const names = new Set(["", ...operations.map(({ method }) => method.parent.typeName)]);
  const handlers: Handlers<typeof HealthService> = {
    check({ service }) {
      if (!names.has(service)) throw kernelErrors.not_found(`the service "${service.slice(0, 200)}"`);
      return { status: health.status };
    },
    list() {
      return { statuses: Object.fromEntries([...names].map((name) => [name, { status: health.status }])) };
    },
    async *watch({ service }, call): AsyncGenerator<HealthResponse> {
      const exists = names.has(service);
      for await (const status of health.watch(call)) yield { status: exists ? status : ServingStatus.SERVICE_UNKNOWN };
    },
  };
  return publicOperations(HealthService, handlers);
}
