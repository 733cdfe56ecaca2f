import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  Health as HealthService,
  HealthCheckResponse_ServingStatus as ServingStatus,
  type HealthCheckResponseSchema,
} from "../../../proto/grpc/health/v1/health_pb.ts";
import type { Call } from "../../base/call.ts";
import { kernelErrors } from "../../base/errors.ts";
import type { Handlers } from "../../plugin_api/handlers.ts";
import { openOperations, type Operation } from "../../calls/operation.ts";

type Answer = MessageInitShape<typeof HealthCheckResponseSchema>;

/** Whether the server serves, and who wants to hear of a change. */
export class Health {
  readonly #isReady: () => boolean;
  readonly #watchers = new Set<() => void>();

  constructor(isReady: () => boolean) {
    this.#isReady = isReady;
  }

  get status(): ServingStatus {
    return this.#isReady() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  }

  /** To be called when what `isReady` answers may have changed. */
  changed(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** The status now, and each one after. */
  async *watch({ signal }: Call): AsyncGenerator<ServingStatus> {
    let wake: () => void = () => {};
    const woken = () => wake();
    this.#watchers.add(woken);
    signal.addEventListener("abort", woken);
    try {
      let told: ServingStatus | undefined;
      while (!signal.aborted) {
        const next = new Promise<void>((resolve) => wake = resolve);
        const { status } = this;
        if (status !== told) yield told = status;
        else await next;
      }
    } finally {
      this.#watchers.delete(woken);
      signal.removeEventListener("abort", woken);
    }
  }
}

/** grpc.health.v1.Health, for the services of these operations. */
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
    async *watch({ service }, call): AsyncGenerator<Answer> {
      const isKnown = names.has(service);
      for await (const status of health.watch(call)) yield { status: isKnown ? status : ServingStatus.SERVICE_UNKNOWN };
    },
  };
  return openOperations(HealthService, handlers);
}
