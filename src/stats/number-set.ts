const MORE = 0x80;

/** A set of small whole numbers, one bit for each number up to the largest. */
export class NumberSet {
  private bits = new Uint8Array(64);
  private count = 0;

  get size(): number {
    return this.count;
  }

  add(number: number): void {
    const index = number >>> 3;
    if (index >= this.bits.length) {
      const larger = new Uint8Array(Math.max(index + 1, this.bits.length * 2));
      larger.set(this.bits);
      this.bits = larger;
    }
    const before = this.bits[index] ?? 0;
    const after = before | (1 << (number & 7));
    if (after === before) return;
    this.bits[index] = after;
    this.count++;
  }

  delete(number: number): void {
    const index = number >>> 3;
    const before = this.bits[index] ?? 0;
    const after = before & ~(1 << (number & 7));
    if (after === before) return;
    this.bits[index] = after;
    this.count--;
  }

  /** Adds every number of a packed set. */
  addPacked(bytes: Uint8Array): void {
    let number = 0;
    let gap = 0;
    let factor = 1;
    for (const byte of bytes) {
      gap += (byte & ~MORE) * factor;
      factor *= MORE;
      if ((byte & MORE) !== 0) continue;
      number += gap;
      this.add(number);
      [gap, factor] = [0, 1];
    }
  }

  /** The set in few bytes: the gap from each number to the next one, in 7 bits a byte, the lowest first. */
  packed(): Buffer {
    const bytes: number[] = [];
    let last = 0;
    for (const number of this.sorted()) {
      let gap = number - last;
      for (; gap >= MORE; gap = Math.floor(gap / MORE)) bytes.push((gap % MORE) | MORE);
      bytes.push(gap);
      last = number;
    }
    return Buffer.from(bytes);
  }

  private *sorted(): Generator<number> {
    for (const [index, byte] of this.bits.entries()) {
      for (let bit = 0; byte >> bit !== 0; bit++) if (((byte >> bit) & 1) === 1) yield index * 8 + bit;
    }
  }
}
