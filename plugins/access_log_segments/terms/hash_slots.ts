/** Doubles an open-addressing hash table. A slot is two words: a hash, and the value plus one, or 0 if it is free. */
export function withDoubledSlots(slots: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(slots.length * 2);
  const mask = grown.length - 1;
  for (let old = 0; old < slots.length; old += 2) {
    if (slots[old + 1] === 0) continue;
    let slot = slots[old]! << 1 & mask;
    while (grown[slot + 1] !== 0) slot = slot + 2 & mask;
    grown[slot] = slots[old]!;
    grown[slot + 1] = slots[old + 1]!;
  }
  return grown;
}
