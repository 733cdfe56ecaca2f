import type { InstallationKey } from "./installation_key.ts";
import { type SealedPlace, type Sealer, WrongKeyError } from "./sealer.ts";

/** Seals with the current installation key, and opens what it and earlier keys sealed. */
export class KeyRing implements Sealer {
  #current: InstallationKey;
  #earlier: readonly InstallationKey[] = [];
  /** Every key that this process has used. Values that were read before an earlier key was dropped are still opened. */
  readonly #known = new Map<string, InstallationKey>();
  /** Loads the keys again, because another instance may have rotated them. */
  readonly #reload: () => Promise<void>;

  constructor(current: InstallationKey, reload: () => Promise<void>) {
    this.#current = current;
    this.#reload = reload;
    this.#known.set(current.id, current);
  }

  get current(): InstallationKey {
    return this.#current;
  }

  get earlier(): readonly InstallationKey[] {
    return this.#earlier;
  }

  use(current: InstallationKey, earlier: readonly InstallationKey[]): void {
    this.#current = current;
    this.#earlier = earlier;
    for (const key of [current, ...earlier]) this.#known.set(key.id, key);
  }

  seal(plaintext: string, place: SealedPlace): Promise<string> {
    return this.#current.sealer.seal(plaintext, place);
  }

  async open(sealed: string, place: SealedPlace): Promise<string> {
    try {
      return await this.#sealerOf(sealed).open(sealed, place);
    } catch (error) {
      if (!(error instanceof WrongKeyError)) throw error;
      await this.#reload();
      return await this.#sealerOf(sealed).open(sealed, place);
    }
  }

  /** Returns the sealer whose key is named in a sealed value, or the current one. */
  #sealerOf(sealed: string): Sealer {
    const id = sealed.split(".", 2)[1] ?? "";
    return (this.#known.get(id) ?? this.#current).sealer;
  }
}
