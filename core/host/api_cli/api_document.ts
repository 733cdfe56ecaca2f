import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { received } from "../../client/request.ts";
import { UsageError } from "./exit_codes.ts";
import { cacheFolder, writePrivately } from "./folders.ts";

/** A kind of configuration as its service declares it: the message Kind of `proto/options.proto` as JSON. */
export interface KindDeclaration {
  readonly name: string;
  readonly id?: string;
  readonly list?: string;
  readonly each?: string;
  readonly eachAndNone?: boolean;
  readonly find?: string;
  readonly create?: string;
  readonly change?: readonly { readonly operation: string; readonly find?: string }[];
  readonly delete?: string;
  readonly order?: string;
  readonly key?: readonly string[];
  readonly field?: readonly FieldDeclaration[];
  readonly constant?: readonly string[];
  readonly entries?: string;
  readonly except?: string;
  readonly secrets?: string;
}

/** A field that differs from the rules for fields: the message KindField as JSON. */
export interface FieldDeclaration {
  readonly name: string;
  readonly as?: string;
  readonly from?: string;
  readonly kind?: string;
  readonly secret?: boolean;
  readonly required?: boolean;
  readonly when?: string;
  readonly ignored?: boolean;
  readonly initial?: string;
  readonly json?: boolean;
  readonly prefix?: string;
}

/** The part of a JSON Schema that commands read. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly contentEncoding?: string;
  readonly contentMediaType?: string;
  readonly contentSchema?: Schema;
}

interface PathItem {
  readonly post: {
    readonly summary: string;
    readonly description: string;
    readonly deprecated?: boolean;
    readonly requestBody: { readonly content: { readonly "application/json": { readonly schema: Schema } } };
  };
}

interface Tag {
  readonly name: string;
  readonly "x-edgehelm-kinds"?: readonly KindDeclaration[];
}

/** The part of `/openapi.json` that commands read. */
interface OpenApi {
  readonly tags?: readonly Tag[];
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation that an installation serves. */
export interface ApiOperation {
  readonly service: string;
  readonly method: string;
  /** Such as `/NSDomainService/createNSDomain`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly fields: Readonly<Record<string, Schema>>;
}

/** The operations that an installation serves, those of vendors' plugins too. */
export class ApiDocument {
  readonly #document: OpenApi;
  /** The names of the methods of each service. */
  readonly services: ReadonlyMap<string, readonly string[]>;

  constructor(document: OpenApi) {
    this.#document = document;
    const services = new Map<string, string[]>();
    for (const path of Object.keys(document.paths)) {
      const [, service = "", method = ""] = path.split("/");
      services.set(service, [...services.get(service) ?? [], method]);
    }
    this.services = services;
  }

  /** Finds a service by its name in any case, with or without hyphens and the ending "Service". */
  service(name: string): string | undefined {
    const wanted = plain(name);
    return [...this.services.keys()].find((service) => [`${wanted}service`, wanted].includes(plain(service)));
  }

  /** Finds an operation by the names of its service and method, in any case, with or without hyphens. */
  operation(serviceName: string, methodName: string): ApiOperation | undefined {
    const service = this.service(serviceName);
    const method = service && this.services.get(service)!.find((name) => plain(name) === plain(methodName));
    if (service === undefined || method === undefined) return undefined;
    const path = `/${service}/${method}`;
    const { summary, description: text, deprecated = false, requestBody } = this.#document.paths[path]!.post;
    const description = deprecated ? `(deprecated) ${text}` : text;
    const { properties = {} } = this.resolved(requestBody.content["application/json"].schema);
    return { service, method, path, summary, description, fields: properties };
  }

  /** Returns the kinds of configuration that services declare, with the services. */
  kinds(): readonly (readonly [service: string, KindDeclaration])[] {
    return (this.#document.tags ?? []).flatMap(({ name, "x-edgehelm-kinds": kinds = [] }) =>
      kinds.map((declared) => [name, declared] as const)
    );
  }

  summary(service: string, method: string): string {
    return this.#document.paths[`/${service}/${method}`]!.post.summary;
  }

  /** Returns a schema, or the one that it refers to. */
  resolved(schema: Schema): Schema {
    const name = schema.$ref?.split("/").at(-1);
    return name === undefined ? schema : this.#document.components.schemas[name] ?? {};
  }
}

function plain(name: string): string {
  return name.replaceAll(/[-_]/g, "").toLowerCase();
}

interface Cached {
  readonly etag: string;
  /** The time of the last check, in unix milliseconds. */
  readonly checkedAt: number;
  readonly document: OpenApi;
}

/** The age at which a kept document is checked again, in milliseconds. */
const MAX_AGE_MILLISECONDS = 3_600_000;

/** Loads the document of an installation, which is kept for the next commands. */
export class ApiDocuments {
  readonly #url: string;
  readonly #path: string;

  constructor(url: string) {
    this.#url = url;
    this.#path = join(cacheFolder(), `${createHash("sha256").update(url).digest("hex").slice(0, 32)}.json`);
  }

  /** Returns the kept document without asking the server; undefined if there is none. */
  async kept(): Promise<ApiDocument | undefined> {
    const cached = await this.#read();
    return cached && new ApiDocument(cached.document);
  }

  /**
   * Returns the document.
   *
   * @param isFresh true asks the server even if the kept document is recent
   * @throws ApiError, or UsageError if the server serves none
   */
  async load({ isFresh = false }: { isFresh?: boolean } = {}): Promise<ApiDocument> {
    const cached = await this.#read();
    const isRecent = cached !== undefined && Date.now() < cached.checkedAt + MAX_AGE_MILLISECONDS;
    if (isRecent && !isFresh) return new ApiDocument(cached.document);
    const headers: Record<string, string> = cached === undefined ? {} : { "if-none-match": cached.etag };
    const response = await received(fetch(`${this.#url}/openapi.json`, { headers }), undefined);
    const next = response.status === 304 && cached !== undefined ? cached : await this.#fetched(response);
    await writePrivately(this.#path, JSON.stringify({ ...next, checkedAt: Date.now() }));
    return new ApiDocument(next.document);
  }

  async #fetched(response: Response): Promise<Omit<Cached, "checkedAt">> {
    if (!response.ok) {
      throw new UsageError(
        `${this.#url}/openapi.json responded with HTTP ${response.status}; commands for operations need the plugin ` +
          "openapi in the installation",
      );
    }
    return { etag: response.headers.get("etag") ?? "", document: await received(response.json(), undefined) };
  }

  async #read(): Promise<Cached | undefined> {
    try {
      return JSON.parse(await readFile(this.#path, "utf8"));
    } catch {
      return undefined;
    }
  }
}
