/** How long one command may work before others can run. */
export const sliceMs = 5;

/** The items, with an `undefined` among them when a slice of time is over and the reader should let other commands run. */
export function* paced<T>(items: Iterable<T>): Generator<T | undefined> {
  let sliceEnd = performance.now() + sliceMs;
  for (const item of items) {
    if (performance.now() > sliceEnd) {
      yield undefined;
      sliceEnd = performance.now() + sliceMs;
    }
    yield item;
  }
}
