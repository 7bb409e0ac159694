const MORE = 0x80;

/** How often each buyer paid, by the number of the buyer. */
export type BuyerCounts = ReadonlyMap<number, number>;

/**
 * Writes counts in few bytes, about one for a buyer: the gap from each number to the next one, doubled, plus 1 where a count
 * other than 1 follows. A number has 7 bits in each byte, the lowest first.
 */
export function packed(counts: BuyerCounts): Buffer {
  const bytes: number[] = [];
  const write = (value: number): void => {
    let rest = value;
    for (; rest >= MORE; rest = Math.floor(rest / MORE)) bytes.push((rest % MORE) | MORE);
    bytes.push(rest);
  };
  let last = 0;
  for (const [number, count] of [...counts].sort(([one], [other]) => one - other)) {
    write((number - last) * 2 + (count === 1 ? 0 : 1));
    if (count !== 1) write(count);
    last = number;
  }
  return Buffer.from(bytes);
}

/** Reads packed counts. */
export function eachCount(bytes: Uint8Array, visit: (number: number, count: number) => void): void {
  let position = 0;
  const next = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= MORE) {
      const byte = bytes[position++] ?? 0;
      value += (byte % MORE) * factor;
      if (byte < MORE) return value;
    }
  };
  let number = 0;
  while (position < bytes.length) {
    const gap = next();
    number += Math.floor(gap / 2);
    visit(number, gap % 2 === 0 ? 1 : next());
  }
}

/** A set of numbers from 0 on, of which most may be in it. */
export class NumberSet {
  size = 0;
  private has = new Uint8Array(1_024);

  add(number: number): void {
    if (number >= this.has.length) {
      const larger = new Uint8Array(number * 2);
      larger.set(this.has);
      this.has = larger;
    }
    if (this.has[number] === 1) return;
    this.has[number] = 1;
    this.size += 1;
  }
}
