const SECTOR = 512;

/** The file on the disk, and the writes that the disk may or may not have when the power fails. */
export class Image {
  #bytes;
  #pending = [];

  constructor(bytes) {
    this.#bytes = Buffer.from(bytes);
  }

  /** Applies a call that has returned. */
  apply({ isSync, isDurable, offset, bytes }) {
    if (isSync) {
      for (const write of this.#pending.splice(0)) this.#bytes = written(this.#bytes, write);
    } else if (isDurable) {
      this.#bytes = written(this.#bytes, { offset, bytes });
    } else this.#pending.push({ offset, bytes });
  }

  /** The file with all that was written. */
  whole() {
    return this.#pending.reduce(written, this.#bytes);
  }

  /**
   * The file after a power loss during a call. Of the writes that were not durable, any sectors can be on the disk: none, all, the
   * first ones, or some at random.
   */
  torn(during) {
    const under = during.isSync ? [] : [{ offset: during.offset, bytes: during.bytes }];
    const sectors = [...this.#pending, ...under].flatMap(sectorsOf);
    const kept = keep[Math.floor(Math.random() * keep.length)](sectors);
    return { bytes: kept.reduce(written, this.#bytes), pending: sectors.length, kept: kept.length };
  }
}

const keep = [
  () => [],
  (sectors) => sectors,
  (sectors) => sectors.slice(0, Math.floor(Math.random() * (sectors.length + 1))),
  (sectors) => {
    const share = Math.random();
    return sectors.filter(() => Math.random() < share);
  },
];

function written(file, { offset, bytes }) {
  const end = offset + bytes.length;
  const whole = end > file.length ? Buffer.concat([file, Buffer.alloc(end - file.length)]) : Buffer.from(file);
  bytes.copy(whole, offset);
  return whole;
}

/** A disk writes a sector as a whole or not at all. */
function sectorsOf({ offset, bytes }) {
  const sectors = [];
  for (let from = 0, to; from < bytes.length; from = to) {
    to = Math.min(bytes.length, from + SECTOR - ((offset + from) % SECTOR));
    sectors.push({ offset: offset + from, bytes: bytes.subarray(from, to) });
  }
  return sectors;
}
