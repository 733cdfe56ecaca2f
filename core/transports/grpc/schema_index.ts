import type { DescFile, DescMessage, DescService } from "@bufbuild/protobuf";

/** The proto files of services and everything they import, indexed by file name, symbol and extension. */
export class SchemaIndex {
  readonly serviceNames: readonly string[];
  readonly #byName = new Map<string, DescFile>();
  readonly #bySymbol = new Map<string, DescFile>();
  /** By extended message, then by field number. */
  readonly #extensions = new Map<string, Map<number, DescFile>>();

  /** @param files more files to index, which no service imports */
  constructor(services: readonly DescService[], files: readonly DescFile[]) {
    this.serviceNames = services.map(({ typeName }) => typeName).sort();
    this.#addAll(new Set([...services.map(({ file }) => file), ...files]));
  }

  #addAll(files: Set<DescFile>): void {
    for (const file of files) {
      for (const dependency of file.dependencies) files.add(dependency);
      this.#add(file);
    }
  }

  fileNamed(name: string): DescFile | undefined {
    return this.#byName.get(name);
  }

  /** Finds the file that declares a symbol: the full name of a service, method, message, field, enum or extension. */
  fileOf(symbol: string): DescFile | undefined {
    return this.#bySymbol.get(symbol);
  }

  fileOfExtension(message: string, number: number): DescFile | undefined {
    return this.#extensions.get(message)?.get(number);
  }

  /** Returns the field numbers of a message's extensions, or undefined if the message does not exist. */
  extensionNumbersOf(message: string): number[] | undefined {
    const numbers = this.#extensions.get(message);
    if (numbers !== undefined) return [...numbers.keys()];
    return this.#bySymbol.has(message) ? [] : undefined;
  }

  #add(file: DescFile): void {
    this.#byName.set(`${file.name}.proto`, file);
    for (const service of file.services) {
      this.#symbol(file, service.typeName);
      for (const method of service.methods) this.#symbol(file, `${service.typeName}.${method.name}`);
    }
    for (const enumeration of file.enums) this.#symbol(file, enumeration.typeName);
    for (const message of file.messages) this.#addMessage(file, message);
    for (const extension of file.extensions) {
      this.#symbol(file, extension.typeName);
      const { typeName } = extension.extendee;
      const numbers = this.#extensions.get(typeName) ?? new Map<number, DescFile>();
      this.#extensions.set(typeName, numbers.set(extension.number, file));
    }
  }

  #addMessage(file: DescFile, message: DescMessage): void {
    this.#symbol(file, message.typeName);
    for (const field of message.fields) this.#symbol(file, `${message.typeName}.${field.name}`);
    for (const enumeration of message.nestedEnums) this.#symbol(file, enumeration.typeName);
    for (const nested of message.nestedMessages) this.#addMessage(file, nested);
  }

  #symbol(file: DescFile, name: string): void {
    this.#bySymbol.set(name, file);
  }
}
