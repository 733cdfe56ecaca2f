// tsyringe refuses to load without Reflect metadata; decorators are not used here, so stubs suffice.
const reflect = Reflect as unknown as Record<string, unknown>;
reflect.getMetadata ??= () => undefined;
reflect.getOwnMetadata ??= () => undefined;
reflect.defineMetadata ??= () => undefined;
