const MORE = 0x80;
/** How many numbers a page of 1 KiB has room for. */
const PAGE = 8_192;

/** How many bits of a word are set. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/**
 * A set of whole numbers below 2^32, one bit for each number of the pages that have any. So the cost of a set does not depend on
 * how large its numbers are.
 */
export class NumberSet {
  private readonly pages = new Map<number, Uint32Array>();

  get size(): number {
    let size = 0;
    for (const page of this.pages.values()) for (const word of page) if (word !== 0) size += ones(word);
    return size;
  }

  add(number: number): void {
    const page = this.pageOf(number);
    const index = (number % PAGE) >>> 5;
    page[index] = (page[index] ?? 0) | (1 << (number & 31));
  }

  delete(number: number): void {
    const page = this.pages.get(Math.floor(number / PAGE));
    if (page === undefined) return;
    const index = (number % PAGE) >>> 5;
    page[index] = (page[index] ?? 0) & ~(1 << (number & 31));
  }

  /** Adds every number of a packed set. This is most of the work of a comparison in a shop with many buyers. */
  addPacked(bytes: Uint8Array): void {
    let page = this.pageOf(0);
    // The previous number, relative to the first number of the page.
    let offset = 0;
    let begin = 0;
    for (let at = 0; at < bytes.length; at++) {
      let byte = bytes[at] ?? 0;
      offset += byte & ~MORE;
      for (let factor = MORE; (byte & MORE) !== 0; factor *= MORE) {
        byte = bytes[++at] ?? 0;
        offset += (byte & ~MORE) * factor;
      }
      if (offset >= PAGE) {
        begin += offset - (offset % PAGE);
        offset %= PAGE;
        page = this.pageOf(begin);
      }
      page[offset >>> 5] = (page[offset >>> 5] ?? 0) | (1 << (offset & 31));
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

  private pageOf(number: number): Uint32Array {
    const key = Math.floor(number / PAGE);
    const page = this.pages.get(key) ?? new Uint32Array(PAGE / 32);
    this.pages.set(key, page);
    return page;
  }

  private *sorted(): Generator<number> {
    for (const [key, page] of [...this.pages].sort(([one], [other]) => one - other)) {
      for (let index = 0; index < page.length; index++) {
        let word = page[index] ?? 0;
        // The lowest bit that is set, until none is left.
        for (; word !== 0; word &= word - 1) yield key * PAGE + index * 32 + 31 - Math.clz32(word & -word);
      }
    }
  }
}
