// tsyringe does not load without Reflect metadata. No decorators are used, so stubs are sufficient.
const reflect = Reflect as unknown as Record<string, unknown>;
reflect.getMetadata ??= () => undefined;
reflect.getOwnMetadata ??= () => undefined;
reflect.defineMetadata ??= () => undefined;
