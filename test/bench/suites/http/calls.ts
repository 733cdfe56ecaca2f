import type { Domains } from "../../installation/domains.ts";
import type { Installation } from "../../installation/installation.ts";
import type { HttpCall } from "../../load/http_call.ts";

/** The calls of the HTTP suite, with the token of the server that runs. */
export class HttpCalls {
  readonly #installation: Installation;
  /** The domains that the installation was filled with. */
  domains: Domains = { nsClusterId: 0, firstId: 0, lastId: 0 };

  constructor(installation: Installation) {
    this.#installation = installation;
  }

  empty(): HttpCall {
    return this.#call("HelloWorldService/sayHello", '{"id":"<random 1000 9999>","name":"Ada"}', '"hello, Ada (');
  }

  find(): HttpCall {
    const { firstId, lastId } = this.domains;
    const body = `{"nsDomainId":<random ${firstId} ${lastId}>}`;
    return this.#call("NSDomainService/findNSDomain", body, ".bench-domain.test");
  }

  list(): HttpCall {
    const { firstId, lastId } = this.domains;
    const body = `{"offset":<random 0 ${lastId - firstId - 20}>,"size":20}`;
    return this.#call("NSDomainService/listNSDomains", body, '"nsDomains":[{');
  }

  create(): HttpCall {
    const body = `{"nsClusterId":${this.domains.nsClusterId},"name":"<unique>.bench.test"}`;
    return this.#call("NSDomainService/createNSDomain", body, '"nsDomainId":');
  }

  #call(operation: string, body: string, expected: string): HttpCall {
    return { path: `/${operation}`, headers: this.#installation.headers, body, expected };
  }
}
